//! What follows a verb, read.

use std::sync::Arc;
use std::time::Duration;

use super::super::command::{Command, Halt, PassVerb, Release, Skip, Stride, Try, Undo};
use crate::oracle::Change;
use crate::program::Rule;

pub(super) fn none(rest: &str, command: Command) -> Result<Command, String> {
    match rest {
        "" => Ok(command),
        rest => Err(format!("nothing follows it, but here is `{rest}`")),
    }
}

/// One of a few words.
pub(super) fn word<T: Copy>(rest: &str, words: &[(&str, T)]) -> Result<T, String> {
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

pub(super) fn step(rest: &str) -> Result<Command, String> {
    word(rest, STRIDES).map(Command::Step)
}

pub(super) const STRIDES: &[(&str, Stride)] = &[
    ("question", Stride::Question),
    ("", Stride::Question),
    ("commit", Stride::Commit),
    ("node", Stride::Node),
    ("pass", Stride::Pass),
];

pub(super) fn number<T: std::str::FromStr>(rest: &str) -> Result<T, String> {
    rest.parse()
        .map_err(|_| format!("`{rest}` is no number that can stand here"))
}

pub(super) fn seconds(rest: &str) -> Result<Duration, String> {
    let wrong = || format!("`{rest}` is no number of seconds");
    let seconds: f64 = rest.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

pub(super) fn some(rest: &str, what: &str) -> Result<Arc<str>, String> {
    match rest {
        "" => Err(format!("which {what}?")),
        rest => Ok(rest.into()),
    }
}

pub(super) fn halt(rest: &str) -> Result<Halt, String> {
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

pub(super) fn property(rest: &str, sure: bool) -> Result<Command, String> {
    Change::read(rest).map(|change| Command::Property(change, sure))
}

pub(super) fn constrain(rule: Rule, rest: &str) -> Result<Command, String> {
    rest.parse().map(|target| Command::Constrain(rule, target))
}

pub(super) fn release(what: Release, rest: &str) -> Result<Command, String> {
    let target = match rest {
        "" | "all" => None,
        rest => Some(rest.parse()?),
    };
    Ok(Command::Release(what, target))
}

pub(super) fn require(rest: &str) -> Result<Command, String> {
    some(rest, "query").map(Command::Require)
}

pub(super) const SKIPS: &[(&str, Skip)] = &[
    ("candidate", Skip::Candidate),
    ("", Skip::Candidate),
    ("node", Skip::Node),
    ("pass", Skip::Pass),
];

pub(super) fn skip(rest: &str) -> Result<Command, String> {
    word(rest, SKIPS).map(Command::Skip)
}

pub(super) fn pass(verb: PassVerb, rest: &str) -> Result<Command, String> {
    some(rest, "pass").map(|name| Command::Pass(verb, name))
}

pub(super) fn order(rest: &str) -> Result<Command, String> {
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

pub(super) fn attempt(rest: &str) -> Result<Command, String> {
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
pub(super) fn edit(rest: &str, larger: bool) -> Result<Command, String> {
    let text = match rest.starts_with('"') {
        true => {
            let bytes: String =
                serde_json::from_str(rest).map_err(|_| "the text in quotes is torn")?;
            latin(&bytes).ok_or("the text in quotes is torn")?
        }
        false => std::fs::read(&*some(rest, "file")?).map_err(|error| {
            format!("{rest} cannot be read: {error}; name the file that holds the text")
        })?,
    };
    Ok(Command::Edit {
        text: text.into(),
        larger,
    })
}

/// Bytes as characters of the same number, so that any text fits a line of JSON.
pub(super) fn latin(text: &str) -> Option<Vec<u8>> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).ok())
        .collect()
}

pub(super) fn jobs(rest: &str) -> Result<Command, String> {
    match number::<u16>(rest)? {
        0 => Err("at least one".into()),
        jobs => Ok(Command::Jobs(jobs.into())),
    }
}

pub(super) fn timeout(rest: &str) -> Result<Command, String> {
    let limit = seconds(rest)?;
    Ok(Command::Timeout((!limit.is_zero()).then_some(limit)))
}

pub(super) const UNDOS: &[(&str, Undo)] = &[
    ("keep", Undo::Keep),
    ("", Undo::Keep),
    ("ban", Undo::Ban),
    ("fails", Undo::Fails),
    ("disable", Undo::Disable),
    ("stop", Undo::Stop),
];

pub(super) fn undo(rest: &str) -> Result<Command, String> {
    word(rest, UNDOS).map(Command::Undo)
}

pub(super) fn goto(rest: &str) -> Result<Command, String> {
    number(rest.strip_prefix('v').unwrap_or(rest)).map(Command::Goto)
}
