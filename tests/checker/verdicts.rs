//! What the checker answers for each construct: a program, the number of threads, the answer.

use crate::command::Check;
use crate::explore::Outcome::{self, Fails, Safe, Unknown};
use crate::program::Defect;

fn answer(text: &str, threads: usize) -> Outcome {
    let answer = Check::with_threads(threads).run(text);
    answer.unwrap_or_else(|refusal| panic!("line {}: {}\n{text}", refusal.line, refusal.reason))
}

/// Each row: declarations and statements of `main`, and the answer.
fn check_bodies(threads: usize, rows: &[(&str, &str, Outcome)]) {
    for (locals, body, expected) in rows {
        let text = format!("decl g, h;\nvoid main() begin {locals}\n{body}\nend\n");
        assert_eq!(
            answer(&text, threads),
            *expected,
            "{threads} threads\n{text}"
        );
    }
}

#[test]
fn values_and_operators() {
    check_bodies(
        1,
        &[
            ("", "skip;", Safe),
            ("", "assert F;", Fails),
            ("", "assert 1;", Safe),
            ("", "assert t & !f;", Safe),
            ("decl f;", "f := T; assert f;", Safe),
            ("", "assert *;", Fails),
            ("", "assert ?;", Fails),
            ("", "assert g;", Fails),
            ("", "assert g | !g;", Safe),
            ("", "assert g = g;", Safe),
            ("", "g := *; assert g ^ !g;", Safe),
            ("", "assert * | !*;", Fails),
            ("", "assert (g -> h) = (!g | h);", Safe),
            ("", "assert F -> F -> F;", Safe),
            ("", "assert F => F => F;", Fails),
            ("", "assert g <=> h;", Fails),
            ("", "assert T | F & F;", Safe),
            ("", "assert T ^ F & T;", Safe),
            ("", "assert T | T ^ T;", Safe),
            ("", "assert !F = F | F;", Fails),
            ("", "assert g ? T : !g;", Safe),
            ("", "assert g ? h : !h;", Fails),
            ("decl {a == 1};", "{a == 1} := T; assert {a == 1};", Safe),
        ],
    );
}

#[test]
fn schoose_takes_one_of_its_two_conditions_or_any_value() {
    check_bodies(
        1,
        &[
            ("", "assert schoose[T, F];", Safe),
            ("", "assert !schoose[F, T];", Safe),
            ("", "g := schoose[F, F]; assert g;", Fails),
            ("", "g := schoose[F, F]; assert !g;", Fails),
            ("", "g := schoose[h, !h]; assert g = h;", Safe),
        ],
    );
}

#[test]
fn assignments_are_parallel_and_constrained() {
    check_bodies(
        1,
        &[
            ("", "g, h := T, F; g, h := h, g; assert !g & h;", Safe),
            ("", "g := F; g, h := T, g; assert h;", Fails),
            ("", "g, h := *, * constrain 'g = 'h; assert g = h;", Safe),
            ("", "g, h := *, *; assert g = h;", Fails),
            ("", "g := F; g := * constrain g | 'g; assert g;", Safe),
            ("", "g := F; g := F constrain g | 'g; assert F;", Safe),
            ("", "'g := T; assert g;", Safe),
            ("decl m;", "m := *; h := T constrain m$; assert h;", Safe),
            ("", "g := T; dead g; assert g;", Fails),
            ("decl _;", "_ := T; assert _;", Safe),
            ("", "g, _ := T, F; assert g;", Safe),
        ],
    );
}

#[test]
fn control_flow() {
    check_bodies(
        1,
        &[
            ("", "goto l; assert F; l: skip;", Safe),
            ("", "goto l, m; l: goto n; m: assert F; n: skip;", Fails),
            ("", "assume F; assert F;", Safe),
            ("", "assume g; assert g;", Safe),
            ("", "assume *; assert F;", Fails),
            ("", "if g then assert g; else assert !g; fi;", Safe),
            ("", "if * then skip; else assert F; fi;", Fails),
            (
                "",
                "if g then skip; elif h then assert h & !g; else assert !g & !h; fi;",
                Safe,
            ),
            ("", "if g then skip; elsif h then assert g; fi;", Fails),
            ("", "while !g do g := *; od; assert g;", Safe),
            ("", "while * do g := T; od; assert g;", Fails),
            ("", "while T do skip; od; assert F;", Safe),
            ("", "l: goto l; assert F;", Safe),
            ("", "return; assert F;", Safe),
            ("", "a: b: c: skip; goto d; d: assert F;", Fails),
        ],
    );
}

#[test]
fn calls_have_values_and_results() {
    let rows = [
        (
            "void f() begin g := T; end void main() begin f(); assert g; end",
            Safe,
        ),
        (
            "main() begin f(); assert g; end f() begin g := T; end",
            Safe,
        ),
        (
            "bool f(x) begin return !x; end main() begin g := f(T); assert g; end",
            Fails,
        ),
        (
            "bool<2> f(x) begin return x, !x; end main() begin decl a; a, g := f(T); assert a & !g; end",
            Safe,
        ),
        (
            "dfs bool<2> f(x) begin return x, !x; end main() begin g, _ := f(T); assert g; end",
            Safe,
        ),
        (
            "f(x) begin return x; end main() begin g := f(F); assert g; end",
            Fails,
        ),
        (
            "bool f() begin skip; end main() begin g := f(); assert g; end",
            Fails,
        ),
        (
            "bool f() begin return *; end main() begin g := T; g := f() constrain g & 'g; assert g; end",
            Safe,
        ),
        (
            "f(x) begin decl y; assert y = x; end main() begin f(T); end",
            Fails,
        ),
        // Each call has its own variables.
        (
            "f(x) begin if x then f(F); fi; assert x = g; end main() begin g := F; f(F); end",
            Safe,
        ),
        (
            "f(x) begin if x then f(F); fi; assert x; end main() begin f(T); end",
            Fails,
        ),
        // A path of more than a hundred calls ends there.
        ("f() begin f(); assert F; end main() begin f(); end", Safe),
        (
            "f() begin if * then f(); fi; g := T; end main() begin g := F; f(); assert g; end",
            Safe,
        ),
    ];
    for (functions, expected) in rows {
        let text = format!("decl g; {functions}");
        assert_eq!(answer(&text, 1), expected, "{text}");
    }
}

#[test]
fn what_is_enforced_holds_at_each_step() {
    let rows = [
        ("main() begin enforce !(g & h); assert !g | !h; end", Safe),
        (
            "main() begin enforce g -> h; g, h := T, F; assert F; end",
            Safe,
        ),
        (
            "enforce g = h; main() begin g, h := *, *; assert g = h; end",
            Safe,
        ),
        (
            "main() begin decl a; enforce a; a := *; assert a; end",
            Safe,
        ),
        ("main() begin enforce T; assert g = h; end", Fails),
    ];
    for (program, expected) in rows {
        let text = format!("decl g, h; {program}");
        assert_eq!(answer(&text, 1), expected, "{text}");
    }
}

#[test]
fn two_threads_see_the_same_globals() {
    let race = "g := F; start_thread goto l; assert !g; end_thread; l: g := T;";
    let atomic = "g := F; start_thread goto l; atomic_begin; g := T; assert g; atomic_end; end_thread; l: g := F;";
    let free = "g := F; start_thread goto l; g := T; assert g; end_thread; l: g := F;";
    check_bodies(1, &[("", race, Safe), ("", atomic, Safe), ("", free, Safe)]);
    check_bodies(
        2,
        &[("", race, Fails), ("", atomic, Safe), ("", free, Fails)],
    );
}

#[test]
fn a_new_thread_has_a_copy_of_the_variables() {
    check_bodies(
        2,
        &[
            (
                "decl a;",
                "a := T; start_thread goto l; end_thread; l: assert a;",
                Safe,
            ),
            (
                "decl a;",
                "start_thread goto l; g := a; end_thread; l: assume g & a; h := g; assert h;",
                Safe,
            ),
            (
                "decl a;",
                "a, g := F, F; start_thread goto l; assert !a; end_thread; l: a := T; end_thread;",
                Safe,
            ),
            // The two have the same value, whichever it is.
            (
                "decl a;",
                "g := F; start_thread goto l; assume a; g := T; end_thread; l: assume g; assert a;",
                Safe,
            ),
        ],
    );
}

#[test]
fn no_more_threads_start_than_may_be() {
    let three = "g, h := F, F; start_thread goto l; start_thread goto m; assume g & h; assert F; \
                 l: g := T; n: goto n; m: h := T; goto n;";
    check_bodies(2, &[("", three, Safe)]);
    check_bodies(3, &[("", three, Fails)]);
    // The place of a thread that has ended is free.
    let row = "g, h := F, F; start_thread goto l; k: assume g; start_thread goto m; assume h; assert F; \
               l: g := T; end_thread; m: h := T; end_thread;";
    check_bodies(2, &[("", row, Fails)]);
}

#[test]
fn a_variable_of_the_other_threads() {
    let broadcast = "m := F; start_thread goto l; assert !m; end_thread; l: m$ := T;";
    let own = "m := F; start_thread goto l; assert !m; end_thread; l: m := T;";
    let of_each = "m, g := F, F; start_thread goto l; n: goto n; l: m := T; g := T constrain m$ | !'g; assert F;";
    let after = "m := F; start_thread goto l; assume m; assert F; l: m$ := * constrain !'m$;";
    let before = "m := F; start_thread goto l; assume m; assert F; l: m$ := * constrain !m$;";
    let from_theirs = "m := T; start_thread goto l; assume !m; assert F; l: m := F; m$ := m$;";
    let from_ours = "m := T; start_thread goto l; assume !m; assert F; l: m := F; m$ := m;";
    check_bodies(
        2,
        &[
            ("decl m;", broadcast, Fails),
            ("decl m;", own, Safe),
            ("decl m;", of_each, Safe),
            ("decl m;", after, Safe),
            ("decl m;", before, Fails),
            ("decl m;", from_theirs, Safe),
            ("decl m;", from_ours, Fails),
            // Declared so, a $ is a part of the name.
            (
                "decl m$;",
                "m$ := T; start_thread goto l; assert m$; end_thread; l: m$ := F;",
                Safe,
            ),
        ],
    );
}

#[test]
fn a_check_gives_up_after_so_many_states() {
    let text = "decl g; void main() begin l: g := !g; goto l; end";
    let check = Check {
        states: 1,
        ..Check::with_threads(1)
    };
    assert_eq!(check.run(text), Ok(Unknown));
    assert_eq!(answer(text, 1), Safe);
}

#[test]
fn each_defect_changes_an_answer() {
    let mixed = "decl g; main() begin decl m; m := F; start_thread goto l; assert !m; end_thread; l: m$ := T; end";
    let constrain = "decl g; main() begin g := F; g := * constrain 'g; assert F; end";
    let crash =
        "decl g; main() begin decl m; start_thread goto l; l: g := * constrain m$ | 'g; end";
    let rows = [
        (mixed, Defect::Mixed, Fails, Safe),
        (constrain, Defect::Constrain, Fails, Safe),
        (crash, Defect::Crash, Safe, Outcome::Crashed),
    ];
    for (text, defect, sound, wrong) in rows {
        let check = Check::with_threads(2);
        assert_eq!(check.run(text), Ok(sound), "{text}");
        let check = Check {
            defect: Some(defect),
            ..check
        };
        assert_eq!(check.run(text), Ok(wrong), "{defect:?}: {text}");
    }
    let alone = Check {
        defect: Some(Defect::Crash),
        ..Check::with_threads(1)
    };
    assert_eq!(alone.run(crash), Ok(Safe), "one thread has no other");
}
