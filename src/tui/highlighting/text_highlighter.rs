//! The highlighting of a text as a state machine: a request for the visible lines of a version, then slices of work and updates. It has no thread
//! and no clock of its own.

use std::ops::Range;
use std::sync::Arc;

use super::line_parser::{CaptureRun, LineParser, StateId};
use super::syntax_library::{SyntaxChoice, SyntaxLibrary};
use super::version_lines::{CommonLines, LineReader};
use crate::program::ProgramNode;

/// A state is kept every so many lines; so many are parsed in a slice of the work behind the visible lines.
const CHECKPOINT_LINES: u32 = 100;
/// Where no state is known so near above the visible lines, the parser begins with a guess.
const MOST_LINES_ABOVE: u32 = 500;
/// How many lines above the visible ones it begins then.
const GUESS_LINES: u32 = 300;

/// What the pane asks: the colours of these lines of a version.
#[derive(Clone, Debug)]
pub struct HighlightRequest {
    /// What says them.
    pub syntax: SyntaxChoice,
    /// The number of the document.
    pub document: usize,
    /// Its tree.
    pub root: Arc<ProgramNode>,
    /// The lines, from 0; some may not exist.
    pub lines: Range<u32>,
}

/// A line with its colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightedLine {
    /// Its text, without its end; of a very long line the beginning.
    pub text: Vec<u8>,
    /// Its runs.
    pub runs: Arc<[CaptureRun]>,
}

/// Lines of a version with their colours.
#[derive(Clone, Debug)]
pub struct HighlightedLines {
    /// The number of the document.
    pub document: usize,
    /// Its tree.
    pub root: Arc<ProgramNode>,
    /// The number of the first line.
    pub first: u32,
    /// The lines.
    pub lines: Vec<HighlightedLine>,
}

/// What the pane is told.
#[derive(Clone, Debug)]
pub enum HighlightUpdate {
    /// The colours of lines.
    Lines(HighlightedLines),
    /// Why there are none. It is told once.
    Problem(String),
}

/// So many lines behind the visible ones are read too: the user may scroll there.
const LINES_AHEAD: u32 = 1_000;
/// What is visible further behind the last certain state than that is coloured by a guess, and stays so: a long file is not read for it.
const MOST_LINES_TO_CERTAINTY: u32 = 20_000;

/// What a slice of work came to.
#[derive(Clone, Debug)]
pub enum HighlightStep {
    /// Something to tell.
    Update(HighlightUpdate),
    /// More work is left.
    Working,
    /// There is nothing to do before the next request.
    Idle,
}

/// The state before a line, as it was found once.
#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    line: u32,
    state: StateId,
    /// Checkpoints of one chain follow from each other: if one holds, so do those after it.
    chain: u64,
}

/// The document that was asked for last.
#[derive(Debug)]
struct HighlightedDocument {
    document: usize,
    root: Arc<ProgramNode>,
    /// States that follow from the first line. The last one is where the work behind the visible lines stands.
    exact: Vec<Checkpoint>,
    /// States behind them from before a change, which may hold.
    assumed: Vec<Checkpoint>,
    /// The number of the next chain.
    next_chain: u64,
    visible: Range<u32>,
    /// Whether the visible lines are to be told.
    is_wanted: bool,
    /// What was told of them, if that rests on a guess.
    guessed: Option<Vec<HighlightedLine>>,
}

/// The highlighting of one document at a time.
#[derive(Debug, Default)]
pub struct TextHighlighter {
    library: SyntaxLibrary,
    parser: Option<(SyntaxChoice, LineParser)>,
    /// The choices that cannot be used.
    refused: Vec<SyntaxChoice>,
    problem: Option<String>,
    shown: Option<HighlightedDocument>,
}

impl TextHighlighter {
    /// Takes a request; what is left of the last one is dropped.
    pub fn take_request(&mut self, request: HighlightRequest) {
        self.choose_parser(&request.syntax);
        if self.parser.is_none() {
            self.shown = None;
            return;
        }
        let known = self.shown.take();
        let known = known.filter(|known| known.document == request.document);
        let mut shown = known.unwrap_or_else(|| HighlightedDocument::new(&request));
        shown.change_version(&request.root);
        let last = request.root.sums().newlines + 1;
        shown.visible = request.lines.start.min(last)..request.lines.end.min(last);
        shown.is_wanted = true;
        shown.guessed = None;
        self.shown = Some(shown);
    }

    /// Does a slice of work: the visible lines, or a hundred of the others.
    pub fn advance(&mut self) -> HighlightStep {
        if let Some(problem) = self.problem.take() {
            return HighlightStep::Update(HighlightUpdate::Problem(problem));
        }
        let (Some((_, parser)), Some(shown)) = (&mut self.parser, &mut self.shown) else {
            return HighlightStep::Idle;
        };
        if std::mem::take(&mut shown.is_wanted) {
            return match shown.highlight_visible(parser) {
                Some(lines) => HighlightStep::Update(HighlightUpdate::Lines(lines)),
                None => HighlightStep::Working,
            };
        }
        shown.highlight_rest(parser)
    }

    /// Does all work up to the first lines, for who needs no thread.
    pub fn highlight_now(&mut self, request: HighlightRequest) -> Option<HighlightUpdate> {
        self.take_request(request);
        loop {
            match self.advance() {
                HighlightStep::Update(update) => return Some(update),
                HighlightStep::Working => {}
                HighlightStep::Idle => return None,
            }
        }
    }

    fn choose_parser(&mut self, syntax: &SyntaxChoice) {
        let is_it =
            |(known, parser): &(SyntaxChoice, LineParser)| known == syntax && !parser.is_full();
        if self.parser.as_ref().is_some_and(is_it) {
            return;
        }
        (self.parser, self.shown) = (None, None);
        if self.refused.contains(syntax) {
            return;
        }
        match self.library.find_syntax(syntax) {
            Ok(Some(linked)) => self.parser = Some((syntax.clone(), LineParser::new(linked))),
            Ok(None) => self.refused.push(syntax.clone()),
            Err(error) => {
                self.refused.push(syntax.clone());
                self.problem = Some(format!("{error}; this file is not used for colours"));
            }
        }
    }
}

impl HighlightedDocument {
    fn new(request: &HighlightRequest) -> HighlightedDocument {
        let start = Checkpoint {
            line: 0,
            state: StateId::START,
            chain: 0,
        };
        HighlightedDocument {
            document: request.document,
            root: request.root.clone(),
            exact: vec![start],
            assumed: Vec::new(),
            next_chain: 1,
            visible: 0..0,
            is_wanted: false,
            guessed: None,
        }
    }

    fn count_lines(&self) -> u32 {
        self.root.sums().newlines + 1
    }

    /// Keeps the states in front of a change, and moves those behind it to their new lines.
    fn change_version(&mut self, new: &Arc<ProgramNode>) {
        if Arc::ptr_eq(&self.root, new) {
            return;
        }
        let common = CommonLines::between(&self.root, new);
        let (old_ends, new_ends) = (self.root.sums().newlines, new.sums().newlines);
        let first_behind = old_ends - common.behind + 1;
        let is_in_front = |checkpoint: &Checkpoint| checkpoint.line <= common.before;
        let states = self.exact.iter().chain(&self.assumed);
        let behind =
            states.filter(|checkpoint| !is_in_front(checkpoint) && checkpoint.line >= first_behind);
        let mut behind: Vec<Checkpoint> = behind.copied().collect();
        // What follows from the states behind a change does not follow from those in front of it.
        for chain in behind.chunk_by_mut(|a, b| a.chain == b.chain) {
            for checkpoint in chain {
                checkpoint.line = checkpoint.line + new_ends - old_ends;
                checkpoint.chain = self.next_chain;
            }
            self.next_chain += 1;
        }
        self.exact.retain(is_in_front);
        self.assumed.retain(is_in_front);
        self.assumed.extend(behind);
        self.root = new.clone();
    }

    /// Parses the visible lines from the nearest state above them. None if what was told of them still holds.
    fn highlight_visible(&mut self, parser: &mut LineParser) -> Option<HighlightedLines> {
        let first = self.visible.start;
        let at_or_above = |list: &[Checkpoint]| {
            let after = list.partition_point(|checkpoint| checkpoint.line <= first);
            list[..after].last().copied()
        };
        let assumed = at_or_above(&self.assumed);
        let is_known = assumed.is_none();
        let nearest = assumed.or_else(|| at_or_above(&self.exact));
        let near = nearest.filter(|nearest| first - nearest.line <= MOST_LINES_ABOVE);
        let is_exact = is_known && near.is_some();
        let (from, mut state) = match near {
            Some(nearest) => (nearest.line, nearest.state),
            None => (first.saturating_sub(GUESS_LINES), StateId::START),
        };
        let mut lines = Vec::with_capacity(self.visible.len());
        let texts = LineReader::from_line(&self.root, from);
        for (line, text) in (from..self.visible.end).zip(texts) {
            let (runs, after) = parser.parse_line(state, &text);
            state = after;
            if line >= first {
                lines.push(HighlightedLine { text, runs });
            }
        }
        let told = self.guessed.take();
        if !is_exact {
            self.guessed = Some(lines.clone());
        }
        if told.as_ref() == Some(&lines) {
            return None;
        }
        Some(HighlightedLines {
            document: self.document,
            root: self.root.clone(),
            first,
            lines,
        })
    }

    /// The line up to which states are made certain: that of the visible lines, and some behind them, where that is near enough.
    fn wanted_line(&self, from: u32) -> u32 {
        let wanted = (self.visible.end + LINES_AHEAD).min(self.count_lines());
        match wanted.saturating_sub(from) > MOST_LINES_TO_CERTAINTY {
            true => from,
            false => wanted,
        }
    }

    /// Goes on from the last state that is certain, as far as the visible lines need it.
    fn highlight_rest(&mut self, parser: &mut LineParser) -> HighlightStep {
        let Some(from) = self.exact.last().copied() else {
            return HighlightStep::Idle;
        };
        let count = self.count_lines();
        if from.line >= self.wanted_line(from.line) {
            return HighlightStep::Idle;
        }
        let mut state = from.state;
        let mut line = from.line;
        let end = (from.line + CHECKPOINT_LINES).min(count);
        let mut has_met = false;
        let root = self.root.clone();
        for text in LineReader::from_line(&root, line).take((end - line) as usize) {
            state = parser.parse_line(state, &text).1;
            line += 1;
            if self.meets_assumed(line, state) {
                has_met = true;
                break;
            }
        }
        if !has_met {
            // A reader that ends early has read all there is.
            let line = line.max(end);
            let chain = from.chain;
            self.exact.push(Checkpoint { line, state, chain });
        }
        let reached = self.exact.last().map_or(0, |last| last.line);
        if self.guessed.is_some() && reached >= self.visible.start {
            self.is_wanted = true;
        }
        HighlightStep::Working
    }

    /// Whether the state before this line is one that was known before a change: then it and its followers are certain again.
    fn meets_assumed(&mut self, line: u32, state: StateId) -> bool {
        let passed = self.assumed.partition_point(|known| known.line < line);
        self.assumed.drain(..passed);
        let Some(known) = self.assumed.first().filter(|known| known.line == line) else {
            return false;
        };
        if known.state != state {
            self.assumed.remove(0);
            return false;
        }
        let (known, chain) = (*known, self.exact.last().map_or(0, |last| last.chain));
        let same = self
            .assumed
            .iter()
            .take_while(|next| next.chain == known.chain);
        let met: Vec<Checkpoint> = same.map(|next| Checkpoint { chain, ..*next }).collect();
        self.assumed.drain(..met.len());
        self.exact.extend(met);
        true
    }
}
