//! The versions of the programs that a test calls, by `--version`.

use std::path::Path;
use std::time::Duration;

use crate::cli::launch::prepared_run::PreparedRun;
use crate::display::sanitize_line;
use crate::doctor::find_called_tools;
use crate::oracle::{
    InterestingnessTest, StageCommand, StageRole, TestExit, TestFiles, TestOutcome, TestStage,
    TimeLimits, TrialRun,
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
pub fn ask_versions(prepared: &PreparedRun, files: &TestFiles) -> Vec<ToolVersion> {
    let tools = find_called_tools(&prepared.test).into_iter();
    let tools = tools.filter(|tool| is_asked(tool)).take(MAX_TOOLS);
    let answers = tools.filter_map(|tool| {
        let version = ask_version(prepared, &tool, files)?;
        Some(ToolVersion { tool, version })
    });
    answers.collect()
}

fn is_asked(tool: &str) -> bool {
    let name = Path::new(tool).file_name().unwrap_or_default();
    // A script beside the program has no version, and a variable no value.
    let is_program = !tool.contains('/') || Path::new(tool).is_absolute();
    is_program
        && !tool.contains(['$', '{', '(', '`'])
        && !EVERYWHERE.contains(&&*name.to_string_lossy())
}

fn ask_version(prepared: &PreparedRun, tool: &str, files: &TestFiles) -> Option<String> {
    let words = vec![tool.to_owned(), "--version".to_owned()];
    let stage = TestStage::new(StageRole::Subject, StageCommand::Words(words));
    let test = InterestingnessTest::without_property(vec![stage]);
    let limits = TimeLimits::wall_only(PATIENCE);
    let (scratch, isolation) = (prepared.scratch.clone(), prepared.isolation.clone());
    let trial = TrialRun::start(test, scratch, files.clone(), limits, isolation).ok()?;
    let seen = trial.outcome_receiver().recv().ok()?;
    let TestOutcome::Verdict(_, run) = seen.outcome else {
        return None;
    };
    let text = String::from_utf8_lossy(&run.output.to_bytes()).into_owned();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let line: String = line.chars().take(MAX_LENGTH).collect();
    (run.exit == TestExit::Code(0)).then(|| sanitize_line(&line).into_owned())
}
