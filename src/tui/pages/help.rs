//! The help: every command of the table, then the marks.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, centered_rect, close_hint};
use crate::oracle::Verdict;
use crate::program::ConstraintRule;
use crate::tui::commands::facts::ScreenFacts;
use crate::tui::commands::key_context::KeyContext;
use crate::tui::commands::table::{COMMANDS, not_steerable};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::panes::sentences::verdict_mark;
use crate::tui::program_view::steering::rule_mark;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The page of the help.
#[derive(Debug, Default)]
pub struct HelpPage {
    scroll: PageScroll,
}

impl OverlayPage for HelpPage {
    fn kind(&self) -> PageKind {
        PageKind::Help
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let lines = wrapped_lines(context, canvas.area.width);
        let area = centered_rect(canvas.area, MOST_WIDTH, lines.len() as u16 + 2);
        let mut page = canvas.sub_canvas(area);
        page.clear();
        let right = close_hint(&context.view.setup.keys, "help");
        let mut inside = page.draw_pane_frame("Help", &right, true, PaneEdges::ALONE);
        let top = self.scroll.first_line(lines.len(), inside.height());
        for (y, line) in lines.iter().skip(top).take(inside.height()).enumerate() {
            match line {
                HelpLine::Heading(name) => {
                    inside.draw_text(1, y, name, Role::Title);
                }
                HelpLine::Note(note) => {
                    inside.draw_text(3, y, note, Role::Note);
                }
                HelpLine::Row { sign, what } => {
                    inside.draw_text(3, y, &sign.0, sign.1);
                    inside.draw_text(DESCRIPTION_COLUMN, y, &what.0, what.1);
                }
                HelpLine::Blank => {}
            }
        }
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

/// A line of the help.
enum HelpLine {
    Heading(&'static str),
    /// A note about all rows below a heading.
    Note(String),
    /// A key or a mark, and what it does or means.
    Row {
        sign: (String, Role),
        what: (String, Role),
    },
    Blank,
}

impl HelpLine {
    fn mark_row(sign: &str, role: Role, what: &str) -> HelpLine {
        HelpLine::Row {
            sign: (sign.to_owned(), role),
            what: (what.to_owned(), Role::Text),
        }
    }
}

/// The column of the descriptions.
const DESCRIPTION_COLUMN: usize = 19;

/// The greatest width of the page.
const MOST_WIDTH: u16 = 96;

/// All contexts: first those of the page below the help, or without one those of the focused pane.
fn ordered_contexts(facts: &ScreenFacts) -> Vec<KeyContext> {
    let focus = facts.focus;
    let mut contexts = KeyContext::ALL.to_vec();
    contexts.retain(|context| COMMANDS.iter().any(|entry| entry.context == *context));
    contexts.retain(|context| context.is_available(facts));
    match facts.page_below_help {
        None => contexts
            .sort_by_key(|context| *context == KeyContext::Panes || !context.includes_pane(focus)),
        // The commands of this page alone come before those of all pages.
        page => contexts.sort_by_key(|context| match context {
            KeyContext::Everywhere => 2,
            context if !context.is_active_in(page, focus) => 3,
            KeyContext::Property | KeyContext::Result => 0,
            _ => 1,
        }),
    }
    contexts
}

fn help_lines(context: &PageContext) -> Vec<HelpLine> {
    let (facts, keys) = (context.facts, &context.view.setup.keys);
    let mut lines = Vec::new();
    for key_context in ordered_contexts(facts) {
        lines.push(HelpLine::Heading(key_context.name()));
        let entries = COMMANDS.iter().filter(|entry| entry.context == key_context);
        // A reason that holds for all commands is a note instead.
        let common = not_steerable(facts);
        if let Some(reason) = common.filter(|_| {
            entries
                .clone()
                .any(|entry| (entry.disabled)(facts) == common)
        }) {
            lines.push(HelpLine::Note(format!("grey: {reason}")));
        }
        for entry in entries {
            let keys = keys.key_names(entry.name);
            let reason = (entry.disabled)(facts);
            let what = match reason.filter(|_| reason != common) {
                Some(reason) => format!("{} ({reason})", entry.description_for(facts)),
                None => entry.description_for(facts).to_owned(),
            };
            let role = reason.map_or(Role::Text, |_| Role::Dim);
            lines.push(HelpLine::Row {
                sign: (keys, Role::Key),
                what: (what, role),
            });
        }
        lines.push(HelpLine::Blank);
    }
    let glyphs = &context.view.theme.glyphs;
    lines.push(HelpLine::Heading("Marks"));
    lines.push(HelpLine::mark_row(
        glyphs.trying,
        Role::Trying,
        "being tried: the program strikes through what would be removed",
    ));
    lines.push(HelpLine::mark_row(
        glyphs.pinned,
        Role::Pinned,
        "pinned: it must stay",
    ));
    lines.push(HelpLine::mark_row(
        glyphs.partly,
        Role::Pinned,
        "something in it must stay",
    ));
    let steering = [
        (ConstraintRule::Focus, "focus: only what is inside is tried"),
        (
            ConstraintRule::Lock,
            "locked: nothing inside is tried; all of it may go",
        ),
        (
            ConstraintRule::Suspect,
            "suspect: probably the cause, tried last; or in doubt, tried first",
        ),
    ];
    for (rule, what) in steering {
        let (mark, role) = rule_mark(rule, glyphs);
        lines.push(HelpLine::mark_row(mark, role, what));
    }
    lines.push(HelpLine::mark_row(
        glyphs.breakpoint,
        Role::Paused,
        "a breakpoint: the run pauses there",
    ));
    let verdicts = [
        (
            Verdict::Interesting,
            "interesting: the test passed, the candidate is accepted",
        ),
        (
            Verdict::Uninteresting,
            "uninteresting: the test failed, the candidate is rejected",
        ),
        (
            Verdict::Invalid,
            "invalid: the test exited with 125, the candidate cannot be judged",
        ),
        (
            Verdict::TimedOut,
            "timed out: the test was killed at its limit",
        ),
    ];
    for (ending, what) in verdicts {
        let (mark, role) = verdict_mark(ending, glyphs);
        lines.push(HelpLine::mark_row(mark, role, what));
    }
    let heat = [
        (Role::Cool, "heat: the run spent little here"),
        (Role::Warm, "heat: some"),
        (Role::Hot, "heat: much"),
        (Role::Blazing, "heat: most"),
    ];
    for ((role, what), glyph) in heat.into_iter().zip(glyphs.heat) {
        lines.push(HelpLine::mark_row(glyph, role, what));
    }
    lines.push(HelpLine::mark_row(
        glyphs.marker,
        Role::Note,
        "in the curve: one of your commands",
    ));
    if facts.is_project {
        lines.push(HelpLine::mark_row(
            glyphs.place,
            Role::Note,
            "the failure is in this file, or in a file of this directory",
        ));
        lines.push(HelpLine::mark_row(
            glyphs.needed,
            Role::Dim,
            "how many files need this one",
        ));
    }
    let deep = format!("9 {}", glyphs.closed);
    lines.push(HelpLine::mark_row(
        &deep,
        Role::Dim,
        "before a row of the tree: how deep it is, where there is no room for so many blanks",
    ));
    lines.push(HelpLine::mark_row(
        "*",
        Role::Dim,
        "after a kind: a list, of which any element may be removed",
    ));
    lines
}

/// The lines on a screen of this width: a long description continues on the next line.
fn wrapped_lines(context: &PageContext, screen: u16) -> Vec<HelpLine> {
    let room = usize::from(screen.min(MOST_WIDTH)).saturating_sub(DESCRIPTION_COLUMN + 3);
    let cut = context.view.theme.glyphs.cut;
    let mut wrapped = Vec::new();
    for line in help_lines(context) {
        let (mut sign, what) = match line {
            HelpLine::Row { sign, what } => (sign, what),
            HelpLine::Note(note) => {
                let parts = text::wrap_text(&note, room + DESCRIPTION_COLUMN - 3, usize::MAX, cut);
                wrapped.extend(parts.into_iter().map(HelpLine::Note));
                continue;
            }
            HelpLine::Heading(_) | HelpLine::Blank => {
                wrapped.push(line);
                continue;
            }
        };
        for part in text::wrap_text(&what.0, room, usize::MAX, cut) {
            wrapped.push(HelpLine::Row {
                sign: std::mem::replace(&mut sign, (String::new(), Role::Text)),
                what: (part, what.1),
            });
        }
    }
    wrapped
}
