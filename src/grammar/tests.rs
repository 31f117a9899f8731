//! Tests of small grammars.

use serde_json::Value;

use super::toy::*;
use super::*;

fn normal_form(body: Value) -> String {
    let grammar = toy_grammar(body);
    let rule = grammar.find_rule("r").expect("there is r");
    grammar.describe_expr(grammar.rule_body(rule))
}

#[test]
fn lists_are_found_however_they_are_written() {
    let a = sym("a");
    assert_eq!(normal_form(comma_list(&a)), "a % \",\"");
    assert_eq!(
        normal_form(seq(&[star(seq(&[a.clone(), lit(",")])), a.clone()])),
        "a % \",\""
    );
    assert_eq!(normal_form(seq(&[a.clone(), star(a.clone())])), "a+");
    assert_eq!(normal_form(seq(&[star(a.clone()), a.clone()])), "a+");
    assert_eq!(
        normal_form(seq(&[lit("("), opt(comma_list(&a)), lit(")")])),
        "\"(\" (a % \",\")? \")\""
    );
    // An element may be longer than one node.
    let pair = [a.clone(), sym("b")];
    let pairs = seq(&[seq(&pair), star(seq(&[lit(","), seq(&pair)]))]);
    assert_eq!(normal_form(pairs), "(a b) % \",\"");
    // A part that may be empty is not an element: the other elements would lose their places.
    let holes = comma_list(&opt(a));
    assert_eq!(normal_form(holes), "a? (\",\" a?)*");
}

#[test]
fn what_one_may_choose_stands_for_the_whole_choice() {
    let (a, b, c) = (sym("a"), sym("b"), sym("c"));
    let grammar = toy_grammar(choice(&[comma_list(&a), seq(&[b, opt(c)])]));
    let body = grammar.rule_body(grammar.find_rule("r").expect("there is r"));
    let [list, pair] = *grammar.expression(body).parts() else {
        panic!("{}", grammar.describe_expr(body));
    };
    for part in [body, list, pair] {
        assert!(
            grammar.covers_expr(body, part),
            "{}",
            grammar.describe_expr(part)
        );
    }
    let element = grammar.expression(list).parts()[0];
    assert!(!grammar.covers_expr(body, element), "one more of the list");
    assert!(!grammar.covers_expr(list, body) && !grammar.covers_expr(list, pair));
}

#[test]
fn choices_share_what_they_have_in_common() {
    let (a, b, c) = (sym("a"), sym("b"), sym("c"));
    let sums = choice(&[
        seq(&[
            field("l", a.clone()),
            field("o", b.clone()),
            field("r", a.clone()),
        ]),
        seq(&[
            field("l", a.clone()),
            field("o", c.clone()),
            field("r", a.clone()),
        ]),
    ]);
    assert_eq!(normal_form(sums), "l: a o: (b | c) r: a");
    assert_eq!(
        normal_form(choice(&[seq(&[a.clone(), b.clone()]), a.clone()])),
        "a b?"
    );
    assert_eq!(
        normal_form(choice(&[opt(a.clone()), b.clone(), opt(c)])),
        "(a | b | c)?"
    );
    assert_eq!(normal_form(star(opt(plus(a)))), "a*");
}

#[test]
fn each_element_of_a_list_is_one_part() {
    let grammar = toy_grammar(seq(&[
        opt(comma_list(&sym("a"))),
        star(seq(&[sym("b"), sym("c")])),
    ]));
    assert_eq!(format_derivation(&grammar, "r", "a"), "?[%[a]]");
    assert_eq!(
        format_derivation(&grammar, "r", "a , a , a"),
        "?[%[a {, a} {, a}]]"
    );
    assert_eq!(
        format_derivation(&grammar, "r", "b c b c"),
        "*[{b c} {b c}]"
    );
    assert_eq!(format_derivation(&grammar, "r", "a ,"), "none");
    assert_eq!(format_derivation(&grammar, "r", "b b"), "none");
    assert_eq!(format_derivation(&grammar, "r", ""), "");
}

#[test]
fn of_several_derivations_the_first_list_takes_all_it_can() {
    let grammar = toy_grammar(seq(&[star(sym("a")), opt(sym("b")), plus(sym("a"))]));
    assert_eq!(format_derivation(&grammar, "r", "a a a"), "*[a a] +[a]");
    assert_eq!(format_derivation(&grammar, "r", "a b a"), "*[a] ?[b] +[a]");
}

#[test]
fn a_child_is_expected_as_widely_as_its_list_allows() {
    // r ::= a | "(" b ")"
    let grammar = toy_grammar(choice(&[sym("a"), seq(&[lit("("), sym("b"), lit(")")])]));
    let rule = grammar.find_rule("r").expect("there is r");
    let derivation = grammar
        .derive_children(rule, &parse_children(&grammar, "a"), false)
        .expect("legal");
    assert_eq!(derivation.parts[0].expected(), grammar.rule_body(rule));

    // r ::= (a | b)* c: an element stays an element, whatever happens to the list.
    let grammar = toy_grammar(seq(&[star(choice(&[sym("a"), sym("b")])), sym("c")]));
    let rule = grammar.find_rule("r").expect("there is r");
    let derivation = grammar
        .derive_children(rule, &parse_children(&grammar, "a c"), false)
        .expect("legal");
    let DerivationPart::Group {
        expected, parts, ..
    } = &derivation.parts[0]
    else {
        panic!("a list");
    };
    assert_eq!(grammar.describe_expr(*expected), "(a | b)*");
    assert_eq!(grammar.describe_expr(parts[0].expected()), "a | b");
    assert!(grammar.is_nullable(*expected) && !grammar.is_nullable(parts[0].expected()));
    let b = parse_children(&grammar, "b")[0].class.expect("b is known");
    let c = parse_children(&grammar, "c")[0].class.expect("c is known");
    assert!(
        grammar.class_fits(b, parts[0].expected()) && !grammar.class_fits(c, parts[0].expected())
    );
}

#[test]
fn several_nodes_in_the_place_of_one_are_kept_together() {
    // r ::= "sizeof" (a | "(" b ")")
    let place = choice(&[sym("a"), seq(&[lit("("), sym("b"), lit(")")])]);
    let grammar = toy_grammar(seq(&[lit("sizeof"), place]));
    assert_eq!(
        format_derivation(&grammar, "r", "sizeof ( b )"),
        "sizeof {( b )}"
    );
    assert_eq!(format_derivation(&grammar, "r", "sizeof a"), "sizeof a");
}

#[test]
fn text_that_makes_no_node_is_a_gap_or_nothing() {
    let grammar = toy_grammar(seq(&[
        sym("a"),
        star(seq(&[text(), sym("b")])),
        opt(text()),
    ]));
    assert_eq!(format_derivation(&grammar, "r", "a ~b ~b"), "a *[~b ~b]");
    assert_eq!(format_derivation(&grammar, "r", "a b"), "a *[b]");
    assert_eq!(format_derivation(&grammar, "r", "~a b"), "none");
    let rule = grammar.find_rule("r").expect("there is r");
    assert!(
        grammar
            .derive_children(rule, &parse_children(&grammar, "a"), true)
            .is_some()
    );
}

#[test]
fn a_loop_whose_body_may_be_nothing_ends() {
    let grammar = toy_grammar(star(seq(&[opt(sym("a")), star(sym("b")), opt(text())])));
    assert_eq!(
        format_derivation(&grammar, "r", "a b a ~b"),
        "*[{?[a] *[b]} ?[a] *[~b]]"
    );
    assert_eq!(format_derivation(&grammar, "r", ""), "");
}

#[test]
fn hidden_rules_and_aliases_are_seen_through() {
    let grammar = grammar_from_rules(&[
        ("r", seq(&[sym("_two"), alias("z", sym("_node"))])),
        ("_two", seq(&[sym("a"), alias("y", sym("a"))])),
        ("_node", seq(&[sym("a"), sym("a")])),
        ("a", text()),
    ])
    .expect("a good grammar");
    let rule = grammar.find_rule("r").expect("there is r");
    assert_eq!(grammar.describe_expr(grammar.rule_body(rule)), "_two z");
    assert_eq!(format_derivation(&grammar, "r", "a y z"), "a y z");
    let [a, y, z] = parse_children(&grammar, "a y z")[..] else {
        panic!("three")
    };
    let (a, y, z) = (
        a.class.expect("a"),
        y.class.expect("y"),
        z.class.expect("z"),
    );
    assert_eq!(grammar.rule_of_class(a), None);
    assert_eq!(grammar.rule_of_class(z), grammar.find_rule("_node"));
    // The same token under another name does not fit.
    let expected = grammar
        .derive_children(rule, &parse_children(&grammar, "a y z"), false)
        .expect("legal")
        .parts[0]
        .expected();
    assert!(grammar.class_fits(a, expected) && !grammar.class_fits(y, expected));
}

#[test]
fn a_literal_that_is_a_token_of_its_own_is_still_a_literal() {
    let slash = serde_json::json!({"type": "IMMEDIATE_TOKEN", "content": {"type": "PREC", "value": 1, "content": lit("/")}});
    let grammar = toy_grammar(seq(&[lit("/"), sym("a"), slash]));
    assert_eq!(format_derivation(&grammar, "r", "/ a /"), "/ a /");
}

#[test]
fn a_hidden_rule_that_begins_with_itself_is_a_list() {
    let chain = choice(&[
        seq(&[sym("_x"), lit("&&"), sym("b")]),
        sym("a"),
        seq(&[sym("_x"), lit("||"), sym("c")]),
    ]);
    let grammar = grammar_from_rules(&[
        ("r", sym("_x")),
        ("_x", chain),
        ("a", text()),
        ("b", text()),
        ("c", text()),
    ])
    .expect("good");
    let rule = grammar.find_rule("_x").expect("there is _x");
    assert_eq!(
        grammar.describe_expr(grammar.rule_body(rule)),
        "a (\"&&\" b | \"||\" c)*"
    );
    assert_eq!(
        format_derivation(&grammar, "r", "a && b || c"),
        "{a *[{&& b} {|| c}]}"
    );
}

#[test]
fn a_hidden_rule_may_nest_in_itself_a_few_times() {
    let nested = choice(&[sym("a"), seq(&[sym("b"), sym("_x"), sym("c")])]);
    let grammar = grammar_from_rules(&[
        ("r", sym("_x")),
        ("_x", nested),
        ("a", text()),
        ("b", text()),
        ("c", text()),
    ])
    .expect("a grammar");
    assert_eq!(format_derivation(&grammar, "r", "a"), "a");
    assert_eq!(
        format_derivation(&grammar, "r", "b b b a c c c"),
        "{b {b {b a c} c} c}"
    );
    assert_eq!(format_derivation(&grammar, "r", "b b b a c c"), "none");
    assert_eq!(
        format_derivation(&grammar, "r", "b b b b b a c c c c c"),
        "none"
    );
}

#[test]
#[ignore = "long"]
fn hidden_rules_that_need_each_other_are_put_in_place_as_far_as_can_be_borne() {
    // Each is any other or a token: as many paths as there are orders of them.
    let names: Vec<String> = (0..5).map(|at| format!("_x{at}")).collect();
    let others = names.iter().map(|name| seq(&[sym("b"), sym(name)]));
    let body = choice(&others.chain([sym("a")]).collect::<Vec<_>>());
    // Each contains the next, many times.
    let deep: Vec<String> = (0..20_000).map(|at| format!("_y{at}")).collect();
    let mut rules = vec![("r", sym("_x0")), ("s", sym("_y0"))];
    rules.extend(["a", "b", "c"].map(|token| (token, text())));
    rules.extend(names.iter().map(|name| (&name[..], body.clone())));
    rules.extend(deep.windows(2).map(|pair| (&pair[0][..], sym(&pair[1]))));
    rules.push((&deep[deep.len() - 1], sym("c")));
    let grammar = grammar_from_rules(&rules).expect("a grammar");
    assert_eq!(format_derivation(&grammar, "r", "b b a"), "{b {b a}}");
    assert_eq!(format_derivation(&grammar, "s", "c"), "none");
}

#[test]
fn a_hidden_rule_that_is_shown_as_another_kind_may_contain_itself() {
    let body = choice(&[sym("a"), alias("b", sym("_x"))]);
    let grammar =
        grammar_from_rules(&[("r", sym("_x")), ("_x", body), ("a", text())]).expect("a grammar");
    assert!(format_derivation(&grammar, "r", "a") != "none");
}

#[test]
fn hidden_rules_that_are_shown_as_another_kind_end_too_where_they_need_each_other() {
    let names: Vec<String> = (0..10).map(|at| format!("_x{at}")).collect();
    let others = names.iter().map(|name| seq(&[sym("b"), sym(name)]));
    let body = choice(&others.chain([sym("a")]).collect::<Vec<_>>());
    let mut rules = vec![("r", sym("_y")), ("_y", alias("c", sym("_x0")))];
    rules.extend(["a", "b"].map(|token| (token, text())));
    rules.extend(names.iter().map(|name| (&name[..], body.clone())));
    let grammar = grammar_from_rules(&rules).expect("a grammar");
    assert!(format_derivation(&grammar, "r", "c") != "none");
}

#[test]
fn parts_that_may_be_nothing_in_each_other_do_not_double_the_automaton() {
    let nested = (0..18).fold(sym("a"), |inner, _| {
        star(seq(&[opt(sym("b")), opt(inner.clone())]))
    });
    let grammar = toy_grammar(nested);
    assert_eq!(format_derivation(&grammar, "r", "a"), "none");
}

#[test]
fn what_cannot_be_read_is_said() {
    let unknown = grammar_from_rules(&[("r", sym("nobody"))])
        .err()
        .map(|e| e.to_string());
    assert_eq!(
        unknown.as_deref(),
        Some("grammar.json: the rule r names nobody, which is not a rule")
    );
    assert!(matches!(
        Grammar::from_tree_sitter("{}", ""),
        Err(GrammarError::Parser(_))
    ));
}

#[test]
fn a_damaged_table_is_an_error() {
    let bytes = toy_grammar(seq(&[
        comma_list(&sym("a")),
        opt(field("f", choice(&[sym("b"), text()]))),
    ]))
    .encode();
    for end in 0..bytes.len() {
        assert!(Grammar::decode(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        for value in [0, 1, 9, 0x7f, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            // It may still be a table; it must not panic.
            let _ = Grammar::decode(&damaged);
        }
    }
}
