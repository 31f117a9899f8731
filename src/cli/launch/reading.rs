//! The original as a tree. A long file is parsed while the test runs on it, and the screen shows its beginning meanwhile.
//!
//! During that time the screen executes no commands, and forgets what the user folds.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, after, bounded, select, unbounded};
use signal_hook::consts::SIGINT;

use super::{derivation, language_choice};
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::messages::report_message;
use crate::display::{EscapeHidden, format_count};
use crate::language::Language;
use crate::oracle::InterestingnessTest;
use crate::pass::PassOptions;
use crate::program::{self, DocumentSource, Version};
use crate::reduce;
use crate::session::{InputFile, RunInput};
use crate::tui::setup::ScreenSetup;
use crate::tui::{self, CommandTarget, ExitReason, ScreenContext, SignalListener};

/// Files with more bytes are long, and are read on a thread of their own. Shorter ones are read in a few hundredths of a second.
const LONG: u64 = 100_000;
/// How many bytes of a long file are shown while it is read.
const BEGINNING: usize = 1 << 16;
/// The screen is not shown if the file is read sooner.
const PATIENCE: Duration = Duration::from_millis(300);

/// The original in these languages, one for each file; without one, as lines and tokens.
pub fn read_version(
    input: &RunInput,
    languages: &[Option<&'static Language>],
) -> Result<Version, CommandFailure> {
    let texts = input.files().iter().map(|file| file.bytes.clone());
    let version = match (input.main_file(), input.files(), languages) {
        (
            InputFile {
                tree: Some(tree), ..
            },
            [file],
            [language],
        ) => {
            let path = Path::new(file.file_name()).into();
            derivation::read_given_tree((*language, path, file.bytes.clone()), tree)?
        }
        _ => parse_input(input, languages, texts).or_fail(FAILED)?,
    };
    let is_project = input.project().is_some();
    for ((file, language), tree) in input
        .files()
        .iter()
        .zip(languages)
        .zip(version.parse_trees().iter())
    {
        if tree.as_ref().is_some_and(|tree| tree.count_faults() > 0) {
            language_choice::check_syntax(*language, &file.named, &file.bytes)?;
        }
    }
    for (file, document) in input.files().iter().zip(version.documents()) {
        // The program that passes may be empty where a difference is isolated; no other command reads an empty file.
        if document.root.sums().tokens == 0 && !file.bytes.is_empty() && !is_project {
            let what = format!(
                "{} has no tokens: there is nothing to reduce; name another file",
                file.named.escape_hidden()
            );
            return Err(CommandFailure::new(NOTHING_TO_DO, what));
        }
    }
    match input {
        RunInput::Pair(_) if version.size().primary() == 0 => Err(CommandFailure::new(
            NOTHING_TO_DO,
            format!(
                "{input} have the same tokens: there is no difference to reduce; name a variant that differs"
            ),
        )),
        _ => Ok(version),
    }
}

/// The files in canonical form.
pub fn write_canonically(
    input: RunInput,
    languages: &[Option<&'static Language>],
) -> Result<RunInput, CommandFailure> {
    // What cannot be read is said of the file as it is.
    read_version(&input, languages)?;
    let texts = input.files().iter().zip(languages).map(|(file, language)| {
        let language = language.filter(|language| language.layout().is_some());
        let language = language.ok_or_else(|| {
            let what = format!(
                "--canonical is for languages that say how their programs are laid out, such as Boolean programs, and {} is in none; leave out --canonical (a grammar in BNF says so with %new-line and its like: docs/GRAMMARS.md, Layout)",
                file.named.escape_hidden()
            );
            CommandFailure::new(USAGE, what)
        })?;
        program::canonical_text(language, &file.named, &file.bytes).or_fail(FAILED)
    });
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    Ok(input.with_texts(texts))
}

/// The version of these texts, one for each file.
fn parse_input(
    input: &RunInput,
    languages: &[Option<&'static Language>],
    texts: impl Iterator<Item = Arc<[u8]>>,
) -> Result<Version, program::ReadError> {
    let sources = input.files().iter().zip(languages).zip(texts);
    let mut sources = sources.map(|((file, language), text)| -> DocumentSource {
        (*language, file.test_path().into(), text)
    });
    match input {
        RunInput::Program(_) => program::read_documents(sources.collect()),
        RunInput::Project(project) => {
            let freedoms = project.freedoms().iter().copied();
            program::read_project(sources.zip(freedoms).collect())
        }
        RunInput::Pair(_) => match (sources.next(), sources.next()) {
            (Some(seed), Some(variant)) => program::read_pair(seed, variant),
            _ => program::read_documents(Vec::new()),
        },
    }
}

/// How these files begin; none if that cannot be read.
pub fn read_beginning(
    input: &RunInput,
    languages: &[Option<&'static Language>],
) -> Option<Version> {
    let texts = input.files().iter().map(|file| beginning(&file.bytes));
    parse_input(input, languages, texts.map(Arc::from)).ok()
}

/// Files that are being read.
pub struct PendingRead {
    input: RunInput,
    languages: Vec<Option<&'static Language>>,
    thread: JoinHandle<Result<Version, CommandFailure>>,
    /// Disconnected when it is over.
    over: Receiver<()>,
}

impl PendingRead {
    /// Reads the files; long ones on a thread of their own.
    pub fn start(
        input: &RunInput,
        languages: &[Option<&'static Language>],
    ) -> Result<PendingRead, CommandFailure> {
        let (going_on, over) = bounded(0);
        let done = match input.byte_count() < LONG {
            true => Some(read_version(input, languages)?),
            false => None,
        };
        let (files, of_files) = (input.clone(), languages.to_vec());
        let read = move || {
            let _going_on: Sender<()> = going_on;
            done.map_or_else(|| read_version(&files, &of_files), Ok)
        };
        let thread = std::thread::Builder::new().name("lop-reading".into());
        Ok(PendingRead {
            input: input.clone(),
            languages: languages.to_vec(),
            thread: thread.spawn(read).or_fail(FAILED)?,
            over,
        })
    }

    /// Shows the beginning of the file on the screen until all of it is read, if that takes long enough to see. Until there is a screen, which hears
    /// signals itself, one of `signals` ends the run.
    pub fn show_beginning(
        &self,
        test: &InterestingnessTest,
        options: PassOptions,
        setup: ScreenSetup,
        signals: &Receiver<i32>,
    ) -> Result<(), CommandFailure> {
        select! {
            recv(self.over) -> _ => return Ok(()),
            recv(signals) -> signal => return Err(CommandFailure::stopped_by_signal(signal.unwrap_or_default())),
            default(PATIENCE) => {}
        }
        let Some(version) = read_beginning(&self.input, &self.languages) else {
            return Ok(());
        };
        let context = ScreenContext {
            title: format!("{}: reading, and this is how it begins", self.input.title()),
            test: test.to_string(),
            ..ScreenContext::default()
        };
        let ends = SignalListener::start_listening().or_fail(FAILED)?;
        if let Ok(signal) = signals.try_recv() {
            return Err(CommandFailure::stopped_by_signal(signal));
        }
        // No engine receives these commands yet.
        let (commands, _) = unbounded();
        let board = reduce::static_board(&version, options);
        match tui::run_screen_until(
            CommandTarget::Run(&commands),
            &board,
            context,
            setup,
            None,
            &ends,
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

    /// Waits for the version, or for a signal. If that takes long enough to see, a message says what is waited for.
    pub fn wait_for_version(self, signals: &Receiver<i32>) -> Result<Version, CommandFailure> {
        let patience = after(PATIENCE / 2);
        loop {
            select! {
                recv(self.over) -> _ => break,
                recv(signals) -> signal => return Err(CommandFailure::stopped_by_signal(signal.unwrap_or_default())),
                recv(patience) -> _ => report_message(&format!(
                    "reading {}, {}; Ctrl-C stops it",
                    self.input,
                    format_count(self.input.byte_count(), "byte")
                )),
            }
        }
        self.thread
            .join()
            .unwrap_or_else(|_| Err(CommandFailure::new(FAILED, "the file cannot be read")))
    }
}

/// The shown beginning: to a line with a closing brace, else to the end of a line.
fn beginning(text: &[u8]) -> &[u8] {
    let text = &text[..text.len().min(BEGINNING)];
    let ends = |ends: fn(&[u8]) -> bool| (0..text.len()).rev().find(|&at| ends(&text[..=at]));
    let last = ends(|text| text.ends_with(b"\n}\n")).or_else(|| ends(|text| text.ends_with(b"\n")));
    last.map_or(text, |last| &text[..=last])
}
