//! The thread that reads the candidates which the user opens: the newest request comes first.

use std::thread;

use crossbeam_channel::{Receiver, Sender, never, unbounded};

use crate::tui::program_view::opened_candidate::{CandidateRequest, OpenedCandidate};

/// The thread, once it is needed.
pub struct CandidateThread {
    requests: Option<Sender<CandidateRequest>>,
    /// What it has read.
    pub opened: Receiver<OpenedCandidate>,
}

impl CandidateThread {
    /// No thread yet.
    pub fn new() -> CandidateThread {
        CandidateThread {
            requests: None,
            opened: never(),
        }
    }

    /// Has it read this candidate. The result is the candidate itself where the system gives no thread.
    pub fn send_request(&mut self, request: CandidateRequest) -> Option<OpenedCandidate> {
        if self.requests.is_none() {
            let (requests, incoming) = unbounded();
            let (outgoing, opened) = unbounded();
            let work = move || read_candidates(&incoming, &outgoing);
            let started = thread::Builder::new().name("candidate".into()).spawn(work);
            if started.is_err() {
                return Some(request.read_candidate());
            }
            (self.requests, self.opened) = (Some(requests), opened);
        }
        if let Some(requests) = &self.requests {
            // The thread lives as long as the screen.
            let _ = requests.send(request);
        }
        None
    }
}

/// Works until the screen is gone.
fn read_candidates(requests: &Receiver<CandidateRequest>, opened: &Sender<OpenedCandidate>) {
    while let Ok(request) = requests.recv() {
        let newest = requests.try_iter().last().unwrap_or(request);
        if opened.send(newest.read_candidate()).is_err() {
            return;
        }
    }
}
