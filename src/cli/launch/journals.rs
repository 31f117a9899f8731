//! The journals of a run: that of its session, and that of `--journal`.

use std::fmt::Display;

use super::plan::{RunPlan, SessionChoice};
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::session::journal::{JournalFile, JournalHeader, JournalSet, JournalSyncHandle};
use crate::session::session_directory::{self, ClaimedSession, SessionDirectory};

/// The journals of a run.
#[derive(Default)]
pub struct RunJournals {
    pub journals: JournalSet,
    pub synced: Option<JournalSyncHandle>,
    pub session: Option<ClaimedSession>,
}

impl RunJournals {
    /// Creates the journals of the plan, for a file of this name. A note says why a wanted session is missing.
    pub fn create(
        plan: &RunPlan,
        header: &JournalHeader,
        file_name: &str,
        notes: &mut Vec<String>,
    ) -> Result<RunJournals, CommandFailure> {
        let mut created = RunJournals::default();
        let claimed = match &plan.session {
            SessionChoice::NoSession => None,
            SessionChoice::At(directory) => {
                Some(SessionDirectory::create(directory).or_fail(USAGE)?)
            }
            SessionChoice::New => create_session(file_name, notes),
        };
        if let Some(claimed) = claimed {
            match JournalFile::create(&claimed.session.journal_path(), header) {
                Ok(journal) => {
                    created.synced = Some(journal.sync_handle());
                    created.journals.0.push(journal);
                    created.session = Some(claimed);
                }
                Err(error) => {
                    claimed.abandon();
                    notes.push(missing_session_note(&error));
                }
            }
        }
        if let Some(path) = &plan.journal {
            let journal = JournalFile::create(path, header).or_fail(USAGE);
            let journal = journal.inspect_err(|_| created.abandon_session())?;
            created.journals.0.push(journal);
        }
        Ok(created)
    }

    /// Removes the session, because the run does not begin.
    pub fn abandon_session(&mut self) {
        if let Some(session) = self.session.take() {
            session.abandon();
        }
    }
}

/// A new session in the usual directory.
fn create_session(file_name: &str, notes: &mut Vec<String>) -> Option<ClaimedSession> {
    let Some(sessions) = session_directory::sessions_directory() else {
        notes.push(missing_session_note(
            &"neither XDG_STATE_HOME nor HOME is set",
        ));
        return None;
    };
    SessionDirectory::create_numbered(&sessions, file_name)
        .inspect_err(|error| notes.push(missing_session_note(error)))
        .ok()
}

fn missing_session_note(why: &dyn Display) -> String {
    format!("no session is kept, so this run cannot be resumed: {why}")
}
