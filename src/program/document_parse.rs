//! What the parser knows of a document: how many faults it has, and a tree.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::node::ProgramNode;
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
    /// The parser's tree.
    pub tree: ParseTree,
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
                tree,
            },
            faults: Arc::default(),
            later: None,
        }
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

    /// Whether all of the text was parsed, and not only an excerpt.
    pub fn is_whole(&self) -> bool {
        self.later.is_none()
    }

    /// The last text that was parsed as a whole.
    pub(super) fn parsed_text(&self) -> &ParsedText {
        &self.parsed
    }

    /// Where the faults are, in the order in which they begin ([`ParseTree::find_faults`]).
    pub(super) fn faults(&self) -> &[Range<usize>] {
        self.faults.get_or_init(|| self.parsed.tree.find_faults())
    }

    /// The number of faults.
    pub fn count_faults(&self) -> u32 {
        self.faults().len() as u32
    }

    /// The tree of the text, if it is made already.
    pub fn known_tree(&self) -> Option<&ParseTree> {
        match &self.later {
            None => Some(&self.parsed.tree),
            Some(later) => later.tree.get()?.as_ref(),
        }
    }

    /// The tree of the text; none if its parse does not end within its limit. It is made when it is asked for the first time, unless the
    /// text was parsed as a whole.
    pub fn tree(&self) -> Option<&ParseTree> {
        let Some(later) = &self.later else {
            return Some(&self.parsed.tree);
        };
        let made = later.tree.get_or_init(|| {
            let language = self.parsed.language;
            let [old, new] = [&self.parsed.root, &later.root].map(walk::render_text);
            let new = PrintedText {
                root: &later.root,
                bytes: &language.mask_markers(&new),
            };
            let (parser, old) = (&mut language.new_parser(), language.mask_markers(&old));
            let read = |parser: &mut _, most| self.parsed.parse_next(parser, &old, new, most);
            let found = read(parser, self.count_faults()).or_else(|| read(parser, u32::MAX));
            found.map(|parse| parse.parsed.tree)
        });
        made.as_ref()
    }
}

impl ParsedText {
    /// Parses `new` with at most this many faults, from this text on, whose bytes are `own`, or from scratch: a tree of an incremental parse
    /// may have errors that a parse from scratch does not have. Both texts have their line markers masked.
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
        let limit = ParseLimit::for_length(new.bytes.len());
        let edits = find_text_edits(old, new);
        let tree = self.tree.with_edits(old.bytes, &edits, new.bytes);
        let mut parse = |before: Option<&ParseTree>| {
            let tree = parser.parse(new.bytes, before, limit).ok()?;
            let parse = DocumentParse::of_tree(self.language, new.root, tree);
            (parse.count_faults() <= most).then_some(parse)
        };
        parse(Some(&tree)).or_else(|| parse(None))
    }
}
