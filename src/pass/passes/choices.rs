//! Reduction of the choices by which a grammar, or a generator of the user's, makes the program, as Hypothesis does it for its generators (MacIver and Donaldson, ECOOP
//! 2020). Every edit of the sequence is a program of the grammar, so the pass may also put in what the program has not: lower numbers.
//!
//! `minimize/choice_search.rs` has the questions. A sequence that is smaller and makes the same program replaces the old one without a
//! question. For a generator the sequence is the program. A program that is larger by the objective is no step, though its sequence is smaller; of two programs of equal size the one
//! with the smaller sequence is.

use std::sync::Arc;

use crate::grammar::bnf::choices::{ChoiceDerivation, ChoiceSpanKind};
use crate::minimize::{
    ChoiceQuestion, ChoiceSearch, ChoiceSequence, ChoiceStretch, StretchRemoval, is_smaller,
};
use crate::pass::shared::choice_program::ChoiceProgram;
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{AppliedEdit, Edit, EditAction, EditOp, EditReason, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Choices.
pub static CHOICES: PassKind = PassKind {
    name: "choices",
    description: "reduces the choices by which the grammar as it is written, or a generator, makes the program (Hypothesis, ECOOP 2020)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Both,
    filters: &[],
    start: |_, _| Box::new(ChoicesPass::default()),
};

/// The state of one run.
#[derive(Clone, Default)]
struct ChoicesPass {
    search: ChoiceSearch,
    current: Option<EncodedProgram>,
    asked: Option<AskedSequence>,
}

/// The program as choices.
#[derive(Clone)]
struct EncodedProgram {
    program: ChoiceProgram,
    sequence: ChoiceSequence,
    text: Arc<[u8]>,
}

/// The sequence that is asked about.
#[derive(Clone)]
struct AskedSequence {
    sequence: ChoiceSequence,
    text: Arc<[u8]>,
    why: EditReason,
    interesting: bool,
}

impl EncodedProgram {
    fn from_view(view: &View) -> Option<EncodedProgram> {
        let (program, derivation, text) = ChoiceProgram::from_view(view)?;
        Some(EncodedProgram {
            program,
            sequence: new_sequence(&derivation),
            text,
        })
    }

    /// The sequence and the text of these choices; none if they are no program, or the sequence is not smaller.
    fn decode(&self, choices: &[u32]) -> Option<(ChoiceSequence, Arc<[u8]>)> {
        let (derivation, text) = self.program.decode(choices)?;
        let smaller = is_smaller(&derivation.choices, &self.sequence.choices);
        smaller.then(|| (new_sequence(&derivation), text))
    }

    fn describe_question(&self, question: ChoiceQuestion) -> String {
        match question {
            ChoiceQuestion::ReplaceByInner(label) => {
                let name = self.program.span_name(label).unwrap_or_default();
                format!("Can `{name}` become one inside it?")
            }
            ChoiceQuestion::Remove => "Can an element go?".to_owned(),
            ChoiceQuestion::Cut(1) => "Can a choice go?".to_owned(),
            ChoiceQuestion::Cut(count) => format!("Can {count} choices in a row go?"),
            ChoiceQuestion::Zero(1) => "Can a choice become the simplest?".to_owned(),
            ChoiceQuestion::Zero(count) => {
                format!("Can {count} choices in a row become the simplest?")
            }
            ChoiceQuestion::Lower(to) => format!("Can a choice become number {to}?"),
            ChoiceQuestion::Swap => "Can two neighbours change places?".to_owned(),
            ChoiceQuestion::LowerAndCut(count) => {
                format!("Can a choice become one less, without the {count} behind it?")
            }
        }
    }
}

fn new_sequence(derivation: &ChoiceDerivation) -> ChoiceSequence {
    let stretches = derivation.spans.iter().map(|span| ChoiceStretch {
        range: span.start..span.end,
        label: span.label,
        removal: match span.kind {
            ChoiceSpanKind::Rule => StretchRemoval::Needed,
            ChoiceSpanKind::Element => StretchRemoval::Cut,
            ChoiceSpanKind::Option => StretchRemoval::Zero,
        },
    });
    ChoiceSequence {
        choices: derivation.choices.clone().into(),
        stretches: stretches.collect(),
    }
}

impl ChoicesPass {
    /// The next sequence to ask about; false when there is none.
    fn ask_next(&mut self) -> bool {
        let Some(current) = &mut self.current else {
            return false;
        };
        while let Some((choices, question)) = self.search.propose(&current.sequence) {
            let Some((sequence, text)) = current.decode(&choices) else {
                self.search.on_failure();
                continue;
            };
            if text == current.text {
                self.search.on_success(&sequence);
                current.sequence = sequence;
                continue;
            }
            let question = current.describe_question(question);
            self.asked = Some(AskedSequence {
                sequence,
                text,
                why: EditReason {
                    pass: CHOICES.name,
                    action: EditAction::Question(question.into()),
                    node: None,
                },
                interesting: false,
            });
            return true;
        }
        false
    }
}

impl Proposer for ChoicesPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if self.current.is_none() {
            self.current = EncodedProgram::from_view(view);
        }
        if self.asked.is_none() && !self.ask_next() {
            return ProposerStep::Done;
        }
        let Some(asked) = &self.asked else {
            return ProposerStep::Done;
        };
        let edit = Edit::from(EditOp::Simplify([Some(asked.text.clone())].into()));
        match asked.interesting {
            true => ProposerStep::Accept(edit),
            false => ProposerStep::Test(edit, asked.why.clone()),
        }
    }

    fn on_verdict(&mut self, _: &View, _: &Edit, feedback: Feedback) {
        match &mut self.asked {
            Some(asked) if feedback.is_interesting() => asked.interesting = true,
            _ => {
                self.asked = None;
                self.search.on_failure();
            }
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        let (Some(asked), Some(current)) = (self.asked.take(), &mut self.current) else {
            return;
        };
        self.search.on_success(&asked.sequence);
        current.sequence = asked.sequence;
        current.text = asked.text;
    }

    fn invalidate(&mut self, _: &View) {
        *self = ChoicesPass::default();
    }
}
