//! A thread that works on the newest of the requests of the screen, and tells what it comes to. It starts with the first request.

use crossbeam_channel::{Receiver, Sender, TryRecvError, never, unbounded};

use super::screen_thread::spawn_screen_thread;

/// The thread, once it is needed.
pub struct RequestThread<Request, Update> {
    name: &'static str,
    /// What it does, until nobody asks any more.
    work: fn(&Receiver<Request>, &Sender<Update>),
    requests: Option<Sender<Request>>,
    /// What it tells.
    pub updates: Receiver<Update>,
}

impl<Request: Send + 'static, Update: Send + 'static> RequestThread<Request, Update> {
    /// No thread yet; one that is started has this name, and does this.
    pub fn new(name: &'static str, work: fn(&Receiver<Request>, &Sender<Update>)) -> Self {
        RequestThread {
            name,
            work,
            requests: None,
            updates: never(),
        }
    }

    /// Has it work on this request from now on.
    ///
    /// # Errors
    /// The request, where the system gives no thread.
    pub fn send_request(&mut self, request: Request) -> Result<(), Request> {
        if self.requests.is_none() {
            let (requests, incoming) = unbounded();
            let (outgoing, updates) = unbounded();
            let work = self.work;
            if spawn_screen_thread(self.name, move || work(&incoming, &outgoing)).is_err() {
                return Err(request);
            }
            (self.requests, self.updates) = (Some(requests), updates);
        }
        match &self.requests {
            Some(requests) => requests.send(request).map_err(|refused| refused.0),
            None => Err(request),
        }
    }

    /// The thread is gone: the next request starts another.
    pub fn restart(&mut self) {
        (self.requests, self.updates) = (None, never());
    }
}

/// Nobody asks any more.
pub struct ScreenGone;

/// The newest of the requests that wait, if any does.
pub fn newest_request<Request>(
    requests: &Receiver<Request>,
) -> Result<Option<Request>, ScreenGone> {
    let mut newest = None;
    loop {
        match requests.try_recv() {
            Ok(request) => newest = Some(request),
            Err(TryRecvError::Empty) => return Ok(newest),
            Err(TryRecvError::Disconnected) => return Err(ScreenGone),
        }
    }
}
