//! Following a run to its end, without a screen.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, never, select};

use super::{RunHeader, RunSummary};
use crate::reduce::{EngineCommand, RunEvent, RunHandle};
use crate::session::file_watcher::{ChangeDebouncer, FileWatcher};

/// A reporter of a run. Times are since its start.
pub trait RunReporter {
    /// The run is about to begin.
    fn report_start(&mut self, about: &RunHeader);
    /// Something happened.
    fn report_event(&mut self, event: &RunEvent, time: Duration);
    /// Something happened that is not an event of the run, such as trouble with the output.
    fn report_note(&mut self, text: &str, time: Duration);
    /// No event came for a while.
    fn report_idle(&mut self, time: Duration);
    /// The run has ended. Nothing follows.
    fn report_end(&mut self, totals: &RunSummary);
}

/// After this time without an event [`RunReporter::report_idle`] is called.
const QUIET: Duration = Duration::from_secs(1);

/// Follows a run until its last event. A signal stops the run, and is returned; `troubles` are notes about the output, `files` is what
/// changes on the disk meanwhile.
pub fn follow_run(
    run: &RunHandle,
    voice: &mut dyn RunReporter,
    signals: &Receiver<i32>,
    troubles: &Receiver<String>,
    files: &FileWatcher,
) -> Option<i32> {
    let mut started = Instant::now();
    let mut heard = None;
    let (mut changes, mut unsettled) = (files.changes.clone(), ChangeDebouncer::default());
    let (mut signals, mut troubles) = (signals.clone(), troubles.clone());
    loop {
        select! {
            recv(run.events) -> event => match event {
                Ok(event) => {
                    if let RunEvent::Replayed { elapsed, .. } = event {
                        started = started.checked_sub(elapsed).unwrap_or(started);
                    }
                    voice.report_event(&event, started.elapsed());
                    if let RunEvent::Finished(_) = event {
                        return heard;
                    }
                }
                Err(_) => return heard,
            },
            recv(signals) -> signal => match signal {
                Ok(signal) => {
                    heard.get_or_insert(signal);
                    // The run may have ended meanwhile.
                    let _ = run.commands.send(EngineCommand::Stop);
                }
                Err(_) => signals = never(),
            },
            recv(troubles) -> trouble => match trouble {
                Ok(trouble) => voice.report_note(&trouble, started.elapsed()),
                Err(_) => troubles = never(),
            },
            recv(changes) -> change => match change {
                Ok(change) => unsettled.add_change(change),
                Err(_) => changes = never(),
            },
            recv(unsettled.settle_at.map_or_else(never, at)) -> _ => {
                for change in unsettled.take_settled() {
                    if let Some(command) = change.to_command() {
                        // The run may have ended meanwhile.
                        let _ = run.commands.send(command);
                    }
                    if let Some(notice) = change.notice_text() {
                        voice.report_note(notice, started.elapsed());
                    }
                }
            }
            recv(at(Instant::now() + QUIET)) -> _ => voice.report_idle(started.elapsed()),
        }
    }
}
