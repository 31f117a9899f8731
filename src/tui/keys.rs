//! Keys: what a terminal sends, and how people write it.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Which.
    pub code: KeyCode,
    /// Together with Ctrl.
    pub ctrl: bool,
}

impl Key {
    /// The key of a terminal event; none for one that was let go, or that has another meaning with Alt.
    pub fn of(event: &KeyEvent) -> Option<Key> {
        let with = |modifier| event.modifiers.contains(modifier);
        let pressed = event.kind != KeyEventKind::Release && !with(KeyModifiers::ALT);
        pressed.then_some(Key {
            code: event.code,
            ctrl: with(KeyModifiers::CONTROL),
        })
    }

    /// The key as people write it.
    pub fn name(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::Enter => "enter".to_owned(),
            KeyCode::Esc => "esc".to_owned(),
            KeyCode::Tab => "tab".to_owned(),
            KeyCode::BackTab => "shift-tab".to_owned(),
            KeyCode::Up => "up".to_owned(),
            KeyCode::Down => "down".to_owned(),
            KeyCode::Left => "left".to_owned(),
            KeyCode::Right => "right".to_owned(),
            KeyCode::Home => "home".to_owned(),
            KeyCode::End => "end".to_owned(),
            KeyCode::PageUp => "pgup".to_owned(),
            KeyCode::PageDown => "pgdn".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        if self.ctrl {
            format!("ctrl-{name}")
        } else {
            name
        }
    }
}

/// The key of a character.
pub const fn key(c: char) -> Key {
    Key {
        code: KeyCode::Char(c),
        ctrl: false,
    }
}

/// A key that is no character.
pub const fn special(code: KeyCode) -> Key {
    Key { code, ctrl: false }
}

/// The key of a character, together with Ctrl.
pub const fn ctrl(c: char) -> Key {
    Key {
        code: KeyCode::Char(c),
        ctrl: true,
    }
}
