//! Tests of choices: what a text takes, and what edited choices make.

use super::super::super::NodeClass;
use super::super::BnfGrammar;
use super::{ChoiceDerivation, ChoiceGrammar};

const EXPR: &str = "start ::= expr
expr ::= term '+' expr | term '-' expr | term
term ::= factor '*' term | factor '/' term | factor
factor ::= '+' factor | '-' factor | '(' expr ')' | integer '.' integer | integer
integer ::= digit integer | digit
digit ::= '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'";

/// The choices of a text each of whose tokens is one letter.
fn encoded(grammar: &str, text: &str) -> ChoiceDerivation {
    let bnf = BnfGrammar::from_text(grammar).expect("a grammar");
    let class = |letter: char| bnf.tokens.iter().position(|t| t.name == letter.to_string());
    let classes: Vec<NodeClass> = text
        .chars()
        .map(|letter| NodeClass(class(letter).expect("a token") as u16))
        .collect();
    let bytes = |from: u32, to: u32| text.as_bytes()[from as usize..to as usize].to_vec();
    let choices = ChoiceGrammar::new(&bnf).expect("a small grammar");
    choices
        .encode(&classes[..], &bytes, 10_000)
        .expect("it follows the grammar")
}

fn decoded(grammar: &str, choices: &[u32]) -> Option<String> {
    let bnf = BnfGrammar::from_text(grammar).expect("a grammar");
    let choices = ChoiceGrammar::new(&bnf)
        .expect("a small grammar")
        .decode(choices)?;
    Some(String::from_utf8_lossy(&choices.tokens.concat()).into_owned())
}

#[test]
fn an_expression_takes_twenty_five_choices() {
    // start; `1+`; `(`, `(`; `2*`, `3/`, `4`. The alternative with the smallest derivation is 0.
    let derivation = encoded(EXPR, "1+((2*3/4))");
    let expected = [
        &[0][..],
        &[1, 0, 0, 0, 1],
        &[0, 0, 4, 0, 0, 4],
        &[0, 1, 0, 0, 2, 2, 0, 0, 3, 0, 0, 0, 4],
    ];
    assert_eq!(derivation.choices, expected.concat());
    assert_eq!(derivation.choices.len(), 25);
    assert_eq!(derivation.tokens.concat(), b"1+((2*3/4))");
    let spans: Vec<_> = derivation
        .spans
        .iter()
        .map(|s| (s.start, s.end, s.label))
        .collect();
    assert_eq!(spans[..3], [(0, 25, 0), (1, 25, 1), (2, 6, 2)]);
}

#[test]
fn any_choices_are_a_program_if_they_are_enough() {
    assert_eq!(decoded(EXPR, &[0; 6]).as_deref(), Some("0"));
    assert_eq!(decoded(EXPR, &[0; 5]), None);
    // What is left over is cut off, and what is too large brought into its range.
    assert_eq!(
        decoded(EXPR, &[7, 3, 6, 5, 2, 14, 9, 9]).as_deref(),
        Some("4")
    );
}

#[test]
fn lists_options_and_tokens_take_choices() {
    let grammar = "s ::= (w ',')* w? '.'+\nw ::= 'x' | 'y' 'z'";
    let derivation = encoded(grammar, "x,yz,x..");
    assert_eq!(derivation.choices, [0, 1, 0, 1, 1, 0, 1, 0, 1, 0]);
    let kinds: Vec<_> = derivation.spans.iter().map(|s| (s.start, s.end)).collect();
    assert_eq!(
        kinds,
        [
            (0, 10),
            (1, 3),
            (2, 3),
            (3, 5),
            (4, 5),
            (6, 8),
            (7, 8),
            (8, 9)
        ]
    );
    assert_eq!(decoded(grammar, &[0, 0, 0, 0]).as_deref(), Some("."));
    let token = "s ::= name\n%token name ::= [a-c] [a-c0-9]* | '-' '-'";
    assert_eq!(decoded(token, &[0, 1, 2]).as_deref(), Some("c"));
    assert_eq!(decoded(token, &[0, 3, 0, 3, 12]).as_deref(), Some("a3c"));
    // Of two bytes the first may also be the `-` before another.
    assert_eq!(decoded(token, &[0, 2, 0]).as_deref(), Some("--"));
    assert_eq!(decoded(token, &[0, 0]), None);
    assert_eq!(decoded(token, &[0, u32::MAX, 1, 1]), None);
}

#[test]
fn rules_that_may_be_empty_are_options() {
    let grammar = "s ::= 'a' e 'b'\ne ::= | 'x' e";
    assert_eq!(encoded(grammar, "ab").choices, [0, 0]);
    assert_eq!(encoded(grammar, "axxb").choices, [0, 1, 0, 1, 0, 0]);
}
