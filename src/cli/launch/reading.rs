//! The original as a tree. A long file is parsed while the test runs on it, and the screen shows its beginning meanwhile.
//!
//! During that time the screen executes no commands, and forgets what the user folds.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select, unbounded};
use signal_hook::consts::SIGINT;

use super::language_choice;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail};
use crate::display::EscapeHidden;
use crate::language::Language;

use crate::oracle::InterestingnessTest;
use crate::pass::PassOptions;
use crate::program::{self, Version};
use crate::reduce;
use crate::session::InputFile;
use crate::tui::setup::ScreenSetup;
use crate::tui::{self, CommandTarget, ExitReason, ScreenContext};

/// A file with more bytes is long, and is read on a thread of its own. Shorter files are read in a few hundredths of a second.
const LONG: usize = 100_000;
/// How many bytes of a long file are shown while it is read.
const BEGINNING: usize = 1 << 16;
/// The screen is not shown if the file is read sooner.
const PATIENCE: Duration = Duration::from_millis(300);

/// The original in this language; without one, as lines and tokens.
pub fn read_version(
    input: &InputFile,
    language: Option<&'static Language>,
) -> Result<Version, CommandFailure> {
    let version = parse_input(input, language, &input.bytes).or_fail(FAILED)?;
    if version
        .parse_trees()
        .iter()
        .flatten()
        .any(|tree| tree.count_faults() > 0)
    {
        language_choice::check_syntax(language, &input.named, &input.bytes)?;
    }
    match version.token_count() {
        0 => Err(CommandFailure::new(
            NOTHING_TO_DO,
            format!(
                "{} has no tokens: there is nothing to reduce; name another file",
                input.named.escape_hidden()
            ),
        )),
        _ => Ok(version),
    }
}

fn parse_input(
    input: &InputFile,
    language: Option<&'static Language>,
    bytes: &Arc<[u8]>,
) -> Result<Version, program::ReadError> {
    let path = Path::new(input.file_name());
    program::read_documents(vec![(language, path.into(), bytes.clone())])
}

/// A file that is being read.
pub struct PendingRead {
    input: InputFile,
    language: Option<&'static Language>,
    thread: JoinHandle<Result<Version, CommandFailure>>,
    /// Disconnected when it is over.
    over: Receiver<()>,
}

impl PendingRead {
    /// Reads the file; a long one on a thread of its own.
    pub fn start(
        input: &InputFile,
        language: Option<&'static Language>,
    ) -> Result<PendingRead, CommandFailure> {
        let (going_on, over) = bounded(0);
        let done = match input.bytes.len() < LONG {
            true => Some(read_version(input, language)?),
            false => None,
        };
        let file = input.clone();
        let read = move || {
            let _going_on: Sender<()> = going_on;
            done.map_or_else(|| read_version(&file, language), Ok)
        };
        let thread = std::thread::Builder::new().name("lop-reading".into());
        Ok(PendingRead {
            input: input.clone(),
            language,
            thread: thread.spawn(read).or_fail(FAILED)?,
            over,
        })
    }

    /// Shows the beginning of the file on the screen until all of it is read, if that takes long enough to see.
    pub fn show_beginning(
        &self,
        test: &InterestingnessTest,
        options: PassOptions,
        setup: ScreenSetup,
    ) -> Result<(), CommandFailure> {
        if self.over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
            return Ok(());
        }
        let bytes = Arc::from(&self.input.bytes[..beginning_length(&self.input.bytes)]);
        let Ok(version) = parse_input(&self.input, self.language, &bytes) else {
            return Ok(());
        };
        let name = self.input.file_name().escape_hidden();
        let context = ScreenContext {
            title: format!("{name}: reading, and this is how it begins"),
            test: test.to_string(),
            ..ScreenContext::default()
        };
        // No engine receives these commands yet.
        let (commands, _) = unbounded();
        let board = reduce::static_board(&version, options);
        match tui::run_screen_until(
            CommandTarget::Run(&commands),
            &board,
            context,
            setup,
            None,
            self.over.clone(),
        ) {
            Ok(left) => match left.reason {
                ExitReason::Superseded => Ok(()),
                ExitReason::User => Err(CommandFailure::stopped_by_signal(SIGINT)),
                ExitReason::Signal(signal) => Err(CommandFailure::stopped_by_signal(signal)),
            },
            Err(error) => Err(error).or_fail(FAILED),
        }
    }

    /// Waits for the version, or for a signal.
    pub fn wait_for_version(self, signals: &Receiver<i32>) -> Result<Version, CommandFailure> {
        select! {
            recv(self.over) -> _ => {}
            recv(signals) -> signal => return Err(CommandFailure::stopped_by_signal(signal.unwrap_or_default())),
        }
        self.thread
            .join()
            .unwrap_or_else(|_| Err(CommandFailure::new(FAILED, "the file cannot be read")))
    }
}

/// The length of the shown beginning: to a line with a closing brace, else to the end of a line.
fn beginning_length(text: &[u8]) -> usize {
    let text = &text[..text.len().min(BEGINNING)];
    let ends = |ends: fn(&[u8]) -> bool| (0..text.len()).rev().find(|&at| ends(&text[..=at]));
    ends(|text| text.ends_with(b"\n}\n"))
        .or_else(|| ends(|text| text.ends_with(b"\n")))
        .map_or(text.len(), |last| last + 1)
}
