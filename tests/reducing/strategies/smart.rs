//! The smart schedule: its rounds as stories, and what it proves.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use lop::pass::{self, PassOptions, ScheduleKind};
use lop::reduce::RunEvent;
use lop::verify::{CheckedFile, check_minimality};
use proptest::prelude::*;

use super::{oracle, read, run, setup, verdict, words};

/// A run with a schedule.
struct ScheduledRun {
    text: String,
    events: Vec<RunEvent>,
}

impl ScheduledRun {
    fn new(
        strategy: &str,
        schedule: ScheduleKind,
        program: &str,
        says: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> ScheduledRun {
        let mut setup = setup(
            read("a.c", program),
            oracle(move |text| verdict(says(text))),
        );
        let strategy = pass::find_strategy(strategy).expect("a strategy");
        setup.options = PassOptions {
            schedule,
            ..PassOptions::from_strategy(strategy)
        };
        let (text, events) = run(setup);
        ScheduledRun { text, events }
    }

    /// The rounds after the first, each with what it asks about.
    fn rounds(&self) -> Vec<(u32, String)> {
        let rounds = self.events.iter().filter_map(|event| match event {
            RunEvent::PassStarted { pass, round, scope } if *pass != "comments" => {
                Some((*round, scope.as_deref().unwrap_or("everything").to_owned()))
            }
            _ => None,
        });
        rounds.skip_while(|(round, _)| *round == 1).collect()
    }

    /// What was tested in this round, by sentence.
    fn tested_in_round(&self, number: u32) -> Vec<&str> {
        let mut now = 0;
        let mut tested = Vec::new();
        for event in &self.events {
            match event {
                RunEvent::PassStarted { round, .. } => now = *round,
                RunEvent::Decided(decided) if now == number && decided.time.is_some() => {
                    tested.push(&*decided.sentence.question);
                }
                _ => {}
            }
        }
        tested
    }
}

/// Three statements hang together by `a`, two by `b`.
const PROGRAM: &str =
    "int f() {\n  int a = 1;\n  int b = 2;\n  use(a);\n  keep(a);\n  keep(b);\n}\n";

/// All must stay but what is about `a`, where the first statement goes only after `use(a)`.
fn says(text: &str) -> bool {
    let has = |part: &str| text.contains(part);
    let held = has("int a = 1;") || !has("use(a)");
    held && ["f()", "int b = 2;", "keep(a);", "keep(b);"]
        .into_iter()
        .all(has)
}

#[test]
fn after_a_round_that_removed_something_come_its_names_and_then_the_rest() {
    let smart = ScheduledRun::new("pardis", ScheduleKind::Smart, PROGRAM, says);
    assert_eq!(
        words(&smart.text),
        "int f() { int b = 2; keep(a); keep(b); }"
    );
    let rounds = smart.rounds();
    let rounds: Vec<_> = rounds
        .iter()
        .map(|(round, scope)| (*round, &**scope))
        .collect();
    let (names, rest) = (
        "what shares a name with `a`",
        "what shares no name with `a`",
    );
    assert_eq!(rounds, [(2, names), (3, names), (4, rest)]);
    let asked = |round: u32| smart.tested_in_round(round);
    let about = |name: &str| {
        [
            format!("Can the declaration of `{name}` go?"),
            format!("Can the statement `keep({name});` go?"),
            format!("Can the optional part `keep({name})` go?"),
            format!("Can the optional part `{name}` go?"),
        ]
    };
    assert_eq!(asked(2), about("a"));
    assert_eq!(
        asked(3),
        [""; 0],
        "all of it was asked about since the last removal"
    );
    assert_eq!(asked(4), about("b"));
    let plain = ScheduledRun::new("pardis", ScheduleKind::Plain, PROGRAM, says);
    assert_eq!(plain.text, smart.text);
}

#[test]
fn a_round_that_removed_no_name_is_followed_by_one_about_everything() {
    let smart = ScheduledRun::new(
        "pardis",
        ScheduleKind::Smart,
        "int f() {\n  ;\n  keep();\n}\n",
        |text| text.contains("keep();") && text.contains("int f()"),
    );
    assert_eq!(words(&smart.text), "int f() { keep(); }");
    assert_eq!(smart.rounds(), [(2, "everything".to_owned())]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "long"]
    fn both_schedules_end_with_a_minimal_program(
        statements in proptest::collection::vec((0usize..6, 0usize..5, 0usize..5), 4..24),
        needs in proptest::collection::vec(0usize..24, 1..4),
        holds in proptest::collection::vec((0usize..24, 0usize..24), 0..16),
    ) {
        let program = generated_program(&statements);
        let mark = |at: usize| format!("{}", 100 + at % statements.len());
        let needs: BTreeSet<String> = needs.iter().map(|&at| mark(at)).collect();
        let holds: Vec<(String, String)> = holds.iter().map(|&(a, b)| (mark(a), mark(b))).collect();
        let says = Arc::new(move |text: &str| {
            needs.iter().all(|need| text.contains(need))
                && holds.iter().all(|(held, holder)| !text.contains(holder) || text.contains(held))
        });
        for strategy in ["perses", "lop"] {
            for schedule in [ScheduleKind::Plain, ScheduleKind::Smart] {
                let test = says.clone();
                let ended = ScheduledRun::new(strategy, schedule, &program, move |text| test(text));
                prop_assert!(says(&ended.text));
                let file = CheckedFile::from_text(Path::new("a.c"), Arc::from(ended.text.as_bytes())).expect("a file");
                let report = check_minimality(&file, |bytes| {
                    Ok::<_, Infallible>(says(std::str::from_utf8(bytes).expect("UTF-8")))
                });
                let report = report.expect("no error");
                prop_assert!(report.is_minimal(), "{strategy}, {schedule:?}: {:?} of\n{}\nof\n{program}", report.violations, ended.text);
            }
        }
    }
}

/// A program of one statement a row; each has a number of its own.
fn generated_program(statements: &[(usize, usize, usize)]) -> String {
    let mut program = "int v0, v1, v2, v3, v4;\n".to_owned();
    for (function, body) in statements.chunks(6).enumerate() {
        program.push_str(&format!("int f{function}(int p) {{\n"));
        for (at, (kind, a, b)) in body.iter().enumerate() {
            let number = 100 + 6 * function + at;
            program.push_str(&match kind {
                0 => format!("  v{a} = v{b} + {number};\n"),
                1 => format!("  if (v{a} > {number}) {{ v{b} = p; }}\n"),
                2 => format!("  int w{number} = f{a}(v{b});\n"),
                3 => format!("  while (p < {number}) {{ p = p + v{a}; break; }}\n"),
                4 => format!("  f{a}(v{b} * {number});\n"),
                _ => format!("  return {number};\n"),
            });
        }
        program.push_str("}\n");
    }
    program
}
