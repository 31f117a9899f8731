//! What follows a verb, read.

use std::sync::Arc;
use std::time::Duration;

use super::super::command::{
    BreakCondition, ConstraintGroup, EngineCommand, ManualEdit, PassVerb, SkipScope, StepUnit,
    UndoMode,
};
use super::super::latin1::decode_latin1;
use crate::language::RuleText;
use crate::oracle::PropertyChange;
use crate::pass::{self, EFFORTS};
use crate::program::ConstraintRule;
use crate::program::pair::PatchSide;

pub(super) fn parse_no_arguments(
    rest: &str,
    command: EngineCommand,
) -> Result<EngineCommand, String> {
    match rest {
        "" => Ok(command),
        rest => Err(format!("nothing follows it, but here is `{rest}`")),
    }
}

/// One of a few words.
pub(super) fn parse_keyword<T: Copy>(rest: &str, words: &[(&str, T)]) -> Result<T, String> {
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

pub(super) fn parse_step(rest: &str) -> Result<EngineCommand, String> {
    parse_keyword(rest, STEP_UNITS).map(EngineCommand::Step)
}

pub(super) const STEP_UNITS: &[(&str, StepUnit)] = &[
    ("question", StepUnit::Question),
    ("", StepUnit::Question),
    ("commit", StepUnit::Commit),
    ("node", StepUnit::Node),
    ("pass", StepUnit::Pass),
];

pub(super) fn parse_number<T: std::str::FromStr>(rest: &str) -> Result<T, String> {
    rest.parse()
        .map_err(|_| format!("`{rest}` is no number that can stand here"))
}

pub(super) fn parse_seconds(rest: &str) -> Result<Duration, String> {
    let wrong = || format!("`{rest}` is no number of seconds");
    let seconds: f64 = rest.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

pub(super) fn parse_nonempty(rest: &str, what: &str) -> Result<Arc<str>, String> {
    match rest {
        "" => Err(format!("which {what}?")),
        rest => Ok(rest.into()),
    }
}

pub(super) fn parse_break_condition(rest: &str) -> Result<BreakCondition, String> {
    let (kind, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let rest = rest.trim();
    match kind {
        "size" => parse_number(rest).map(BreakCondition::Size),
        "pass" => parse_nonempty(rest, "pass").map(BreakCondition::Pass),
        "gone" => rest.parse().map(BreakCondition::Gone),
        "touch" => rest.parse().map(BreakCondition::Touched),
        "time" => parse_seconds(rest).map(BreakCondition::Time),
        "invalid" => Ok(BreakCondition::Invalid),
        "timeout" => Ok(BreakCondition::TimedOut),
        other => Err(format!("`{other}` is nothing to stop at")),
    }
}

pub(super) fn parse_property(rest: &str, sure: bool) -> Result<EngineCommand, String> {
    PropertyChange::from_text(rest).map(|change| EngineCommand::Property(change, sure))
}

pub(super) fn parse_constrain(rule: ConstraintRule, rest: &str) -> Result<EngineCommand, String> {
    rest.parse()
        .map(|target| EngineCommand::Constrain(rule, target))
}

pub(super) fn parse_unbreak(rest: &str) -> Result<EngineCommand, String> {
    let condition = match rest {
        "" => None,
        rest => Some(parse_break_condition(rest)?),
    };
    Ok(EngineCommand::Unbreak(condition))
}

pub(super) fn parse_release(what: ConstraintGroup, rest: &str) -> Result<EngineCommand, String> {
    let target = match rest {
        "" | "all" => None,
        rest => Some(rest.parse()?),
    };
    Ok(EngineCommand::Release(what, target))
}

pub(super) fn parse_require(rest: &str) -> Result<EngineCommand, String> {
    parse_nonempty(rest, "query").map(EngineCommand::Require)
}

pub(super) fn parse_slice(rest: &str) -> Result<EngineCommand, String> {
    let target = (!rest.is_empty()).then(|| rest.parse()).transpose()?;
    Ok(EngineCommand::Slice(target))
}

pub(super) const SKIP_SCOPES: &[(&str, SkipScope)] = &[
    ("candidate", SkipScope::Candidate),
    ("", SkipScope::Candidate),
    ("node", SkipScope::Node),
    ("pass", SkipScope::Pass),
];

pub(super) fn parse_skip(rest: &str) -> Result<EngineCommand, String> {
    parse_keyword(rest, SKIP_SCOPES).map(EngineCommand::Skip)
}

pub(super) fn parse_pass_command(verb: PassVerb, rest: &str) -> Result<EngineCommand, String> {
    parse_nonempty(rest, "pass").map(|name| EngineCommand::Pass(verb, name))
}

pub(super) fn parse_order(rest: &str) -> Result<EngineCommand, String> {
    let names = rest
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let names: Vec<Arc<str>> = names.map(Arc::from).collect();
    match names.is_empty() {
        true => Err("which passes?".into()),
        false => Ok(EngineCommand::Order(names)),
    }
}

pub(super) fn parse_rule(rest: &str, now: bool) -> Result<EngineCommand, String> {
    RuleText::from_line(rest).map(|rule| EngineCommand::Rule { rule, now })
}

pub(super) fn parse_try(rest: &str) -> Result<EngineCommand, String> {
    let (kind, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Ok(EngineCommand::Try(match kind {
        "delete" => ManualEdit::Delete(rest.parse()?),
        "keep" => ManualEdit::KeepOnly(rest.parse()?),
        "replace" => {
            let (place, piece) = rest.split_once(" by ").ok_or("replace PLACE by PLACE")?;
            ManualEdit::Replace(place.parse()?, piece.parse()?)
        }
        other => return Err(format!("`{other}` is no edit")),
    }))
}

/// The programs of a pair.
pub(super) const PATCH_SIDES: &[(&str, PatchSide)] =
    &[("seed", PatchSide::Seed), ("variant", PatchSide::Variant)];

/// The program of a pair that an edit names before its text, and what follows.
pub(super) fn split_patch_side(rest: &str) -> (Option<PatchSide>, &str) {
    let words = rest.split_once(char::is_whitespace);
    let named = words.and_then(|(word, text)| {
        let (_, side) = PATCH_SIDES.iter().find(|(known, _)| *known == word)?;
        Some((*side, text.trim_start()))
    });
    match named {
        Some((side, text)) => (Some(side), text),
        None => (None, rest),
    }
}

/// The text of an edit is read where it is typed, or stands in quotes as the journal writes it.
pub(super) fn parse_edit(rest: &str, larger: bool) -> Result<EngineCommand, String> {
    let (side, rest) = split_patch_side(rest);
    let text = match rest.starts_with('"') {
        true => {
            let bytes: String =
                serde_json::from_str(rest).map_err(|_| "the text in quotes is torn")?;
            decode_latin1(&bytes).ok_or("the text in quotes is torn")?
        }
        false => std::fs::read(&*parse_nonempty(rest, "file")?).map_err(|error| {
            format!("{rest} cannot be read: {error}; name the file that holds the text")
        })?,
    };
    Ok(EngineCommand::Edit {
        side,
        text: text.into(),
        larger,
    })
}

pub(super) fn parse_proposal(rest: &str) -> Result<EngineCommand, String> {
    rest.parse().map(EngineCommand::Propose)
}

pub(super) fn parse_jobs(rest: &str) -> Result<EngineCommand, String> {
    match parse_number::<u16>(rest)? {
        0 => Err("at least one".into()),
        jobs => Ok(EngineCommand::Jobs(jobs.into())),
    }
}

pub(super) fn parse_effort(rest: &str) -> Result<EngineCommand, String> {
    let efforts: Vec<_> = EFFORTS
        .iter()
        .map(|(name, effort, _)| (*name, *effort))
        .collect();
    parse_keyword(rest, &efforts).map(EngineCommand::Effort)
}

pub(super) fn parse_strategy_name(rest: &str) -> Result<EngineCommand, String> {
    let name = parse_nonempty(rest, "strategy")?;
    pass::parse_strategy(&name).map(|_| EngineCommand::Strategy(name))
}

pub(super) fn parse_timeout(rest: &str) -> Result<EngineCommand, String> {
    let limit = parse_seconds(rest)?;
    Ok(EngineCommand::Timeout((!limit.is_zero()).then_some(limit)))
}

pub(super) const UNDO_MODES: &[(&str, UndoMode)] = &[
    ("keep", UndoMode::Keep),
    ("", UndoMode::Keep),
    ("ban", UndoMode::Ban),
    ("fails", UndoMode::Fails),
    ("disable", UndoMode::Disable),
    ("stop", UndoMode::Stop),
];

pub(super) fn parse_undo(rest: &str) -> Result<EngineCommand, String> {
    let (mode, version) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let mode = parse_keyword(mode, UNDO_MODES)?;
    let version = match version.trim() {
        "" => None,
        version => Some(parse_version(version)?),
    };
    Ok(EngineCommand::Undo(mode, version))
}

pub(super) fn parse_goto(rest: &str) -> Result<EngineCommand, String> {
    parse_version(rest).map(EngineCommand::Goto)
}

fn parse_version(rest: &str) -> Result<u64, String> {
    parse_number(rest.strip_prefix('v').unwrap_or(rest))
}
