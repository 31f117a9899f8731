//! From choices to a program.

use super::super::rules::SymbolId;
use super::rule_program::ChoiceStep;
use super::{ChoiceDerivation, ChoiceGrammar, ChoiceSpan, ChoiceSpanKind};

/// Takes one choice after the other, each brought into its range.
pub(super) struct ChoiceReader<'a> {
    choices: &'a [u32],
    pub used: Vec<u32>,
}

impl ChoiceReader<'_> {
    /// The next choice of `ways`; none if there are no more choices, or no ways.
    pub fn take(&mut self, ways: u32) -> Option<u32> {
        let choice = self.take_number()?.checked_rem(ways)?;
        *self.used.last_mut()? = choice;
        Some(choice)
    }

    /// The next choice as it is.
    pub fn take_number(&mut self) -> Option<u32> {
        let choice = *self.choices.get(self.used.len())?;
        self.used.push(choice);
        Some(choice)
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.choices.len() - self.used.len()
    }
}

/// A rule whose derivation has begun.
struct OpenRule {
    rule: usize,
    step: usize,
    span: usize,
    /// The elements and options of the rule that are open: the step of each, and its span.
    open: Vec<(usize, usize)>,
}

impl ChoiceGrammar {
    /// The program of these choices; those that are left over are cut off. None if they are too few, or make no token.
    pub fn decode(&self, choices: &[u32]) -> Option<ChoiceDerivation> {
        let mut reader = ChoiceReader {
            choices,
            used: Vec::new(),
        };
        let mut tokens = Vec::new();
        let mut spans: Vec<ChoiceSpan> = Vec::new();
        let mut stack = vec![self.open_rule(self.rules.start, (0, 0), &mut spans)];
        while let Some(top) = stack.last_mut() {
            let program = &self.programs[top.rule];
            match &program.steps[top.step] {
                ChoiceStep::End => {
                    close_span(&mut spans[top.span], reader.used.len(), tokens.len());
                    stack.pop();
                }
                ChoiceStep::Ways(ways) => {
                    top.step = ways[reader.take(ways.len() as u32)? as usize];
                }
                ChoiceStep::Symbol(SymbolId::Token(token), next) => {
                    top.step = *next;
                    tokens.push(self.tokens[*token].decode(&mut reader)?);
                }
                ChoiceStep::Symbol(SymbolId::Rule(rule), next) => {
                    top.step = *next;
                    let (rule, at) = (*rule, (reader.used.len(), tokens.len()));
                    stack.push(self.open_rule(rule, at, &mut spans));
                }
                ChoiceStep::Repeat { body, next, label } => {
                    let at = reader.used.len();
                    if let Some((_, span)) = top.open.pop_if(|(step, _)| *step == top.step) {
                        close_span(&mut spans[span], at, tokens.len());
                    }
                    let more = reader.take(2)? == 1;
                    if more {
                        top.open.push((top.step, spans.len()));
                        let label = program.first_label + label;
                        spans.push(new_span((at, tokens.len()), label, ChoiceSpanKind::Element));
                    }
                    top.step = if more { *body } else { *next };
                }
                ChoiceStep::Maybe { body, next, label } => {
                    let at = reader.used.len();
                    let there = reader.take(2)? == 1;
                    if there {
                        top.open.push((top.step, spans.len()));
                        let label = program.first_label + label;
                        spans.push(new_span((at, tokens.len()), label, ChoiceSpanKind::Option));
                    }
                    top.step = if there { *body } else { *next };
                }
                ChoiceStep::EndMaybe(next) => {
                    top.step = *next;
                    let (_, span) = top.open.pop()?;
                    close_span(&mut spans[span], reader.used.len(), tokens.len());
                }
            }
        }
        Some(ChoiceDerivation {
            choices: reader.used,
            tokens,
            spans,
        })
    }

    fn open_rule(&self, rule: usize, at: (usize, usize), spans: &mut Vec<ChoiceSpan>) -> OpenRule {
        let program = &self.programs[rule];
        spans.push(new_span(at, program.first_label, ChoiceSpanKind::Rule));
        OpenRule {
            rule,
            step: program.start,
            span: spans.len() - 1,
            open: Vec::new(),
        }
    }
}

/// A span that begins at this choice and this token.
fn new_span((start, token): (usize, usize), label: u32, kind: ChoiceSpanKind) -> ChoiceSpan {
    ChoiceSpan {
        start,
        end: start,
        tokens: token,
        label,
        kind,
    }
}

/// Ends a span before this choice and this token.
fn close_span(span: &mut ChoiceSpan, end: usize, token: usize) {
    span.end = end;
    span.tokens = token - span.tokens;
}
