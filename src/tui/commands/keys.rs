//! Keys: what a terminal sends, and how a key is written.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyPress {
    /// The key itself.
    pub code: KeyCode,
    /// Whether Ctrl is held.
    pub ctrl: bool,
}

/// The keys that are written as a name.
const NAMED_KEYS: &[(KeyCode, &str)] = &[
    (KeyCode::Char(' '), "space"),
    (KeyCode::Enter, "enter"),
    (KeyCode::Esc, "esc"),
    (KeyCode::Tab, "tab"),
    (KeyCode::BackTab, "shift-tab"),
    (KeyCode::Backspace, "backspace"),
    (KeyCode::Delete, "delete"),
    (KeyCode::Insert, "insert"),
    (KeyCode::Up, "up"),
    (KeyCode::Down, "down"),
    (KeyCode::Left, "left"),
    (KeyCode::Right, "right"),
    (KeyCode::Home, "home"),
    (KeyCode::End, "end"),
    (KeyCode::PageUp, "pgup"),
    (KeyCode::PageDown, "pgdn"),
];

impl KeyPress {
    /// The key of a terminal event; none for the release of a key, or with Alt.
    pub fn from_event(event: &KeyEvent) -> Option<KeyPress> {
        let with = |modifier| event.modifiers.contains(modifier);
        let pressed = event.kind != KeyEventKind::Release && !with(KeyModifiers::ALT);
        pressed.then_some(KeyPress {
            code: event.code,
            ctrl: with(KeyModifiers::CONTROL),
        })
    }

    /// The key as it is written: `p`, `ctrl-p`, `space`.
    pub fn name(self) -> String {
        let named = NAMED_KEYS.iter().find(|(code, _)| *code == self.code);
        let name = match (named, self.code) {
            (Some((_, name)), _) => (*name).to_owned(),
            (None, KeyCode::Char(c)) => c.to_string(),
            (None, KeyCode::F(number)) => format!("f{number}"),
            (None, other) => format!("{other:?}").to_lowercase(),
        };
        if self.ctrl {
            format!("ctrl-{name}")
        } else {
            name
        }
    }

    /// Parses a key as it is written.
    ///
    /// # Errors
    /// When there is no such key; the message says how keys are written.
    pub fn parse_name(name: &str) -> Result<KeyPress, String> {
        let (ctrl, bare) = match name.strip_prefix("ctrl-") {
            Some(bare) => (true, bare),
            None => (false, name),
        };
        let named = NAMED_KEYS.iter().find(|(_, known)| *known == bare);
        let mut chars = bare.chars();
        let code = match (named, chars.next(), chars.next()) {
            (Some((code, _)), ..) => Some(*code),
            (None, Some(c), None) if !c.is_control() && !c.is_whitespace() => {
                Some(KeyCode::Char(c))
            }
            (None, Some('f'), Some(_)) => {
                let number = bare[1..].parse().ok();
                number
                    .filter(|number| (1..=24).contains(number))
                    .map(KeyCode::F)
            }
            _ => None,
        };
        code.map(|code| KeyPress { code, ctrl }).ok_or_else(|| {
            let names: Vec<&str> = NAMED_KEYS.iter().map(|(_, name)| *name).collect();
            format!(
                "`{name}` is not a key: a character, f1 to f24, {}; any with ctrl- before it",
                names.join(", ")
            )
        })
    }
}

/// The key of a character.
pub const fn char_key(c: char) -> KeyPress {
    KeyPress {
        code: KeyCode::Char(c),
        ctrl: false,
    }
}

/// A key that is not a character.
pub const fn special_key(code: KeyCode) -> KeyPress {
    KeyPress { code, ctrl: false }
}

/// The key of a character, together with Ctrl.
pub const fn ctrl_key(c: char) -> KeyPress {
    KeyPress {
        code: KeyCode::Char(c),
        ctrl: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for (code, _) in NAMED_KEYS {
            for ctrl in [false, true] {
                let key = KeyPress { code: *code, ctrl };
                assert_eq!(KeyPress::parse_name(&key.name()), Ok(key));
            }
        }
        for name in ["a", "Z", "ctrl-a", "f1", "f12", "ctrl-f2", "f", "-", "ü"] {
            let read = KeyPress::parse_name(name).map(KeyPress::name);
            assert_eq!(read.as_deref(), Ok(name));
        }
        for name in ["", "ctrl-", "f0", "f25", "fx", "escape", "a b", "\t"] {
            let message = KeyPress::parse_name(name).expect_err("no key");
            assert!(message.contains("is not a key: a character"), "{name}");
        }
    }
}
