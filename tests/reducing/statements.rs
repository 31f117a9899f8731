//! Boolean programs: what each pass over statements makes of a program, (pass, program, test, result).

use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::common::{came_to_its_end, oracle, read_as, run, setup, verdict};
use crate::generate::{Size, generate_program};
use lop::language;
use lop::pass::{self, FeatureSet, PassOptions};
use lop::program::{self, Version};
use lop::reduce::RunSetup;

fn read(text: &str) -> Version {
    read_as(
        language::by_name("boolean-program").expect("it is built in"),
        text,
    )
}

/// A run of `bp` over a program, without the parts named.
fn bp_run(
    program: &str,
    without: &[&str],
    wanted: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> RunSetup {
    let mut setup = setup(read(program), oracle(move |text| verdict(wanted(text))));
    let strategy = pass::find_strategy("bp").expect("a strategy");
    let names: Vec<String> = without.iter().map(|name| (*name).to_owned()).collect();
    setup.options = PassOptions {
        disabled_features: FeatureSet::from_names(&names),
        ..PassOptions::from_strategy(strategy)
    };
    setup
}

/// The body of `main` after a reduction by a strategy; the test looks at this body.
fn body_left(strategy: &str, body: &str, wanted: fn(&str) -> bool) -> String {
    let inside = |text: &str| -> Option<String> {
        let (_, rest) = text.split_once("begin")?;
        Some(rest.rsplit_once("end")?.0.trim().to_owned())
    };
    let program = format!("decl a, b, c, x, y;\nvoid main() begin {body} end\n");
    assert!(wanted(body), "{body}");
    let test = move |text: &str| inside(text).is_some_and(|body| wanted(&body));
    let mut setup = bp_run(&program, &["unused", "rename"], test);
    setup.options.strategy = pass::find_strategy(strategy).expect("a strategy");
    let (left, events) = run(setup);
    came_to_its_end(&events);
    inside(&left).expect("a body")
}

/// (the body of a function, what the test wants, what is left)
type Row = (&'static str, fn(&str) -> bool, &'static str);

fn check_rows(rows: &[Row]) {
    check_rows_by("bp", rows);
}

fn check_rows_by(strategy: &str, rows: &[Row]) {
    let joined = |text: &str| text.split_whitespace().collect::<String>();
    for (body, wanted, expected) in rows {
        let left = body_left(strategy, body, *wanted);
        assert_eq!(joined(&left), joined(expected), "{body}: {left}");
    }
}

#[test]
fn statements_go_and_targets_of_jumps_do_nothing() {
    check_rows(&[
        (
            "a := T; assert b; c := F;",
            |body| body.contains("assert b"),
            "assert b;",
        ),
        // A statement with a label that something jumps to.
        (
            "goto l; a := T; l: b := F; assert c;",
            |body| body.contains("goto l") && body.contains("assert c"),
            "goto l; l: skip; assert c;",
        ),
        // The label goes with its last jump, and the statement that only it kept.
        (
            "goto l; assert c; l: skip;",
            |body| body.contains("assert c"),
            "assert c;",
        ),
        // A label of a statement that stays does so too, until what is unused goes.
        (
            "k: goto l; l: a := T; assert c;",
            |body| body.contains("a := T") && body.contains("assert c"),
            "l: a := T; assert c;",
        ),
        (
            "goto l; k: l: b := F; assert c;",
            |body| body.contains("goto l") && body.contains("assert c"),
            "goto l; k: l: skip; assert c;",
        ),
        // So does a loop with all that is in it.
        (
            "while * do a := T; k: skip; goto k; od; assert c;",
            |body| body.contains("assert c"),
            "assert c;",
        ),
        (
            "if a then assert c; b := T; fi;",
            |body| body.contains("assert c") && body.contains("if"),
            "if T then assert c; fi;",
        ),
    ]);
}

#[test]
fn statements_go_that_have_no_semicolon_behind_them() {
    check_rows(&[
        (
            "if a then skip; fi l: while b do c := T; od assert c;",
            |body| body.contains("assert c"),
            "assert c;",
        ),
        (
            "if a then while b do a := T; assert c; od fi",
            |body| body.contains("assert c") && body.contains("while") && body.contains("if"),
            "if T then while T do assert c; od fi",
        ),
    ]);
}

/// Whether it has so many jumps, each to a label that is there, and the assertion.
fn jumps(body: &str, many: usize) -> bool {
    let mut targets = body.split("goto ").skip(1).map(|rest| &rest[..1]);
    body.matches("goto").count() == many
        && targets.all(|label| body.contains(&format!("{label}:")))
        && body.contains("assert c")
}

#[test]
#[ignore = "long"]
fn what_jumps_to_a_statement_that_does_nothing_jumps_to_the_next_one() {
    check_rows_by(
        "lop",
        &[
            // No label stands before the next statement: this one does then.
            (
                "goto l; l: skip; assert c;",
                |body| jumps(body, 1),
                "goto l; l: assert c;",
            ),
            // The next statement has a label: the jumps name it.
            (
                "goto k; goto l; k: skip; l: assert c;",
                |body| jumps(body, 2),
                "goto l; goto l; l: assert c;",
            ),
            // So it is with several in a row, and with several labels in one place.
            (
                "goto j; goto k; goto l; j: skip; k: skip; l: skip; assert c;",
                |body| jumps(body, 3),
                "goto l; goto l; goto l; l: assert c;",
            ),
            (
                "goto k; goto l; k: l: assert c;",
                |body| jumps(body, 2),
                "goto l; goto l; l: assert c;",
            ),
            // Where both labels are wanted both stay. Without a next statement nothing changes.
            (
                "goto k; goto l; k: skip; l: assert c;",
                |body| jumps(body, 2) && body.contains("goto k") && body.contains("goto l"),
                "goto k; goto l; k: l: assert c;",
            ),
            (
                "assert c; goto l; if a then l: skip; fi;",
                |body| jumps(body, 1) && body.contains("then l:") && body.contains("fi"),
                "assert c; goto l; if T then l: skip; fi",
            ),
        ],
    );
}

#[test]
fn a_parallel_assignment_loses_targets_with_their_values() {
    check_rows(&[
        ("x, y := y, x;", |body| body.contains("x"), "x := T;"),
        (
            "x, y := y, x;",
            |body| body.contains(":= y") || body.contains(":= x"),
            "x := y;",
        ),
        ("x, y := y, x;", |body| body.contains("y :="), "y := T;"),
        (
            "a, b, c := T, F, T;",
            |body| body.contains('a') && body.contains('c'),
            "a, c := T, T;",
        ),
        (
            "a, b := *, * constrain 'a | 'b;",
            |body| body.contains('a') && body.contains("constrain"),
            "a := T constrain F;",
        ),
    ]);
}

#[test]
fn a_target_of_a_call_takes_no_value() {
    let program = "bool<2> f() begin return T, F; end\nvoid main() begin decl a, b; a, b := f(); assert a; end\n";
    let wanted =
        |text: &str| text.contains("a, ") && text.contains(":= f()") && text.contains("assert a");
    let (left, _) = run(bp_run(program, &["unused", "rename"], wanted));
    assert!(left.contains(" _, _ := f();"), "{left}");
}

#[test]
fn expressions_become_simple_and_true_constraints_go() {
    check_rows(&[
        (
            "assume a & (b | c);",
            |body| body.contains("assume") && body.contains('c'),
            "assume c;",
        ),
        ("assume *;", |body| body.contains("assume"), "assume T;"),
        ("a := b & !b;", |body| body.contains("a :="), "a := F;"),
        (
            "a := * constrain T & ('a | !'a);",
            |body| body.contains("a :="),
            "a := T;",
        ),
        // An assertion stays as it is.
        (
            "assert a & b;",
            |body| body.contains("assert"),
            "assert a & b;",
        ),
        // The families read this differently: nothing is simplified around the place.
        (
            "assume a = b | c;",
            |body| body.contains("assume") && body.contains('c'),
            "assume T = T | c;",
        ),
    ]);
}

/// The body of `main` in a program of `x`, `y` and `z` after `bp` with these passes that are off otherwise.
fn left_with(with: &[&str], body: &str, wanted: fn(&str) -> bool) -> String {
    let program = format!("decl x, y, z;\nvoid main() begin {body} end\n");
    let inside = |text: &str| text.split_once("begin ").map(|(_, body)| body.to_owned());
    let test = move |text: &str| inside(text).is_some_and(|body| wanted(&body));
    let mut setup = bp_run(&program, &["unused", "rename"], test);
    let names: Vec<String> = with.iter().map(|name| (*name).to_owned()).collect();
    setup.options.enabled_features = FeatureSet::from_names(&names);
    let (left, events) = run(setup);
    came_to_its_end(&events);
    let body = inside(&left).expect("a body");
    body.trim_end().trim_end_matches("end").trim().to_owned()
}

#[test]
fn assertions_become_simple_only_where_that_is_asked_for() {
    let left = |with| {
        let body = "assert x & (x | y);";
        left_with(with, body, |body| {
            body.contains("assert") && body.contains('y')
        })
    };
    assert_eq!(left(&[]), "assert x & (x | y);");
    assert_eq!(left(&["assertion"]), "assert y;");
}

#[test]
fn open_values_under_a_constraint_become_an_assumption_only_where_that_is_asked_for() {
    let left = |with, body| {
        left_with(with, body, |body| {
            // Two variables are made equal, or taken to be.
            body.contains("x, y := *, * constrain 'y = 'x") || body.contains("assume y = x")
        })
    };
    let body = "x, y := *, * constrain 'y = 'x;";
    assert_eq!(left(&[], body), body);
    assert_eq!(left(&["assume"], body), "assume y = x;");
    // A jump to the assignment is one to the assumption.
    let body = "l: x, y := *, * constrain 'y = 'x;";
    assert_eq!(left(&["assume"], body), "l: assume y = x;");
}

#[test]
fn an_assignment_with_a_value_of_its_own_stays() {
    let body = "x, y := *, z constrain 'y = 'x;";
    let left = left_with(&["assume"], body, |body| {
        body.contains("x, y := *, z constrain 'y = 'x") || body.contains("assume y = x")
    });
    assert_eq!(left, body);
}

#[test]
fn a_variable_that_begins_with_a_constant_makes_other_statements_unnecessary() {
    let body = "goto l; l: assume x & y & z; assert y;";
    let left = |with| {
        left_with(with, "goto l; l: assume x & y & z; assert y;", |body| {
            let waits = body.contains("goto l; l: assume x & y & z;");
            body.contains("assert y;") && (waits || body.contains("y := F;"))
        })
    };
    assert_eq!(left(&[]), body);
    assert_eq!(left(&["initial"]), "y := F; assert y;");
}

#[test]
fn a_variable_that_begins_with_a_constant_in_vain_is_as_before() {
    let body = "assume x & y; assert z;";
    let wanted: fn(&str) -> bool =
        |body| body.contains("assume x & y;") && body.contains("assert z;");
    assert_eq!(left_with(&["initial"], body, wanted), body);
}

#[test]
fn what_cannot_be_reached_or_is_not_used_goes_at_the_end_and_names_become_short() {
    let program = "decl global_one, global_two;\nvoid main() begin decl local_one; global_one := T; first: helper(); assert global_one; end\n\
                   void helper() begin skip; end\nvoid ping() begin pong(); end\nvoid pong() begin ping(); global_two := F; end\n";
    let wanted = |text: &str| {
        let main = text
            .split_once("main() begin")
            .and_then(|(_, rest)| rest.split_once("end"));
        let words = ["();", ":= T", "assert"];
        main.is_some_and(|(body, _)| words.iter().all(|word| body.contains(word)))
    };
    let (left, events) = run(bp_run(program, &[], wanted));
    came_to_its_end(&events);
    assert_eq!(
        left,
        "decl a;\nvoid main() begin a := T; b(); assert a; end\nvoid b() begin end\n"
    );
}

#[test]
fn a_program_that_may_not_be_simplified_is_reduced_all_the_same() {
    check_rows(&[(
        "assume T & T; skip; assert a; b := c;",
        |body| body.contains("T & T") && body.contains("skip") && body.contains("assert a"),
        "assume T & T; skip; assert a;",
    )]);
}

#[test]
fn needless_parentheses_go_first_unless_the_test_wants_them() {
    check_rows(&[
        (
            "assume ((a) & (b)) | (!(c));",
            |body| body.contains('&') && body.contains('|') && body.contains('!'),
            "assume a & b | !c;",
        ),
        (
            "assume ((a & T) | c);",
            |body| body.contains("assume (") && body.contains("| c)"),
            "assume (a | c);",
        ),
    ]);
}

/// The programs that a run in canonical form tests and that are not in it. Interesting are those whose jumps have labels, with a thread, an
/// assertion and, if the program has one, an assignment to a variable of other threads: it follows a label.
fn misplaced_candidates(strategy: &str, program: &str) -> Vec<String> {
    let language = language::by_name("boolean-program").expect("it is built in");
    let canonical = move |text: &str| {
        let text: Arc<[u8]> = text.as_bytes().into();
        let laid_out = program::canonical_text(language, Path::new("a.bp"), &text);
        String::from_utf8(laid_out.expect("it is read").to_vec()).expect("text")
    };
    let wrong = Arc::new(Mutex::new(Vec::new()));
    let noted = wrong.clone();
    let is_assigned = |text: &str| text.contains("$ :=");
    let needs_assignment = is_assigned(program);
    let mut setup = bp_run(&canonical(program), &[], move |text| {
        if canonical(text) != text {
            noted.lock().expect("no panic").push(text.to_owned());
        }
        let mut jumps = text.split("goto ").skip(1);
        let is_there = |rest: &str| {
            let label: String = rest.chars().take_while(|c| !";,".contains(*c)).collect();
            text.contains(&format!("{label}:"))
        };
        let has_all = ["start_thread goto", "assert"].map(|part| text.contains(part)) == [true; 2];
        has_all && (is_assigned(text) || !needs_assignment) && jumps.all(is_there)
    });
    setup.options = PassOptions::from_strategy(pass::find_strategy(strategy).expect("known"));
    setup.version = setup.version.keeping_layout(true);
    let (left, _) = run(setup);
    assert!(left.contains("assert"), "{left}");
    wrong.lock().expect("no panic").clone()
}

#[test]
#[ignore = "long"]
fn each_candidate_of_a_run_that_keeps_its_layout_is_in_canonical_form() {
    let size = Size {
        lines: 40,
        globals: 2,
        functions: 1,
    };
    let generated = (1..4).map(|seed| generate_program(seed, size));
    let programs = generated.chain([include_str!("../samples/locks.bp").to_owned()]);
    for program in programs {
        for name in ["bp", "lop", "perses"] {
            let wrong = misplaced_candidates(name, &program);
            let first = wrong.first();
            assert_eq!(first, None, "{name}: {} candidates", wrong.len());
        }
    }
}

#[test]
fn fewer_open_values_are_smaller_at_equal_tokens() {
    let (open, closed) = (
        read("void main() begin assume *; end"),
        read("void main() begin assume T; end"),
    );
    assert_eq!(open.token_count(), closed.token_count());
    assert!(closed.size() < open.size());
    // In other languages the sign counts as any other token.
    let c = |text: &str| {
        let source = (
            language::by_name("c"),
            Path::new("a.c").into(),
            text.as_bytes().into(),
        );
        program::read_documents(vec![source])
            .expect("it is read")
            .size()
    };
    assert_eq!(c("int *p;"), c("int &p;"));
}

/// The bodies of `main` that a run of `bp` asks about, in their order.
fn asked_bodies(body: &str, without: &[&str], wanted: fn(&str) -> bool) -> Vec<String> {
    let program = format!("decl a;\nvoid main() begin {body} end\n");
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    run(bp_run(
        &program,
        &[&["unused", "rename"], without].concat(),
        move |text| {
            let (_, rest) = text.split_once("begin").expect("a body");
            let (body, _) = rest.rsplit_once("end").expect("its end");
            let body = body.trim();
            seen.lock().expect("no panic").push(body.to_owned());
            wanted(body)
        },
    ));
    let asked = asked.lock().expect("no panic");
    asked.clone()
}

#[test]
fn the_order_of_questions_is_that_of_the_text() {
    let asked = asked_bodies("a := T; if a then a := F; fi; assert a;", &[], |_| false);
    assert_eq!(
        asked[..5],
        [
            "if a then a := F; fi; assert a;",
            "a := T; assert a;",
            "a := T; if a then fi; assert a;",
            "a := T; if a then a := F; fi;",
            "a := T; if T then a := F; fi; assert a;",
        ]
    );
}

#[test]
fn statements_inside_of_others_are_left_out_on_request() {
    let asked = asked_bodies("if a then a, b := *, b; fi; assert a;", &["inner"], |_| {
        false
    });
    assert_eq!(
        asked,
        [
            "assert a;",
            "if a then a, b := *, b; fi;",
            "if T then a, b := *, b; fi; assert a;",
            "if F then a, b := *, b; fi; assert a;",
        ]
    );
}

#[test]
fn a_statement_that_changed_begins_again_with_its_first_expression() {
    let asked = asked_bodies("a, b := *, c;", &[], |body| {
        body == "a, b := *, T;" || body == "a, b := T, T;"
    });
    assert_eq!(
        asked,
        [
            "",
            "a:= *;",
            "b := c;",
            "a, b := T, c;",
            "a, b := F, c;",
            "a, b := *, T;",
            "a, b := T, T;",
            "a:= T;",
            "b := T;",
        ]
    );
}

#[test]
#[ignore = "long"]
fn any_number_of_workers_ends_with_the_same_bytes() {
    let program = include_str!("../samples/locks.bp");
    let wanted = |text: &str| text.contains("start_thread goto") && text.contains("assert");
    for name in ["bp", "bp-smart", "lop"] {
        let left = |jobs| {
            let mut setup = bp_run(program, &[], wanted);
            setup.options = PassOptions::from_strategy(pass::find_strategy(name).expect("known"));
            setup.jobs = jobs;
            run(setup).0
        };
        let one = left(1);
        assert!(wanted(&one));
        assert_eq!([left(2), left(8)], [one.clone(), one], "{name}");
    }
}
