//! How many tokens an edit removes or adds.

use std::fmt::{self, Display, Formatter};

use super::version::Version;
use crate::display::format_count;

/// How many tokens more a version has than another: below zero if it has fewer. In words: "3 tokens fewer".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenChange(pub i64);

impl TokenChange {
    /// The change from one version to another.
    pub fn between(old: &Version, new: &Version) -> TokenChange {
        TokenChange(i64::from(new.token_count()) - i64::from(old.token_count()))
    }

    /// The same in words; none if both have as many.
    pub fn describe(self) -> Option<String> {
        (self.0 != 0).then(|| self.to_string())
    }
}

impl Display for TokenChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let tokens = format_count(self.0.unsigned_abs(), "token");
        match self.0 {
            0 => f.write_str("no token fewer"),
            1.. => write!(f, "{tokens} more"),
            _ => write!(f, "{tokens} fewer"),
        }
    }
}
