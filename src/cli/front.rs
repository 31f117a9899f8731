//! Who tells of a run: the screen, lines, or JSON.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use crossbeam_channel::never;

use super::args::Common;
use super::complain;
use super::failure::{FAILED, Failure, OrFail};
use super::signals::Signals;
use crate::display::{Shown, Stream, is_terminal};
use crate::oracle::{self, Scratch};
use crate::plain::{About, Json, Lines, Out, Totals, Voice, watch};
use crate::reduce::{Command, Run};
use crate::session::Keeper;
use crate::session::watch::{Files, Watch};
use crate::tui::setup::Setup;
use crate::tui::{self, Behind, Context, Leave, Left};

/// Who tells of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Front {
    Screen,
    Lines,
    Json,
}

impl Front {
    /// What the user wants, or what there is.
    pub fn choose(common: &Common) -> Front {
        match common.json {
            true => Front::Json,
            false => Front::of(common.plain),
        }
    }

    /// The screen, if there is a terminal and nobody wants lines.
    pub fn of(plain: bool) -> Front {
        let terminal = || {
            is_terminal(Stream::Output)
                && io::stdin().is_terminal()
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        };
        match !plain && terminal() {
            true => Front::Screen,
            false => Front::Lines,
        }
    }
}

/// A run that has just begun.
pub(super) struct Show {
    pub run: Run,
    pub keeper: Keeper,
    /// Where its tests run.
    pub scratch: Scratch,
    pub about: About,
    /// What to do with the result, for the screen's last page.
    pub next: Vec<String>,
    /// What the screen tells at its start.
    pub notice: Option<String>,
    /// How long it stood still before it was gone on with.
    pub rested: Duration,
    /// What the screen begins with.
    pub setup: Setup,
}

/// Tells of a run until its end; the exit status.
pub(super) fn show(front: Front, show: Show, signals: Signals) -> Result<u8, Failure> {
    match front {
        Front::Json => show.follow(&signals, &mut Json::new(Out::stdout())),
        Front::Lines => show.follow(&signals, &mut Lines::new(Out::stdout())),
        Front::Screen => show.screen(signals),
    }
}

impl Show {
    /// The test, if it is a file: it may change meanwhile.
    fn test_file(&self) -> Option<PathBuf> {
        let script = self.about.test.script();
        script.map(|script| script.path().to_path_buf())
    }

    /// The input, unless the run itself writes it, which is no news.
    fn input_file(&self) -> Option<PathBuf> {
        let input = std::path::absolute(&self.about.file).ok();
        input.filter(|_| self.about.output != self.about.file)
    }

    /// Without a screen.
    fn follow(self, signals: &Signals, voice: &mut dyn Voice) -> Result<u8, Failure> {
        voice.begin(&self.about);
        let files = Watch::open(Files {
            test: self.test_file(),
            input: self.input_file(),
            ..Files::default()
        });
        let troubles = self.keeper.troubles();
        let signal = watch(&self.run, voice, &signals.heard, troubles, &files);
        let rested = self.rested;
        let mut totals = self.close(signal, voice)?;
        totals.rested = rested;
        voice.end(&totals);
        Ok(totals.status())
    }

    /// On the screen. What is to be kept of it stands before and after it on the normal terminal.
    fn screen(mut self, signals: Signals) -> Result<u8, Failure> {
        let mut voice = Lines::new(Out::stdout());
        voice.begin(&self.about);
        // The screen shows snapshots; events that nobody takes would pile up.
        self.run.events = never();
        let context = Context {
            title: self
                .about
                .file
                .file_name()
                .unwrap_or_default()
                .shown()
                .into_owned(),
            test: self.about.test.to_string(),
            output: self.about.output.clone(),
            next: std::mem::take(&mut self.next),
            notice: self.notice.take(),
            test_file: self.test_file(),
            input: self.input_file(),
            rested: self.rested,
            replay: false,
        };
        let setup = self.setup.clone();
        // From here on the screen hears signals itself: it must give the terminal back first.
        let early = signals.heard.try_recv().ok();
        drop(signals);
        let left = match early {
            Some(signal) => Ok(Left {
                leave: Leave::Signal(signal),
                trouble: None,
                rested: self.rested,
            }),
            None => tui::run(
                Behind::Run(&self.run.commands),
                &self.run.board,
                context,
                setup,
            ),
        };
        let _signals = Signals::listen().or_fail(FAILED)?;
        // Nothing to stop if it has ended.
        let _ = self.run.commands.send(Command::Stop);
        let signal = match &left {
            Ok(Left { leave, trouble, .. }) => {
                if let Some(trouble) = trouble {
                    complain(&format!("the run stood still when it was left: {trouble}"));
                }
                match leave {
                    Leave::Signal(signal) => Some(*signal),
                    Leave::User | Leave::Over => None,
                }
            }
            Err(error) => {
                complain(&error.to_string());
                None
            }
        };
        for trouble in self.keeper.troubles().try_iter() {
            complain(&trouble);
        }
        let rested = self.rested;
        let mut totals = self.close(signal, &mut voice)?;
        totals.rested = left.as_ref().map_or(rested, |left| left.rested);
        voice.end(&totals);
        Ok(if left.is_err() {
            FAILED
        } else {
            totals.status()
        })
    }

    /// Ends the run and its output, and tells what there is to say of that.
    fn close(self, signal: Option<i32>, voice: &mut dyn Voice) -> Result<Totals, Failure> {
        let board = self.run.board.clone();
        let last = self.run.finish().ok_or_else(|| match board.again() {
            Some(_) => Failure::as_it_was(signal),
            None => Failure::new(
                FAILED,
                "lop's engine died before it began, which is a fault of lop",
            ),
        })?;
        let (written, said) = self.keeper.finish(last.clone());
        // No test runs any more.
        self.scratch.clear();
        for said in said.into_iter().chain(oracle::left_behind()) {
            voice.note(&said, last.now.saturating_duration_since(last.started));
        }
        let lost = written.err().map(|lost| lost.to_string());
        Ok(Totals::new(&last, &self.about, signal, lost))
    }
}
