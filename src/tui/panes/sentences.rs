//! Candidates and verdicts as panes and pages show them.

use crate::oracle::Verdict;
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
