//! Strategies that work on a grammar as it is written: (program, test, result, what was asked).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::common::{EXPRESSIONS, oracle, run, setup, verdict};
use crate::shell::Stage;
use lop::language::{self, Language};
use lop::oracle::{ScriptedRunner, Verdict};
use lop::pass::{self, PassOptions};
use lop::program;
use lop::reduce::{RunEvent, RunSetup};

/// His program.
const PROGRAM: &str = "1+((2*3/4))";

/// His property: two parentheses in a row.
fn two_parentheses(text: &str) -> bool {
    text.split_once("((")
        .is_some_and(|(_, rest)| rest.contains("))"))
}

fn expr() -> &'static Language {
    let bnf = language::convert_dictionary(EXPRESSIONS).expect("a dictionary");
    language::load_bnf("expr", &bnf).expect("a grammar")
}

/// A run of a strategy on a program.
fn with_strategy(
    language: &'static Language,
    text: &str,
    strategy: &str,
    runner: ScriptedRunner,
) -> RunSetup {
    let (path, bytes) = (Arc::from(Path::new("input")), Arc::from(text.as_bytes()));
    let version = program::read_documents(vec![(Some(language), path, bytes)]).expect("it is read");
    let strategy = pass::find_strategy(strategy).expect("a strategy");
    RunSetup {
        options: PassOptions::from_strategy(strategy),
        ..setup(version, runner)
    }
}

/// What a strategy leaves of a program, with the questions and answers on the way.
fn story(
    strategy: &str,
    language: &'static Language,
    text: &str,
    jobs: usize,
    wanted: fn(&str) -> bool,
) -> (String, Vec<String>) {
    let runner = oracle(move |text| verdict(wanted(text)));
    let mut setup = with_strategy(language, text, strategy, runner);
    setup.jobs = jobs;
    let (last, events) = run(setup);
    let asked = events.into_iter().filter_map(|event| match event {
        RunEvent::Decided(decided) if decided.verdict == Verdict::Interesting => {
            Some(format!("yes: {}", decided.sentence))
        }
        RunEvent::Decided(decided) => Some(format!("no: {}", decided.sentence)),
        _ => None,
    });
    (last, asked.collect())
}

#[test]
fn the_choices_of_two_parentheses() {
    let (last, asked) = story("choices", expr(), PROGRAM, 1, two_parentheses);
    assert_eq!(last, "((0))");
    let steps: Vec<&str> = asked
        .iter()
        .filter_map(|asked| asked.strip_prefix("yes: "))
        .collect();
    assert_eq!(
        steps,
        [
            "Can `expr` become one inside it? 2 tokens fewer",
            "Can `term` become one inside it? 4 tokens fewer",
            // Of equal size, and simpler: `((4))` becomes `((0))`.
            "Can 4 choices in a row become the simplest?",
        ]
    );
    assert_eq!(asked.len(), 119);
    for jobs in [2, 8] {
        let same = story("choices", expr(), PROGRAM, jobs, two_parentheses);
        assert_eq!(same, (last.clone(), asked.clone()));
    }
}

#[test]
fn gopinaths_search_ends_as_his_code_ends() {
    let (last, asked) = story("gopinath", expr(), PROGRAM, 1, two_parentheses);
    assert_eq!((&last[..], asked.len()), ("((4))", 13));
    // By way of `((2*3/4))` and `((3/4))`.
    let found = asked.iter().filter(|asked| asked.starts_with("yes: "));
    assert_eq!(found.count(), 3);
    for jobs in [2, 8] {
        let same = story("gopinath", expr(), PROGRAM, jobs, two_parentheses);
        assert_eq!(same, (last.clone(), asked.clone()));
    }
}

#[test]
fn gopinaths_search_accepts_each_smaller_program_and_asks_about_larger_ones_too() {
    let wanted = |text: &str| two_parentheses(text) || text.contains('5');
    let runner = oracle(move |text| verdict(wanted(text)));
    let (last, events) = run(with_strategy(
        expr(),
        "((1))*(((4+5)*2))",
        "gopinath",
        runner,
    ));
    let mut sizes = vec![17];
    let mut larger = 0;
    for event in events {
        match event {
            RunEvent::Accepted { tokens, .. } => sizes.push(tokens),
            RunEvent::Decided(decided) if decided.change.0 > 0 => larger += 1,
            _ => {}
        }
    }
    assert_eq!((&last[..], sizes, larger), ("5", vec![17, 9, 7, 3, 1], 4));
}

#[test]
fn gopinaths_search_takes_nothing_where_the_grammar_allows_nothing() {
    let rest = r#"{"<start>": ["<list>"], "<list>": ["<item><more>"], "<more>": ["", ",<list>"], "<item>": ["a", "b", "[<list>]", "[]"]}"#;
    let bnf = language::convert_dictionary(rest).expect("a dictionary");
    let language = language::load_bnf("rest", &bnf).expect("a grammar");
    let (last, asked) = story("gopinath", language, "a,[a,[b,b],a],b", 1, |text| {
        text.contains("[b")
    });
    assert_eq!((&last[..], asked.len()), ("[b]", 25));
}

/// The table of docs/STRATEGIES.md: the result, and how many new texts were tested.
#[test]
fn each_strategy_on_the_program_of_the_post() {
    let table = [
        ("choices", "((0))", 24),
        ("gopinath", "((4))", 13),
        ("smallest-first", "((2))", 7),
        ("perses", "((2))", 7),
        ("lop", "((2))", 9),
    ];
    let rows = table.map(|(strategy, ..)| {
        let texts: Arc<Mutex<BTreeSet<String>>> = Arc::default();
        let seen = texts.clone();
        let runner = oracle(move |text| {
            seen.lock().expect("a set").insert(text.to_owned());
            verdict(two_parentheses(text))
        });
        let (last, _) = run(with_strategy(expr(), PROGRAM, strategy, runner));
        let mut texts = texts.lock().expect("a set");
        texts.remove(PROGRAM);
        (strategy, last, texts.len())
    });
    let expected = table.map(|(name, last, tests)| (name, last.to_owned(), tests));
    assert_eq!(rows, expected);
}

/// Calls in a language with a lexer, white space and a list.
const CALLS: &str = "program ::= (call ';')* call ';'?\ncall ::= name '(' (name | call)? ')' | 'skip' number\n\
    %token name ::= [a-z]+\n%token number ::= [0-9]+\n%comment line ::= '#' [^\\n]*";

#[test]
fn elements_options_and_tokens_become_as_simple_as_the_test_allows() {
    let calls = language::load_bnf("calls", CALLS).expect("a grammar");
    let program = "first(x);\n# a comment\nskip 42;\nbug ( wide ( deep(q) ) ) ;\nskip 7";
    let (last, _) = story("choices", calls, program, 1, |text| {
        text.replace(' ', "").contains("bug(") && text.contains("skip")
    });
    // The number is the simplest one, and `bug(` has nothing in its parentheses.
    assert_eq!(last, "skip0;bug()");
}

#[test]
fn a_grammar_of_tree_sitters_has_no_choices() {
    let c = language::by_name("c").expect("it is built in");
    let (last, asked) = story("choices", c, "int a; int bug;", 1, |text| {
        text.contains("bug")
    });
    assert_eq!((&last[..], asked.len()), ("int a; int bug;", 0));
}

#[test]
fn a_run_with_choices_is_replayed_and_kept_in_its_session() {
    let stage = Stage::new();
    stage.write("expr.json", EXPRESSIONS);
    stage.write("input", "1+((2*3/4))\n");
    stage.test("two.sh", "grep -q '((.*))' input");
    let line = [
        "input",
        "two.sh",
        "--grammar",
        "expr.json",
        "--strategy",
        "choices",
    ];
    let end = stage.lop(&[&line[..], &["--journal", "j", "--no-session"]].concat());
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("input.lop"), "((0))\n");
    let end = stage.lop(&["replay", "--check", "j"]);
    assert!(end.status == 0 && end.out.contains("the same"), "{end}");
    // What is pinned stays.
    let pinned = ["--command", "pin 1:7"];
    let end = stage.lop(&[&line[..], &pinned[..], &["--output", "p", "--no-session"]].concat());
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.read("p").contains('3'), "{}", stage.read("p"));
}
