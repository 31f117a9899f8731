//! The passes of the strategy `rewrites`: (file, program, test, what the first interesting candidate says, what it leaves).

use lop::language;
use lop::pass::{self, FeatureSet, PassKind, PassOptions};
use lop::program::{self, Version, View, walk};
use lop::protocol::{Feedback, ProposerStep};
use proptest::prelude::*;

use super::{story, words};
use crate::common::candidates_of_pass::pass;
use crate::common::{read, text as text_of};

/// A program, a text that its test wants, what the pass says and what is left.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

fn named(name: &str) -> &'static PassKind {
    let all = pass::all_passes();
    all.into_iter()
        .find(|kind| kind.name == name)
        .expect("a pass")
}

/// The test is about words, since a pass leaves white space as it is.
fn check_rows(kind: &str, rows: &[Row]) {
    for (file, program, needs, sentence, expected) in rows {
        let wanted = |text: &str| words(text).contains(needs);
        let (asked, left) = pass(named(kind), (file, program), FeatureSet::default(), wanted);
        let yes = asked.iter().find(|asked| asked.yes);
        let said = yes.map_or("", |asked| &asked.sentence);
        assert_eq!(
            (said, &*words(&left)),
            (*sentence, *expected),
            "{file}: {program}\n{asked:?}"
        );
    }
}

#[test]
fn types_stand_in_place_of_their_names() {
    check_rows(
        "alias",
        &[
            (
                "a.c",
                "typedef int T; T x; T f(T a) { return a; }",
                "int f(int a)",
                "`typedef int T;` goes, `int` stands in its 3 places",
                "int x; int f(int a) { return a; }",
            ),
            // A chain is closed, all at once.
            (
                "a.c",
                "typedef unsigned T; typedef T U; U x; T y;",
                "unsigned x; unsigned y;",
                "the definitions of `T` and one more name go, their types stand in 2 places",
                "unsigned x; unsigned y;",
            ),
            // Each by itself where not all can go.
            (
                "a.c",
                "typedef int T; typedef char U; T x; U y;",
                "typedef int T; T x; char y",
                "`typedef char U;` goes, `char` stands in its only place",
                "typedef int T; T x; char y;",
            ),
            // A structure with one use stands there.
            (
                "a.c",
                "typedef struct { int a; } T; T x;",
                "struct { int a; } x;",
                "`typedef struct { int a; } T;` goes, `struct { int a; }` stands in its only place",
                "struct { int a; } x;",
            ),
            (
                "a.cpp",
                "using T = int; T f(T a);",
                "int f(int a)",
                "`using T = int;` goes, `int` stands in its 2 places",
                "int f(int a);",
            ),
            (
                "a.rs",
                "type T = u8; fn f(a: T) -> T { a }",
                "fn f(a: u8) -> u8",
                "`type T = u8;` goes, `u8` stands in its 2 places",
                "fn f(a: u8) -> u8 { a }",
            ),
            (
                "a.go",
                "package a\n\ntype T = int\n\nfunc f(a T) T { return a }\n",
                "func f(a int) int",
                "`T = int` goes, `int` stands in its 2 places",
                "package a func f(a int) int { return a }",
            ),
            (
                "a.kt",
                "typealias T = Int\nfun f(a: T): T = a\n",
                "fun f(a: Int): Int",
                "`typealias T = Int` goes, `Int` stands in its 2 places",
                "fun f(a: Int): Int = a",
            ),
            (
                "a.ts",
                "type T = number;\nfunction f(a: T): T { return a; }\n",
                "f(a: number): number",
                "`type T = number;` goes, `number` stands in its 2 places",
                "function f(a: number): number { return a; }",
            ),
        ],
    );
}

#[test]
fn the_main_loop_goes_on_where_a_rewrite_succeeded() {
    // The definition holds what is unused now.
    let (last, _) = story(
        "rewrites",
        "a.c",
        "typedef int T;\nT f(T a) { return a; }\nint x = 1;\n",
        &["int f(int"],
    );
    assert_eq!(last, "int f(int) { }");
}

/// The candidates of a pass that parse: each the text that it makes, and what is read of that. After a yes the pass goes on from there.
fn parsed_candidates(kind: &'static PassKind, name: &str, text: &str, mut yes: u32) -> Vec<String> {
    let mut view = View::new(read(name, text));
    let mut state = kind.start_filtered(&view, &PassOptions::default());
    let mut wrong = Vec::new();
    for _ in 0..300 {
        match state.propose(&view) {
            ProposerStep::Test(edit, _) => {
                let made = program::apply_edit(&view.version, &edit).ok();
                let made = made.map(|(made, _)| made);
                let smaller = made.filter(|made| made.size() < view.version.size());
                yes = yes.rotate_right(1);
                let answer = match smaller.map(|made| (read(name, &text_of(&made)), made)) {
                    Some((again, made)) if faults(&again) == 0 => {
                        if tokens(&again) != tokens(&made) {
                            wrong.push(text_of(&made));
                        }
                        [Feedback::Uninteresting, Feedback::Interesting][yes as usize & 1]
                    }
                    _ => Feedback::Rejected,
                };
                state.on_verdict(&view, &edit, answer);
            }
            ProposerStep::Accept(edit) => {
                let (version, change) =
                    program::apply_edit(&view.version, &edit).expect("it was asked about");
                view.version = version;
                state.on_accept(&view, &change);
            }
            ProposerStep::Reparse => {
                let read = program::reparse_version(&view.version).expect("it parses");
                view.set_version(&read);
            }
            ProposerStep::Done => break,
        }
    }
    wrong
}

fn faults(version: &Version) -> u32 {
    let trees = version.parse_trees().iter().flatten();
    trees.map(|tree| tree.count_faults()).sum()
}

fn tokens(version: &Version) -> Vec<Vec<u8>> {
    let leaves = walk::iter_leaves(&version.documents()[0].root);
    let texts = leaves.map(|leaf| leaf.text().to_vec());
    texts.filter(|text| !text.is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Whatever the answers, a candidate that parses, as all do that are tested, has the tokens that its edit made, and no other.
    #[test]
    fn what_a_rewrite_makes_is_read_as_it_was_made(which in 0usize..8, yes in any::<u32>()) {
        let name = ["c", "cpp", "java", "rust", "kotlin", "go", "typescript", "python"][which];
        let language = language::by_name(name).expect("it is known");
        let (file, sample) = language.sample_program();
        let strategy = pass::find_strategy("rewrites").expect("a strategy");
        let common = pass::find_strategy("lop").expect("a strategy");
        for kind in strategy.passes.iter().filter(|kind| !common.has_pass(kind.name)) {
            let wrong = parsed_candidates(kind, file, sample, yes);
            prop_assert!(wrong.is_empty(), "{} {name}: {wrong:?}", kind.name);
        }
    }
}
