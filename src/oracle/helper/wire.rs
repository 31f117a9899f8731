//! The messages between a runner's thread and its helper. Each is one frame, encoded by postcard.
//!
//! Both ends are the same program, and the greeting carries its version, so no release has to read the messages of another.

use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::oracle::server_pipe::ServerAnswer;
use crate::oracle::server_process::ServerQuestion;
use crate::oracle::test_command::{RunStep, RunStepError, TestCommand, TestCommandResult};
use crate::oracle::{CgroupLimits, TestRun};

/// The first message of a helper.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HelperGreeting {
    version: String,
    /// The limits that its control groups enforce, or why it cannot run tests.
    readiness: Result<CgroupLimits, String>,
}

/// A message to the helper.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum HelperRequest {
    /// Kill the running test. Has no effect if none runs.
    Cancel,
    /// Run a test.
    Run(Box<TestCommand>),
    /// Ask a server, which stays alive.
    Ask(Box<ServerQuestion>),
}

/// The helper's answer to [`HelperRequest::Run`] and [`HelperRequest::Ask`].
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HelperReport {
    result: Result<Option<TestRun>, WireStepError>,
    /// What a server said, if one was asked.
    pub answer: ServerAnswer,
    /// Processor time of the helper itself since its start.
    pub own_cpu: Duration,
    /// Whether a process of the test could not be killed. Only a new helper is safe from it.
    pub is_unusable: bool,
}

/// [`RunStepError`] as a message. An [`io::Error`] is sent as its number, or as its text if it has none.
#[derive(Debug, Serialize, Deserialize)]
struct WireStepError {
    step: RunStep,
    errno: Option<i32>,
    text: String,
}

impl HelperGreeting {
    pub(super) fn new(readiness: Result<CgroupLimits, String>) -> HelperGreeting {
        HelperGreeting {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            readiness,
        }
    }

    /// The limits that the helper's control groups enforce.
    ///
    /// # Errors
    /// If the other end is another release, or cannot run tests.
    pub(super) fn into_limits(self) -> io::Result<CgroupLimits> {
        if self.version != env!("CARGO_PKG_VERSION") {
            let version = self.version;
            return Err(io::Error::other(format!("it is of release {version}")));
        }
        self.readiness.map_err(io::Error::other)
    }
}

impl HelperReport {
    pub(super) fn new(
        result: TestCommandResult,
        answer: ServerAnswer,
        own_cpu: Duration,
        is_unusable: bool,
    ) -> HelperReport {
        HelperReport {
            result: result.map_err(WireStepError::from),
            answer,
            own_cpu,
            is_unusable,
        }
    }

    pub(super) fn into_result(self) -> TestCommandResult {
        self.result.map_err(RunStepError::from)
    }
}

impl From<RunStepError> for WireStepError {
    fn from(RunStepError { step, error }: RunStepError) -> WireStepError {
        WireStepError {
            step,
            errno: error.raw_os_error(),
            text: error.to_string(),
        }
    }
}

impl From<WireStepError> for RunStepError {
    fn from(WireStepError { step, errno, text }: WireStepError) -> RunStepError {
        let error = match errno {
            Some(errno) => io::Error::from_raw_os_error(errno),
            None => io::Error::other(text),
        };
        RunStepError { step, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::helper::frame::{
        decode_message, malformed_frame, read_frame, write_message,
    };
    use crate::oracle::{LimitKind, ResourceQuotas, TestExit, TestOutput, TimeLimits};
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use proptest::prelude::*;
    use serde::de::DeserializeOwned;

    /// The message after a frame was written and read.
    fn round_trip<T: Serialize + DeserializeOwned>(message: &T) -> T {
        let mut pipe = Vec::new();
        write_message(&mut pipe, message).expect("sent");
        let mut pipe = pipe.as_slice();
        let frame = read_frame(&mut pipe).expect("received").expect("a frame");
        assert!(read_frame(&mut pipe).expect("an end").is_none());
        decode_message(&frame).expect("a message")
    }

    fn report_round_trip(result: TestCommandResult) -> TestCommandResult {
        let own_cpu = Duration::from_micros(7);
        let answer = ServerAnswer::Status(7);
        let report = round_trip(&HelperReport::new(result, answer, own_cpu, true));
        assert!(report.is_unusable && report.own_cpu == own_cpu);
        assert_eq!(report.answer, ServerAnswer::Status(7));
        report.into_result()
    }

    fn odd_name(start: &str) -> OsString {
        OsString::from_vec([start.as_bytes(), b" \xff\n"].concat())
    }

    #[test]
    fn requests_and_greetings_arrive() {
        assert_eq!(round_trip(&HelperRequest::Cancel), HelperRequest::Cancel);
        let command = TestCommand {
            argv: vec!["/bin/sh".into(), odd_name("odd")],
            dir: odd_name("/d").into(),
            work_dir: "/d/w".into(),
            temp_dir: "/d/t".into(),
            home_dir: Some(odd_name("/d/h").into()),
            quotas: ResourceQuotas {
                memory: Some(1 << 40),
                processes: None,
                disk: Some(0),
            },
            stdout_path: Some(odd_name("/d/program").into()),
            stderr_path: None,
            judged: true,
            is_server: true,
            limits: TimeLimits {
                wall: Some(Duration::from_millis(1500)),
                cpu: None,
            },
        };
        let question = ServerQuestion {
            command: command.clone(),
            candidate: odd_name("/d/w").into(),
            once: true,
        };
        for request in [
            HelperRequest::Run(Box::new(command)),
            HelperRequest::Ask(Box::new(question)),
        ] {
            assert_eq!(round_trip(&request), request);
        }
        let limits = CgroupLimits {
            memory: false,
            processes: true,
        };
        for readiness in [Ok(limits), Err("no /proc".to_owned())] {
            let greeting = round_trip(&HelperGreeting::new(readiness.clone()));
            let limits = greeting.into_limits().map_err(|error| error.to_string());
            assert_eq!(limits, readiness);
        }
    }

    #[test]
    fn another_release_is_refused() {
        let greeting = HelperGreeting {
            version: "0.0.0".into(),
            readiness: Ok(CgroupLimits::default()),
        };
        let refused = greeting.into_limits().expect_err("refused");
        assert_eq!(refused.to_string(), "it is of release 0.0.0");
    }

    #[test]
    fn every_result_arrives() {
        for exit in [
            TestExit::Code(-1),
            TestExit::Code(255),
            TestExit::Signal(11),
        ]
        .into_iter()
        .chain(LimitKind::ALL.map(TestExit::Killed))
        {
            let sent = TestRun {
                exit,
                time: Duration::from_nanos(1_234_567_890_123),
                cpu: Some(Duration::from_micros(3)),
                output: TestOutput::from_text("x".repeat(200_000)),
            };
            let received = report_round_trip(Ok(Some(sent.clone()))).expect("a result");
            let received = received.expect("a run");
            assert_eq!(
                (received.exit, received.time, received.cpu, received.output),
                (sent.exit, sent.time, sent.cpu, sent.output)
            );
        }
        assert!(matches!(report_round_trip(Ok(None)), Ok(None)));
        for error in [io::Error::from_raw_os_error(28), io::Error::other("words")] {
            let (text, errno) = (error.to_string(), error.raw_os_error());
            let step = RunStep::Start;
            let received = report_round_trip(Err(RunStepError { step, error }));
            let RunStepError { step, error } = received.expect_err("an error");
            assert_eq!(
                (step, error.to_string(), error.raw_os_error()),
                (RunStep::Start, text, errno)
            );
        }
    }

    #[test]
    fn a_message_of_the_wrong_length_is_refused() {
        let mut pipe = Vec::new();
        write_message(&mut pipe, &HelperRequest::Cancel).expect("sent");
        let frame = read_frame(&mut pipe.as_slice()).expect("received");
        let frame = frame.expect("a frame");
        for wrong in [[&frame[..], b"x"].concat(), Vec::new()] {
            let refused = decode_message::<HelperRequest>(&wrong).expect_err("refused");
            assert_eq!(refused.to_string(), malformed_frame().to_string());
        }
    }

    proptest! {
        /// Also a length that promises more than there is costs an error, and no memory.
        #[test]
        fn garbage_is_refused(bytes: Vec<u8>) {
            let _ = decode_message::<HelperGreeting>(&bytes).is_ok();
            let _ = decode_message::<HelperRequest>(&bytes).is_ok();
            let _ = decode_message::<HelperReport>(&bytes).is_ok();
            let _ = read_frame(&mut bytes.as_slice()).is_ok();
        }
    }
}
