//! Where the stages of a test run, and why they may come to no end.

use std::io;

use rustix::io::Errno;

use super::cleanup::OwnDir;
use super::helper::{HelperFailure, LostHelper, TestHelper};
use super::server_seat::ServerSeat;
use super::wait::CancelSignal;
use super::{NoVerdict, ScratchSpace, TestIsolation, TestOutcome};

/// A disk with fewer free bytes counts as full.
const LEAST_ROOM: u64 = 64 << 10;

/// Where a test runs, and who looks after it.
pub(super) struct TestSetting<'a> {
    pub scratch: &'a ScratchSpace,
    pub isolation: &'a TestIsolation,
    /// Without one the test is a child of this process.
    pub helper: Option<&'a mut TestHelper>,
    /// Ends the test.
    pub cancel_signal: Option<&'a CancelSignal>,
    /// The server that may answer; without one, each candidate has a fresh process of it.
    pub server: Option<&'a mut ServerSeat>,
    /// What was found out about the test, for the user.
    pub notice: Option<String>,
    /// See [`super::JobResult::is_unconfirmed`].
    pub is_unconfirmed: bool,
}

/// Why there is no result of any stage.
pub(super) enum StageAbort {
    Finished(Box<TestOutcome>),
    HelperLost(LostHelper),
}

impl TestSetting<'_> {
    /// The directory of the helper's tests, if it is in a sandbox.
    pub(super) fn ensure_room(&mut self) -> Result<Option<OwnDir>, StageAbort> {
        match self.helper.as_deref_mut() {
            Some(helper) => {
                let room = helper.ensure_directory().map_err(directory_failure)?;
                Ok(room.cloned())
            }
            None => Ok(None),
        }
    }
}

/// The directory of a test could not be written.
pub(super) fn directory_failure(error: io::Error) -> StageAbort {
    NoVerdict::from_system_error("writing the candidate", &error).into()
}

impl From<HelperFailure> for StageAbort {
    fn from(failure: HelperFailure) -> StageAbort {
        match failure {
            HelperFailure::Lost(lost) => StageAbort::HelperLost(lost),
            HelperFailure::Refused(reason) => reason.into(),
        }
    }
}

impl From<NoVerdict> for StageAbort {
    fn from(reason: NoVerdict) -> StageAbort {
        StageAbort::Finished(Box::new(TestOutcome::NoVerdict(reason)))
    }
}

/// Fails if the disk is full.
pub(super) fn check_disk(scratch: &ScratchSpace) -> Result<(), StageAbort> {
    match is_disk_full(scratch) {
        true => Err(disk_failure()),
        false => Ok(()),
    }
}

/// A test failed because the disk is full.
pub(super) fn disk_failure() -> StageAbort {
    let full = io::Error::from(Errno::NOSPC);
    NoVerdict::from_system_error("running the test", &full).into()
}

/// Whether the disk is full. Must be checked before the test's files are removed.
pub(super) fn is_disk_full(scratch: &ScratchSpace) -> bool {
    let disk = rustix::fs::statvfs(scratch.root_path());
    disk.is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST_ROOM)
}
