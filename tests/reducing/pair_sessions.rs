//! Sessions of pairs: (a run of a seed and a variant, where it is cut, how it goes on).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::language;
use lop::oracle::ScriptedRunner;
use lop::pass::{PAIR_STRATEGIES, PassOptions};
use lop::program::pair::PairSizes;
use lop::program::{self, PAIR_OBJECTIVE, Version};
use lop::reduce::{self, EngineCommand, RunEvent, RunSetup, RunSnapshot, ScriptTrigger};
use lop::session::history::SessionHistory;
use lop::session::journal::{HeaderFile, HeaderLimit, JournalFile, JournalHeader};

use crate::common::{setup, verdict};

const SEED: &str = include_str!("../samples/small.c");
const VARIANT: &str = include_str!("../samples/small-variant.c");
const NAMES: [&str; 2] = ["seed.c", "variant.c"];

/// The two properties.
fn is_interesting(texts: [&str; 2]) -> bool {
    let [seed, variant] = texts;
    let works = seed.contains("handler") && seed.contains("sum") && !seed.contains("broken");
    works && variant.contains("handler") && variant.contains("broken")
}

fn read_pair() -> Version {
    let source = |at: usize| {
        let path = Arc::from(Path::new(NAMES[at]));
        let text = Arc::from([SEED, VARIANT][at].as_bytes());
        (language::by_name("c"), path, text)
    };
    program::read_pair(source(0), source(1)).expect("a pair")
}

/// A directory with a journal in it.
struct Desk {
    dir: tempfile::TempDir,
}

/// How a run went.
struct Went {
    tested: usize,
    last: Arc<RunSnapshot>,
    events: Vec<RunEvent>,
}

impl Went {
    /// All versions: their numbers, what made them, and their texts.
    fn versions(&self) -> Vec<(u64, String, [String; 2])> {
        let past = self.last.history.iter();
        past.map(|past| (past.number, past.sentence.to_string(), texts(&past.version)))
            .collect()
    }
}

fn texts(version: &Version) -> [String; 2] {
    let mut files = version.render_files().into_iter();
    [(); 2].map(|()| {
        let (_, text) = files.next().expect("two documents");
        String::from_utf8(text).expect("UTF-8")
    })
}

impl Desk {
    fn new() -> Desk {
        Desk {
            dir: tempfile::tempdir().expect("a directory"),
        }
    }

    fn journal(&self) -> PathBuf {
        self.dir.path().join("journal.jsonl")
    }

    fn story(&self) -> SessionHistory {
        SessionHistory::read_from(&self.journal()).expect("a story")
    }

    fn run(&self, journal: JournalFile, setup_of: RunSetup, stop: Option<u64>) -> Went {
        let runner = ScriptedRunner::new(|files| {
            let text = |at: usize| std::str::from_utf8(&files[at].1).expect("UTF-8");
            verdict(is_interesting([text(0), text(1)]))
        });
        let script = runner.script_handle();
        let stop = stop.map(|at| (ScriptTrigger::Decision(at), EngineCommand::Stop));
        let run = reduce::start_run(RunSetup {
            journal: Box::new(journal),
            runner: Box::new(runner),
            options: PassOptions::from_strategy(&PAIR_STRATEGIES[0]),
            script: stop.into_iter().collect(),
            ..setup_of
        });
        let run = run.expect("a run");
        let events: Vec<RunEvent> = run.events.iter().collect();
        let last = run.wait_for_end().expect("a snapshot");
        let tested = script.submitted_jobs().len();
        Went {
            tested,
            last,
            events,
        }
    }

    fn fresh(&self, jobs: usize, stop: Option<u64>) -> Went {
        let files = [SEED, VARIANT].into_iter().zip(NAMES);
        let files =
            files.map(|(text, name)| HeaderFile::new(Path::new(name), Some("c"), text.as_bytes()));
        let limit = HeaderLimit::Fixed(60_000_000_000);
        let strategy = &PAIR_STRATEGIES[0];
        let header = JournalHeader {
            objective: Some(PAIR_OBJECTIVE.into()),
            ..JournalHeader::new(files.collect(), strategy.name, strategy.minimizer, limit)
        };
        let journal = JournalFile::create(&self.journal(), &header).expect("a journal");
        self.run(journal, setup_with(jobs), stop)
    }

    /// Goes on with what the journal says.
    fn resume(&self, jobs: usize, differs: Option<&str>) -> Went {
        let story = self.story();
        let journal =
            JournalFile::open_to_append(&self.journal(), &story.journal).expect("a journal");
        let setup_of = RunSetup {
            resume: Some(story.build_resume(differs.map(str::to_owned))),
            store: Some(Arc::new(story.current_verdicts())),
            ..setup_with(jobs)
        };
        let journal = journal.with_fingerprint(story.last_fingerprint().1);
        self.run(journal, setup_of, None)
    }
}

fn setup_with(jobs: usize) -> RunSetup {
    let nobody = ScriptedRunner::new(|_| verdict(false));
    RunSetup {
        jobs,
        ..setup(read_pair(), nobody)
    }
}

#[test]
#[ignore = "long"]
fn a_pair_that_was_stopped_anywhere_goes_on_as_if_it_had_not_been() {
    let whole = Desk::new().fresh(1, None);
    let decisions = whole.last.counts.decisions;
    assert!(decisions > 40, "{decisions}");
    for (stop, jobs) in (1..=decisions)
        .step_by(8)
        .zip([1, 2, 8].into_iter().cycle())
    {
        let desk = Desk::new();
        let first = desk.fresh(jobs, Some(stop));
        let rest = desk.resume(jobs, None);
        assert_eq!(rest.versions(), whole.versions(), "stopped before {stop}");
        assert_eq!(rest.last.counts.decisions, decisions);
        if jobs == 1 {
            let tested = first.tested + rest.tested;
            assert_eq!(tested, whole.tested, "nothing is tested twice");
        }
    }
}

#[test]
#[ignore = "long"]
fn a_pair_goes_on_from_any_torn_journal_to_the_same_end() {
    let desk = Desk::new();
    let whole = desk.fresh(1, None);
    let bytes = fs::read(desk.journal()).expect("a journal");
    let header = bytes.iter().position(|byte| *byte == b'\n').expect("lines");
    for length in (header + 1..bytes.len()).step_by(1511) {
        fs::write(desk.journal(), &bytes[..length]).expect("written");
        let kept = desk.story().versions.kept;
        let there = desk.story().versions.document_texts(kept);
        let known = &whole.versions()[kept as usize].2;
        let known = known.each_ref().map(|text| Some(text.as_bytes().into()));
        assert_eq!(
            there,
            Some(known.to_vec()),
            "both programs of version {kept}"
        );
        let rest = desk.resume(2, None);
        assert_eq!(
            rest.versions(),
            whole.versions(),
            "cut after {length} bytes"
        );
    }
}

#[test]
fn where_the_dialogue_differs_versions_come_back_as_pairs() {
    let desk = Desk::new();
    let first = desk.fresh(1, Some(20));
    let sizes = |version: &Version| PairSizes::of_version(version).expect("a pair");
    let rest = desk.resume(1, Some("the grammar has changed"));
    for (then, now) in first.last.history.iter().zip(rest.last.history.iter()) {
        assert_eq!(texts(&now.version), texts(&then.version));
        // Twins are found anew in the texts. A run finds more of them only when it parses again, so there may be fewer differences now.
        let (then, now) = (sizes(&then.version), sizes(&now.version));
        assert!(now.difference <= then.difference, "{now:?} of {then:?}");
    }
    let said = rest.events.iter().any(|event| {
        matches!(event, RunEvent::Note(note) if note.starts_with("the grammar has changed; the run continues from version"))
    });
    assert!(said);
    let [seed, variant] = texts(&rest.last.version);
    assert!(is_interesting([&seed, &variant]), "{seed}\n{variant}");
    let whole = Desk::new().fresh(1, None);
    assert_eq!(
        sizes(&rest.last.version).difference,
        sizes(&whole.last.version).difference
    );
}

#[test]
fn the_journal_names_the_difference_of_each_version() {
    let desk = Desk::new();
    let went = desk.fresh(1, None);
    let story = desk.story();
    assert!(story.header.is_pair());
    assert_eq!(
        story.document_names(),
        ["the seed seed.c", "the variant variant.c"]
    );
    for past in went.last.history.iter().skip(1) {
        let saved = story.versions.get(past.number).expect("a version");
        assert_eq!(saved.difference, Some(past.version.size().primary()));
    }
}
