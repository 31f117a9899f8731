//! The candidates that are tested, and those that are accepted.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use lop::language;
use lop::language::parser::ParseLimit;
use lop::pass::{self, PassKind, PassOptions, Strategy};
use lop::reduce::{self, FinishReason, RunEvent, RunSetup};

use crate::common::rows::stale;
use crate::common::{oracle, quick, read, run, setup, verdict};
use crate::engine::PROGRAM;

/// A run with an oracle that says this: its last text, its events, and all that was tested.
fn tested(
    program: &str,
    options: PassOptions,
    says: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (String, Vec<RunEvent>, Vec<String>) {
    let tested: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = tested.clone();
    let runner = oracle(move |text| {
        log.lock().expect("unpoisoned").push(text.to_string());
        verdict(says(text))
    });
    let (last, events) = run(RunSetup {
        options,
        ..setup(read("a.c", program), runner)
    });
    let tested = tested.lock().expect("unpoisoned").clone();
    (last, events, tested)
}

/// What the test of these stories looks for.
const NEEDED: &str = "needed = x";

/// The parser's errors.
fn faults(text: &str) -> u32 {
    let language = language::by_name("c").expect("C");
    let limit = ParseLimit::for_length(text.len());
    let tree = language.new_parser().parse(text.as_bytes(), None, limit);
    tree.expect("the parse ends").count_faults()
}

#[test]
fn only_tested_bytes_are_taken_each_smaller_than_the_last_and_none_is_tested_twice() {
    // The passes of more than quick effort go below what the grammar has for a program.
    let efforts = [
        (quick(), "{needed=x;}"),
        (PassOptions::default(), "needed=x"),
    ];
    for (options, result) in efforts {
        let (last, events, tested) = tested(PROGRAM, options, |text| text.contains(NEEDED));
        assert_eq!(
            tested.iter().collect::<HashSet<_>>().len(),
            tested.len(),
            "no text is tested twice"
        );
        assert!(tested.contains(&last));
        assert_eq!(
            last.split_whitespace().collect::<String>(),
            result,
            "{last}"
        );
        let sizes: Vec<_> = events
            .iter()
            .filter_map(|event| {
                if let RunEvent::Accepted { tokens, bytes, .. } = event {
                    Some((*tokens, *bytes))
                } else {
                    None
                }
            })
            .collect();
        assert!(sizes.windows(2).all(|pair| pair[1] < pair[0]), "{sizes:?}");
        assert!(matches!(
            events.last(),
            Some(RunEvent::Finished(FinishReason::Complete))
        ));
    }
}

#[test]
fn what_was_found_on_a_version_is_taken_of_no_other() {
    // The pass has a fault: the engine ends rather than believe it.
    let faulty = setup(
        read("a.c", "int a;\nint b;\nint c;\n"),
        oracle(|_| verdict(true)),
    );
    let options = stale();
    let run = reduce::start_run(RunSetup { options, ..faulty }).expect("a run");
    let events: Vec<_> = run.events.iter().collect();
    let taken = |event: &&RunEvent| matches!(event, RunEvent::Accepted { .. });
    assert!(events.iter().filter(taken).count() <= 1, "{events:?}");
    let finished = |event: &RunEvent| matches!(event, RunEvent::Finished { .. });
    assert!(!events.iter().any(finished), "{events:?}");
}

#[test]
fn no_candidate_with_more_errors_than_the_program_is_tested() {
    let (_, _, tested) = tested(PROGRAM, quick(), |text| text.contains(NEEDED));
    assert!(tested.len() > 3);
    for text in &tested {
        assert_eq!(faults(text), 0, "{text}");
    }
}

/// A pass that calls itself syntactic, and is not.
static TORN: PassKind = PassKind {
    name: "torn",
    syntax_check: pass::SyntaxCheck::Enforce,
    ..pass::TOKENS
};

static TEARS: Strategy = Strategy {
    name: "torn",
    description: "tokens, without a look at the grammar",
    minimizer: "complements",
    repeat_from: None,
    detours: None,
    schedule: pass::ScheduleKind::Plain,
    strata: &[],
    steps: &[],
    passes: &[&TORN],
};

#[test]
fn where_the_grammar_does_not_see_to_it_the_parser_refuses_what_it_likes_less() {
    let (last, _, seen) = tested(PROGRAM, PassOptions::from_strategy(&TEARS), |text| {
        text.contains("needed")
    });
    assert!(seen.len() > 3 && last.len() < PROGRAM.len(), "{last}");
    for text in &seen {
        assert_eq!(faults(text), 0, "{text}");
    }
}
