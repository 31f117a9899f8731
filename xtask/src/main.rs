//! The developers' commands: they generate checked-in files from the program's own tables, and pictures from runs of its demo.

mod animation;
mod commands_page;
mod completions;
mod demo_studio;
mod frame_pairs;
mod generate;
mod lesson_picture;
mod manual_pages;
mod screenshot;

use std::path::{Path, PathBuf};

use clap::Parser;

/// Generates the checked-in files that come from the program itself.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
enum XtaskCommand {
    /// Write the files that come from the program's own tables: the manual, completions for shells, pages of docs/
    Generate {
        /// The directory that gets docs/, man/ and completions/ [default: the repository]
        to: Option<PathBuf>,
    },
    /// Draw the pictures and the animation of the README, from runs of the demo
    Screenshot {
        /// The directory for the pictures [default: screenshots/ in the repository]
        to: Option<PathBuf>,
    },
}

fn main() -> anyhow::Result<()> {
    match XtaskCommand::parse() {
        XtaskCommand::Generate { to } => {
            generate::run_generate(&to.unwrap_or_else(|| repository_root().to_owned()))
        }
        XtaskCommand::Screenshot { to } => {
            screenshot::run_screenshot(&to.unwrap_or_else(|| repository_root().join("screenshots")))
        }
    }
}

/// The directory of the repository, wherever the command is typed.
fn repository_root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}
