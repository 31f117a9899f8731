//! The replay of a recorded run: its frames, the player, and `lop replay`.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{oracle, read, setup, verdict};
use crate::shell::Stage;
use crossbeam_channel::{Receiver, Sender, bounded};
use lop::program::{Version, walk};
use lop::protocol::AlgorithmPicture;
use lop::reduce::{
    self, AcceptedVersion, BreakCondition, CommandPosition, Decision, EngineCommand, FinishReason,
    Journal, JournalDecision, JournalResult, MinimalityClaim, NoJournal, PassLine, RunCounts,
    RunEvent, RunSetup, RunSnapshot, RunState, StepUnit, VersionRecord,
};
use lop::session::history::SessionHistory;
use lop::session::journal::{HeaderFile, HeaderLimit, JournalFile, JournalHeader};
use lop::session::player::{PlayPosition, PlayerCommand, ReplayPlayer};
use lop::session::seek::PlayDirection;
use lop::session::timeline::{NoTestRunner, ReplayTimeline, TimelineReader};
use rustix::process::Signal;

const PROGRAM: &str = include_str!("../samples/small.c");

fn says(text: &str) -> bool {
    text.contains("sum") && text.contains("handler") && text.contains("walk")
}

/// The story of a run of the program with these commands.
fn story(commands: &str) -> SessionHistory {
    story_of(commands, says)
}

/// The same with a test of its own.
fn story_of(commands: &str, says: fn(&str) -> bool) -> SessionHistory {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("journal.jsonl");
    let file = HeaderFile::new(Path::new("a.c"), Some("c"), PROGRAM.as_bytes());
    let limit = HeaderLimit::Fixed(60_000_000_000);
    let header = JournalHeader::new(vec![file], "lop", "galloping", limit);
    let journal = JournalFile::create(&path, &header).expect("a journal");
    let setup = RunSetup {
        journal: Box::new(journal),
        script: reduce::parse_script(commands).expect("a script"),
        ..setup(
            read("a.c", PROGRAM),
            oracle(move |text| verdict(says(text))),
        )
    };
    let run = reduce::start_run(setup).expect("a run");
    run.wait_for_end().expect("a snapshot");
    SessionHistory::read_from(&path).expect("a story")
}

/// Its moments, when all are read.
fn read_whole(story: &SessionHistory) -> TimelineReader {
    read_aside(story, u32::MAX)
}

/// The same with this number of tokens as the threshold for work in the background.
fn read_aside(story: &SessionHistory, aside: u32) -> TimelineReader {
    let again = RunSetup {
        background_threshold: aside,
        resume: Some(story.build_resume(None)),
        runner: Box::new(NoTestRunner::default()),
        ..setup(read("a.c", PROGRAM), oracle(|_| unreachable!("a test")))
    };
    let reading = TimelineReader::start_reading(again).expect("a thread");
    while reading.grown.recv().is_ok() {}
    reading
}

fn text(version: &Version) -> Vec<u8> {
    walk::render_text(&version.documents()[0].root)
}

#[test]
fn every_version_comes_again_without_a_test() {
    let story = story("at decision 9: undo ban\nat decision 12: pin main");
    let reading = read_whole(&story);
    let reel = reading.lock_timeline();
    let versions = story.versions.all_versions();
    for saved in versions {
        let at = reel.frame_of_version(saved.number).expect("a moment");
        let shown = reel.snapshot_at(at).expect("a state");
        assert_eq!(
            Some(vec![Some(text(&shown.version).into())]),
            story.versions.document_texts(saved.number)
        );
    }
    let last = reel.snapshot_at(reel.len() - 1).expect("the end");
    assert_eq!(last.state, RunState::Finished(FinishReason::Complete));
    assert_eq!(last.counts.decisions, story.decisions);
    assert_eq!(
        Some(last.claim.expect("a claim").to_string()),
        story.certificate
    );
    assert_eq!(last.last_command.0, 2);
}

#[test]
fn a_moment_knows_what_the_algorithm_did_although_no_recording_keeps_it() {
    let story = story("");
    // Once on the thread of the engine, once on one of its own.
    for aside in [u32::MAX, 0] {
        let reading = read_aside(&story, aside);
        let reel = reading.lock_timeline();
        let mut known = 0;
        for at in 0..reel.len() {
            let shown = reel.snapshot_at(at).expect("a state");
            let Some(trying) = shown.current_test else {
                continue;
            };
            if trying.why.pass != "heaviest first" {
                continue;
            }
            let state = trying.algorithm.expect("it is known");
            let AlgorithmPicture::Queue(queue) = &state.layers[0].picture else {
                panic!("a queue: {state:?}");
            };
            let node = shown.version.find_node(queue.at_hand);
            assert!(node.is_some(), "decision {}", trying.decision);
            known += 1;
        }
        assert!(known > 10, "{known}");
    }
}

#[test]
fn only_the_current_version_has_the_tree_of_the_parser() {
    let reading = read_whole(&story("at decision 9: undo ban\nat decision 12: pin main"));
    let reel = reading.lock_timeline();
    for at in 0..reel.len() {
        let shown = reel.snapshot_at(at).expect("a state");
        let has_tree = |version: &Version| version.parse_trees()[0].is_some();
        assert!(has_tree(&shown.version), "moment {at}");
        let mut history = shown.history.iter();
        assert!(!history.any(|past| has_tree(&past.version)), "moment {at}");
    }
}

#[test]
fn what_the_user_tried_in_a_long_program_comes_again() {
    let story = story("try delete 11");
    for _ in 0..8 {
        let reading = read_aside(&story, 0);
        let reel = reading.lock_timeline();
        let last = reel.snapshot_at(reel.len() - 1).expect("the end");
        assert_eq!(last.state, RunState::Finished(FinishReason::Complete));
        assert_eq!(last.counts.decisions, story.decisions);
    }
}

#[test]
#[ignore = "long"]
fn a_moment_that_is_kept_small_is_the_state_that_it_was() {
    let steered = story("at decision 9: undo ban\nat decision 30: skip pass");
    assert!(compared(&steered) > 40);
    // Hundreds of questions about one version.
    let in_vain = story_of("", |text| text == PROGRAM);
    assert!(compared(&in_vain) > 300);
}

/// Compares each moment of a story with the whole state; how many there are.
fn compared(story: &SessionHistory) -> usize {
    let whole: Arc<Mutex<Vec<RunSnapshot>>> = Arc::default();
    let mut resume = story.build_resume(None);
    let kept = whole.clone();
    resume.observer = Some(Box::new(move |state| {
        kept.lock().expect("ours").push(state)
    }));
    let setup = RunSetup {
        resume: Some(resume),
        ..setup(read("a.c", PROGRAM), oracle(|_| unreachable!("a test")))
    };
    reduce::start_run(setup).expect("a run").wait_for_end();
    let whole = std::mem::take(&mut *whole.lock().expect("ours"));
    let mut reel = ReplayTimeline::default();
    whole.iter().for_each(|state| reel.push(state.clone()));
    let same = |at: usize, was: &RunSnapshot| {
        let is = reel.snapshot_at(at).expect("a state");
        assert_eq!(is.counts, was.counts);
        assert_eq!(is.number, was.number);
        assert_eq!(is.passes, was.passes);
        assert_eq!(is.log.decisions(), was.log.decisions());
        let numbers = |state: &RunSnapshot| -> Vec<Decision> {
            state
                .decided
                .iter()
                .map(|decided| decided.decision)
                .collect()
        };
        assert_eq!(numbers(&is), numbers(was));
        assert_eq!(is.curve, was.curve);
        assert_eq!(text(&is.version), text(&was.version));
    };
    // The last state of its kind is the moment.
    let mut at = 0;
    for pair in whole.windows(2) {
        let key =
            |state: &RunSnapshot| (state.counts.decisions, state.number, state.last_command.0);
        if key(&pair[0]) != key(&pair[1]) {
            same(at, &pair[0]);
            at += 1;
        }
    }
    same(at, whole.last().expect("a state"));
    assert_eq!(at + 1, reel.len());
    let asked = reel
        .snapshot_at(3)
        .expect("a state")
        .current_test
        .expect("a question");
    let decided = reel.decision_at(4).expect("a decision");
    assert_eq!((asked.decision, &asked.edit), (4, &decided.edit));
    reel.len()
}

/// Where a player comes to with these moves.
fn after(reel: &ReplayTimeline, moves: &[PlayerCommand]) -> ReplayPlayer {
    let mut player = ReplayPlayer::new(0, 1.0, None);
    for wanted in moves {
        player.apply_command(wanted.clone(), reel, false);
    }
    player
}

#[test]
fn steps_go_forwards_and_backwards_through_the_same_moments() {
    let story = story("");
    let reading = read_whole(&story);
    let reel = reading.lock_timeline();
    let end = reel.len() - 1;
    let step = |way| PlayerCommand::Step(way, StepUnit::Question);
    let forwards = vec![step(PlayDirection::Forwards); end];
    assert_eq!(after(&reel, &forwards).frame_index(), end);
    let mut there_and_back = forwards;
    there_and_back.extend(vec![step(PlayDirection::Backwards); end]);
    assert_eq!(after(&reel, &there_and_back).frame_index(), 0);
    let more = after(&reel, &[step(PlayDirection::Backwards)]);
    assert_eq!(more.frame_index(), 0, "nothing is before the beginning");
    assert!(
        more.replay_state(&reel, false)
            .last_message
            .1
            .contains("not from here")
    );
    // Each step to a version ends at the first moment of it, each step back at the last of the one before.
    let version = |way| PlayerCommand::Step(way, StepUnit::Commit);
    let first = after(&reel, &[version(PlayDirection::Forwards)]);
    assert_eq!(reel.version_number(first.frame_index()), Some(1));
    assert_eq!(reel.version_number(first.frame_index() - 1), Some(0));
    let back = after(
        &reel,
        &[
            PlayerCommand::JumpTo(PlayPosition::Version(3)),
            version(PlayDirection::Backwards),
        ],
    );
    assert_eq!(reel.version_number(back.frame_index()), Some(2));
    assert_eq!(reel.version_number(back.frame_index() + 1), Some(3));
    assert_eq!(
        after(&reel, &[PlayerCommand::JumpTo(PlayPosition::End)]).frame_index(),
        end
    );
    assert_eq!(
        after(&reel, &[PlayerCommand::JumpTo(PlayPosition::Percent(50))]).frame_index(),
        end / 2
    );
    let decision = after(&reel, &[PlayerCommand::JumpTo(PlayPosition::Decision(7))]);
    assert_eq!(reel.decision_count(decision.frame_index()), 7);
    let nowhere = after(&reel, &[PlayerCommand::JumpTo(PlayPosition::Version(9999))]);
    assert_eq!(
        &*nowhere.replay_state(&reel, false).last_message.1,
        "there is no version 9999"
    );
}

#[test]
fn what_happened_is_found_on_both_ways() {
    let story = story("");
    let reading = read_whole(&story);
    let reel = reading.lock_timeline();
    let seek = |from: PlayPosition, way, what: &str| {
        let Ok(EngineCommand::Until(halt)) = EngineCommand::parse_line(&format!("until {what}"))
        else {
            panic!("{what}")
        };
        let player = after(
            &reel,
            &[PlayerCommand::JumpTo(from), PlayerCommand::Seek(way, halt)],
        );
        (
            player.frame_index(),
            player.replay_state(&reel, false).last_message.1,
        )
    };
    for what in [
        "size 50",
        "pass certificate",
        "gone main",
        "touch walk",
        "gone struct",
    ] {
        let (forth, said) = seek(PlayPosition::Start, PlayDirection::Forwards, what);
        assert!(forth > 0, "{what}: {said}");
        let (back, said) = seek(PlayPosition::End, PlayDirection::Backwards, what);
        assert!(back >= forth && back < reel.len() - 1, "{what}: {said}");
    }
    let (at, _) = seek(PlayPosition::Start, PlayDirection::Forwards, "size 50");
    let tokens = |at| {
        reel.keyframe_state(at)
            .expect("a state")
            .version
            .token_count()
    };
    assert!(tokens(at) < 50 && tokens(at - 1) >= 50);
    let (at, _) = seek(
        PlayPosition::Start,
        PlayDirection::Forwards,
        "pass certificate",
    );
    assert_eq!(
        reel.running_pass(at).map(|(name, _)| name),
        Some("certificate")
    );
    let (at, said) = seek(PlayPosition::Start, PlayDirection::Forwards, "timeout");
    assert_eq!((at, &*said), (0, "timeout: not from here to the end"));
    let (_, said) = seek(PlayPosition::Start, PlayDirection::Forwards, "gone 9999");
    assert!(said.contains("the program has "), "{said}");
}

#[test]
fn a_player_takes_the_runs_own_time_but_for_long_waits() {
    let story = story("");
    let reading = read_whole(&story);
    let states = {
        let reel = reading.lock_timeline();
        (0..reel.len())
            .map(|at| reel.snapshot_at(at).expect("a state"))
            .collect::<Vec<_>>()
    };
    // A decision each second, but the third took an hour.
    let mut reel = ReplayTimeline::default();
    for (at, mut state) in states.into_iter().enumerate() {
        let late = if at >= 3 { 3600 } else { 0 };
        state.now = state.started + Duration::from_secs(at as u64 + late);
        reel.push(state);
    }
    let second = Duration::from_secs(1);
    let mut player = ReplayPlayer::new(0, 1.0, None);
    assert_eq!(player.time_to_next_frame(&reel), Some(second));
    assert!(!player.advance_time(second / 2, &reel, false));
    assert!(player.advance_time(second, &reel, false));
    assert_eq!(player.frame_index(), 1);
    player.advance_time(second, &reel, false);
    assert_eq!(
        player.frame_index(),
        2,
        "half a second more was over already"
    );
    player.advance_time(second, &reel, false);
    assert_eq!(player.frame_index(), 2);
    player.advance_time(second, &reel, false);
    assert_eq!(player.frame_index(), 3, "an hour is two seconds");
    player.apply_command(PlayerCommand::Speed(10.0), &reel, false);
    player.advance_time(second, &reel, false);
    assert_eq!(player.frame_index(), 13);
    player.apply_command(PlayerCommand::Reverse, &reel, false);
    player.advance_time(second / 2, &reel, false);
    assert_eq!(player.frame_index(), 8);
    player.apply_command(PlayerCommand::Speed(0.1), &reel, false);
    assert_eq!(
        player.time_to_next_frame(&reel),
        Some(2 * second),
        "nobody waits longer than two seconds, however slow it plays"
    );
    player.apply_command(PlayerCommand::Speed(10.0), &reel, false);
    player.apply_command(PlayerCommand::Play(false), &reel, false);
    assert_eq!(player.time_to_next_frame(&reel), None);
    assert!(!player.advance_time(10 * second, &reel, false));
    player.apply_command(PlayerCommand::Reverse, &reel, false);
    player.apply_command(PlayerCommand::Faster, &reel, false);
    player.advance_time(3600 * second, &reel, false);
    assert_eq!(player.frame_index(), reel.len() - 1);
    assert!(
        !player.replay_state(&reel, false).playing,
        "it stands at its end"
    );
    player.apply_command(PlayerCommand::Play(true), &reel, false);
    assert_eq!(player.frame_index(), 0, "and begins anew");
}

#[test]
fn who_wants_to_be_where_nothing_is_read_yet_comes_there() {
    let story = story("");
    let reading = read_whole(&story);
    let whole = reading.lock_timeline();
    let mut reel = ReplayTimeline::default();
    reel.push(whole.snapshot_at(0).expect("a state"));
    reel.push(whole.snapshot_at(1).expect("a state"));
    let mut player = ReplayPlayer::new(0, 1.0, None);
    player.apply_command(
        PlayerCommand::JumpTo(PlayPosition::Decision(3)),
        &reel,
        true,
    );
    assert_eq!(player.frame_index(), 1);
    for at in 2..5 {
        reel.push(whole.snapshot_at(at).expect("a state"));
        player.on_timeline_grown(&reel, true);
    }
    assert_eq!(reel.decision_count(player.frame_index()), 3);
    player.apply_command(PlayerCommand::Play(true), &reel, true);
    player.advance_time(Duration::from_secs(60), &reel, true);
    assert_eq!(player.frame_index(), 4);
    assert!(
        player.replay_state(&reel, true).playing,
        "there is more to come"
    );
}

#[test]
fn commands_of_a_run_are_moves_or_say_that_nothing_is_asked() {
    let of = |line: &str| {
        PlayerCommand::from_command(&EngineCommand::parse_line(line).expect("a command"))
    };
    assert_eq!(of("pause"), Ok(PlayerCommand::Play(false)));
    assert_eq!(
        of("step commit"),
        Ok(PlayerCommand::Step(
            PlayDirection::Forwards,
            StepUnit::Commit
        ))
    );
    assert_eq!(
        of("undo"),
        Ok(PlayerCommand::Step(
            PlayDirection::Backwards,
            StepUnit::Commit
        ))
    );
    assert_eq!(
        of("goto 3"),
        Ok(PlayerCommand::JumpTo(PlayPosition::Version(3)))
    );
    assert_eq!(
        of("until size 9"),
        Ok(PlayerCommand::Seek(
            PlayDirection::Forwards,
            BreakCondition::Size(9)
        ))
    );
    for line in ["pin main", "jobs 3", "edit! \"\"", "skip"] {
        assert!(of(line).expect_err(line).contains("this is a replay"));
    }
}

/// A journal that reports its first decision, and waits before it continues.
struct Slow(Sender<()>, Receiver<()>, Arc<Mutex<Vec<&'static str>>>);

impl Journal for Slow {
    fn record_result(&mut self, _: &JournalResult) {}
    fn record_decision(&mut self, decided: &JournalDecision) {
        if decided.number == 1 {
            let _ = self.0.send(());
            let _ = self.1.recv();
        }
    }
    fn record_accept(&mut self, _: &AcceptedVersion, _: &VersionRecord) {}
    fn record_switch(&mut self, _: u64, _: u64) {}
    fn record_command(&mut self, _: CommandPosition, _: &EngineCommand) {}
    fn record_pass(&mut self, _: &PassLine) {}
    fn record_resume(&mut self, _: bool) {
        self.2.lock().expect("ours").push("resumed");
    }
    fn record_finish(&mut self, _: &FinishReason, _: &RunCounts, _: &MinimalityClaim) {
        self.2.lock().expect("ours").push("finished");
    }
}

#[test]
fn who_stops_a_run_before_it_goes_on_leaves_it_as_it_was() {
    let story = story("at decision 20: stop");
    let ((told, tells), (go, waits)) = (bounded(0), bounded(0));
    let said = Arc::default();
    let setup = RunSetup {
        resume: Some(story.build_resume(None)),
        journal: Box::new(Slow(told, waits, Arc::clone(&said))),
        ..setup(read("a.c", PROGRAM), oracle(|text| verdict(says(text))))
    };
    let run = reduce::start_run(setup).expect("a run");
    tells.recv().expect("the first decision");
    assert_eq!(run.board.replay_progress(), Some((0, 19)));
    run.commands.send(EngineCommand::Stop).expect("it listens");
    go.send(()).expect("it waits");
    let last = run.events.iter().last();
    assert!(matches!(
        last,
        Some(RunEvent::Finished(FinishReason::Stopped))
    ));
    assert!(
        run.board.newest_snapshot().is_none(),
        "there is nothing to write"
    );
    assert!(run.wait_for_end().is_none());
    assert!(said.lock().expect("ours").is_empty());
}

#[test]
fn no_journal_is_needed_to_go_on() {
    let story = story("at decision 20: stop");
    let setup = RunSetup {
        resume: Some(story.build_resume(None)),
        journal: Box::new(NoJournal),
        ..setup(read("a.c", PROGRAM), oracle(|text| verdict(says(text))))
    };
    let run = reduce::start_run(setup).expect("a run");
    let board = run.board.clone();
    let last = run.wait_for_end().expect("a snapshot");
    assert!(last.counts.decisions > 19);
    assert_eq!(board.replay_progress(), None);
}

/// All that lies in the directory of sessions, with its bytes.
fn kept(stage: &Stage) -> Vec<(String, Vec<u8>)> {
    let place = stage.sessions().join("bug.c-1");
    let entries = fs::read_dir(place).expect("a session");
    let mut kept: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            (path.display().to_string(), fs::read(path).expect("a file"))
        })
        .collect();
    kept.sort();
    kept
}

/// What a replay printed, without the first column: two recordings of one run are written one after the other, and each has its own clock.
fn untimed(lines: &str) -> Vec<&str> {
    let rest = |line| match str::split_once(line, " s ") {
        Some((time, rest)) if time.trim().parse::<f64>().is_ok() => rest,
        _ => line,
    };
    lines.lines().map(rest).collect()
}

#[test]
fn a_replay_needs_neither_test_nor_file_and_writes_nothing() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh", "--journal", "j"]).status, 0);
    for name in ["bug.c", "test.sh"] {
        fs::remove_file(stage.path(name)).expect("gone");
    }
    let before = (kept(&stage), stage.names());
    let end = stage.lop(&["replay"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("interesting"), "{end}");
    assert!(
        end.out.contains("complete: the result is 1-tree-minimal"),
        "{end}"
    );
    for session in ["bug.c-1", "j"] {
        let again = stage.lop(&["replay", session, "--plain"]).out;
        assert_eq!(untimed(&again), untimed(&end.out));
        let checked = stage.lop(&["replay", session, "--check"]);
        assert!(checked.out.contains("to its end"), "{checked}");
    }
    assert_eq!((kept(&stage), stage.names()), before);
    let end = stage.lop(&["replay", "nothing"]);
    assert!(
        end.status == 2 && end.err.contains("there is no session"),
        "{end}"
    );
    let end = stage.lop(&["replay", "--speed", "fast"]);
    assert!(
        end.status == 2 && end.err.contains("is not a speed"),
        "{end}"
    );
}

#[test]
fn a_run_at_work_and_one_that_was_stopped_are_replayed_as_far_as_they_are() {
    let stage = Stage::new();
    stage.hanging_test();
    let line = [
        "bug.c",
        "hang.sh",
        "--timeout",
        "0",
        "--strategy",
        "perses",
        "--json",
    ];
    let mut lop = stage.start(&line);
    // The candidate that gets no verdict comes after an accepted one.
    lop.until_taken();
    let end = stage.lop(&["replay"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("or is still running"), "{end}");
    lop.signal(Signal::INT);
    lop.rest();
    assert_eq!(lop.wait(), 130);
    let end = stage.lop(&["replay"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("the run ended here: stopped"), "{end}");
    assert!(end.out.contains("interesting"), "{end}");
    // The test has been fixed: the run continues, but with other candidates.
    stage.test("hang.sh", crate::shell::FINDS_BUG);
    let went_on = stage.lop(&["resume"]);
    assert!(went_on.out.contains("the test has changed"), "{went_on}");
    let end = stage.lop(&["replay"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("3 tokens  interesting"), "{end}");
    assert!(end.out.contains("complete: "), "{end}");
}

#[test]
fn a_damaged_recording_is_replayed_up_to_the_damage() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh", "--journal", "j"]).status, 0);
    let whole = stage.read("j");
    let lines: Vec<&str> = whole.lines().collect();
    let at = lines.len() * 2 / 3;
    let mut damaged: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
    damaged[at] = damaged[at].replace('"', "'");
    stage.write("j", &(damaged.join("\n") + "\n"));
    let end = stage.lop(&["replay", "j"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("the journal is damaged"), "{end}");
    assert!(end.out.contains("uninteresting"), "{end}");
    stage.write("j", "no journal\n");
    let end = stage.lop(&["replay", "j"]);
    assert!(
        end.status == 2 && end.err.contains("no journal of lop"),
        "{end}"
    );
}
