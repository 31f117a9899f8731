//! Commands as the lines that read as them.

use std::fmt;

use super::super::command::{
    BreakCondition, ConstraintGroup, EngineCommand, ManualEdit, PassVerb, StepUnit,
};
use super::super::latin1::encode_latin1;
use super::parse::{PATCH_SIDES, SKIP_SCOPES, STEP_UNITS, UNDO_MODES};

/// The word for a meaning.
fn keyword_for<T: PartialEq + Copy>(words: &[(&'static str, T)], meaning: T) -> &'static str {
    let found = words.iter().find(|(_, known)| *known == meaning);
    found.map_or("", |(word, _)| word)
}

impl fmt::Display for BreakCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BreakCondition::Size(tokens) => write!(f, "size {tokens}"),
            BreakCondition::Pass(name) => write!(f, "pass {name}"),
            BreakCondition::Gone(target) => write!(f, "gone {target}"),
            BreakCondition::Touched(target) => write!(f, "touch {target}"),
            BreakCondition::Time(time) => write!(f, "time {}", time.as_secs_f64()),
            BreakCondition::Invalid => f.write_str("invalid"),
            BreakCondition::TimedOut => f.write_str("timeout"),
        }
    }
}

impl fmt::Display for EngineCommand {
    /// The line that reads as this command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineCommand::Pause => f.write_str("pause"),
            EngineCommand::Resume => f.write_str("resume"),
            EngineCommand::Stop => f.write_str("stop"),
            EngineCommand::Step(StepUnit::Question) => f.write_str("step"),
            EngineCommand::Step(stride) => write!(f, "step {}", keyword_for(STEP_UNITS, *stride)),
            EngineCommand::Until(halt) => write!(f, "until {halt}"),
            EngineCommand::Break(halt) => write!(f, "break {halt}"),
            EngineCommand::Unbreak(None) => f.write_str("unbreak"),
            EngineCommand::Unbreak(Some(halt)) => write!(f, "unbreak {halt}"),
            EngineCommand::Constrain(rule, target) => write!(f, "{} {target}", rule.command_name()),
            EngineCommand::Release(what, target) => {
                f.write_str(match what {
                    ConstraintGroup::Pins => "unpin",
                    ConstraintGroup::Locks => "unlock",
                    ConstraintGroup::Focus => "unfocus",
                    ConstraintGroup::Hints => "unhint",
                    ConstraintGroup::Requirements => "unrequire",
                    ConstraintGroup::Skipped => "unskip",
                })?;
                target
                    .as_ref()
                    .map_or(Ok(()), |target| write!(f, " {target}"))
            }
            EngineCommand::Require(query) => write!(f, "require {query}"),
            EngineCommand::Slice(None) => f.write_str("slice"),
            EngineCommand::Slice(Some(target)) => write!(f, "slice {target}"),
            EngineCommand::Skip(skip) => write!(f, "skip {}", keyword_for(SKIP_SCOPES, *skip)),
            EngineCommand::Pass(verb, name) => {
                let verb = match verb {
                    PassVerb::Disable => "disable",
                    PassVerb::Enable => "enable",
                    PassVerb::Restart => "restart",
                    PassVerb::Earlier => "earlier",
                    PassVerb::Later => "later",
                };
                write!(f, "{verb} {name}")
            }
            EngineCommand::Order(names) => write!(f, "order {}", names.join(", ")),
            EngineCommand::Effort(effort) => write!(f, "effort {}", effort.name()),
            EngineCommand::Strategy(name) => write!(f, "strategy {name}"),
            EngineCommand::Rule { rule, now } => {
                write!(f, "{} {rule}", if *now { "rule" } else { "add-rule" })
            }
            EngineCommand::Try(ManualEdit::Delete(target)) => write!(f, "try delete {target}"),
            EngineCommand::Try(ManualEdit::Replace(place, piece)) => {
                write!(f, "try replace {place} by {piece}")
            }
            EngineCommand::Try(ManualEdit::KeepOnly(target)) => write!(f, "try keep {target}"),
            EngineCommand::Propose(proposal) => write!(f, "propose {proposal}"),
            EngineCommand::Edit { side, text, larger } => {
                let text = serde_json::to_string(&encode_latin1(text)).map_err(|_| fmt::Error)?;
                f.write_str(if *larger { "edit! " } else { "edit " })?;
                if let Some(side) = side {
                    write!(f, "{} ", keyword_for(PATCH_SIDES, *side))?;
                }
                f.write_str(&text)
            }
            EngineCommand::Recheck => f.write_str("recheck"),
            EngineCommand::NewTest(sure) => {
                write!(f, "new-test{}", if *sure { "!" } else { "" })
            }
            EngineCommand::Property(change, sure) => {
                write!(f, "property{} {change}", if *sure { "!" } else { "" })
            }
            EngineCommand::Confirm(quorum) => write!(f, "confirm {quorum}"),
            EngineCommand::Jobs(jobs) => write!(f, "jobs {jobs}"),
            EngineCommand::Timeout(limit) => {
                write!(f, "timeout {}", limit.unwrap_or_default().as_secs_f64())
            }
            EngineCommand::Undo(undo, version) => {
                write!(f, "undo {}", keyword_for(UNDO_MODES, *undo))?;
                version.map_or(Ok(()), |version| write!(f, " {version}"))
            }
            EngineCommand::Redo => f.write_str("redo"),
            EngineCommand::Goto(version) => write!(f, "goto {version}"),
        }
    }
}
