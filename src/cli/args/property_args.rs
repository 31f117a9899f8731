//! What is looked for, where the user gives commands in place of a test.

use std::path::Path;

use clap::Args;

use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::ub_guard;
use crate::oracle::{CANDIDATE, RequestedCriteria, StageCommand, StageRole, TestStage};
use crate::session::InputFile;

/// What options are for that say something of a command.
const OF_A_LINE: &str = "is for a command in place of the test: lop FILE -- COMMAND";
/// What the one is for that says something of two.
const OF_TWO: &str =
    "is for two compilers that disagree: lop FILE --differs RIGHT WRONG --ub-guard";

/// Commands, and what they are known by.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "In place of a test")]
pub struct PropertyArgs {
    /// Two commands, for a shell, that should do the same with the file and do not: their stdout or exit status differ. The first is
    /// taken to be right. {} is the file
    #[arg(long, num_args = 2, value_names = ["RIGHT", "WRONG"], conflicts_with = "line")]
    pub differs: Vec<String>,
    /// With --differs, for C and C++: a candidate counts only if no compiler warns of undefined behaviour, sanitizers are silent and a
    /// compiler that is in neither command agrees. FLAGS are for these compilers
    #[arg(long, value_name = "FLAGS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub ub_guard: Option<String>,
    /// A command, for a shell, that must succeed before the test is asked at all: a candidate on which it fails is invalid. {} is the
    /// file. May be given several times
    #[arg(long, value_name = "COMMAND")]
    pub check: Vec<String>,
    /// A line of what the command prints matches this regular expression, whatever else it does
    #[arg(long, value_name = "RE", requires = "line")]
    pub grep: Vec<String>,
    /// No line of what the command prints matches this
    #[arg(long, value_name = "RE", requires = "line")]
    pub not_grep: Vec<String>,
    /// The command ends with this status, whatever else it does
    #[arg(long, value_name = "N", requires = "line")]
    pub exit: Option<i32>,
    /// What the command prints is what it prints on the original, but for so many percent
    #[arg(long, value_name = "PERCENT", requires = "line", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub like: Option<u8>,
    /// The command that fails; {} is the file. If there is none, a word that is FILE as it was given is the file, and else it is
    /// the last argument. What it fails with is found out
    #[arg(last = true, value_name = "COMMAND")]
    pub line: Vec<String>,
}

impl PropertyArgs {
    /// Whether commands stand in the place of a test.
    pub fn has_commands(&self) -> bool {
        !self.line.is_empty() || !self.differs.is_empty()
    }

    /// An option that is given and means nothing beside a test that is a script, and what it is for.
    pub fn unusable_option(&self) -> Option<String> {
        let given = [
            ("--grep", !self.grep.is_empty(), OF_A_LINE),
            ("--not-grep", !self.not_grep.is_empty(), OF_A_LINE),
            ("--exit", self.exit.is_some(), OF_A_LINE),
            ("--like", self.like.is_some(), OF_A_LINE),
            ("--ub-guard", self.ub_guard.is_some(), OF_TWO),
        ];
        let mut given = given.into_iter().filter(|(_, given, _)| *given);
        given
            .next()
            .map(|(option, _, what)| format!("{option} {what}"))
    }

    /// What the user says of the failure.
    pub fn wanted_property(&self) -> RequestedCriteria {
        RequestedCriteria {
            grep: self.grep.clone(),
            not_grep: self.not_grep.clone(),
            exit: self.exit,
            like: self.like,
        }
    }

    /// The checks alone, for a test that is a script.
    pub fn check_stages(&self, name: &str) -> Result<Vec<TestStage>, CommandFailure> {
        let checks = self.check.iter();
        checks
            .map(|line| shell_stage(StageRole::Check, "--check", line, name))
            .collect()
    }

    /// All that runs for a candidate, the cheapest first; and what is to be said about it.
    pub fn test_stages(
        &self,
        input: &InputFile,
    ) -> Result<(Vec<TestStage>, Vec<String>), CommandFailure> {
        let name = input.file_name().to_string_lossy();
        let mut stages = self.check_stages(&name)?;
        let [right, wrong] = &self.differs[..] else {
            if self.ub_guard.is_some() {
                return Err(CommandFailure::new(USAGE, format!("--ub-guard {OF_TWO}")));
            }
            stages.push(TestStage {
                role: StageRole::Subject,
                line: StageCommand::Words(absolute_program(insert_candidate(
                    &self.line,
                    &input.named,
                ))),
            });
            return Ok((stages, Vec::new()));
        };
        let pair = [
            shell_stage(StageRole::Reference, "--differs", right, &name)?,
            shell_stage(StageRole::Differs, "--differs", wrong, &name)?,
        ];
        let Some(flags) = &self.ub_guard else {
            stages.extend(pair);
            return Ok((stages, Vec::new()));
        };
        let guard = ub_guard::build_guard(input, flags, [right, wrong])?;
        stages.extend(guard.before);
        stages.extend(pair);
        stages.extend(guard.after);
        Ok((stages, guard.notes))
    }
}

/// A line for the shell. One that does not name the file cannot be meant.
fn shell_stage(
    role: StageRole,
    option: &str,
    line: &str,
    name: &str,
) -> Result<TestStage, CommandFailure> {
    if !line.contains(CANDIDATE) && !line.contains(name) {
        return Err(CommandFailure::new(
            USAGE,
            format!(
                "{option} '{line}': it does not name the file; write {CANDIDATE} where {name} goes"
            ),
        ));
    }
    Ok(TestStage {
        role,
        line: StageCommand::Shell(line.to_owned()),
    })
}

/// The words with the candidate among them: in the place of the file of this name, or at the end.
fn insert_candidate(words: &[String], file: &Path) -> Vec<String> {
    let mut words = words.to_vec();
    if words.iter().any(|word| word.contains(CANDIDATE)) {
        return words;
    }
    let path = |path: &Path| std::path::absolute(path).ok();
    let mut is_there = false;
    for (at, word) in words.iter_mut().enumerate() {
        // A program without a directory is looked for elsewhere.
        let names = at > 0 || word.contains('/');
        if names && !word.is_empty() && path(Path::new(word)) == path(file) {
            *word = if at == 0 {
                format!("./{CANDIDATE}")
            } else {
                CANDIDATE.to_owned()
            };
            is_there = true;
        }
    }
    if !is_there {
        words.push(CANDIDATE.to_owned());
    }
    words
}

/// A program that is named by a relative path is meant from here, and the command runs elsewhere.
fn absolute_program(mut words: Vec<String>) -> Vec<String> {
    if let Some(program) = words.first_mut()
        && program.contains('/')
        && !program.contains(CANDIDATE)
        && let Ok(path) = std::path::absolute(&*program)
        && let Some(path) = path.to_str()
    {
        *program = path.to_owned();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_the_last_argument_if_it_is_nowhere() {
        let words = |line: &str| {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            absolute_program(insert_candidate(&words, Path::new("bug.c")))
        };
        assert_eq!(words("gcc -c").join(" "), "gcc -c {}");
        assert_eq!(words("gcc -c {} -o x").join(" "), "gcc -c {} -o x");
        assert_eq!(words("tool --file={}").join(" "), "tool --file={}");
        assert_eq!(words("gcc -c bug.c -o x").join(" "), "gcc -c {} -o x");
        assert_eq!(words("gcc -c ./bug.c").join(" "), "gcc -c {}");
        assert_eq!(words("gcc {} -o bug.c").join(" "), "gcc {} -o bug.c");
        assert_eq!(words("./bug.c x").join(" "), "./{} x");
        assert_eq!(words("./{} x").join(" "), "./{} x");
    }

    #[test]
    fn a_line_that_does_not_name_the_file_is_refused() {
        assert!(shell_stage(StageRole::Check, "--check", "cc -c {}", "bug.c").is_ok());
        assert!(shell_stage(StageRole::Check, "--check", "cc -c bug.c", "bug.c").is_ok());
        let refused = shell_stage(StageRole::Check, "--check", "cc -c other.c", "bug.c")
            .expect_err("refused");
        assert!(
            refused
                .error
                .to_string()
                .contains("write {} where bug.c goes")
        );
    }
}
