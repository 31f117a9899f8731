//! One reduction on disk: the input as it was, the file that always holds the best version, and the journal of all that happened.
//!
//! The engine never waits for the disk. A [`Keeper`] on a thread of its own hears of new versions and puts the newest one in the
//! place of the last, whole or not at all; the [`Output`] is that place, claimed for this run alone.

pub mod export;
mod files;
mod input;
pub mod journal;
mod keeper;
mod lock;
mod names;
mod opened;
mod others;
mod output;
pub mod owner;
pub mod past;
pub mod place;
pub mod player;
pub mod projector;
pub mod reel;
pub mod replay;
mod said;
pub mod seek;
mod verdicts;
pub mod watch;
mod write;

pub use files::{StrangeFile, create_new};
pub use input::{Input, InputError, LARGEST};
pub use keeper::Keeper;
pub use lock::Holder;
pub use opened::{OpenedSession, must_be_own};
pub use others::{Also, KeptOthers};
pub use output::{Choice, EarlierPlace, Output, OutputError};
pub use verdicts::VerdictCache;
pub use write::system_words;

/// A stretch of time in one unit, as people say it.
pub fn ago(time: std::time::Duration) -> String {
    let seconds = time.as_secs();
    let (number, unit) = match seconds {
        0..=119 => (seconds, "second"),
        120..=7199 => (seconds / 60, "minute"),
        7200..=172_799 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{plural}")
}
