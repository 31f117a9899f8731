//! What ran for a baseline test and where, and how to run the same by hand.

use std::path::Path;

use super::preflight::PreflightTester;
use crate::display::{EscapeHidden, sanitize_line};
use crate::oracle::{CANDIDATE, ScriptInterpreter, StageCommand, TestStage};
use crate::plain::quote_path_for_display;

impl PreflightTester<'_> {
    /// The commands that ran, and where.
    pub fn describe_circumstances(&self) -> Vec<String> {
        let ran = self
            .test
            .stages()
            .iter()
            .map(|stage| self.describe_stage(stage));
        let sandbox = self.isolation.sandbox.then(|| {
            "  sandbox: it reaches no network, socket or device; of /tmp, /var/tmp and /dev/shm it sees the directory that lop was started in and what its text or its command names"
                .to_owned()
        });
        ran.chain([self.describe_directory()])
            .chain(sandbox)
            .collect()
    }

    pub(super) fn describe_stage(&self, stage: &TestStage) -> String {
        let name = self.input.file_name().escape_hidden();
        match &stage.line {
            StageCommand::Script(script) => {
                let path = quote_path_for_display(script.path());
                let shell = match script.interpreter() {
                    ScriptInterpreter::System => "",
                    ScriptInterpreter::Shell => "/bin/sh ",
                };
                format!("  ran:     {shell}{path} {name}  (with the absolute path of {name})")
            }
            line => format!("  ran:     {}", sanitize_line(&self.fill_in_name(line))),
        }
    }

    pub(super) fn describe_directory(&self) -> String {
        format!(
            "  where:   in an empty directory under {} with a copy of {}; it has been removed",
            self.scratch.root_path().escape_hidden(),
            self.input.file_name().escape_hidden()
        )
    }

    /// A line with the file's name in its place.
    fn fill_in_name(&self, line: &StageCommand) -> String {
        let name = quote_path_for_display(Path::new(self.input.file_name()));
        line.to_string().replace(CANDIDATE, &name)
    }

    pub(super) fn how_by_hand(&self) -> &'static str {
        match self.isolation.sandbox {
            true => "(with all your rights, not in the sandbox)",
            false => "as lop does",
        }
    }

    /// A shell line that does the same by hand.
    pub(super) fn manual_command(&self) -> String {
        let file = quote_path_for_display(&self.input.path);
        let name = quote_path_for_display(Path::new(self.input.file_name()));
        let stages = self.test.stages().iter().map(|stage| match &stage.line {
            StageCommand::Script(script) => {
                let shell = match script.interpreter() {
                    ScriptInterpreter::System => "",
                    ScriptInterpreter::Shell => "sh ",
                };
                format!(
                    "{shell}{} \"$PWD\"/{name}; echo $?",
                    quote_path_for_display(script.path())
                )
            }
            line => format!("{}; echo $?", self.fill_in_name(line)),
        });
        let stages: Vec<String> = stages.collect();
        format!(
            "cd \"$(mktemp -d)\" && cp {file} {name} && {}",
            stages.join("; ")
        )
    }
}
