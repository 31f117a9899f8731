//! One attached terminal, from its first word to its last: the screen is opened, shown, and left.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never};

use super::super::line_pace::LineKind;
use super::super::paced_screen::PacedScreen;
use super::super::screen_loop::ScreenLoop;
use super::super::screen_thread::spawn_screen_thread;
use super::super::{CommandTarget, ExitReason, TuiError};
use super::attached_port::AttachedPort;
use super::messages::{
    LONGEST_REPLY, ScreenMessage, TerminalHello, exchange_greetings, read_message,
};
use crate::config::{ConfigErrors, ConfigLayer, ConfigSources, SettingOrigin, find_option};
use crate::oracle::catch_panic;
use crate::reduce::{EngineCommand, RunAudience, RunState, SnapshotBoard};
use crate::session::file_watcher::{FileWatcher, WatchedFiles};
use crate::tui::app::App;
use crate::tui::run_view::ScreenContext;
use crate::tui::setup::ScreenSetup;

/// How long a process that connects may take to say who it is, in all.
const GREETING_LIMIT: Duration = Duration::from_secs(5);

/// A run that terminals can be attached to.
#[derive(Debug)]
pub struct AttachedRun {
    /// Receives the commands of all screens.
    pub commands: Sender<EngineCommand>,
    /// Holds the newest snapshot.
    pub board: Arc<SnapshotBoard>,
    /// Who looks at the run.
    pub audience: RunAudience,
    /// Facts about the run.
    pub context: ScreenContext,
}

/// Greets a process that has connected, and hears what its terminal is.
///
/// # Errors
/// When it is no lop of this version, or takes too long.
pub fn greet_terminal(stream: &UnixStream) -> io::Result<TerminalHello> {
    let mut limited = DeadlineStream {
        stream,
        deadline: Instant::now() + GREETING_LIMIT,
    };
    exchange_greetings(&mut limited).map_err(io::Error::other)?;
    let hello = read_message(&mut limited, LONGEST_REPLY)?;
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    Ok(hello)
}

/// A connection whose reads and writes all end at one moment.
struct DeadlineStream<'a> {
    stream: &'a UnixStream,
    deadline: Instant,
}

impl DeadlineStream<'_> {
    /// How long the next read or write may take.
    fn remaining_time(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(Some(left)),
        }
    }
}

impl Read for DeadlineStream<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.remaining_time()?)?;
        self.stream.read(bytes)
    }
}

impl Write for DeadlineStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.remaining_time()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Shows the run on an attached terminal until its user leaves, the terminal is gone, or `over` is disconnected: the run has ended. What is said to
/// the terminal goes to `outgoing`. A panic ends this screen alone.
pub fn show_attached_screen(
    stream: UnixStream,
    hello: &TerminalHello,
    run: &AttachedRun,
    outgoing: &Sender<ScreenMessage>,
    over: &Receiver<()>,
) {
    let show = || open_attached_screen(stream, hello, run, outgoing, over);
    if let Some(last) = last_message(show) {
        // It may be gone.
        let _ = outgoing.try_send(last);
    }
}

/// The last message of a screen, if there is one to send: that of a screen that panics says so.
fn last_message(show: impl FnOnce() -> Option<ScreenMessage>) -> Option<ScreenMessage> {
    catch_panic(show).unwrap_or_else(|text| {
        Some(ScreenMessage::Failed(format!(
            "the attached screen has failed, which is a fault of lop: {text}"
        )))
    })
}

/// Shows the run; returns the last message, if there is one to send.
fn open_attached_screen(
    stream: UnixStream,
    hello: &TerminalHello,
    run: &AttachedRun,
    outgoing: &Sender<ScreenMessage>,
    over: &Receiver<()>,
) -> Option<ScreenMessage> {
    let variable = |name: &str| hello.variable(name);
    let setup = match hello.read_setup() {
        Ok(setup) => setup,
        Err(faults) => return Some(ScreenMessage::Refused(faults.to_string())),
    };
    let opened = AttachedPort::new(stream, hello.size, outgoing.clone());
    let opened = opened.and_then(|(terminal, read)| {
        spawn_screen_thread("attached-reader", read)?;
        Ok(terminal)
    });
    let terminal = match opened {
        Ok(terminal) => terminal,
        Err(error) => return Some(ScreenMessage::Refused(error.to_string())),
    };
    let mouse = setup.config.is_mouse_enabled();
    outgoing.try_send(ScreenMessage::Welcome(mouse)).ok()?;
    let seat = (run.audience).enter(run.commands.clone(), run.board.clone());
    // The files of the run are watched by whoever shows it in its own process.
    let files = WatchedFiles {
        config: setup.sources.file.clone(),
        themes: setup.themes.directory.clone(),
        ..WatchedFiles::default()
    };
    let watch = FileWatcher::start_on(files, spawn_screen_thread);
    let context = ScreenContext {
        guess: hello.guess,
        is_attached: true,
        ..run.context.clone()
    };
    let mut app = App::new(context, setup);
    app.greet_attached_user();
    let line = LineKind::of_environment(variable);
    let screen = PacedScreen::on_terminal(Box::new(terminal), line);
    let target = CommandTarget::Run(&run.commands);
    let mut screen_loop = ScreenLoop::new(app, screen, &run.board, target);
    screen_loop.seat = Some(seat);
    let left = screen_loop.run(&never(), &watch, over);
    match left {
        Ok(exit) if exit.reason == ExitReason::User => {
            Some(ScreenMessage::Left(describe_left_run(run).to_owned()))
        }
        // Whoever ends the run tells how it ended.
        Ok(_) => None,
        // It is gone, and hears nothing any more.
        Err(TuiError::Terminal(_)) => None,
        Err(error @ TuiError::Panicked) => Some(ScreenMessage::Failed(error.to_string())),
    }
}

impl TerminalHello {
    fn variable(&self, name: &str) -> Option<String> {
        let mut variables = self.variables.iter();
        let (_, value) = variables.find(|(known, _)| known == name)?;
        Some(value.clone())
    }

    /// The configuration of the attached user, for the attached terminal.
    fn read_setup(&self) -> Result<ScreenSetup, ConfigErrors> {
        let mut flags = ConfigLayer::default();
        for (name, value) in &self.flags {
            if let Some(option) = find_option(name) {
                flags.set_option(option, value, SettingOrigin::Flag(option.flag_name()))?;
            }
        }
        let sources = ConfigSources::new(self.config.clone(), flags, |name| self.variable(name))?;
        ScreenSetup::new(sources, |name| self.variable(name))
    }
}

/// What becomes of the run that a user leaves. Nobody is kept waiting by who has gone.
fn describe_left_run(run: &AttachedRun) -> &'static str {
    let newest = run.board.newest_snapshot();
    let state = newest.map(|newest| newest.state.clone());
    match state.filter(|state| run.audience.is_present() || !state.is_suspended()) {
        Some(RunState::Paused(_)) => "the run stays paused",
        Some(RunState::Stalled(_)) => "the run waits for another test",
        Some(RunState::Finished(_)) => "the run is at its end",
        Some(RunState::Running) | None => "the run goes on",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_that_panics_ends_with_a_message_and_nothing_else_does() {
        let last = last_message(|| panic!("row {} of {}", 3, 2));
        let said = "the attached screen has failed, which is a fault of lop: row 3 of 2";
        assert!(matches!(last, Some(ScreenMessage::Failed(text)) if text == said));
        assert!(last_message(|| None).is_none());
    }

    #[test]
    fn who_says_a_little_now_and_then_is_not_heard_for_ever() {
        let (ours, mut theirs) = UnixStream::pair().expect("a connection");
        theirs.write_all(b"lop").expect("it is written");
        let mut limited = DeadlineStream {
            stream: &ours,
            deadline: Instant::now() + Duration::from_secs(60),
        };
        let mut byte = [0];
        limited.read_exact(&mut byte).expect("in time");
        limited.deadline = Instant::now();
        let late = limited.read(&mut byte).map_err(|error| error.kind());
        assert_eq!(late, Err(io::ErrorKind::TimedOut));
    }
}
