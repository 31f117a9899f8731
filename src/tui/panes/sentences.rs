//! Candidates and verdicts as panes and pages show them.

use crate::oracle::Verdict;
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
    if let Some(at) = summary.find(GO) {
        summary.truncate(at + GO.len());
    } else if let Some(rest) = summary.strip_suffix(", which the grammar allows here") {
        summary.truncate(rest.len());
    }
    summary
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
