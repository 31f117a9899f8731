//! Failures of commands, with their exit status.

use std::fmt::Display;

use signal_hook::consts::SIGINT;

/// Why there is no result, and the exit status for it.
#[derive(Debug)]
pub struct CommandFailure {
    /// For the process.
    pub status: u8,
    /// For the user: what happened, where, what to do.
    pub error: anyhow::Error,
}

/// The exit status of an original that is not interesting, and of having nothing to do.
pub const NOTHING_TO_DO: u8 = 1;
/// The exit status of an invalid command line.
pub const USAGE: u8 = 2;
/// The exit status when the test or the system failed.
pub const FAILED: u8 = 3;

impl CommandFailure {
    /// A failure with a sentence.
    pub fn new(status: u8, message: impl Display) -> CommandFailure {
        CommandFailure {
            status,
            error: anyhow::anyhow!("{message}"),
        }
    }

    /// Stopped by a signal before there was anything to keep.
    pub fn stopped_by_signal(signal: i32) -> CommandFailure {
        CommandFailure::new(
            signal_status(signal),
            "stopped before the reduction began; nothing was written",
        )
    }

    /// Stopped by a signal, or by the user, before a session was resumed.
    pub fn session_unchanged(signal: Option<i32>) -> CommandFailure {
        // `q` on the screen ends like Ctrl-C.
        CommandFailure::new(
            signal_status(signal.unwrap_or(SIGINT)),
            "stopped before the run resumed; the session is unchanged",
        )
    }

    /// Stopped by a signal before there was anything to say.
    pub fn check_interrupted(signal: i32) -> CommandFailure {
        CommandFailure::new(signal_status(signal), "stopped before the check had ended")
    }
}

/// The exit status of a process that was stopped by this signal.
pub fn signal_status(signal: i32) -> u8 {
    128u8.saturating_add(signal.try_into().unwrap_or(0))
}

/// Turns an error into a failure.
pub trait OrFail<T> {
    /// The value, or a failure with this exit status.
    fn or_fail(self, status: u8) -> Result<T, CommandFailure>;
}

impl<T, E: Into<anyhow::Error>> OrFail<T> for Result<T, E> {
    fn or_fail(self, status: u8) -> Result<T, CommandFailure> {
        self.map_err(|error| CommandFailure {
            status,
            error: error.into(),
        })
    }
}
