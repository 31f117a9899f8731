//! Tests of grammars in BNF, and properties that hold for any.

use proptest::prelude::*;

use super::super::earley::EarleyParser;
use super::super::{Grammar, NodeClass};
use super::rules::{Alternatives, BnfRules, RuleTerm, SymbolId};
use super::*;

fn read_bnf(text: &str) -> BnfGrammar {
    BnfGrammar::from_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The normal form, a rule a line.
fn normal_form(text: &str) -> String {
    let grammar = read_bnf(text).to_grammar();
    let line = |rule| {
        let body = grammar.describe_expr(grammar.rule_body(rule));
        format!("{} ::= {body}\n", grammar.rule_name(rule))
    };
    grammar.all_rules().map(line).collect()
}

fn read_error(text: &str) -> String {
    match BnfGrammar::from_text(text) {
        Ok(_) => panic!("it is read"),
        Err(error) => error.to_string(),
    }
}

const FIGURE_4: &str = "A ::= B C | D |\nB ::= A D | C D\nC ::= 'c'\nD ::= 'd'";

#[test]
fn figure_4_of_perses_step_by_step() {
    let stages = read_bnf(FIGURE_4).normalization_stages();
    let steps: Vec<&str> = stages.iter().map(|stage| &stage.text[..]).collect();
    let tokens = "C ::= \"c\"\nD ::= \"d\"\n";
    assert_eq!(
        steps[0],
        format!("A ::= B C | D | ε\nB ::= A D | C D\n{tokens}"),
        "(a)"
    );
    let start = "S ::= A | ε\nA ::= B C | D\n";
    assert_eq!(
        steps[1],
        format!("{start}B ::= A D | D | C D\n{tokens}"),
        "(b)"
    );
    assert_eq!(
        steps[2],
        format!("{start}B ::= B C D | D D | D | C D\n{tokens}"),
        "(c)"
    );
    // In the paper G is `C D`, F is `G*` and E is `D?`, so B is G+ | D E F.
    let quantified = "S ::= A?\nA ::= B C | D\nB ::= (C D)+ | D D? (C D)*\n";
    assert_eq!(steps[3], format!("{quantified}{tokens}"), "(d)");
    assert_eq!(steps.len(), 4, "the right pass finds nothing to do");
    assert!(
        normal_form(FIGURE_4).starts_with(quantified),
        "no list has a separator"
    );
}

#[test]
fn recursion_becomes_lists() {
    let first = |text: &str| {
        normal_form(text)
            .lines()
            .next()
            .map(str::to_owned)
            .unwrap_or_default()
    };
    // From the left, from the right, in the middle, with a separator or without.
    assert_eq!(first("l ::= l 'a' | 'a'"), "l ::= \"a\"+");
    assert_eq!(first("l ::= 'a' l | 'a'"), "l ::= \"a\"+");
    assert_eq!(first("l ::= l ',' 'a' | 'a'"), "l ::= \"a\" % \",\"");
    assert_eq!(first("l ::= 'a' ',' l | 'a'"), "l ::= \"a\" % \",\"");
    assert_eq!(first("l ::= l ',' l | 'a'"), "l ::= \"a\" % \",\"");
    assert_eq!(first("l ::= 'a' | l l"), "l ::= \"a\"+");
    assert_eq!(
        first("p ::= '{' l '}' l ::= 'a' l |"),
        "p ::= \"{\" l? \"}\""
    );
    assert_eq!(
        first("e ::= '-' e | e '+' e | e '*' e | 'x'"),
        "e ::= (\"-\"* \"x\") % (\"+\" | \"*\")"
    );
    assert_eq!(
        first("e ::= e '?' e ':' e | 'x'"),
        "e ::= \"x\" % (\"?\" e \":\")"
    );
}

#[test]
fn rules_that_need_each_other_lose_only_what_must_go() {
    let grammar = "p ::= p '.' 'x' | c | 'x'\nc ::= p '(' ')'\n";
    let stages = read_bnf(grammar).normalization_stages();
    assert_eq!(
        stages[1].text,
        "p ::= p \".\" \"x\" | c | \"x\"\nc ::= c (\".\" \"x\")* \"(\" \")\" | \"x\" (\".\" \"x\")* \"(\" \")\"\n"
    );
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    assert_eq!(
        read_error(""),
        "line 1, column 1: there is no rule, as in  name ::= \"text\" other"
    );
    assert_eq!(
        read_error("a ::= 'x' b"),
        "line 1, column 11: there is neither a rule nor a %token called b; add one"
    );
    assert_eq!(
        read_error("a ::= 'x'\n  | ('y' 'z'\nb ::= a"),
        "line 2, column 5: this `(` is not closed before the name b"
    );
    assert_eq!(
        read_error("a ::= 'x' )"),
        "line 1, column 11: this `)` closes nothing"
    );
    assert_eq!(
        read_error("a ::= * 'x'"),
        "line 1, column 7: `*` stands behind what it repeats"
    );
    assert_eq!(
        read_error("a = 'x'"),
        "line 1, column 3: `=` means nothing here; a text that stands for itself is in quotes"
    );
    assert_eq!(
        read_error("a ::= 'x"),
        "line 1, column 7: this quote is not closed on its line"
    );
    assert_eq!(
        read_error("a ::= \"\""),
        "line 1, column 7: an empty text; what may be nothing is written with `?` or as an empty alternative"
    );
    assert_eq!(
        read_error("a ::= [z-a]"),
        "line 1, column 10: the range ends before it begins"
    );
    assert_eq!(
        read_error("a ::= 'x' a"),
        "line 1, column 1: a has no end: each of its alternatives needs a again; give it one that does not"
    );
    assert_eq!(
        read_error("a ::= 'x'\na ::= 'y'"),
        "line 2, column 1: a is defined twice"
    );
    assert_eq!(
        read_error("a ::= t %token t ::= [a-z]*"),
        "line 1, column 16: t may be an empty text; a token has at least a byte"
    );
    assert_eq!(
        read_error("a ::= t %token t ::= 'x' t"),
        "line 1, column 26: t contains itself; a token is a pattern without recursion"
    );
    assert_eq!(
        read_error("%tokn t ::= 'x'"),
        "line 1, column 1: there is no %tokn; there are %name, %extensions, %lexer, %token, %fragment, %skip, %comment, %same-name, %entry, %statement, %assignment, %expression, %constraint, %initial, %order, %true, %false, %any, %not, %and, %or, %equal, %differ and %new-line, %tab, %one-line, %no-blank-before, %no-blank-after"
    );
    assert_eq!(
        read_error("a ::= 'x' %one-line 'x'"),
        "line 1, column 11: %one-line wants rules"
    );
    assert_eq!(
        read_error("a ::= 'x' %no-blank-after a"),
        "line 1, column 11: %no-blank-after wants texts in quotes"
    );
    assert_eq!(
        read_error("a ::= 'x' %tab"),
        "line 1, column 11: %tab wants rules, then texts in quotes"
    );
    assert_eq!(
        read_error("a ::= 'x' %new-line b"),
        "line 1, column 21: %new-line is about b, and there is no rule of that name"
    );
    assert_eq!(
        read_error("a ::= b\n%token b ::= 'x'\n%new-line a b"),
        "line 3, column 13: %new-line is about rules, and b is none: it is a token or a part of one; name a rule that consists of it"
    );
    assert_eq!(
        read_error("r ::= 'a' a ::= 'x'\n%scope a"),
        "line 2, column 8: %scope is about the rule that it stands behind, and no name stands behind it; leave out a"
    );
    assert_eq!(
        read_error("%lexer none a ::= 'x' %new-line a"),
        "line 1, column 1: with  %lexer none  white space stands in the rules, so there is no layout; leave out %new-line and its like"
    );
    assert_eq!(
        read_error("a ::= s %skip s ::= ' '"),
        "line 1, column 7: s is no %token, so it cannot stand in a rule; make it one"
    );
    assert_eq!(
        read_error("a ::= 'é' [é]"),
        "line 1, column 12: a class has bytes in it, and `é` is more than one; write \\x80-\\xFF for all beyond ASCII, or (\"é\" | ...)"
    );
    assert!(
        read_error(&format!(
            "a ::= {}'x'{}",
            "(".repeat(1000),
            ")".repeat(1000)
        ))
        .ends_with("too deep in each other")
    );
}

#[test]
fn settings_and_tokens() {
    let text = "# a comment\n%name toy %extensions t toy\n<the start> ::= (word | [0-9])* ;\n%token word ::= letter+\n%fragment letter ::= [a-z\\x80-\\xFF]\n%comment c ::= '//' [^\\n]*\n";
    let grammar = read_bnf(text);
    assert_eq!(grammar.name.as_deref(), Some("toy"));
    assert_eq!(grammar.extensions, ["t", "toy"]);
    let kinds: Vec<_> = grammar
        .tokens
        .iter()
        .map(|t| (&t.name[..], t.kind))
        .collect();
    let expected = [
        ("[0-9]", TokenKind::Literal),
        ("word", TokenKind::Named),
        ("c", TokenKind::Comment),
        ("white space", TokenKind::Skip),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(grammar.warnings, [""; 0]);
}

#[test]
fn a_class_of_characters_is_printed_as_it_is_written() {
    let grammar = read_bnf("N ::= [0-9]+ '[0-9]'");
    let stages = grammar.normalization_stages();
    assert_eq!(stages[0].text, "N ::= [0-9]+ \"[0-9]'\"\n");
    let normal = grammar.to_grammar();
    let rule = normal.find_rule("N").expect("a rule");
    let shown = normal.describe_expr(normal.rule_body(rule));
    assert_eq!(shown, "[0-9]+ \"[0-9]'\"");
}

#[test]
fn what_has_no_effect_is_told() {
    let text = "a ::= n+ 'x'\nb ::= m c\nc ::= 'y'\n%token n ::= [0-9]+\n%token m ::= [a-z]+\n%token k ::= [0-9]+\n%token d ::= n '.' n\n";
    assert_eq!(
        read_bnf(text).warnings,
        [
            "the rule b is not reached from a",
            "the rule c is not reached from a",
            "no rule that is reached has the token m",
            "no rule that is reached has the token k",
            "no rule that is reached has the token d",
        ]
    );
    let hidden =
        read_bnf("a ::= n k 'x' x\n%token n ::= [0-9]+\n%token k ::= [0-9]+\n%token x ::= 'x'");
    assert_eq!(
        hidden.warnings,
        [
            "the token k is never read: n has the same pattern and comes first",
            "the token x is never read: \"x\" has the same pattern and comes first",
        ]
    );
}

/// Whether a grammar as written derives a word: by the definition, over all ranges of the word.
fn rules_derive(rules: &BnfRules, word: &[usize]) -> bool {
    let places = word.len() + 1;
    let mut known = vec![vec![false; places * places]; rules.names.len()];
    loop {
        let before = known.clone();
        for (rule, body) in rules.bodies.iter().enumerate() {
            for from in 0..places {
                for to in derivation_ends(body, from, word, &before) {
                    known[rule][from * places + to] = true;
                }
            }
        }
        if known == before {
            return known[rules.start][places - 1];
        }
    }
}

fn derivation_ends(
    body: &Alternatives,
    from: usize,
    word: &[usize],
    known: &[Vec<bool>],
) -> Vec<usize> {
    let step = |places: Vec<usize>, step: &dyn Fn(usize) -> Vec<usize>| {
        let mut next: Vec<usize> = places.into_iter().flat_map(step).collect();
        next.sort_unstable();
        next.dedup();
        next
    };
    let mut all = Vec::new();
    for row in body {
        all.extend(row.iter().fold(vec![from], |places, term| {
            step(places, &|at| match term {
                RuleTerm::Sym(SymbolId::Token(t)) if word.get(at) == Some(t) => vec![at + 1],
                RuleTerm::Sym(SymbolId::Token(_)) => vec![],
                RuleTerm::Sym(SymbolId::Rule(rule)) => {
                    let places = word.len() + 1;
                    (at..places)
                        .filter(|to| known[*rule][at * places + to])
                        .collect()
                }
                RuleTerm::Group(inner) => derivation_ends(inner, at, word, known),
                RuleTerm::Opt(inner) => {
                    [derivation_ends(inner, at, word, known), vec![at]].concat()
                }
                RuleTerm::Star(inner) | RuleTerm::Plus(inner) => {
                    let mut seen = if matches!(term, RuleTerm::Star(_)) {
                        vec![at]
                    } else {
                        derivation_ends(inner, at, word, known)
                    };
                    let mut next = 0;
                    while next < seen.len() {
                        for to in derivation_ends(inner, seen[next], word, known) {
                            if !seen.contains(&to) {
                                seen.push(to);
                            }
                        }
                        next += 1;
                    }
                    seen
                }
            })
        }));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A right-hand side over the rules r, s, t and the tokens a, b, c.
fn arbitrary_body() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => prop::sample::select(vec!["r", "s", "t"]).prop_map(str::to_owned),
        4 => prop::sample::select(vec!["'a'", "'b'", "'c'"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let row = prop::collection::vec(inner.clone(), 0..4).prop_map(|row| row.join(" "));
        prop_oneof![
            3 => row.clone(),
            3 => prop::collection::vec(row, 1..4).prop_map(|rows| format!("({})", rows.join(" | "))),
            1 => inner.clone().prop_map(|x| format!("({x})*")),
            1 => inner.clone().prop_map(|x| format!("({x})+")),
            1 => inner.prop_map(|x| format!("({x})?")),
        ]
    })
}

fn arbitrary_alternatives() -> impl Strategy<Value = String> {
    prop::collection::vec(arbitrary_body(), 1..4).prop_map(|rows| rows.join(" | "))
}

/// The tokens of a word over a, b, c; none for a token that is not in the grammar.
fn token_classes(bnf: &BnfGrammar, word: &str) -> Option<Vec<NodeClass>> {
    let token = |c: char| bnf.tokens.iter().position(|t| t.name == c.to_string());
    word.chars()
        .map(|c| Some(NodeClass(token(c)? as u16)))
        .collect()
}

/// Every node's children are derived from its rule.
fn check_nodes(grammar: &Grammar, nodes: &[super::super::earley::EarleyNode]) {
    for (at, node) in nodes.iter().enumerate() {
        let Some(rule) = grammar.rule_of_class(node.class) else {
            continue;
        };
        let below = nodes[at + 1..]
            .iter()
            .take_while(|below| below.depth > node.depth);
        let children: Vec<super::super::GrammarChild> = below
            .filter(|below| below.depth == node.depth + 1)
            .map(|below| super::super::GrammarChild {
                class: Some(below.class),
                gap: false,
            })
            .collect();
        assert!(
            grammar.has_derivation(rule, &children, false),
            "{}",
            grammar.rule_name(rule)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Algorithm 1 does not change what a grammar derives, and the parser finds a derivation exactly if there is one.
    #[test]
    fn the_normal_form_derives_what_the_grammar_derives(
        (r, s, t) in (arbitrary_alternatives(), arbitrary_alternatives(), arbitrary_alternatives()),
        words in prop::collection::vec("[abc]{0,6}", 12),
    ) {
        let text = format!("r ::= {r}\ns ::= {s}\nt ::= {t}\n");
        let Ok(bnf) = BnfGrammar::from_text(&text) else { return Ok(()) };
        let grammar = bnf.to_grammar();
        let parser = EarleyParser::new(&grammar).expect("a small grammar");
        for word in &words {
            let Some(classes) = token_classes(&bnf, word) else { continue };
            let tokens: Vec<usize> = classes.iter().map(|class| class.0 as usize).collect();
            let legal = rules_derive(&bnf.rules, &tokens);
            let parsed = parser.parse(&classes[..], usize::MAX).expect("no limit");
            let told = || format!("{text}\n{}\n{word}", bnf.normalization_stages().iter().map(|s| format!("{}\n{}", s.title, s.text)).collect::<String>());
            prop_assert_eq!(parsed.is_some(), legal, "{}", told());
            match parsed {
                Some(parsed) => check_nodes(&grammar, &parsed.nodes),
                None => {
                    let stuck = parser.find_frontier(&classes[..], usize::MAX).expect("no limit");
                    prop_assert!(stuck.at < word.len() || !stuck.end);
                }
            }
        }
    }

    /// Any text is a grammar or gets an error.
    #[test]
    fn no_text_is_too_much(
        words in prop::collection::vec(
            prop_oneof![
                prop::sample::select(vec![
                    "a", "b", "::=", "|", "(", ")", "*", "+", "?", ";", "\"x\"", "'y", "[a-", "[^\\x8", "<é>", "<", "%token", "%skip",
                    "%name", "%extensions", "%fragment", "# ", "\n", "[é]", "\\", "é",
                ])
                .prop_map(str::to_owned),
                "\\PC{0,3}",
            ],
            0..20,
        ),
        glue in prop::sample::select(vec!["", " ", "\n"]),
    ) {
        if let Ok(bnf) = BnfGrammar::from_text(&words.join(glue)) {
            prop_assert!(!bnf.normalization_stages().is_empty());
            prop_assert!(EarleyParser::new(&bnf.to_grammar()).is_ok());
        }
    }
}
