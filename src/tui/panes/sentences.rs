//! Candidates and verdicts as panes and pages show them.

use crate::oracle::Verdict;
use crate::program::TokenChange;
use crate::reduce::VersionRecord;
use crate::tui::drawing::text;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The sentence of a candidate, without the number of tokens that it removes or adds, which is shown elsewhere.
pub fn question_text(sentence: &str, glyphs: &ScreenGlyphs) -> String {
    let bare = sentence
        .rsplit_once(" (")
        .filter(|(_, rest)| rest.ends_with(" fewer)") || rest.ends_with(" more)"))
        .map_or(sentence, |(question, _)| question);
    text::displayable_line(bare, glyphs.braille)
}

/// The sentence of a candidate in short: without the context of the edit, and without what holds for all candidates.
pub fn question_summary(sentence: &str, glyphs: &ScreenGlyphs) -> String {
    const GO: &str = "` go?";
    let mut summary = question_text(sentence, glyphs);
    if let Some(files) = summarize_files(&summary, glyphs.cut) {
        return files;
    }
    if let Some(at) = summary.find(GO) {
        summary.truncate(at + GO.len());
    } else if let Some(rest) = summary.strip_suffix(", which the grammar allows here") {
        summary.truncate(rest.len());
    }
    summary
}

/// What a candidate asks, and why it may be asked or what stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitQuestion {
    /// What is asked.
    pub question: String,
    /// The reason, or what stays; empty if the sentence says neither.
    pub detail: String,
}

/// Splits the sentence of a candidate behind what it asks. Marks inside of quotes end nothing.
pub fn split_question(sentence: &str, glyphs: &ScreenGlyphs) -> SplitQuestion {
    let sentence = question_text(sentence, glyphs);
    let is_outside = |at: &usize| sentence[..*at].matches('`').count().is_multiple_of(2);
    let find = |mark: &str| {
        let mut places = sentence.match_indices(mark).map(|(at, _)| at);
        places.find(is_outside)
    };
    let ends = [("? ", 1, 2), (", which ", 0, 2), ("; ", 0, 2)];
    let found = ends
        .into_iter()
        .find_map(|(mark, kept, skipped)| Some((find(mark)?, kept, skipped)));
    let (question, detail) = match found {
        Some((at, kept, skipped)) => (&sentence[..at + kept], &sentence[at + skipped..]),
        None => (sentence.as_str(), ""),
    };
    SplitQuestion {
        question: capitalize(question),
        detail: detail.to_owned(),
    }
}

/// A sentence with a capital at its beginning, if that is a word of ours and no name.
fn capitalize(sentence: &str) -> String {
    const FIRST_WORDS: [&str; 3] = ["can ", "does ", "in "];
    let is_ours = FIRST_WORDS.iter().any(|word| sentence.starts_with(word));
    match sentence.get(..1).filter(|_| is_ours) {
        Some(first) => first.to_uppercase() + &sentence[1..],
        None => sentence.to_owned(),
    }
}

/// What a candidate does to the number of tokens: `−366 tokens`; empty if it changes nothing.
pub fn format_change(change: TokenChange, glyphs: &ScreenGlyphs) -> String {
    match format_short_change(change, glyphs) {
        short if short.is_empty() => short,
        short => match change.0.unsigned_abs() {
            1 => format!("{short} token"),
            _ => format!("{short} tokens"),
        },
    }
}

/// The same without the unit: `−366`.
pub fn format_short_change(change: TokenChange, glyphs: &ScreenGlyphs) -> String {
    let sign = match change.0 {
        0 => return String::new(),
        1.. => "+",
        _ => glyphs.minus,
    };
    let tokens = text::format_number(change.0.unsigned_abs());
    format!("{sign}{tokens}")
}

/// The files that a sentence asks about, in short: `3 files: b.h, c.c, …`. None if it is about something else.
fn summarize_files(question: &str, cut: &str) -> Option<String> {
    let of = |begins: &str, ends: &str| question.strip_prefix(begins)?.strip_suffix(ends);
    if let Some(file) = of("can the file ", " go?") {
        return Some(format!("1 file: {file}"));
    }
    if let Some((one, other)) =
        of("can the files ", " go?").and_then(|names| names.split_once(" and "))
    {
        return Some(format!("2 files: {one}, {other}"));
    }
    let (count, names) = of("can ", ", and others?")?.split_once(" files go: ")?;
    Some(format!("{count} files: {names}, {cut}"))
}

/// The files that the edit of a version removed, in short; none if it was about something else.
pub fn removed_files(past: &VersionRecord, glyphs: &ScreenGlyphs) -> Option<String> {
    summarize_files(&question_text(&past.sentence, glyphs), glyphs.cut)
}

/// The mark and the role of a verdict.
pub fn verdict_mark(ending: Verdict, glyphs: &ScreenGlyphs) -> (&'static str, Role) {
    match ending {
        Verdict::Interesting => (glyphs.interesting, Role::Interesting),
        Verdict::Uninteresting => (glyphs.uninteresting, Role::Uninteresting),
        Verdict::Invalid => (glyphs.invalid, Role::Invalid),
        Verdict::TimedOut => (glyphs.timed_out, Role::TimedOut),
    }
}
