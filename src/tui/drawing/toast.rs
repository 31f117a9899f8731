//! Toasts: messages over everything else that disappear after a few seconds.

use std::time::{Duration, Instant};

use ratatui::layout::Rect;

use super::canvas::{ClippedCanvas, PaneEdges};
use super::text;
use crate::tui::theme::Role;

/// How long a note is shown.
const NOTE_DURATION: Duration = Duration::from_secs(6);
/// How long an error is shown, if no key is pressed.
const ERROR_DURATION: Duration = Duration::from_secs(20);
/// How long an error is shown at least, so that keys that follow each other fast do not hide it.
const SHORTEST_DURATION: Duration = Duration::from_secs(2);
/// The greatest number of toasts at once.
const MOST_TOASTS: usize = 4;
/// The width of a toast.
const TOAST_WIDTH: u16 = 64;

#[derive(Debug)]
struct ToastMessage {
    text: String,
    role: Role,
    /// When it was drawn first.
    since: Option<Instant>,
    /// Whether a key was pressed after that.
    is_seen: bool,
    /// Whether it answers a key: the next answer takes its place.
    is_answer: bool,
}

impl ToastMessage {
    fn duration(&self) -> Duration {
        match (self.role, self.is_seen) {
            (Role::Failed, true) => SHORTEST_DURATION,
            (Role::Failed, false) => ERROR_DURATION,
            _ => NOTE_DURATION,
        }
    }
}

/// The toasts, the oldest first.
#[derive(Debug, Default)]
pub struct ToastStack(Vec<ToastMessage>);

impl ToastStack {
    /// Shows a message. If it is shown already, it is shown once, with a new time.
    pub fn push_toast(&mut self, text: impl Into<String>, role: Role) {
        self.push_message(ToastMessage {
            text: text.into(),
            role,
            since: None,
            is_seen: false,
            is_answer: false,
        });
    }

    /// Shows the answer to a key, in the place of the one before.
    pub fn push_answer(&mut self, text: String) {
        self.0.retain(|toast| !toast.is_answer);
        self.push_message(ToastMessage {
            text,
            role: Role::Note,
            since: None,
            is_seen: false,
            is_answer: true,
        });
    }

    fn push_message(&mut self, message: ToastMessage) {
        self.0.retain(|toast| toast.text != message.text);
        self.0.push(message);
        if self.0.len() > MOST_TOASTS {
            self.0.remove(0);
        }
    }

    /// Removes the errors, after they were fixed.
    pub fn clear_errors(&mut self) {
        self.0.retain(|toast| toast.role != Role::Failed);
    }

    /// Removes the errors that were shown. Returns whether there were some.
    pub fn close_errors(&mut self) -> bool {
        let before = self.0.len();
        self.0
            .retain(|toast| toast.role != Role::Failed || toast.since.is_none());
        self.0.len() < before
    }

    /// A key was pressed: the errors that the user has seen go.
    pub fn dismiss_seen(&mut self) {
        for toast in &mut self.0 {
            toast.is_seen |= toast.since.is_some();
        }
    }

    /// Whether no toast is shown.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes the toasts whose time is over, and draws the others at the top right, one below the other.
    pub fn draw_toasts(&mut self, screen: &mut ClippedCanvas, now: Instant) {
        self.0.retain_mut(|toast| {
            let since = *toast.since.get_or_insert(now);
            now < since + toast.duration()
        });
        let area = screen.area;
        let width = TOAST_WIDTH.min(area.width);
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
