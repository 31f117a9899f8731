//! The choices of a token: how many bytes it has, unless its pattern says so, and for each byte its index among those that may stand
//! there.

use std::collections::BTreeSet;

use super::super::notation::ByteSet;
use super::super::syntax::TokenPattern;
use super::decode::ChoiceReader;

/// The choices of the tokens of a pattern.
pub(super) struct TokenChoices {
    steps: Vec<PatternStep>,
    start: usize,
    /// The length of all its texts; none if they have several.
    length: Option<usize>,
}

/// A step of a pattern; step 0 is its end.
enum PatternStep {
    End,
    Byte(ByteSet, usize),
    Split(Vec<usize>),
}

/// Steps at one place, those without a byte left out.
type StepSet = BTreeSet<usize>;

impl TokenChoices {
    pub fn new(pattern: &TokenPattern) -> TokenChoices {
        let mut choices = TokenChoices {
            steps: vec![PatternStep::End],
            start: 0,
            length: fixed_length(pattern),
        };
        choices.start = choices.add_pattern(pattern, 0);
        choices
    }

    /// The choices of a text; none if the pattern does not match it.
    pub fn encode(&self, text: &[u8]) -> Option<Vec<u32>> {
        let mut choices = Vec::new();
        if self.length.is_none() {
            choices.push(text.len() as u32);
        }
        let mut state = self.closure([self.start]);
        for (&byte, ends) in text.iter().zip(self.endings(text.len()).iter().rev()) {
            let bytes = self.bytes_to(&state, ends);
            let index = (bytes.len() > 1).then(|| bytes.iter().position(|&b| b == byte));
            match index {
                Some(index) => choices.push(index? as u32),
                None if bytes != [byte] => return None,
                None => {}
            }
            state = self.step_over(&state, byte);
        }
        state.contains(&0).then_some(choices)
    }

    /// The text of the next choices; none if no text has the length, or the choices are too few.
    pub fn decode(&self, reader: &mut ChoiceReader) -> Option<Vec<u8>> {
        let length = match self.length {
            Some(length) => length,
            // A byte takes a choice or is certain; what is certain throughout has a fixed length.
            None => {
                let length = reader.take_number()? as usize;
                let most = reader.left().saturating_mul(self.steps.len());
                (length <= most).then_some(length)?
            }
        };
        let mut text = Vec::new();
        let mut state = self.closure([self.start]);
        for ends in self.endings(length).iter().rev() {
            let bytes = self.bytes_to(&state, ends);
            let byte = match bytes[..] {
                [only] => only,
                _ => bytes[reader.take(bytes.len() as u32)? as usize],
            };
            text.push(byte);
            state = self.step_over(&state, byte);
        }
        state.contains(&0).then_some(text)
    }

    /// For 0, 1, …, `length` - 1 bytes the steps from which the end is that many bytes away.
    fn endings(&self, length: usize) -> Vec<StepSet> {
        let mut all: Vec<StepSet> = Vec::new();
        let mut ends = StepSet::from([0]);
        for _ in 0..length {
            let before = self
                .steps
                .iter()
                .enumerate()
                .filter(|(_, step)| match step {
                    PatternStep::Byte(set, next) => {
                        *set != ByteSet::NONE && !self.closure([*next]).is_disjoint(&ends)
                    }
                    PatternStep::End | PatternStep::Split(_) => false,
                });
            let before = before.map(|(at, _)| at).collect();
            all.push(std::mem::replace(&mut ends, before));
        }
        all
    }

    /// The bytes that lead from here to one of these steps.
    fn bytes_to(&self, state: &StepSet, ends: &StepSet) -> Vec<u8> {
        let mut leads = [false; 256];
        for &at in state {
            if let PatternStep::Byte(set, next) = &self.steps[at]
                && !self.closure([*next]).is_disjoint(ends)
            {
                (0..=u8::MAX)
                    .filter(|&byte| set.contains(byte))
                    .for_each(|byte| leads[byte as usize] = true);
            }
        }
        (0..=u8::MAX).filter(|&byte| leads[byte as usize]).collect()
    }

    fn step_over(&self, state: &StepSet, byte: u8) -> StepSet {
        self.closure(state.iter().filter_map(|&at| match &self.steps[at] {
            PatternStep::Byte(set, next) if set.contains(byte) => Some(*next),
            _ => None,
        }))
    }

    fn closure(&self, from: impl IntoIterator<Item = usize>) -> StepSet {
        let (mut seen, mut open) = (StepSet::new(), from.into_iter().collect::<Vec<_>>());
        while let Some(at) = open.pop() {
            if seen.insert(at)
                && let PatternStep::Split(ways) = &self.steps[at]
            {
                open.extend(ways);
            }
        }
        seen.retain(|&at| !matches!(self.steps[at], PatternStep::Split(_)));
        seen
    }

    fn add_step(&mut self, step: PatternStep) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Builds from the end to the start. Recursion is as deep as the pattern.
    fn add_pattern(&mut self, pattern: &TokenPattern, next: usize) -> usize {
        match pattern {
            TokenPattern::Text(text) => text.iter().rev().fold(next, |next, &byte| {
                let mut set = ByteSet::NONE;
                set.insert_range(byte, byte);
                self.add_step(PatternStep::Byte(set, next))
            }),
            TokenPattern::One(set) => self.add_step(PatternStep::Byte(*set, next)),
            TokenPattern::Seq(parts) => {
                let parts = parts.iter().rev();
                parts.fold(next, |next, part| self.add_pattern(part, next))
            }
            TokenPattern::Choice(parts) => {
                let ways = parts
                    .iter()
                    .map(|part| self.add_pattern(part, next))
                    .collect();
                self.add_step(PatternStep::Split(ways))
            }
            TokenPattern::Star(inner) => self.add_repeat(inner, next).0,
            TokenPattern::Plus(inner) => self.add_repeat(inner, next).1,
            TokenPattern::Opt(inner) => {
                let some = self.add_pattern(inner, next);
                self.add_step(PatternStep::Split(vec![some, next]))
            }
        }
    }

    fn add_repeat(&mut self, inner: &TokenPattern, next: usize) -> (usize, usize) {
        let again = self.add_step(PatternStep::Split(Vec::new()));
        let body = self.add_pattern(inner, again);
        self.steps[again] = PatternStep::Split(vec![body, next]);
        (again, body)
    }
}

/// The length of all texts of a pattern; none if they have several.
fn fixed_length(pattern: &TokenPattern) -> Option<usize> {
    match pattern {
        TokenPattern::Text(text) => Some(text.len()),
        TokenPattern::One(_) => Some(1),
        TokenPattern::Seq(parts) => parts.iter().map(fixed_length).sum(),
        TokenPattern::Choice(parts) => {
            let mut lengths = parts.iter().map(fixed_length);
            let first = lengths.next()??;
            lengths.all(|length| length == Some(first)).then_some(first)
        }
        TokenPattern::Star(_) | TokenPattern::Plus(_) | TokenPattern::Opt(_) => None,
    }
}
