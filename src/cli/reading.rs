//! The original as a tree. A long one is read while the test is asked about it, and the screen shows its beginning meanwhile.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select, unbounded};
use signal_hook::consts::SIGINT;

use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail};
use super::tongue;
use crate::display::Shown;
use crate::language::Language;

use crate::oracle::Test;
use crate::pass::Options;
use crate::program::{self, Version};
use crate::reduce;
use crate::session::Input;
use crate::tui::setup::Setup;
use crate::tui::{self, Behind, Context, Leave};

/// From so many bytes on a file is long, and is read on a thread of its own: others are read in a few hundredths of a second.
const LONG: usize = 100_000;
/// How many bytes of a long file are shown while it is read.
const BEGINNING: usize = 1 << 16;
/// A screen that would be gone again sooner is not shown.
const PATIENCE: Duration = Duration::from_millis(300);

/// The original in this language; in none, as lines and tokens.
pub(super) fn version(
    input: &Input,
    language: Option<&'static Language>,
) -> Result<Version, Failure> {
    let version = read(input, language, &input.bytes).or_fail(FAILED)?;
    if version
        .trees()
        .iter()
        .flatten()
        .any(|tree| tree.faults() > 0)
    {
        tongue::complain(language, &input.named, &input.bytes)?;
    }
    match version.tokens() {
        0 => Err(Failure::new(
            NOTHING_TO_DO,
            format!(
                "{} has no tokens: there is nothing to reduce; name another file",
                input.named.shown()
            ),
        )),
        _ => Ok(version),
    }
}

fn read(
    input: &Input,
    language: Option<&'static Language>,
    bytes: &Arc<[u8]>,
) -> Result<Version, program::ReadError> {
    let path = Path::new(input.name());
    program::read_as(vec![(language, path.into(), bytes.clone())])
}

/// A file that is being read.
pub(super) struct Reading {
    input: Input,
    language: Option<&'static Language>,
    thread: JoinHandle<Result<Version, Failure>>,
    /// Disconnected when it is over.
    over: Receiver<()>,
}

impl Reading {
    /// Reads the file, if it is long on a thread of its own.
    pub fn start(input: &Input, language: Option<&'static Language>) -> Result<Reading, Failure> {
        let (going_on, over) = bounded(0);
        let done = match input.bytes.len() < LONG {
            true => Some(version(input, language)?),
            false => None,
        };
        let file = input.clone();
        let read = move || {
            let _going_on: Sender<()> = going_on;
            done.map_or_else(|| version(&file, language), Ok)
        };
        let thread = std::thread::Builder::new().name("lop-reading".into());
        Ok(Reading {
            input: input.clone(),
            language,
            thread: thread.spawn(read).or_fail(FAILED)?,
            over,
        })
    }

    /// Shows the beginning of the file on the screen until all of it is read, if that takes long enough to see.
    pub fn show(&self, test: &Test, options: Options, setup: Setup) -> Result<(), Failure> {
        if self.over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
            return Ok(());
        }
        let bytes = Arc::from(&self.input.bytes[..beginning(&self.input.bytes)]);
        let Ok(version) = read(&self.input, self.language, &bytes) else {
            return Ok(());
        };
        let name = self.input.name().shown();
        let context = Context {
            title: format!("{name}: reading, and this is how it begins"),
            test: test.to_string(),
            ..Context::default()
        };
        // Nobody obeys yet.
        let (commands, _) = unbounded();
        let board = reduce::still(&version, options);
        match tui::show(
            Behind::Run(&commands),
            &board,
            context,
            setup,
            self.over.clone(),
        ) {
            Ok(left) => match left.leave {
                Leave::Over => Ok(()),
                Leave::User => Err(Failure::stopped(SIGINT)),
                Leave::Signal(signal) => Err(Failure::stopped(signal)),
            },
            Err(error) => Err(error).or_fail(FAILED),
        }
    }

    /// The version, when all is read; or a signal comes.
    pub fn wait(self, signals: &Receiver<i32>) -> Result<Version, Failure> {
        select! {
            recv(self.over) -> _ => {}
            recv(signals) -> signal => return Err(Failure::stopped(signal.unwrap_or_default())),
        }
        self.thread
            .join()
            .unwrap_or_else(|_| Err(Failure::new(FAILED, "the file cannot be read")))
    }
}

/// How much of a text is shown: to the end of a line that ends something, where there is one.
fn beginning(text: &[u8]) -> usize {
    let text = &text[..text.len().min(BEGINNING)];
    let ends = |ends: fn(&[u8]) -> bool| (0..text.len()).rev().find(|&at| ends(&text[..=at]));
    ends(|text| text.ends_with(b"\n}\n"))
        .or_else(|| ends(|text| text.ends_with(b"\n")))
        .map_or(text.len(), |last| last + 1)
}
