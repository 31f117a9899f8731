//! Steering: what the user can do at any moment of a run, and what must hold then.

mod common;

use std::sync::{Arc, Mutex};

use common::{oracle, read, setup, small_program, text, verdict};
use lop::pass::{self, Options, STRATEGIES};
use lop::program::{Target, walk};
use lop::reduce::{self, Command, Ending, Event, Finish, Snapshot, State, When};
use proptest::prelude::*;

const PROGRAM: &str = "// RUN: this\nint needed = 1;\nint other = 2; /* gone */\nint f(int a, int b) { return a + b; }\nint main(void) {\n  int x = f(1, 2);\n  if (x > 2) {\n    needed = x;\n    other = 3;\n  }\n  return needed;\n}\n";

/// How a run went.
struct Went {
    text: String,
    events: Vec<Event>,
    tested: Vec<String>,
    last: Arc<Snapshot>,
}

impl Went {
    /// What became of the commands, in order.
    fn obeyed(&self) -> Vec<(u64, String, Result<Option<String>, String>)> {
        let obeyed = self.events.iter().filter_map(|event| match event {
            Event::Obeyed {
                before,
                command,
                outcome,
            } => Some((*before, command.clone(), outcome.clone())),
            _ => None,
        });
        obeyed.collect()
    }
}

/// Runs with a script to the end, or to the first pause.
fn steer(
    program: &str,
    script: &str,
    options: Options,
    says: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> Went {
    let tested: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = tested.clone();
    let runner = oracle(move |text| {
        log.lock().expect("unpoisoned").push(text.to_string());
        verdict(says(text))
    });
    let run = reduce::start(reduce::Setup {
        script: reduce::script(script).expect("a script"),
        options,
        ..setup(read("a.c", program), runner)
    })
    .expect("a run");
    let mut events = Vec::new();
    for event in run.events.iter() {
        let paused = matches!(event, Event::Paused { .. });
        events.push(event);
        if paused {
            let _ = run.commands.send(Command::Stop);
        }
    }
    let last = run.finish().expect("a snapshot");
    let tested = tested.lock().expect("unpoisoned").clone();
    Went {
        text: text(&last.version),
        events,
        tested,
        last,
    }
}

fn default(script: &str, says: impl Fn(&str) -> bool + Send + Sync + 'static) -> Went {
    steer(PROGRAM, script, Options::default(), says)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_pinned_stays_whatever_the_test_says() {
    let went = default("pin other\npin (call_expression) @keep", |_| true);
    assert_eq!(
        words(&went.text),
        "int other = 2; int x = f(1, 2);",
        "{}",
        went.text
    );
    for tested in &went.tested {
        assert!(
            tested.contains("int other = 2;") && tested.contains("f(1, 2)"),
            "{tested}"
        );
    }
}

#[test]
fn a_pinned_call_leaves_its_if_but_a_frozen_region_stays_word_for_word() {
    let program =
        "int g(void);\nint main(void) {\n  if (1) {\n    g( /* why */  );\n  }\n  return 0;\n}\n";
    let pinned = steer(
        program,
        "pin (call_expression) @keep",
        Options::default(),
        |_| true,
    );
    assert!(
        !pinned.text.contains("if") && pinned.text.contains("g("),
        "{}",
        pinned.text
    );
    let frozen = steer(program, "freeze 3-5", Options::default(), |_| true);
    assert!(
        frozen.text.contains("if (1) {\n    g( /* why */  );\n  }"),
        "{}",
        frozen.text
    );
    assert!(!frozen.text.contains("return"), "{}", frozen.text);
}

#[test]
fn a_pinned_head_keeps_the_definition_and_lets_its_contents_go() {
    let went = default("pin-head main", |_| true);
    assert_eq!(words(&went.text), "int main() { }", "{}", went.text);
    let kept = default("pin main", |_| true);
    assert!(
        kept.text.contains("needed = x;") && !kept.text.contains("int f("),
        "{}",
        kept.text
    );
}

#[test]
fn a_required_query_has_a_match_in_every_candidate() {
    let went = default("require (binary_expression)", |_| true);
    assert!(
        went.text.contains('+') || went.text.contains('>'),
        "{}",
        went.text
    );
    for tested in &went.tested {
        assert!(tested.contains('+') || tested.contains('>'), "{tested}");
    }
}

#[test]
fn a_locked_place_is_not_touched_inside_but_may_go_and_a_focus_leaves_all_else_alone() {
    let locked = default("lock main", |text| text.contains("needed = x"));
    assert!(
        locked.text.contains("other = 3;") && !locked.text.contains("int f"),
        "{}",
        locked.text
    );
    let gone = default("lock main", |_| true);
    assert!(!gone.text.contains("main"), "{}", gone.text);
    let focused = default("focus 7-10", |_| true);
    assert!(
        focused.text.contains("int f(int a, int b)") && !focused.text.contains("other = 3"),
        "{}",
        focused.text
    );
}

#[test]
fn what_closes_the_rest_is_told_at_the_end() {
    let went = default("pin main", |_| true);
    let constraints = went.last.constraints.clone();
    let closed = reduce::closed(&went.last.version, &constraints);
    assert!(
        matches!(closed[..], [(lop::program::Closed::Pinned, count)] if count > 0),
        "{closed:?}"
    );
}

#[test]
fn comments_that_a_test_needs_can_be_kept_and_a_program_can_mark_what_stays() {
    let went = default("pin /RUN:/", |_| true);
    assert_eq!(words(&went.text), "// RUN: this");
    let marked = "int a;\n// lop-keep\nint b = 1 + 2;\nint c;\n/* lop-keep-begin */ int d; int e; /* lop-keep-end */\nint f;\n";
    let went = steer(marked, "pin lop-keep", Options::default(), |_| true);
    assert_eq!(words(&went.text), "int b = 1 + 2; int d; int e;");
}

#[test]
fn a_skipped_pass_gives_way_and_a_disabled_one_never_runs() {
    let went = default("disable heaviest first\ndisable certificate", |text| {
        text.contains("needed = x")
    });
    let passes: Vec<_> = went
        .events
        .iter()
        .filter_map(|event| match event {
            Event::PassStarted { pass, .. } => Some(*pass),
            _ => None,
        })
        .collect();
    assert!(
        !passes.contains(&"heaviest first") && !passes.contains(&"certificate"),
        "{passes:?}"
    );
    assert!(
        went.text.contains("if (x > 2)"),
        "only the coarse passes ran: {}",
        went.text
    );
    let off: Vec<_> = went
        .last
        .passes
        .iter()
        .filter(|pass| pass.state == reduce::PassState::Off)
        .map(|pass| pass.name)
        .collect();
    assert_eq!(off, ["heaviest first", "certificate"]);
    let nothing = default("order certificate\nat decision 2: skip pass", |_| false);
    assert!(
        nothing.obeyed().iter().all(|(.., outcome)| outcome.is_ok()),
        "{:?}",
        nothing.obeyed()
    );
}

#[test]
fn a_skipped_question_is_never_tested_and_another_one_comes() {
    let all = default("", |_| false);
    let skipped = default("skip candidate", |_| false);
    assert_eq!(skipped.tested.first(), all.tested.get(1));
    assert!(!skipped.tested.contains(&all.tested[0]));
}

#[test]
fn a_run_stops_where_it_is_told_to() {
    let reason = |script: &str| {
        let went = default(script, |text| text.contains("needed = x"));
        let paused = went.events.iter().find_map(|event| match event {
            Event::Paused { reason, .. } => Some(reason.clone().unwrap_or_default()),
            _ => None,
        });
        (paused, went.last.version.tokens(), went.last.counts)
    };
    let (paused, tokens, _) = reason("until size 30");
    assert_eq!(paused.as_deref(), Some("size 30"));
    assert!(tokens < 30);
    let (paused, _, counts) = reason("step commit");
    assert_eq!((paused.as_deref(), counts.taken), (Some("step"), 1));
    let (paused, ..) = reason("break pass heaviest first");
    assert_eq!(paused.as_deref(), Some("pass heaviest first"));
    let (paused, ..) = reason("until gone f");
    assert_eq!(paused.as_deref(), Some("gone f"));
    let (paused, ..) = reason("break touch main");
    assert_eq!(paused.as_deref(), Some("touch main"));
    let (paused, ..) = reason("until size 1");
    assert_eq!(paused, None, "it never gets there");
}

#[test]
fn the_users_own_edit_is_asked_about_before_all_else_and_taken_if_it_is_interesting() {
    let went = default("try delete f\nat decision 2: stop", |text| {
        text.contains("needed = x")
    });
    assert!(
        !went.text.contains("int f(") && went.text.contains("// RUN"),
        "{}",
        went.text
    );
    let no = default("try delete main\nat decision 2: stop", |text| {
        text.contains("needed = x")
    });
    assert!(no.text.contains("main"), "{}", no.text);
    let only = default("try keep 8\nat decision 2: stop", |text| {
        text.contains("needed = x")
    });
    assert!(!only.text.contains("other = 3"), "{}", only.text);
    let pinned = default("pin f\ntry delete f\nat decision 2: stop", |_| true);
    assert_eq!(pinned.obeyed()[1].2, Err("closed by pins".into()));
}

#[test]
fn an_edited_text_is_one_more_step_and_pins_hold_in_it() {
    let smaller = PROGRAM
        .replace("int other = 2; /* gone */\n", "")
        .replace("    other = 3;\n", "");
    let line =
        |text: &str, verb: &str| format!("{verb} {}", serde_json::to_string(text).expect("text"));
    let went = default(
        &format!(
            "pin main\nunpin\n{}\nat decision 2: stop",
            line(&smaller, "edit")
        ),
        |text| text.contains("needed = x"),
    );
    assert_eq!(went.text, smaller);
    let broken = default(&format!("pin other\n{}", line(&smaller, "edit")), |_| true);
    assert_eq!(broken.obeyed()[1].2, Err("closed by pins".into()));
    let larger = PROGRAM.replace("return needed;", "return needed + other + 1;");
    let refused = default(&line(&larger, "edit"), |_| false);
    assert_eq!(
        refused.obeyed()[0].2,
        Err("it would not make the program smaller (+4 tokens)".into())
    );
}

#[test]
fn a_larger_step_counts_only_if_it_ends_smaller() {
    let program = "int needed = 1;\nint b;\n";
    let larger = "int needed = 1;\nint b;\nint c;\nint d;\n";
    let line = format!("edit! {}", serde_json::to_string(larger).expect("text"));
    // Nothing may go but c and d: the excursion comes home in vain.
    let vain = steer(program, &line, Options::default(), move |text| {
        text.contains("int needed = 1;") && text.contains("int b;")
    });
    assert_eq!(words(&vain.text), "int needed = 1; int b;");
    assert!(vain.last.home.is_none());
    // Where d is, nothing else is needed.
    let paid = steer(program, &line, Options::default(), move |text| {
        text == program || text.contains("int d;")
    });
    assert_eq!(words(&paid.text), "int d;");
}

fn excursion(text: &str) -> String {
    format!("edit! {}", serde_json::to_string(text).expect("text"))
}

#[test]
fn an_excursion_begins_when_its_text_is_interesting_and_what_is_said_in_it_holds_after_it() {
    let program = "int needed = 1;\nint b;\n";
    let larger = "int needed = 1;\nint b;\nint c;\nint d;\n";
    let away = excursion(larger);
    // The larger text is boring: there is no excursion, and another one may be tried.
    let again = format!("{away}\nat decision 2: {away} ");
    let boring = steer(program, &again, Options::default(), |text| {
        text.contains("needed") && !text.contains("int d;")
    });
    assert!(
        boring.obeyed().iter().all(|(.., outcome)| outcome.is_ok()),
        "{:?}",
        boring.obeyed()
    );
    assert_eq!(
        (words(&boring.text).as_str(), boring.last.home),
        ("int needed;", None)
    );
    // What is pinned in an excursion that ends in vain is pinned after it.
    let script = format!("{away}\nat commit 1: pin b");
    let pinned = steer(program, &script, Options::default(), |text| {
        text.contains("int b;") || text.is_empty()
    });
    assert!(pinned.text.contains("int b;"), "{}", pinned.text);
    // A dropped excursion cannot be entered, and its versions are not on the disk.
    let script = format!("{away}\nat commit 1: undo stop\nat commit 1: redo");
    let entered = steer(program, &script, Options::default(), |_| true);
    assert!(
        entered.obeyed()[2]
            .2
            .as_ref()
            .is_err_and(|problem| problem.contains("dropped")),
        "{:?}",
        entered.obeyed()
    );
}

#[test]
fn an_undo_is_a_success_still_to_come_so_the_result_is_proven_once_more() {
    let says = |text: &str| text.contains("needed = x");
    let went = default("at commit 4: undo ban", says);
    let claim = went.last.claim.clone().expect("it has ended");
    assert!(claim.minimal, "{claim}");
    assert_eq!(words(&went.text), "{ needed = x; }");
}

#[test]
fn places_apart_are_constraints_apart() {
    let program = "int f(void);\nint between;\nint f(void) { return 1; }\nint other;\n";
    let locked = steer(program, "lock f", Options::default(), |text| {
        text.contains("return 1")
    });
    assert!(
        !locked.text.contains("between") && locked.text.contains("int f(void) { return 1; }"),
        "{}",
        locked.text
    );
}

#[test]
fn a_name_of_no_pass_is_refused_where_a_run_shall_stop() {
    let went = default(
        "until pass heaviest\nuntil time 1e19\nbreak pass nothing",
        |_| false,
    );
    let said: Vec<_> = went
        .obeyed()
        .into_iter()
        .map(|(.., outcome)| outcome.expect_err("no such"))
        .collect();
    assert!(
        said[0].contains("there is no pass `heaviest`") && said.len() == 3,
        "{said:?}"
    );
}

#[test]
fn undo_goes_back_and_does_not_come_the_same_way_again() {
    let says = |text: &str| text.contains("needed = x") || text.contains("return a + b");
    let plain = default("", says);
    let kept = default("at commit 1: undo keep", says);
    assert!(
        kept.text.contains("gone"),
        "what the first edit took is pinned: {}",
        kept.text
    );
    assert_ne!(plain.text, kept.text);
    let back = default("at commit 2: undo stop", says);
    assert_eq!(back.last.number, 1);
    assert!(matches!(back.last.state, State::Finished(Finish::Stopped)));
    let redone = default(
        "at commit 2: undo ban\nat commit 2: redo\nat commit 2: pause",
        says,
    );
    assert_eq!(redone.last.number, 2);
    assert_eq!(redone.last.constraints.list().count(), 0);
    let other = default("at commit 3: goto 1\nat commit 3: pause", says);
    assert_eq!((other.last.number, other.last.history.len()), (1, 4));
    let never = default("undo", says);
    assert_eq!(
        never.obeyed()[0].2,
        Err("this is the original; there is nothing to undo".into())
    );
}

#[test]
fn a_node_tells_why_it_is_still_here() {
    let says = |text: &str| text.contains("needed = x") && text.contains("main(");
    let went = default("pin other", says);
    let version = &went.last.version;
    let node = |name: &str| {
        Target::Name(name.into())
            .find(version)
            .expect("it is there")[0]
            .id
    };
    let kept = reduce::inspect(&went.last, node("other")).expect("it is there");
    assert_eq!(kept.closed.as_deref(), Some("closed by pins (other)"));
    let main = reduce::inspect(&went.last, node("main")).expect("it is there");
    assert_eq!(main.kind, "function_definition");
    assert!(
        main.rule
            .as_deref()
            .is_some_and(|rule| rule.starts_with("function_definition ::= ")),
        "{:?}",
        main.rule
    );
    assert_eq!(main.goes, Some("it is an element of a list"));
    assert!(
        !main.tried.is_empty()
            && main
                .tried
                .iter()
                .all(|tried| tried.ending == Ending::Boring),
        "{:?}",
        main.tried
    );
    let pieces: Vec<&str> = main.pieces.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(pieces, ["{ needed = x; }"]);
}

#[test]
fn the_current_version_can_be_checked_once_more() {
    let asked = std::sync::atomic::AtomicU32::new(0);
    // From the fourth question on the test wants something else.
    let went = default("at decision 4: recheck", move |text| {
        let number = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        number < 3 && text.contains("needed = x")
    });
    let reason = went.events.iter().find_map(|event| match event {
        Event::Paused { reason, .. } => reason.clone(),
        _ => None,
    });
    assert_eq!(
        reason.as_deref(),
        Some("checked once more: the test no longer finds it interesting (exit 1)")
    );
}

#[test]
fn hints_change_the_order_and_never_the_result() {
    let says = |text: &str| text.contains("needed = x");
    let plain = default("", says);
    for script in ["doubt main", "suspect f", "suspect main\ndoubt f"] {
        let hinted = default(script, says);
        assert_eq!(words(&hinted.text), words(&plain.text), "{script}");
    }
}

#[test]
fn a_command_that_cannot_be_is_told_why_and_the_run_goes_on() {
    let went = default(
        "pin nothing_here\npin (call_expresion)\npin 99\nundo\nredo\nunpin\nrestart magic\ngoto 7",
        |text| text.contains("needed = x"),
    );
    let said: Vec<_> = went
        .obeyed()
        .into_iter()
        .map(|(.., outcome)| outcome.expect_err("it cannot be"))
        .collect();
    assert!(said[1].contains("near it: call_expression"), "{said:?}");
    assert!(said[6].contains("there is no pass `magic`"), "{said:?}");
    assert_eq!(words(&went.text), "{ needed = x; }");
}

#[test]
fn each_command_is_acknowledged_before_the_decision_that_it_holds_for() {
    let went = default(
        "pin main\nat decision 3: unpin\nat decision 3: disable bodies",
        |_| false,
    );
    let before: Vec<_> = went
        .obeyed()
        .iter()
        .map(|(before, command, _)| (*before, command.clone()))
        .collect();
    assert_eq!(
        before,
        [
            (1, "pin main".into()),
            (3, "unpin".into()),
            (3, "disable bodies".into())
        ]
    );
    assert_eq!(went.last.obeyed.0, 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Random programs, pins and passes: nothing without its pinned tokens ever reaches a runner.
    #[test]
    fn no_candidate_that_breaks_a_pin_is_tested(
        choices in proptest::collection::vec(any::<u8>(), 1..40),
        lines in proptest::collection::vec((0usize..60, 0usize..4), 1..4),
        strategy in 0..STRATEGIES.len(),
        salt in any::<u64>(),
    ) {
        let program = small_program(&choices);
        let version = read("a.c", &program);
        let count = program.lines().count();
        let mut script = String::new();
        let mut kept: Vec<Vec<String>> = Vec::new();
        for (line, verb) in lines {
            let line = line % count + 1;
            let target: Target = line.to_string().parse().expect("a line");
            let Ok(nodes) = target.find(&version) else { continue };
            let verb = ["pin", "pin-head", "freeze", "pin"][verb];
            script += &format!("{verb} {line}\n");
            if verb != "pin-head" {
                let leaves = nodes.iter().flat_map(walk::leaves).map(|leaf| String::from_utf8_lossy(leaf.text()).into_owned());
                kept.push(leaves.filter(|text| !text.is_empty()).collect());
            }
        }
        let says = move |text: &str| {
            let hash = text.bytes().fold(salt, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            !(hash >> 20).is_multiple_of(3)
        };
        let went = steer(&program, &script, Options::of(&STRATEGIES[strategy]), says);
        for text in went.tested.iter().chain([&went.text]) {
            let leaves: Vec<String> = walk::leaves(&read("a.c", text).documents()[0].root)
                .map(|leaf| String::from_utf8_lossy(leaf.text()).into_owned())
                .collect();
            for wanted in &kept {
                let mut left = leaves.iter();
                let all = wanted.iter().all(|word| left.any(|leaf| leaf == word));
                prop_assert!(all, "{wanted:?} are not in {text}\nwith {script} on {program}");
            }
        }
    }

    /// The same script gives the same decisions, whatever the number of workers.
    #[test]
    fn runs_with_the_same_script_are_the_same(choices in proptest::collection::vec(any::<u8>(), 1..30), salt in any::<u64>()) {
        let program = small_program(&choices);
        let script = "at decision 3: pin 2\nat decision 6: skip node\nat commit 2: undo ban\nat decision 9: restart top level\nat decision 12: try delete 4\nat decision 15: skip pass\nat commit 5: undo keep\nat decision 20: unpin\nat decision 21: order certificate, heaviest first";
        let says = move |text: &str| {
            let hash = text.bytes().fold(salt, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            !(hash >> 20).is_multiple_of(3)
        };
        let went = |jobs: usize| {
            let runner = oracle(move |text| verdict(says(text)));
            let run = reduce::start(reduce::Setup {
                script: reduce::script(script).expect("a script"),
                jobs,
                ..setup(read("a.c", &program), runner)
            })
            .expect("a run");
            let told: Vec<String> = run.events.iter().filter_map(|event| match event {
                Event::Decided(decided) => Some(format!("{} {} {}", decided.decision, decided.ending == Ending::Interesting, decided.sentence)),
                Event::Obeyed { before, command, outcome } => Some(format!("{before} {command} {outcome:?}")),
                Event::Taken { version, tokens, .. } => Some(format!("v{version} {tokens}")),
                _ => None,
            }).collect();
            (told, text(&run.finish().expect("a snapshot").version))
        };
        let one = went(1);
        for jobs in [2, 8] {
            prop_assert_eq!(&went(jobs), &one);
        }
    }
}

#[test]
fn a_moment_is_a_number_of_decisions_takes_or_tokens() {
    let script = reduce::script("at size 20: stop").expect("a script");
    assert_eq!(script, [(When::Size(20), Command::Stop)]);
    let went = default("at size 20: stop", |text| text.contains("needed = x"));
    assert!(went.last.version.tokens() <= 20 && went.last.version.tokens() > 6);
    assert!(pass::strategy("lop").is_some());
}

#[test]
fn a_paused_run_that_has_nothing_left_to_ask_waits_for_what_the_user_takes_back() {
    let runner = oracle(|text| verdict(text.contains("needed = x")));
    let run = reduce::start(reduce::Setup {
        paused: true,
        ..setup(read("a.c", PROGRAM), runner)
    })
    .expect("a run");
    let events = run.events.clone();
    let say = |line: &str| {
        run.commands
            .send(Command::read(line).expect("a command"))
            .expect("it listens");
        let obeyed = |event: &Event| matches!(event, Event::Obeyed { .. });
        events.iter().find(obeyed).expect("it is obeyed");
    };
    say("pin 1-13");
    say("focus needed");
    say("unpin");
    say("unfocus");
    say("resume");
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Finished(Finish::Complete)))
    );
    let last = run.finish().expect("a snapshot");
    assert_eq!(words(&text(&last.version)), "{ needed = x; }");
}
