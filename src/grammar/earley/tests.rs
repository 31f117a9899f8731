//! Tests of the parser.

use super::super::Grammar;
use super::super::bnf::BnfGrammar;
use super::*;

/// A grammar, and the tokens of a text in which each is one letter.
fn parse_letters(
    grammar: &str,
    text: &str,
    most: usize,
) -> Result<Option<String>, EarleyLimitExceeded> {
    let bnf = BnfGrammar::from_text(grammar).expect("a grammar");
    let grammar = bnf.to_grammar();
    let class = |letter: char| bnf.tokens.iter().position(|t| t.name == letter.to_string());
    let tokens: Vec<NodeClass> = text
        .chars()
        .map(|letter| NodeClass(class(letter).expect("a token") as u16))
        .collect();
    let parsed = EarleyParser::new(&grammar)?.parse(&tokens[..], most)?;
    Ok(parsed.map(|parsed| format_nodes(&grammar, &parsed.nodes)))
}

/// Each node in brackets, with its name.
fn format_nodes(grammar: &Grammar, nodes: &[EarleyNode]) -> String {
    let (mut out, mut open) = (String::new(), Vec::new());
    for node in nodes {
        while open.last().is_some_and(|depth| *depth >= node.depth) {
            open.pop();
            out.push(']');
        }
        out.push_str(grammar.class_name(node.class));
        if grammar.rule_of_class(node.class).is_some() {
            out.push('[');
            open.push(node.depth);
        }
    }
    out + &"]".repeat(open.len())
}

#[test]
fn nodes_of_one_node_are_left_out() {
    let grammar = "p ::= e e ::= '(' t ')' | t t ::= 'x' | 'y' 'x'";
    let told = |text| parse_letters(grammar, text, 1000).expect("few items");
    assert_eq!(told("x").as_deref(), Some("p[x]"));
    assert_eq!(told("(x)").as_deref(), Some("p[e[(x)]]"));
    assert_eq!(told("(yx)").as_deref(), Some("p[e[(t[yx])]]"));
    assert_eq!(told("(yy)"), None);
}

#[test]
fn the_last_part_is_as_short_as_it_can_be() {
    let grammar = "p ::= a b a ::= 'x'+ '.'? b ::= 'x'+ '.'?";
    let told = parse_letters(grammar, "xxxx", 1000).expect("few items");
    assert_eq!(told.as_deref(), Some("p[a[xxx]x]"));
}

#[test]
fn what_is_found_again_and_again_is_work_too() {
    // Every range of these tokens is one item per state, found once for each place where it can be cut.
    let grammar = "s ::= 'x' | s s '.'? | '.' s s s";
    let text = "x".repeat(300);
    assert_eq!(
        parse_letters(grammar, &text, 300 * 300 + 1000),
        Err(EarleyLimitExceeded)
    );
}

#[test]
fn a_grammar_that_is_too_ambiguous_is_stopped() {
    let grammar = "s ::= 'x' | s s '.'? | '.' s s s";
    let text = "x".repeat(200);
    assert_eq!(
        parse_letters(grammar, &text, 1000),
        Err(EarleyLimitExceeded)
    );
}

/// The normal form of these rules fills twenty thousand characters with the same few parts.
#[test]
fn the_copies_of_inlined_rules_share_their_states() {
    let rules =
        "r ::= t s 'b' s ::= s r s t | ((r s 'a' | r r))* t ::= ('c')* | (t 'a' | r) | (s)+";
    let grammar = BnfGrammar::from_text(rules).expect("a grammar");
    let normal_form = grammar.normalization_stages().pop().expect("a stage").text;
    assert!(normal_form.len() > 20_000);
    let machine = EarleyMachine::new(&grammar.to_grammar()).expect("a small machine");
    let states = machine.states.len();
    assert!(states < 100, "{states} states");
    let told = parse_letters(rules, "aab", 1000).expect("few items");
    assert_eq!(told.as_deref(), Some("r[t[aa]b]"));
}
