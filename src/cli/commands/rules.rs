//! `lop rules`: the rules with holes of a language, and what they gained in the last runs.

use std::collections::BTreeMap;

use super::grammar::unknown_language;
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::session_lookup::all_sessions;
use crate::display::{EscapeHidden, format_count, sanitize_line};
use crate::language::{self, Language, RuleText};
use crate::pass;
use crate::plain::ConsoleWriter;
use crate::program::{EditSentence, RULE_PREFIX};
use crate::session::history::SessionHistory;

/// How many sessions are looked at, the newest first.
const MAX_SESSIONS: usize = 50;

/// What a rule gained.
#[derive(Clone, Copy, Debug, Default)]
struct RuleGain {
    accepts: u64,
    tokens: u64,
}

/// `lop rules [LANGUAGE]`; the exit status.
pub fn print_rules(name: Option<&str>) -> Result<u8, CommandFailure> {
    let languages: Vec<&'static Language> = match name {
        Some(name) => {
            let known = language::by_name(name);
            vec![known.ok_or_else(|| CommandFailure::new(USAGE, unknown_language(name)))?]
        }
        None => {
            let all = language::all_languages().iter();
            all.filter(|language| !language.rule_texts().is_empty())
                .collect()
        }
    };
    let mut page = String::new();
    for language in languages {
        let (sessions, gains) = collect_gains(language);
        page += &describe_rules(language, sessions, &gains);
    }
    ConsoleWriter::stdout().write_page(&page);
    Ok(0)
}

/// The newest sessions about programs of a language: how many there are, and what each rule gained in them.
fn collect_gains(language: &'static Language) -> (u64, BTreeMap<String, RuleGain>) {
    let (mut sessions, mut gains) = (0, BTreeMap::<String, RuleGain>::new());
    for place in all_sessions().into_iter().take(MAX_SESSIONS) {
        let Ok(history) = SessionHistory::read_from(&place.journal_path()) else {
            continue;
        };
        let mut files = history.header.files.iter();
        if !files.any(|file| file.language.as_deref() == Some(language.name)) {
            continue;
        }
        sessions += 1;
        for version in history.versions.all_versions() {
            let Some(rule) = named_rule(&version.pass, &version.why) else {
                continue;
            };
            let parent = version
                .parent
                .and_then(|parent| history.versions.get(parent));
            let saved = parent.and_then(|parent| parent.tokens?.checked_sub(version.tokens?));
            let gain = gains.entry(rule).or_default();
            gain.accepts += 1;
            gain.tokens += u64::from(saved.unwrap_or(0));
        }
    }
    (sessions, gains)
}

/// The rule that a sentence about an accepted version names. In the journals of earlier versions the sentence begins with it.
fn named_rule(pass: &str, why: &str) -> Option<String> {
    let sentence = EditSentence::from_line(why);
    let places = [&sentence.detail, &sentence.question];
    let named = places.into_iter().find_map(|words| {
        let named = words.strip_prefix(RULE_PREFIX)?.strip_prefix('`')?;
        Some(named.split_once('`')?.0.to_owned())
    });
    named.filter(|_| pass == pass::RULES.name)
}

fn describe_rules(
    language: &Language,
    sessions: u64,
    gains: &BTreeMap<String, RuleGain>,
) -> String {
    let rules = language.rule_texts();
    let about = match sessions {
        0 => "no session to say what they gained".to_string(),
        _ => format!(
            "what they gained in the last {}",
            format_count(sessions, "session")
        ),
    };
    let mut page = format!(
        "{}: {}; {about}\n",
        language.name,
        format_count(rules.len() as u64, "rule")
    );
    let row = |name: &str, rule: Option<&RuleText>| {
        let gain = gains.get(name).map_or(String::new(), |gain| {
            let times = format_count(gain.accepts, "time");
            format!("{times}, {}", format_count(gain.tokens, "token"))
        });
        let form = rule.map_or_else(|| "of a run".to_string(), describe_form);
        let row = format!("  {:32} {gain:22} {form}", name.escape_hidden().to_string());
        format!("{}\n", sanitize_line(row.trim_end()))
    };
    rules
        .iter()
        .for_each(|rule| page += &row(&rule.name, Some(rule)));
    let others = gains
        .keys()
        .filter(|name| rules.iter().all(|rule| rule.name != **name));
    others.for_each(|name| page += &row(name, None));
    page
}

/// Both sides of a rule, and its conditions.
fn describe_form(rule: &RuleText) -> String {
    let side = |to: &str| match to.trim() {
        "" => "nothing".to_string(),
        to => to.to_string(),
    };
    let parts = rule.parts.iter();
    let parts: String = parts
        .map(|part| format!(", {}  ->  {}", part.from, side(&part.to)))
        .collect();
    let to = side(&rule.to);
    let conditions = match &rule.conditions[..] {
        [] => String::new(),
        conditions => format!(" where {}", conditions.join(", ")),
    };
    format!("{}  ->  {to}{parts}{conditions}", rule.from)
}
