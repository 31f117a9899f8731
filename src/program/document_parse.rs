//! What the parser knows of a document: how many faults it has, and a tree.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::excerpt_text::sort_faults;
use super::node::ProgramNode;
use super::parallel_read::find_faults_by_stretches;
use super::stand_ins;
use super::stretches::StretchLengths;
use super::text_edits::{PrintedText, find_text_edits};
use super::walk;
use crate::language::Language;
use crate::language::parser::{LanguageParser, ParseLimit, ParseTree};

/// What the parser knows of a document. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct DocumentParse {
    parsed: ParsedText,
    faults: Arc<OnceLock<Vec<Range<usize>>>>,
    /// The version's own text, if a later one than `parsed`.
    later: Option<Arc<LaterText>>,
}

/// The last text on the way to a version that was parsed as a whole.
#[derive(Clone, Debug)]
pub(super) struct ParsedText {
    pub language: &'static Language,
    /// Its tree of ours; its text is what counts.
    pub root: Arc<ProgramNode>,
    /// The parser's tree; made when it is asked for where the text was parsed by stretches. None if its parse does not end within its limit.
    tree: Arc<OnceLock<Option<ParseTree>>>,
}

#[derive(Debug)]
struct LaterText {
    root: Arc<ProgramNode>,
    /// Made when it is asked for.
    tree: OnceLock<Option<ParseTree>>,
}

impl DocumentParse {
    /// That of a document whose text was parsed.
    pub(super) fn of_tree(
        language: &'static Language,
        root: &Arc<ProgramNode>,
        tree: ParseTree,
    ) -> DocumentParse {
        DocumentParse {
            parsed: ParsedText {
                language,
                root: root.clone(),
                tree: Arc::new(Some(tree).into()),
            },
            faults: Arc::default(),
            later: None,
        }
    }

    /// That of a document whose text was parsed by stretches, with these faults.
    pub(super) fn of_stretches(
        language: &'static Language,
        root: &Arc<ProgramNode>,
        mut faults: Vec<Range<usize>>,
    ) -> DocumentParse {
        sort_faults(&mut faults);
        DocumentParse {
            parsed: ParsedText {
                language,
                root: root.clone(),
                tree: Arc::default(),
            },
            faults: Arc::new(faults.into()),
            later: None,
        }
    }

    /// Parses a text from scratch: a long one by stretches, of which no tree is kept. None if the parse does not end within its limit.
    pub(super) fn from_scratch(
        parser: &mut LanguageParser,
        language: &'static Language,
        new: PrintedText,
    ) -> Option<DocumentParse> {
        let lengths = StretchLengths::default();
        if !stand_ins::is_lacking(new.root)
            && let Some(faults) = find_faults_by_stretches(language, new.bytes, lengths)
        {
            return Some(DocumentParse::of_stretches(language, new.root, faults));
        }
        let tree = stand_ins::parse_completed(parser, language, new.root, new.bytes).ok()?;
        Some(DocumentParse::of_tree(language, new.root, tree))
    }

    /// That of a later text with these faults, of which the parser has seen only an excerpt.
    pub(super) fn followed_by(
        &self,
        root: &Arc<ProgramNode>,
        faults: Vec<Range<usize>>,
    ) -> DocumentParse {
        DocumentParse {
            parsed: self.parsed.clone(),
            faults: Arc::new(faults.into()),
            later: Some(Arc::new(LaterText {
                root: root.clone(),
                tree: OnceLock::new(),
            })),
        }
    }

    /// How many bytes the last text has that was parsed as a whole.
    pub(super) fn parsed_length(&self) -> u32 {
        self.parsed.root.sums().bytes
    }

    /// Whether all of the text was parsed, and not only an excerpt.
    pub fn is_whole(&self) -> bool {
        self.later.is_none()
    }

    /// The last text that was parsed as a whole. If only an excerpt of this one was, and it has faults, it is parsed now, so that the faults of a
    /// later text can be compared with those of a tree of the same sort.
    pub(super) fn parsed_text(&self) -> ParsedText {
        let later = self.later.as_ref().filter(|_| self.count_faults() > 0);
        let own = later.and_then(|later| Some((later, self.tree()?)));
        own.map_or_else(
            || self.parsed.clone(),
            |(later, tree)| ParsedText {
                language: self.parsed.language,
                root: later.root.clone(),
                tree: Arc::new(Some(tree.clone()).into()),
            },
        )
    }

    /// Where the faults are ([`ParseTree::find_faults`]), in the order of [`sort_faults`].
    pub(super) fn faults(&self) -> &[Range<usize>] {
        self.faults.get_or_init(|| {
            let tree = self.parsed.tree();
            let mut faults = tree.map(ParseTree::find_faults).unwrap_or_default();
            sort_faults(&mut faults);
            faults
        })
    }

    /// The number of faults.
    pub fn count_faults(&self) -> u32 {
        self.faults().len() as u32
    }

    /// The tree of the text, if it is made already.
    pub fn known_tree(&self) -> Option<&ParseTree> {
        match &self.later {
            None => self.parsed.tree.get()?.as_ref(),
            Some(later) => later.tree.get()?.as_ref(),
        }
    }

    /// The tree of the text; none if its parse does not end within its limit. It is made when it is asked for the first time, unless the
    /// parser has seen the text as one piece.
    pub fn tree(&self) -> Option<&ParseTree> {
        let Some(later) = &self.later else {
            return self.parsed.tree();
        };
        let made = later.tree.get_or_init(|| {
            let language = self.parsed.language;
            let parser = &mut language.new_parser();
            let new = walk::render_text(&later.root);
            let new = PrintedText {
                root: &later.root,
                bytes: &language.mask_text(&new),
            };
            // Of an old text that long most is gone.
            if self.parsed.root.sums().bytes / 2 > later.root.sums().bytes {
                return stand_ins::parse_completed(parser, language, new.root, new.bytes).ok();
            }
            let old = walk::render_text(&self.parsed.root);
            let old = language.mask_text(&old);
            let read = |parser: &mut _, most| self.parsed.parse_next(parser, &old, new, most);
            let sound = (self.count_faults() == 0).then(|| read(parser, 0));
            let found = sound.flatten().or_else(|| read(parser, u32::MAX));
            found.and_then(|parse| parse.tree().cloned())
        });
        made.as_ref()
    }
}

impl ParsedText {
    /// The parser's tree of all of the text.
    pub fn tree(&self) -> Option<&ParseTree> {
        let made = self.tree.get_or_init(|| {
            let text = walk::render_text(&self.root);
            let parser = &mut self.language.new_parser();
            let text = self.language.mask_text(&text);
            stand_ins::parse_completed(parser, self.language, &self.root, &text).ok()
        });
        made.as_ref()
    }

    /// Parses `new` with at most this many faults, from this text on, whose bytes are `own`, or from scratch: a tree of an incremental parse
    /// may have errors that a parse from scratch does not have. Both texts have their line markers masked. Where one lacks parts that the parser
    /// requires, the new one is parsed from scratch.
    pub fn parse_next(
        &self,
        parser: &mut LanguageParser,
        own: &[u8],
        new: PrintedText,
        most: u32,
    ) -> Option<DocumentParse> {
        let old = PrintedText {
            root: &self.root,
            bytes: own,
        };
        let allowed = |parse: &DocumentParse| parse.count_faults() <= most;
        let from_scratch = |parser: &mut _| {
            DocumentParse::from_scratch(parser, self.language, new).filter(allowed)
        };
        if stand_ins::is_lacking(&self.root) || stand_ins::is_lacking(new.root) {
            return from_scratch(parser);
        }
        // A text without faults has no more to say. This one's tree, if there is none yet, may cost far more than that of the new text.
        let scratched = (most == 0 && self.tree.get().is_none()).then(|| from_scratch(parser));
        if let Some(Some(parse)) = scratched {
            return Some(parse);
        }
        let edits = find_text_edits(old, new);
        let tree = self.tree();
        let tree = tree.map(|tree| tree.with_edits(old.bytes, &edits, new.bytes));
        let limit = ParseLimit::for_length(new.bytes.len());
        let again = tree.and_then(|tree| parser.parse(new.bytes, Some(&tree), limit).ok());
        let again = again.map(|tree| DocumentParse::of_tree(self.language, new.root, tree));
        let again = again.filter(allowed);
        again.or_else(|| scratched.unwrap_or_else(|| from_scratch(parser)))
    }
}
