//! The user's own edits, and the ways back: detours, undo, branches.

use std::sync::Arc;

use lop::pass::PassOptions;
use lop::reduce::{FinishReason, RunEvent, RunState, VersionRecord};

use crate::common::{quick, text};
use crate::steer::{PROGRAM, default, steer, words};

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
        Err(
            "it would not make the program smaller (+4 tokens); `edit!` tries it all the same"
                .into()
        )
    );
    let blanks = PROGRAM.replace("  if (x > 2) {", "  if (x>2) {");
    let frozen = default(&format!("freeze main\n{}", line(&blanks, "edit")), |_| true);
    assert_eq!(frozen.obeyed()[1].2, Err("closed by pins".into()));
    let as_large = PROGRAM.replace("x > 2", "x > 3");
    let refused = default(&line(&as_large, "edit"), |_| true);
    assert_eq!(
        refused.obeyed()[0].2,
        Err(
            "it would not make the program smaller (+0 tokens); `edit!` tries it all the same"
                .into()
        )
    );
}

#[test]
fn a_larger_step_counts_only_if_it_ends_smaller() {
    let program = "int needed = 1;\nint b;\n";
    let larger = "int needed = 1;\nint b;\nint c;\nint d;\n";
    let line = format!("edit! {}", serde_json::to_string(larger).expect("text"));
    // Nothing may go but c and d: the detour comes home in vain.
    let vain = steer(program, &line, quick(), move |text| {
        text.contains("int needed = 1;") && text.contains("int b;")
    });
    assert_eq!(words(&vain.text), "int needed = 1; int b;");
    assert!(vain.last.detour_base.is_none());
    // Where d is, nothing else is needed.
    let paid = steer(program, &line, quick(), move |text| {
        text == program || text.contains("int d;")
    });
    assert_eq!(words(&paid.text), "int d;");
}

fn detour(text: &str) -> String {
    format!("edit! {}", serde_json::to_string(text).expect("text"))
}

#[test]
fn a_detour_begins_when_its_text_is_interesting_and_what_is_said_in_it_holds_after_it() {
    let program = "int needed = 1;\nint b;\n";
    let larger = "int needed = 1;\nint b;\nint c;\nint d;\n";
    let away = detour(larger);
    // The larger text is uninteresting: there is no detour, and another one may be tried.
    let again = format!("{away}\nat decision 2: {away} ");
    let uninteresting = steer(program, &again, quick(), |text| {
        text.contains("needed") && !text.contains("int d;")
    });
    assert!(
        uninteresting
            .obeyed()
            .iter()
            .all(|(.., outcome)| outcome.is_ok()),
        "{:?}",
        uninteresting.obeyed()
    );
    assert_eq!(
        (
            words(&uninteresting.text).as_str(),
            uninteresting.last.detour_base
        ),
        ("int needed;", None)
    );
    // What is pinned in a detour that ends in vain is pinned after it.
    let script = format!("{away}\nat commit 1: pin b");
    let pinned = steer(program, &script, quick(), |text| {
        text.contains("int b;") || text.is_empty()
    });
    assert!(pinned.text.contains("int b;"), "{}", pinned.text);
    // A dropped detour cannot be entered, and its versions are not on the disk.
    let script = format!("{away}\nat commit 1: undo stop\nat commit 1: redo");
    let entered = steer(program, &script, quick(), |_| true);
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
    assert!(matches!(
        back.last.state,
        RunState::Finished(FinishReason::Stopped)
    ));
    let redone = default(
        "at commit 2: undo ban\nat commit 2: redo\nat commit 2: pause",
        says,
    );
    assert_eq!(redone.last.number, 2);
    assert_eq!(redone.last.constraints.iter().count(), 0);
    let other = default("at commit 3: goto 1\nat commit 3: pause", says);
    assert_eq!((other.last.number, other.last.history.len()), (1, 4));
    let earlier = default("at commit 3: undo ban 2\nat commit 3: pause", says);
    assert_eq!(
        earlier.obeyed()[0].2,
        Ok(Some(
            "version 1; what was made of version 2 is undone too".into()
        ))
    );
    assert_eq!((earlier.last.number, earlier.last.history.len()), (1, 4));
    let all = default(
        "at commit 3: undo ban 2\nat commit 3: redo\nat commit 3: pause",
        says,
    );
    assert_eq!(all.last.number, 3, "a redo brings back all that was undone");
    let aside = default(
        "at commit 3: goto 1\nat commit 3: undo ban 3\nat commit 3: pause",
        says,
    );
    assert_eq!(
        aside.obeyed()[1].2,
        Err("version 1 was not made of version 3: there is nothing to undo".into())
    );
    let never = default("undo", says);
    assert_eq!(
        never.obeyed()[0].2,
        Err("this is the original; there is nothing to undo".into())
    );
}

#[test]
fn an_undo_that_has_no_token_to_pin_does_not_come_the_same_way_again_either() {
    let run = |script: &str| {
        let program = "int   needed  =  1 ;\n\n";
        let says = |text: &str| text.contains("needed") && text.contains('1');
        steer(program, script, PassOptions::default(), says)
    };
    let plain = run("");
    let tokens = |past: &VersionRecord| past.version.token_hash();
    let versions = &plain.last.history;
    let is_blank = |past: &&Arc<VersionRecord>| {
        let parent = past.parent.map(|parent| &versions[parent as usize]);
        parent.is_some_and(|parent| tokens(parent) == tokens(past))
    };
    let blank = versions.iter().find(is_blank).expect("white space goes");
    let kept = run(&format!("at commit {}: undo keep", blank.number));
    assert_eq!(kept.last.constraints.iter().count(), 0);
    assert_eq!(kept.last.constraints.skipped_count(), 1);
    let names = kept.last.constraints.skipped_names();
    assert!(names[0].starts_with("what made version "), "{names:?}");
    let made = kept.last.history.iter();
    assert_eq!(made.filter(|past| past.hash == blank.hash).count(), 1);
}

#[test]
fn inside_a_detour_the_file_on_the_disk_is_the_version_that_it_left() {
    let (program, larger) = ("int needed = 1;\n", "int needed = 1;\nint more;\n");
    let script = format!("{}\nat commit 1: pause", detour(larger));
    let went = steer(program, &script, quick(), |_| true);
    assert_eq!(went.text, larger, "one stands inside of it");
    let (number, kept) = went.last.kept_version();
    assert_eq!((number, text(kept).as_str()), (0, program));
}

#[test]
fn what_the_user_and_gc_propose_is_booked_as_theirs() {
    let program =
        "int g;\nint f(void) { return g; }\nint spare;\nint main(void) {\n  f();\n  return 0;\n}\n";
    let says = |text: &str| text.contains("main");
    let went = steer(program, "try delete 3", quick(), says);
    let line = |name: &str| went.last.passes.iter().find(|line| line.name == name);
    let numbers = |name: &str| line(name).map(|line| (line.accepted, line.tried, line.tokens));
    assert_eq!(numbers("you"), Some((1, 1, 3)));
    let decided = went.events.iter().filter_map(|event| match event {
        RunEvent::Decided(decided) => Some(decided),
        _ => None,
    });
    let collected = decided.filter(|decided| decided.why.pass == "gc").count() as u64;
    assert_eq!(line("gc").map_or(0, |line| line.tried), collected);
    let tried: u64 = went.last.passes.iter().map(|line| line.tried).sum();
    assert_eq!(tried, went.last.counts.decisions, "each is booked once");
    let accepted: u64 = went.last.passes.iter().map(|line| line.accepted).sum();
    assert_eq!(accepted, went.last.counts.accepted);
    assert_eq!(went.last.history[1].pass, "you");
    // What a pass leaves without a use.
    let coarse = ["hollow", "top level", "bodies"].map(|pass| format!("disable {pass}\n"));
    let went = steer(program, &coarse.concat(), quick(), |text| {
        text.contains("main") && text.contains("spare")
    });
    let made = went.last.history.iter().filter(|past| past.pass == "gc");
    let line = went.last.passes.iter().find(|line| line.name == "gc");
    let line = line.expect("gc has proposed something");
    assert_eq!(line.accepted, made.count() as u64);
    assert!(line.accepted > 0, "{line:?}");
}
