//! The end of a run: the result, its file, and what to do next. The page stays until the user leaves.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{centered_rect, wrap_paragraphs};
use crate::display::{EscapeHidden, escape_page};
use crate::oracle::{Verdict, quote_path_for_display};
use crate::reduce::{FinishReason, RunSnapshot, RunState};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::panes::progress::flakiness_text;
use crate::tui::panes::sentences::verdict_mark;
use crate::tui::program_view::edit_marks::EditMarks;
use crate::tui::program_view::lines;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The greatest number of program lines on the page.
const MOST_PROGRAM_LINES: usize = 16;

/// The greatest number of other failures on the page.
const MOST_OTHER_FAILURES: usize = 4;

/// The page of the result. It does not scroll.
#[derive(Debug)]
pub struct ResultPage;

impl OverlayPage for ResultPage {
    fn kind(&self) -> PageKind {
        PageKind::Result
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let view = context.view;
        let Some(snapshot) = &view.snapshot else {
            return;
        };
        let RunState::Finished(finish) = &snapshot.state else {
            return;
        };
        let mut lines = result_lines(view, snapshot, finish);
        let most = canvas.width().saturating_sub(6).min(100);
        let is_wide = |line: &(String, Role)| text::text_width(&line.0) > most;
        lines = lines
            .into_iter()
            .flat_map(|line| match is_wide(&line) {
                true => wrap_paragraphs(&[line], most, view.theme.glyphs.cut),
                false => vec![line],
            })
            .collect();
        let room = canvas.height().saturating_sub(lines.len() + 8);
        lines.extend(program_preview(
            view,
            snapshot,
            room.min(MOST_PROGRAM_LINES),
        ));
        let widest = lines.iter().map(|(line, _)| text::text_width(line)).max();
        let cells = widest.unwrap_or(0).clamp(40, 100) as u16;
        let area = centered_rect(canvas.area, cells + 6, lines.len() as u16 + 4);
        let mut page = canvas.sub_canvas(area);
        page.clear();
        let right = [
            ("contrast", "explains"),
            ("close", "closes"),
            ("quit", "leaves"),
        ];
        let first = usize::from(!context.facts.can_contrast);
        let right = view.setup.keys.describe_keys(&right[first..]);
        let mut inside = page.draw_pane_frame("Result", &right, true, PaneEdges::ALONE);
        let room = inside.width().saturating_sub(4);
        let first = usize::from(inside.height() > lines.len());
        for (y, (line, role)) in lines.iter().enumerate() {
            inside.draw_text(
                2,
                y + first,
                &text::truncate_middle(line, room, inside.theme.glyphs.cut),
                *role,
            );
        }
    }

    fn navigate(&mut self, _: PaneAction, _: &RunView) {}
}

fn result_lines(
    view: &RunView,
    snapshot: &RunSnapshot,
    finish: &FinishReason,
) -> Vec<(String, Role)> {
    let glyphs = &view.theme.glyphs;
    let arrow = glyphs.arrow;
    let (tokens, bytes) = snapshot.original;
    let (left, left_bytes) = (
        snapshot.version.token_count(),
        snapshot.version.byte_count(),
    );
    let counts = &snapshot.counts;
    let mut lines = vec![match finish {
        FinishReason::Complete => (
            format!(
                "{} {} is done: nothing is left to try",
                glyphs.interesting, view.context.title
            ),
            Role::Interesting,
        ),
        FinishReason::Stopped => (
            format!(
                "{} was stopped: the best version is kept",
                view.context.title
            ),
            Role::Note,
        ),
        FinishReason::Failed(reason) => {
            (format!("{} {reason}", glyphs.uninteresting), Role::Failed)
        }
    }];
    if let Some(claim) = &snapshot.claim {
        lines.push((format!("It is {claim}"), Role::Text));
    }
    let mut say = |line: String| lines.push((line, Role::Text));
    let fact = |name: &str, value: String| format!("{name:<10}{value}");
    let sizes = |from: u32, to: u32| {
        format!(
            "{} {arrow} {}",
            text::format_number(from.into()),
            text::format_number(to.into())
        )
    };
    say(String::new());
    let gone = text::percent_removed(left, tokens);
    let objective = snapshot.version.objective();
    if !objective.is_default() {
        let (left, whole) = snapshot.primary_sizes();
        let gone = text::percent_removed(left, whole);
        let name = objective.units();
        say(fact(
            name,
            format!(
                "{}   {gone} % gone, by --objective {objective}",
                sizes(whole, left)
            ),
        ));
    }
    say(fact(
        "tokens",
        format!("{}   {gone} % gone", sizes(tokens, left)),
    ));
    say(fact("bytes", sizes(bytes, left_bytes)));
    let time = text::format_duration(view.working_time());
    let (tests, known) = (
        text::format_number(counts.tests),
        text::format_number(counts.cached),
    );
    say(fact(
        "tests",
        format!("{tests} in {time}   {known} more were known"),
    ));
    let verdicts = [
        (Verdict::Interesting, counts.interesting, "interesting"),
        (
            Verdict::Uninteresting,
            counts.uninteresting,
            "uninteresting",
        ),
        (Verdict::Invalid, counts.invalid, "invalid"),
        (Verdict::TimedOut, counts.timed_out, "timed out"),
    ];
    let verdicts = verdicts.map(|(verdict, number, word)| {
        format!(
            "{} {} {word}",
            verdict_mark(verdict, glyphs).0,
            text::format_number(number)
        )
    });
    say(fact("verdicts", verdicts.join("  ")));
    if let Some(holds) = flakiness_text(snapshot) {
        let repeated = text::format_number(counts.repeated);
        say(fact("repeated", format!("{repeated}   {holds}")));
    }
    say(String::new());
    say(format!(
        "The result is in {}",
        view.context.output.escape_hidden()
    ));
    for other in snapshot.other_failures.iter().take(MOST_OTHER_FAILURES) {
        let (path, seen) = (other.path.escape_hidden(), other.seen);
        say(format!(
            "Another failure, {}, is in {path} (seen {seen}x)",
            other.name
        ));
    }
    let notes = view.notes.iter().rev().take(2);
    let notes = notes.chain(snapshot.notes.iter().rev().take(2));
    lines.extend(notes.map(|note| (note.clone(), Role::Note)));
    lines.push((String::new(), Role::Text));
    lines.push(("What to do next".into(), Role::Title));
    let look = format!(
        "look at it: less {}",
        quote_path_for_display(&view.context.output)
    );
    let other = snapshot.other_failures.first().map(|other| {
        format!(
            "reduce another failure: lop {} with a test for it",
            quote_path_for_display(&other.path)
        )
    });
    for next in view.context.next_steps.iter().chain([&look]).chain(&other) {
        lines.push((format!("  {next}"), Role::Text));
    }
    lines
}

/// The beginning of the program, in at most `room` lines.
fn program_preview(view: &RunView, snapshot: &RunSnapshot, room: usize) -> Vec<(String, Role)> {
    let Some(document) = snapshot.version.documents().first().filter(|_| room >= 3) else {
        return Vec::new();
    };
    let marks = EditMarks::default();
    let visible = lines::visible_lines(&document.root, &marks, None, 0, room, 400);
    let mut shown = vec![(String::new(), Role::Text)];
    for line in visible {
        let text = text::displayable_line(
            &escape_page(&line.collect_bytes()),
            view.theme.glyphs.braille,
        );
        shown.push((format!("  {}", text.trim_end()), Role::Kind));
    }
    while shown.len() > 1 && shown.last().is_some_and(|(line, _)| line.trim().is_empty()) {
        shown.pop();
    }
    let all = document.root.sums.newlines as usize + 1;
    if all > room + 1 {
        shown.push((
            format!(
                "  {} {} more",
                view.theme.glyphs.cut,
                text::format_count((all - room) as u64, "line")
            ),
            Role::Dim,
        ));
    }
    shown
}
