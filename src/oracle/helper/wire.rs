//! What a runner's thread and its helper say to each other, a frame each.
//!
//! Both ends are the same program, and the greeting says its version, so nothing here needs to be understood by another release.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use super::frame::{self, FrameReader, WireFrame};
use crate::oracle::test_command::{RunStep, RunStepError, TestCommand, TestCommandResult};
use crate::oracle::{
    CgroupLimits, LimitKind, ResourceQuotas, TestExit, TestOutput, TestRun, TimeLimits,
};

/// What the helper says first.
pub(super) type HelperGreeting = Result<CgroupLimits, String>;

/// What the helper is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HelperRequest {
    /// Run a test.
    Run(Box<TestCommand>),
    /// Kill the test that runs. Means nothing when none does.
    Cancel,
}

/// What the helper answers to an errand.
#[derive(Debug)]
pub(super) struct HelperReport {
    pub result: TestCommandResult,
    /// What the helper itself has used since its start.
    pub own_cpu: Duration,
    /// Whether a process resists, which only another helper is safe from.
    pub is_unusable: bool,
}

impl WireFrame {
    pub(super) fn from_greeting(greeting: &HelperGreeting) -> WireFrame {
        let mut frame = WireFrame::new();
        let reason = greeting.as_ref().err().map_or("", String::as_str);
        let held = *greeting.as_ref().unwrap_or(&CgroupLimits::default());
        frame
            .put_bytes(&[env!("CARGO_PKG_VERSION").as_bytes()])
            .put_byte(greeting.is_ok().into())
            .put_byte(held.memory.into())
            .put_byte(held.processes.into())
            .put_bytes(&[reason.as_bytes()]);
        frame
    }

    pub(super) fn cancel_request() -> WireFrame {
        let mut frame = WireFrame::new();
        frame.put_byte(0);
        frame
    }

    pub(super) fn from_command(errand: &TestCommand) -> WireFrame {
        let mut frame = WireFrame::new();
        frame.put_byte(1).put_byte(errand.judged.into());
        for path in [&errand.dir, &errand.work_dir, &errand.temp_dir] {
            frame.put_bytes(&[path.as_os_str().as_bytes()]);
        }
        let errors = errand.stderr_path.as_deref().unwrap_or("".as_ref());
        frame.put_bytes(&[errors.as_os_str().as_bytes()]);
        let home = errand
            .home_dir
            .as_ref()
            .map(|home| home.as_os_str().as_bytes());
        let ResourceQuotas {
            memory,
            processes,
            disk,
        } = errand.quotas;
        frame
            .put_bytes(&[home.unwrap_or_default()])
            .put_optional_duration(errand.limits.wall)
            .put_optional_duration(errand.limits.cpu)
            .put_optional_u64(memory)
            .put_optional_u64(processes)
            .put_optional_u64(disk)
            .put_u64(errand.argv.len() as u64);
        for word in &errand.argv {
            frame.put_bytes(&[word.as_bytes()]);
        }
        frame
    }

    pub(super) fn from_report(report: &HelperReport) -> WireFrame {
        let mut frame = WireFrame::new();
        frame
            .put_byte(report.is_unusable.into())
            .put_duration(report.own_cpu);
        match &report.result {
            Ok(None) => {
                frame.put_byte(0);
            }
            Ok(Some(run)) => {
                let (kind, number) = match run.exit {
                    TestExit::Code(code) => (0, code),
                    TestExit::Signal(signal) => (1, signal),
                    TestExit::Killed(bound) => (2, limit_index(bound)),
                };
                let (head, (tail, rest), numbers) = run.output.to_parts();
                frame
                    .put_byte(1)
                    .put_byte(kind)
                    .put_u64(i64::from(number).cast_unsigned())
                    .put_duration(run.time)
                    .put_optional_duration(run.cpu);
                numbers.iter().for_each(|number| {
                    frame.put_u64(*number);
                });
                frame.put_bytes(&[head]).put_bytes(&[tail, rest]);
            }
            Err(RunStepError { step, error }) => {
                let step = match step {
                    RunStep::Pipe => 0,
                    RunStep::Start => 1,
                    RunStep::Wait => 2,
                    RunStep::Memory => 3,
                };
                let errno = error.raw_os_error().unwrap_or_default();
                frame
                    .put_byte(2)
                    .put_byte(step)
                    .put_u64(i64::from(errno).cast_unsigned())
                    .put_bytes(&[error.to_string().as_bytes()]);
            }
        }
        frame
    }
}

/// Where a bound stands in the list of them.
fn limit_index(bound: LimitKind) -> i32 {
    let at = LimitKind::ALL.iter().position(|one| *one == bound);
    at.and_then(|at| i32::try_from(at).ok()).unwrap_or_default()
}

/// What a greeting says; an error if another program, or another release, speaks.
pub(super) fn parse_greeting(frame: &[u8]) -> io::Result<HelperGreeting> {
    let mut frame = FrameReader(frame);
    let version = frame.read_text()?;
    if version != env!("CARGO_PKG_VERSION") {
        return Err(io::Error::other(format!("it is of release {version}")));
    }
    let able = frame.read_byte()? != 0;
    let held = CgroupLimits {
        memory: frame.read_byte()? != 0,
        processes: frame.read_byte()? != 0,
    };
    let reason = frame.read_text()?;
    Ok(if able { Ok(held) } else { Err(reason) })
}

pub(super) fn parse_request(frame: &[u8]) -> io::Result<HelperRequest> {
    let mut frame = FrameReader(frame);
    if frame.read_byte()? == 0 {
        return Ok(HelperRequest::Cancel);
    }
    let judged = frame.read_byte()? != 0;
    let [dir, work, temporary] = [
        frame.read_os_string()?,
        frame.read_os_string()?,
        frame.read_os_string()?,
    ]
    .map(PathBuf::from);
    let [errors, home] = [frame.read_os_string()?, frame.read_os_string()?]
        .map(|path| Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty()));
    let limits = TimeLimits {
        wall: frame.read_optional_duration()?,
        cpu: frame.read_optional_duration()?,
    };
    let quotas = ResourceQuotas {
        memory: frame.read_optional_u64()?,
        processes: frame.read_optional_u64()?,
        disk: frame.read_optional_u64()?,
    };
    let count = frame.read_u64()?;
    let line = (0..count)
        .map(|_| frame.read_os_string())
        .collect::<io::Result<_>>()?;
    Ok(HelperRequest::Run(Box::new(TestCommand {
        argv: line,
        dir,
        work_dir: work,
        temp_dir: temporary,
        home_dir: home,
        stderr_path: errors,
        judged,
        limits,
        quotas,
    })))
}

pub(super) fn parse_report(frame: &[u8]) -> io::Result<HelperReport> {
    let mut frame = FrameReader(frame);
    let spent = frame.read_byte()? != 0;
    let own_cpu = frame.read_duration()?;
    let done = match frame.read_byte()? {
        0 => Ok(None),
        1 => Ok(Some(parse_run(&mut frame)?)),
        _ => {
            let step = match frame.read_byte()? {
                0 => RunStep::Pipe,
                1 => RunStep::Start,
                2 => RunStep::Wait,
                _ => RunStep::Memory,
            };
            let (errno, reason) = (frame.read_i32()?, frame.read_text()?);
            let error = match errno {
                0 => io::Error::other(reason),
                errno => io::Error::from_raw_os_error(errno),
            };
            Err(RunStepError { step, error })
        }
    };
    Ok(HelperReport {
        result: done,
        own_cpu,
        is_unusable: spent,
    })
}

fn parse_run(frame: &mut FrameReader<'_>) -> io::Result<TestRun> {
    let (kind, number) = (frame.read_byte()?, frame.read_i32()?);
    let exit = match kind {
        0 => TestExit::Code(number),
        1 => TestExit::Signal(number),
        _ => {
            let bound = usize::try_from(number)
                .ok()
                .and_then(|at| LimitKind::ALL.get(at));
            TestExit::Killed(*bound.ok_or_else(frame::malformed_frame)?)
        }
    };
    let (time, cpu) = (frame.read_duration()?, frame.read_optional_duration()?);
    let numbers = [frame.read_u64()?, frame.read_u64()?, frame.read_u64()?];
    let (head, tail) = (frame.read_bytes()?.to_vec(), frame.read_bytes()?.to_vec());
    Ok(TestRun {
        exit,
        time,
        cpu,
        output: TestOutput::from_parts(head, tail, numbers),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::helper::frame::{read_frame, write_frame};
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use proptest::prelude::*;

    /// What is read of a frame that was written.
    fn passed(frame: WireFrame) -> Vec<u8> {
        let mut pipe = Vec::new();
        write_frame(&mut pipe, frame).expect("sent");
        let mut pipe = pipe.as_slice();
        let bytes = read_frame(&mut pipe).expect("received").expect("a frame");
        assert!(read_frame(&mut pipe).expect("an end").is_none());
        bytes
    }

    fn through(done: TestCommandResult) -> HelperReport {
        let sent = HelperReport {
            result: done,
            own_cpu: Duration::from_micros(7),
            is_unusable: true,
        };
        let heard = parse_report(&passed(WireFrame::from_report(&sent))).expect("a report");
        assert!(heard.is_unusable && heard.own_cpu == sent.own_cpu);
        heard
    }

    #[test]
    fn what_is_said_is_heard() {
        assert_eq!(
            parse_request(&passed(WireFrame::cancel_request())).expect("a request"),
            HelperRequest::Cancel
        );
        let errand = TestCommand {
            argv: vec!["/bin/sh".into(), OsString::from_vec(b"odd \xff\n".to_vec())],
            dir: "/d".into(),
            work_dir: "/d/w".into(),
            temp_dir: "/d/t".into(),
            home_dir: Some("/d/h".into()),
            quotas: ResourceQuotas {
                memory: Some(1 << 40),
                processes: None,
                disk: Some(0),
            },
            stderr_path: Some("/d/errors".into()),
            judged: true,
            limits: TimeLimits {
                wall: Some(Duration::from_millis(1500)),
                cpu: None,
            },
        };
        assert_eq!(
            parse_request(&passed(WireFrame::from_command(&errand))).expect("a request"),
            HelperRequest::Run(Box::new(errand))
        );
        let held = CgroupLimits {
            memory: false,
            processes: true,
        };
        for said in [Ok(held), Err("no /proc".to_owned())] {
            let heard =
                parse_greeting(&passed(WireFrame::from_greeting(&said))).expect("a greeting");
            assert_eq!(heard, said);
        }
    }

    #[test]
    fn every_end_arrives() {
        for exit in [
            TestExit::Code(-1),
            TestExit::Code(255),
            TestExit::Signal(11),
        ]
        .into_iter()
        .chain(LimitKind::ALL.map(TestExit::Killed))
        {
            let said = TestRun {
                exit,
                time: Duration::from_nanos(1_234_567_890_123),
                cpu: Some(Duration::from_micros(3)),
                output: TestOutput::from_text("x".repeat(200_000)),
            };
            let heard = through(Ok(Some(said.clone()))).result.expect("done");
            let heard = heard.expect("a run");
            assert_eq!(
                (heard.exit, heard.time, heard.cpu, heard.output),
                (said.exit, said.time, said.cpu, said.output)
            );
        }
        assert!(matches!(through(Ok(None)).result, Ok(None)));
        for error in [io::Error::from_raw_os_error(28), io::Error::other("words")] {
            let (text, errno) = (error.to_string(), error.raw_os_error());
            let trouble = RunStepError {
                step: RunStep::Start,
                error,
            };
            let heard = through(Err(trouble)).result.expect_err("trouble");
            assert_eq!(
                (
                    heard.step,
                    heard.error.to_string(),
                    heard.error.raw_os_error()
                ),
                (RunStep::Start, text, errno)
            );
        }
    }

    proptest! {
        #[test]
        fn nonsense_is_refused_and_nothing_more(bytes: Vec<u8>) {
            let _ = (parse_greeting(&bytes).is_ok(), parse_request(&bytes).is_ok(), parse_report(&bytes).is_ok());
            let _ = read_frame(&mut bytes.as_slice()).is_ok();
        }
    }
}
