//! A change of what is looked for, as a user says it.

use std::fmt;

use super::{Clue, Property, PropertyError};

/// What is to be different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The part of this name counts, or does not.
    Switch(String, bool),
    /// A line must be found by this expression.
    Grep(String),
    /// No line may be found by this expression.
    NotGrep(String),
    /// The exit status must be this.
    Exit(i32),
    /// The message may be other than the original's for so many percent.
    Like(u8),
}

impl Change {
    /// The change of a text: `line 2 off`, `grep RE`, `not-grep RE`, `exit 3`, `like 30`.
    ///
    /// # Errors
    /// A sentence on what would be right.
    pub fn read(text: &str) -> Result<Change, String> {
        let text = text.trim();
        if let Some((name, word)) = text.rsplit_once(char::is_whitespace)
            && let "on" | "off" = word
            && !name.starts_with("grep /")
        {
            let name: Vec<&str> = name.split_whitespace().collect();
            return Ok(Change::Switch(name.join(" "), word == "on"));
        }
        let (kind, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let number = |what: &str| format!("`{rest}` is no {what}");
        match (kind, rest) {
            ("grep" | "not-grep" | "exit" | "like", "") => Err(format!("{kind}: what follows it?")),
            ("grep", expression) => Ok(Change::Grep(bare(expression))),
            ("not-grep", expression) => Ok(Change::NotGrep(bare(expression))),
            ("exit", status) => status
                .parse()
                .map(Change::Exit)
                .map_err(|_| number("exit status")),
            ("like", percent) => match percent.parse() {
                Ok(percent @ 0..=100) => Ok(Change::Like(percent)),
                _ => Err(number("percentage")),
            },
            _ => Err("say PART on, PART off, grep RE, not-grep RE, exit N or like PERCENT".into()),
        }
    }
}

/// Without the slashes around it, which keep an expression apart that ends in ` on`.
fn bare(expression: &str) -> String {
    let inside = expression
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix('/'));
    inside.unwrap_or(expression).to_owned()
}

/// The text that reads as this change.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Switch(name, on) => write!(f, "{name} {}", if *on { "on" } else { "off" }),
            Change::Grep(expression) => write!(f, "grep /{expression}/"),
            Change::NotGrep(expression) => write!(f, "not-grep /{expression}/"),
            Change::Exit(status) => write!(f, "exit {status}"),
            Change::Like(percent) => write!(f, "like {percent}"),
        }
    }
}

impl Property {
    /// The property with this change.
    ///
    /// # Errors
    /// When there is no such part.
    pub fn changed(&self, change: &Change) -> Result<Property, PropertyError> {
        let mut changed = self.clone();
        match change {
            Change::Switch(name, on) => {
                let at = self.named().position(|(known, _)| known == *name);
                match at.and_then(|at| changed.parts.get_mut(at)) {
                    Some(part) => part.on = *on,
                    None => return Err(self.no_part(name)),
                }
            }
            Change::Grep(expression) => changed.add(true, Clue::Grep(expression.clone())),
            Change::NotGrep(expression) => changed.add(true, Clue::NotGrep(expression.clone())),
            Change::Exit(status) => {
                let is_end = |clue: &Clue| matches!(clue, Clue::Exit(_) | Clue::Signal(_));
                changed.parts.retain(|part| !is_end(&part.clue));
                changed.add(true, Clue::Exit(*status));
            }
            Change::Like(share) => {
                let part = changed
                    .parts
                    .iter_mut()
                    .find(|part| part.clue.kind() == "like");
                match part {
                    Some(part) => {
                        part.on = true;
                        if let Clue::Like { percent, .. } = &mut part.clue {
                            *percent = *share;
                        }
                    }
                    None => return Err(self.no_part("like")),
                }
            }
        }
        Ok(changed)
    }

    fn no_part(&self, name: &str) -> PropertyError {
        let all: Vec<String> = self.named().map(|(name, _)| name).collect();
        PropertyError::NoPart {
            name: name.to_owned(),
            all: all.join(", "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::property::Part;

    #[test]
    fn a_change_reads_as_it_is_written() {
        for text in [
            "exit off",
            "line 2 on",
            "grep /a b on/",
            "not-grep /x/",
            "exit 3",
            "like 30",
        ] {
            let change = Change::read(text).expect(text);
            assert_eq!(change.to_string(), text);
        }
        assert_eq!(Change::read("grep a b"), Ok(Change::Grep("a b".into())));
        for text in ["", "exit x", "like 200", "grep", "burn"] {
            assert!(Change::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_are_switched_by_their_names() {
        let part = |clue| Part { on: true, clue };
        let property = Property {
            parts: vec![
                part(Clue::Exit(1)),
                part(Clue::Grep("a".into())),
                part(Clue::Grep("b".into())),
            ],
        };
        let off = property
            .changed(&Change::Switch("grep 2".into(), false))
            .expect("a part");
        assert_eq!(off.to_string(), "/a/; exit 1");
        let other = property.changed(&Change::Exit(3)).expect("a part");
        assert_eq!(other.to_string(), "/a/; /b/; exit 3");
        let none = property.changed(&Change::Switch("line 1".into(), true));
        assert_eq!(
            none.expect_err("no part").to_string(),
            "there is no part `line 1`; there are exit, grep 1, grep 2"
        );
    }
}
