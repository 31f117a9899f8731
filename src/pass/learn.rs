//! learn: what failed twice and never passed is not asked again; why it failed is not known here.
//!
//! The grammar allows more than a compiler: any declarator as that of a function, any expression to be assigned to. Replacements and
//! optional parts are remembered by where they stand and what would become of them.
//!
//! GTR (Herfert, Patra and Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017) learns what is worth asking from a
//! corpus; here the run itself is the corpus.

use rustc_hash::FxBuildHasher;

use super::filter::Filter;
use super::luck::Kind;
use crate::dialogue::Answer;
use crate::program::{Edit, View, Why};

/// So many failures are enough.
const ENOUGH: u32 = 2;

/// What became of such edits so far. Refusals of other filters do not count.
#[derive(Clone, Debug, Default)]
pub struct Learn {
    seen: imbl::GenericHashMap<Kind, Tally, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    failed: u32,
    passed: bool,
}

/// Elements of lists are not remembered: what one of them is needed for says nothing of the next.
fn key(view: &View, edit: &Edit) -> Option<Kind> {
    Kind::of(&view.version, edit).filter(|kind| !kind.is_element())
}

impl Filter for Learn {
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
        let tally = key(view, edit).and_then(|key| self.seen.get(&key).copied());
        let hopeless = tally.is_some_and(|tally| tally.failed >= ENOUGH && !tally.passed);
        (!hopeless).then(|| (edit.clone(), why.clone()))
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        let Some(key) = key(view, asked) else { return };
        let tally = self.seen.entry(key).or_default();
        match answer {
            Answer::Yes => tally.passed = true,
            Answer::No => tally.failed += 1,
            Answer::Refused => {}
        }
    }
}
