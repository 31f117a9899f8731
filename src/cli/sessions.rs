//! Sessions from outside: a list of them, their versions, and what versions differ in.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::time::{Duration, UNIX_EPOCH};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::args::SessionsVerb;
use super::ask::{Said, ask};
use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE, status_of};
use super::resume::{all, call, find, find_aloud, lies_here};
use super::signals::Signals;
use crate::display::{Shown, Stream, is_terminal, tamed};
use crate::plain::{Out, count as counted};
use crate::session::ago;
use crate::session::past::{Saved, Story, Versions};
use crate::session::place::{self, Place, PlaceError};

/// How many lines are shown around a difference.
const AROUND: usize = 3;

/// `lop sessions`; the exit status.
pub(super) fn run(verb: Option<&SessionsVerb>) -> Result<u8, Failure> {
    let mut out = Out::stdout();
    match verb {
        None => {
            list(&mut out);
            Ok(0)
        }
        Some(SessionsVerb::Prune {
            yes,
            all,
            days,
            here,
        }) => {
            let older = Duration::from_secs(days.saturating_mul(86_400));
            let (links, places) = chosen(*all, older, *here);
            for link in links {
                let what = "is a link, and what it leads to stays; rm removes the link";
                out.line(&format!("{} {what}", call(&link)));
            }
            if places.is_empty() {
                out.line(match *all || *days > 0 || *here {
                    true => "no session fits",
                    false => "no session is to go: of those that came to their end there is none; --all takes the others too",
                });
                return Ok(0);
            }
            prune(&mut out, places, *yes)
        }
    }
}

fn list(out: &mut Out) {
    let places = all();
    if places.is_empty() {
        out.line("no sessions");
    }
    let mut unfinished = false;
    for place in places {
        unfinished |= !place.is_done() && !place.is_running();
        out.line(&line(&place));
    }
    if unfinished {
        out.line("`lop resume NAME` goes on with one that is not finished; `lop history NAME` shows what it did");
    }
}

fn line(place: &Place) -> String {
    let name = call(place);
    let story = match Story::read(&place.journal()) {
        Ok(story) => story,
        Err(error) => return format!("{name:20}  {error}"),
    };
    let state = match (&story.end, place.is_running()) {
        (_, true) => "running".to_owned(),
        // Killed between its last word and the last write of its result.
        (Some(end), _) if end == "complete" && !place.is_done() => "unwritten".to_owned(),
        (Some(end), _) if end == "complete" => "finished".to_owned(),
        (Some(end), _) => tamed(end).into_owned(),
        (None, _) => "cut off".to_owned(),
    };
    let kept = story.versions.get(story.versions.kept);
    let since = place.touched().elapsed().unwrap_or_default();
    let input = story
        .header
        .run
        .as_ref()
        .map(|run| run.input.shown().into_owned());
    format!(
        "{name:20}  {state:9}  {:>9}  {:>6} tests  {:>12} ago  {}",
        kept.map(tokens).unwrap_or_default(),
        story.tests(),
        ago(since),
        input.unwrap_or_default()
    )
}

fn tokens(saved: &Saved) -> String {
    match saved.tokens {
        Some(tokens) => format!("{tokens} tok"),
        None => format!("{} B", saved.bytes),
    }
}

/// Those that would be to go but are links to others, and those that are to go.
fn chosen(unfinished: bool, older: Duration, only_here: bool) -> (Vec<Place>, Vec<Place>) {
    let is_old =
        |place: &Place| older.is_zero() || place.touched().elapsed().is_ok_and(|age| age >= older);
    let goes = |place: &Place| {
        is_old(place)
            && (unfinished || place.is_done())
            && (!only_here || lies_here(place))
            && !place.is_running()
    };
    let places = all().into_iter().filter(goes);
    places.partition(Place::is_link)
}

/// Removes them, after a yes.
fn prune(out: &mut Out, places: Vec<Place>, yes: bool) -> Result<u8, Failure> {
    for place in &places {
        out.line(&line(place));
    }
    told_before(out, &places);
    if !yes {
        confirm(places.len() as u64)?;
    }
    let (mut count, mut bytes, mut left) = (0, 0, 0);
    for place in places {
        let size = place.size();
        let about = |error: io::Error| format!("{}: {error}", place.directory().shown());
        let removed = match place.claim() {
            Ok(claimed) => claimed.remove().map_err(about),
            Err(PlaceError::Io { source, .. }) => Err(about(source)),
            // Somebody went on with it while the user thought.
            Err(busy) => Err(busy.to_string()),
        };
        match removed {
            Ok(()) => (count, bytes) = (count + 1, bytes + size),
            Err(what) => {
                left += 1;
                super::complain(&what);
            }
        }
    }
    if let Some(sessions) = place::sessions() {
        place::sweep(&sessions);
    }
    let not = match left {
        0 => String::new(),
        left => format!("; {left} could not be"),
    };
    out.line(&format!(
        "{} removed, {:.1} MB{not}",
        counted(count, "session"),
        bytes as f64 / 1e6
    ));
    Ok(if left == 0 { 0 } else { FAILED })
}

/// Asks whether so many may go, where there is somebody to ask; what went is nowhere else.
fn confirm(count: u64) -> Result<(), Failure> {
    if !(io::stdin().is_terminal() && is_terminal(Stream::Error)) {
        let what = "no session was removed; add --yes to remove these for good";
        return Err(Failure::new(USAGE, what));
    }
    let question = format!("lop: remove {} for good? [y/N]", counted(count, "session"));
    let signals = Signals::listen().or_fail(FAILED)?;
    match ask(&question, &signals.heard) {
        said if said.is_yes() => Ok(()),
        Said::Signal(signal) => Err(Failure::new(status_of(signal), "nothing was removed")),
        _ => Err(Failure::new(NOTHING_TO_DO, "nothing was removed")),
    }
}

/// How many go, and where their files lie.
fn told_before(out: &mut Out, places: &[Place]) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for place in places {
        let run = place.header().ok().and_then(|header| header.run);
        let parent = run.and_then(|run| Some(run.input.parent()?.shown().into_owned()));
        *counts
            .entry(parent.unwrap_or_else(|| "?".into()))
            .or_default() += 1;
    }
    for (directory, number) in counts {
        let sessions = counted(number, "session");
        out.line(&format!("{sessions} about files in {directory} to go"));
    }
}

fn story(place: &Place) -> Result<Story, Failure> {
    Story::read(&place.journal()).or_fail(USAGE)
}

/// `lop history`; the exit status.
pub(super) fn history(session: Option<&str>) -> Result<u8, Failure> {
    let place = find(session)?;
    let story = story(&place)?;
    let mut out = Out::stdout();
    let run = story.header.run.as_ref();
    // What the journal says may be any number.
    let began = run.and_then(|run| UNIX_EPOCH.checked_add(Duration::from_secs(run.began)));
    let since = began
        .and_then(|began| began.elapsed().ok())
        .unwrap_or_default();
    out.line(&format!(
        "session {}: {}, begun {} ago",
        call(&place),
        run.map(|run| run.input.shown().into_owned())
            .unwrap_or_default(),
        ago(since)
    ));
    out.line("version  from   tokens    bytes  decision       time  what was done");
    for saved in story.versions.all() {
        out.line(&version_line(saved, &story.versions));
    }
    let end = match (&story.end, &story.certificate) {
        (Some(end), Some(proven)) if end == "complete" => format!("complete: {proven}"),
        (Some(end), _) => end.clone(),
        (None, _) => "cut off, or running".to_owned(),
    };
    out.line(&tamed(&end));
    if let Some(damage) = story.journal.note() {
        out.line(&tamed(&damage));
    }
    Ok(0)
}

fn version_line(saved: &Saved, versions: &Versions) -> String {
    let from = saved.parent.map(|parent| parent.to_string());
    let mut marks = String::new();
    for (holds, mark) in [
        (saved.number == versions.kept, "  <- kept"),
        (
            saved.number == versions.stands && versions.stands != versions.kept,
            "  <- here",
        ),
        (saved.away, "  (excursion)"),
    ] {
        if holds {
            marks.push_str(mark);
        }
    }
    format!(
        "{:>7}  {:>4}  {:>7}  {:>7}  {:>8}  {:>8.1}s  {}{marks}",
        saved.number,
        from.unwrap_or_default(),
        saved
            .tokens
            .map(|tokens| tokens.to_string())
            .unwrap_or_default(),
        saved.bytes,
        saved.decision,
        saved.at.as_secs_f64(),
        tamed(&saved.why)
    )
}

fn text(story: &Story, version: u64) -> Result<Vec<u8>, Failure> {
    story.versions.text(version).ok_or_else(|| {
        let last = story.versions.all().last().map_or(0, |saved| saved.number);
        let words = match story.versions.get(version) {
            Some(_) => format!("version {version} cannot be made from the journal: it is damaged; the versions before it may be whole"),
            None => format!("there is no version {version}; the newest is {last}"),
        };
        Failure::new(USAGE, words)
    })
}

/// `lop show`; the exit status.
pub(super) fn show(version: u64, session: Option<&str>) -> Result<u8, Failure> {
    let story = story(&find_aloud(session)?)?;
    Out::stdout().data(&text(&story, version)?);
    Ok(0)
}

/// `lop diff`; the exit status: 0 if the two are the same, 1 if not.
pub(super) fn diff(a: u64, b: u64, session: Option<&str>) -> Result<u8, Failure> {
    let story = story(&find_aloud(session)?)?;
    let (old, new) = (text(&story, a)?, text(&story, b)?);
    let page = unified(&old, &new, &format!("version {a}"), &format!("version {b}"));
    Out::stdout().data(&page);
    Ok(u8::from(old != new))
}

/// The lines of a text, without their ends.
fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let bare = lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line));
    bare.collect()
}

/// What two texts differ in, in the form of `diff -u`.
fn unified(old: &[u8], new: &[u8], old_name: &str, new_name: &str) -> Vec<u8> {
    let (a, b) = (lines_of(old), lines_of(new));
    let ops = capture_diff_slices(Algorithm::Myers, &a, &b);
    let mut page = Vec::new();
    for group in similar::group_diff_ops(ops, AROUND) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        if page.is_empty() {
            page.extend(format!("--- {old_name}\n+++ {new_name}\n").bytes());
        }
        let range = |start: usize, end: usize| {
            format!("{},{}", start + usize::from(end > start), end - start)
        };
        let place = format!(
            "@@ -{} +{} @@\n",
            range(first.old_range().start, last.old_range().end),
            range(first.new_range().start, last.new_range().end)
        );
        page.extend(place.bytes());
        for op in &group {
            let mut lines = |mark: u8, lines: &[&[u8]]| {
                let marked = lines.iter().map(|line| [&[mark], *line, b"\n"].concat());
                page.extend(marked.flatten());
            };
            match op {
                DiffOp::Equal { .. } => lines(b' ', &a[op.old_range()]),
                _ => {
                    lines(b'-', &a[op.old_range()]);
                    lines(b'+', &b[op.new_range()]);
                }
            }
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_shown_as_diff_does() {
        let old = b"a\nb\nc\xff\nd\ne\nf\n";
        let new = b"a\nb\nc\xff\ne\nf\n";
        let expected = b"--- old\n+++ new\n@@ -1,6 +1,5 @@\n a\n b\n c\xff\n-d\n e\n f\n";
        assert_eq!(unified(old, new, "old", "new"), expected);
        assert_eq!(unified(old, old, "old", "new"), b"");
    }
}
