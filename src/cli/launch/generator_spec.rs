//! The generator that the user gives: a sequence of choices in place of a program.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::cli::args::ReduceArgs;
use crate::cli::failure::{CommandFailure, USAGE};
use crate::display::EscapeHidden;
use crate::oracle::shell::quote_path;
use crate::oracle::{CANDIDATE, TestStage};
use crate::pass::STRATEGIES;
use crate::session::InputFile;

/// The strategy of a run on a sequence of choices.
pub const STRATEGY: &str = "choices";

/// The generator of the command line.
#[derive(Clone, Debug)]
pub struct GeneratorSpec {
    /// Its command line.
    line: String,
    /// The name under which the test sees the program.
    name: PathBuf,
}

impl GeneratorSpec {
    /// The generator of the command line for this input; none without one. Fails where other options contradict it.
    pub fn from_args(
        reduce: &ReduceArgs,
        input: &InputFile,
    ) -> Result<Option<GeneratorSpec>, CommandFailure> {
        let generator = &reduce.generator;
        let (Some(line), Some(name)) = (&generator.generator, &generator.program_name) else {
            return Ok(None);
        };
        let refuse = |what: String| Err(CommandFailure::new(USAGE, what));
        if line.trim().is_empty() {
            return refuse("--generator names no command; write one, such as './gen {}'".into());
        }
        // The default stands for what fits.
        let strategy = &reduce.strategy[..];
        if strategy != STRATEGIES[0].name && strategy != STRATEGY {
            return refuse(format!(
                "--strategy {strategy} works on a program, and with --generator FILE is a sequence of choices; leave it out"
            ));
        }
        if reduce.objective != "tokens" {
            return refuse(
                "--objective measures a program, and with --generator there are fewer choices; leave it out".into(),
            );
        }
        if input.file_name() == name.as_os_str() {
            return refuse(format!(
                "--as {}: that is the name of FILE, the sequence; give the program another name",
                name.escape_hidden()
            ));
        }
        Ok(Some(GeneratorSpec {
            line: name_sequence(&absolute_program(line)),
            name: name.clone(),
        }))
    }

    /// The first stage of the test.
    pub fn to_stage(&self) -> TestStage {
        TestStage::new_generator(self.line.clone(), self.name.clone())
    }

    /// The input under the name of the program, for commands that name it.
    pub fn program_of(&self, input: &InputFile) -> InputFile {
        input.clone().with_file_name(self.name.as_os_str())
    }
}

/// The line with the place of the sequence: where `{}` is, or else at its end.
fn name_sequence(line: &str) -> String {
    match line.contains(CANDIDATE) {
        true => line.to_owned(),
        false => format!("{line} {CANDIDATE}"),
    }
}

/// The line with the absolute path of its program, because it runs in another directory. Only a program without quotes is found.
pub fn absolute_program(line: &str) -> Cow<'_, str> {
    let line = line.trim_start();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let (program, rest) = line.split_at(end);
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    let path = std::path::absolute(program);
    match path {
        Ok(path) if program.contains('/') && program.chars().all(is_plain) => {
            format!("{}{rest}", quote_path(&path)).into()
        }
        _ => Cow::Borrowed(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_from_another_directory() {
        let here = std::env::current_dir().expect("a directory");
        let gen_path = quote_path(&here.join("gen"));
        let made = |line: &str| name_sequence(&absolute_program(line));
        assert_eq!(made("./gen {} -v"), format!("{gen_path} {{}} -v"));
        assert_eq!(made(" ./gen"), format!("{gen_path} {{}}"));
        assert_eq!(made("/bin/gen <{}"), "/bin/gen <{}");
        assert_eq!(made("gen"), "gen {}");
        assert_eq!(made("A=1 ./gen {}"), "A=1 ./gen {}");
        assert_eq!(made("\"./a b\" {}"), "\"./a b\" {}");
    }
}
