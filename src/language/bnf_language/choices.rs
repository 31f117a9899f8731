//! Programs as sequences of choices: the tokens of the lexer, and how tokens become a text again.

use super::lexer::BnfLexeme;
use super::{BnfLanguage, BnfTree, token_classes};
use crate::grammar::NodeClass;
use crate::grammar::bnf::BnfGrammar;
use crate::grammar::bnf::choices::{ChoiceDerivation, ChoiceGrammar};

impl BnfLanguage {
    /// The choices of the grammar as it is written; none if its parser would be too large.
    pub(in super::super) fn choice_grammar(&self) -> Option<&ChoiceGrammar> {
        let read = || ChoiceGrammar::new(&BnfGrammar::from_text(self.text).ok()?);
        self.choices.get_or_init(read).as_ref()
    }

    /// The choices that make the tokens of a text whose derivation tree was given.
    pub(in super::super) fn encode_given(
        &self,
        text: &[u8],
        tree: &BnfTree,
    ) -> Option<ChoiceDerivation> {
        let (grammar, nodes) = (self.choice_grammar()?, tree.derivation.as_ref()?);
        if self.scannerless {
            let bytes = |from: u32, to: u32| text[from as usize..to as usize].to_vec();
            return grammar.encode_tree(nodes, &bytes);
        }
        let lexemes = self.lexer.lexemes(text).filter(|lexeme| !lexeme.comment);
        let lexemes: Vec<BnfLexeme> = lexemes.collect();
        let bytes = |from: u32, _: u32| text[lexemes[from as usize].range.clone()].to_vec();
        grammar.encode_tree(nodes, &bytes)
    }

    /// The choices that make the tokens of a text. None if it does not follow the grammar, or if the parser would need more than `most` steps.
    pub(in super::super) fn encode_choices(
        &self,
        text: &[u8],
        most: usize,
    ) -> Option<ChoiceDerivation> {
        let grammar = self.choice_grammar()?;
        if self.scannerless {
            let encode = |text: &[u8]| {
                let bytes = |from: u32, to: u32| text[from as usize..to as usize].to_vec();
                let source = self.lexer.scannerless_text(text)?;
                grammar.encode(&source, &bytes, most)
            };
            return encode(text).or_else(|| encode(text.strip_suffix(b"\n")?));
        }
        let lexemes = self.lexer.lexemes(text).filter(|lexeme| !lexeme.comment);
        let lexemes: Vec<BnfLexeme> = lexemes.collect();
        let bytes = |from: u32, _: u32| text[lexemes[from as usize].range.clone()].to_vec();
        let classes: Vec<NodeClass> = token_classes(&lexemes)?;
        grammar.encode(&classes[..], &bytes, most)
    }

    /// A text of these tokens, with white space where two would be read as something else; none if there is no white space for that.
    pub(in super::super) fn join_tokens(&self, tokens: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let mut before: &[u8] = &[];
        for token in tokens {
            if self.needs_separator(before, token) {
                let blank = [b" ", b"\n"]
                    .into_iter()
                    .find(|blank| self.is_blank(*blank))?;
                text.extend_from_slice(blank);
            }
            text.extend_from_slice(token);
            before = token;
        }
        Some(text)
    }
}
