//! The server of a worker, between two candidates (`server.rs`).

use super::helper::TestHelper;
use super::test_dir::TestDir;

/// The server of one worker. It ends with its helper when this is dropped.
#[derive(Debug)]
pub(super) struct ServerSeat {
    pub helper: TestHelper,
    /// The server's own directory, if it runs. Removed after its end.
    pub home: Option<TestDir>,
    /// What it has answered since its start; at least 1 when a question was withdrawn.
    pub answers: u32,
    /// See [`super::server_trust::ServerTrust::generation`].
    pub generation: u64,
}

impl ServerSeat {
    /// For a server in this helper, which is started with the first question.
    pub(super) fn new(helper: TestHelper) -> ServerSeat {
        ServerSeat {
            helper,
            home: None,
            answers: 0,
            generation: 0,
        }
    }

    /// Ends the server. The next question starts another.
    pub(super) fn end_server(&mut self) {
        self.helper.end_process();
        self.forget_server();
    }

    /// The server has ended by itself. The next question starts another, in another directory.
    pub(super) fn forget_server(&mut self) {
        (self.home, self.answers) = (None, 0);
    }
}
