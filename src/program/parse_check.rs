//! The parse check: a candidate must not have more errors than its base.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::constraints::ConstraintSet;
use super::document_parse::DocumentParse;
use super::excerpt_text::{ParseExcerpt, sort_faults};
use super::node::ProgramNode;
use super::parse_excerpt::{ExcerptScope, excerpt_change};
use super::requirement::QueryRequirement;
use super::stand_ins;
use super::text::FileText;
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

/// Of which documents excerpts are parsed, and which.
#[derive(Clone, Copy, Debug)]
struct LargeDocuments {
    /// Of a document without faults.
    sound: LargeKind,
    /// Of a document with faults. These excerpts have few bytes, because the parser tells whether they are enough.
    faulty: LargeKind,
}

/// From which length on excerpts are parsed, and which.
#[derive(Clone, Copy, Debug)]
struct LargeKind {
    /// A document of this many bytes is large.
    from: u32,
    /// The excerpts, one after the other, until one says enough.
    scopes: &'static [ExcerptScope],
}

const SOUND: ExcerptScope = ExcerptScope {
    part: 1 << 10,
    near: 1,
    share: 8,
    exact: true,
};

const FAULTY: ExcerptScope = ExcerptScope {
    part: 1 << 8,
    near: 1,
    share: 4,
    exact: true,
};

const FAULTY_NEAR: ExcerptScope = ExcerptScope {
    near: 4,
    exact: false,
    ..FAULTY
};

const LARGE: LargeDocuments = LargeDocuments {
    sound: LargeKind {
        from: 1 << 14,
        scopes: &[SOUND],
    },
    faulty: LargeKind {
        from: 1 << 18,
        scopes: &[FAULTY, FAULTY_NEAR],
    },
};

/// For tests: every document is large, and little of it is in an excerpt.
const ALL_LARGE: LargeDocuments = LargeDocuments {
    sound: LargeKind {
        from: 0,
        scopes: &[ExcerptScope {
            part: 16,
            share: 1,
            ..SOUND
        }],
    },
    faulty: LargeKind {
        from: 0,
        scopes: &[
            ExcerptScope {
                part: 16,
                share: 1,
                ..FAULTY
            },
            ExcerptScope {
                part: 16,
                share: 1,
                ..FAULTY_NEAR
            },
        ],
    },
};

const NONE_LARGE: LargeDocuments = LargeDocuments {
    sound: LargeKind {
        from: u32::MAX,
        scopes: &[],
    },
    faulty: LargeKind {
        from: u32::MAX,
        scopes: &[],
    },
};

/// What excerpts say of a document.
enum ExcerptAnswer {
    /// It has no more faults than the base.
    Parsed(DocumentParse),
    /// It has more faults than the base.
    Worse,
    /// Nothing.
    Unknown,
}

struct MaskedText {
    root: Arc<ProgramNode>,
    bytes: Vec<u8>,
}

impl Default for ParseChecker {
    fn default() -> ParseChecker {
        ParseChecker::with_documents(LARGE)
    }
}

impl ParseChecker {
    /// A checker to which every document is large: for tests.
    pub fn with_excerpts() -> ParseChecker {
        ParseChecker::with_documents(ALL_LARGE)
    }

    /// A checker to which no document is large: for tests and measurements.
    pub fn without_excerpts() -> ParseChecker {
        ParseChecker::with_documents(NONE_LARGE)
    }

    fn with_documents(large: LargeDocuments) -> ParseChecker {
        ParseChecker {
            masked: Vec::new(),
            parsers: FxHashMap::default(),
            large,
        }
    }

    /// What the parser knows of `candidate`, whose documents have these texts. None when a query that the constraints require has no match any more. If
    /// the candidate is `syntactic`: also none when one of the documents has more errors than in `base`, or when a parse does not end within
    /// its limit. Otherwise a document whose parse does not end has no tree. A document without a language is never rejected.
    pub fn check_candidate(
        &mut self,
        base: &Version,
        candidate: &Version,
        texts: &[FileText],
        syntactic: bool,
        constraints: &ConstraintSet,
    ) -> Option<ParseTrees> {
        let queried = constraints.requirements().next().is_some();
        let mut parses = Vec::with_capacity(texts.len());
        for (index, document) in candidate.documents().iter().enumerate() {
            let text = texts[index].as_deref();
            let (Some(language), Some(text)) = (document.language, text) else {
                parses.push(None);
                continue;
            };
            let known = base.parse_trees()[index].as_ref();
            let old = &base.documents()[index].root;
            let by_excerpts = known
                .filter(|_| !queried)
                .map(|known| self.check_excerpts(known, language, old, &document.root));
            let parse = match by_excerpts {
                Some(ExcerptAnswer::Parsed(parse)) => Some(parse),
                Some(ExcerptAnswer::Worse) if syntactic => None,
                _ => self.parse_document(known, index, language, document, text, syntactic),
            };
            if parse.is_none() && syntactic {
                return None;
            }
            parses.push(parse);
        }
        let text = |at: usize| texts[at].as_deref().unwrap_or_default();
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

    /// What excerpts say of a document that was parsed to `known`.
    fn check_excerpts(
        &mut self,
        known: &DocumentParse,
        language: &'static Language,
        old: &Arc<ProgramNode>,
        new: &Arc<ProgramNode>,
    ) -> ExcerptAnswer {
        if Arc::ptr_eq(old, new) {
            return ExcerptAnswer::Parsed(known.clone());
        }
        let faulty = known.count_faults() > 0;
        let large = match faulty {
            true => self.large.faulty,
            false => self.large.sound,
        };
        // An excerpt does not say what is absent in it.
        let lacking = stand_ins::is_lacking(old) || stand_ins::is_lacking(new);
        if lacking || new.sums().bytes < large.from {
            return ExcerptAnswer::Unknown;
        }
        let mut answer = ExcerptAnswer::Unknown;
        for &scope in large.scopes {
            let excerpt = excerpt_change(old, new, known.faults(), scope);
            let found =
                excerpt.and_then(|excerpt| self.check_excerpt(language, &excerpt, scope.exact));
            match found {
                Some(faults) if faults.len() <= known.faults().len() => {
                    return ExcerptAnswer::Parsed(known.followed_by(new, faults));
                }
                Some(_) if faulty => answer = ExcerptAnswer::Worse,
                _ => {}
            }
        }
        answer
    }

    /// The faults of the candidate. None if the excerpt does not say; if it must be `exact`, also where the parser finds other faults in the base's
    /// excerpt than are known of the base there.
    fn check_excerpt(
        &mut self,
        language: &'static Language,
        excerpt: &ParseExcerpt,
        exact: bool,
    ) -> Option<Vec<Range<usize>>> {
        let mut find_faults = |text: &[u8]| {
            let masked = language.mask_text(text);
            let limit = ParseLimit::for_length(masked.len());
            let tree = self.parser_of(language).parse(&masked, None, limit).ok()?;
            let mut faults = tree.find_faults();
            sort_faults(&mut faults);
            Some(faults)
        };
        let in_base = find_faults(&excerpt.base.bytes)?;
        let difference = excerpt.compare_faults(&in_base);
        if exact && !difference.is_empty() {
            return None;
        }
        let in_candidate = find_faults(&excerpt.candidate.bytes)?;
        excerpt.place_faults(&in_base, &in_candidate, difference)
    }

    /// Parses all of a document, from the text that was parsed to `known` on. If the candidate is `syntactic`: none if it has more faults. A large
    /// document with faults is parsed from scratch: errors that only a parse from an earlier tree has are in no excerpt.
    fn parse_document(
        &mut self,
        known: Option<&DocumentParse>,
        index: usize,
        language: &'static Language,
        document: &Document,
        text: &[u8],
        syntactic: bool,
    ) -> Option<DocumentParse> {
        let new = PrintedText {
            root: &document.root,
            bytes: &language.mask_text(text),
        };
        let most = known.filter(|_| syntactic).map(DocumentParse::count_faults);
        let most = most.unwrap_or(u32::MAX);
        let is_large = |known: &DocumentParse| {
            known.parsed_length().max(new.root.sums().bytes) >= self.large.faulty.from
        };
        let Some(known) = known.filter(|known| !is_large(known) || known.count_faults() == 0)
        else {
            let parse = DocumentParse::from_scratch(self.parser_of(language), language, new);
            return parse.filter(|parse| parse.count_faults() <= most);
        };
        let parsed = known.parsed_text();
        // Excerpts may have counted otherwise.
        let most = match most {
            0 | u32::MAX => most,
            _ if known.is_whole() => most,
            _ => parsed.tree().map_or(most, ParseTree::count_faults),
        };
        if self.masked.len() <= index {
            self.masked.resize_with(index + 1, || None);
        }
        let last = self.masked[index].take();
        let own = match last.filter(|last| Arc::ptr_eq(&last.root, &parsed.root)) {
            Some(last) => last,
            None => MaskedText {
                root: parsed.root.clone(),
                bytes: language
                    .mask_text(&walk::render_text(&parsed.root))
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
