//! Following a run to its end, without a screen.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, never, select};

use super::{About, Totals};
use crate::reduce::{Command, Event, Run};
use crate::session::watch::{Change, Unsettled, Watch};

/// Who tells of a run.
pub trait Voice {
    /// The run is about to begin.
    fn begin(&mut self, about: &About);
    /// Something happened; so long after the start of the run.
    fn event(&mut self, event: &Event, time: Duration);
    /// Something happened that is no event of the run, as trouble with the output.
    fn note(&mut self, text: &str, time: Duration);
    /// No event came for a while; so long after the start of the run.
    fn quiet(&mut self, time: Duration);
    /// The run has ended. Nothing follows.
    fn end(&mut self, totals: &Totals);
}

/// After so long without an event the voice may speak by itself.
const QUIET: Duration = Duration::from_secs(1);

/// Follows a run until its last event. A signal stops the run, and is returned; `troubles` are notes about the output, `files` is what
/// changes on the disk meanwhile.
pub fn watch(
    run: &Run,
    voice: &mut dyn Voice,
    signals: &Receiver<i32>,
    troubles: &Receiver<String>,
    files: &Watch,
) -> Option<i32> {
    let started = Instant::now();
    let mut heard = None;
    let (mut changes, mut unsettled) = (files.changes.clone(), Unsettled::default());
    let (mut signals, mut troubles) = (signals.clone(), troubles.clone());
    loop {
        select! {
            recv(run.events) -> event => match event {
                Ok(event) => {
                    voice.event(&event, started.elapsed());
                    if let Event::Finished(_) = event {
                        return heard;
                    }
                }
                Err(_) => return heard,
            },
            recv(signals) -> signal => match signal {
                Ok(signal) => {
                    heard.get_or_insert(signal);
                    // A run that has ended meanwhile hears nothing.
                    let _ = run.commands.send(Command::Stop);
                }
                Err(_) => signals = never(),
            },
            recv(troubles) -> trouble => match trouble {
                Ok(trouble) => voice.note(&trouble, started.elapsed()),
                Err(_) => troubles = never(),
            },
            recv(changes) -> change => match change {
                Ok(change) => unsettled.hear(change),
                Err(_) => changes = never(),
            },
            recv(unsettled.until.map_or_else(never, at)) -> _ => {
                for notice in unsettled.settled().into_iter().filter_map(Change::notice) {
                    voice.note(notice, started.elapsed());
                }
            }
            recv(at(Instant::now() + QUIET)) -> _ => voice.quiet(started.elapsed()),
        }
    }
}
