//! The thread that reads the candidates which the user opens: the newest request comes first.

use crossbeam_channel::{Receiver, Sender};

use super::request_thread::RequestThread;
use crate::tui::program_view::opened_candidate::{CandidateRequest, OpenedCandidate};

/// The thread, once it is needed.
pub type CandidateThread = RequestThread<CandidateRequest, OpenedCandidate>;

/// No thread yet.
pub fn new_candidate_thread() -> CandidateThread {
    RequestThread::new("candidate", read_candidates)
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
