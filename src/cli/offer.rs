//! An unfinished session of the same file and test: does the user want to go on with it?

use std::path::Path;

use super::args::Reduce;
use super::ask::{Said, ask};
use super::complain;
use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail};
use super::front::Front;
use super::given::Given;
use super::resume::{all, call, go_on};
use super::signals::Signals;
use crate::display::{Stream, is_terminal};
use crate::plain::{count, quoted};
use crate::session::journal::Header;
use crate::session::past::Story;
use crate::session::place::Place;
use crate::session::{Input, ago};

/// What an answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    GoOn,
    Anew,
    Leave,
}

impl Answer {
    /// None if it is no answer.
    fn of(line: &str) -> Option<Answer> {
        match line {
            "" | "y" | "Y" | "yes" | "Yes" => Some(Answer::GoOn),
            "n" | "N" | "no" | "No" => Some(Answer::Anew),
            "q" | "Q" | "quit" | "Quit" => Some(Answer::Leave),
            _ => None,
        }
    }
}

/// If there is an unfinished session of this file and test: asks whether to go on with it, where there is someone to ask, or else says
/// how. The exit status, if it was gone on with.
pub(super) fn offer(input: &Input, given: &Given, reduce: &Reduce) -> Result<Option<u8>, Failure> {
    if reduce.no_session {
        return Ok(None);
    }
    let mut places = all().into_iter();
    let unfinished = |place: &Place| !place.is_done() && !place.is_running();
    let fits = |place: &Place| is_of(place, input, given) && unfinished(place);
    let Some(place) = places.find(fits) else {
        return Ok(None);
    };
    let asks = Front::choose(&reduce.common) == Front::Screen && is_terminal(Stream::Error);
    if !asks {
        complain(&format!(
            "an unfinished session of this file and test was written {} ago: `lop resume {}` goes on with it; this is a new one",
            written(&place),
            call(&place)
        ));
        return Ok(None);
    }
    let others = places.filter(fits).count() as u64;
    match answer(&question(&place, others))? {
        Answer::GoOn => go_on(&place, &reduce.common, false).map(Some),
        Answer::Anew => Ok(None),
        Answer::Leave => Err(Failure::new(NOTHING_TO_DO, "nothing was done")),
    }
}

/// Whether the session is about this file as it is, and this test.
fn is_of(place: &Place, input: &Input, given: &Given) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into());
    let file = absolute(&input.named);
    let Ok(Header {
        run: Some(run),
        files,
        ..
    }) = place.header()
    else {
        return false;
    };
    let text = || {
        let bytes = files.first().and_then(|file| file.bytes.bytes());
        run.in_place || bytes == std::fs::read(&file).ok()
    };
    run.input == file && given.is_of(&run) && text()
}

/// How long ago something was last written to it.
fn written(place: &Place) -> String {
    ago(place.touched().elapsed().unwrap_or_default())
}

/// What the user is asked, with so many others of the kind.
fn question(place: &Place, others: u64) -> String {
    let story = Story::read(&place.journal()).ok();
    let size = story.as_ref().and_then(|story| {
        let kept = story.versions.get(story.versions.kept)?;
        Some(format!(", {} so far", count(kept.tokens?.into(), "token")))
    });
    let run = story.as_ref().and_then(|story| story.header.run.as_ref());
    let output = run.map(|run| format!(", in {}", quoted(&run.output)));
    let more = match others {
        0 => String::new(),
        others => format!(
            "\n({} more of this file and test; `lop sessions` lists all)",
            others
        ),
    };
    format!(
        "lop: the session {} of this file and test is unfinished{}{}; it was written {} ago.{more}\n\
         y goes on with it, with the options it was begun with; n begins a new one and leaves it as it is; q does nothing.\n\
         Go on with it? [Y/n/q]",
        call(place),
        size.unwrap_or_default(),
        output.unwrap_or_default(),
        written(place),
    )
}

/// Asks until there is an answer.
fn answer(question: &str) -> Result<Answer, Failure> {
    let signals = Signals::listen().or_fail(FAILED)?;
    loop {
        match ask(question, &signals.heard) {
            Said::Line(line) => {
                if let Some(answer) = Answer::of(&line) {
                    return Ok(answer);
                }
            }
            Said::Nothing => return Err(Failure::new(NOTHING_TO_DO, "nothing was done")),
            Said::Signal(signal) => return Err(Failure::as_it_was(Some(signal))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_of_three() {
        assert_eq!(Answer::of(""), Some(Answer::GoOn));
        assert_eq!(Answer::of("no"), Some(Answer::Anew));
        assert_eq!(Answer::of("q"), Some(Answer::Leave));
        assert_eq!(Answer::of("perhaps"), None);
    }
}
