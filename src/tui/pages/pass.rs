//! One pass: what it does, in a whole sentence, and its numbers so far.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, close_hint, draw_text_page, line_width, wrap_paragraphs};
use crate::reduce::{PassLine, PassState};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The page of a pass.
#[derive(Debug)]
pub struct PassPage {
    /// The number of the pass.
    pass: usize,
    scroll: PageScroll,
}

impl PassPage {
    /// The page of the pass with this number.
    pub fn new(pass: usize) -> PassPage {
        PassPage {
            pass,
            scroll: PageScroll::default(),
        }
    }
}

impl OverlayPage for PassPage {
    fn kind(&self) -> PageKind {
        PageKind::Pass
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let view = context.view;
        let snapshot = view.snapshot.as_ref();
        let Some(pass) = snapshot.and_then(|snapshot| snapshot.passes.get(self.pass)) else {
            return;
        };
        let lines = wrap_paragraphs(
            &pass_lines(pass, view.is_finished()),
            line_width(canvas.width()),
            view.theme.glyphs.cut,
        );
        let right = close_hint(&view.setup.keys, "describe");
        draw_text_page(canvas, pass.name, &right, &lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

fn pass_lines(pass: &PassLine, ended: bool) -> Vec<(String, Role)> {
    let state = match pass.state {
        PassState::Waiting => "its turn has not come".to_owned(),
        PassState::Running(_) if ended => "it was running when the run ended".into(),
        PassState::Running(round) if round > 1 => format!("it is running, in round {round}"),
        PassState::Running(_) => "it is running".into(),
        PassState::Done => "it has tried all its candidates".into(),
        PassState::Skipped => "it was skipped".into(),
        PassState::Disabled => "it is disabled".into(),
    };
    let mut lines = vec![
        (pass.what.to_owned(), Role::Text),
        (String::new(), Role::Text),
        (state, Role::Note),
    ];
    if let Some(scope) = pass.scope.as_ref().filter(|_| !ended) {
        lines.push((format!("smart: it asks about {scope}"), Role::Note));
    }
    if pass.tried == 0 {
        return lines;
    }
    let (tried, tokens) = (pass.tried, pass.tokens);
    let each = tokens as f64 / tried as f64;
    let facts = [
        ("tried", text::format_count(tried, "candidate")),
        ("accepted", text::format_count(pass.accepted, "candidate")),
        (
            "gone",
            format!("{}, {each:.1} a test", text::format_count(tokens, "token")),
        ),
        ("time", text::format_duration(pass.time)),
        (
            "refused",
            format!(
                "{} without a test",
                text::format_count(pass.untested.rejected, "candidate")
            ),
        ),
        (
            "timed out",
            text::format_count(pass.untested.timed_out, "test"),
        ),
    ];
    lines.push((String::new(), Role::Text));
    lines.extend(facts.map(|(name, value)| (format!("{name:<11}{value}"), Role::Text)));
    lines
}
