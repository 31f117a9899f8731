//! The developers' commands: they draw and generate what is checked in, from the program's own tables and from runs of its demo.

mod animation;
mod commands_page;
mod completions;
mod demo_studio;
mod generate;
mod manual_pages;
mod screenshot;

use std::path::{Path, PathBuf};

use clap::Parser;

/// Makes anew what is checked in and made by the program itself.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
enum XtaskCommand {
    /// Write the files that are made of the program's own tables: the manual, completions for shells, pages of docs/
    Generate {
        /// The directory that gets docs/, man/ and completions/ [default: the repository]
        to: Option<PathBuf>,
    },
    /// Draw the pictures of the README, the moving one too, from runs of the demo
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
