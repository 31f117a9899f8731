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
