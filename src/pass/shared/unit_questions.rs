//! Questions about the declarations of a program, which are read once for each version: from one no to the next nothing of them changes.

use std::iter::zip;
use std::sync::Arc;

use super::declaration_units::DeclarationUnits;
use super::place_questions::{FoundQuestion, QuestionPlace, QuestionSource};
use crate::program::{Version, View};

/// A source of questions about declarations.
#[derive(Clone)]
pub struct UnitQuestions {
    /// Whether there is anything to ask. If not, the declarations are not read.
    applies: fn(&View) -> bool,
    /// The first question from there on.
    ask: UnitSearch,
    /// The declarations that were read last.
    known: Option<Arc<DeclarationUnits>>,
}

/// The first question from there on about these declarations; none if there are no more.
pub type UnitSearch = fn(&View, &DeclarationUnits, from: QuestionPlace) -> Option<FoundQuestion>;

impl UnitQuestions {
    /// What `ask` finds in a program that `applies`.
    pub fn new(applies: fn(&View) -> bool, ask: UnitSearch) -> UnitQuestions {
        UnitQuestions {
            applies,
            ask,
            known: None,
        }
    }
}

impl QuestionSource for UnitQuestions {
    fn next_question(&mut self, view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
        if !(self.applies)(view) {
            self.known = None;
            return None;
        }
        let known = self.known.take();
        let known = known.filter(|units| have_same_trees(&units.version, &view.version));
        let units = known.unwrap_or_else(|| {
            let documents = view.documents().len();
            Arc::new(DeclarationUnits::of_version(&view.version, documents))
        });
        (self.ask)(view, self.known.insert(units), from)
    }
}

/// Whether these are the same trees, node for node.
fn have_same_trees(one: &Version, other: &Version) -> bool {
    let (one, other) = (one.documents(), other.documents());
    one.len() == other.len()
        && zip(one, other).all(|(one, other)| Arc::ptr_eq(&one.root, &other.root))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::{EditOp, apply_edit, read_program, walk};
    use crate::protocol::IndexRanges;

    #[test]
    fn declarations_are_read_again_when_the_version_is_another() {
        let text: Arc<[u8]> = b"int a;\nint b;\nint c;\n".to_vec().into();
        let base = read_program(vec![(Path::new("a.c").into(), text)]).expect("it can be read");
        let root = &base.documents()[0].root;
        let list = walk::preorder(root).find(|node| node.shape.is_list());
        let deletion = EditOp::DeleteItems {
            list: list.expect("a list").id,
            items: IndexRanges::from_range(1..2),
        };
        let (after, _) = apply_edit(&base, &deletion.into()).expect("an edit");
        let mut source = UnitQuestions::new(|_| true, |_, _, _| None);
        let mut read = |version: &Version| {
            source.next_question(&View::new(version.clone()), QuestionPlace::first(true));
            source.known.clone().expect("they were read")
        };
        let [first, again, later] = [&base, &base, &after].map(&mut read);
        assert_eq!((first.units.len(), later.units.len()), (3, 2));
        assert!(Arc::ptr_eq(&first, &again), "once for a version");
    }
}
