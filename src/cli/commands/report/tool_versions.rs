//! The versions of the programs that a test calls, by `--version`.

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use crate::cli::failure::CommandFailure;
use crate::cli::launch::baseline::PreflightTester;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::display::sanitize_line;
use crate::doctor::find_called_tools;
use crate::oracle::{
    InterestingnessTest, StageCommand, StageRole, TestExit, TestFiles, TestOutcome, TestStage,
    TimeLimits,
};

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);
/// Programs whose versions are asked for, at most.
const MAX_TOOLS: usize = 12;
/// The longest version, in characters.
const MAX_LENGTH: usize = 160;

/// Builtins of the shell, and tools of every system, whose versions matter to nobody.
const EVERYWHERE: [&str; 50] = [
    ".", ":", "[", "[[", "awk", "basename", "bash", "break", "cat", "cd", "cmp", "command",
    "continue", "cp", "cut", "dash", "diff", "dirname", "echo", "egrep", "env", "eval", "exec",
    "exit", "export", "false", "fgrep", "grep", "head", "kill", "mkdir", "mktemp", "mv", "nice",
    "printf", "pwd", "read", "return", "rm", "sed", "set", "sh", "shift", "sleep", "sort", "tail",
    "test", "timeout", "tr", "true",
];

/// What a program says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolVersion {
    /// As the test calls it.
    pub tool: String,
    /// The first line that it prints.
    pub version: String,
}

/// Asks the programs that the test calls, contained as a test is. Who says nothing is left out.
pub fn ask_versions(
    prepared: &PreparedRun,
    files: &TestFiles,
) -> Result<Vec<ToolVersion>, CommandFailure> {
    let tools = find_called_tools(&prepared.test).into_iter();
    let mut versions = Vec::new();
    for tool in tools.filter(|tool| is_asked(tool)).take(MAX_TOOLS) {
        if let Some(version) = ask_version(prepared, &tool, files)? {
            versions.push(ToolVersion { tool, version });
        }
    }
    Ok(versions)
}

fn is_asked(tool: &str) -> bool {
    let name = Path::new(tool).file_name().unwrap_or_default();
    // A script beside the program has no version, and a variable no value.
    let is_program = !tool.contains('/') || Path::new(tool).is_absolute();
    is_program
        && !tool.contains(['$', '{', '(', '`'])
        && !EVERYWHERE.contains(&&*name.to_string_lossy())
}

fn ask_version(
    prepared: &PreparedRun,
    tool: &str,
    files: &TestFiles,
) -> Result<Option<String>, CommandFailure> {
    let words = vec![tool.to_owned(), "--version".to_owned()];
    let stage = TestStage::new(StageRole::Subject, StageCommand::Words(words));
    let tester = PreflightTester {
        test: &InterestingnessTest::without_property(vec![stage]),
        is_silent: &Cell::new(true),
        ..prepared.preflight_tester()
    };
    let outcome = tester.test_result(files.clone(), TimeLimits::wall_only(PATIENCE))?;
    let TestOutcome::Verdict(_, run) = outcome else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&run.output.to_bytes()).into_owned();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.filter(|_| run.exit == TestExit::Code(0));
    Ok(line.map(|line| {
        let line: String = line.chars().take(MAX_LENGTH).collect();
        sanitize_line(&line).into_owned()
    }))
}
