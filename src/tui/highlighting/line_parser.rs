//! One line at a time: from the state before it and its text to its colours and the state after it. What was parsed lately is remembered.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use syntect::parsing::{ParseState, ScopeStack};

use super::scope_captures::ScopeCaptures;
use super::syntax_library::LinkedSyntax;

/// Longer lines, in bytes, are not coloured, as editors do it: the patterns of a definition may take the square of a line's length.
pub const LONGEST_LINE: usize = 4096;
/// This many lines are remembered at least, and twice as many at most.
const REMEMBERED_LINES: usize = 8192;
/// So many different states are kept at most.
const MOST_STATES: usize = 4096;
/// Where scopes are nested deeper, the parser begins anew: a state costs what its depth costs.
const DEEPEST_SCOPES: usize = 200;

/// A part of a line that is one capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureRun {
    /// Its bytes, counted from the beginning of the line.
    pub range: Range<usize>,
    /// The name of the capture, as in highlight queries.
    pub capture: &'static str,
}

/// The number of a state of a [`LineParser`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(u32);

impl StateId {
    /// The state before the first line.
    pub const START: StateId = StateId(0);
}

/// A line that was parsed: its runs, and the state after it.
type ParsedLine = (Arc<[CaptureRun]>, StateId);

/// A parser of lines by one syntax definition.
#[derive(Debug)]
pub struct LineParser {
    linked: LinkedSyntax,
    captures: ScopeCaptures,
    states: Vec<(ParseState, ScopeStack)>,
    states_by_hash: FxHashMap<u64, Vec<StateId>>,
    memo: LineMemo,
}

impl LineParser {
    /// A parser that has not seen a line.
    pub fn new(linked: LinkedSyntax) -> LineParser {
        let start = (ParseState::new(&linked.syntax), ScopeStack::new());
        LineParser {
            linked,
            captures: ScopeCaptures::default(),
            states: vec![start],
            states_by_hash: FxHashMap::default(),
            memo: LineMemo::default(),
        }
    }

    /// Whether it has no room for new states: it is time to begin with a new one.
    pub fn is_full(&self) -> bool {
        self.states.len() >= MOST_STATES
    }

    /// Parses a line without its end.
    pub fn parse_line(&mut self, before: StateId, line: &[u8]) -> ParsedLine {
        if line.len() > LONGEST_LINE {
            return (Arc::new([]), before);
        }
        let key = (before, hash_value(line));
        if let Some(known) = self.memo.find_line(key) {
            return known;
        }
        let parsed = self.parse_new_line(before, line);
        self.memo.add_line(key, parsed.clone());
        parsed
    }

    fn parse_new_line(&mut self, before: StateId, line: &[u8]) -> ParsedLine {
        let text = decode_line(line);
        let (mut state, mut scopes) = self.states[before.0 as usize].clone();
        // A definition that refers to what is not there cannot be linked, so this fails for no text.
        let Ok(changes) = state.parse_line(&text, &self.linked.set) else {
            return (Arc::new([]), before);
        };
        let mut runs: Vec<CaptureRun> = Vec::new();
        let mut from = 0;
        let ends = changes.iter().map(|(at, change)| (*at, Some(change)));
        for (at, change) in ends.chain([(line.len(), None)]) {
            let at = at.min(line.len());
            if from < at
                && let Some(capture) = self.captures.find_capture(scopes.as_slice())
            {
                match runs.last_mut() {
                    Some(last) if last.range.end == from && last.capture == capture => {
                        last.range.end = at;
                    }
                    _ => runs.push(CaptureRun {
                        range: from..at,
                        capture,
                    }),
                }
            }
            from = from.max(at);
            if change.is_some_and(|change| scopes.apply(change).is_err()) {
                break;
            }
        }
        (runs.into(), self.number_state(state, scopes))
    }

    fn number_state(&mut self, state: ParseState, scopes: ScopeStack) -> StateId {
        if scopes.len() > DEEPEST_SCOPES {
            return StateId::START;
        }
        let same = self
            .states_by_hash
            .entry(hash_value(scopes.as_slice()))
            .or_default();
        let new = (state, scopes);
        let known = same
            .iter()
            .find(|known| self.states[known.0 as usize] == new);
        if let Some(known) = known {
            return *known;
        }
        if self.states.len() >= MOST_STATES {
            return StateId::START;
        }
        let number = StateId(self.states.len() as u32);
        same.push(number);
        self.states.push(new);
        number
    }
}

/// The line as text with an end. Each byte that is not UTF-8 becomes one character of one byte, so places stay what they are.
fn decode_line(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len() + 1);
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text.push('\n');
    text
}

fn hash_value<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Lines that were parsed, by the state before them and the hash of their text. When the new ones are many, the old ones go.
#[derive(Debug, Default)]
struct LineMemo {
    new: FxHashMap<(StateId, u64), ParsedLine>,
    old: FxHashMap<(StateId, u64), ParsedLine>,
}

impl LineMemo {
    fn find_line(&mut self, key: (StateId, u64)) -> Option<ParsedLine> {
        if let Some(known) = self.new.get(&key) {
            return Some(known.clone());
        }
        let known = self.old.remove(&key)?;
        self.add_line(key, known.clone());
        Some(known)
    }

    fn add_line(&mut self, key: (StateId, u64), line: ParsedLine) {
        if self.new.len() >= REMEMBERED_LINES {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(key, line);
    }
}
