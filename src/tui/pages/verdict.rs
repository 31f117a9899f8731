//! One verdict with all that is known about it: the candidate, how it was decided, and what the test printed.

use std::sync::Arc;

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, draw_text_page, line_width, wrap_paragraphs};
use crate::oracle::Verdict;
use crate::reduce::DecisionDetails;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::panes::sentences::{question_text, verdict_mark};
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The page of a verdict. Its lines are wrapped once for each width, because a test may print much.
#[derive(Debug)]
pub struct VerdictPage {
    decided: Arc<DecisionDetails>,
    width: usize,
    lines: Vec<(String, Role)>,
    scroll: PageScroll,
}

impl VerdictPage {
    /// The page of this verdict.
    pub fn new(decided: Arc<DecisionDetails>) -> VerdictPage {
        VerdictPage {
            decided,
            width: 0,
            lines: Vec::new(),
            scroll: PageScroll::default(),
        }
    }

    fn wrap_to_width(&mut self, width: usize, glyphs: &ScreenGlyphs) {
        if self.width != width || self.lines.is_empty() {
            self.width = width;
            self.lines = wrap_paragraphs(&verdict_lines(&self.decided, glyphs), width, glyphs.cut);
        }
    }
}

impl OverlayPage for VerdictPage {
    fn kind(&self) -> PageKind {
        PageKind::Verdict
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let glyphs = canvas.theme.glyphs;
        let right = context
            .view
            .setup
            .keys
            .describe_keys(&[("close", "closes")]);
        self.wrap_to_width(line_width(canvas.width()), &glyphs);
        let title = format!("Candidate {}", text::format_number(self.decided.decision));
        draw_text_page(canvas, &title, &right, &self.lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

/// All that is known about a verdict, line by line.
pub fn verdict_lines(decided: &DecisionDetails, glyphs: &ScreenGlyphs) -> Vec<(String, Role)> {
    let (mark, role) = verdict_mark(decided.verdict, glyphs);
    let outcome = match decided.verdict {
        Verdict::Interesting => "interesting: the candidate was accepted",
        Verdict::Uninteresting => "uninteresting: the candidate was rejected",
        Verdict::Invalid => "invalid: the test exited with 125, the candidate cannot be judged",
        Verdict::TimedOut => match decided.bound.filter(|bound| !bound.is_time_limit()) {
            Some(_) => "counts as timed out: the test exceeded another limit",
            None => "timed out: the test was killed at its limit",
        },
    };
    let mut facts = vec![decided.change.to_string()];
    match decided.time {
        Some(time) => facts.extend([
            decided.exit.clone(),
            format!("test took {}", text::format_duration(time)),
        ]),
        None => facts.push("known from an earlier test of the same text".into()),
    }
    let candidate = format!(
        "{}  {}",
        decided.why.pass,
        question_text(&decided.sentence, glyphs)
    );
    let mut lines = vec![
        (candidate, Role::Text),
        (String::new(), Role::Text),
        (format!("{mark} {outcome}"), role),
        (facts.join("   "), Role::Dim),
        (String::new(), Role::Text),
    ];
    let printed = text::displayable_lines(&decided.output.to_bytes(), glyphs.braille);
    if decided.time.is_some() {
        let printed = if printed.is_empty() {
            "The test printed nothing"
        } else {
            "The test printed"
        };
        lines.push((printed.into(), Role::Title));
    }
    lines.extend(printed.into_iter().map(|line| (line, Role::Kind)));
    lines
}
