//! The words of commands: one table, from which scripts, the prompt of the screen, the journal and the help are made.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::command::{Command, Halt, PassVerb, Release, Skip, Stride, Try, Undo};
use crate::program::Rule;

/// A verb: its name, what follows it, what it does.
#[derive(Debug)]
pub struct Verb {
    /// Its name.
    pub name: &'static str,
    /// What follows it, for help: `PLACE`, `[N]`; empty for nothing.
    pub arguments: &'static str,
    /// One line on what it does.
    pub what: &'static str,
    read: fn(&str) -> Result<Command, String>,
}

/// What a `PLACE` may be, for help.
pub const PLACES: &str = "a line (12), lines (12-20), a place (12:5), a declared name (main), a tree-sitter query ((if_statement) @keep), or a node (#7)";

/// All verbs.
pub static VERBS: &[Verb] = &[
    Verb {
        name: "pause",
        arguments: "",
        what: "ask nothing more until told to",
        read: |rest| none(rest, Command::Pause),
    },
    Verb {
        name: "resume",
        arguments: "",
        what: "go on",
        read: |rest| none(rest, Command::Resume),
    },
    Verb {
        name: "stop",
        arguments: "",
        what: "end the run; the best version stands",
        read: |rest| none(rest, Command::Stop),
    },
    Verb {
        name: "step",
        arguments: "[question|commit|node|pass]",
        what: "go on to the next question or version, or to the end of this node or pass",
        read: step,
    },
    Verb {
        name: "until",
        arguments: "size N | pass NAME | gone PLACE | time SECONDS",
        what: "go on until this holds, then pause",
        read: |rest| halt(rest).map(Command::Until),
    },
    Verb {
        name: "break",
        arguments: "touch PLACE | invalid | timeout | pass NAME | gone PLACE | size N",
        what: "pause whenever this happens",
        read: |rest| halt(rest).map(Command::Break),
    },
    Verb {
        name: "unbreak",
        arguments: "",
        what: "forget all breakpoints",
        read: |rest| none(rest, Command::Unbreak),
    },
    Verb {
        name: "pin",
        arguments: "PLACE",
        what: "every token of it stays",
        read: |rest| constrain(Rule::Keep, rest),
    },
    Verb {
        name: "pin-head",
        arguments: "PLACE",
        what: "it stays, by its name and kind; what is inside may go",
        read: |rest| constrain(Rule::Head, rest),
    },
    Verb {
        name: "freeze",
        arguments: "PLACE",
        what: "it stays as it is, comments and white space too",
        read: |rest| constrain(Rule::Freeze, rest),
    },
    Verb {
        name: "unpin",
        arguments: "[PLACE]",
        what: "pins go: those on this place, or all",
        read: |rest| release(Release::Pins, rest),
    },
    Verb {
        name: "require",
        arguments: "QUERY",
        what: "at least one match of a tree-sitter query remains",
        read: require,
    },
    Verb {
        name: "unrequire",
        arguments: "",
        what: "no query needs a match any more",
        read: |rest| release(Release::Requirements, rest),
    },
    Verb {
        name: "lock",
        arguments: "PLACE",
        what: "nothing inside is tried; it may go as a whole",
        read: |rest| constrain(Rule::Lock, rest),
    },
    Verb {
        name: "unlock",
        arguments: "[PLACE]",
        what: "locks go",
        read: |rest| release(Release::Locks, rest),
    },
    Verb {
        name: "focus",
        arguments: "PLACE",
        what: "only what is inside is tried",
        read: |rest| constrain(Rule::Focus, rest),
    },
    Verb {
        name: "unfocus",
        arguments: "[PLACE]",
        what: "everything is tried again",
        read: |rest| release(Release::Focus, rest),
    },
    Verb {
        name: "doubt",
        arguments: "PLACE",
        what: "it is probably of no importance: try it first",
        read: |rest| constrain(Rule::Doubt, rest),
    },
    Verb {
        name: "suspect",
        arguments: "PLACE",
        what: "it is probably the culprit: try all else first",
        read: |rest| constrain(Rule::Suspect, rest),
    },
    Verb {
        name: "unhint",
        arguments: "[PLACE]",
        what: "nothing is doubted or suspected any more",
        read: |rest| release(Release::Hints, rest),
    },
    Verb {
        name: "skip",
        arguments: "[candidate|node|pass]",
        what: "leave this question, this node or this pass alone",
        read: skip,
    },
    Verb {
        name: "unskip",
        arguments: "",
        what: "what was skipped may be asked again",
        read: |rest| release(Release::Skipped, rest),
    },
    Verb {
        name: "disable",
        arguments: "PASS",
        what: "a pass does not run",
        read: |rest| pass(PassVerb::Disable, rest),
    },
    Verb {
        name: "enable",
        arguments: "PASS",
        what: "a pass runs when its turn comes; now, if that has passed",
        read: |rest| pass(PassVerb::Enable, rest),
    },
    Verb {
        name: "restart",
        arguments: "PASS",
        what: "a pass begins anew, now",
        read: |rest| pass(PassVerb::Restart, rest),
    },
    Verb {
        name: "earlier",
        arguments: "PASS",
        what: "a pass runs before the one above it",
        read: |rest| pass(PassVerb::Earlier, rest),
    },
    Verb {
        name: "later",
        arguments: "PASS",
        what: "a pass runs after the one below it",
        read: |rest| pass(PassVerb::Later, rest),
    },
    Verb {
        name: "order",
        arguments: "PASS, PASS, …",
        what: "the passes run in this order from here on",
        read: order,
    },
    Verb {
        name: "try",
        arguments: "delete PLACE | replace PLACE by PLACE | keep PLACE",
        what: "ask about this very edit now",
        read: attempt,
    },
    Verb {
        name: "edit",
        arguments: "FILE",
        what: "ask about the program as it stands in a file, now",
        read: |rest| edit(rest, false),
    },
    Verb {
        name: "edit!",
        arguments: "FILE",
        what: "the same, even if it is larger: an excursion, which counts only if it ends smaller",
        read: |rest| edit(rest, true),
    },
    Verb {
        name: "jobs",
        arguments: "N",
        what: "so many tests run at a time",
        read: jobs,
    },
    Verb {
        name: "timeout",
        arguments: "SECONDS",
        what: "so long may a test take; 0 for no limit",
        read: timeout,
    },
    Verb {
        name: "undo",
        arguments: "[keep|ban|disable|stop]",
        what: "back by one version; then keep what it took (keep), never that edit (ban), not that pass (disable), or pause (stop)",
        read: undo,
    },
    Verb {
        name: "redo",
        arguments: "",
        what: "forward to what was undone",
        read: |rest| none(rest, Command::Redo),
    },
    Verb {
        name: "goto",
        arguments: "VERSION",
        what: "another version is the present, and the run goes on from it",
        read: goto,
    },
];

impl Command {
    /// The command of a line.
    ///
    /// # Errors
    /// A sentence that says what is wrong, and what would be right.
    pub fn read(line: &str) -> Result<Command, String> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match VERBS.iter().find(|verb| verb.name == name) {
            Some(verb) => (verb.read)(rest.trim()).map_err(|problem| match verb.arguments {
                "" => format!("{name}: {problem}"),
                arguments => format!("{name} {arguments}: {problem}"),
            }),
            None => {
                let near = crate::language::near(name, VERBS.iter().map(|verb| verb.name));
                Err(match near.is_empty() {
                    true => format!("there is no command `{name}`"),
                    false => format!("there is no command `{name}`; near it: {}", near.join(", ")),
                })
            }
        }
    }
}

fn none(rest: &str, command: Command) -> Result<Command, String> {
    match rest {
        "" => Ok(command),
        rest => Err(format!("nothing follows it, but here is `{rest}`")),
    }
}

/// One of a few words.
fn word<T: Copy>(rest: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| *word == rest);
    let all = || {
        words
            .iter()
            .map(|(word, _)| *word)
            .filter(|word| !word.is_empty())
    };
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let all: Vec<_> = all().collect();
        format!("`{rest}` is none of {}", all.join(", "))
    })
}

fn step(rest: &str) -> Result<Command, String> {
    word(rest, STRIDES).map(Command::Step)
}

const STRIDES: &[(&str, Stride)] = &[
    ("question", Stride::Question),
    ("", Stride::Question),
    ("commit", Stride::Commit),
    ("node", Stride::Node),
    ("pass", Stride::Pass),
];

fn number<T: std::str::FromStr>(rest: &str) -> Result<T, String> {
    rest.parse()
        .map_err(|_| format!("`{rest}` is no such number"))
}

fn seconds(rest: &str) -> Result<Duration, String> {
    let wrong = || format!("`{rest}` is no number of seconds");
    let seconds: f64 = rest.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

fn some(rest: &str, what: &str) -> Result<Arc<str>, String> {
    match rest {
        "" => Err(format!("which {what}?")),
        rest => Ok(rest.into()),
    }
}

fn halt(rest: &str) -> Result<Halt, String> {
    let (kind, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let rest = rest.trim();
    match kind {
        "size" => number(rest).map(Halt::Size),
        "pass" => some(rest, "pass").map(Halt::Pass),
        "gone" => rest.parse().map(Halt::Gone),
        "touch" => rest.parse().map(Halt::Touched),
        "time" => seconds(rest).map(Halt::Time),
        "invalid" => Ok(Halt::Invalid),
        "timeout" => Ok(Halt::TimedOut),
        other => Err(format!("`{other}` is nothing to stop at")),
    }
}

fn constrain(rule: Rule, rest: &str) -> Result<Command, String> {
    rest.parse().map(|target| Command::Constrain(rule, target))
}

fn release(what: Release, rest: &str) -> Result<Command, String> {
    let target = match rest {
        "" | "all" => None,
        rest => Some(rest.parse()?),
    };
    Ok(Command::Release(what, target))
}

fn require(rest: &str) -> Result<Command, String> {
    some(rest, "query").map(Command::Require)
}

const SKIPS: &[(&str, Skip)] = &[
    ("candidate", Skip::Candidate),
    ("", Skip::Candidate),
    ("node", Skip::Node),
    ("pass", Skip::Pass),
];

fn skip(rest: &str) -> Result<Command, String> {
    word(rest, SKIPS).map(Command::Skip)
}

fn pass(verb: PassVerb, rest: &str) -> Result<Command, String> {
    some(rest, "pass").map(|name| Command::Pass(verb, name))
}

fn order(rest: &str) -> Result<Command, String> {
    let names = rest
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let names: Vec<Arc<str>> = names.map(Arc::from).collect();
    match names.is_empty() {
        true => Err("which passes?".into()),
        false => Ok(Command::Order(names)),
    }
}

fn attempt(rest: &str) -> Result<Command, String> {
    let (kind, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Ok(Command::Try(match kind {
        "delete" => Try::Delete(rest.parse()?),
        "keep" => Try::KeepOnly(rest.parse()?),
        "replace" => {
            let (place, piece) = rest.split_once(" by ").ok_or("replace PLACE by PLACE")?;
            Try::Replace(place.parse()?, piece.parse()?)
        }
        other => return Err(format!("`{other}` is no edit")),
    }))
}

/// The text of an edit is read where it is typed, or stands in quotes as the journal writes it.
fn edit(rest: &str, larger: bool) -> Result<Command, String> {
    let text = match rest.starts_with('"') {
        true => {
            let bytes: String =
                serde_json::from_str(rest).map_err(|_| "the text in quotes is torn")?;
            latin(&bytes).ok_or("the text in quotes is torn")?
        }
        false => {
            std::fs::read(&*some(rest, "file")?).map_err(|error| format!("{rest}: {error}"))?
        }
    };
    Ok(Command::Edit {
        text: text.into(),
        larger,
    })
}

/// Bytes as characters of the same number, so that any text fits a line of JSON.
fn latin(text: &str) -> Option<Vec<u8>> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).ok())
        .collect()
}

fn jobs(rest: &str) -> Result<Command, String> {
    match number(rest)? {
        0 => Err("at least one".into()),
        jobs => Ok(Command::Jobs(jobs)),
    }
}

fn timeout(rest: &str) -> Result<Command, String> {
    let limit = seconds(rest)?;
    Ok(Command::Timeout((!limit.is_zero()).then_some(limit)))
}

const UNDOS: &[(&str, Undo)] = &[
    ("keep", Undo::Keep),
    ("", Undo::Keep),
    ("ban", Undo::Ban),
    ("disable", Undo::Disable),
    ("stop", Undo::Stop),
];

fn undo(rest: &str) -> Result<Command, String> {
    word(rest, UNDOS).map(Command::Undo)
}

fn goto(rest: &str) -> Result<Command, String> {
    number(rest.strip_prefix('v').unwrap_or(rest)).map(Command::Goto)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_reads_what_it_writes() {
        for line in [
            "pause",
            "resume",
            "stop",
            "step",
            "step commit",
            "step node",
            "step pass",
            "until size 100",
            "until pass top level",
            "until gone main",
            "until time 2.5",
            "break touch 12-20",
            "break invalid",
            "break timeout",
            "unbreak",
            "pin main",
            "pin (call_expression) @keep",
            "pin-head #7",
            "freeze 3:5",
            "unpin",
            "unpin main",
            "require (call_expression)",
            "unrequire",
            "lock 12",
            "unlock",
            "focus f",
            "unfocus",
            "doubt g",
            "suspect h",
            "unhint h",
            "skip candidate",
            "skip node",
            "skip pass",
            "unskip",
            "disable top level",
            "enable gc",
            "restart top level",
            "earlier x",
            "later x",
            "order a, b c",
            "try delete #9",
            "try replace #9 by #8",
            "try keep 4",
            "edit \"int x;\\n\u{e9}\"",
            "edit! \"\"",
            "jobs 4",
            "timeout 0",
            "timeout 1.5",
            "undo keep",
            "undo ban",
            "undo disable",
            "undo stop",
            "redo",
            "goto 12",
        ] {
            let command = Command::read(line).unwrap_or_else(|problem| panic!("{line}: {problem}"));
            assert_eq!(command.to_string(), line);
        }
    }

    #[test]
    fn a_bad_line_is_told_what_would_be_right() {
        for (line, said) in [
            ("piin main", "there is no command `piin`; near it: pin"),
            ("pin", "pin PLACE: what? a line"),
            ("pin 0", "`0` is no place"),
            ("pause now", "pause: nothing follows it"),
            ("step far", "`far` is none of question, commit, node, pass"),
            ("jobs 0", "jobs N: at least one"),
            ("undo it", "`it` is none of keep, ban, disable, stop"),
            ("try burn 3", "`burn` is no edit"),
            ("edit /no/such/file", "/no/such/file: "),
            ("until moon", "`moon` is nothing to stop at"),
        ] {
            let problem = Command::read(line).expect_err(line);
            assert!(problem.contains(said), "{line}: {problem}");
        }
    }
}
