//! Filters of passes that depend on names. (program, test, the candidates and their reasons.)

use crate::common::candidates_of_pass::{self, Asked};
use crate::common::{oracle, read, run, setup, small_program, text, verdict};
use lop::pass::{self, FeatureSet, StrategyFeature};
use lop::program::{self, Edit, EditOp, TokenChange, View, walk};
use lop::protocol::{Feedback, IndexRanges, ProposerStep};
use lop::reduce::RunEvent;
use proptest::prelude::*;

/// Has a pass run alone to its end on a C program.
fn pass(
    kind: &pass::PassKind,
    program: &str,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<Asked>, String) {
    pass_without(kind, program, FeatureSet::default(), interesting)
}

fn pass_without(
    kind: &pass::PassKind,
    program: &str,
    without: FeatureSet,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<Asked>, String) {
    candidates_of_pass::pass(kind, ("a.c", program), without, interesting)
}

/// Whether a compiler would accept it, in these small programs: every name that is used is declared.
fn declares_what_it_uses(text: &str) -> bool {
    let version = read("a.c", text);
    let names = version.name_graph();
    let kinds = ["x", "f", "g", "h", "used"];
    names.symbols().all(|symbol| {
        let count = names.symbol_count(symbol);
        !kinds.contains(&&**names.symbol_name(symbol)) || count.uses == 0 || count.declares > 0
    })
}

#[test]
fn a_declaration_whose_name_is_used_is_not_asked_about() {
    let program = "int used;\nint f(void) { return used; }\nint main(void) { return f(); }\n";
    let (asked, left) = pass(&pass::TOP_LEVEL, program, |text| text.contains("main"));
    assert!(
        asked
            .iter()
            .all(|asked| declares_what_it_uses(&asked.candidate)),
        "{asked:#?}"
    );
    assert_eq!(left, program, "all three hang together");
    let (asked, _) = pass_without(
        &pass::TOP_LEVEL,
        program,
        FeatureSet::default().with_feature(StrategyFeature::DependencyClosure),
        |_| false,
    );
    assert!(
        asked
            .iter()
            .any(|asked| !declares_what_it_uses(&asked.candidate)),
        "{asked:#?}"
    );
}

#[test]
fn a_declaration_goes_together_with_its_users() {
    let program = "int used;\nint f(void) { return used; }\nint main(void) { return 0; }\n";
    let (asked, left) = pass(&pass::TOP_LEVEL, program, |text| text.contains("main"));
    assert_eq!(left, "int main(void) { return 0; }\n");
    let said = |asked: &Asked| asked.yes && asked.sentence.contains("nothing else uses `f`");
    assert!(asked.iter().any(said), "{asked:#?}");
}

#[test]
fn what_a_spared_declaration_uses_is_spared_too_and_the_sentence_says_so() {
    let program = "int h;\nint g = 1;\nint a;\nint b;\nint f(void) { return g; }\nint c;\nint d;\nint main(void) { return f(); }\n";
    let options = pass::PassOptions {
        minimizer: lop::minimize::find_minimizer("complements").expect("known"),
        ..pass::PassOptions::default()
    };
    let view = View::new(read("a.c", program));
    let mut state = pass::TOP_LEVEL.start_filtered(&view, &options);
    let ProposerStep::Test(all, _) = state.propose(&view) else {
        panic!("it begins with all")
    };
    state.on_verdict(&view, &all, Feedback::Uninteresting);
    let ProposerStep::Test(back, _) = state.propose(&view) else {
        panic!("the back half, closed by itself")
    };
    state.on_verdict(&view, &back, Feedback::Uninteresting);
    let ProposerStep::Test(front, why) = state.propose(&view) else {
        panic!("the front half")
    };
    let (candidate, _) = program::apply_edit(&view.version, &front).expect("it can be made");
    assert!(
        text(&candidate).starts_with("int g = 1;"),
        "{}",
        text(&candidate)
    );
    assert!(
        why.to_sentence(&view.version, &front, TokenChange::default())
            .detail
            .contains("1 stays, `f` still uses `g`"),
        "{why:?}"
    );
}

#[test]
fn after_the_last_use_gc_asks_for_the_declaration() {
    let program = "int f(void) { return 1; }\nint main(void) { int x = 0; x = f(); return 0; }\n";
    let (asked, left) = pass(&pass::HEAVIEST, program, |text| text.contains("main"));
    let gc: Vec<_> = asked
        .iter()
        .filter(|asked| asked.sentence.contains("any more"))
        .collect();
    assert!(
        !gc.is_empty() && gc.iter().all(|asked| asked.yes),
        "{asked:#?}"
    );
    assert!(!left.contains('f'), "{left}");
}

#[test]
fn gc_takes_what_only_the_unreferenced_used_and_leaves_what_was_unreferenced_before() {
    let program =
        "int g;\nint f(void) { return g; }\nint h;\nint main(void) {\n  f();\n  return 0;\n}\n";
    let (asked, _) = pass(&pass::HEAVIEST, program, |text| {
        text.contains("main") && text.contains("int h")
    });
    let gc: Vec<_> = asked
        .iter()
        .filter(|asked| asked.sentence.contains("any more"))
        .collect();
    let [only] = &gc[..] else {
        panic!("{asked:#?}")
    };
    assert_eq!(
        only.sentence,
        "Can 2 unused declarations go? `g`, `f`; nothing uses `f` and one more name any more"
    );
    assert!(
        only.candidate.contains("int h") && !only.candidate.contains("int g"),
        "{}",
        only.candidate
    );
}

#[test]
fn one_declarator_of_several_is_collected_alone() {
    let program = "int main(void) {\n  int x = 1, *p = 0;\n  x++;\n  return *p;\n}\n";
    let (asked, _) = pass(&pass::HEAVIEST, program, |text| text.contains("return *p"));
    let gc = asked
        .iter()
        .find(|asked| asked.sentence.contains("nothing uses `x`"));
    assert!(
        gc.is_some_and(|gc| gc.candidate.contains("int *p = 0;")),
        "{asked:#?}"
    );
}

#[test]
fn an_initialiser_of_a_loop_does_not_take_the_loop_with_it() {
    let program = "void g(void);\nint main(void) {\n  for (int i = 0; i < 3;) g();\n}\n";
    let (asked, _) = pass(&pass::HEAVIEST, program, |text| {
        text.contains("for") && text.contains("g()")
    });
    let gc = asked
        .iter()
        .filter(|asked| asked.sentence.contains("any more"));
    assert!(
        gc.into_iter().all(|asked| asked.candidate.contains("for")),
        "{asked:#?}"
    );
}

#[test]
fn the_guard_refuses_what_uses_a_name_that_it_no_longer_declares() {
    let program = "int main(void) {\n  { int x = 1; if (x) { x = 2; } }\n  return 0;\n}\n";
    let broken = |asked: &Asked| !declares_what_it_uses(&asked.candidate);
    let (asked, _) = pass(&pass::HEAVIEST, program, |_| false);
    assert!(!asked.iter().any(broken), "{asked:#?}");
    let without = FeatureSet::default()
        .with_feature(StrategyFeature::DanglingUses)
        .with_feature(StrategyFeature::DependencyClosure);
    let (asked, _) = pass_without(&pass::HEAVIEST, program, without, |_| false);
    assert!(asked.iter().any(broken), "{asked:#?}");
}

#[test]
fn what_failed_twice_and_never_passed_is_not_asked_a_third_time() {
    let program = "int f(int);\nint g(int);\nint h(int);\nint k(int);\n";
    let bare = |asked: &Asked| asked.sentence.contains("become");
    let (asked, _) = pass(&pass::HEAVIEST, program, |_| false);
    assert_eq!(
        asked.iter().filter(|asked| bare(asked)).count(),
        2,
        "{asked:#?}"
    );
    let without = FeatureSet::default().with_feature(StrategyFeature::FailureMemory);
    let (asked, _) = pass_without(&pass::HEAVIEST, program, without, |_| false);
    assert_eq!(
        asked.iter().filter(|asked| bare(asked)).count(),
        4,
        "{asked:#?}"
    );
}

#[test]
fn hollow_empties_everything_but_what_the_last_return_needs() {
    let program = "struct s { int a; int b; };\nint f(void) { int x = 1; int h = 2; h++; return x; }\nvoid g(void) { f(); }\n";
    let (asked, left) = pass(&pass::HOLLOW, program, |text| text.contains("f(void)"));
    assert_eq!(
        asked[0].sentence,
        "Can the bodies of 2 functions be emptied, and the fields of 1 structure go? `s`, `f`, `g`; 1 stays, `f` still uses `x`"
    );
    assert!(
        asked[0].candidate.contains("{ int x = 1; return x; }"),
        "{}",
        asked[0].candidate
    );
    assert!(
        asked[0].candidate.contains("struct s {"),
        "{}",
        asked[0].candidate
    );
    assert!(!left.contains("int a") && !left.contains("f();"), "{left}");
}

#[test]
fn hollow_tries_bodies_alone_then_fields_alone() {
    let program = "struct s { int a; };\nint f(void) { f(); return 1; }\n";
    let (asked, _) = pass(&pass::HOLLOW, program, |_| false);
    let sentences: Vec<_> = asked.iter().map(|asked| &asked.sentence[..]).collect();
    assert_eq!(
        sentences,
        [
            "Can the body of 1 function be emptied, and the fields of 1 structure go? `s`, `f`; nothing else uses `a`",
            "Can the body of `f` be emptied?",
            "Can the fields of 1 structure go? `s`; nothing else uses `a`",
        ]
    );
}

#[test]
fn the_certificate_is_the_last_word() {
    let program = "int used;\nint f(void) { return used; }\nint main(void) { return f(); }\n";
    // A test that does not mind undeclared names: the filters would never ask.
    let (last, events) = run(setup(
        read("a.c", program),
        oracle(|text| verdict(text.contains("return used"))),
    ));
    assert_eq!(last.trim(), "return used;");
    let passes = events.iter().filter_map(|event| match event {
        RunEvent::PassStarted { pass, .. } => Some(*pass),
        _ => None,
    });
    let passes: Vec<&str> = passes.collect();
    assert_eq!(passes.last(), Some(&"certificate"));
    let certificates = passes.iter().filter(|pass| **pass == "certificate");
    assert!(
        certificates.count() > 1,
        "what the certificate removes lets others go, so all is tried again: {passes:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the filters kept from being asked: at the end nothing can go by itself.
    #[test]
    #[ignore = "long"]
    fn what_is_left_is_minimal(
        choices in proptest::collection::vec(any::<u8>(), 40),
        needs in proptest::collection::vec(0usize..400, 1..5),
    ) {
        let program = small_program(&choices);
        let words: Vec<String> = program.split_whitespace().map(str::to_string).collect();
        let needed: Vec<String> = needs.iter().map(|&at| words[at % words.len()].clone()).collect();
        let interesting = move |text: &str| {
            let left: Vec<&str> = text.split_whitespace().collect();
            needed.iter().all(|word| left.contains(&&**word))
        };
        let judge = interesting.clone();
        let (last, _) = run(setup(read("a.c", &program), oracle(move |text| verdict(judge(text)))));
        let version = read("a.c", &last);
        for node in walk::preorder(&version.documents()[0].root) {
            let edits: Vec<Edit> = match node.shape {
                shape if shape.is_list() => (0..node.len() as u32)
                    .map(|at| EditOp::DeleteItems { list: node.id, items: IndexRanges::from_range(at..at + 1) }.into())
                    .collect(),
                program::NodeShape::Opt => vec![EditOp::Delete(node.id).into()],
                _ => Vec::new(),
            };
            for edit in edits {
                if let Ok((candidate, _)) = program::apply_edit(&version, &edit) {
                    prop_assert!(!interesting(&text(&candidate)), "{} could be {}", last, text(&candidate));
                }
            }
        }
    }
}
