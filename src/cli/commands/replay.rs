//! `lop replay`: shows a recorded run, on the screen or as lines. It writes nothing, and needs neither the test nor the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::unbounded;

use super::replay_check::check_replay;
use crate::cli::args::ReplayArgs;
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE, signal_status};
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::recorded_run::{
    describe_withheld_grammar, recorded_options, recorded_version, recorded_version_as_text,
};
use crate::cli::messages::report_message;
use crate::cli::session_lookup::find_session_aloud;
use crate::display::{EscapeHidden, format_count, format_number, sanitize_line};
use crate::oracle::Verdict;
use crate::plain::{ConsoleWriter, format_duration};
use crate::reduce::{RunSetup, SnapshotBoard};
use crate::session::OpenedSession;
use crate::session::history::SessionHistory;
use crate::session::journal::HeaderInvocation;
use crate::session::playback_thread::PlaybackThread;
use crate::session::player::ReplayPlayer;
use crate::session::timeline::{NoTestRunner, ReplayTimeline, TimelineReader};
use crate::tui::{self, CommandTarget, ExitReason, ScreenContext, SignalListener};

/// Shows it; the exit status.
pub fn run_replay(replay: &ReplayArgs) -> Result<u8, CommandFailure> {
    let path = find_journal(replay.session.as_deref())?;
    if replay.check {
        return check_replay(&path);
    }
    let front = FrontEnd::from_plain_flag(replay.plain);
    let setup = front.screen_setup(&replay.settings).or_fail(USAGE)?;
    let opened = OpenedSession::open_at(&path).or_fail(USAGE)?;
    let history = opened.read_history().or_fail(USAGE)?;
    let withheld = describe_withheld_grammar(&history.header, &opened.ownership_problems());
    let withheld = withheld.map(|why| format!("{why}: these are its versions only"));
    let reading =
        TimelineReader::start_reading(replay_setup(&history, withheld.clone())?).or_fail(FAILED)?;
    if front != FrontEnd::Screen {
        withheld.iter().for_each(|why| report_message(why));
        print_run(&history, &reading);
        return Ok(0);
    }
    let board = Arc::new(SnapshotBoard::default());
    let (moves, heard) = unbounded();
    let notes: Vec<String> = withheld
        .into_iter()
        .chain(history.journal.damage_note())
        .collect();
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let player = ReplayPlayer::new(history.decisions, replay.speed, note);
    let player = match replay.settings.guess {
        true => player.paused(),
        false => player,
    };
    let projector = PlaybackThread::start(
        reading,
        player,
        describe_cut_off(&history),
        heard,
        board.clone(),
    );
    projector.or_fail(FAILED)?;
    let ends = SignalListener::start_listening().or_fail(FAILED)?;
    let left = tui::run_screen(
        CommandTarget::Replay(&moves),
        &board,
        ScreenContext {
            guess: replay.settings.guess,
            ..screen_context(&history)
        },
        setup,
        None,
        &ends,
    );
    Ok(match left.or_fail(FAILED)?.reason {
        ExitReason::Signal(signal) => signal_status(signal),
        ExitReason::User | ExitReason::Superseded => 0,
    })
}

/// The setup of the replay, which runs no tests. If the grammar is withheld, the versions are lines and tokens.
fn replay_setup(
    history: &SessionHistory,
    withheld: Option<String>,
) -> Result<RunSetup, CommandFailure> {
    let limit = history.header.limit.initial_limit();
    let version = match withheld {
        None => recorded_version(&history.header)?,
        Some(_) => recorded_version_as_text(&history.header)?,
    };
    Ok(RunSetup {
        options: recorded_options(&history.header)?,
        property: history
            .header
            .run
            .as_ref()
            .and_then(|run| run.property.clone()),
        resume: Some(history.build_resume(withheld)),
        ..RunSetup::new(version, NoTestRunner::default(), limit)
    })
}

/// The journal of a session, or the file itself.
fn find_journal(session: Option<&str>) -> Result<PathBuf, CommandFailure> {
    match session.map(Path::new).filter(|path| path.is_file()) {
        Some(file) => Ok(file.to_path_buf()),
        None => Ok(find_session_aloud(session)?.journal_path()),
    }
}

/// Why there is nothing after the last decision, unless that was the end of the run.
fn describe_cut_off(history: &SessionHistory) -> Option<String> {
    match (history.end.as_deref(), history.journal.is_damaged()) {
        (_, true) => Some("what comes after this cannot be read".into()),
        (Some("complete"), _) => None,
        (Some(end), _) => Some(format!("the run ended here: {end}")),
        (None, _) => Some("the run was cut off here, or is still running".into()),
    }
}

fn screen_context(history: &SessionHistory) -> ScreenContext {
    let run = history.header.run.as_ref();
    let files = history.header.files.iter();
    let names = files.map(|file| file.path.escape_hidden());
    ScreenContext {
        title: match names.len() {
            1 | 2 => names.collect::<Vec<_>>().join(" and "),
            more => format!("{more} files"),
        },
        test: run.map_or_else(String::new, HeaderInvocation::describe_test),
        output: run.map_or_else(PathBuf::new, |run| run.output.clone()),
        replay: true,
        ..ScreenContext::default()
    }
}

/// Prints the run while it is read, one line for each decision.
fn print_run(history: &SessionHistory, reading: &TimelineReader) {
    let mut out = ConsoleWriter::stdout();
    let mut next = 0;
    loop {
        let over = reading.grown.recv().is_err();
        let lines: Vec<String> = {
            let timeline = reading.lock_timeline();
            // The last keyframe may still change.
            let known = timeline.len() - usize::from(!over && !timeline.is_empty());
            let from = next;
            next = known.max(from);
            (from..next)
                .flat_map(|at| frame_lines(&timeline, at))
                .collect()
        };
        lines
            .iter()
            .for_each(|line| out.write_line(&sanitize_line(line)));
        if over {
            break;
        }
    }
    for note in history
        .journal
        .damage_note()
        .into_iter()
        .chain(describe_cut_off(history))
    {
        out.write_line(&format!("lop: {}", sanitize_line(&note)));
    }
    if let (Some(end), Some(proven)) = (&history.end, &history.certificate) {
        out.write_line(&format!(
            "lop: {}: the result is {}",
            sanitize_line(end),
            sanitize_line(proven)
        ));
    }
}

/// The lines for a keyframe.
fn frame_lines(timeline: &ReplayTimeline, at: usize) -> Vec<String> {
    let Some(keyframe) = timeline.keyframe_state(at) else {
        return Vec::new();
    };
    let before = at.checked_sub(1);
    let decided = before.and_then(|before| timeline.pending_decision(before));
    let mut lines = Vec::new();
    if let Some(decided) = decided {
        let word = match decided.verdict {
            Verdict::Interesting => "interesting",
            Verdict::Uninteresting => "uninteresting",
            Verdict::Invalid => "invalid",
            Verdict::TimedOut => "timed out",
        };
        let known = if decided.time.is_none() {
            ", known"
        } else {
            ""
        };
        lines.push(format!(
            "{:>12}  {:>8}  {:>16}  {:<18}  {}: {}",
            format_duration(timeline.elapsed_at(at)),
            format_number(decided.decision),
            format_count(keyframe.version.token_count().into(), "token"),
            format!("{word}{known}"),
            decided.why.pass,
            decided.sentence,
        ));
    }
    let moved =
        before.is_some_and(|before| timeline.version_number(before) != Some(keyframe.number));
    let taken = decided.is_some_and(|decided| decided.verdict == Verdict::Interesting);
    let obeyed = before
        .and_then(|before| timeline.keyframe_state(before))
        .is_some_and(|before| before.last_command.0 != keyframe.last_command.0);
    if let Some(obeyed) = keyframe.last_command.1.as_ref().filter(|_| obeyed) {
        let command = &obeyed.command;
        lines.push(format!("lop: {command}, before decision {}", obeyed.before));
    }
    if moved && !taken {
        let tokens = format_count(keyframe.version.token_count().into(), "token");
        lines.push(format!("lop: at version {} now, {tokens}", keyframe.number));
    }
    lines
}
