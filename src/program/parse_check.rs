//! The parse check: a candidate must not have more errors than its base.

use rustc_hash::FxHashMap;

use super::constraints::ConstraintSet;
use super::hash::ContentHash;
use super::requirement::QueryRequirement;
use super::text_edits::{PrintedText, find_text_edits};
use super::version::{ParseTrees, Version};
use crate::language::parser::{LanguageParser, ParseLimit, ParseTree};

/// Confirms candidates by a parse that starts from the base's tree. Caches the results for the last base.
#[derive(Default)]
pub struct ParseChecker {
    base: Option<CheckedBase>,
    /// By the name of the language.
    parsers: FxHashMap<&'static str, LanguageParser>,
}

struct CheckedBase {
    hash: ContentHash,
    /// The text of each document, its line markers masked.
    masked: Vec<Vec<u8>>,
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
            let new = PrintedText {
                root: &document.root,
                bytes: &language.mask_markers(&files[index].1),
            };
            let old = PrintedText {
                root: &base.documents()[index].root,
                bytes: &known.masked[index],
            };
            let limit = ParseLimit::for_length(new.bytes.len());
            let base_tree = base.parse_trees()[index].as_ref();
            // Errors of this base's own tree: the same bytes may have been read in more than one way.
            let faults = base_tree.map_or(u32::MAX, ParseTree::count_faults);
            let parser = self.parsers.entry(language.name);
            let parser = parser.or_insert_with(|| language.new_parser());
            let clean = |tree: &ParseTree| !syntactic || tree.count_faults() <= faults;
            let reused = base_tree.and_then(|tree| {
                let tree = tree.with_edits(old.bytes, &find_text_edits(old, new), new.bytes);
                parser.parse(new.bytes, Some(&tree), limit).ok()
            });
            // A tree of an incremental parse may have errors that a parse from scratch does not have.
            let tree = reused.filter(clean).or_else(|| {
                let tree = parser.parse(new.bytes, None, limit).ok();
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
            let documents = base.documents().iter().zip(base.render_files());
            let masked = documents.map(|(document, (_, bytes))| match document.language {
                Some(language) => language.mask_markers(&bytes).into_owned(),
                None => bytes,
            });
            self.base = Some(CheckedBase {
                hash,
                masked: masked.collect(),
            });
        }
    }
}
