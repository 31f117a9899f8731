//! The prompt that changes what is in force: the line that is accepted stands in the place of an item.
//!
//! ```text
//!  ╭ Change: focus main ──────────────────────────────────────────────╮
//!  │ :focus main                                                      │     focus helper  ──▶  unfocus #12, focus helper
//!  ╰──────────────────────────────────────────────────────────────────╯
//! ```

use crate::program::QueryRequirement;
use crate::reduce::{
    BreakCondition, EngineCommand, PassVerb, RunSnapshot, SkipScope, resolve_constraints,
};
use crate::tui::program_view::steering::SteeringItem;

/// The item that is changed.
#[derive(Clone, Debug)]
pub struct SteeringChange {
    item: SteeringItem,
    /// The line that makes the item as it is.
    pub line: String,
}

impl SteeringChange {
    /// A change of this item; none if no single line makes such an item.
    pub fn of_item(item: SteeringItem, snapshot: &RunSnapshot) -> Option<SteeringChange> {
        let line = item.present_line(&snapshot.version)?;
        Some(SteeringChange { item, line })
    }

    /// The title of the prompt.
    pub fn title(&self) -> String {
        format!("Change: {}", self.item.text)
    }

    /// The lines that put what `line` makes in the place of the item; none where it is the item as it is.
    ///
    /// # Errors
    /// When the line makes no such item now: then the item must stay.
    pub fn replacing_lines(
        &self,
        line: &str,
        snapshot: &RunSnapshot,
    ) -> Result<Vec<String>, String> {
        let line = line.trim();
        if line.is_empty() || line == self.line {
            return Ok(Vec::new());
        }
        check_makes_item(&EngineCommand::parse_line(line)?, snapshot)?;
        let removal = self.item.removal_lines(snapshot);
        Ok(removal.into_iter().chain([line.to_owned()]).collect())
    }
}

/// Fails where the run would refuse a command, or where it makes nothing that is in force.
fn check_makes_item(command: &EngineCommand, snapshot: &RunSnapshot) -> Result<(), String> {
    let version = &snapshot.version;
    let check_pass = |name: &str| match snapshot.passes.iter().any(|pass| pass.name == name) {
        true => Ok(()),
        false => Err(format!("there is no pass `{name}`")),
    };
    match command {
        EngineCommand::Constrain(rule, target) => {
            let found = resolve_constraints(version, *rule, target);
            found.map(drop).map_err(|error| error.to_string())
        }
        EngineCommand::Require(query) => {
            let required = QueryRequirement::new(query, version);
            required.map(drop).map_err(|error| error.to_string())
        }
        EngineCommand::Break(BreakCondition::Touched(target) | BreakCondition::Gone(target)) => {
            let found = target.find_nodes(version);
            found.map(drop).map_err(|error| error.to_string())
        }
        EngineCommand::Break(BreakCondition::Pass(name))
        | EngineCommand::Pass(PassVerb::Disable | PassVerb::Earlier | PassVerb::Later, name) => {
            check_pass(name)
        }
        EngineCommand::Order(names) => names.iter().try_for_each(|name| check_pass(name)),
        EngineCommand::Break(_) | EngineCommand::Skip(SkipScope::Candidate) => Ok(()),
        _ => Err("this makes nothing that is in force; the page itself removes an item".into()),
    }
}
