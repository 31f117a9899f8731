//! Reading a journal: as far as it is whole.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::super::own_files;
use super::checksum::{self, LineChecksum};
use super::{FORMAT, JournalError, JournalHeader, JournalLine, OLDEST_FORMAT};
use crate::reduce::{EngineCommand, StepUnit};

/// How much of the end of a journal is read to see how it ended.
const TAIL: u64 = 1 << 16;

/// A journal that was read.
#[derive(Clone, Debug)]
pub struct JournalContents {
    /// What the run started from.
    pub header: JournalHeader,
    /// All lines after that, up to the first that is damaged.
    pub lines: Vec<JournalLine>,
    /// How many bytes they have, with the header.
    pub length: u64,
    /// The sum of the last.
    pub(super) sum: LineChecksum,
    /// Lines after them that were damaged: an unfinished last one counts.
    pub lost_lines: usize,
    /// Whether it ends with a whole line.
    ends_with_newline: bool,
}

impl JournalContents {
    /// Whether it has more damage than an unfinished last line.
    pub fn is_damaged(&self) -> bool {
        self.lost_lines > usize::from(!self.ends_with_newline)
    }

    /// The number of the newest version.
    pub(super) fn newest_version(&self) -> u64 {
        let mut lines = self.lines.iter().rev();
        let newest = lines.find_map(|line| match line {
            JournalLine::Accept { version, .. } => Some(*version),
            _ => None,
        });
        newest.unwrap_or_default()
    }

    /// How long the run had lasted when the last line was written.
    pub fn run_duration(&self) -> Duration {
        let at = self.lines.iter().rev().find_map(JournalLine::elapsed_ms);
        Duration::from_millis(at.unwrap_or_default())
    }

    /// For how long of that it was paused.
    pub fn paused_duration(&self) -> Duration {
        sum_pauses(&self.lines)
    }

    /// The damage, as a sentence; none if there is none.
    pub fn damage_note(&self) -> Option<String> {
        match (self.is_damaged(), self.lost_lines) {
            (_, 0) => None,
            (false, _) => Some(
                "the last line of the journal was not written to its end; what it said is lost"
                    .into(),
            ),
            (true, lost) => Some(format!(
                "the journal is damaged: {lost} lines after the first {} are not believed",
                self.lines.len() + 1
            )),
        }
    }
}

/// Only as much of a header as tells whether it can be read.
#[derive(Deserialize)]
struct HeaderFormat {
    lop: String,
    format: u32,
}

fn parse_header(path: &Path, line: &[u8]) -> Result<(JournalHeader, LineChecksum), JournalError> {
    let wrong = |problem: String| JournalError::NoHeader {
        path: path.to_path_buf(),
        problem,
    };
    let glance: HeaderFormat =
        serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
    if !(OLDEST_FORMAT..=FORMAT).contains(&glance.format) {
        return Err(JournalError::Format {
            path: path.to_path_buf(),
            lop: glance.lop,
            format: glance.format,
        });
    }
    let sum = checksum::verify_checksum(line, checksum::START)
        .ok_or_else(|| wrong("its sum is wrong".into()))?;
    let header = serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
    Ok((header, sum))
}

/// The header of a journal.
///
/// # Errors
/// When the file cannot be read, or does not begin with one.
pub fn read_header(path: &Path) -> Result<JournalHeader, JournalError> {
    let failed = || JournalError::io_error(path);
    let mut line = Vec::new();
    let file = own_files::open_user_file(path).map_err(failed())?;
    BufReader::new(file)
        .read_until(b'\n', &mut line)
        .map_err(failed())?;
    let whole = line.strip_suffix(b"\n").unwrap_or(&line);
    Ok(parse_header(path, whole)?.0)
}

/// Reads a journal: its header and the lines after it, up to the first that is not what was written.
///
/// # Errors
/// When the file cannot be read, or does not begin with a header.
pub fn read_journal(path: &Path) -> Result<JournalContents, JournalError> {
    let bytes = own_files::read_user_file(path).map_err(JournalError::io_error(path))?;
    parse_journal(&bytes, path)
}

/// The same of all its bytes; `path` is for sentences.
pub(in super::super) fn parse_journal(
    bytes: &[u8],
    path: &Path,
) -> Result<JournalContents, JournalError> {
    let ended = bytes.ends_with(b"\n");
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let first = lines.next().unwrap_or_default();
    if first.len() == bytes.len() {
        return Err(JournalError::NoHeader {
            path: path.to_path_buf(),
            problem: "it was not written to its end".into(),
        });
    }
    let (header, mut sum) = parse_header(path, first)?;
    let mut read = JournalContents {
        header,
        lines: Vec::new(),
        length: first.len() as u64 + 1,
        sum,
        lost_lines: 0,
        ends_with_newline: ended,
    };
    let mut rest = lines.peekable();
    while let Some(line) = rest.next() {
        // A line counts when its end was written; after the last end stands nothing.
        let is_last = rest.peek().is_none();
        let sealed = (!is_last)
            .then(|| checksum::verify_checksum(line, sum))
            .flatten();
        let known = sealed.and_then(|sum| Some((sum, serde_json::from_slice(line).ok()?)));
        let Some((next, line_said)) = known else {
            let behind = rest.filter(|line| !line.is_empty()).count();
            read.lost_lines = usize::from(!line.is_empty()) + behind;
            break;
        };
        sum = next;
        read.length += line.len() as u64 + 1;
        read.lines.push(line_said);
    }
    read.sum = sum;
    Ok(read)
}

/// Whether a line of a journal after its header says this; false if there is no whole header. Neither the header is parsed, which has the
/// program in it, nor are the checksums verified: a line that cannot be read is the last.
pub fn has_line(path: &Path, says: impl Fn(&JournalLine) -> bool) -> std::io::Result<bool> {
    let mut file = BufReader::new(own_files::open_user_file(path)?);
    file.skip_until(b'\n')?;
    let lines = file.split(b'\n').map_while(Result::ok);
    let mut known = lines.map_while(|line| serde_json::from_slice(&line).ok());
    Ok(known.any(|line| says(&line)))
}

/// Whether a journal ends with the line that the run is complete. Reads only its end.
pub fn is_complete(path: &Path) -> bool {
    let tail = || -> std::io::Result<Vec<u8>> {
        let mut file = own_files::open_user_file(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail)?;
        Ok(tail)
    };
    let tail = tail().unwrap_or_default();
    let last = tail.strip_suffix(b"\n").unwrap_or_default();
    let last = last.rsplit(|byte| *byte == b'\n').next();
    last.is_some_and(|line| {
        matches!(serde_json::from_slice(line), Ok(JournalLine::Finished { finished, .. }) if finished == "complete")
    })
}

/// How long a run was paused: each time until the command after a pause, after a step, or after an end from which it went on. That it
/// was paused when it began is in no line of its own: a command that goes on from there says so.
fn sum_pauses(lines: &[JournalLine]) -> Duration {
    let is_command = |line: &&JournalLine| matches!(line, JournalLine::Command { .. });
    let is_event = |line: &&JournalLine| {
        !matches!(line, JournalLine::Pass { .. } | JournalLine::Resumed { .. })
    };
    let first = lines.iter().filter(is_event).take_while(is_command);
    let mut paused = first.filter_map(JournalLine::command).any(|command| {
        matches!(
            command,
            EngineCommand::Resume | EngineCommand::Step(StepUnit::Question)
        )
    });
    let (mut ended, mut before, mut rested) = (false, 0, 0);
    for line in lines {
        let now = line.elapsed_ms().unwrap_or(before);
        let rests = match line {
            JournalLine::Command { .. } => paused || ended,
            JournalLine::Finished { .. } => paused,
            _ => false,
        };
        if rests {
            rested += now.saturating_sub(before);
        }
        ended = matches!(line, JournalLine::Finished { .. });
        match line.command() {
            Some(EngineCommand::Pause) => paused = true,
            Some(EngineCommand::Resume) => paused = false,
            _ => {}
        }
        before = now;
    }
    Duration::from_millis(rested)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_lasts_until_the_next_command_and_what_a_step_asks_is_none() {
        let command = |command: &EngineCommand, ms| JournalLine::Command {
            command: command.to_string(),
            before: 1,
            rejected: 0,
            work_steps: None,
            test_hash: None,
            ms,
        };
        let moved = |ms| JournalLine::Moved {
            current: 1,
            kept: 1,
            ms,
        };
        let step = EngineCommand::parse_line("step").expect("a command");
        let lines = [
            moved(20),
            command(&step, 50),
            command(&EngineCommand::Pause, 100),
            command(&step, 1_100),
            moved(1_200),
            command(&EngineCommand::Resume, 3_200),
            moved(9_000),
            command(&step, 9_900),
        ];
        assert_eq!(sum_pauses(&lines), Duration::from_millis(1_000 + 2_000));
        // A run that waits at its beginning has no line that says so.
        let pin = EngineCommand::parse_line("pin 2").expect("a command");
        let waits = [
            command(&pin, 500),
            command(&step, 700),
            moved(900),
            command(&EngineCommand::Resume, 20_900),
            moved(21_000),
            command(&EngineCommand::Resume, 22_000),
        ];
        assert_eq!(sum_pauses(&waits), Duration::from_millis(700 + 20_000));
        assert_eq!(sum_pauses(&waits[3..]), Duration::from_millis(20_900));
        assert_eq!(sum_pauses(&waits[2..3]), Duration::ZERO);
        // One that goes on by itself does not.
        let runs = [command(&pin, 500), moved(900), command(&step, 950)];
        assert_eq!(sum_pauses(&runs), Duration::ZERO);
    }
}
