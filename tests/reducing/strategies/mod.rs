//! Strategies as a table: (program, test, result, the order of the first candidates).

mod algorithms;
mod bytes;
mod choices;
mod efforts;
mod folding;
mod generator;
mod inlining;
mod last_declarations;
mod members;
mod objects;
mod other_derivations;
mod proposer;
mod rewrites;
mod rules;
mod smart;
mod text;
mod transformations;
mod unfolding;

use crate::common::{candidates_of_pass, oracle, read, run, setup, text, verdict};
use lop::minimize;
use lop::oracle::Verdict;
use lop::pass::{self, Effort, FeatureSet, PassOptions, STRATEGIES};
use lop::program::{self, Edit, EditOp, NodeShape, Version, View, walk};
use lop::protocol::{Feedback, Proposer, ProposerStep};
use lop::reduce::{PassSchedule, RunEvent};

/// Takes the next step of a schedule without an engine; `answer` decides about each smaller candidate. False at the end.
fn take_step(
    schedule: &mut PassSchedule,
    view: &mut View,
    answer: impl FnOnce(&PassSchedule, &View, &Version) -> Feedback,
) -> bool {
    match schedule.propose(view) {
        ProposerStep::Test(edit, _) => {
            let answer = match program::apply_edit(&view.version, &edit) {
                Ok((candidate, _)) if candidate.token_count() < view.version.token_count() => {
                    answer(schedule, view, &candidate)
                }
                _ => Feedback::Rejected,
            };
            schedule.on_verdict(view, &edit, answer);
        }
        ProposerStep::Accept(edit) => {
            let (version, change) =
                program::apply_edit(&view.version, &edit).expect("a take can be made");
            view.version = version;
            schedule.on_accept(view, &change);
        }
        ProposerStep::Reparse => {
            view.version = program::reparse_version(&view.version).expect("the parse ends");
            schedule.on_reparse(view);
        }
        ProposerStep::Done => return false,
    }
    true
}

/// A small C program with a part that nothing needs, a function, and a block in a block.
const PROGRAM: &str = "int spare;\nint f(int a) { return a; }\nint main(void) {\n  int x = f(1);\n  if (x) {\n    x = 2;\n    bug(x);\n  }\n  return 0;\n}\n";

/// What a strategy leaves of a program while it contains all of `needs`, without white space, and what it asks on the way.
fn story(
    strategy: &str,
    name: &str,
    program: &str,
    needs: &'static [&'static str],
) -> (String, Vec<String>) {
    let runner = oracle(move |text| verdict(needs.iter().all(|need| text.contains(need))));
    let mut setup = setup(read(name, program), runner);
    let strategy = pass::find_strategy(strategy).expect("a strategy");
    setup.options = PassOptions {
        effort: Effort::Quick,
        ..PassOptions::from_strategy(strategy)
    };
    let (last, events) = run(setup);
    let asked = events.into_iter().filter_map(|event| match event {
        RunEvent::Decided(decided) if decided.verdict == Verdict::Interesting => {
            Some(format!("yes: {}", decided.sentence))
        }
        RunEvent::Decided(decided) => Some(format!("no: {}", decided.sentence)),
        _ => None,
    });
    (words(&last), asked.collect())
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first questions are these, by what they begin with.
fn begins(asked: &[String], expected: &[&str]) {
    for (at, start) in expected.iter().enumerate() {
        let question = asked.get(at).map_or("", String::as_str);
        assert!(
            question.starts_with(start),
            "question {}: {start}\nof:\n{}",
            at + 1,
            asked.join("\n")
        );
    }
}

#[test]
fn every_strategy_ends_with_a_program_that_passes_and_repeats_itself() {
    // Those for statements have stories of their own.
    for strategy in STRATEGIES
        .iter()
        .filter(|strategy| !strategy.needs_statements() && !strategy.needs_bnf())
    {
        let first = story(strategy.name, "a.c", PROGRAM, &["bug("]);
        assert!(first.0.contains("bug("), "{}: {}", strategy.name, first.0);
        assert!(first.0.len() < 40, "{}: {}", strategy.name, first.0);
        assert_eq!(
            first,
            story(strategy.name, "a.c", PROGRAM, &["bug("]),
            "{}",
            strategy.name
        );
    }
}

#[test]
fn names_are_unique_and_every_line_says_something() {
    let strategies = STRATEGIES.iter().chain(pass::PAIR_STRATEGIES);
    let mut names: Vec<_> = strategies.map(|strategy| strategy.name).collect();
    names.extend(minimize::MINIMIZERS.iter().map(|kind| kind.name));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(
        names.len(),
        all,
        "a name is a strategy or a list minimiser, never both"
    );
    assert!(
        pass::all_passes()
            .iter()
            .all(|kind| !kind.description.is_empty() && !kind.name.contains(','))
    );
}

#[test]
fn pardis_asks_about_one_node_at_a_time_the_heaviest_first() {
    let (last, asked) = story("pardis", "a.c", PROGRAM, &["bug("]);
    assert_eq!(
        last, "int main() { if (x) { bug(); } }",
        "it deletes and never replaces"
    );
    begins(
        &asked,
        &[
            "no: Can the function `main`",
            "no: Can `if (x)",
            "yes: Can the function `f`",
            "yes: Can the declaration of `x`",
            "no: Can the statement `bug(x);`",
            "yes: Can the statement `x = 2;`",
            "no: Can the optional part `bug(x)`",
            "yes: Can the declaration of `spare`",
        ],
    );
}

#[test]
fn pardis_does_not_ask_twice_about_the_same_text() {
    let (last, asked) = story("pardis", "a.txt", "spare\nbug\nit is a bug\n", &["bug\n"]);
    assert_eq!(last, "bug");
    begins(
        &asked,
        &[
            "yes: Can the part `it is a bug`",
            "yes: Can the part `spare` go?",
            "no: Can the part `bug` go?",
        ],
    );
    assert!(
        !asked
            .iter()
            .any(|question| question.contains("token `bug`")),
        "the only token of a line is the line:\n{}",
        asked.join("\n")
    );
}

#[test]
fn perses_takes_heavy_nodes_first_and_gopinaths_queue_light_ones() {
    const TWO: &str = "int a(void) { return one + 1; }\nint b(void) { return two + 1 + 2 + 3; }\n";
    let needs = &["int a", "int b", "one +", "two +"];
    let first_body = |strategy| {
        let (_, asked) = story(strategy, "a.c", TWO, needs);
        asked.into_iter().find(|question| {
            question.contains("become its body") || question.contains("become its declarator")
        })
    };
    let (perses, gopinath) = (first_body("perses"), first_body("smallest-first"));
    assert!(
        perses
            .as_ref()
            .is_some_and(|question| question.contains("function `b`")),
        "{perses:?}"
    );
    assert!(
        gopinath
            .as_ref()
            .is_some_and(|question| question.contains("function `a`")),
        "{gopinath:?}"
    );
}

/// Perses, algorithm 4, line 17: what stands there now is pending. The main loop also looks once more at the list that it stands in.
#[test]
fn what_was_spliced_into_a_list_has_its_turn_in_the_same_pass() {
    const BLOCK: &str =
        "void f(void) {\n  need();\n  if (c) { spare(); keep(1 + 2); also(); }\n}\n";
    let ends = [
        (&pass::PERSES, "void f() { need(); ; keep(); also(); }"),
        (&pass::HEAVIEST, "void f() { need(); keep(); also(); }"),
    ];
    for (kind, end) in ends {
        let needs = ["f(", "need(", "keep(", "also("];
        let interesting = |text: &str| needs.iter().all(|need| text.contains(need));
        let (asked, left) =
            candidates_of_pass::pass(kind, ("a.c", BLOCK), FeatureSet::default(), interesting);
        let spliced =
            |asked: &&candidates_of_pass::Asked| asked.yes && asked.sentence.contains("inside it?");
        let spliced = asked.iter().filter(spliced).count();
        assert_eq!(spliced, 1, "{}: {asked:#?}", kind.name);
        assert_eq!(words(&left), end, "{}: {asked:#?}", kind.name);
    }
}

#[test]
fn hdd_goes_from_level_to_level_and_minimises_each_as_a_whole() {
    let (last, asked) = story("hdd", "a.c", PROGRAM, &["bug("]);
    assert_eq!(last, "int main() { if (x) { bug(); } }");
    begins(
        &asked,
        &[
            "no: Can all 3 parts on level 1 go?",
            "no: Can 2 of 3 parts on level 1",
            "yes: Can the declaration of `spare` go? 3 tokens fewer: one of 3 parts on level 1",
            "no: Can the function `main` go? 33 tokens fewer: one of 2 parts on level 1",
            "yes: Can the function `f` go?",
            "no: Can the function `main` go? 33 tokens fewer: the only part on level 1",
            "no: Can all 3 parts on level 3 go?",
        ],
    );
    let (_, star) = story("hdd-star", "a.c", PROGRAM, &["bug("]);
    assert_eq!(
        asked,
        star[..asked.len()],
        "HDD* is HDD again, from the first level"
    );
    assert!(
        star[asked.len()].contains("on level 1"),
        "{:?}",
        star[asked.len()]
    );
}

#[test]
fn a_level_is_one_row_over_the_whole_program() {
    const TWO: &str = "int a(void) { x(); y(); }\nint b(void) { x(); bug(); }\n";
    let (last, asked) = story("hdd", "a.c", TWO, &["int a", "int b", "bug"]);
    assert_eq!(last, "int a() { } int b() { bug(); }");
    assert!(
        asked
            .iter()
            .any(|question| question.contains("all 4 parts on level 3")),
        "{}",
        asked.join("\n")
    );
}

#[test]
fn of_a_list_that_must_keep_one_element_the_first_stays_when_a_level_goes() {
    let (last, asked) = story("hdd", "a.c", "int a, b, c; int bug, d;\n", &["int", "bug"]);
    assert_eq!(last, "int bug;");
    begins(&asked, &["no: Can all 2 parts", "no:"]);
    let (last, _) = story("hdd", "a.c", "int a, b; int c, bug;\n", &["int a", "bug"]);
    assert_eq!(last, "int a; int bug;");
}

#[test]
fn hddr_minimises_the_children_of_one_node_at_a_time_breadth_first() {
    const TWO: &str = "int a(void) { x(); y(); }\nint b(void) { x(); bug(); }\n";
    let (last, asked) = story("hddr", "a.c", TWO, &["int a", "int b", "bug"]);
    assert_eq!(last, "int a() { } int b() { bug(); }");
    begins(
        &asked,
        &[
            "no: Can all 2 parts go?",
            "no: Can the function `b` go? 15 tokens fewer: one of 2 parts",
            "no: Can the function `a` go? 15 tokens fewer: one of 2 parts",
        ],
    );
    let place = |words: &str| asked.iter().position(|question| question.contains(words));
    let (a, b) = (place("all 2 parts of `a`"), place("all 2 parts of `b`"));
    assert!(a.is_some() && a < b, "{}", asked.join("\n"));
}

#[test]
fn hoisting_replaces_many_siblings_at_once() {
    const SIBLINGS: &str =
        "void f(void) {\n  if (a) { one(); }\n  if (b) { two(); }\n  while (c) { three(); }\n}\n";
    let (last, asked) = story(
        "hoist",
        "a.c",
        SIBLINGS,
        &["void f()", "one()", "two()", "three()"],
    );
    assert_eq!(last, "void f() { one(); two(); three(); }");
    let together = asked
        .iter()
        .filter(|question| question.starts_with("yes: Can 3 of 3 nodes"))
        .count();
    assert_eq!(
        together,
        2,
        "to the blocks, then to what is in them:\n{}",
        asked.join("\n")
    );
}

#[test]
fn a_deep_nest_of_lists_with_one_element_takes_few_tests() {
    let nest = format!("{}4711{}", "[".repeat(400), "]".repeat(400));
    let (last, asked) = story("lop", "a.json", &nest, &["4711"]);
    assert_eq!(last, "4711");
    assert!(asked.len() < 40, "{} questions", asked.len());
}

#[test]
fn lines_go_without_a_look_at_the_syntax() {
    let (last, asked) = story("lines", "a.c", PROGRAM, &["bug("]);
    assert_eq!(last, "bug(x);");
    begins(
        &asked,
        &[
            "no: Can all 10 lines go?",
            "no: Can 5 of 10 lines go?",
            "yes: Can 5 of 10 lines go?",
            "yes: Can 3 of 5 lines go?",
        ],
    );
    let (last, _) = story("lines", "a.c", PROGRAM, &["bug(", "if (x) {\n"]);
    assert_eq!(last, "if (x) { bug(x);", "the brace stays open");
}

#[test]
fn levels_cut_at_the_brackets() {
    let (last, asked) = story("levels", "a.c", PROGRAM, &["bug("]);
    assert_eq!(last, "bug(x);");
    begins(
        &asked,
        &[
            "no: Can all 3 stretches inside 0 brackets go?",
            "no: Can 2 of 3 stretches inside 0 brackets go?",
            "yes: Can 1 of 3 stretches inside 0 brackets go?",
        ],
    );
    let deeper = asked
        .iter()
        .position(|question| question.contains("all 5 stretches inside 1 bracket go?"));
    assert_eq!(deeper, Some(6), "{}", asked.join("\n"));
}

#[test]
fn a_directive_is_a_line_of_its_own_on_every_level() {
    const DIRECTIVES: &str = "#define A 1\n#define B 2\nint x = A;\nint y = B;\n";
    let (last, asked) = story("levels", "a.c", DIRECTIVES, &["#define B 2\n", "y = B"]);
    assert_eq!(last, "#define B 2 int y = B;");
    begins(&asked, &["no: Can all 4 stretches inside 0 brackets go?"]);
}

#[test]
fn tokens_go_one_by_one_at_last() {
    let (last, asked) = story("tokens", "a.c", PROGRAM, &["bug", "return"]);
    assert_eq!(last, "bug return");
    begins(
        &asked,
        &["no: Can all 47 tokens go?", "no: Can 24 of 47 tokens go?"],
    );
}

#[test]
fn what_loses_a_token_that_the_grammar_wants_is_opaque_until_the_text_is_read_again() {
    let version = read("a.c", "int a;\nint f(void) { g(1 + 2); return 0; }\n");
    let leaf = |text: &str| {
        walk::iter_leaves(&version.documents()[0].root)
            .find(|leaf| leaf.text() == text.as_bytes())
            .unwrap_or_else(|| panic!("no {text}"))
            .id
    };
    let shape = |version: &program::Version, start: &str| {
        walk::preorder(&version.documents()[0].root)
            .filter(|node| !node.shape.is_leaf() && program::text_excerpt(node, 100) == start)
            .last()
            .map(|node| (node.shape, node.class.is_some()))
    };
    let edit: Edit = [leaf("1"), leaf("+"), leaf("return")]
        .map(EditOp::Delete)
        .into_iter()
        .collect();
    let (torn, _) = program::apply_edit(&version, &edit).expect("tokens may always go");
    assert_eq!(text(&torn), "int a;\nint f(void) { g(2); 0; }\n");
    assert_eq!(torn.token_count(), version.token_count() - 3);
    assert_eq!(shape(&torn, "2"), Some((NodeShape::Opaque, false)));
    assert_eq!(shape(&torn, "0;"), Some((NodeShape::Opaque, false)));
    assert_eq!(
        shape(&torn, "int a;"),
        shape(&version, "int a;"),
        "what is beside it stays"
    );
    let again = program::reparse_version(&torn).expect("the parse ends");
    assert_eq!(text(&again), text(&torn));
    assert_eq!(shape(&again, "0;").map(|(_, class)| class), Some(true));
    let ids = |version: &program::Version| {
        walk::iter_leaves(&version.documents()[0].root)
            .map(|leaf| leaf.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&again), ids(&torn), "tokens keep their identities");
}

#[test]
fn any_tokens_may_go_together() {
    let version = read("a.c", PROGRAM);
    let leaves: Vec<_> = walk::iter_leaves(&version.documents()[0].root)
        .filter(|leaf| leaf.shape == NodeShape::Token)
        .map(|leaf| leaf.id)
        .collect();
    for step in 1..7 {
        let edit: Edit = leaves
            .iter()
            .step_by(step)
            .copied()
            .map(EditOp::Delete)
            .collect();
        let (torn, _) = program::apply_edit(&version, &edit).expect("tokens may always go");
        assert_eq!(
            torn.token_count() as usize,
            leaves.len() - leaves.len().div_ceil(step)
        );
        let read_again = read("a.c", &text(&torn));
        assert_eq!(
            program::reparse_version(&torn)
                .expect("the parse ends")
                .token_count(),
            read_again.token_count()
        );
    }
}

const SMALL: &str = include_str!("../../samples/small.c");

#[test]
fn what_only_the_parser_refused_is_tested_at_the_end() {
    // Kotlin's grammar wants a new line behind a property without a value; the compiler does not.
    const PROGRAM: &str = "class S { val len get() = 1 }\nfun other() { }\n";
    let (last, asked) = story("lop", "a.kt", PROGRAM, &["class S {", "val len", "}"]);
    assert_eq!(last, "class S { val len}");
    let needs = |text: &str| {
        ["class S {", "val len", "}"]
            .iter()
            .all(|need| text.contains(need))
    };
    let mut three = setup(
        read("a.kt", PROGRAM),
        oracle(move |text| verdict(needs(text))),
    );
    three.jobs = 3;
    let (by_three, events) = run(three);
    assert_eq!(
        by_three.split_whitespace().collect::<Vec<_>>().join(" "),
        last
    );
    let decided = |event: &RunEvent| matches!(event, RunEvent::Decided(_));
    assert_eq!(
        events.iter().filter(|event| decided(event)).count(),
        asked.len()
    );
    assert!(
        asked.last().is_some_and(|last| last.starts_with("no: ")),
        "the result is certified:\n{}",
        asked.join("\n")
    );
}
