//! The parse check: a candidate must not have more errors than its base.

use rustc_hash::FxHashMap;

use super::constraints::ConstraintSet;
use super::hash::ContentHash;
use super::requirement::QueryRequirement;
use super::version::{ParseTrees, Version};
use crate::language::parser::{LanguageParser, ParseLimit, ParseTree, TextEdit};

/// Confirms candidates by a parse that starts from the base's tree. Caches the results for the last base.
#[derive(Default)]
pub struct ParseChecker {
    base: Option<CheckedBase>,
    /// By the name of the language.
    parsers: FxHashMap<&'static str, LanguageParser>,
}

struct CheckedBase {
    hash: ContentHash,
    files: Vec<Vec<u8>>,
}

impl ParseChecker {
    /// The trees of `candidate`, whose text is `files`. None when a query that the constraints require has no match any more. If the
    /// candidate is `syntactic`: also none when one of the trees has more errors than `base`, or when a parse does not end within its
    /// limit. Otherwise a document whose parse does not end has no tree. A document without a language is never rejected.
    pub fn check_candidate(
        &mut self,
        base: &Version,
        candidate: &Version,
        files: &[(std::path::PathBuf, Vec<u8>)],
        syntactic: bool,
        constraints: &ConstraintSet,
    ) -> Option<ParseTrees> {
        self.remember_base(base);
        let known = self.base.as_ref().expect("just made");
        let mut trees = Vec::with_capacity(files.len());
        for (index, document) in candidate.documents().iter().enumerate() {
            let Some(language) = document.language else {
                trees.push(None);
                continue;
            };
            let (text, old) = (&files[index].1, &known.files[index]);
            // Errors of this base's own tree: the same bytes may have been read in more than one way.
            let faults = base.parse_trees()[index]
                .as_ref()
                .map_or(u32::MAX, ParseTree::count_faults);
            let parser = self.parsers.entry(language.name);
            let parser = parser.or_insert_with(|| language.new_parser());
            let clean = |tree: &ParseTree| !syntactic || tree.count_faults() <= faults;
            let reused = base.parse_trees()[index]
                .as_ref()
                .and_then(|tree| parse_incrementally(parser, tree, language, old, text));
            // A tree of an incremental parse may have errors that a parse from scratch does not have.
            let tree = reused.filter(clean).or_else(|| {
                let limit = ParseLimit::for_length(text.len());
                let tree = parser.parse(&language.mask_markers(text), None, limit).ok();
                tree.filter(clean)
            });
            if tree.is_none() && syntactic {
                return None;
            }
            trees.push(tree);
        }
        let text = |at: usize| &files[at].1[..];
        let required = |required: &QueryRequirement| required.is_met(candidate, &trees, text);
        constraints
            .requirements()
            .all(required)
            .then(|| trees.into())
    }

    fn remember_base(&mut self, base: &Version) {
        let hash = base.content_hash();
        if self.base.as_ref().is_none_or(|known| known.hash != hash) {
            let files: Vec<_> = base
                .render_files()
                .into_iter()
                .map(|(_, bytes)| bytes)
                .collect();
            self.base = Some(CheckedBase { hash, files });
        }
    }
}

/// Parses `text`, reusing what is possible of `tree`, which is the tree of `old`.
fn parse_incrementally(
    parser: &mut LanguageParser,
    tree: &ParseTree,
    language: &crate::language::Language,
    old: &[u8],
    text: &[u8],
) -> Option<ParseTree> {
    let (old, new) = (language.mask_markers(old), language.mask_markers(text));
    let same =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let front = same(&mut old.iter().zip(new.iter()));
    let back = same(&mut old[front..].iter().rev().zip(new[front..].iter().rev()));
    let edit = TextEdit {
        start: front,
        old_end: old.len() - back,
        new_end: new.len() - back,
    };
    let edited = tree.with_edit(&old, edit, &new);
    parser
        .parse(&new, Some(&edited), ParseLimit::for_length(new.len()))
        .ok()
}
