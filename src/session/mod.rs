//! One reduction on disk: the input as it was, the file that always holds the best version, and the journal of all that happened.
//!
//! The engine waits for its journal, and never for the disk that holds the output. An [`OutputWriter`] on a thread of its own receives new versions and puts the newest one in the
//! place of the last, whole or not at all; the [`OutputFile`] is that place, claimed for this run alone. The journal is flushed at each accepted
//! version, and synced before an output is renamed.
//!
//! | files | subject |
//! | --- | --- |
//! | `journal/`, `journal_decoder.rs`, `history.rs` | the journal as lines, what its lines mean, and the events of a session in their order |
//! | `replay.rs`, `timeline.rs`, `player.rs`, `seek.rs`, `playback_thread.rs` | a recorded run: the dialogue again, its moments, and playing them |
//! | `result_place.rs`, `result_claim.rs`, `output.rs`, `output_choice.rs`, `output_directory.rs`, `directory_layout.rs`, `output_error.rs`, `output_sequence.rs`, `output_writer.rs`, `other_failures.rs` | where results go |
//! | `own_files.rs`, `file_writer.rs`, `file_names.rs`, `lock.rs` | files that lop keeps beside the user's, and locks on them |
//! | `session_directory.rs`, `attach_socket.rs`, `opened_session.rs`, `ownership.rs` | where sessions lie, where a running one is looked at, and whose they are |
//! | `verdict_cache.rs`, `recorded_verdicts.rs`, `store_runner.rs`, `missing_candidate.rs` | `--cache`, `--verdicts`, and `--offline` |
//! | `saved_candidates.rs`, `verdict_line.rs` | `--save-candidates` |
//! | `input.rs`, `run_input.rs`, `project_input.rs`, `file_watcher.rs` | the input, and files that change during a run |
//! | `in_place.rs` | `--in-place` of a project: its files change at the end |
//! | `export.rs`, `race_page.rs` | pages for a browser, and traces |
//!
//! Resuming is the dialogue again (`reduce/engine/resume.rs`). A replay is the same with an observer that sees each moment
//! (`ResumePlan::observer`), and it ends where the recording does.

mod attach_socket;
mod directory_layout;
pub mod export;
mod file_names;
pub mod file_watcher;
mod file_writer;
pub mod history;
mod in_place;
mod input;
pub mod journal;
mod journal_decoder;
mod lock;
mod missing_candidate;
mod opened_session;
mod other_failures;
mod output;
mod output_choice;
mod output_directory;
mod output_error;
mod output_sequence;
mod output_writer;
mod own_files;
pub mod ownership;
pub mod playback_thread;
pub mod player;
mod project_input;
pub mod race_page;
mod recorded_verdicts;
pub mod replay;
mod result_claim;
mod result_place;
mod run_input;
mod saved_candidates;
pub mod seek;
pub mod session_directory;
mod store_runner;
pub mod timeline;
mod verdict_cache;
mod verdict_line;

pub use attach_socket::{AttachListener, ConnectError, connect_to_session};
pub use directory_layout::{TextDifference, write_result_files};
pub use file_writer::{replace_executable, strip_temporary_path};
pub use in_place::{InPlaceError, InPlaceProject};
pub use input::{InputError, InputFile, LARGEST};
pub use lock::LockHolder;
pub use missing_candidate::keep_missing_candidate;
pub use opened_session::{OpenedSession, effective_user_id, ensure_owned_by_user};
pub use other_failures::{FailureCriterion, FailureForm, OtherFailureDirectory};
pub use output::OutputFile;
pub use output_choice::{EarlierOutput, OutputChoice};
pub use output_directory::{OutputDirectory, ResultProgram, read_result_programs};
pub use output_error::OutputError;
pub use output_writer::OutputWriter;
pub use own_files::{UnexpectedFile, create_executable, create_new};
pub use project_input::{ProjectError, ProjectInput, ProjectScope};
pub use recorded_verdicts::{RecordedVerdicts, RecordedVerdictsError};
pub use result_claim::claim_result_place;
pub use result_place::ResultPlace;
pub use run_input::RunInput;
pub use saved_candidates::{CandidateDirectory, SavedCandidatesError};
pub use store_runner::{StoreRunner, recall_outcome};
pub use verdict_cache::VerdictCache;
pub use verdict_line::read_verdict_line;

/// A stretch of time in one unit, as people say it.
pub fn format_age(time: std::time::Duration) -> String {
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
