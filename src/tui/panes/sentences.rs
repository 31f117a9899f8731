//! Candidates and verdicts as panes and pages show them.

use crate::oracle::Verdict;
use crate::program::{EditSentence, TokenChange};
use crate::reduce::VersionRecord;
use crate::tui::drawing::text;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The whole sentence of a candidate: the question and its details, without the number of tokens, which is shown elsewhere.
pub fn question_text(sentence: &EditSentence, glyphs: &ScreenGlyphs) -> String {
    let EditSentence {
        question, detail, ..
    } = sentence;
    show_words(format!("{question} {detail}").trim_end(), glyphs)
}

/// The sentence of a candidate in short, for a row of a list.
pub fn question_summary(sentence: &EditSentence, glyphs: &ScreenGlyphs) -> String {
    show_words(&sentence.short, glyphs)
}

/// Words of a sentence, in the characters that the terminal has.
pub fn show_words(words: &str, glyphs: &ScreenGlyphs) -> String {
    let words = words.replace('→', glyphs.arrow).replace('…', glyphs.cut);
    text::displayable_line(&words, glyphs.braille)
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

/// The files that the edit of a version removed, in short; none if it was about something else.
pub fn removed_files(past: &VersionRecord, glyphs: &ScreenGlyphs) -> Option<String> {
    let asked = past.sentence.question.strip_prefix("Can ")?;
    let mut words = asked.split(' ');
    let is_about = |word: &str| matches!(word, "file" | "files");
    words.nth(1).filter(|word| is_about(word))?;
    Some(question_summary(&past.sentence, glyphs))
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
