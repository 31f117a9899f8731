//! What a runner's thread and its helper say to each other, a frame each.
//!
//! Both ends are the same program, and the greeting says its version, so nothing here needs to be understood by another release.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use super::frame::{self, Frame, Reader};
use crate::oracle::errand::{Done, Errand, Step, Trouble};
use crate::oracle::{Bound, Exit, Held, Limits, Output, Quotas, Run};

/// What the helper says first.
pub(super) type Greeting = Result<Held, String>;

/// What the helper is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Run a test.
    Errand(Box<Errand>),
    /// Kill the test that runs. Means nothing when none does.
    Callback,
}

/// What the helper answers to an errand.
#[derive(Debug)]
pub(super) struct Report {
    pub done: Done,
    /// What the helper itself has used since its start.
    pub own_cpu: Duration,
    /// Whether a process resists, which only another helper is safe from.
    pub spent: bool,
}

impl Frame {
    pub(super) fn greeting(greeting: &Greeting) -> Frame {
        let mut frame = Frame::new();
        let reason = greeting.as_ref().err().map_or("", String::as_str);
        let held = *greeting.as_ref().unwrap_or(&Held::default());
        frame
            .bytes(&[env!("CARGO_PKG_VERSION").as_bytes()])
            .byte(greeting.is_ok().into())
            .byte(held.memory.into())
            .byte(held.processes.into())
            .bytes(&[reason.as_bytes()]);
        frame
    }

    pub(super) fn callback() -> Frame {
        let mut frame = Frame::new();
        frame.byte(0);
        frame
    }

    pub(super) fn errand(errand: &Errand) -> Frame {
        let mut frame = Frame::new();
        frame.byte(1).byte(errand.judged.into());
        for path in [&errand.dir, &errand.work, &errand.temporary] {
            frame.bytes(&[path.as_os_str().as_bytes()]);
        }
        let errors = errand.errors.as_deref().unwrap_or("".as_ref());
        frame.bytes(&[errors.as_os_str().as_bytes()]);
        let home = errand.home.as_ref().map(|home| home.as_os_str().as_bytes());
        let Quotas {
            memory,
            processes,
            disk,
        } = errand.quotas;
        frame
            .bytes(&[home.unwrap_or_default()])
            .perhaps(errand.limits.wall)
            .perhaps(errand.limits.cpu)
            .at_most(memory)
            .at_most(processes)
            .at_most(disk)
            .number(errand.line.len() as u64);
        for word in &errand.line {
            frame.bytes(&[word.as_bytes()]);
        }
        frame
    }

    pub(super) fn report(report: &Report) -> Frame {
        let mut frame = Frame::new();
        frame.byte(report.spent.into()).time(report.own_cpu);
        match &report.done {
            Ok(None) => {
                frame.byte(0);
            }
            Ok(Some(run)) => {
                let (kind, number) = match run.exit {
                    Exit::Code(code) => (0, code),
                    Exit::Signal(signal) => (1, signal),
                    Exit::Killed(bound) => (2, bound_number(bound)),
                };
                let (head, (tail, rest), numbers) = run.output.parts();
                frame
                    .byte(1)
                    .byte(kind)
                    .number(i64::from(number).cast_unsigned())
                    .time(run.time)
                    .perhaps(run.cpu);
                numbers.iter().for_each(|number| {
                    frame.number(*number);
                });
                frame.bytes(&[head]).bytes(&[tail, rest]);
            }
            Err(Trouble { step, error }) => {
                let step = match step {
                    Step::Pipe => 0,
                    Step::Start => 1,
                    Step::Wait => 2,
                    Step::Memory => 3,
                };
                let errno = error.raw_os_error().unwrap_or_default();
                frame
                    .byte(2)
                    .byte(step)
                    .number(i64::from(errno).cast_unsigned())
                    .bytes(&[error.to_string().as_bytes()]);
            }
        }
        frame
    }
}

/// Where a bound stands in the list of them.
fn bound_number(bound: Bound) -> i32 {
    let at = Bound::ALL.iter().position(|one| *one == bound);
    at.and_then(|at| i32::try_from(at).ok()).unwrap_or_default()
}

/// What a greeting says; an error if another program, or another release, speaks.
pub(super) fn greeting(frame: &[u8]) -> io::Result<Greeting> {
    let mut frame = Reader(frame);
    let version = frame.text()?;
    if version != env!("CARGO_PKG_VERSION") {
        return Err(io::Error::other(format!("it is of release {version}")));
    }
    let able = frame.byte()? != 0;
    let held = Held {
        memory: frame.byte()? != 0,
        processes: frame.byte()? != 0,
    };
    let reason = frame.text()?;
    Ok(if able { Ok(held) } else { Err(reason) })
}

pub(super) fn request(frame: &[u8]) -> io::Result<Request> {
    let mut frame = Reader(frame);
    if frame.byte()? == 0 {
        return Ok(Request::Callback);
    }
    let judged = frame.byte()? != 0;
    let [dir, work, temporary] =
        [frame.words()?, frame.words()?, frame.words()?].map(PathBuf::from);
    let [errors, home] = [frame.words()?, frame.words()?]
        .map(|path| Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty()));
    let limits = Limits {
        wall: frame.perhaps()?,
        cpu: frame.perhaps()?,
    };
    let quotas = Quotas {
        memory: frame.at_most()?,
        processes: frame.at_most()?,
        disk: frame.at_most()?,
    };
    let count = frame.number()?;
    let line = (0..count)
        .map(|_| frame.words())
        .collect::<io::Result<_>>()?;
    Ok(Request::Errand(Box::new(Errand {
        line,
        dir,
        work,
        temporary,
        home,
        errors,
        judged,
        limits,
        quotas,
    })))
}

pub(super) fn report(frame: &[u8]) -> io::Result<Report> {
    let mut frame = Reader(frame);
    let spent = frame.byte()? != 0;
    let own_cpu = frame.time()?;
    let done = match frame.byte()? {
        0 => Ok(None),
        1 => Ok(Some(run(&mut frame)?)),
        _ => {
            let step = match frame.byte()? {
                0 => Step::Pipe,
                1 => Step::Start,
                2 => Step::Wait,
                _ => Step::Memory,
            };
            let (errno, reason) = (frame.signed()?, frame.text()?);
            let error = match errno {
                0 => io::Error::other(reason),
                errno => io::Error::from_raw_os_error(errno),
            };
            Err(Trouble { step, error })
        }
    };
    Ok(Report {
        done,
        own_cpu,
        spent,
    })
}

fn run(frame: &mut Reader<'_>) -> io::Result<Run> {
    let (kind, number) = (frame.byte()?, frame.signed()?);
    let exit = match kind {
        0 => Exit::Code(number),
        1 => Exit::Signal(number),
        _ => {
            let bound = usize::try_from(number)
                .ok()
                .and_then(|at| Bound::ALL.get(at));
            Exit::Killed(*bound.ok_or_else(frame::garbled)?)
        }
    };
    let (time, cpu) = (frame.time()?, frame.perhaps()?);
    let numbers = [frame.number()?, frame.number()?, frame.number()?];
    let (head, tail) = (frame.bytes()?.to_vec(), frame.bytes()?.to_vec());
    Ok(Run {
        exit,
        time,
        cpu,
        output: Output::from_parts(head, tail, numbers),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::helper::frame::{receive, send};
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use proptest::prelude::*;

    /// What is read of a frame that was written.
    fn passed(frame: Frame) -> Vec<u8> {
        let mut pipe = Vec::new();
        send(&mut pipe, frame).expect("sent");
        let mut pipe = pipe.as_slice();
        let bytes = receive(&mut pipe).expect("received").expect("a frame");
        assert!(receive(&mut pipe).expect("an end").is_none());
        bytes
    }

    fn through(done: Done) -> Report {
        let sent = Report {
            done,
            own_cpu: Duration::from_micros(7),
            spent: true,
        };
        let heard = report(&passed(Frame::report(&sent))).expect("a report");
        assert!(heard.spent && heard.own_cpu == sent.own_cpu);
        heard
    }

    #[test]
    fn what_is_said_is_heard() {
        assert_eq!(
            request(&passed(Frame::callback())).expect("a request"),
            Request::Callback
        );
        let errand = Errand {
            line: vec!["/bin/sh".into(), OsString::from_vec(b"odd \xff\n".to_vec())],
            dir: "/d".into(),
            work: "/d/w".into(),
            temporary: "/d/t".into(),
            home: Some("/d/h".into()),
            quotas: Quotas {
                memory: Some(1 << 40),
                processes: None,
                disk: Some(0),
            },
            errors: Some("/d/errors".into()),
            judged: true,
            limits: Limits {
                wall: Some(Duration::from_millis(1500)),
                cpu: None,
            },
        };
        assert_eq!(
            request(&passed(Frame::errand(&errand))).expect("a request"),
            Request::Errand(Box::new(errand))
        );
        let held = Held {
            memory: false,
            processes: true,
        };
        for said in [Ok(held), Err("no /proc".to_owned())] {
            let heard = greeting(&passed(Frame::greeting(&said))).expect("a greeting");
            assert_eq!(heard, said);
        }
    }

    #[test]
    fn every_end_arrives() {
        for exit in [Exit::Code(-1), Exit::Code(255), Exit::Signal(11)]
            .into_iter()
            .chain(Bound::ALL.map(Exit::Killed))
        {
            let said = Run {
                exit,
                time: Duration::from_nanos(1_234_567_890_123),
                cpu: Some(Duration::from_micros(3)),
                output: Output::new("x".repeat(200_000)),
            };
            let heard = through(Ok(Some(said.clone()))).done.expect("done");
            let heard = heard.expect("a run");
            assert_eq!(
                (heard.exit, heard.time, heard.cpu, heard.output),
                (said.exit, said.time, said.cpu, said.output)
            );
        }
        assert!(matches!(through(Ok(None)).done, Ok(None)));
        for error in [io::Error::from_raw_os_error(28), io::Error::other("words")] {
            let (text, errno) = (error.to_string(), error.raw_os_error());
            let trouble = Trouble {
                step: Step::Start,
                error,
            };
            let heard = through(Err(trouble)).done.expect_err("trouble");
            assert_eq!(
                (
                    heard.step,
                    heard.error.to_string(),
                    heard.error.raw_os_error()
                ),
                (Step::Start, text, errno)
            );
        }
    }

    proptest! {
        #[test]
        fn nonsense_is_refused_and_nothing_more(bytes: Vec<u8>) {
            let _ = (greeting(&bytes).is_ok(), request(&bytes).is_ok(), report(&bytes).is_ok());
            let _ = receive(&mut bytes.as_slice()).is_ok();
        }
    }
}
