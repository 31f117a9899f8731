//! The place of the failure as commands of a run: from `--place`, else from what the failing command printed.

use super::plan::RunPlan;
use super::prepared_run::PreparedRun;
use crate::cli::failure::{CommandFailure, USAGE};
use crate::display::EscapeHidden;
use crate::language::Language;
use crate::oracle::{FilePlace, TestOutput, find_mentions};
use crate::pass::PLACE;
use crate::program::{ConstraintRule, NodeTarget, Version};
use crate::reduce::{self, EngineCommand};
use crate::session::RunInput;

/// The most places and names, each, that a message mentions for the pass: the first say most.
const MOST_MENTIONED: usize = 16;

/// A program in whose lines places are looked for.
struct PlacedProgram<'a> {
    version: &'a Version,
    language: Option<&'static Language>,
    name: String,
    text: &'a [u8],
}

/// The commands that tell the run the place of its failure: none if nothing says where that is, or no pass asks about it.
///
/// # Errors
/// When the program has not the place that the user names.
pub fn place_commands(
    plan: &RunPlan,
    prepared: &PreparedRun,
    output: &TestOutput,
    version: &Version,
) -> Result<Vec<EngineCommand>, CommandFailure> {
    let file = prepared.input.main_file();
    let program = PlacedProgram {
        version,
        language: plan.main_language(),
        name: file.file_name().to_string_lossy().into_owned(),
        text: &file.bytes,
    };
    if let Some(place) = plan.initial_commands.place() {
        return program
            .command_for(ConstraintRule::Place, place)
            .map_or_else(
                || Err(program.explain_missing(place)),
                |command| Ok(vec![command]),
            );
    }
    let is_asked = plan.options.strategy.has_pass(PLACE.name)
        && matches!(prepared.input, RunInput::Program(_))
        && prepared.test.generator().is_none()
        && !plan.initial_commands.names_place();
    match prepared.test.property() {
        Some(property) if is_asked => {
            let mentions = find_mentions(output, property);
            Ok(program.commands_for(&mentions.places, &mentions.names))
        }
        _ => Ok(Vec::new()),
    }
}

impl PlacedProgram<'_> {
    /// The first place that the program has, and what else is mentioned.
    fn commands_for(&self, places: &[FilePlace], names: &[String]) -> Vec<EngineCommand> {
        let mut commands = Vec::new();
        for place in places {
            let rule = match commands.is_empty() {
                true => ConstraintRule::Place,
                false => ConstraintRule::Mention,
            };
            if commands.len() <= MOST_MENTIONED {
                commands.extend(self.command_for(rule, place));
            }
        }
        if commands.is_empty() {
            return commands;
        }
        let names = names
            .iter()
            .map(|name| NodeTarget::Name(name.as_str().into()));
        let named = names.filter_map(|name| self.checked_command(ConstraintRule::Mention, name));
        commands.extend(named.take(MOST_MENTIONED));
        commands
    }

    /// The command about a place; none if the program does not have it. Lines of a program with line markers are those that the markers
    /// name, else its own.
    fn command_for(&self, rule: ConstraintRule, place: &FilePlace) -> Option<EngineCommand> {
        let of_marker = place
            .file
            .as_ref()
            .and_then(|file| self.language?.find_origin_line(self.text, file, place.line));
        let is_own = place.file.as_ref().is_none_or(|file| {
            let parts = file.rsplit(['/', '\\']);
            parts.into_iter().next() == Some(&self.name)
        });
        let line = of_marker.or(is_own.then_some(place.line))?;
        let text = self
            .text
            .split(|byte| *byte == b'\n')
            .nth(line as usize - 1)?;
        let blank = text
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        if blank == text.len() {
            return None;
        }
        let column = place.column.filter(|&column| column as usize <= text.len());
        let column = column.unwrap_or(blank as u32 + 1);
        self.checked_command(rule, NodeTarget::Position(line, column))
    }

    /// The command, if the program has such a place.
    fn checked_command(&self, rule: ConstraintRule, target: NodeTarget) -> Option<EngineCommand> {
        let found = reduce::resolve_constraints(self.version, rule, &target);
        found
            .is_ok()
            .then_some(EngineCommand::Constrain(rule, target))
    }

    fn explain_missing(&self, place: &FilePlace) -> CommandFailure {
        let named = place.file.as_deref().unwrap_or(&self.name);
        let what = format!(
            "--place {}:{}: the program has nothing there; name a line of {}, or one that its line markers name",
            named.escape_hidden(),
            place.line,
            self.name.escape_hidden(),
        );
        CommandFailure::new(USAGE, what)
    }
}
