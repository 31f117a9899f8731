//! Sessions: the contents of a journal, and what can be read of it if it is cut or damaged.

mod end;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::common::detours::{SUM, takes_difference, takes_sums, unfolding};
use crate::common::{oracle, read, setup, text, verdict};
use lop::pass::{self, PassOptions, ScheduleKind, Strategy};
use lop::program::{FileText, walk};
use lop::reduce::{
    self, EngineCommand, FinishReason, RunAudience, RunEvent, RunSetup, RunSnapshot, RunState,
    VerdictStore,
};
use lop::session::history::SessionHistory;
use lop::session::journal::{HeaderFile, HeaderLimit, JournalError, JournalFile, JournalHeader};
use lop::session::replay::JournalRecording;
use proptest::prelude::*;

const PROGRAM: &str = include_str!("../samples/small.c");

fn says(text: &str) -> bool {
    text.contains("sum") && text.contains("handler") && text.contains("walk")
}

/// A directory with a journal in it, and the run that the journal is of.
struct Desk {
    dir: tempfile::TempDir,
    program: &'static str,
    says: fn(&str) -> bool,
    options: PassOptions,
}

/// How a run went.
struct Went {
    text: String,
    tested: usize,
    last: Arc<RunSnapshot>,
    events: Vec<RunEvent>,
}

impl Desk {
    fn new() -> Desk {
        Desk::with_options(PassOptions::default())
    }

    fn with_options(options: PassOptions) -> Desk {
        Desk {
            options,
            ..Desk::with_run(PROGRAM, says, &pass::STRATEGIES[0])
        }
    }

    fn with_run(
        program: &'static str,
        says: fn(&str) -> bool,
        strategy: &'static Strategy,
    ) -> Desk {
        Desk {
            dir: tempfile::tempdir().expect("a directory"),
            program,
            says,
            options: PassOptions::from_strategy(strategy),
        }
    }

    fn journal(&self) -> PathBuf {
        self.dir.path().join("journal.jsonl")
    }

    fn begin(&self) -> JournalFile {
        let file = HeaderFile::new(Path::new("a.c"), Some("c"), self.program.as_bytes());
        let header = JournalHeader::new(
            vec![file],
            self.options.strategy.name,
            self.options.minimizer.name,
            HeaderLimit::Fixed(60_000_000_000),
        );
        JournalFile::create(&self.journal(), &header).expect("a journal")
    }

    fn story(&self) -> SessionHistory {
        SessionHistory::read_from(&self.journal()).expect("a story")
    }

    /// A run with this journal; it is stopped after this number of decisions.
    fn run(&self, setup_of: RunSetup, commands: &str, stop: Option<u64>) -> Went {
        let mut script = reduce::parse_script(commands).expect("a script");
        script.extend(stop.map(|at| (reduce::ScriptTrigger::Decision(at), EngineCommand::Stop)));
        let run = reduce::start_run(RunSetup { script, ..setup_of }).expect("a run");
        let events: Vec<RunEvent> = run.events.iter().collect();
        let last = run.wait_for_end().expect("a snapshot");
        Went {
            text: text(&last.version),
            tested: 0,
            last,
            events,
        }
    }

    fn fresh(&self, commands: &str, stop: Option<u64>) -> Went {
        let (setup, tested) = self.tester(self.begin());
        let mut went = self.run(setup, commands, stop);
        went.tested = tested();
        went
    }

    /// Goes on with what the journal says.
    fn resume(&self, commands: &str, differs: Option<&str>) -> Went {
        self.resume_until(commands, differs, None)
    }

    /// The same, stopped after this number of decisions.
    fn resume_until(&self, commands: &str, differs: Option<&str>, stop: Option<u64>) -> Went {
        let story = self.story();
        let journal =
            JournalFile::open_to_append(&self.journal(), &story.journal).expect("a journal");
        let (setup, tested) = self.tester(journal.with_fingerprint(story.last_fingerprint().1));
        let store = Arc::new(story.current_verdicts()) as Arc<dyn VerdictStore>;
        let setup = RunSetup {
            resume: Some(story.build_resume(differs.map(str::to_owned))),
            store: Some(store),
            ..setup
        };
        let mut went = self.run(setup, commands, stop);
        went.tested = tested();
        went
    }

    /// A run of the program with this journal, and how many tests it ran.
    fn tester(&self, journal: JournalFile) -> (RunSetup, impl Fn() -> usize + use<>) {
        let says = self.says;
        let runner = oracle(move |text| verdict(says(text)));
        let script = runner.script_handle();
        let setup = RunSetup {
            journal: Box::new(journal),
            options: self.options,
            ..setup(read("a.c", self.program), runner)
        };
        (setup, move || script.submitted_jobs().len())
    }
}

/// All that must be the same of two runs.
fn state(went: &Went) -> impl PartialEq + std::fmt::Debug + use<> {
    let last = &went.last;
    let counts = reduce::RunCounts {
        started: 0,
        from_store: 0,
        from_journal: 0,
        ..last.counts
    };
    let history: Vec<_> = last
        .history
        .iter()
        .map(|past| {
            let text = walk::render_text(&past.version.documents()[0].root);
            (
                past.number,
                past.parent,
                past.decision,
                past.pass,
                past.sentence.to_string(),
                text,
            )
        })
        .collect();
    let passes: Vec<_> = last
        .passes
        .iter()
        .map(|line| {
            (
                line.name,
                line.state,
                line.tried,
                line.accepted,
                line.tokens,
                line.time,
            )
        })
        .collect();
    (
        went.text.clone(),
        counts,
        history,
        passes,
        last.state.clone(),
    )
}

#[test]
#[ignore = "long"]
fn a_run_that_was_stopped_anywhere_goes_on_as_if_it_had_not_been() {
    stopped_anywhere(PassOptions::default(), 1);
}

#[test]
#[ignore = "long"]
fn so_does_a_run_in_which_types_go() {
    const TYPES: &str = "typedef short word;\nstatic word g;\nword f(int a) { int b = a; return b + g; }\nint h() { return f(1); }\n";
    fn says(text: &str) -> bool {
        ["f(", "return", "typedef"]
            .iter()
            .all(|word| text.contains(word))
    }
    let desk = || Desk {
        options: PassOptions::default(),
        ..Desk::with_run(TYPES, says, &pass::STRATEGIES[0])
    };
    let whole = desk().fresh("", None);
    assert!(!whole.text.contains("int"), "{}", whole.text);
    for stop in (1..=whole.last.counts.decisions).step_by(3) {
        let desk = desk();
        let first = desk.fresh("", Some(stop));
        let rest = desk.resume("", None);
        assert_went_on(&first, &rest, &whole, stop);
    }
}

#[test]
fn so_does_a_run_by_the_smart_schedule() {
    let perses = pass::find_strategy("perses").expect("known");
    let schedule = ScheduleKind::Smart;
    stopped_anywhere(
        PassOptions {
            schedule,
            ..PassOptions::from_strategy(perses)
        },
        5,
    );
}

/// A run that was stopped before this decision and resumed ends as one that was not.
#[track_caller]
fn assert_went_on(first: &Went, rest: &Went, whole: &Went, stop: u64) {
    assert_eq!(state(rest), state(whole), "stopped before decision {stop}");
    assert_eq!(
        first.tested + rest.tested,
        whole.tested,
        "nothing is tested twice: stopped before decision {stop}"
    );
}

/// Stops a run before each decision, or every so many, and resumes it.
fn stopped_anywhere(options: PassOptions, every: usize) {
    let desk = || Desk::with_options(options);
    let whole = desk().fresh("", None);
    assert_eq!(whole.last.state, RunState::Finished(FinishReason::Complete));
    let decisions = whole.last.counts.decisions;
    for stop in (1..=decisions).step_by(every) {
        let desk = desk();
        let first = desk.fresh("", Some(stop));
        assert_eq!(first.last.counts.decisions, stop - 1);
        let rest = desk.resume("", None);
        assert_went_on(&first, &rest, &whole, stop);
        assert_eq!(
            rest.last.counts.from_journal, first.last.counts.tests,
            "and what an earlier process tested is known"
        );
        assert!(desk.story().journal.damage_note().is_none());
    }
}

#[test]
fn a_resumed_run_says_where_it_stands_before_its_first_pass() {
    let desk = Desk::new();
    desk.fresh("", Some(20));
    let events = desk.resume("", None).events;
    let mut news = events.iter().filter(|event| {
        matches!(
            event,
            RunEvent::VersionSwitched { .. } | RunEvent::PassStarted { .. }
        )
    });
    let first = news.next();
    assert!(
        matches!(first, Some(RunEvent::VersionSwitched { version, .. }) if *version > 0),
        "{first:?}"
    );
    assert!(matches!(news.next(), Some(RunEvent::PassStarted { .. })));
}

const COMMANDS: &str = "pin handler\nat decision 4: undo ban\nat decision 8: disable bodies\nat decision 12: goto 2\nat decision 20: edit! \"int sum; int walk; int handler; int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z; int more[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};\"";

#[test]
#[ignore = "long"]
fn commands_undo_branches_and_detours_come_back() {
    let whole = Desk::new().fresh(COMMANDS, None);
    let decisions = whole.last.counts.decisions;
    assert!(decisions > 25, "{decisions}");
    for stop in (1..=decisions).step_by(3) {
        let desk = Desk::new();
        desk.fresh(COMMANDS, Some(stop));
        let story = desk.story();
        let mut obeyed = Vec::new();
        for line in &story.journal.lines {
            if let lop::session::journal::JournalLine::Command { command, .. } = line {
                obeyed.push(command.clone());
            }
        }
        // The rest of the script is passed again; a real session has it in its header.
        let left = COMMANDS.lines().filter(|line| {
            let command = line.split_once(": ").map_or(*line, |(_, command)| command);
            !obeyed.iter().any(|done| done == command)
        });
        let left: Vec<&str> = left.collect();
        let rest = desk.resume(&left.join("\n"), None);
        assert_eq!(
            state(&rest),
            state(&whole),
            "stopped before decision {stop}"
        );
        let constraints =
            |went: &Went| format!("{:?}", went.last.constraints.iter().collect::<Vec<_>>());
        assert_eq!(constraints(&rest), constraints(&whole));
    }
}

#[test]
#[ignore = "long"]
fn a_run_that_was_stopped_inside_a_detour_of_a_pass_comes_to_the_same_end() {
    for says in [takes_difference, takes_sums] {
        let desk = || Desk::with_run(SUM, says, unfolding(400));
        let whole = desk().fresh("", None);
        let decisions = whole.last.counts.decisions;
        let mut inside = 0;
        for stop in 1..=decisions {
            let desk = desk();
            let first = desk.fresh("", Some(stop));
            // What is on the disk is no version of a detour that is not over.
            let kept = desk.story().versions.kept;
            assert_eq!(kept, first.last.detour_base.unwrap_or(first.last.number));
            let rest = desk.resume("", None);
            assert_went_on(&first, &rest, &whole, stop);
            inside += usize::from(first.last.detour_base.is_some());
        }
        assert!(inside > 0, "it was never stopped inside");
        // Of a detour that counts, all versions are versions of the run.
        let desk = desk();
        let went = desk.fresh("", None);
        let dropped = |(number, in_detour): (u64, bool)| in_detour.then_some(number);
        let saved = desk.story();
        let saved = saved.versions.all_versions();
        let saved: Vec<u64> = saved
            .filter_map(|saved| dropped((saved.number, saved.in_detour)))
            .collect();
        let shown = went.last.history.iter();
        let shown: Vec<u64> = shown
            .filter_map(|past| dropped((past.number, past.in_detour)))
            .collect();
        assert_eq!(saved, shown);
    }
}

#[test]
fn where_the_dialogue_differs_versions_and_pins_come_back_all_the_same() {
    let desk = Desk::new();
    let first = desk.fresh("pin main", Some(9));
    let rest = desk.resume("", Some("the grammar has changed"));
    let kept = |went: &Went| -> Vec<String> {
        let all = went.last.history.iter().take(first.last.history.len());
        all.map(|past| text(&past.version)).collect()
    };
    assert_eq!(kept(&rest), kept(&first));
    assert_eq!(rest.last.state, RunState::Finished(FinishReason::Complete));
    assert!(
        rest.text.contains("main") && says(&rest.text),
        "{}",
        rest.text
    );
    let said = rest.events.iter().any(
        |event| matches!(event, RunEvent::Note(note) if note.starts_with("the grammar has changed; the run continues from version")),
    );
    assert!(said);
}

#[test]
#[ignore = "long"]
fn where_the_dialogue_differs_nothing_of_an_unfinished_detour_counts() {
    let mut inside = 0;
    for stop in 1.. {
        let desk = Desk::with_run(SUM, takes_sums, unfolding(400));
        let first = desk.fresh("", Some(stop));
        if first.last.state == RunState::Finished(FinishReason::Complete) {
            break;
        }
        let Some(base) = first.last.detour_base else {
            continue;
        };
        inside += 1;
        let rest = desk.resume("", Some("the grammar has changed"));
        let restored = rest.events.iter().find_map(|event| match event {
            RunEvent::VersionSwitched { version, .. } => Some(*version),
            _ => None,
        });
        assert_eq!(restored, Some(base), "stopped before decision {stop}");
        let past = &rest.last.history[base as usize + 1];
        assert!(past.in_detour, "{past:?}");
        assert_eq!(text(&rest.last.history[base as usize].version), rest.text);
    }
    assert!(inside > 0, "it was never stopped inside");
    // A detour that counted before counts.
    let desk = Desk::with_run(SUM, takes_difference, unfolding(400));
    let whole = desk.fresh("", None);
    let rest = desk.resume("", Some("the grammar has changed"));
    assert_eq!(rest.text, whole.text);
    assert!(rest.last.history.iter().all(|past| !past.in_detour));
}

#[test]
#[ignore = "long"]
fn a_session_that_went_on_in_another_way_is_exact_again_from_there() {
    let began = Desk::new();
    began.fresh("pin main\nat decision 5: undo ban", Some(9));
    let begun = fs::read(began.journal()).expect("a journal");
    let why = Some("the grammar has changed");
    let whole = began.resume("", why);
    let decisions = whole.last.counts.decisions;
    assert!(decisions > 10, "{decisions}");
    for stop in (1..=decisions).step_by(2) {
        let desk = Desk::new();
        fs::write(desk.journal(), &begun).expect("written");
        let first = desk.resume_until("", why, Some(stop));
        let rest = desk.resume("", None);
        assert_went_on(&first, &rest, &whole, stop);
    }
    // And once more in another way, and again from there.
    let desk = Desk::new();
    fs::write(desk.journal(), &begun).expect("written");
    desk.resume_until("", why, Some(6));
    desk.resume_until("", Some("lop has changed"), Some(4));
    let both = fs::read(desk.journal()).expect("a journal");
    let whole = desk.resume("", None);
    fs::write(desk.journal(), &both).expect("written");
    desk.resume_until("", None, Some(7));
    let rest = desk.resume("", None);
    assert_eq!(state(&rest), state(&whole));
}

/// The state of a run that has reported a pause; the next command ends it.
fn stands(run: reduce::RunHandle) -> (u64, RunState) {
    let bell = run.board.subscribe_updates();
    let stands = loop {
        let newest = run.board.newest_snapshot();
        let newest = newest.filter(|newest| newest.state.is_suspended());
        if let Some(newest) = newest {
            break (newest.counts.decisions, newest.state.clone());
        }
        bell.recv().expect("it comes to a stand");
    };
    run.commands.send(EngineCommand::Stop).expect("it listens");
    run.wait_for_end();
    stands
}

#[test]
fn breakpoints_and_a_pause_come_back() {
    let script = "break size 60\nat decision 6: break pass bodies";
    let whole = Desk::new();
    let (setup, _) = whole.tester(whole.begin());
    let setup = RunSetup {
        audience: RunAudience::resident(),
        script: reduce::parse_script(script).expect("a script"),
        ..setup
    };
    let (decisions, state) = stands(reduce::start_run(setup).expect("a run"));
    assert!(matches!(&state, RunState::Paused(Some(_))), "{state:?}");
    assert!(decisions > 3, "{decisions}");
    let again = |desk: &Desk| {
        let story = desk.story();
        let journal =
            JournalFile::open_to_append(&desk.journal(), &story.journal).expect("a journal");
        let (setup, _) = desk.tester(journal);
        let resume = Some(story.build_resume(None));
        let setup = RunSetup {
            audience: RunAudience::resident(),
            resume,
            ..setup
        };
        reduce::start_run(setup).expect("a run")
    };
    // It was paused, and is.
    assert_eq!(stands(again(&whole)), (decisions, state.clone()));
    // Cut off before it came to the breakpoint, it comes to it.
    for stop in 1..=decisions {
        let desk = Desk::new();
        desk.fresh("break size 60", Some(stop));
        assert_eq!(stands(again(&desk)), (decisions, state.clone()));
    }
}

#[test]
fn another_dialogue_is_noticed_and_nothing_is_lost_by_it() {
    let desk = Desk::new();
    let first = desk.fresh("", Some(12));
    // The journal of a lop that asked something else at decision 7.
    let story = desk.story();
    let mut resume = story.build_resume(None);
    for was in &mut resume.events {
        if let reduce::RecordedEvent::Decided { hash, at, .. } = was
            && at.as_nanos() > 0
        {
            *hash = hash.followed_by(*hash, 7);
            break;
        }
    }
    let journal = JournalFile::open_to_append(&desk.journal(), &story.journal).expect("a journal");
    let (setup, _) = desk.tester(journal);
    let rest = desk.run(
        RunSetup {
            resume: Some(resume),
            ..setup
        },
        "",
        None,
    );
    assert!(rest.last.history.len() >= first.last.history.len());
    assert!(says(&rest.text));
    let noticed = |event: &RunEvent| matches!(event, RunEvent::Note(note) if note.contains("the dialogue differs"));
    assert!(rest.events.iter().any(noticed), "{:?}", rest.last.notes);
}

/// The texts of the versions of a session, by their numbers.
type VersionTexts = BTreeMap<u64, Vec<FileText>>;

/// The texts of all versions that can be made.
fn versions(story: &SessionHistory) -> VersionTexts {
    let all = story.versions.all_versions();
    let texts =
        all.filter_map(|saved| Some((saved.number, story.versions.document_texts(saved.number)?)));
    texts.collect()
}

#[test]
#[ignore = "long"]
fn a_journal_that_was_cut_anywhere_gives_the_versions_that_it_has() {
    let desk = Desk::new();
    desk.fresh("break size 1", Some(8));
    desk.resume_until("", Some("the test has changed"), Some(4));
    let bytes = fs::read(desk.journal()).expect("a journal");
    let whole = versions(&desk.story());
    let header = bytes.iter().position(|byte| *byte == b'\n').expect("lines");
    for length in 0..bytes.len() {
        fs::write(desk.journal(), &bytes[..length]).expect("written");
        match SessionHistory::read_from(&desk.journal()) {
            Err(JournalError::NoHeader { .. }) => assert!(length <= header),
            Err(error) => panic!("{length}: {error}"),
            Ok(story) => {
                assert!(!story.journal.is_damaged());
                let torn = bytes[length - 1] != b'\n';
                assert_eq!(story.journal.damage_note().is_some(), torn);
                for (number, text) in versions(&story) {
                    assert_eq!(Some(&text), whole.get(&number));
                }
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn a_run_goes_on_from_any_torn_journal_to_the_same_end() {
    let desk = Desk::new();
    let whole = desk.fresh("", None);
    let bytes = fs::read(desk.journal()).expect("a journal");
    let header = bytes.iter().position(|byte| *byte == b'\n').expect("lines");
    for length in (header + 1..bytes.len()).step_by(61) {
        fs::write(desk.journal(), &bytes[..length]).expect("written");
        let rest = desk.resume("", None);
        assert_eq!(rest.text, whole.text, "cut after {length} bytes");
        let story = desk.story();
        assert!(
            story.journal.damage_note().is_none(),
            "what is appended can be read"
        );
        assert_eq!(
            story.versions.document_texts(story.versions.kept),
            Some(vec![Some(whole.text.clone().into_bytes().into())])
        );
    }
}

/// A journal of a run that was stopped, went on with another test and was stopped again; and its versions.
static SOUND_JOURNAL: LazyLock<(Vec<u8>, VersionTexts)> = LazyLock::new(|| {
    let desk = Desk::new();
    desk.fresh("break size 1", Some(16));
    desk.resume_until("", Some("the test has changed"), Some(6));
    let bytes = fs::read(desk.journal()).expect("a journal");
    (bytes, versions(&desk.story()))
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    #[ignore = "long"]
    fn damage_never_makes_a_wrong_program(places in prop::collection::vec((0.0..1.0f64, 1..=255u8), 1..4)) {
        let (sound, whole) = &*SOUND_JOURNAL;
        let mut bytes = sound.clone();
        let desk = Desk::new();
        for (place, flip) in places {
            let at = (place * bytes.len() as f64) as usize;
            bytes[at] ^= flip;
        }
        fs::write(desk.journal(), &bytes).expect("written");
        if let Ok(story) = SessionHistory::read_from(&desk.journal()) {
            prop_assert!(story.journal.damage_note().is_some());
            for (number, text) in versions(&story) {
                prop_assert_eq!(Some(&text), whole.get(&number));
            }
            let rest = desk.resume("", None);
            prop_assert!(says(&rest.text));
        }
    }
}

#[test]
fn a_replay_that_goes_another_way_is_found_out() {
    let desk = Desk::new();
    desk.fresh("", None);
    let difference = |options| {
        let recording = JournalRecording::read_from(&desk.journal()).expect("a recording");
        let (runner, journal, comparison) = recording.into_replay();
        let setup = RunSetup {
            journal: Box::new(journal),
            audience: RunAudience::default(),
            options,
            ..setup(read("a.c", PROGRAM), runner)
        };
        desk.run(setup, "", None);
        comparison.first_difference()
    };
    assert_eq!(difference(PassOptions::default()), None);
    let perses = PassOptions::from_strategy(pass::find_strategy("perses").expect("known"));
    let said = difference(perses).expect("it asks other questions");
    assert!(said.starts_with("recorded Decided("), "{said}");
}

#[test]
fn a_journal_of_format_2_is_resumed_and_is_one_of_format_3_then() {
    const OLD: &str = include_str!("../samples/journal-format-2.jsonl");
    let desk = Desk::new();
    fs::write(desk.journal(), OLD).expect("written");
    let story = desk.story();
    assert_eq!(story.journal.lost_lines, 0);

    let journal = JournalFile::open_to_append(&desk.journal(), &story.journal).expect("a journal");
    let runner = oracle(|text| verdict(text.contains("stay") && text.contains("bug")));
    let setup_of = RunSetup {
        journal: Box::new(journal),
        resume: Some(story.build_resume(None)),
        ..setup(
            read("bug.c", "int a;\nint b;\nint stay;\nint bug;\n"),
            runner,
        )
    };
    let went = desk.run(setup_of, "", None);
    assert_eq!(went.text, "int stay;\nint bug;\n");
    assert_eq!(went.last.counts.decisions, 8);

    let text = fs::read_to_string(desk.journal()).expect("a journal");
    let now = desk.story().journal;
    assert_eq!((now.header.format, now.lost_lines), (3, 0));
    for old in ["fact", "ending", "boring", "take", "refused"] {
        assert!(!text.contains(&format!("\"{old}\"")), "{old}: {text}");
    }
}

#[test]
fn a_journal_of_another_format_says_what_to_do() {
    let desk = Desk::new();
    drop(desk.begin());
    let text = fs::read_to_string(desk.journal()).expect("a journal");
    let said = |format: &str| {
        fs::write(desk.journal(), text.replace("\"format\":3", format)).expect("written");
        let error = SessionHistory::read_from(&desk.journal())
            .err()
            .expect("an error");
        error.to_string()
    };
    assert!(said("\"format\":4").ends_with("use that lop, or a newer one"));
    assert!(said("\"format\":1").ends_with("reduce the result of that run anew"));
}
