//! The comparison of the result with its neighbours: how far it is, then the program with what each token is for, and the nearest neighbours.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, centered_rect, line_width, wrap_paragraphs};
use crate::tui::contrast::{ContrastState, ContrastSummary, ContrastUpdate, TokenPurpose};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The page of the comparison.
#[derive(Debug, Default)]
pub struct ContrastPage {
    scroll: PageScroll,
}

/// A line of the page: texts with their roles.
type RoleLine = Vec<(String, Role)>;

impl OverlayPage for ContrastPage {
    fn kind(&self) -> PageKind {
        PageKind::Contrast
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let view = context.view;
        let room = line_width(canvas.width());
        let closes = match view.contrast.is_running() {
            true => "cancels",
            false => "closes",
        };
        let right = view.setup.keys.describe_keys(&[("close", closes)]);
        let glyphs = &view.theme.glyphs;
        let lines = match &view.contrast {
            ContrastState::Idle => Vec::new(),
            ContrastState::Running(news) => progress_lines(news.as_ref(), room, glyphs),
            ContrastState::Found(summary) => summary_lines(summary, room, glyphs),
            ContrastState::Failed(reason) => wrap_line(reason, Role::Failed, room, glyphs),
        };
        let height = lines.len().saturating_add(4).min(u16::MAX.into()) as u16;
        // The frame of a page that grows would jump.
        let area = centered_rect(canvas.area, (room + 6) as u16, height);
        let mut page = canvas.sub_canvas(area);
        page.clear();
        let mut inside = page.draw_pane_frame("Contrast", &right, true, PaneEdges::ALONE);
        let blank = usize::from(inside.height() > lines.len());
        let top = self.scroll.first_line(lines.len(), inside.height());
        let shown = lines.iter().skip(top).take(inside.height());
        for (y, line) in shown.enumerate() {
            let mut x = 2;
            for (text, role) in line {
                x = inside.draw_text(x, y + blank, text, *role);
            }
        }
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

/// What a token looks like, and what that means.
const PURPOSES: [(TokenPurpose, Role, &str); 4] = [
    (TokenPurpose::Essential, Role::Essential, "essential"),
    (TokenPurpose::Free, Role::Free, "free in its kind"),
    (
        TokenPurpose::CompileOnly,
        Role::CompileOnly,
        "only needed to compile",
    ),
    (TokenPurpose::Undecided, Role::Undecided, "unknown"),
];

fn purpose_role(purpose: TokenPurpose) -> Role {
    let mut rows = PURPOSES.iter();
    rows.find(|row| row.0 == purpose)
        .map_or(Role::Text, |row| row.1)
}

fn progress_lines(
    news: Option<&ContrastUpdate>,
    room: usize,
    glyphs: &ScreenGlyphs,
) -> Vec<RoleLine> {
    let number = |number: usize| text::format_number(number as u64);
    let progress = match news {
        Some(ContrastUpdate::Tested(done, all)) => {
            format!("{} of {} neighbours tested", number(*done), number(*all))
        }
        Some(ContrastUpdate::Checked(done, all)) => format!(
            "{} of {} that lost the bug checked: are they valid programs?",
            number(*done),
            number(*all)
        ),
        _ => "the neighbours of the result are listed".to_owned(),
    };
    let mut lines = vec![vec![(progress, Role::Note)], Vec::new()];
    let what = "A neighbour is the result with one token or one part deleted or replaced. Those that work show what the bug needs. \
                What the run has tested is not tested again.";
    lines.extend(wrap_line(what, Role::Dim, room, glyphs));
    lines
}

fn summary_lines(summary: &ContrastSummary, room: usize, glyphs: &ScreenGlyphs) -> Vec<RoleLine> {
    let mut lines = Vec::new();
    for (line, number) in summary.lines.iter().zip(1..) {
        let mut left = room.saturating_sub(6);
        let mut pieces = vec![(format!("{number:>4}  "), Role::Dim)];
        for piece in line {
            let safe = text::displayable_line(&piece.text, glyphs.braille);
            let shown = text::truncate_end(&safe, left, glyphs.cut);
            left -= text::text_width(&shown).min(left);
            pieces.push((shown, piece.purpose.map_or(Role::Text, purpose_role)));
        }
        lines.push(pieces);
    }
    lines.push(Vec::new());
    lines.extend(legend_lines(summary, room));
    lines.push(Vec::new());
    for finding in &summary.findings {
        let safe = text::displayable_line(&finding.sentence, glyphs.braille);
        lines.extend(wrap_line(&format!("* {safe}"), Role::Text, room, glyphs));
        let old = finding
            .old_lines
            .iter()
            .map(|line| ("- ", line, Role::Removed));
        let new = finding
            .new_lines
            .iter()
            .map(|line| ("+ ", line, Role::Added));
        for (sign, line, role) in old.chain(new) {
            let safe = text::displayable_line(line, glyphs.braille);
            let text = text::truncate_end(&safe, room.saturating_sub(8), glyphs.cut);
            lines.push(vec![(format!("      {sign}{text}"), role)]);
        }
    }
    lines.push(Vec::new());
    for remark in &summary.remarks {
        lines.extend(wrap_line(remark, Role::Dim, room, glyphs));
    }
    lines
}

/// What the styles mean, each in its own, with the number of tokens.
fn legend_lines(summary: &ContrastSummary, room: usize) -> Vec<RoleLine> {
    let mut lines: Vec<RoleLine> = vec![Vec::new()];
    let mut left = room;
    for (purpose, role, name) in PURPOSES {
        let count = summary.counts.iter().find(|count| count.0 == purpose);
        let count = count.map_or(0, |count| count.1);
        let number = format!(" {}   ", text::format_number(count as u64));
        let width = text::text_width(name) + text::text_width(&number);
        if width > left {
            lines.push(Vec::new());
            left = room;
        }
        left -= width.min(left);
        if let Some(line) = lines.last_mut() {
            line.extend([(name.to_owned(), role), (number, Role::Text)]);
        }
    }
    lines
}

fn wrap_line(text: &str, role: Role, room: usize, glyphs: &ScreenGlyphs) -> Vec<RoleLine> {
    let wrapped = wrap_paragraphs(&[(text.to_owned(), role)], room, glyphs.cut);
    wrapped.into_iter().map(|line| vec![line]).collect()
}
