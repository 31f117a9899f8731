//! A whole reduction with a test whose verdict depends on the bytes alone.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lop::language::Language;
use lop::language::parser::ParseLimit;
use lop::oracle::{
    LimitPolicy, ScriptedRunner, TestExit, TestOutcome, TestOutput, TestRun, Verdict,
};
use lop::pass::{self, PassOptions};
use lop::program::{self, Version, walk};
use lop::reduce::{self, RunAudience, RunSetup};

/// A run ends after this number of candidates.
const MOST: u64 = 400;

/// A text in a language; none if the parser gives up.
pub fn read(language: Option<&'static Language>, text: &[u8]) -> Option<Version> {
    let path: Arc<Path> = Path::new("a.txt").into();
    program::read_documents(vec![(language, path, text.into())]).ok()
}

/// The text of a version.
pub fn text(version: &Version) -> Vec<u8> {
    walk::render_text(&version.documents()[0].root)
}

pub fn hash(text: &[u8], salt: u64) -> u64 {
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.iter().fold(salt ^ 0xcbf2_9ce4_8422_2325, fold) >> 20
}

/// A test that ended.
pub fn outcome(interesting: bool) -> TestOutcome {
    let run = TestRun {
        exit: TestExit::Code(i32::from(!interesting)),
        time: Duration::from_millis(1),
        cpu: None,
        output: TestOutput::from_text(String::new()),
    };
    match interesting {
        true => TestOutcome::Verdict(Verdict::Interesting, run),
        false => TestOutcome::Verdict(Verdict::Uninteresting, run),
    }
}

/// How a run starts.
pub fn setup(version: Version, runner: ScriptedRunner, jobs: usize) -> RunSetup {
    RunSetup {
        audience: RunAudience::resident(),
        jobs,
        script: reduce::parse_script(&format!("at decision {MOST}: stop")).expect("a script"),
        ..RunSetup::new(version, runner, LimitPolicy::fixed(Duration::from_secs(60)))
    }
}

/// All that must be the same of two runs: what was asked, what was decided, and the versions.
#[derive(Debug, PartialEq)]
pub struct Went {
    decisions: u64,
    tests: u64,
    versions: Vec<Vec<u8>>,
}

/// Reduces with the default strategy, or by Perses, whose candidates of a clean program are clean; about every `yes`-th question is answered
/// with yes.
pub fn reduce(version: Version, (salt, yes): (u64, u64), jobs: usize) -> Went {
    let perses = salt.is_multiple_of(2);
    let faults: Vec<_> = version
        .parse_trees()
        .iter()
        .map(|tree| tree.as_ref().map(|tree| tree.count_faults()))
        .collect();
    let language = version.documents()[0].language;
    let runner = ScriptedRunner::new(move |files| {
        let text = &files[0].1;
        // How many errors a faulty program has hangs on how the parser came to it.
        if let (true, Some(language), Some(0)) = (perses, language, faults[0]) {
            let limit = ParseLimit::for_length(text.len());
            let tree = language
                .new_parser()
                .parse(&language.mask_text(text), None, limit);
            assert!(
                tree.is_ok_and(|tree| tree.count_faults() == 0),
                "a candidate has errors: {:?}",
                String::from_utf8_lossy(text)
            );
        }
        outcome(hash(text, salt).is_multiple_of(yes))
    });
    let mut setup = setup(version, runner, jobs);
    if perses {
        setup.options =
            PassOptions::from_strategy(pass::find_strategy("perses").expect("a strategy"));
    }
    let run = reduce::start_run(setup).expect("a run");
    run.events.iter().for_each(drop);
    let last = run.wait_for_end().expect("a snapshot");
    Went {
        decisions: last.counts.decisions,
        tests: last.counts.tests,
        versions: last
            .history
            .iter()
            .map(|past| text(&past.version))
            .collect(),
    }
}
