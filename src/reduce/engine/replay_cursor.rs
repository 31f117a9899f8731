//! The recorded events of an interrupted run, and how many of them were replayed.

use std::time::Instant;

use crate::display::UnixTime;
use crate::reduce::commands::EngineCommand;
use crate::reduce::decision::Decision;
use crate::reduce::history::VersionHistory;
use crate::reduce::ports::{RecordedEvent, RestorePoint, ResumePlan};
use crate::reduce::reporting::RunRecord;
use crate::reduce::results::TestResult;
use std::time::Duration;

/// A replay under way.
pub(in crate::reduce) struct ResumeReplay {
    pub resume: ResumePlan,
    /// How many decisions are replayed.
    pub decisions: Decision,
    /// How many events were recorded.
    pub length: usize,
    pub last_note: Instant,
    pub last_report: Instant,
    /// Commands that the user sent meanwhile.
    pub deferred_commands: Vec<EngineCommand>,
}

impl ResumeReplay {
    pub fn new(resume: ResumePlan) -> ResumeReplay {
        let decided = |event: &&RecordedEvent| matches!(event, RecordedEvent::Decided { .. });
        ResumeReplay {
            decisions: resume.events.iter().filter(decided).count() as Decision,
            length: resume.events.len(),
            resume,
            last_note: Instant::now(),
            last_report: Instant::now(),
            deferred_commands: Vec::new(),
        }
    }

    /// Reports how many decisions were replayed.
    pub fn report_progress(&self, record: &RunRecord, done: Decision) {
        record
            .publisher
            .show_replay_progress(Some((done, self.decisions)));
    }

    /// How many events were replayed.
    pub fn replayed_count(&self) -> usize {
        self.length - self.resume.events.len()
    }

    /// The restore point here, by its place in the list.
    pub fn find_restore_point(&self) -> Option<usize> {
        let done = self.replayed_count();
        let here = |restored: &RestorePoint| restored.replayed == done && restored.until >= done;
        self.resume.restored.iter().rposition(here)
    }

    /// The events that are restored from here on, and whether the replay continues after them.
    pub fn take_unreplayable(&mut self) -> (Vec<RecordedEvent>, bool) {
        let known = self.resume.divergence.is_none();
        match self.find_restore_point().filter(|_| known) {
            Some(at) => {
                let count = self.resume.restored[at].until - self.replayed_count();
                self.resume.restored.drain(..=at);
                (self.resume.events.drain(..count).collect(), true)
            }
            None => (self.resume.events.drain(..).collect(), false),
        }
    }

    /// Whether the replay follows the recording here, and no restore point comes before or after it.
    pub fn follows_recording(&mut self, history: &VersionHistory) -> bool {
        self.resume.divergence.is_none()
            && self.find_restore_point().is_none()
            && self.skip_derived_events(history)
            && self.find_restore_point().is_none()
    }

    /// Whether the versions follow the recording.
    pub fn skip_derived_events(&mut self, history: &VersionHistory) -> bool {
        loop {
            match self.resume.events.front() {
                Some(RecordedEvent::Accepted { version, hash, .. }) => {
                    let same = history.get(*version);
                    if same.is_none_or(|same| same.hash != *hash) {
                        return false;
                    }
                }
                Some(RecordedEvent::VersionSwitched { .. }) => {}
                _ => return true,
            }
            self.resume.events.pop_front();
        }
    }
}

/// The next step of a replay.
pub(super) enum ReplayAction {
    Reject,
    /// The parser has yet to confirm what was accepted.
    Confirm,
    /// It refuses that.
    Unconfirmed,
    Decide(TestResult, (Duration, Option<UnixTime>)),
    Execute(EngineCommand),
    Differs,
    Finished,
}
