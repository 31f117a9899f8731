//! What a test that stays alive says: a line for each candidate (`server_process.rs`).

use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, BorrowedFd};

use serde::{Deserialize, Serialize};

use crate::display::EscapeHidden;

/// The variable that tells a server the version of the protocol.
pub(super) const VARIABLE: &str = "LOP_SERVE";

/// The version of the protocol.
pub(super) const PROTOCOL: &str = "1";

/// The longest answer that is read, in bytes.
const LONGEST: usize = 256;

/// How much of a wrong answer is shown, in bytes.
const SHOWN: usize = 60;

/// What a server said of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ServerAnswer {
    /// The status with which a test would have ended.
    Status(u8),
    /// Nothing: it ended, or a limit ended it.
    Nothing,
    /// It had ended before it was asked.
    Ended,
    /// Something else, with a sentence about it.
    Malformed(String),
}

/// The read end of a server's standard output.
#[derive(Debug, Default)]
pub(super) struct AnswerPipe {
    pipe: Option<PipeReader>,
    /// What was read and not taken.
    text: Vec<u8>,
}

impl AnswerPipe {
    pub(super) fn new(pipe: PipeReader) -> io::Result<AnswerPipe> {
        // Set for the read end only, as for an output.
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(AnswerPipe {
            pipe: Some(pipe),
            text: Vec::new(),
        })
    }

    /// Readable when there is more to read; none after the end.
    pub(super) fn poll_descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Reads once without waiting. What comes after too long a text is dropped.
    pub(super) fn read_available(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        let mut part = [0; 2 * LONGEST];
        match pipe.read(&mut part) {
            Ok(read) if read > 0 => {
                let left = (2 * LONGEST).saturating_sub(self.text.len());
                self.text.extend_from_slice(&part[..read.min(left)]);
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) => {}
            Ok(_) | Err(_) => self.pipe = None,
        }
    }

    /// Whether a whole line was read, or more than an answer may be.
    pub(super) fn has_line(&self) -> bool {
        self.text.contains(&b'\n') || self.text.len() > LONGEST
    }

    /// Whether there is nothing that nobody has asked for.
    pub(super) fn is_quiet(&mut self) -> bool {
        self.read_available();
        self.text.is_empty()
    }

    /// Takes the answer to the only question that is open.
    pub(super) fn take_answer(&mut self) -> ServerAnswer {
        self.read_available();
        let text = std::mem::take(&mut self.text);
        let Some(end) = text.iter().position(|byte| *byte == b'\n') else {
            return match text.len() {
                0 => ServerAnswer::Nothing,
                length if length <= LONGEST => malformed(&text, "which has no end of line"),
                _ => malformed(&text, "which is longer than a status"),
            };
        };
        let (line, rest) = (text[..end].trim_ascii(), &text[end + 1..]);
        let digits = line.iter().all(u8::is_ascii_digit);
        let number = std::str::from_utf8(line).ok();
        match number.and_then(|number| number.parse().ok()) {
            Some(_) if !rest.is_empty() => {
                malformed(rest, "after its answer, and nobody had asked")
            }
            Some(status) if digits => ServerAnswer::Status(status),
            _ => malformed(line, "which is no status from 0 to 255"),
        }
    }
}

/// A sentence about a text that is no answer.
pub(super) fn malformed(text: &[u8], fault: &str) -> ServerAnswer {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let (shown, dots) = match line.len() > SHOWN {
        true => (&line[..SHOWN], "..."),
        false => (line, ""),
    };
    ServerAnswer::Malformed(format!(
        "it wrote `{}{dots}`, {fault}",
        shown.escape_hidden()
    ))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// What is taken of a pipe in which this is.
    fn answer(text: &str) -> ServerAnswer {
        let (read, mut write) = io::pipe().expect("a pipe");
        write.write_all(text.as_bytes()).expect("written");
        drop(write);
        AnswerPipe::new(read).expect("a pipe").take_answer()
    }

    #[test]
    fn an_answer_is_one_line_with_a_status() {
        assert_eq!(answer("0\n"), ServerAnswer::Status(0));
        assert_eq!(answer(" 125 \r\n"), ServerAnswer::Status(125));
        assert_eq!(answer(""), ServerAnswer::Nothing);
        let wrong = |text: &str| match answer(text) {
            ServerAnswer::Malformed(why) => why,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(wrong("0"), "it wrote `0`, which has no end of line");
        assert_eq!(
            wrong("0\n1\n"),
            "it wrote `1`, after its answer, and nobody had asked"
        );
        for text in ["\n", "yes\n", "256\n", "-1\n", "+1\n", "1 2\n"] {
            assert!(
                wrong(text).ends_with("which is no status from 0 to 255"),
                "{text}"
            );
        }
        let long = wrong(&"x".repeat(1000));
        assert!(
            long.len() < 150 && long.contains("...`, which is longer"),
            "{long}"
        );
    }
}
