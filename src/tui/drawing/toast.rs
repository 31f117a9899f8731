//! What is told for a moment, over everything else.

use std::time::{Duration, Instant};

use ratatui::layout::Rect;

use super::canvas::{ClippedCanvas, PaneEdges};
use super::text;
use crate::tui::theme::Role;

/// How long something is told.
const TOLD: Duration = Duration::from_secs(6);
/// How long a mistake is told.
const COMPLAINED: Duration = Duration::from_secs(20);
/// How many are told at once.
const MOST: usize = 4;
/// How wide they are.
const WIDE: u16 = 64;

#[derive(Debug)]
struct ToastMessage {
    text: String,
    role: Role,
    until: Option<Instant>,
}

/// What is told now.
#[derive(Debug, Default)]
pub struct ToastStack(Vec<ToastMessage>);

impl ToastStack {
    /// Tells something. The same again is told once.
    pub fn push_toast(&mut self, text: impl Into<String>, role: Role) {
        let text = text.into();
        self.0.retain(|toast| toast.text != text);
        self.0.push(ToastMessage {
            text,
            role,
            until: None,
        });
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }

    /// Forgets mistakes: they have been mended.
    pub fn clear_errors(&mut self) {
        self.0.retain(|toast| toast.role != Role::Failed);
    }

    /// Whether anything is told.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws them at the top right, one below the other; those whose time is over are gone.
    pub fn draw_toasts(&mut self, screen: &mut ClippedCanvas, now: Instant) {
        self.0.retain_mut(|toast| {
            let long = if toast.role == Role::Failed {
                COMPLAINED
            } else {
                TOLD
            };
            *toast.until.get_or_insert(now + long) > now
        });
        let area = screen.area;
        let width = WIDE.min(area.width);
        let mut y = area.y + 1;
        for toast in &self.0 {
            let glyphs = screen.theme.glyphs;
            let safe = text::displayable_line(&toast.text, glyphs.braille);
            let room = usize::from(width).saturating_sub(4);
            let lines = text::wrap_text(&safe, room, 6, glyphs.cut);
            let height = lines.len() as u16 + 2;
            let mut part = screen.sub_canvas(Rect {
                x: area.x + area.width - width,
                y,
                width,
                height,
            });
            part.clear();
            let mut inside = part.draw_pane_frame("", "", false, PaneEdges::ALONE);
            for (at, line) in lines.iter().enumerate() {
                inside.draw_text(1, at, line, toast.role);
            }
            y += height;
        }
    }
}
