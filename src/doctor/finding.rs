//! What the doctor says about one thing.

/// One thing that is wrong with a test, or good to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoctorFinding {
    /// The name of the thing, one word for programs: "flaky".
    pub name: &'static str,
    /// Whether a reduction with this test suffers; if not, it is only good to know.
    pub is_harmful: bool,
    /// What was seen.
    pub observed: String,
    /// Why it hurts.
    pub why: String,
    /// Where the lines go, as "as the second line of ./test.sh".
    pub place: String,
    /// The lines to add, or to put there.
    pub lines_to_add: Vec<String>,
}

impl DoctorFinding {
    /// Something that hurts.
    pub(super) fn new_harmful(
        name: &'static str,
        seen: impl Into<String>,
        why: impl Into<String>,
        (place, add): (String, Vec<String>),
    ) -> DoctorFinding {
        DoctorFinding {
            name,
            is_harmful: true,
            observed: seen.into(),
            why: why.into(),
            place,
            lines_to_add: add,
        }
    }

    /// The same, but only good to know.
    pub(super) fn into_note(self) -> DoctorFinding {
        DoctorFinding {
            is_harmful: false,
            ..self
        }
    }
}
