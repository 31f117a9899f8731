//! Steering: the user's commands at any moment of a run, and their invariants.

mod detours;
mod edits;
mod focus;
mod pins;
mod place;
mod proposals;
mod rules;

use std::sync::{Arc, Mutex};

use crate::common::{came_to_its_end, oracle, quick, read, setup, small_program, text, verdict};
use lop::oracle::Verdict;
use lop::pass::{self, PassOptions};
use lop::program::NodeTarget;
use lop::reduce::{self, EngineCommand, FinishReason, RunEvent, RunSnapshot, ScriptTrigger};
use proptest::prelude::*;

const PROGRAM: &str = "// RUN: this\nint needed = 1;\nint other = 2; /* gone */\nint f(int a, int b) { return a + b; }\nint main(void) {\n  int x = f(1, 2);\n  if (x > 2) {\n    needed = x;\n    other = 3;\n  }\n  return needed;\n}\n";

/// How a run went.
struct Went {
    text: String,
    events: Vec<RunEvent>,
    tested: Vec<String>,
    last: Arc<RunSnapshot>,
}

impl Went {
    /// What became of the commands, in order.
    fn obeyed(&self) -> Vec<(u64, String, Result<Option<String>, String>)> {
        let obeyed = self.events.iter().filter_map(|event| match event {
            RunEvent::CommandApplied {
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
    options: PassOptions,
    says: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> Went {
    let tested: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = tested.clone();
    let runner = oracle(move |text| {
        log.lock().expect("unpoisoned").push(text.to_string());
        verdict(says(text))
    });
    let run = reduce::start_run(reduce::RunSetup {
        script: reduce::parse_script(script).expect("a script"),
        options,
        ..setup(read("a.c", program), runner)
    })
    .expect("a run");
    let mut events = Vec::new();
    for event in run.events.iter() {
        let paused = matches!(event, RunEvent::Paused { .. });
        events.push(event);
        if paused {
            let _ = run.commands.send(EngineCommand::Stop);
        }
    }
    came_to_its_end(&events);
    let last = run.wait_for_end().expect("a snapshot");
    let tested = tested.lock().expect("unpoisoned").clone();
    Went {
        text: text(&last.version),
        events,
        tested,
        last,
    }
}

fn default(script: &str, says: impl Fn(&str) -> bool + Send + Sync + 'static) -> Went {
    steer(PROGRAM, script, quick(), says)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_last_pass_of_a_strategy_proves_nothing_if_it_is_cut_short() {
    let whole = default("", |_| false);
    let end = whole.last.counts.decisions;
    for command in ["skip pass", "disable certificate"] {
        let went = default(&format!("at decision {end}: {command}"), |_| false);
        assert_eq!(went.obeyed()[0].2, Ok(None), "{command}");
        let claim = went.last.claim.clone().expect("it has ended");
        assert!(!claim.minimal, "{command}: {claim}");
    }
    assert!(whole.last.claim.as_ref().is_some_and(|claim| claim.minimal));
}

#[test]
fn a_pass_that_was_skipped_runs_again_after_unskip_and_counts_as_whole() {
    let end = default("", |_| false).last.counts.decisions;
    let claim = |went: &Went| went.last.claim.clone().expect("it has ended");
    let skipped = default(&format!("at decision {end}: skip pass"), |_| false);
    let said = claim(&skipped).to_string();
    let helps = "the rest of the pass certificate (skipped; `unskip` runs it again)";
    assert!(said.contains(helps), "{said}");
    // Skipped early, and asked for later, at the end that the run then has.
    let early = default("at decision 2: skip pass", |_| false);
    let end = early.last.counts.decisions;
    for again in ["unskip", "enable {}"] {
        let script = format!("at decision 2: skip pass\nat decision {end}: {again}");
        let first = default(&script.replace("{}", "hollow"), |_| false);
        let said = claim(&first).to_string();
        let name = said.split("the rest of the pass ").nth(1);
        let name = name.and_then(|rest| rest.split(" (").next());
        let went = match name {
            // `enable` needs the name of the pass that was skipped.
            Some(name) => default(&script.replace("{}", name), |_| false),
            None => first,
        };
        if again == "unskip" {
            let said = went.obeyed()[1].2.clone().expect("it can").expect("a word");
            assert!(said.starts_with("again: "), "{said}");
        }
        let claim = claim(&went);
        assert!(claim.minimal, "{again}: {claim}");
        assert!(!claim.to_string().contains("skipped"), "{again}: {claim}");
    }
}

#[test]
fn the_end_names_the_nodes_that_the_user_skipped_in_the_certificate() {
    let end = default("", |_| false).last.counts.decisions;
    let claim = |went: &Went| went.last.claim.clone().expect("it has ended").to_string();
    let went = default(&format!("at decision {end}: skip node"), |_| false);
    assert_eq!(went.obeyed()[0].2, Ok(None));
    assert_eq!(
        claim(&went),
        "1-tree-minimal for these passes (no single part of its tree can go); left out: 1 node in the pass certificate (skipped)"
    );
    // What has gone since is no part of the result.
    let says = |text: &str| text.contains("needed = x");
    let whole = default("", says);
    let mut accepted = whole.events.iter().filter_map(|event| match event {
        RunEvent::Decided(decided) => Some(decided),
        _ => None,
    });
    let one = accepted.find(|one| one.verdict == Verdict::Interesting && one.why.node.is_some());
    let one = one.expect("an edit of a node").decision;
    let went = default(&format!("at decision {one}: skip node"), says);
    assert_eq!(words(&went.text), words(&whole.text));
    assert_eq!(went.obeyed()[0].2, Ok(None));
    assert_eq!(
        claim(&went),
        "1-tree-minimal for these passes (no single part of its tree can go)"
    );
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
            RunEvent::PassStarted { pass, .. } => Some(*pass),
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
        .filter(|pass| pass.state == reduce::PassState::Disabled)
        .filter(|pass| {
            pass::STRATA
                .iter()
                .all(|stratum| !stratum.has_pass(pass.name))
        })
        .map(|pass| pass.name)
        .collect();
    // Nobody asked for the first.
    assert_eq!(off, ["slices", "heaviest first", "certificate"]);
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
            RunEvent::Paused { reason, .. } => Some(reason.clone().unwrap_or_default()),
            _ => None,
        });
        (paused, went.last.version.token_count(), went.last.counts)
    };
    let (paused, tokens, _) = reason("until size 30");
    assert_eq!(paused.as_deref(), Some("size 30"));
    assert!(tokens < 30);
    let (paused, _, counts) = reason("step commit");
    assert_eq!((paused.as_deref(), counts.accepted), (Some("step"), 1));
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
fn a_node_tells_why_it_is_still_here() {
    let says = |text: &str| text.contains("needed = x") && text.contains("main(");
    let went = default("pin other", says);
    let version = &went.last.version;
    let node = |name: &str| {
        NodeTarget::Name(name.into())
            .find_nodes(version)
            .expect("it is there")[0]
            .id
    };
    let kept =
        reduce::inspect_node(&went.last, node("other"), Default::default()).expect("it is there");
    assert_eq!(kept.answer.sentence, "It stays: pinned by you, pin other.");
    let main =
        reduce::inspect_node(&went.last, node("main"), Default::default()).expect("it is there");
    assert_eq!(main.kind, "function_definition");
    assert!(
        main.rule
            .as_deref()
            .is_some_and(|rule| rule.starts_with("function_definition ::= ")),
        "{:?}",
        main.rule
    );
    assert_eq!(main.removable_because, Some("it is an element of a list"));
    assert!(
        main.answer.sentence.starts_with("It stays: without it")
            && !main.answer.evidence.is_empty()
            && main
                .answer
                .evidence
                .iter()
                .all(|tried| tried.verdict == Verdict::Uninteresting),
        "{:?}",
        main.answer
    );
    let pieces: Vec<&str> = main
        .replacements
        .iter()
        .map(|(text, _)| text.as_str())
        .collect();
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
        RunEvent::Paused { reason, .. } => reason.clone(),
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
        "pin nothing_here\npin (call_expresion)\npin 99\nundo\nredo\nunpin\nrestart magic\ngoto 7\nenable assume",
        |text| text.contains("needed = x"),
    );
    let said: Vec<_> = went
        .obeyed()
        .into_iter()
        .map(|(.., outcome)| outcome.expect_err("it cannot be"))
        .collect();
    assert!(said[1].contains("near it: call_expression"), "{said:?}");
    assert!(
        said[6].contains("there is no pass `magic`; there are"),
        "{said:?}"
    );
    let of_others = "there is no pass `assume` (there is with --strategy bp";
    assert!(said[8].contains(of_others), "{said:?}");
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
    assert_eq!(went.last.last_command.0, 3);
}

#[test]
fn a_moment_is_a_number_of_decisions_takes_or_tokens() {
    let script = reduce::parse_script("at size 20: stop").expect("a script");
    assert_eq!(script, [(ScriptTrigger::Size(20), EngineCommand::Stop)]);
    let went = default("at size 20: stop", |text| text.contains("needed = x"));
    assert!(went.last.version.token_count() <= 20 && went.last.version.token_count() > 6);
    assert!(pass::find_strategy("lop").is_some());
}

#[test]
fn a_paused_run_that_has_nothing_left_to_ask_waits_for_what_the_user_takes_back() {
    let runner = oracle(|text| verdict(text.contains("needed = x")));
    let run = reduce::start_run(reduce::RunSetup {
        paused: true,
        ..setup(read("a.c", PROGRAM), runner)
    })
    .expect("a run");
    let events = run.events.clone();
    let say = |line: &str| {
        run.commands
            .send(EngineCommand::parse_line(line).expect("a command"))
            .expect("it listens");
        let obeyed = |event: &RunEvent| matches!(event, RunEvent::CommandApplied { .. });
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
            .any(|event| matches!(event, RunEvent::Finished(FinishReason::Complete)))
    );
    let last = run.wait_for_end().expect("a snapshot");
    assert_eq!(words(&text(&last.version)), "{ needed = x; }");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The same script gives the same decisions, whatever the number of workers.
    #[test]
    #[ignore = "long"]
    fn runs_with_the_same_script_are_the_same(choices in proptest::collection::vec(any::<u8>(), 1..30), salt in any::<u64>()) {
        let program = small_program(&choices);
        let script = "at decision 3: pin 2\nat decision 6: skip node\nat commit 2: undo ban\nat decision 9: restart top level\nat decision 12: try delete 4\nat decision 15: skip pass\nat commit 5: undo keep\nat decision 20: unpin\nat decision 21: order certificate, heaviest first";
        let says = move |text: &str| {
            let hash = text.bytes().fold(salt, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            !(hash >> 20).is_multiple_of(3)
        };
        let went = |jobs: usize| {
            let runner = oracle(move |text| verdict(says(text)));
            let run = reduce::start_run(reduce::RunSetup {
                script: reduce::parse_script(script).expect("a script"),
                jobs,
                ..setup(read("a.c", &program), runner)
            })
            .expect("a run");
            let told: Vec<String> = run.events.iter().filter_map(|event| match event {
                RunEvent::Decided(decided) => Some(format!("{} {} {}", decided.decision, decided.verdict == Verdict::Interesting, decided.sentence)),
                RunEvent::CommandApplied { before, command, outcome } => Some(format!("{before} {command} {outcome:?}")),
                RunEvent::Accepted { version, tokens, .. } => Some(format!("v{version} {tokens}")),
                _ => None,
            }).collect();
            (told, text(&run.wait_for_end().expect("a snapshot").version))
        };
        let one = went(1);
        for jobs in [2, 8] {
            prop_assert_eq!(&went(jobs), &one);
        }
    }
}

#[test]
fn only_an_order_that_the_user_gave_is_reported_and_it_can_be_taken_back() {
    let reordered = |script: &str| default(script, |_| false).last.reordered.clone();
    assert_eq!(reordered(""), None);
    // The passes that these put in front are no choice of an order.
    assert_eq!(reordered("doubt x\nplace x"), None);
    for (command, expected) in [
        ("earlier certificate", &["certificate", "spaces"][..]),
        ("order names", &["names"]),
    ] {
        let commanded = |more: &str| {
            let lines = [command, more, "stop"].map(|line| format!("at decision 9: {line}\n"));
            reordered(&lines.concat().replace("at decision 9: \n", ""))
        };
        let passes = commanded("").expect("an order");
        assert!(passes.moved.starts_with(expected), "{passes:?}");
        let back = format!("order {}", passes.before.join(", "));
        assert_eq!(commanded(&back), None, "{command}");
    }
}
