//! Frames: a length (32 bits, little-endian) and as many bytes, which encode one message.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest frame that is accepted. A report has at most 1 MB of output, and the system limits the length of a command line.
const MAX_LENGTH: usize = 16 << 20;

/// Bytes of the length before a frame.
const LENGTH_SIZE: usize = 4;

/// Writes a message as one frame, in one write.
///
/// # Errors
/// The system's.
pub fn write_message(mut to: impl Write, message: &impl Serialize) -> io::Result<()> {
    let frame = vec![0; LENGTH_SIZE];
    let mut frame = postcard::to_extend(message, frame).map_err(io::Error::other)?;
    let length = u32::try_from(frame.len() - LENGTH_SIZE).map_err(|_| malformed_frame())?;
    frame[..LENGTH_SIZE].copy_from_slice(&length.to_le_bytes());
    to.write_all(&frame)
}

/// Decodes the message of a frame. Whatever the frame holds, this neither panics nor allocates much more than its length.
///
/// # Errors
/// When it holds none, or more than one.
pub fn decode_message<T: DeserializeOwned>(frame: &[u8]) -> io::Result<T> {
    match postcard::take_from_bytes(frame) {
        Ok((message, [])) => Ok(message),
        Ok(_) | Err(_) => Err(malformed_frame()),
    }
}

/// Reads a frame; none if the other end was closed between two frames.
pub(super) fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; LENGTH_SIZE];
    let mut read = 0;
    while read < LENGTH_SIZE {
        match from.read(&mut head[read..]) {
            Ok(0) if read == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u32::from_le_bytes(head) as usize;
    if length > MAX_LENGTH {
        return Err(malformed_frame());
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

/// A frame that arrives in parts.
#[derive(Default)]
pub(super) struct PartialFrame(Vec<u8>);

impl PartialFrame {
    /// Reads once. Returns the frame when it is complete.
    pub(super) fn read_available(&mut self, from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
        let mut part = [0; 16 << 10];
        match from.read(&mut part) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => self.0.extend_from_slice(&part[..more]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
            Err(error) => return Err(error),
        }
        let Some((head, frame)) = self.0.split_first_chunk::<LENGTH_SIZE>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*head) as usize;
        if length > MAX_LENGTH || frame.len() > length {
            return Err(malformed_frame());
        }
        Ok((frame.len() == length).then(|| frame.to_vec()))
    }
}

pub(super) fn malformed_frame() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "what it said cannot be understood",
    )
}
