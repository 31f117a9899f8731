//! A change of the failure property, as the user writes it.

use std::fmt;

use super::{FailureProperty, PropertyCriterion, PropertyError};

/// One change of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyChange {
    /// Switches the part of this name on or off.
    Switch(String, bool),
    /// A line must match this expression.
    Grep(String),
    /// No line may match this expression.
    NotGrep(String),
    /// The exit status must be this.
    Exit(i32),
    /// At most this percentage of the message may differ from the original's.
    Like(u8),
}

impl PropertyChange {
    /// Parses a change: `line 2 off`, `grep RE`, `not-grep RE`, `exit 3`, `like 30`.
    ///
    /// # Errors
    /// When the text is not a change; the message says what is expected.
    pub fn from_text(text: &str) -> Result<PropertyChange, String> {
        let text = text.trim();
        if let Some((name, word)) = text.rsplit_once(char::is_whitespace)
            && let "on" | "off" = word
            && !name.starts_with("grep /")
        {
            let name: Vec<&str> = name.split_whitespace().collect();
            return Ok(PropertyChange::Switch(name.join(" "), word == "on"));
        }
        let (kind, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let mismatch = |expected: &str| format!("`{rest}` is not {expected}");
        match (kind, rest) {
            ("grep" | "not-grep" | "exit" | "like", "") => {
                Err(format!("`{kind}` needs an argument"))
            }
            ("grep", expression) => Ok(PropertyChange::Grep(strip_slashes(expression))),
            ("not-grep", expression) => Ok(PropertyChange::NotGrep(strip_slashes(expression))),
            ("exit", status) => status
                .parse()
                .map(PropertyChange::Exit)
                .map_err(|_| mismatch("an exit status")),
            ("like", percent) => match percent.parse() {
                Ok(percent @ 0..=100) => Ok(PropertyChange::Like(percent)),
                _ => Err(mismatch("a percentage")),
            },
            _ => Err("use PART on, PART off, grep RE, not-grep RE, exit N or like PERCENT".into()),
        }
    }
}

/// Strips the slashes around an expression. They are needed if the expression ends in ` on`.
fn strip_slashes(expression: &str) -> String {
    let inside = expression
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix('/'));
    inside.unwrap_or(expression).to_owned()
}

/// The text that [`PropertyChange::from_text`] parses as this change.
impl fmt::Display for PropertyChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyChange::Switch(name, on) => {
                write!(f, "{name} {}", if *on { "on" } else { "off" })
            }
            PropertyChange::Grep(expression) => write!(f, "grep /{expression}/"),
            PropertyChange::NotGrep(expression) => write!(f, "not-grep /{expression}/"),
            PropertyChange::Exit(status) => write!(f, "exit {status}"),
            PropertyChange::Like(percent) => write!(f, "like {percent}"),
        }
    }
}

impl FailureProperty {
    /// The property with this change.
    ///
    /// # Errors
    /// When the property has no part of this name.
    pub fn with_change(&self, change: &PropertyChange) -> Result<FailureProperty, PropertyError> {
        let mut changed = self.clone();
        match change {
            PropertyChange::Switch(name, on) => {
                let at = self.named_parts().position(|(known, _)| known == *name);
                match at.and_then(|at| changed.parts.get_mut(at)) {
                    Some(part) => part.on = *on,
                    None => return Err(self.no_part_error(name)),
                }
            }
            PropertyChange::Grep(expression) => {
                changed.add_part(true, PropertyCriterion::Grep(expression.clone()))
            }
            PropertyChange::NotGrep(expression) => {
                changed.add_part(true, PropertyCriterion::NotGrep(expression.clone()))
            }
            PropertyChange::Exit(status) => {
                let is_end = |criterion: &PropertyCriterion| {
                    matches!(
                        criterion,
                        PropertyCriterion::Exit(_) | PropertyCriterion::Signal(_)
                    )
                };
                changed.parts.retain(|part| !is_end(&part.criterion));
                changed.add_part(true, PropertyCriterion::Exit(*status));
            }
            PropertyChange::Like(share) => {
                let part = changed
                    .parts
                    .iter_mut()
                    .find(|part| part.criterion.kind_name() == "like");
                match part {
                    Some(part) => {
                        part.on = true;
                        if let PropertyCriterion::Like { percent, .. } = &mut part.criterion {
                            *percent = *share;
                        }
                    }
                    None => return Err(self.no_part_error("like")),
                }
            }
        }
        Ok(changed)
    }

    fn no_part_error(&self, name: &str) -> PropertyError {
        let all: Vec<String> = self.named_parts().map(|(name, _)| name).collect();
        PropertyError::NoPart {
            name: name.to_owned(),
            all: all.join(", "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::property::PropertyPart;

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
            let change = PropertyChange::from_text(text).expect(text);
            assert_eq!(change.to_string(), text);
        }
        assert_eq!(
            PropertyChange::from_text("grep a b"),
            Ok(PropertyChange::Grep("a b".into()))
        );
        for text in ["", "exit x", "like 200", "grep", "burn"] {
            assert!(PropertyChange::from_text(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_are_switched_by_their_names() {
        let part = |criterion| PropertyPart {
            on: true,
            criterion,
        };
        let property = FailureProperty {
            parts: vec![
                part(PropertyCriterion::Exit(1)),
                part(PropertyCriterion::Grep("a".into())),
                part(PropertyCriterion::Grep("b".into())),
            ],
        };
        let off = property
            .with_change(&PropertyChange::Switch("grep 2".into(), false))
            .expect("a part");
        assert_eq!(off.to_string(), "/a/; exit 1");
        let other = property
            .with_change(&PropertyChange::Exit(3))
            .expect("a part");
        assert_eq!(other.to_string(), "/a/; /b/; exit 3");
        let none = property.with_change(&PropertyChange::Switch("line 1".into(), true));
        assert_eq!(
            none.expect_err("no part").to_string(),
            "there is no part `line 1`; there are exit, grep 1, grep 2"
        );
    }
}
