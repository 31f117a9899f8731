//! The colours of the visible text: of the parse tree, or where no tree says them, of the lines that the highlighter has told so far.

use std::ops::Range;
use std::sync::Arc;

use ratatui::style::Style;

use crate::program::{Document, ProgramNode, Version};
use crate::tui::highlighting::{HighlightRequest, HighlightedLine, HighlightedLines, SyntaxChoice};
use crate::tui::program_view::lines::{self, VisibleLine};
use crate::tui::theme::ResolvedTheme;

/// How many bytes before the visible text are parsed with it, where the parser's tree is not known.
const EXCERPT_BEFORE: usize = 4096;

/// The text that a frame shows.
pub struct ShownText<'a> {
    /// The number of the version.
    pub number: u64,
    /// The version.
    pub version: &'a Version,
    /// The number of the document.
    pub document: usize,
    /// The number of the first line.
    pub first_line: u32,
    /// The lines.
    pub lines: &'a [VisibleLine<'a>],
    /// Of a line, bytes beyond this may be left out.
    pub cut: usize,
    /// The bytes of the lines in the document.
    pub range: Range<usize>,
}

impl ShownText<'_> {
    fn find_document(&self) -> &Document {
        &self.version.documents()[self.document]
    }
}

/// The colours of the visible text, kept until the program or the visible part of it changes.
#[derive(Debug, Default)]
pub struct ProgramHighlights {
    /// The version, the document and the byte range that `runs` belong to; none if they are to be found again.
    key: Option<(u64, usize, Range<usize>)>,
    runs: Vec<(Range<usize>, Style)>,
    /// What the highlighter told last.
    told: Option<HighlightedLines>,
    /// The text that it was asked about last.
    asked: Option<(Arc<ProgramNode>, usize, Range<u32>)>,
    /// What it is still to be asked.
    request: Option<HighlightRequest>,
}

impl ProgramHighlights {
    /// Drops the colours, which the theme says; what they are colours of stays.
    pub fn forget_styles(&mut self) {
        self.key = None;
    }

    /// What the highlighter is to be asked.
    pub fn take_request(&mut self) -> Option<HighlightRequest> {
        self.request.take()
    }

    /// Takes what it tells.
    pub fn apply_lines(&mut self, told: HighlightedLines) {
        (self.told, self.key) = (Some(told), None);
    }

    /// Finds the colours of a text. `is_link` says that it is the path in a symbolic link.
    pub fn update_highlights(&mut self, theme: &ResolvedTheme, shown: &ShownText, is_link: bool) {
        let syntax = choose_syntax(shown.find_document()).filter(|_| !is_link);
        if let Some(syntax) = &syntax {
            self.ask_about(shown, syntax);
        }
        let key = Some((shown.number, shown.document, shown.range.clone()));
        if self.key == key {
            return;
        }
        let found = match &syntax {
            Some(_) => self.find_told_runs(shown),
            None => find_tree_runs(shown),
        };
        let style = |(range, capture): (_, &str)| (range, theme.syntax.capture_style(capture));
        self.runs = found.into_iter().map(style).collect();
        self.key = key;
    }

    /// The style of a byte of the document.
    pub fn style_at(&self, byte: usize) -> Style {
        let after = self.runs.partition_point(|(range, _)| range.end <= byte);
        self.runs
            .get(after)
            .filter(|(range, _)| range.contains(&byte))
            .map_or(Style::new(), |(_, style)| *style)
    }

    /// Asks for the visible lines and as many around them, unless that was done.
    fn ask_about(&mut self, shown: &ShownText, syntax: &SyntaxChoice) {
        let root = &shown.find_document().root;
        let count = shown.lines.len() as u32;
        let first = shown.first_line.saturating_sub(count);
        let lines = first..shown.first_line + 2 * count;
        let is_asked = self.asked.as_ref().is_some_and(|(known, document, range)| {
            Arc::ptr_eq(known, root) && *document == shown.document && *range == lines
        });
        if is_asked {
            return;
        }
        self.asked = Some((root.clone(), shown.document, lines.clone()));
        self.request = Some(HighlightRequest {
            syntax: syntax.clone(),
            document: shown.document,
            root: root.clone(),
            lines,
        });
    }

    /// The runs of the visible lines, as far as they are known.
    fn find_told_runs(&self, shown: &ShownText) -> Vec<(Range<usize>, &'static str)> {
        let told = self.told.as_ref();
        let Some(told) = told.filter(|told| told.document == shown.document) else {
            return Vec::new();
        };
        let mut runs = Vec::new();
        for (number, line) in (shown.first_line..).zip(shown.lines) {
            let Some(start) = line.segments.first().map(|first| first.byte as usize) else {
                continue;
            };
            let text = line.collect_bytes();
            let found = find_told_line(told, number, &text, text.len() >= shown.cut);
            let own = found.into_iter().flat_map(|found| found.runs.iter());
            runs.extend(own.map(|run| {
                let Range {
                    start: from,
                    end: to,
                } = run.range;
                (start + from..start + to, run.capture)
            }));
        }
        runs
    }
}

/// The line that was told and has this text, the one of this number first. In another version the lines around a change have other numbers. `is_cut` says
/// that the text is only the beginning of a line.
fn find_told_line<'a>(
    told: &'a HighlightedLines,
    number: u32,
    text: &[u8],
    is_cut: bool,
) -> Option<&'a HighlightedLine> {
    let is_it =
        |line: &&HighlightedLine| line.text == text || is_cut && line.text.starts_with(text);
    let near = number.saturating_sub(told.first) as usize;
    let (before, after) = told.lines.split_at(near.min(told.lines.len()));
    after.iter().chain(before.iter().rev()).find(is_it)
}

/// What says the colours of a document line by line; none if its tree does.
fn choose_syntax(document: &Document) -> Option<SyntaxChoice> {
    let by_name = || SyntaxChoice::Name(document.path.clone());
    let Some(language) = document.language else {
        return Some(by_name());
    };
    match language.syntax_file() {
        Some(file) => Some(SyntaxChoice::File(file)),
        None => (!language.has_highlights()).then(by_name),
    }
}

/// The runs of a text whose tree says them.
fn find_tree_runs(shown: &ShownText) -> Vec<(Range<usize>, &'static str)> {
    let document = shown.find_document();
    let Some(language) = document.language else {
        return Vec::new();
    };
    let range = shown.range.clone();
    let bytes = |range| lines::bytes_in_range(&document.root, range);
    match shown.version.known_parse_tree(shown.document) {
        Some(tree) => language.highlight_range(tree, &bytes, range),
        // Most versions of a history, and of a large program, have no tree; a whole parse would hold the screen.
        None => {
            let start = range.start.saturating_sub(EXCERPT_BEFORE);
            language.highlight_excerpt(&bytes(start..range.end), start, range)
        }
    }
}
