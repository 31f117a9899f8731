//! The session that made a result: its verdicts need no test.

use std::ffi::OsString;
use std::path::Path;

use crate::cli::launch::test_spec::TestSpec;
use crate::cli::session_lookup::all_sessions;
use crate::session::InputFile;
use crate::session::history::SessionHistory;

/// The newest session with this test that reads or writes this file and has a version with its bytes.
pub fn find_result_session(input: &InputFile, test_spec: &TestSpec) -> Option<SessionHistory> {
    let file = std::path::absolute(&input.named).ok()?;
    all_sessions().into_iter().find_map(|place| {
        let run = place.read_header().ok()?.run?;
        let is_about = run.input == file || run.output == file;
        if !is_about || !test_spec.matches_run(&run) {
            return None;
        }
        let history = SessionHistory::read_from(&place.journal_path()).ok()?;
        history
            .versions
            .contains_texts(&[Some(input.bytes.clone())])
            .then_some(history)
    })
}

/// The name under which the test of a session saw its candidates.
pub fn candidate_name(session: &SessionHistory) -> Option<OsString> {
    let run = session.header.run.as_ref()?;
    run.input.file_name().map(|name| Path::new(name).into())
}
