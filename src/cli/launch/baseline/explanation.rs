//! Why a baseline test did not pass, with everything that helps to find out more.

use super::preflight::PreflightTester;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO};
use crate::cli::program_path::find_program;
use crate::display::{EscapeHidden, escape_page, sanitize_line};
use crate::doctor::file_name;
use crate::oracle::{
    DetailedOutcome, NoVerdict, StageCommand, StageRole, StageView, TestExit, TestOutcome, TestRun,
    Verdict,
};
use crate::plain::{format_duration, quote_path_for_display};
use crate::session::{InputFile, RunInput};

/// How many lines of either end of the test's output are shown.
const SHOWN: usize = 10;

/// What a server must do.
const SERVER_PROTOCOL: &str = "  - a server reads the directory of a candidate in a line, writes 0, 1 or 125 in a line and nothing else to its standard output, and ends with its input; \
    docs/TESTS.md has one of ten lines";

impl PreflightTester<'_> {
    /// Why there is nothing to reduce, with all that helps to find out more.
    pub fn explain_outcome(&self, outcome: &TestOutcome) -> CommandFailure {
        match outcome {
            TestOutcome::Verdict(_, run) => {
                CommandFailure::new(NOTHING_TO_DO, self.explain_uninteresting(run))
            }
            TestOutcome::NoVerdict(trouble) => {
                CommandFailure::new(FAILED, self.explain_no_verdict(trouble))
            }
            // Only a signal cancels it, and `test_files` reports that.
            TestOutcome::Cancelled => {
                CommandFailure::new(FAILED, "the test of the original was cancelled")
            }
        }
    }

    /// Why a session cannot be resumed: its newest version is no longer interesting.
    pub(super) fn explain_lost_version(&self, run: &TestRun) -> String {
        let mut lines = vec![
            "the test no longer finds the newest version of this session interesting, so the run cannot be resumed."
                .to_owned(),
        ];
        lines.extend(self.describe_circumstances());
        lines.push(format!(
            "  end:     {} after {}",
            run.exit,
            format_duration(run.time)
        ));
        lines.extend(output_excerpt(run));
        lines.push("What to try: restore the test, the compiler and the environment; or find an older version that is still interesting (`lop history`, `lop show N`) and reduce that one".into());
        lines.join("\n")
    }

    /// The failure for a generator that makes no program of the original; none if it makes one, or there is no generator.
    pub fn explain_generator(&self, seen: &DetailedOutcome) -> Option<CommandFailure> {
        let (generator, _) = self.test.generator()?;
        let ended = match (&seen.outcome, &seen.runs[..]) {
            (TestOutcome::NoVerdict(trouble), []) => {
                return Some(CommandFailure::new(
                    FAILED,
                    self.explain_no_verdict(trouble),
                ));
            }
            (_, [alone]) => &alone.run,
            _ => return None,
        };
        let has_ended = ended.exit == TestExit::Code(0);
        let mut lines = vec![match has_ended {
            false => format!(
                "the generator makes no program of the original {}: {} after {}, so there is nothing to reduce.",
                self.input,
                ended.exit,
                format_duration(ended.time)
            ),
            true => format!(
                "the generator makes a program of the original {} that is too long, so there is nothing to reduce.",
                self.input
            ),
        }];
        lines.push(self.describe_stage(generator));
        lines.push(self.describe_directory());
        lines.extend(output_excerpt(ended));
        lines.push("What to try:".into());
        if let TestExit::Killed(_) = ended.exit {
            lines.push("  - give it more time: --timeout S, or --timeout 0 for no limit".into());
        }
        lines.push(self.advise_manual_run());
        lines.push(
            "  - it runs in an empty directory with a copy of the sequence: other files that it needs must have absolute paths".into(),
        );
        let status = if has_ended { FAILED } else { NOTHING_TO_DO };
        Some(CommandFailure::new(status, lines.join("\n")))
    }

    /// The failure for a check that fails on the original; none if the last stage is not a check, or did not fail.
    pub fn check_failure(&self, seen: &DetailedOutcome) -> Option<CommandFailure> {
        let last = seen.runs.len().checked_sub(1)?;
        let stage = self.test.stages().get(last)?;
        let run = &seen.runs[last].run;
        if stage.role != StageRole::Check || run.exit == TestExit::Code(0) {
            return None;
        }
        let mut lines = vec![format!(
            "the check fails on the original {}. A candidate that fails the check is never tested, so there is nothing to reduce.",
            self.input
        )];
        lines.push(self.describe_stage(stage));
        lines.push(self.describe_directory());
        lines.push(format!(
            "  end:     {} after {}",
            run.exit,
            format_duration(run.time)
        ));
        lines.extend(output_excerpt(run));
        lines.push("What to try: run the check by hand and fix it, or remove it".into());
        Some(CommandFailure::new(NOTHING_TO_DO, lines.join("\n")))
    }

    /// The failure for an empty seed that does not pass its test; none if the last stage is not that test.
    pub fn explain_empty_seed(&self, seen: &DetailedOutcome) -> Option<CommandFailure> {
        let last = seen.runs.len().checked_sub(1)?;
        let stage = self.test.stages().get(last)?;
        let run = &seen.runs[last].run;
        if stage.sees != StageView::Seed || seen.outcome.verdict() == Some(Verdict::Interesting) {
            return None;
        }
        let mut lines = vec![format!(
            "the empty program does not pass {}, so there is nothing to begin with; give a program that passes with --from SEED.",
            sanitize_line(&stage.line.to_string())
        )];
        lines.push(format!(
            "  end:     {} after {}",
            run.exit,
            format_duration(run.time)
        ));
        lines.extend(output_excerpt(run));
        Some(CommandFailure::new(NOTHING_TO_DO, lines.join("\n")))
    }

    fn explain_uninteresting(&self, run: &TestRun) -> String {
        let end = match run.exit {
            TestExit::Code(125) => format!(
                "exit 125 after {}, which means that the file is invalid",
                format_duration(run.time)
            ),
            TestExit::Code(code) => format!(
                "exit {code} after {}; only exit 0 means that the file is interesting",
                format_duration(run.time)
            ),
            TestExit::Signal(signal) => format!(
                "it was killed by signal {signal} after {}",
                format_duration(run.time)
            ),
            TestExit::Killed(_) => format!(
                "it had not ended after {}, and was killed",
                format_duration(run.time)
            ),
        };
        let mut lines = vec![match self.input {
            RunInput::Program(_) | RunInput::Project(_) => format!(
                "the test does not find {} interesting, so there is nothing to reduce.",
                self.input
            ),
            RunInput::Pair(_) => format!(
                "the pair {} is not interesting, so there is nothing to reduce: the seed must pass its test, and the variant its own.",
                self.input
            ),
        }];
        lines.extend(self.describe_circumstances());
        lines.push(format!("  end:     {end}"));
        lines.extend(output_excerpt(run));
        lines.push("What to try:".into());
        if let TestExit::Killed(_) = run.exit {
            lines.push("  - give it more time: --timeout S, or --timeout 0 for no limit".into());
        }
        lines.push(self.advise_manual_run());
        if self.test.property().is_some() {
            lines.push(
                "  - if the failure is something that it prints, say what, and let the seed not print it: --grep 'REGULAR EXPRESSION'"
                    .into(),
            );
            return lines.join("\n");
        }
        if self.test.is_served() {
            lines.push(SERVER_PROTOCOL.into());
            return lines.join("\n");
        }
        for (name, script) in self.scripts_of_one_file() {
            let advice = format!("  - {}", file_name::file_name_advice(name, script));
            if lines.last() != Some(&advice) {
                lines.push(advice);
            }
        }
        lines.push(self.advise_on_paths());
        if run.output.is_empty() {
            lines.push("  - let the test print what its commands say, also what it keeps in a file (cat run.log): then it stands here".into());
        }
        lines.push(
            "  - its last command decides: exit 0 if the bug is still there, anything else if not"
                .into(),
        );
        lines.join("\n")
    }

    pub fn explain_no_verdict(&self, trouble: &NoVerdict) -> String {
        let missing = match trouble {
            NoVerdict::CannotStart { .. } => self.missing_program(),
            _ => None,
        };
        let mut lines = vec![match missing {
            Some(path) if path.contains('/') => {
                format!(
                    "the command cannot be started: there is no {}.",
                    path.escape_hidden()
                )
            }
            Some(program) => {
                format!(
                    "the command cannot be started: {} is not in PATH.",
                    program.escape_hidden()
                )
            }
            None => format!("{trouble}."),
        }];
        lines.extend(self.describe_circumstances());
        match trouble {
            NoVerdict::CannotStart { .. } if missing.is_some() => {
                lines.push("What to try: check its spelling, install it, or give its absolute path: PATH is the one that lop was started with".into());
            }
            NoVerdict::TestFailed { run } => {
                lines.extend(output_excerpt(run));
                lines.push("What to try:".into());
                lines.push(self.advise_manual_run());
                lines.push("  - install what it calls, or give its absolute path: PATH is the one that lop was started with".into());
                lines.push(
                    "  - a test that means \"not interesting\" should exit with 1, not 126 or 127: the shell uses these for a command that it cannot run"
                        .into(),
                );
            }
            NoVerdict::CannotStart { .. } => {
                lines.push("What to try:".into());
                lines.push(format!(
                    "  - start it by hand:\n        {}",
                    self.manual_commands().join("\n        ")
                ));
                lines.push("  - a script needs a first line such as #!/bin/sh that names a program which exists".into());
            }
            NoVerdict::ServerFault { run, .. } => {
                lines.extend(output_excerpt(run));
                lines.push("What to try:".into());
                lines.push(self.advise_manual_run());
                lines.push(SERVER_PROTOCOL.into());
            }
            NoVerdict::InternalError { .. }
            | NoVerdict::NotRecorded { .. }
            | NoVerdict::FunctionPanicked { .. }
            | NoVerdict::FarmFailed { .. } => {}
            NoVerdict::HelperLost { .. } => {
                lines.push("What to try:".into());
                lines.push("  - check whether the test, or a program that it starts, sends signals to its parent ($PPID) or to all processes of a name".into());
                lines.push("  - dmesg shows whether the system killed it for lack of memory; --jobs 1 needs the least".into());
            }
            NoVerdict::System { .. } => {
                lines.push("What to try:".into());
                lines.push(
                    "  - free some space, or choose another directory for the tests with --scratch DIR"
                        .into(),
                );
            }
        }
        lines.join("\n")
    }

    /// What a test finds in its directory, as advice.
    fn advise_on_paths(&self) -> String {
        let others = "other files that it needs must have absolute paths";
        let Some(project) = self.input.project() else {
            return format!(
                "  - the test sees an empty directory with a copy of the file: {others}"
            );
        };
        // The longest path shows best what belongs to it.
        let paths = project.files().iter().map(InputFile::test_path);
        let example = paths.max_by_key(|path| path.components().count());
        let example = example.map_or_else(String::new, quote_path_for_display);
        let without = match project.is_directory() {
            true => format!(
                " without {}/",
                project.main_file().file_name().escape_hidden()
            ),
            false => String::new(),
        };
        format!(
            "  - the test sees a directory with copies of the files, which lie there{without}, one as {example}: {others}"
        )
    }

    /// How to run the same by hand, as advice.
    fn advise_manual_run(&self) -> String {
        format!(
            "  - run it by hand {}:\n        {}",
            self.how_by_hand(),
            self.manual_commands().join("\n        ")
        )
    }

    /// The first program of a command that does not exist.
    fn missing_program(&self) -> Option<&str> {
        let programs = self
            .test
            .stages()
            .iter()
            .filter_map(|stage| match &stage.line {
                StageCommand::Words(words) => words.first(),
                StageCommand::Script(_) | StageCommand::Shell(_) | StageCommand::Serve(_) => None,
            });
        programs
            .map(String::as_str)
            .find(|program| find_program(program).is_none())
    }

    /// The command line of the doctor, for a script that sees one program.
    pub fn doctor_hint(&self) -> Option<String> {
        let RunInput::Program(file) = self.input else {
            return None;
        };
        if self.test.generator().is_some() {
            // The doctor shows the test a program.
            return None;
        }
        let script = self.test.script()?;
        let (file, test) = (
            quote_path_for_display(&file.named),
            quote_path_for_display(script.path()),
        );
        Some(format!("lop doctor {file} {test}"))
    }
}

/// The first and the last lines of a test's output.
pub fn output_excerpt(run: &TestRun) -> Vec<String> {
    if run.output.is_empty() {
        return vec!["  printed: nothing".into()];
    }
    let text = run.output.to_bytes();
    let text = escape_page(&text);
    let all: Vec<&str> = text.lines().collect();
    let mut lines = vec!["  printed:".to_owned()];
    let left_out = all.len().saturating_sub(2 * SHOWN);
    let (head, tail) = if left_out == 0 {
        (&all[..], &[][..])
    } else {
        (&all[..SHOWN], &all[all.len() - SHOWN..])
    };
    lines.extend(head.iter().map(|line| format!("    | {line}")));
    if left_out > 0 {
        lines.push(format!("    ({left_out} more lines)"));
    }
    lines.extend(tail.iter().map(|line| format!("    | {line}")));
    lines
}
