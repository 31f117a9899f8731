//! What a run makes smaller is the user's choice, and all that says *smaller* follows it.

use lop::program::{Objective, ObjectiveSize, Version};
use lop::reduce::{self, EngineCommand, FinishReason, RunEvent, RunSetup, ScriptTrigger};

use crate::common::{oracle, read, run, setup, verdict};

const PROGRAM: &str = "int one(void) {\n  return f(g(h(1)));\n}\n\nint two(void) {\n  int needed = f(2);\n  return needed;\n}\n";

/// The program, with this objective.
fn program_for(name: &str) -> Version {
    let version = read("a.c", PROGRAM);
    let language = version.documents()[0].language;
    version.with_objective(Objective::parse_name(name, language).expect("an objective"))
}

/// The sizes of the versions of a run that needs `needed`, in their order.
fn accepted_sizes(name: &str) -> Vec<ObjectiveSize> {
    let runner = oracle(|text| verdict(text.contains("needed")));
    let (_, events) = run(setup(program_for(name), runner));
    assert!(matches!(
        events.last(),
        Some(RunEvent::Finished(FinishReason::Complete))
    ));
    let size = |event: &RunEvent| match event {
        RunEvent::Started { size, .. } | RunEvent::Accepted { size, .. } => Some(*size),
        _ => None,
    };
    events.iter().filter_map(size).collect()
}

#[test]
fn each_version_is_smaller_by_the_objective_of_the_run() {
    for (name, first) in [
        ("tokens", 37),
        ("bytes", 96),
        ("lines", 7),
        ("count((call_expression))", 4),
    ] {
        let sizes = accepted_sizes(name);
        assert_eq!(sizes[0].primary(), first, "{name}");
        assert!(sizes.len() > 1, "{name}: something is accepted");
        assert!(
            sizes.windows(2).all(|pair| pair[1] < pair[0]),
            "{name}: {sizes:?}"
        );
    }
}

#[test]
fn a_run_stops_at_a_size_in_the_units_of_its_objective() {
    let runner = oracle(|text| verdict(text.contains("needed")));
    let until = EngineCommand::parse_line("until size 4").expect("a command");
    let run = reduce::start_run(RunSetup {
        script: vec![(ScriptTrigger::Start, until)],
        ..setup(program_for("lines"), runner)
    });
    let run = run.expect("a run");
    // The board may show a version of before.
    let until_pause = run
        .events
        .iter()
        .take_while(|event| !matches!(event, RunEvent::Paused { .. }));
    let sizes = until_pause.filter_map(|event| match event {
        RunEvent::Accepted { size, .. } => Some(size.primary()),
        _ => None,
    });
    let lines = sizes.last().expect("a smaller version");
    assert!(lines < 4, "{lines}");
    run.commands.send(EngineCommand::Stop).expect("it listens");
    run.wait_for_end().expect("a snapshot");
}
