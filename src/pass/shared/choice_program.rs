//! A program as the choices by which it is made, for passes that edit choices: by its grammar, or by a generator of the user's.

use std::sync::Arc;

use crate::grammar::bnf::choices::ChoiceDerivation;
use crate::language::Language;
use crate::program::{View, walk};
use crate::protocol::{list_choices, read_choices};

/// How choices become the text of a program.
#[derive(Clone, Copy)]
pub enum ChoiceProgram {
    /// By a grammar in BNF.
    Grammar {
        /// The language of the grammar.
        language: &'static Language,
        /// What an editor put behind the last token.
        line_end: &'static [u8],
    },
    /// The text is the listing of the choices: a generator that lop does not know makes the program. Each choice is a byte.
    Listing,
}

impl ChoiceProgram {
    /// The choices of the only document, and its text; none if it is no listing, and its language has no grammar in BNF or it does not
    /// follow it.
    pub fn from_view(view: &View) -> Option<(ChoiceProgram, ChoiceDerivation, Arc<[u8]>)> {
        let [document] = view.documents() else {
            return None;
        };
        let text = walk::render_text(&document.root);
        if view.version.objective().is_choices() {
            let choices = read_choices(&text)?.into_iter().map(u32::from).collect();
            return Some((ChoiceProgram::Listing, listed(choices), text.into()));
        }
        let language = document.language?;
        let tree = view.version.parse_tree(0);
        let derivation = language.encode_choices(&text, tree)?;
        let line_end: &[u8] = if text.ends_with(b"\n") { b"\n" } else { b"" };
        let program = ChoiceProgram::Grammar { language, line_end };
        Some((program, derivation, text.into()))
    }

    /// What these choices make; none if they are no program.
    pub fn decode(&self, choices: &[u32]) -> Option<(ChoiceDerivation, Arc<[u8]>)> {
        match self {
            ChoiceProgram::Grammar { language, line_end } => {
                let (derivation, text) = language.decode_choices(choices)?;
                Some((derivation, [&text[..], line_end].concat().into()))
            }
            ChoiceProgram::Listing => {
                let bytes = choices.iter().map(|choice| u8::try_from(*choice).ok());
                let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
                Some((listed(choices.to_vec()), list_choices(&bytes).into()))
            }
        }
    }

    /// The name of what a stretch of this label derives.
    pub fn span_name(&self, label: u32) -> Option<&'static str> {
        match self {
            ChoiceProgram::Grammar { language, .. } => language.choice_span_name(label),
            ChoiceProgram::Listing => None,
        }
    }
}

/// Choices of which nothing else is known.
fn listed(choices: Vec<u32>) -> ChoiceDerivation {
    ChoiceDerivation {
        choices,
        tokens: Vec::new(),
        spans: Vec::new(),
    }
}
