//! `lop FILE` alone: at a terminal a page asks for a command or a test, writes the test down, and the reduction begins.

mod offers;
mod trial;

use std::path::{Path, PathBuf};

use super::resume::{ResumeChoice, resume_session};
use crate::cli::args::ReduceArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::language_choice::choose_languages;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::reading::read_beginning;
use crate::display::{ConsoleWriter, EscapeHidden, format_count};
use crate::oracle::FilePlace;
use crate::session::RunInput;
use crate::tui::start_page::StartPage;
use crate::tui::start_page::subject::StartSubject;
use crate::tui::{self, SignalListener, StartExit};
use offers::{OfferKind, StartOffer, list_offers};
use trial::StartDesk;

/// A file with more bytes takes a while to compare with those of its sessions.
const LONG: usize = 1 << 20;

/// What the page led to.
pub enum StartOutcome {
    /// The file is reduced with the test at this path. The command of a test that was written now fails at this place.
    Test(PathBuf, Option<FilePlace>),
    /// A session was resumed; the exit status.
    Resumed(u8),
}

/// Shows the page for this file, which has no test yet. Without a terminal a failure says what to type.
pub fn ask_for_test(reduce: &ReduceArgs, file: &Path) -> Result<StartOutcome, CommandFailure> {
    let common = &reduce.run.common;
    let front = FrontEnd::from_args(common);
    if front != FrontEnd::Screen {
        let asks = match FrontEnd::is_terminal_dumb() {
            true => "TERM is dumb; with a screen lop FILE asks for it",
            false => "at a terminal lop FILE asks for it",
        };
        let what = format!(
            "the following required arguments were not provided: <TEST>\n\
             type the path of a test after the file, or -- and a command that shows the bug, as in  lop FILE -- cc -c {{}}\n\
             lop init FILE -- COMMAND writes such a test down; {asks}"
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    if file.is_dir() {
        let what = format!(
            "{} is a directory, and lop asks about one file alone: type lop DIRECTORY TEST, with a test that sees the files of the directory where it runs",
            file.escape_hidden()
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    let setup = front.screen_setup(&common.settings).or_fail(USAGE)?;
    let input = PreparedRun::read_input(file)?;
    if input.bytes.len() > LONG {
        // Its sessions hold it too, and are read before the page is there.
        let what = format!("lop: looking for sessions of {}", file.escape_hidden());
        ConsoleWriter::stdout().write_line(&what);
    }
    let run_input = RunInput::Program(input.clone());
    let (language, grammar) = (&reduce.run.language, &reduce.run.grammar);
    let languages = choose_languages(&run_input, language.as_deref(), grammar.as_deref())?;
    let language = languages.first().copied().flatten();
    let lines = input.bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    let facts = [
        language.map(|language| language.name.to_owned()),
        Some(format_count(lines, "line")),
        Some(format_count(input.bytes.len() as u64, "byte")),
    ];
    let subject = StartSubject {
        title: input.named.escape_hidden().into_owned(),
        facts: facts.into_iter().flatten().collect::<Vec<_>>().join(", "),
        beginning: read_beginning(&run_input, &languages),
    };
    let mut offers = list_offers(&input);
    let said = offers.iter().map(|offer| offer.sentence.clone()).collect();
    let place = free_place(file).to_string_lossy().into_owned();
    let page = StartPage::new(subject, said, place);
    let mut desk = StartDesk::new(reduce, input);
    let ends = SignalListener::start_listening().or_fail(FAILED)?;
    let exit = tui::run_start_page(page, &setup, &mut desk, &ends);
    desk.wait_for_threads();
    match exit.or_fail(FAILED)? {
        StartExit::Left => Err(CommandFailure::new(NOTHING_TO_DO, "nothing was done")),
        StartExit::Signal(signal) => Err(CommandFailure::stopped_by_signal(signal)),
        StartExit::Test(path) => {
            let place = desk.place_of_failure(&path, language);
            Ok(StartOutcome::Test(path.into(), place))
        }
        StartExit::Offer(at) if at < offers.len() => take_offer(offers.swap_remove(at), reduce),
        StartExit::Offer(_) => Err(CommandFailure::new(FAILED, "there is no such offer")),
    }
}

fn take_offer(offer: StartOffer, reduce: &ReduceArgs) -> Result<StartOutcome, CommandFailure> {
    match offer.kind {
        OfferKind::Test(path) => Ok(StartOutcome::Test(path, None)),
        OfferKind::Session(place) => resume_session(
            &place,
            &reduce.run.common,
            ResumeChoice::from_new_run(&reduce.remote, &reduce.run.propose),
        )
        .map(StartOutcome::Resumed),
    }
}

/// `test.sh` beside the file, or the first name like it that is free.
fn free_place(file: &Path) -> PathBuf {
    let names = (1u32..).map(|number| match number {
        1 => "test.sh".to_owned(),
        number => format!("test-{number}.sh"),
    });
    let mut places = names.map(|name| file.with_file_name(name));
    let free = places.find(|place| place.symlink_metadata().is_err());
    free.unwrap_or_else(|| file.with_file_name("test.sh"))
}
