//! Literals and names: which tokens may have another text, and which texts those are.

use std::collections::BTreeMap;

use regex::bytes::Regex;
use rustc_hash::FxHashSet;

use super::data::LanguageData;
use crate::grammar::{Grammar, NodeClass};

/// What a literal of a class may become, or a word or sign.
#[derive(Debug)]
pub struct LiteralTexts {
    /// Other texts, in shortlex order.
    pub simple: Vec<Box<[u8]>>,
    /// What all texts of the class look like.
    pattern: Regex,
}

impl LiteralTexts {
    /// Whether this could be a literal of the class.
    pub fn is_literal(&self, text: &[u8]) -> bool {
        self.pattern.is_match(text)
    }
}

/// The literals and names of a language.
#[derive(Debug)]
pub(super) struct TokenTexts {
    literals: BTreeMap<u16, LiteralTexts>,
    /// Words and signs that may become a shorter one.
    shorter: BTreeMap<u16, LiteralTexts>,
    name_classes: FxHashSet<u16>,
    /// The texts that are tokens by themselves: words and signs.
    fixed: FxHashSet<Box<str>>,
}

impl TokenTexts {
    pub fn new(data: &LanguageData, grammar: &Grammar) -> TokenTexts {
        let of_kinds = |class: &NodeClass| {
            let kinds = &data.names.kinds;
            kinds.iter().any(|kind| kind == grammar.class_name(*class))
        };
        // `number` is the name of numbers in TypeScript, and a word.
        let named = grammar.classes().filter(|&class| grammar.is_named(class));
        let literals = named.filter_map(|class| {
            let rule = data.literals.get(grammar.class_name(class))?;
            let texts = LiteralTexts {
                simple: rule.to.iter().map(|text| text.as_bytes().into()).collect(),
                pattern: compile_pattern(&rule.pattern).ok()?,
            };
            Some((class.0, texts))
        });
        let fixed = || grammar.classes().filter(|&class| !grammar.is_named(class));
        let shorter = fixed().filter_map(|class| {
            let text = grammar.class_name(class);
            let mut known = data.shorter_tokens.iter();
            let (new, _) = known.find(|(_, texts)| texts.iter().any(|known| known == text))?;
            let texts = LiteralTexts {
                simple: vec![new.as_bytes().into()],
                pattern: compile_pattern(&regex::escape(text)).ok()?,
            };
            Some((class.0, texts))
        });
        TokenTexts {
            literals: literals.collect(),
            shorter: shorter.collect(),
            name_classes: grammar
                .classes()
                .filter(of_kinds)
                .map(|class| class.0)
                .collect(),
            fixed: fixed()
                .map(|class| grammar.class_name(class).into())
                .collect(),
        }
    }

    pub fn literal_texts(&self, class: NodeClass) -> Option<&LiteralTexts> {
        self.literals.get(&class.0)
    }

    pub fn simpler_texts(&self, class: NodeClass) -> Option<&LiteralTexts> {
        let literal = self.literals.get(&class.0);
        literal.or_else(|| self.shorter.get(&class.0))
    }

    pub fn is_name(&self, class: NodeClass) -> bool {
        self.name_classes.contains(&class.0)
    }

    pub fn is_fixed(&self, text: &str) -> bool {
        self.fixed.contains(text)
    }
}

/// The whole of a text must match.
fn compile_pattern(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(&format!("^(?s-u:{pattern})$"))
}

/// The first pattern of a literal that is none.
pub(super) fn find_pattern_problem(data: &LanguageData) -> Option<String> {
    let problem = |(kind, rule): (&String, &super::data::LiteralRule)| {
        let error = compile_pattern(&rule.pattern).err()?;
        Some(format!("the pattern of {kind}: {error}"))
    };
    data.literals.iter().find_map(problem)
}
