//! Names: who declares, who uses; what passes make of it. (program, question, what is asked.)

mod common;

use std::collections::BTreeMap;

use common::{oracle, read, run, setup, text, verdict};
use lop::dialogue::{Indices, Step};
use lop::pass::{self, Part, Parts};
use lop::program::names::{Kind, Role, Symbol};
use lop::program::{self, Body, Edit, Op, Version, View, walk};
use lop::reduce::Event;
use proptest::prelude::*;

/// The symbols of that name, each with what declares it and how many tokens declare and use it.
fn symbols(version: &Version, name: &str) -> Vec<(Option<Kind>, u32, u32)> {
    let names = version.names();
    let of_name = names
        .symbols()
        .filter(|&symbol| &**names.name(symbol) == name);
    of_name
        .map(|symbol| {
            let count = names.count(symbol);
            (names.kind(symbol), count.declares, count.uses)
        })
        .collect()
}

#[test]
fn a_name_means_the_declaration_around_it() {
    let version = read(
        "a.c",
        "int x;\nint f(int x) { return x; }\nint g(void) { { int x = 1; x++; } return x + x; }\n",
    );
    assert_eq!(
        symbols(&version, "x"),
        [
            (Some(Kind::Var), 1, 2),
            (Some(Kind::Param), 1, 1),
            (Some(Kind::Var), 1, 1),
        ]
    );
}

#[test]
fn tags_fields_labels_and_other_names_are_apart() {
    let version = read(
        "a.c",
        "struct a { int a; };\nstruct a b;\nint f(void) { a: goto a; return b.a; }\nint a;\n",
    );
    assert_eq!(
        symbols(&version, "a"),
        [
            (Some(Kind::Struct), 1, 1),
            (Some(Kind::Field), 1, 1),
            (Some(Kind::Label), 1, 1),
            (Some(Kind::Var), 1, 0),
        ]
    );
}

#[test]
fn a_typedef_of_what_the_parser_takes_for_a_primitive_type_is_a_name() {
    let version = read(
        "a.c",
        "typedef int int32_t;\nint32_t x;\nint32_t f(int32_t a);\n",
    );
    assert_eq!(symbols(&version, "int32_t"), [(Some(Kind::Type), 1, 3)]);
}

#[test]
fn declarators_nest() {
    let version = read(
        "a.c",
        "int *(*f)(int a), *g[2][3], (h);\nint (k)(void) { return *g[0][1] + h + f(1); }\n",
    );
    for (name, uses) in [("f", 1), ("g", 1), ("h", 1), ("k", 0)] {
        let [(_, declares, found)] = symbols(&version, name)[..] else {
            panic!("{name} is one name: {:?}", symbols(&version, name));
        };
        assert_eq!((declares, found), (1, uses), "{name}");
    }
}

#[test]
fn a_prototype_and_its_definition_declare_one_function() {
    let version = read(
        "a.c",
        "int f(int);\nint main(void) { return f(1); }\nint f(int a) { return a; }\n",
    );
    assert_eq!(symbols(&version, "f"), [(Some(Kind::Var), 2, 1)]);
}

#[test]
fn a_token_that_the_parser_put_in_declares_nothing() {
    let version = read("a.c", "int f(void) { int ; return }\nint x\n");
    assert_eq!(symbols(&version, ""), []);
}

#[test]
fn without_a_query_every_word_is_a_use() {
    let version = read("a.txt", "one two one\nthree\n");
    assert_eq!(symbols(&version, "one"), [(None, 0, 2)]);
    assert_eq!(symbols(&version, "three"), [(None, 0, 1)]);
}

#[test]
fn a_hundred_thousand_nested_parentheses_have_names_too() {
    let depth = 100_000;
    let program = format!("int x = {}y{};\n", "(".repeat(depth), ")".repeat(depth));
    let version = read("a.c", &program);
    assert_eq!(symbols(&version, "x"), [(Some(Kind::Var), 1, 0)]);
}

/// A question, as a story tells it: what would go, and what a person is told.
#[derive(Debug)]
struct Asked {
    candidate: String,
    sentence: String,
    yes: bool,
}

/// Has a pass run alone to its end.
fn pass(
    kind: &pass::Kind,
    program: &str,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<Asked>, String) {
    pass_without(kind, program, Parts::default(), interesting)
}

fn pass_without(
    kind: &pass::Kind,
    program: &str,
    without: Parts,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<Asked>, String) {
    use lop::dialogue::Answer;
    let options = pass::Options {
        without,
        ..pass::Options::default()
    };
    let mut view = View {
        version: read("a.c", program),
    };
    let mut state = (kind.start)(&view, &options);
    let mut asked = Vec::new();
    loop {
        match state.step(&view) {
            Step::Ask(edit, why) => {
                assert_eq!(
                    state.step(&view),
                    Step::Ask(edit.clone(), why.clone()),
                    "the same step twice"
                );
                let Ok((candidate, _)) = program::apply(&view.version, &edit) else {
                    state.told(&view, &edit, Answer::Refused);
                    continue;
                };
                let yes = interesting(&text(&candidate));
                asked.push(Asked {
                    candidate: text(&candidate),
                    sentence: why.sentence(&view.version, 0),
                    yes,
                });
                let answer = if yes { Answer::Yes } else { Answer::No };
                state.told(&view, &edit, answer);
            }
            Step::Take(edit) => {
                let (version, change) = program::apply(&view.version, &edit).expect("it was asked");
                view.version = version;
                state.taken(&view, &change);
            }
            Step::Settle | Step::Done => return (asked, text(&view.version)),
        }
    }
}

/// Whether a compiler would take it, in these small programs: every name that is used is declared.
fn declares_what_it_uses(text: &str) -> bool {
    let version = read("a.c", text);
    let names = version.names();
    let kinds = ["x", "f", "g", "h", "used"];
    names.symbols().all(|symbol| {
        let count = names.count(symbol);
        !kinds.contains(&&**names.name(symbol)) || count.uses == 0 || count.declares > 0
    })
}

#[test]
fn a_declaration_whose_name_is_used_is_not_asked_about() {
    let program = "int used;\nint f(void) { return used; }\nint main(void) { return f(); }\n";
    let (asked, left) = pass(&pass::TOP, program, |text| text.contains("main"));
    assert!(
        asked
            .iter()
            .all(|asked| declares_what_it_uses(&asked.candidate)),
        "{asked:#?}"
    );
    assert_eq!(left, program, "all three hang together");
    let (asked, _) = pass_without(
        &pass::TOP,
        program,
        Parts::default().with(Part::Closed),
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
    let (asked, left) = pass(&pass::TOP, program, |text| text.contains("main"));
    assert_eq!(left, "int main(void) { return 0; }\n");
    let said = |asked: &Asked| asked.yes && asked.sentence.contains("nothing else uses `f`");
    assert!(asked.iter().any(said), "{asked:#?}");
}

#[test]
fn what_a_spared_declaration_uses_is_spared_too_and_the_sentence_says_so() {
    let program = "int h;\nint g = 1;\nint a;\nint b;\nint f(void) { return g; }\nint c;\nint d;\nint main(void) { return f(); }\n";
    let options = pass::Options {
        minimizer: lop::minimize::kind("complements").expect("known"),
        ..pass::Options::default()
    };
    let view = View {
        version: read("a.c", program),
    };
    let mut state = (pass::TOP.start)(&view, &options);
    let Step::Ask(all, _) = state.step(&view) else {
        panic!("it begins with all")
    };
    state.told(&view, &all, lop::dialogue::Answer::No);
    let Step::Ask(back, _) = state.step(&view) else {
        panic!("the back half, closed by itself")
    };
    state.told(&view, &back, lop::dialogue::Answer::No);
    let Step::Ask(front, why) = state.step(&view) else {
        panic!("the front half")
    };
    let (candidate, _) = program::apply(&view.version, &front).expect("it can be made");
    assert!(
        text(&candidate).starts_with("int g = 1;"),
        "{}",
        text(&candidate)
    );
    assert!(
        why.sentence(&view.version, 0)
            .contains("1 more stays: `g` is still used"),
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
        "can 2 declarations go? nothing uses `f` and one more name any more"
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
    let without = Parts::default().with(Part::Guard).with(Part::Closed);
    let (asked, _) = pass_without(&pass::HEAVIEST, program, without, |_| false);
    assert!(asked.iter().any(broken), "{asked:#?}");
}

#[test]
fn what_failed_twice_and_never_passed_is_not_asked_a_third_time() {
    let program = "int f(int);\nint g(int);\nint h(int);\nint k(int);\n";
    let bare = |asked: &Asked| asked.sentence.contains("could be its identifier");
    let (asked, _) = pass(&pass::HEAVIEST, program, |_| false);
    assert_eq!(
        asked.iter().filter(|asked| bare(asked)).count(),
        2,
        "{asked:#?}"
    );
    let without = Parts::default().with(Part::Learn);
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
        "can the bodies of 2 functions be empty, and the fields of 1 structure go? 1 more stays: `x` is still used"
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
            "can the bodies of 1 function be empty, and the fields of 1 structure go? nothing else uses `a`",
            "can the bodies of 1 function be empty?",
            "can the fields of 1 structure go? nothing else uses `a`",
        ]
    );
}

/// What each token of a version says: its identity, the name, and its role.
fn facts(version: &Version) -> BTreeMap<u64, (String, bool)> {
    let names = version.names();
    let mut facts = BTreeMap::new();
    for leaf in version
        .documents()
        .iter()
        .flat_map(|document| walk::leaves(&document.root))
    {
        let Body::Leaf { ids, .. } = &leaf.body else {
            continue;
        };
        for fact in names.of_leaf(leaf) {
            let said = (
                names.name(fact.symbol).to_string(),
                fact.role == Role::Declares,
            );
            facts.insert(ids[0].0, said);
        }
    }
    facts
}

/// The counts of the graph, beside those of a walk over the tree.
fn counts(version: &Version) -> [Vec<(Symbol, u32, u32)>; 2] {
    let names = version.names();
    let kept = names.symbols().map(|symbol| {
        let count = names.count(symbol);
        (symbol, count.declares, count.uses)
    });
    let mut found: BTreeMap<Symbol, (u32, u32)> = BTreeMap::new();
    for document in version.documents() {
        for fact in names.below(&document.root) {
            let count = found.entry(fact.symbol).or_default();
            match fact.role {
                Role::Declares => count.0 += 1,
                Role::Uses => count.1 += 1,
            }
        }
    }
    let found = names.symbols().map(|symbol| {
        let (declares, uses) = found.get(&symbol).copied().unwrap_or_default();
        (symbol, declares, uses)
    });
    [kept.collect(), found.collect()]
}

/// A C program out of bytes: declarations, functions, and statements that use what is there.
fn small_program(choices: &[u8]) -> String {
    let mut text = String::new();
    let mut next = choices.iter().copied().chain(std::iter::repeat(0));
    let mut choose = move |most: u8| next.next().unwrap_or(0) % most;
    let count = 3 + choose(5);
    for at in 0..count {
        let before = choose(at.max(1));
        text += &match choose(6) {
            0 => format!("typedef int t{at};\nt{at} v{at} = {at};\n"),
            1 => format!("struct s{at} {{ int a{at}; char b; }};\nstruct s{at} v{at}, *w{at};\n"),
            2 => format!("int v{at} = {before}, w{at}[3];\n"),
            3 => format!("int f{at}(int p, int *q);\nint v{at};\n"),
            4 => format!("enum {{ e{at}, z{at} }};\nint v{at} = e{at};\n"),
            _ => format!("int v{at};\n"),
        };
        text += &format!("int g{at}(int p) {{\n  int x = p, y;\n");
        for _ in 0..choose(4) {
            text += &match choose(5) {
                0 => format!("  if (x) {{ int x = v{before}; x++; }} else y = p;\n"),
                1 => format!("  for (int i = 0; i < x; i++) {{ y += v{at}; }}\n"),
                2 => format!("  x = g{at}(v{before}) + y;\n"),
                3 => "  { int y = 2, z = y; p = z; }\n".to_string(),
                _ => format!("  v{at} = x;\n"),
            };
        }
        text += "  return x;\n}\n";
    }
    text
}

/// Takes out some elements of some list.
fn some_deletion(version: &Version, (list, first, many): (u16, u16, u8)) -> Option<Edit> {
    let nodes = version
        .documents()
        .iter()
        .flat_map(|document| walk::preorder(&document.root));
    let lists: Vec<_> = nodes.filter(|node| node.shape.is_list()).collect();
    let list = lists.get(list as usize % lists.len().max(1))?;
    let length = list.len() as u32;
    let first = u32::from(first) % length.max(1);
    let items = Indices::range(first..(first + u32::from(many % 4) + 1).min(length));
    Some(
        Op::DeleteItems {
            list: list.id,
            items,
        }
        .into(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn after_edits_the_graph_is_that_of_the_text_read_anew(
        choices in proptest::collection::vec(any::<u8>(), 40),
        edits in proptest::collection::vec(any::<(u16, u16, u8)>(), 1..12),
    ) {
        let mut version = read("a.c", &small_program(&choices));
        for edit in edits {
            let edit = some_deletion(&version, edit);
            if let Some((next, _)) = edit.and_then(|edit| program::apply(&version, &edit).ok()) {
                version = next;
            }
            let [kept, found] = counts(&version);
            prop_assert_eq!(kept, found, "{}", text(&version));
        }
        let anew = program::reread(&version).expect("it can be read");
        prop_assert_eq!(facts(&version), facts(&anew), "{}", text(&version));
    }

    /// Whatever the filters kept from being asked: at the end nothing can go by itself.
    #[test]
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
                    .map(|at| Op::DeleteItems { list: node.id, items: Indices::range(at..at + 1) }.into())
                    .collect(),
                program::Shape::Opt => vec![Op::Delete(node.id).into()],
                _ => Vec::new(),
            };
            for edit in edits {
                if let Ok((candidate, _)) = program::apply(&version, &edit) {
                    prop_assert!(!interesting(&text(&candidate)), "{} could be {}", last, text(&candidate));
                }
            }
        }
    }
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
    let mut passes = events.iter().rev().filter_map(|event| match event {
        Event::PassStarted { pass, .. } => Some(*pass),
        _ => None,
    });
    assert_eq!(passes.next(), Some("certificate"));
}
