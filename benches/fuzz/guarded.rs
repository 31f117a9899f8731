//! A candidate of a syntax-guided pass has no more syntax errors than the version that it was made from.
//!
//! Where a program lacks parts that its grammar requires (`[optional]`), the parser sees stand-ins that its text does not show. Such versions and
//! candidates are not looked at here: `program/optional_check.rs` is about them.

use std::sync::Arc;

use lop::language::Language;
use lop::language::parser::{ParseLimit, ParseTree, TextEdit};
use lop::pass::{self, SyntaxCheck};
use lop::program::{self, Edit, Version};
use lop::reduce::RunSnapshot;

use super::exercise::text;

/// A candidate that was tested.
pub struct Asked {
    pub text: Arc<[u8]>,
    /// How it was made.
    pub edit: Edit,
    /// The pass whose turn it was.
    pub pass: &'static str,
    /// The version that it was made of.
    pub base: u64,
}

/// So many of a run's candidates are looked at: each look is a parse or more.
const MOST: usize = 50;

/// The pass of which no candidate's text says what the parser sees of it.
const DISPENSABLE: &str = "dispensable";

/// Panics if the parser's word was not obeyed.
pub fn guard_held(language: Option<&'static Language>, last: &RunSnapshot, asked: &[Asked]) {
    let Some(language) = language else { return };
    let obeys = |name: &str| {
        let mut kinds = pass::all_passes().into_iter();
        kinds.any(|kind| kind.name == name && kind.syntax_check == SyntaxCheck::Enforce)
            && name != DISPENSABLE
    };
    let mut base: Option<Base> = None;
    let asked: Vec<&Asked> = asked.iter().filter(|asked| obeys(asked.pass)).collect();
    for asked in asked.iter().step_by(1 + asked.len() / MOST) {
        if base.as_ref().is_none_or(|base| base.number != asked.base) {
            let past = last
                .history
                .get(asked.base as usize)
                .expect("a version of the run");
            base = Some(Base::new(asked.base, &past.version));
        }
        let base = base.as_ref().expect("just made");
        if base.is_lacking {
            continue;
        }
        assert!(
            base.allows(language, &asked.text) || base.is_lacking_after(&asked.edit),
            "{} asks about what the parser likes less than the version before",
            asked.pass
        );
    }
}

/// A version that candidates were made from, in the two forms of the run: with the tree of its edit, and parsed again.
struct Base {
    number: u64,
    text: Vec<u8>,
    forms: Vec<Version>,
    /// It lacks parts that the grammar requires.
    is_lacking: bool,
}

impl Base {
    fn new(number: u64, version: &Version) -> Base {
        let forms = [Some(version.clone()), program::reparse_version(version)];
        let forms: Vec<Version> = forms.into_iter().flatten().collect();
        Base {
            number,
            text: text(version),
            forms,
            is_lacking: lacks_parts(version),
        }
    }

    /// Whether a candidate lacks parts that the grammar requires.
    fn is_lacking_after(&self, edit: &Edit) -> bool {
        let made = |form| program::apply_edit(form, edit).ok();
        let mut made = self.forms.iter().filter_map(made);
        made.any(|(candidate, _)| lacks_parts(&candidate))
    }

    /// Whether the parser finds no more errors in a candidate: from scratch, or with what can be kept of the tree. How many there are in a
    /// faulty text hangs on how the parser came to it. A version that it gave up allows all that it does not give up.
    fn allows(&self, language: &'static Language, text: &[u8]) -> bool {
        let scratch = parse(language, text, None);
        let no_worse = |tree: &ParseTree| {
            let most = tree.count_faults();
            let fine = |faults: Option<u32>| faults.is_some_and(|faults| faults <= most);
            fine(scratch) || fine(parse(language, text, Some((tree, &self.text))))
        };
        let trees = self.forms.iter().filter_map(|form| form.parse_tree(0));
        let mut trees = trees.peekable();
        trees.peek().is_none() && scratch.is_some() || trees.any(no_worse)
    }
}

fn lacks_parts(version: &Version) -> bool {
    let mut documents = version.documents().iter();
    documents.any(|document| program::is_lacking(&document.root))
}

/// How much of a text the parser does not understand, if it keeps what it can of the tree of another; none if it gives up.
fn parse(
    language: &'static Language,
    text: &[u8],
    before: Option<(&ParseTree, &[u8])>,
) -> Option<u32> {
    let new = language.mask_text(text);
    let edited = before.map(|(tree, old)| {
        let old = language.mask_text(old);
        let same = old.iter().zip(new.iter()).take_while(|(a, b)| a == b);
        let start = same.count();
        let same = old[start..].iter().rev().zip(new[start..].iter().rev());
        let same = same.take_while(|(a, b)| a == b).count();
        let edit = TextEdit {
            old: start..old.len() - same,
            new: start..new.len() - same,
        };
        tree.with_edits(&old, &[edit], &new)
    });
    let limit = ParseLimit::for_length(new.len());
    let tree = language.new_parser().parse(&new, edited.as_ref(), limit);
    tree.ok().map(|tree| tree.count_faults())
}
