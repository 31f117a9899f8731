//! A generator that makes the program, where FILE is a sequence of choices.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;

/// The generator, and the name of its programs.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "A sequence of choices in place of a program")]
pub struct GeneratorArgs {
    /// FILE is a sequence of choices, one byte each: this shell command reads it as {} and prints the program that TEST sees. A candidate
    /// on which it fails is invalid; it should exit with 125 where it wants more choices than there are. The strategy is choices
    #[arg(long, value_name = "COMMAND", requires = "program_name", conflicts_with_all = ["grammar", "language", "verdicts", "offline", "save_candidates", "also_interesting"])]
    pub generator: Option<String>,
    /// The name under which TEST sees the program that --generator makes; the result's is beside the result, as bug.lop.c
    #[arg(id = "program_name", long = "as", value_name = "NAME", requires = "generator", value_parser = parse_file_name)]
    pub program_name: Option<PathBuf>,
}

/// A name without directories.
fn parse_file_name(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    match path.file_name() == Some(OsStr::new(text)) {
        true => Ok(path.to_path_buf()),
        false => Err("the name of a file, without directories, such as bug.c".into()),
    }
}
