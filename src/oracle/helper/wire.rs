//! What a runner's thread and its helper say to each other: frames of a length (32 bits, little end first) and so many bytes.
//!
//! Both ends are the same program, and the greeting says its version, so nothing here needs to be understood by another release.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

use crate::oracle::errand::{Done, Errand, Step, Trouble};
use crate::oracle::{Bound, Exit, Limits, Output, Run};

/// No frame is longer: a report has at most 64 KB of output, and a command line has its limit in the system.
const LONGEST: usize = 16 << 20;

/// What the helper says first.
pub(super) type Greeting = Result<(), String>;

/// What the helper is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Run a test.
    Errand(Errand),
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

/// Writes a frame, in one piece.
pub(super) fn send(to: &mut impl Write, frame: Frame) -> io::Result<()> {
    let Frame(mut bytes) = frame;
    let length = u32::try_from(bytes.len() - HEAD).map_err(|_| garbled())?;
    bytes[..HEAD].copy_from_slice(&length.to_le_bytes());
    to.write_all(&bytes)
}

/// Reads a frame; none if the other end was closed between two.
pub(super) fn receive(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEAD];
    let mut read = 0;
    while read < HEAD {
        match from.read(&mut head[read..]) {
            Ok(0) if read == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u32::from_le_bytes(head) as usize;
    if length > LONGEST {
        return Err(garbled());
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

/// Bytes of the length before a frame.
const HEAD: usize = 4;

/// A frame that is written, with room for its length.
pub(super) struct Frame(Vec<u8>);

impl Frame {
    fn new() -> Frame {
        Frame(vec![0; HEAD])
    }

    fn byte(&mut self, byte: u8) -> &mut Frame {
        self.0.push(byte);
        self
    }

    fn number(&mut self, number: u64) -> &mut Frame {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn time(&mut self, time: Duration) -> &mut Frame {
        self.number(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    }

    /// A time that may be missing.
    fn perhaps(&mut self, time: Option<Duration>) -> &mut Frame {
        self.byte(time.is_some().into())
            .time(time.unwrap_or_default())
    }

    fn bytes(&mut self, parts: &[&[u8]]) -> &mut Frame {
        self.number(parts.iter().map(|part| part.len() as u64).sum());
        parts.iter().for_each(|part| self.0.extend_from_slice(part));
        self
    }

    pub(super) fn greeting(greeting: &Greeting) -> Frame {
        let mut frame = Frame::new();
        let reason = greeting.as_ref().err().map_or("", String::as_str);
        frame
            .bytes(&[env!("CARGO_PKG_VERSION").as_bytes()])
            .byte(greeting.is_ok().into())
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
        frame.byte(1);
        for path in [&errand.dir, &errand.work, &errand.temporary] {
            frame.bytes(&[path.as_os_str().as_bytes()]);
        }
        frame
            .perhaps(errand.limits.wall)
            .perhaps(errand.limits.cpu)
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
                    Exit::Killed(Bound::Wall) => (2, 0),
                    Exit::Killed(Bound::Cpu) => (3, 0),
                };
                let (head, (tail, rest), cut) = run.output.parts();
                frame
                    .byte(1)
                    .byte(kind)
                    .number(i64::from(number).cast_unsigned())
                    .time(run.time)
                    .perhaps(run.cpu)
                    .number(cut)
                    .bytes(&[head])
                    .bytes(&[tail, rest]);
            }
            Err(Trouble { step, error }) => {
                let step = match step {
                    Step::Pipe => 0,
                    Step::Start => 1,
                    Step::Wait => 2,
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

/// A frame that is read. Whatever it says, reading does not panic.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: u64) -> io::Result<&'a [u8]> {
        let count = usize::try_from(count).map_err(|_| garbled())?;
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(garbled)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> io::Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn number(&mut self) -> io::Result<u64> {
        let bytes = self.take(8)?.try_into().map_err(|_| garbled())?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn signed(&mut self) -> io::Result<i32> {
        i32::try_from(self.number()?.cast_signed()).map_err(|_| garbled())
    }

    fn time(&mut self) -> io::Result<Duration> {
        self.number().map(Duration::from_nanos)
    }

    fn perhaps(&mut self) -> io::Result<Option<Duration>> {
        let there = self.byte()? != 0;
        let time = self.time()?;
        Ok(there.then_some(time))
    }

    fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = self.number()?;
        self.take(length)
    }

    fn words(&mut self) -> io::Result<OsString> {
        Ok(OsString::from_vec(self.bytes()?.to_vec()))
    }

    fn text(&mut self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }
}

/// What a greeting says; an error if another program, or another release, speaks.
pub(super) fn greeting(frame: &[u8]) -> io::Result<Greeting> {
    let mut frame = Reader(frame);
    let version = frame.text()?;
    if version != env!("CARGO_PKG_VERSION") {
        return Err(io::Error::other(format!("it is of release {version}")));
    }
    let able = frame.byte()? != 0;
    let reason = frame.text()?;
    Ok(if able { Ok(()) } else { Err(reason) })
}

pub(super) fn request(frame: &[u8]) -> io::Result<Request> {
    let mut frame = Reader(frame);
    if frame.byte()? == 0 {
        return Ok(Request::Callback);
    }
    let [dir, work, temporary] =
        [frame.words()?, frame.words()?, frame.words()?].map(PathBuf::from);
    let limits = Limits {
        wall: frame.perhaps()?,
        cpu: frame.perhaps()?,
    };
    let count = frame.number()?;
    let line = (0..count)
        .map(|_| frame.words())
        .collect::<io::Result<_>>()?;
    Ok(Request::Errand(Errand {
        line,
        dir,
        work,
        temporary,
        limits,
    }))
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
                _ => Step::Wait,
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
        2 => Exit::Killed(Bound::Wall),
        _ => Exit::Killed(Bound::Cpu),
    };
    let (time, cpu, cut) = (frame.time()?, frame.perhaps()?, frame.number()?);
    let (head, tail) = (frame.bytes()?.to_vec(), frame.bytes()?.to_vec());
    Ok(Run {
        exit,
        time,
        cpu,
        output: Output::from_parts(head, tail, cut),
    })
}

fn garbled() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "what it said cannot be understood",
    )
}
