//! Frames: a length (32 bits, little end first) and so many bytes, and what is written into them and read from them.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::time::Duration;

/// No frame is longer: a report has at most 1 MB of output, and a command line has its limit in the system.
const LONGEST: usize = 16 << 20;

/// Writes a frame, in one piece.
pub(super) fn write_frame(to: &mut impl Write, frame: WireFrame) -> io::Result<()> {
    let WireFrame(mut bytes) = frame;
    let length = u32::try_from(bytes.len() - HEAD).map_err(|_| malformed_frame())?;
    bytes[..HEAD].copy_from_slice(&length.to_le_bytes());
    to.write_all(&bytes)
}

/// Reads a frame; none if the other end was closed between two.
pub(super) fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
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
        return Err(malformed_frame());
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

/// A frame of which parts are read as they come.
#[derive(Default)]
pub(super) struct PartialFrame(Vec<u8>);

impl PartialFrame {
    /// Reads what is there, once; the frame when it is whole.
    pub(super) fn read_available(&mut self, from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
        let mut part = [0; 16 << 10];
        match from.read(&mut part) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => self.0.extend_from_slice(&part[..more]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
            Err(error) => return Err(error),
        }
        let Some((head, frame)) = self.0.split_first_chunk::<HEAD>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*head) as usize;
        if length > LONGEST || frame.len() > length {
            return Err(malformed_frame());
        }
        Ok((frame.len() == length).then(|| frame.to_vec()))
    }
}

/// Bytes of the length before a frame.
const HEAD: usize = 4;

/// A frame that is written, with room for its length.
pub(super) struct WireFrame(Vec<u8>);

impl WireFrame {
    pub(super) fn new() -> WireFrame {
        WireFrame(vec![0; HEAD])
    }

    pub(super) fn put_byte(&mut self, byte: u8) -> &mut WireFrame {
        self.0.push(byte);
        self
    }

    pub(super) fn put_u64(&mut self, number: u64) -> &mut WireFrame {
        self.0.extend(number.to_le_bytes());
        self
    }

    pub(super) fn put_duration(&mut self, time: Duration) -> &mut WireFrame {
        self.put_u64(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    }

    /// A time that may be missing.
    pub(super) fn put_optional_duration(&mut self, time: Option<Duration>) -> &mut WireFrame {
        self.put_byte(time.is_some().into())
            .put_duration(time.unwrap_or_default())
    }

    /// A limit that may be missing.
    pub(super) fn put_optional_u64(&mut self, limit: Option<u64>) -> &mut WireFrame {
        self.put_byte(limit.is_some().into())
            .put_u64(limit.unwrap_or_default())
    }

    pub(super) fn put_bytes(&mut self, parts: &[&[u8]]) -> &mut WireFrame {
        self.put_u64(parts.iter().map(|part| part.len() as u64).sum());
        parts.iter().for_each(|part| self.0.extend_from_slice(part));
        self
    }
}

/// A frame that is read. Whatever it says, reading does not panic.
pub(super) struct FrameReader<'a>(pub(super) &'a [u8]);

impl<'a> FrameReader<'a> {
    pub(super) fn take_bytes(&mut self, count: u64) -> io::Result<&'a [u8]> {
        let count = usize::try_from(count).map_err(|_| malformed_frame())?;
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(malformed_frame)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn read_byte(&mut self) -> io::Result<u8> {
        Ok(self.take_bytes(1)?[0])
    }

    pub(super) fn read_u64(&mut self) -> io::Result<u64> {
        let bytes = self
            .take_bytes(8)?
            .try_into()
            .map_err(|_| malformed_frame())?;
        Ok(u64::from_le_bytes(bytes))
    }

    pub(super) fn read_i32(&mut self) -> io::Result<i32> {
        i32::try_from(self.read_u64()?.cast_signed()).map_err(|_| malformed_frame())
    }

    pub(super) fn read_duration(&mut self) -> io::Result<Duration> {
        self.read_u64().map(Duration::from_nanos)
    }

    pub(super) fn read_optional_duration(&mut self) -> io::Result<Option<Duration>> {
        let there = self.read_byte()? != 0;
        let time = self.read_duration()?;
        Ok(there.then_some(time))
    }

    pub(super) fn read_optional_u64(&mut self) -> io::Result<Option<u64>> {
        let there = self.read_byte()? != 0;
        let limit = self.read_u64()?;
        Ok(there.then_some(limit))
    }

    pub(super) fn read_bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = self.read_u64()?;
        self.take_bytes(length)
    }

    pub(super) fn read_os_string(&mut self) -> io::Result<OsString> {
        Ok(OsString::from_vec(self.read_bytes()?.to_vec()))
    }

    pub(super) fn read_text(&mut self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(self.read_bytes()?).into_owned())
    }
}

pub(super) fn malformed_frame() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "what it said cannot be understood",
    )
}
