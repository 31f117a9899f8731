//! What the doctor says about one thing.

/// A fault of a test, or a note about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoctorFinding {
    /// Its name for programs, as "flaky".
    pub name: &'static str,
    /// Whether it harms a reduction. If not, it is only a note.
    pub is_harmful: bool,
    /// What was seen.
    pub observed: String,
    /// Why it is a fault.
    pub why: String,
    /// Where the lines go, as "as the second line of ./test.sh".
    pub place: String,
    /// The lines to add or to replace.
    pub lines_to_add: Vec<String>,
}

impl DoctorFinding {
    /// A fault that harms a reduction.
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

    /// The same as a note.
    pub(super) fn into_note(self) -> DoctorFinding {
        DoctorFinding {
            is_harmful: false,
            ..self
        }
    }
}
