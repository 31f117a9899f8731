//! The programs that a test calls.

use super::script::{ScriptSource, called_programs};
use crate::oracle::{InterestingnessTest, StageCommand, TestStage};

/// The programs that the stages of a test call, as far as their text tells, each once, in the order of the text. Builtins of the shell are among them.
pub fn find_called_tools(test: &InterestingnessTest) -> Vec<String> {
    let mut tools: Vec<String> = Vec::new();
    for tool in test.stages().iter().flat_map(tools_of_stage) {
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    tools
}

fn tools_of_stage(stage: &TestStage) -> Vec<String> {
    match &stage.line {
        StageCommand::Script(script) => ScriptSource::from_executable(script).called_programs(),
        StageCommand::Words(words) => called_programs(words).map(str::to_owned).collect(),
        StageCommand::Shell(line) | StageCommand::Serve(line) => {
            ScriptSource::from_shell_line(line).called_programs()
        }
    }
}
