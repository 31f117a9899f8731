//! What the doctor says about one thing.

/// One thing that is wrong with a test, or good to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the thing, one word for programs: "flaky".
    pub name: &'static str,
    /// Whether a reduction with this test suffers; if not, it is only good to know.
    pub hurts: bool,
    /// What was seen.
    pub seen: String,
    /// Why it hurts.
    pub why: String,
    /// Where the lines go, as "as the second line of ./test.sh".
    pub place: String,
    /// The lines to add, or to put there.
    pub add: Vec<String>,
}

impl Finding {
    /// Something that hurts.
    pub(super) fn hurts(
        name: &'static str,
        seen: impl Into<String>,
        why: impl Into<String>,
        (place, add): (String, Vec<String>),
    ) -> Finding {
        Finding {
            name,
            hurts: true,
            seen: seen.into(),
            why: why.into(),
            place,
            add,
        }
    }

    /// The same, but only good to know.
    pub(super) fn only_noted(self) -> Finding {
        Finding {
            hurts: false,
            ..self
        }
    }
}
