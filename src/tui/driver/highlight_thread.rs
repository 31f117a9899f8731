//! The thread that highlights: it works on the newest request, in slices, and looks for a newer one between them.

use crossbeam_channel::{Receiver, Sender};

use super::request_thread::{RequestThread, ScreenGone, newest_request};
use crate::tui::highlighting::{HighlightRequest, HighlightStep, HighlightUpdate, TextHighlighter};

/// The thread, once it is needed.
pub type HighlightThread = RequestThread<HighlightRequest, HighlightUpdate>;

/// No thread yet.
pub fn new_highlight_thread() -> HighlightThread {
    RequestThread::new("highlight", highlight_texts)
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
