//! The parse check: a candidate must not have more errors than its base.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::constraints::ConstraintSet;
use super::document_parse::DocumentParse;
use super::node::ProgramNode;
use super::parse_excerpt::{ExcerptLengths, excerpt_change};
use super::requirement::QueryRequirement;
use super::text_edits::PrintedText;
use super::version::{Document, ParseTrees, Version};
use super::walk;
use crate::language::Language;
use crate::language::parser::{LanguageParser, ParseLimit, ParseTree};

/// Confirms candidates: by an excerpt where a document is large, else by a parse that starts from the last tree.
pub struct ParseChecker {
    /// The text of each document that was parsed last, its line markers masked.
    masked: Vec<Option<MaskedText>>,
    /// By the name of the language.
    parsers: FxHashMap<&'static str, LanguageParser>,
    large: LargeDocuments,
}

/// What of a document is parsed.
#[derive(Clone, Copy, Debug)]
struct LargeDocuments {
    /// A document of this many bytes is large: only an excerpt of it is parsed, where that says enough.
    from: u32,
    /// See [`ExcerptLengths::part`].
    part: u32,
    /// How much longer than the excerpt the document is at least. A parse of a shorter document, which starts from the last tree, is cheaper.
    share: usize,
}

struct MaskedText {
    root: Arc<ProgramNode>,
    bytes: Vec<u8>,
}

impl Default for ParseChecker {
    fn default() -> ParseChecker {
        ParseChecker {
            masked: Vec::new(),
            parsers: FxHashMap::default(),
            large: LargeDocuments {
                from: 1 << 18,
                part: 1 << 10,
                share: 64,
            },
        }
    }
}

impl ParseChecker {
    /// A checker to which every document is large, and what is longer than `part` bytes is left out of an excerpt: for tests.
    pub fn with_excerpts(part: u32) -> ParseChecker {
        ParseChecker {
            large: LargeDocuments {
                from: 0,
                part,
                share: 1,
            },
            ..ParseChecker::default()
        }
    }

    /// What the parser knows of `candidate`, whose text is `files`. None when a query that the constraints require has no match any more. If
    /// the candidate is `syntactic`: also none when one of the documents has more errors than in `base`, or when a parse does not end within
    /// its limit. Otherwise a document whose parse does not end has no tree. A document without a language is never rejected.
    pub fn check_candidate(
        &mut self,
        base: &Version,
        candidate: &Version,
        files: &[(std::path::PathBuf, Vec<u8>)],
        syntactic: bool,
        constraints: &ConstraintSet,
    ) -> Option<ParseTrees> {
        let queried = constraints.requirements().next().is_some();
        let mut parses = Vec::with_capacity(files.len());
        for (index, document) in candidate.documents().iter().enumerate() {
            let Some(language) = document.language else {
                parses.push(None);
                continue;
            };
            let known = base.parse_trees()[index].as_ref();
            let old = &base.documents()[index].root;
            let by_excerpt = known
                .filter(|_| !queried)
                .and_then(|known| self.check_excerpt(known, language, old, &document.root));
            let parse = by_excerpt.or_else(|| {
                let most = known.filter(|_| syntactic).map(DocumentParse::count_faults);
                let most = most.unwrap_or(u32::MAX);
                self.parse_document(known, index, language, document, &files[index].1, most)
            });
            if parse.is_none() && syntactic {
                return None;
            }
            parses.push(parse);
        }
        let text = |at: usize| &files[at].1[..];
        let tree = |parse: &Option<DocumentParse>| parse.as_ref()?.tree().cloned();
        let trees: Vec<Option<ParseTree>> = match queried {
            true => parses.iter().map(tree).collect(),
            false => Vec::new(),
        };
        let required = |required: &QueryRequirement| required.is_met(candidate, &trees, text);
        constraints
            .requirements()
            .all(required)
            .then(|| parses.into())
    }

    /// What is known of a document that was parsed to `known`, if the parser finds no fault in what its change can affect.
    fn check_excerpt(
        &mut self,
        known: &DocumentParse,
        language: &'static Language,
        old: &Arc<ProgramNode>,
        new: &Arc<ProgramNode>,
    ) -> Option<DocumentParse> {
        if Arc::ptr_eq(old, new) {
            return Some(known.clone());
        }
        let LargeDocuments { from, part, share } = self.large;
        // Around errors too little can be left out, and a parse from an earlier tree costs more than one from the last.
        if new.sums.bytes < from || known.count_faults() > 0 {
            return None;
        }
        let all = new.sums.bytes as usize / share;
        let excerpt = excerpt_change(old, new, known.faults(), ExcerptLengths { part, all })?;
        let masked = language.mask_markers(&excerpt.text);
        let limit = ParseLimit::for_length(masked.len());
        let tree = self.parser_of(language).parse(&masked, None, limit).ok()?;
        (tree.count_faults() == 0).then(|| known.followed_by(new, excerpt.faults))
    }

    /// Parses all of a document, from the last text that was parsed as a whole on.
    fn parse_document(
        &mut self,
        known: Option<&DocumentParse>,
        index: usize,
        language: &'static Language,
        document: &Document,
        text: &[u8],
        most: u32,
    ) -> Option<DocumentParse> {
        let new = PrintedText {
            root: &document.root,
            bytes: &language.mask_markers(text),
        };
        let Some(known) = known else {
            let limit = ParseLimit::for_length(new.bytes.len());
            let tree = self.parser_of(language).parse(new.bytes, None, limit);
            let tree = tree.ok()?;
            return Some(DocumentParse::of_tree(language, new.root, tree));
        };
        let parsed = known.parsed_text();
        if self.masked.len() <= index {
            self.masked.resize_with(index + 1, || None);
        }
        let last = self.masked[index].take();
        let own = match last.filter(|last| Arc::ptr_eq(&last.root, &parsed.root)) {
            Some(last) => last,
            None => MaskedText {
                root: parsed.root.clone(),
                bytes: language
                    .mask_markers(&walk::render_text(&parsed.root))
                    .into_owned(),
            },
        };
        let parse = parsed.parse_next(self.parser_of(language), &own.bytes, new, most);
        self.masked[index] = Some(own);
        parse
    }

    fn parser_of(&mut self, language: &'static Language) -> &mut LanguageParser {
        let parser = self.parsers.entry(language.name);
        parser.or_insert_with(|| language.new_parser())
    }
}
