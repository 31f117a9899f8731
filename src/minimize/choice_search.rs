//! The search for a small sequence of choices: what Hypothesis does to make its examples small (MacIver and Donaldson, "Test-Case Reduction
//! via Test-Case Generation: Insights From the Hypothesis Reducer", ECOOP 2020), with the edits of Perses first.
//!
//! A sequence is smaller if it is shorter, or as long with a smaller number at the first place where the two differ. The questions go from
//! coarse to fine, in rounds until a round changes nothing ([`QUESTION_KINDS`]). Whoever drives the search says which stretches of the
//! sequence belong together, and drops edits that make no program.

use std::ops::Range;
use std::sync::Arc;

/// A sequence of choices, and the stretches of it that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChoiceSequence {
    /// The choices; 0 is the simplest.
    pub choices: Arc<[u32]>,
    /// The stretches, by their starts, outer ones first.
    pub stretches: Arc<[ChoiceStretch]>,
}

/// A stretch of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceStretch {
    /// Its choices.
    pub range: Range<usize>,
    /// Stretches of one label may stand in each other's places.
    pub label: u32,
    /// How it may go.
    pub removal: StretchRemoval,
}

/// How a stretch of choices may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchRemoval {
    /// It is needed; another one of its label may replace it.
    Needed,
    /// The stretch goes.
    Cut,
    /// A 0 replaces it.
    Zero,
}

/// What a question would do to a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceQuestion {
    /// A stretch is replaced by one inside it of the same label, which is given.
    ReplaceByInner(u32),
    /// A stretch goes.
    Remove,
    /// So many choices in a row go.
    Cut(usize),
    /// So many choices in a row become 0.
    Zero(usize),
    /// A choice becomes this one, which is lower.
    Lower(u32),
    /// Two neighbouring stretches of one label change places.
    Swap,
    /// A choice becomes one less, and the next ones go, so many of them.
    LowerAndCut(usize),
}

/// The kinds of questions, from coarse to fine.
const QUESTION_KINDS: &[fn(&mut QuestionCursor, &ChoiceSequence) -> Asked] = &[
    QuestionCursor::ask_replacement,
    QuestionCursor::ask_removal,
    QuestionCursor::ask_long_cut,
    QuestionCursor::ask_cut,
    QuestionCursor::ask_zeros,
    QuestionCursor::ask_lower,
    QuestionCursor::ask_swap,
    QuestionCursor::ask_lower_and_cut,
];

/// The longest chunk of choices that goes, or becomes 0, at once.
const LONGEST_CHUNK: usize = 8;

/// The most alternatives of which the remainder of a choice is tried.
const MOST_ALTERNATIVES: u32 = 32;

/// The most choices that go behind one that becomes lower.
const MOST_BEHIND_LOWER: usize = 4;

/// What a cursor asks: nothing if it is at its end.
type Asked = Option<(Vec<u32>, ChoiceQuestion)>;

/// The state of a search.
#[derive(Clone, Debug, Default)]
pub struct ChoiceSearch {
    kind: usize,
    cursor: QuestionCursor,
    /// Whether the round has made the sequence smaller.
    changed: bool,
}

/// Where the questions of one kind are. A cursor goes on after an uninteresting answer, and stays after an interesting one.
#[derive(Clone, Debug, Default)]
struct QuestionCursor {
    /// The place: the number of a stretch or a choice, or how many were asked about from the back.
    at: usize,
    /// How many questions were asked at the place.
    tried: usize,
    /// The highest number that was tried in vain for the choice.
    low: Option<u32>,
    /// The index into the lengths of chunks; of long chunks the length, 0 before the first.
    length: usize,
    /// What the question changes, so that the place can be found again.
    changes: usize,
}

impl ChoiceSearch {
    /// The next smaller sequence to try; none if a whole round has changed nothing. Asked twice, it says the same.
    pub fn propose(&mut self, sequence: &ChoiceSequence) -> Asked {
        loop {
            match QUESTION_KINDS.get(self.kind) {
                Some(ask) => {
                    if let Some((choices, question)) = ask(&mut self.cursor, sequence) {
                        if is_smaller(&choices, &sequence.choices) {
                            return Some((choices, question));
                        }
                        self.cursor.on_failure(self.kind);
                        continue;
                    }
                    self.kind += 1;
                    self.cursor = QuestionCursor::default();
                }
                None if self.changed => *self = ChoiceSearch::default(),
                None => return None,
            }
        }
    }

    /// What was proposed is uninteresting, or no program.
    pub fn on_failure(&mut self) {
        self.cursor.on_failure(self.kind);
    }

    /// What was proposed is now the sequence, perhaps without choices at its end that are not needed.
    pub fn on_success(&mut self, sequence: &ChoiceSequence) {
        self.changed = true;
        self.cursor.on_success(self.kind, sequence);
    }
}

/// Whether a sequence is smaller than another.
pub fn is_smaller(new: &[u32], old: &[u32]) -> bool {
    (new.len(), new) < (old.len(), old)
}

impl QuestionCursor {
    /// A stretch is replaced by one inside it, the shortest first; outer stretches first.
    fn ask_replacement(&mut self, sequence: &ChoiceSequence) -> Asked {
        let stretches = &sequence.stretches;
        while let Some(outer) = stretches.get(self.at) {
            let inside = stretches[self.at + 1..].iter();
            let inside = inside.take_while(|inner| inner.range.start < outer.range.end);
            let mut inner: Vec<&ChoiceStretch> = inside
                .filter(|inner| inner.label == outer.label && inner.range.end <= outer.range.end)
                .collect();
            inner.sort_by_key(|inner| (inner.range.len(), inner.range.start));
            if let Some(inner) = inner.get(self.tried) {
                let with = &sequence.choices[inner.range.clone()];
                let choices = splice(sequence, outer.range.clone(), with);
                return Some((choices, ChoiceQuestion::ReplaceByInner(outer.label)));
            }
            (self.at, self.tried) = (self.at + 1, 0);
        }
        None
    }

    /// A stretch goes, from the back to the front.
    fn ask_removal(&mut self, sequence: &ChoiceSequence) -> Asked {
        let mut removable = sequence
            .stretches
            .iter()
            .rev()
            .filter(|stretch| stretch.removal != StretchRemoval::Needed);
        let stretch = removable.nth(self.at)?;
        self.changes = stretch.range.start;
        let with: &[u32] = match stretch.removal {
            StretchRemoval::Zero => &[0],
            StretchRemoval::Cut | StretchRemoval::Needed => &[],
        };
        let choices = splice(sequence, stretch.range.clone(), with);
        Some((choices, ChoiceQuestion::Remove))
    }

    /// Long chunks of choices go, from the back to the front: half of them, a quarter and so on, in powers of two down to 16. Only where
    /// there are no stretches, which say it better. What a generator does not read goes here.
    fn ask_long_cut(&mut self, sequence: &ChoiceSequence) -> Asked {
        if !sequence.stretches.is_empty() {
            return None;
        }
        let all = sequence.choices.len();
        if self.length == 0 {
            self.length = (all / 2).checked_ilog2().map_or(1, |log| 1 << log);
        }
        while self.length > LONGEST_CHUNK {
            if let Some(start) = all.checked_sub(self.length + self.at) {
                let choices = splice(sequence, start..start + self.length, &[]);
                self.changes = start;
                return Some((choices, ChoiceQuestion::Cut(self.length)));
            }
            (self.at, self.length) = (0, self.length / 2);
        }
        None
    }

    /// Chunks of 8, 7, …, 1 choices go, from the back to the front.
    fn ask_cut(&mut self, sequence: &ChoiceSequence) -> Asked {
        let all = sequence.choices.len();
        while let Some(length) = LONGEST_CHUNK.checked_sub(self.length).filter(|&l| l > 0) {
            if let Some(start) = all.checked_sub(length + self.at) {
                let choices = splice(sequence, start..start + length, &[]);
                self.changes = start;
                return Some((choices, ChoiceQuestion::Cut(length)));
            }
            (self.at, self.length) = (0, self.length + 1);
        }
        None
    }

    /// Chunks of 8, 4, 2, 1 choices become 0, from the back to the front.
    fn ask_zeros(&mut self, sequence: &ChoiceSequence) -> Asked {
        let all = sequence.choices.len();
        while let Some(length) =
            (LONGEST_CHUNK >> self.length > 0).then_some(LONGEST_CHUNK >> self.length)
        {
            while let Some(start) = all.checked_sub(length * (self.at + 1)) {
                let chunk = start..start + length;
                if sequence.choices[chunk.clone()]
                    .iter()
                    .any(|&choice| choice > 0)
                {
                    let choices = splice(sequence, chunk, &[0; LONGEST_CHUNK][..length]);
                    return Some((choices, ChoiceQuestion::Zero(length)));
                }
                self.at += 1;
            }
            (self.at, self.length) = (0, self.length + 1);
        }
        None
    }

    /// A choice becomes 0, else 1, else half of what is between, and so on. Where there are no stretches it becomes its remainders before
    /// that: a generator that has n alternatives takes number c mod n.
    fn ask_lower(&mut self, sequence: &ChoiceSequence) -> Asked {
        while let Some(&choice) = sequence.choices.get(self.at) {
            let next = match self.low {
                None => 0,
                Some(0) => 1,
                Some(low) => {
                    let remainder = match sequence.stretches.is_empty() {
                        true => next_remainder(choice, low),
                        false => None,
                    };
                    remainder.unwrap_or(low + choice.saturating_sub(low) / 2)
                }
            };
            if next < choice && self.low.is_none_or(|low| low < next) {
                let choices = splice(sequence, self.at..self.at + 1, &[next]);
                self.changes = next as usize;
                return Some((choices, ChoiceQuestion::Lower(next)));
            }
            (self.at, self.low) = (self.at + 1, None);
        }
        None
    }

    /// Two neighbouring stretches of one label change places. What is between them stays.
    fn ask_swap(&mut self, sequence: &ChoiceSequence) -> Asked {
        let stretches = &sequence.stretches;
        while let Some(first) = stretches.get(self.at) {
            let mut behind = stretches[self.at + 1..].iter();
            let second = behind.find(|second| {
                second.label == first.label && second.range.start >= first.range.end
            });
            if let Some(second) = second.filter(|_| self.tried == 0) {
                let choices = &sequence.choices;
                let swapped = [
                    &choices[second.range.clone()],
                    &choices[first.range.end..second.range.start],
                    &choices[first.range.clone()],
                ];
                let range = first.range.start..second.range.end;
                let choices = splice(sequence, range, &swapped.concat());
                return Some((choices, ChoiceQuestion::Swap));
            }
            (self.at, self.tried) = (self.at + 1, 0);
        }
        None
    }

    /// A choice becomes one less, and the next one, two, three or four go.
    fn ask_lower_and_cut(&mut self, sequence: &ChoiceSequence) -> Asked {
        while let Some(&choice) = sequence.choices.get(self.at) {
            let cut = self.tried + 1;
            let range = self.at..self.at + 1 + cut;
            if choice > 0 && cut <= MOST_BEHIND_LOWER && range.end <= sequence.choices.len() {
                let choices = splice(sequence, range, &[choice - 1]);
                return Some((choices, ChoiceQuestion::LowerAndCut(cut)));
            }
            (self.at, self.tried) = (self.at + 1, 0);
        }
        None
    }

    fn on_failure(&mut self, kind: usize) {
        match kind {
            // Several questions at a place.
            0 | 6 | 7 => self.tried += 1,
            // Long chunks do not overlap.
            2 => self.at += self.length,
            5 => self.low = Some(self.changes as u32),
            _ => self.at += 1,
        }
    }

    fn on_success(&mut self, kind: usize, now: &ChoiceSequence) {
        match kind {
            // What stands in its place has stretches of its own.
            0 | 6 | 7 => self.tried = 0,
            // What is behind the place was asked about, and may have lost stretches.
            1 => {
                let behind = now.stretches.iter().filter(|stretch| {
                    stretch.removal != StretchRemoval::Needed && stretch.range.start >= self.changes
                });
                self.at = behind.count().min(self.at);
            }
            // The choices behind the place stay behind it, unless they were cut off.
            2 | 3 => self.at = now.choices.len().saturating_sub(self.changes).min(self.at),
            _ => {}
        }
    }
}

/// The least remainder of a choice above `low`, for numbers of alternatives that are usual.
fn next_remainder(choice: u32, low: u32) -> Option<u32> {
    let remainders = (2..=MOST_ALTERNATIVES).map(|count| choice % count);
    remainders
        .filter(|found| *found > low && *found < choice)
        .min()
}

/// The choices with others in the place of a range.
fn splice(sequence: &ChoiceSequence, range: Range<usize>, with: &[u32]) -> Vec<u32> {
    let choices = &sequence.choices;
    [&choices[..range.start], with, &choices[range.end..]].concat()
}
