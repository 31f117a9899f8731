//! The last verdicts, the newest on top. A question is cut in the middle: where it begins and what it is about tell it from the next.
//!
//! ```text
//!  ├ Verdicts ─────────────────────────────────────────────────────┤
//!  │ ✓ 1,203 perses  can declar…`int l_2;` go?       −22    0.41 s │
//!  │ ✗ 1,202 perses  if_stateme…`{ f(); }`        exit 1    0.38 s │
//! ```

use super::verdict_filter;
use super::{question_summary, verdict_mark};
use crate::oracle::Verdict;
use crate::tui::app::{App, PaneKind};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::theme::Role;

/// Draws the pane.
pub fn draw_verdicts_pane(app: &mut App, canvas: &mut ClippedCanvas, edges: PaneEdges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let focused = app.focused_pane() == PaneKind::Verdicts;
    let listed = app.filtered_verdicts();
    let only = match app.filter {
        Some(_) => format!(
            "only {}: {}",
            verdict_filter::filter_name(app.filter),
            listed.len()
        ),
        None => String::new(),
    };
    let mut inside = canvas.draw_pane_frame("Verdicts", &only, focused, edges);
    let width = inside.width();
    let at = app.selected_verdict().map_or(0, |(at, _)| at);
    app.verdicts_scroll
        .scroll_to(at, listed.len(), inside.height());
    let top = app.verdicts_scroll.top;
    let newest = snapshot
        .decided
        .last()
        .map_or(0, |decided| decided.decision);
    let digits = text::format_number(newest).len().max(3);
    for (y, decided) in listed.iter().skip(top).take(inside.height()).enumerate() {
        let glyphs = inside.theme.glyphs;
        let (mark, role) = verdict_mark(decided.ending, &glyphs);
        let mut x = inside.draw_text(1, y, mark, role) + 1;
        x = inside.draw_text(
            x,
            y,
            &format!("{:>digits$}", text::format_number(decided.decision)),
            Role::Dim,
        ) + 1;
        x = inside.draw_text(x, y, decided.why.pass, Role::Kind) + 2;
        let time = match decided.time {
            Some(time) => text::format_duration(time),
            None => "known".into(),
        };
        let mut end = inside.draw_text_before(
            width.saturating_sub(1),
            y,
            &format!("{time:>8}"),
            Role::Number,
        );
        let outcome = match decided.ending {
            Verdict::Interesting => {
                format!(
                    "{}{}",
                    glyphs.minus,
                    text::format_number(decided.saved.into())
                )
            }
            Verdict::TimedOut => match decided.bound.filter(|bound| !bound.is_time_limit()) {
                Some(bound) => bound.name().into(),
                None => "timed out".into(),
            },
            Verdict::Invalid => "invalid".into(),
            Verdict::Uninteresting => decided.exit.clone(),
        };
        if width >= 48 {
            end = inside.draw_text_before(
                end.saturating_sub(1),
                y,
                &text::truncate_middle(&outcome, 12, glyphs.cut),
                role,
            );
        }
        let room = end.saturating_sub(x + 1);
        inside.draw_text(
            x,
            y,
            &text::truncate_middle(
                &question_summary(&decided.sentence, &glyphs),
                room,
                glyphs.cut,
            ),
            Role::Text,
        );
        if focused && top + y == at {
            let style = inside.theme.role_style(Role::Selection);
            inside.set_line_style(0, y, width, style);
        }
    }
}
