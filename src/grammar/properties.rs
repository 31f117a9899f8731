//! Properties of any rule and any children, compared with the definition.

use proptest::prelude::*;
use serde_json::Value;

use super::toy::*;
use super::*;

/// What follows `word` after a derivation of the expression, for each derivation: by the definition, without an automaton.
fn remaining_words<'a>(json: &Value, word: &'a [&'a str]) -> Vec<&'a [&'a str]> {
    let mut rests = match json["type"].as_str().expect("a type") {
        "BLANK" => vec![word],
        "SYMBOL" => match word.split_first() {
            Some((&first, rest)) if json["name"] == first => vec![rest],
            _ => vec![],
        },
        "SEQ" => {
            let members = json["members"].as_array().expect("members");
            members.iter().fold(vec![word], |words, m| {
                words
                    .iter()
                    .flat_map(|w| self::remaining_words(m, w))
                    .collect()
            })
        }
        "CHOICE" => {
            let members = json["members"].as_array().expect("members");
            members
                .iter()
                .flat_map(|m| self::remaining_words(m, word))
                .collect()
        }
        "REPEAT" => {
            let mut all = vec![word];
            let mut at = 0;
            while at < all.len() {
                for rest in self::remaining_words(&json["content"], all[at]) {
                    if !all.contains(&rest) {
                        all.push(rest);
                    }
                }
                at += 1;
            }
            all
        }
        other => panic!("{other} is not generated"),
    };
    rests.sort_by_key(|rest| rest.len());
    rests.dedup();
    rests
}

fn arbitrary_expression() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(sym("a")), Just(sym("b")), Just(sym("c"))];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|m| seq(&m)),
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|m| choice(&m)),
            inner.clone().prop_map(star),
            inner.clone().prop_map(opt),
            inner.clone().prop_map(|x| seq(&[x.clone(), star(x)])),
            (inner.clone(), inner).prop_map(|(x, s)| seq(&[x.clone(), star(seq(&[s, x]))])),
        ]
    })
}

/// Each child once, in order; and lists as documented.
fn check_parts(grammar: &Grammar, parts: &[DerivationPart], next: &mut u32) {
    for part in parts {
        match part {
            DerivationPart::Child { index, .. } => {
                assert_eq!(*index, *next);
                *next += 1;
            }
            DerivationPart::Item { parts, .. } => check_parts(grammar, parts, next),
            DerivationPart::Group {
                shape, ex, parts, ..
            } => {
                assert!(!parts.is_empty());
                let is_item = |part: &DerivationPart| matches!(part, DerivationPart::Item { .. });
                if *shape == QuantifierKind::Sep {
                    assert!(parts[1..].iter().all(is_item));
                }
                assert!(matches!(
                    (shape, grammar.expression(*ex)),
                    (QuantifierKind::Star, GrammarExpr::Star(_))
                        | (QuantifierKind::Plus, GrammarExpr::Plus(_))
                        | (QuantifierKind::Opt, GrammarExpr::Opt(_))
                        | (QuantifierKind::Sep, GrammarExpr::Sep { .. })
                ));
                check_parts(grammar, parts, next);
            }
        }
    }
}

/// A child by its index, or another class in its place.
#[derive(Clone, Copy, PartialEq, Debug)]
enum KeptChild {
    Old(u32),
    New(NodeClass),
}

/// The children of some parts.
fn kept_children(parts: &[DerivationPart]) -> Vec<KeptChild> {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            DerivationPart::Child { index, .. } => kept.push(KeptChild::Old(*index)),
            DerivationPart::Item { parts, .. } | DerivationPart::Group { parts, .. } => {
                kept.extend(self::kept_children(parts))
            }
        }
    }
    kept
}

/// All changes that the derivation allows for these parts and what is in them: the children that are left by each.
fn legal_edits(grammar: &Grammar, parts: &[DerivationPart]) -> Vec<Vec<KeptChild>> {
    let mut edits = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let mut here: Vec<Vec<KeptChild>> = grammar
            .fitting_classes(part.expected())
            .map(|class| vec![KeptChild::New(class)])
            .collect();
        if grammar.is_nullable(part.expected()) {
            here.push(Vec::new());
        }
        match part {
            DerivationPart::Child { .. } => {}
            DerivationPart::Item { parts, .. } => here.extend(self::legal_edits(grammar, parts)),
            DerivationPart::Group { shape, parts, .. } => {
                here.extend(self::legal_edits(grammar, parts));
                here.extend(list_edits(grammar, *shape, parts));
            }
        }
        for edit in here {
            edits.push(
                [
                    kept_children(&parts[..at]),
                    edit,
                    kept_children(&parts[at + 1..]),
                ]
                .concat(),
            );
        }
    }
    edits
}

/// A list without one of its elements; and with one element only, and that replaced. An option is removed as a whole.
fn list_edits(
    grammar: &Grammar,
    shape: QuantifierKind,
    parts: &[DerivationPart],
) -> Vec<Vec<KeptChild>> {
    if shape == QuantifierKind::Opt {
        return vec![Vec::new()];
    }
    let element = |at: usize| match (&parts[at], shape) {
        (DerivationPart::Item { parts, .. }, QuantifierKind::Sep) if at > 0 => {
            parts.last().expect("an element")
        }
        (part, _) => part,
    };
    let mut edits = Vec::new();
    for at in 0..parts.len() {
        let only = element(at);
        edits.push(kept_children(std::slice::from_ref(only)));
        edits.extend(
            grammar
                .fitting_classes(only.expected())
                .map(|class| vec![KeptChild::New(class)]),
        );
        match shape {
            QuantifierKind::Plus | QuantifierKind::Sep if parts.len() == 1 => {}
            QuantifierKind::Sep if at == 0 => edits.push(
                [
                    kept_children(std::slice::from_ref(element(1))),
                    kept_children(&parts[2..]),
                ]
                .concat(),
            ),
            _ => {
                edits.push([kept_children(&parts[..at]), kept_children(&parts[at + 1..])].concat())
            }
        }
    }
    edits
}

proptest! {
    /// Normal form and automaton derive what the rule says, no more and no less.
    #[test]
    fn the_automaton_derives_what_the_rule_says(
        body in arbitrary_expression(),
        word in proptest::collection::vec(prop_oneof![Just("a"), Just("b"), Just("c")], 0..7),
    ) {
        let grammar = toy_grammar(body.clone());
        let rule = grammar.find_rule("r").expect("there is r");
        let legal = remaining_words(&body, &word).iter().any(|rest| rest.is_empty());
        let children = parse_children(&grammar, &word.join(" "));
        let derivation = grammar.derive_children(rule, &children, false);
        prop_assert_eq!(grammar.has_derivation(rule, &children, false), legal);
        prop_assert_eq!(derivation.is_some(), legal, "{}", grammar.describe_expr(grammar.rule_body(rule)));
        if let Some(derivation) = derivation {
            let mut next = 0;
            check_parts(&grammar, &derivation.parts, &mut next);
            prop_assert_eq!(next as usize, word.len());
        }
    }

    /// Whatever the derivation allows to remove or replace leaves something that the rule derives.
    #[test]
    fn every_edit_that_a_derivation_allows_is_legal(
        body in arbitrary_expression(),
        word in proptest::collection::vec(prop_oneof![Just("a"), Just("b"), Just("c")], 0..7),
    ) {
        let grammar = toy_grammar(body);
        let rule = grammar.find_rule("r").expect("there is r");
        let children = parse_children(&grammar, &word.join(" "));
        if let Some(derivation) = grammar.derive_children(rule, &children, false) {
            for edit in legal_edits(&grammar, &derivation.parts) {
                let edited: Vec<GrammarChild> = edit
                    .iter()
                    .map(|kept| match *kept {
                        KeptChild::Old(index) => children[index as usize],
                        KeptChild::New(class) => GrammarChild { class: Some(class), gap: false },
                    })
                    .collect();
                let legal = grammar.derive_children(rule, &edited, false).is_some();
                prop_assert!(legal, "{} on {word:?}: {edit:?}", grammar.describe_expr(grammar.rule_body(rule)));
            }
        }
    }

    /// What fits alone is a derivation; what is nullable derives the empty sequence.
    #[test]
    fn what_fits_alone_is_a_derivation(body in arbitrary_expression()) {
        let grammar = toy_grammar(body.clone());
        let rule = grammar.find_rule("r").expect("there is r");
        let ends = |word: &[&str]| remaining_words(&body, word).iter().any(|rest| rest.is_empty());
        prop_assert_eq!(grammar.is_nullable(grammar.rule_body(rule)), ends(&[]));
        for kind in ["a", "b", "c"] {
            let class = parse_children(&grammar, kind)[0].class.expect("a token of the toy");
            prop_assert_eq!(grammar.class_fits(class, grammar.rule_body(rule)), ends(&[kind]));
        }
    }
}
