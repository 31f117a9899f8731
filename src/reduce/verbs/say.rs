//! Commands as the lines that read as them.

use std::fmt;

use super::super::command::{Command, Halt, PassVerb, Release, Stride, Try};
use super::read::{SKIPS, STRIDES, UNDOS};

/// The word for a meaning.
fn said<T: PartialEq + Copy>(words: &[(&'static str, T)], meaning: T) -> &'static str {
    let found = words.iter().find(|(_, known)| *known == meaning);
    found.map_or("", |(word, _)| word)
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Size(tokens) => write!(f, "size {tokens}"),
            Halt::Pass(name) => write!(f, "pass {name}"),
            Halt::Gone(target) => write!(f, "gone {target}"),
            Halt::Touched(target) => write!(f, "touch {target}"),
            Halt::Time(time) => write!(f, "time {}", time.as_secs_f64()),
            Halt::Invalid => f.write_str("invalid"),
            Halt::TimedOut => f.write_str("timeout"),
        }
    }
}

impl fmt::Display for Command {
    /// The line that reads as this command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Pause => f.write_str("pause"),
            Command::Resume => f.write_str("resume"),
            Command::Stop => f.write_str("stop"),
            Command::Step(Stride::Question) => f.write_str("step"),
            Command::Step(stride) => write!(f, "step {}", said(STRIDES, *stride)),
            Command::Until(halt) => write!(f, "until {halt}"),
            Command::Break(halt) => write!(f, "break {halt}"),
            Command::Unbreak => f.write_str("unbreak"),
            Command::Constrain(rule, target) => write!(f, "{} {target}", rule.word()),
            Command::Release(what, target) => {
                f.write_str(match what {
                    Release::Pins => "unpin",
                    Release::Locks => "unlock",
                    Release::Focus => "unfocus",
                    Release::Hints => "unhint",
                    Release::Requirements => "unrequire",
                    Release::Skipped => "unskip",
                })?;
                target
                    .as_ref()
                    .map_or(Ok(()), |target| write!(f, " {target}"))
            }
            Command::Require(query) => write!(f, "require {query}"),
            Command::Skip(skip) => write!(f, "skip {}", said(SKIPS, *skip)),
            Command::Pass(verb, name) => {
                let verb = match verb {
                    PassVerb::Disable => "disable",
                    PassVerb::Enable => "enable",
                    PassVerb::Restart => "restart",
                    PassVerb::Earlier => "earlier",
                    PassVerb::Later => "later",
                };
                write!(f, "{verb} {name}")
            }
            Command::Order(names) => write!(f, "order {}", names.join(", ")),
            Command::Try(Try::Delete(target)) => write!(f, "try delete {target}"),
            Command::Try(Try::Replace(place, piece)) => write!(f, "try replace {place} by {piece}"),
            Command::Try(Try::KeepOnly(target)) => write!(f, "try keep {target}"),
            Command::Edit { text, larger } => {
                let text: String = text.iter().map(|byte| char::from(*byte)).collect();
                let text = serde_json::to_string(&text).map_err(|_| fmt::Error)?;
                write!(f, "{} {text}", if *larger { "edit!" } else { "edit" })
            }
            Command::Recheck => f.write_str("recheck"),
            Command::Property(change, sure) => {
                write!(f, "property{} {change}", if *sure { "!" } else { "" })
            }
            Command::Confirm(quorum) => write!(f, "confirm {quorum}"),
            Command::Jobs(jobs) => write!(f, "jobs {jobs}"),
            Command::Timeout(limit) => {
                write!(f, "timeout {}", limit.unwrap_or_default().as_secs_f64())
            }
            Command::Undo(undo) => write!(f, "undo {}", said(UNDOS, *undo)),
            Command::Redo => f.write_str("redo"),
            Command::Goto(version) => write!(f, "goto {version}"),
        }
    }
}
