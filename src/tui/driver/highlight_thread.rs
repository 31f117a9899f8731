//! The thread that highlights: it works on the newest request, in slices, and looks for a newer one between them.

use std::thread;

use crossbeam_channel::{Receiver, Sender, TryRecvError, never, unbounded};

use crate::tui::highlighting::{HighlightRequest, HighlightStep, HighlightUpdate, TextHighlighter};

/// The thread, once it is needed.
pub struct HighlightThread {
    requests: Option<Sender<HighlightRequest>>,
    /// What it tells.
    pub updates: Receiver<HighlightUpdate>,
}

impl HighlightThread {
    /// No thread yet.
    pub fn new() -> HighlightThread {
        HighlightThread {
            requests: None,
            updates: never(),
        }
    }

    /// Has it work on this request from now on. Without a thread there are no colours.
    pub fn send_request(&mut self, request: HighlightRequest) {
        let requests = self.requests.get_or_insert_with(|| {
            let (requests, incoming) = unbounded();
            let (outgoing, updates) = unbounded();
            let work = move || highlight_texts(&incoming, &outgoing);
            let started = thread::Builder::new().name("highlight".into()).spawn(work);
            if started.is_ok() {
                self.updates = updates;
            }
            requests
        });
        let _ = requests.send(request);
    }
}

/// Works until the screen is gone.
fn highlight_texts(requests: &Receiver<HighlightRequest>, updates: &Sender<HighlightUpdate>) {
    let mut highlighter = TextHighlighter::default();
    while let Ok(request) = requests.recv() {
        highlighter.take_request(requests.try_iter().last().unwrap_or(request));
        loop {
            match highlighter.advance() {
                HighlightStep::Update(update) => {
                    if updates.send(update).is_err() {
                        return;
                    }
                }
                HighlightStep::Working => {}
                HighlightStep::Idle => break,
            }
            match newest_request(requests) {
                Ok(Some(newer)) => highlighter.take_request(newer),
                Ok(None) => {}
                Err(ScreenGone) => return,
            }
        }
    }
}

/// Nobody asks any more.
struct ScreenGone;

/// The newest of the requests that wait, if any does.
fn newest_request(
    requests: &Receiver<HighlightRequest>,
) -> Result<Option<HighlightRequest>, ScreenGone> {
    let mut newest = None;
    loop {
        match requests.try_recv() {
            Ok(request) => newest = Some(request),
            Err(TryRecvError::Empty) => return Ok(newest),
            Err(TryRecvError::Disconnected) => return Err(ScreenGone),
        }
    }
}
