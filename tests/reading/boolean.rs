//! Boolean programs of both families of model checkers: the constructs that each writes, and the programs that come with bp-reduce.

use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::common::{oracle, read_as, run, setup, text, verdict};
use lop::language::{self, Language};
use lop::program::names::DeclarationKind;
use lop::program::{self, NodeShape, Version, walk};

fn boolean_programs() -> &'static Language {
    language::by_name("boolean-program").expect("it is built in")
}

fn read(text: &str) -> Version {
    read_as(boolean_programs(), text)
}

/// Where a text does not follow the grammar.
fn syntax_error(text: &str) -> Option<String> {
    let error = boolean_programs().find_syntax_error(text.as_bytes());
    error.map(|error| error.to_string())
}

/// (what it is, a program with it)
const CONSTRUCTS: &[(&str, &str)] = &[
    (
        "names with $ inside, as SatAbs writes them",
        "void c$$__CPROVER_initialize() begin end void main() begin c$$__CPROVER_initialize(); end",
    ),
    (
        "an implication of bp-reduce",
        "decl a, b; void main() begin assert a -> b -> a | b; end",
    ),
    (
        "implications of Bebop",
        "decl a, b; void main() begin assert (a => b) <=> (!a | b); end",
    ),
    (
        "elif of bp-reduce",
        "decl a; void main() begin if a then skip; elif !a then skip; elif * then skip; else a := T; fi; end",
    ),
    (
        "elsif of Bebop",
        "decl a; main() begin if (a) then skip; elsif (!a) then skip; else a := 1; fi; end",
    ),
    (
        "dfs, and results of several values",
        "dfs bool<2> f(x) begin return x, !x; end void main() begin decl a, b; a, b := f(T); end",
    ),
    (
        "enforce after the declarations",
        "decl a, b; enforce !(a & b); void main() begin decl c; enforce c | a; skip; end",
    ),
    (
        "? for any value",
        "decl a; main() begin a := ?; assume (?); if (?) then skip; fi; while (a) do a := ?; od; end",
    ),
    (
        "a choice by ? and :",
        "decl a, b; void main() begin a := b ? ? : !a; end",
    ),
    (
        "functions without a result type",
        "f(x, y) begin return x & y; end main() begin skip; end",
    ),
    (
        "_ on the left of a call",
        "bool<2> f() begin return T, F; end void main() begin decl a; a, _ := f(); end",
    ),
    (
        "values after the step, and those of other threads",
        "decl g; void main() begin decl x; x, x$ := g, x constrain ('x | !'x$) & (x = x$); end",
    ),
    (
        "schoose, names in braces, dead variables",
        "decl {a==1}, b; void main() begin {a==1} := schoose[b, !b]; dead {a==1}, b; end",
    ),
    (
        "no semicolon behind fi and od",
        "decl g; void main() begin if (g) then l: skip; fi while (*) do if g then fi od if g then fi; end",
    ),
    (
        "constants, loops and threads",
        "decl a; void main() begin l: start_thread goto l; while a do a := 0; od; atomic_begin; a := 1 ^ T; atomic_end; end_thread; end",
    ),
];

#[test]
fn both_families_of_checkers_are_read() {
    for (what, program) in CONSTRUCTS {
        assert_eq!(syntax_error(program), None, "{what}: {program}");
        assert_eq!(text(&read(program)), *program, "{what}");
    }
}

#[test]
fn operators_bind_as_bebop_and_getafix_bind_them() {
    // Each list of operands, outer before inner.
    let operands = |expression: &str| -> Vec<String> {
        let version = read(&format!("void main() begin assert {expression}; end"));
        let lists = walk::preorder(&version.documents()[0].root);
        let lists = lists.filter(|node| node.shape == NodeShape::Sep && node.children().len() > 1);
        let texts =
            lists.map(|list| String::from_utf8_lossy(&walk::render_text(list)).into_owned());
        texts.map(|text| text.trim().to_owned()).collect()
    };
    assert_eq!(
        operands("a => b | c ^ d & e = !f"),
        [
            "a => b | c ^ d & e = !f",
            "b | c ^ d & e = !f",
            "c ^ d & e = !f",
            "d & e = !f",
            "e = !f"
        ]
    );
    assert_eq!(
        operands("a & b | c & d"),
        ["a & b | c & d", "a & b", "c & d"]
    );
}

#[test]
fn what_no_checker_reads_is_told_with_its_place() {
    let error =
        syntax_error("decl a;\nvoid main() begin if a then skip; end").expect("it is wrong");
    assert!(error.starts_with("line 2, column 35: \"end\", "), "{error}");
    let error = syntax_error("void main() begin a := ; end").expect("it is wrong");
    assert!(error.starts_with("line 1, column 24: \";\", "), "{error}");
}

/// The programs that come with bp-reduce. They are measuring data, which only some checkouts have beside them.
fn recorded_program(name: &str) -> Option<String> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench/boolean");
    let path = bench.join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            eprintln!("!! SKIPPED: {} cannot be read: {error}", path.display());
            None
        }
    }
}

#[test]
fn the_programs_of_bp_reduce_are_read_printed_and_reduced() {
    let programs = [
        ("trace_WP_bug2/main.bp", 1110, "start_thread goto"),
        ("trace_WP_bug2/reduced.bp", 173, "start_thread goto"),
        ("missing-in-action.bp", 624, "start_thread goto"),
    ];
    for (name, tokens, needed) in programs {
        let Some(program) = recorded_program(name) else {
            continue;
        };
        assert_eq!(syntax_error(&program), None, "{name}");
        let version = read(&program);
        assert_eq!(text(&version), program, "{name}");
        assert_eq!(version.token_count(), tokens, "{name}");
        let runner = oracle(move |text| verdict(text.contains(needed) && text.contains("main")));
        let (left, _) = run(setup(version, runner));
        assert_eq!(syntax_error(&left), None, "{name}: {left}");
        // `void main() begin start_thread goto l; end`, and the name may be another.
        assert!(read(&left).token_count() <= 13, "{name}: {left}");
    }
}

/// What declares a name, and how many tokens declare and use it.
type NameFacts = (Option<DeclarationKind>, u32, u32);

fn name_facts(version: &Version, name: &str) -> Vec<NameFacts> {
    let names = version.name_graph();
    let symbols = names
        .symbols()
        .filter(|&symbol| &**names.symbol_name(symbol) == name);
    let facts = symbols.map(|symbol| {
        let count = names.symbol_count(symbol);
        (names.declaration_kind(symbol), count.declares, count.uses)
    });
    facts
        .filter(|(_, declares, uses)| declares + uses > 0)
        .collect()
}

#[test]
fn names_are_known_with_their_primes_in_their_functions() {
    let program = "decl g, x;\nvoid main() begin decl x, y; l: x, y$ := 'x, g constrain !'y$ | x$; goto l; f(y); dead x, y; end\n\
                   void f(a) begin l: a := x; goto l; end\n";
    let version = read(program);
    let (var, param, label) = (
        Some(DeclarationKind::Var),
        Some(DeclarationKind::Param),
        Some(DeclarationKind::Label),
    );
    let facts = |name| name_facts(&version, name);
    assert_eq!(facts("g"), [(var, 1, 1)]);
    // The global is used in f, the local in main: as x, 'x, x$ and in dead.
    assert_eq!(facts("x"), [(var, 1, 1), (var, 1, 4)]);
    assert_eq!(facts("y"), [(var, 1, 4)]);
    assert_eq!(facts("a"), [(param, 1, 1)]);
    assert_eq!(facts("l"), [(label, 1, 1), (label, 1, 1)]);
    assert_eq!(facts("f"), [(Some(DeclarationKind::Function), 1, 1)]);
    assert_eq!(facts("main"), [(Some(DeclarationKind::Function), 1, 0)]);
}

#[test]
fn a_variable_takes_its_part_of_dead_along() {
    let program = "decl g;\nvoid main() begin decl x; x := g; dead x; assert g; end\n";
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let runner = oracle(move |text| {
        seen.lock().expect("no panic").push(text.to_owned());
        verdict(text.contains("assert g"))
    });
    let (left, _) = run(setup(read(program), runner));
    assert_eq!(left, "main() begin assert g; end\n");
    let asked = asked.lock().expect("no panic");
    let lone = asked
        .iter()
        .find(|text| text.contains("dead x") && !text.contains("decl x"));
    assert_eq!(lone, None, "x is used where it is not declared");
}

#[test]
fn bodies_are_emptied_in_one_question() {
    let program = "void f() begin decl a; a := T; skip; end\nvoid g() begin if * then skip; fi; end\nvoid main() begin f(); g(); end\n";
    let version = read(program);
    let bodies = program::find_bodies(&version);
    let bodies: Vec<String> = bodies
        .map(|(path, _)| {
            String::from_utf8_lossy(&walk::render_text(path.node()))
                .trim()
                .to_owned()
        })
        .collect();
    assert_eq!(
        bodies,
        ["a := T; skip;", "if * then skip; fi;", "f(); g();"]
    );
}

#[test]
fn marks_that_mean_nothing_are_told_with_their_place() {
    let rows = [
        (
            "p ::= x@def.thing.name\n%token x ::= 'x'",
            "line 1, column 8: there is no mark @def.thing.name; a part has @def.KIND.name, ",
        ),
        (
            "p ::= x %def.thing\n%token x ::= 'x'",
            "line 1, column 9: there is no mark %def.thing; a rule has %def.KIND, %scope, ",
        ),
        (
            "p ::= 'y'@ref x\n%token x ::= 'x'",
            "line 1, column 10: a mark stands behind the name of a rule or a %token; here is @ref",
        ),
        (
            "p ::= x\n%token x ::= y@ref\n%fragment y ::= 'y'",
            "line 2, column 15: a mark stands in a rule, not in the pattern of a token",
        ),
        (
            "p ::= x@ref ',' x\n%token x ::= 'x'",
            "line 1, column 17: it stands in this rule with other marks too; give one of them a rule of its own",
        ),
        (
            "a ::= b 'x' | 'y'\nb ::= a n@def.var.name\n%token n ::= 'n'",
            "line 2, column 1: b is recursive at one end through another rule, and the normal form takes it apart; give what has a mark a rule of its own",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%same-name before '_'",
            "line 3, column 12: %same-name wants leading or trailing, each with texts in quotes; here is the name before",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%same-name leading",
            "line 3, column 19: a text in quotes is missing; here is the end of the file",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%statement p",
            "line 3, column 1: %statement wants a rule, and the text of a statement that does nothing",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%true T",
            "line 3, column 1: %true wants texts in quotes",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%assignment p q",
            "line 3, column 1: %assignment wants three rules, of assignments, of their targets and of their values, and at most a text",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%expression other",
            "line 3, column 13: %expression is about other, and there is no rule of that name",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%new-line x",
            "line 3, column 11: %new-line is about rules, and x is none: it is a token or a part of one; name a rule that consists of it",
        ),
        // A text in a setting is one of the grammar, and no word of a token for all words.
        (
            "p ::= word\n%token word ::= [a-z]+\n%true \"tru\"",
            "line 3, column 7: %true is about \"tru\", and no rule has this text in quotes",
        ),
        (
            "p ::= word \";\"\n%token word ::= [a-z]+\n%no-blank-before \";\" \"semicolon\"",
            "line 3, column 22: %no-blank-before is about \"semicolon\", and no rule has this text in quotes",
        ),
        (
            "p ::= word\n%token word ::= [a-z]+\n%statement p \"nop\"",
            "line 3, column 14: %statement is about \"nop\", and no rule has this text in quotes",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%constraint 'x'",
            "line 3, column 1: %constraint wants a rule, and two texts or none",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%expression 'x'",
            "line 3, column 1: %expression wants a rule, and those in which it stays as it is",
        ),
        (
            "p ::= x @ y\n%token x ::= 'x'",
            "line 1, column 9: a `@` is followed by a mark, as @def.var.name",
        ),
        (
            "p ::= x\n%token x ::= 'x'\n%entry 'x'",
            "line 3, column 8: a name is missing; here is \"x\"",
        ),
    ];
    for (grammar, expected) in rows {
        match language::load_bnf("marked", grammar) {
            Ok(_) => panic!("it is read: {grammar}"),
            Err(error) => assert!(
                error.to_string().starts_with(expected),
                "{grammar}\n{error}"
            ),
        }
    }
}

/// A language of nobody: `let` declares, braces are scopes, and a rule may consist of one name.
const LET: &str = "%name let\nprogram ::= item*\nitem ::= let | block | use\nlet ::= 'let' pattern ';'  %def.var\npattern ::= word@def.var.name\n\
                   block ::= '{' items@def.function.body '}'  %scope\nitems ::= item*\nuse ::= word@ref ';'\n%token word ::= [a-z]+";

#[test]
fn marks_hold_where_a_node_of_one_part_is_left_out() {
    let language = language::load_bnf("let", LET).expect("a grammar");
    let (path, text) = (Arc::from(Path::new("a.let")), "let a; { let a; a; b; } a;");
    let source = (Some(language), path, Arc::from(text.as_bytes()));
    let version = program::read_documents(vec![source]).expect("it is read");
    let var = Some(DeclarationKind::Var);
    assert_eq!(name_facts(&version, "a"), [(var, 1, 1), (var, 1, 1)]);
    assert_eq!(name_facts(&version, "b"), [(None, 0, 1)]);
}
