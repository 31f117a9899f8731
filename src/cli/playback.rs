//! `lop replay`: a recorded run once more, on the screen or as lines. Nothing is written, and neither its test nor its file is needed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::unbounded;

use super::args::Replay;
use super::complain;
use super::failure::{FAILED, Failure, OrFail, USAGE, status_of};
use super::front::Front;
use super::replay::{check, options, version, version_as_text};
use super::resume::find_aloud;
use super::tongue::withheld;
use crate::display::{Shown, tamed};
use crate::plain::{Out, count, grouped, seconds};
use crate::reduce::{Board, Ending, Setup};
use crate::session::OpenedSession;
use crate::session::journal::HeaderRun;
use crate::session::past::Story;
use crate::session::player::Player;
use crate::session::projector::Projector;
use crate::session::reel::{Nobody, Reading, Reel};
use crate::tui::{self, Behind, Context, Leave};

/// Shows it; the exit status.
pub(super) fn run(replay: &Replay) -> Result<u8, Failure> {
    let path = journal(replay.session.as_deref())?;
    if replay.check {
        return check(&path);
    }
    let front = Front::of(replay.plain);
    let setup = replay.settings.setup_for(front).or_fail(USAGE)?;
    let opened = OpenedSession::at(&path).or_fail(USAGE)?;
    let story = opened.story().or_fail(USAGE)?;
    let withheld = withheld(&story.header, &opened.doubts());
    let withheld = withheld.map(|why| format!("{why}: these are its versions only"));
    let reading = Reading::start(again(&story, withheld.clone())?).or_fail(FAILED)?;
    if front != Front::Screen {
        withheld.iter().for_each(|why| complain(why));
        print(&story, &reading);
        return Ok(0);
    }
    let board = Arc::new(Board::default());
    let (moves, heard) = unbounded();
    let notes: Vec<String> = withheld.into_iter().chain(story.journal.note()).collect();
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let player = Player::new(story.decisions, replay.speed, note);
    let projector = Projector::start(reading, player, cut(&story), heard, board.clone());
    projector.or_fail(FAILED)?;
    let left = tui::run(Behind::Replay(&moves), &board, context(&story), setup);
    Ok(match left.or_fail(FAILED)?.leave {
        Leave::Signal(signal) => status_of(signal),
        Leave::User | Leave::Over => 0,
    })
}

/// The run once more, which asks nothing; where its grammar is withheld, its versions as lines and tokens.
fn again(story: &Story, withheld: Option<String>) -> Result<Setup, Failure> {
    let limit = story.header.limit.limit();
    let version = match withheld {
        None => version(&story.header)?,
        Some(_) => version_as_text(&story.header)?,
    };
    Ok(Setup {
        options: options(&story.header)?,
        property: story
            .header
            .run
            .as_ref()
            .and_then(|run| run.property.clone()),
        resume: Some(story.resume(withheld)),
        ..Setup::new(version, Nobody::default(), limit)
    })
}

/// The journal of a session, or the file itself.
fn journal(session: Option<&str>) -> Result<PathBuf, Failure> {
    match session.map(Path::new).filter(|path| path.is_file()) {
        Some(file) => Ok(file.to_path_buf()),
        None => Ok(find_aloud(session)?.journal()),
    }
}

/// Why there is nothing after the last decision, unless that was the end of the run.
fn cut(story: &Story) -> Option<String> {
    match (story.end.as_deref(), story.journal.damaged()) {
        (_, true) => Some("what comes after this cannot be read".into()),
        (Some("complete"), _) => None,
        (Some(end), _) => Some(format!("the run ended here: {end}")),
        (None, _) => Some("the run was cut off here, or is still at work".into()),
    }
}

fn context(story: &Story) -> Context {
    let run = story.header.run.as_ref();
    let first = story.header.files.first();
    let name = first.and_then(|file| file.path.file_name());
    Context {
        title: name.unwrap_or_default().shown().into_owned(),
        test: run.map_or_else(String::new, HeaderRun::test_words),
        output: run.map_or_else(PathBuf::new, |run| run.output.clone()),
        replay: true,
        ..Context::default()
    }
}

/// Prints the run, a line a decision, as it is read.
fn print(story: &Story, reading: &Reading) {
    let mut out = Out::stdout();
    let mut next = 0;
    loop {
        let over = reading.grown.recv().is_err();
        let lines: Vec<String> = {
            let reel = reading.reel();
            // The last moment may still be another one.
            let known = reel.len() - usize::from(!over && !reel.is_empty());
            let from = next;
            next = known.max(from);
            (from..next).flat_map(|at| lines(&reel, at)).collect()
        };
        lines.iter().for_each(|line| out.line(&tamed(line)));
        if over {
            break;
        }
    }
    for note in story.journal.note().into_iter().chain(cut(story)) {
        out.line(&format!("lop: {}", tamed(&note)));
    }
    if let (Some(end), Some(proven)) = (&story.end, &story.certificate) {
        out.line(&format!(
            "lop: {}: the result is {}",
            tamed(end),
            tamed(proven)
        ));
    }
}

/// What is said of a moment.
fn lines(reel: &Reel, at: usize) -> Vec<String> {
    let Some(scene) = reel.scene(at) else {
        return Vec::new();
    };
    let before = at.checked_sub(1);
    let decided = before.and_then(|before| reel.asked(before));
    let mut lines = Vec::new();
    if let Some(decided) = decided {
        let word = match decided.ending {
            Ending::Interesting => "interesting",
            Ending::Boring => "boring",
            Ending::Invalid => "invalid",
            Ending::TimedOut => "timed out",
        };
        let known = if decided.time.is_none() {
            ", known"
        } else {
            ""
        };
        lines.push(format!(
            "{:>12}  {:>8}  {:>16}  {:<18}  {}: {}",
            seconds(reel.time(at)),
            grouped(decided.decision),
            count(scene.version.tokens().into(), "token"),
            format!("{word}{known}"),
            decided.why.pass,
            decided.sentence,
        ));
    }
    let moved = before.is_some_and(|before| reel.number(before) != Some(scene.number));
    let taken = decided.is_some_and(|decided| decided.ending == Ending::Interesting);
    let obeyed = before
        .and_then(|before| reel.scene(before))
        .is_some_and(|before| before.obeyed.0 != scene.obeyed.0);
    if let Some(obeyed) = scene.obeyed.1.as_ref().filter(|_| obeyed) {
        let command = &obeyed.command;
        lines.push(format!("lop: {command}, before question {}", obeyed.before));
    }
    if moved && !taken {
        let tokens = count(scene.version.tokens().into(), "token");
        lines.push(format!("lop: at version {} now, {tokens}", scene.number));
    }
    lines
}
