//! What a syntax-guided pass has had tested is no worse to the parser than the version that it was made of.

use std::path::Path;
use std::sync::Arc;

use lop::language::Language;
use lop::language::parser::ParseLimit;
use lop::pass::{self, Heed};
use lop::program::{self, Constraints, Guard, Version};
use lop::reduce::Snapshot;

/// A candidate that was tested.
pub struct Asked {
    pub text: Arc<[u8]>,
    /// The pass whose turn it was.
    pub pass: &'static str,
    /// The version that it was made of.
    pub base: u64,
}

/// So many of a run's candidates are looked at: each look is a parse or more.
const MOST: usize = 50;

/// Panics if the parser's word was not obeyed.
pub fn guard_held(language: Option<&'static Language>, last: &Snapshot, asked: &[Asked]) {
    let Some(language) = language else { return };
    let obeys = |name: &str| {
        let mut kinds = pass::kinds().into_iter();
        kinds.any(|kind| kind.name == name && kind.parser == Heed::Obeyed)
    };
    let mut base: Option<Base> = None;
    let asked: Vec<&Asked> = asked.iter().filter(|asked| obeys(asked.pass)).collect();
    for asked in asked.iter().step_by(1 + asked.len() / MOST) {
        if base.as_ref().is_none_or(|base| base.number != asked.base) {
            let past = last
                .history
                .get(asked.base as usize)
                .expect("a version of the run");
            base = Some(Base::new(language, asked.base, &past.version));
        }
        let base = base.as_mut().expect("just made");
        assert!(
            base.allows(language, &asked.text),
            "{} asks about a candidate that the parser likes less than version {}: {:?}",
            asked.pass,
            asked.base,
            String::from_utf8_lossy(&asked.text)
        );
    }
}

/// A version that candidates were made of, as the run may have known it: by the tree that came with it, and read anew.
struct Base {
    number: u64,
    clean: bool,
    known: Vec<(Version, Guard)>,
}

impl Base {
    fn new(language: &'static Language, number: u64, version: &Version) -> Base {
        let text = super::exercise::text(version);
        let known = [Some(version.clone()), program::reread(version)];
        let known = known.into_iter().flatten();
        Base {
            number,
            clean: faults(language, &text) == Some(0),
            known: known.map(|version| (version, Guard::default())).collect(),
        }
    }

    /// Of a clean text a parse from scratch says it. How many errors a faulty one has hangs on how the parser came to it: there the guard's
    /// own way is taken again.
    fn allows(&mut self, language: &'static Language, text: &Arc<[u8]>) -> bool {
        if faults(language, text) == Some(0) {
            return true;
        }
        if self.clean {
            return false;
        }
        let path: Arc<Path> = Path::new("a.txt").into();
        let read = program::read_as(vec![(Some(language), path.clone(), text.clone())]);
        let Ok(candidate) = read else { return false };
        let files = [(path.to_path_buf(), text.to_vec())];
        let free = Constraints::default();
        let mut known = self.known.iter_mut();
        known.any(|(base, guard)| guard.check(base, &candidate, &files, true, &free).is_some())
    }
}

/// How much of a text the parser does not understand; none if it gives up.
fn faults(language: &'static Language, text: &[u8]) -> Option<u32> {
    let limit = ParseLimit::for_length(text.len());
    let tree = language.parser().parse(&language.mask(text), None, limit);
    tree.ok().map(|tree| tree.faults())
}
