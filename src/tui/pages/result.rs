//! The end of a run: the result first, then what it is, its file, and what to do next. The page stays until the user leaves.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::result_preview::preview_lines;
use super::text_page::{PageScroll, centered_rect, wrap_paragraphs};
use crate::display::EscapeHidden;
use crate::oracle::{Verdict, quote_path_for_display};
use crate::program::Objective;
use crate::reduce::{FinishReason, RunSnapshot, RunState};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::panes::progress::flakiness_text;
use crate::tui::panes::sentences::verdict_mark;
use crate::tui::program_view::steering::release_verbs;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The least number of lines of the result itself.
const LEAST_PREVIEW: usize = 4;

/// The greatest number of other failures on the page.
const MOST_OTHER_FAILURES: usize = 4;

/// The page of the result.
#[derive(Debug, Default)]
pub struct ResultPage {
    scroll: PageScroll,
}

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
        let most = canvas.width().saturating_sub(6).min(100);
        let is_wide = |line: &(String, Role)| text::text_width(&line.0) > most;
        let wrapped = |lines: Vec<(String, Role)>| {
            let lines = lines.into_iter().flat_map(|line| match is_wide(&line) {
                true => wrap_paragraphs(&[line], most, view.theme.glyphs.cut),
                false => vec![line],
            });
            lines.collect::<Vec<_>>()
        };
        // The result comes first; what it is and what to do next stay in sight where that is possible.
        let mut lines = wrapped(vec![end_line(view, finish)]);
        let rest = wrapped(result_lines(view, snapshot, most));
        let room = canvas.height().saturating_sub(lines.len() + rest.len() + 8);
        let room = room.max(canvas.height() / 3).max(LEAST_PREVIEW);
        lines.extend(preview_lines(view, snapshot, room));
        lines.extend(rest);
        let widest = lines.iter().map(|(line, _)| text::text_width(line)).max();
        let cells = widest.unwrap_or(0).clamp(40, 100) as u16;
        let height = lines.len().saturating_add(4).min(u16::MAX.into()) as u16;
        let area = centered_rect(canvas.area, cells + 6, height);
        let mut page = canvas.sub_canvas(area);
        page.clear();
        let facts = context.facts;
        let keys = [
            (facts.can_contrast, ("contrast", "explains")),
            (facts.can_ask_more, ("more", "asks more")),
            (true, ("close", "closes")),
            (true, ("quit", "leaves")),
        ];
        let keys = keys.iter().filter(|(is_there, _)| *is_there);
        let keys: Vec<_> = keys.map(|(_, key)| *key).collect();
        let right = view.setup.keys.describe_keys(&keys);
        let mut inside = page.draw_pane_frame("Result", &right, true, PaneEdges::ALONE);
        let (room, height) = (inside.width().saturating_sub(4), inside.height());
        let blank = usize::from(height > lines.len());
        let top = self.scroll.first_line(lines.len(), height);
        let cut = inside.theme.glyphs.cut;
        for (y, (line, role)) in lines.iter().skip(top).take(height).enumerate() {
            let line = text::truncate_middle(line, room, cut);
            inside.draw_text(2, y + blank, &line, *role);
        }
        let below = lines.len().saturating_sub(top + height);
        if below > 0 && height > 1 {
            let more = format!(" {cut} {} ", text::format_count(below as u64, "more line"));
            inside.draw_text_before(inside.width(), height - 1, &more, Role::Dim);
        }
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

/// How the run ended.
fn end_line(view: &RunView, finish: &FinishReason) -> (String, Role) {
    let glyphs = &view.theme.glyphs;
    let title = &view.context.title;
    let (verb, past) = match view.is_pair() {
        true => ("are", "were"),
        false => ("is", "was"),
    };
    match finish {
        FinishReason::Complete => (
            format!(
                "{} {title} {verb} done: nothing is left to try",
                glyphs.interesting
            ),
            Role::Interesting,
        ),
        FinishReason::Stopped => (
            format!("{title} {past} stopped: the best version is kept"),
            Role::Note,
        ),
        FinishReason::Failed(reason) => {
            (format!("{} {reason}", glyphs.uninteresting), Role::Failed)
        }
    }
}

/// How many candidates had which verdict, on lines of at most so many cells; a verdict is on one of them.
fn verdict_lines(snapshot: &RunSnapshot, glyphs: &ScreenGlyphs, cells: usize) -> Vec<String> {
    let counts = &snapshot.counts;
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
    let mut lines: Vec<String> = Vec::new();
    for (verdict, number, word) in verdicts {
        let number = text::format_number(number);
        let item = format!("{} {number} {word}", verdict_mark(verdict, glyphs).0);
        match lines.last_mut() {
            Some(line) if text::text_width(line) + 2 + text::text_width(&item) <= cells => {
                line.push_str("  ");
                line.push_str(&item);
            }
            _ => lines.push(item),
        }
    }
    lines
}

/// What the result is and how it was found, and what to do next. A line of verdicts has at most so many cells.
fn result_lines(view: &RunView, snapshot: &RunSnapshot, cells: usize) -> Vec<(String, Role)> {
    let glyphs = &view.theme.glyphs;
    let counts = &snapshot.counts;
    let mut lines = Vec::new();
    if let Some(claim) = &snapshot.claim {
        lines.push((String::new(), Role::Text));
        lines.push((format!("It is {claim}"), Role::Text));
    }
    let mut say = |line: String| lines.push((line, Role::Text));
    let fact = |name: &str, value: String| format!("{name:<11}{value}");
    say(String::new());
    for (name, value) in size_facts(snapshot, glyphs.arrow) {
        say(fact(name, value));
    }
    let time = text::format_duration(view.working_time());
    let (tests, known) = (
        text::format_number(counts.tests),
        text::format_number(counts.cached),
    );
    say(fact(
        "tests",
        format!("{tests} in {time}   {known} more were known"),
    ));
    const NAME_WIDTH: usize = 11;
    let verdicts = verdict_lines(snapshot, glyphs, cells.saturating_sub(NAME_WIDTH));
    for (at, verdicts) in verdicts.into_iter().enumerate() {
        say(fact(["verdicts", ""][at.min(1)], verdicts));
    }
    if let Some(holds) = flakiness_text(snapshot) {
        let repeated = text::format_number(counts.repeated);
        say(fact("repeated", format!("{repeated}   {holds}")));
    }
    say(String::new());
    say(format!(
        "The result is in {}",
        view.context.output.escape_hidden()
    ));
    if let Some(program) = &view.context.program {
        let program = program.escape_hidden();
        say(format!("The program that it makes is in {program}"));
    }
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
    let files = if view.is_pair() { "/*" } else { "" };
    let program = view.context.program.as_ref();
    let output = quote_path_for_display(program.unwrap_or(&view.context.output));
    let look = match snapshot.version.is_project() {
        true => format!("look at it: ls -R {output}"),
        false => format!("look at it: less {output}{files}"),
    };
    let other = snapshot.other_failures.first().map(|other| {
        let path = quote_path_for_display(&other.path);
        match view.is_pair() {
            false => format!("reduce another failure: lop {path} with a test for it"),
            true => format!("reduce another failure: lop pair with the programs in {path}"),
        }
    });
    let on = view.can_go_on().then(|| describe_ways_on(view, snapshot));
    let steps = view.context.next_steps.iter().chain(&on);
    for next in steps.chain([&look]).chain(&other) {
        lines.push((format!("  {next}"), Role::Text));
    }
    lines
}

/// The keys and commands with which the run goes on from its end.
fn describe_ways_on(view: &RunView, snapshot: &RunSnapshot) -> String {
    let key = |command: &str| view.setup.keys.first_key_name(command);
    let mut ways = Vec::new();
    if snapshot.number > 0 {
        ways.push(format!("{} undoes", key("back")));
    }
    ways.push(format!("{} edits", key("editor")));
    if let Some(effort) = view.more_effort() {
        ways.push(format!("{} asks more (effort {effort})", key("more")));
    }
    let mut typed = vec!["strategy NAME", "enable PASS"];
    typed.extend(release_verbs(snapshot));
    let typed: Vec<_> = typed.iter().map(|line| format!(":{line}")).collect();
    ways.push(typed.join(", "));
    format!("go on: {}", ways.join(", "))
}

/// The sizes of the original and of the result, by name.
fn size_facts(snapshot: &RunSnapshot, arrow: &str) -> Vec<(&'static str, String)> {
    let change = |from: u32, to: u32| {
        format!(
            "{} {arrow} {}",
            text::format_number(from.into()),
            text::format_number(to.into())
        )
    };
    let reduction = |from: u32, to: u32| {
        let gone = text::percent_removed(to, from);
        format!("{}   {gone} % gone", change(from, to))
    };
    let version = &snapshot.version;
    let (tokens, bytes) = snapshot.original;
    let bytes = ("bytes", change(bytes, version.byte_count()));
    let objective = version.objective();
    if let Objective::Pair = objective {
        let original = snapshot.curve.front().map(|point| point.size);
        let (original, now) = (original.unwrap_or_default().0, version.size().0);
        let tokens = |at: usize| {
            let gone = text::percent_removed(now[at], original[at]);
            format!("{} tokens   {gone} % gone", change(original[at], now[at]))
        };
        return vec![
            ("difference", tokens(0)),
            ("variant", tokens(1)),
            ("seed", tokens(2)),
            bytes,
        ];
    }
    if objective.is_choices() {
        // A choice is a token, and a byte.
        return vec![(objective.units(), reduction(tokens, version.token_count()))];
    }
    let mut facts = Vec::new();
    if !objective.is_default() {
        let (left, whole) = snapshot.primary_sizes();
        let reduced = reduction(whole, left);
        facts.push((
            objective.units(),
            format!("{reduced}, by --objective {objective}"),
        ));
    }
    facts.push(("tokens", reduction(tokens, version.token_count())));
    facts.push(bytes);
    facts
}
