//! The last line of a log that lop keeps: the verdict of the test that printed it.

use crate::oracle::Verdict;

/// How each verdict is written.
const LINES: [(Verdict, &str); 4] = [
    (Verdict::Interesting, "[lop: interesting]"),
    (Verdict::Uninteresting, "[lop: uninteresting]"),
    (Verdict::Invalid, "[lop: invalid]"),
    (Verdict::TimedOut, "[lop: timed out]"),
];

/// The log of a test that printed this and had this verdict: without other lines of lop's.
pub fn write_log(printed: &[u8], verdict: Verdict) -> Vec<u8> {
    let lines = printed.split_inclusive(|byte| *byte == b'\n');
    let mut log = lines
        .filter(|line| !line.starts_with(b"[lop: "))
        .collect::<Vec<_>>()
        .concat();
    if log.last().is_some_and(|last| *last != b'\n') {
        log.push(b'\n');
    }
    let line = LINES.iter().find(|(known, _)| *known == verdict);
    log.extend(line.map_or("", |(_, line)| line).as_bytes());
    log.push(b'\n');
    log
}

/// The verdict in the last line of a log; none if lop has not written it.
pub fn read_verdict_line(log: &[u8]) -> Option<Verdict> {
    let last = log
        .trim_ascii_end()
        .split(|byte| *byte == b'\n')
        .next_back()?;
    let line = LINES.iter().find(|(_, line)| line.as_bytes() == last);
    line.map(|(verdict, _)| *verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_what_was_printed_and_the_verdict() {
        for (printed, log) in [
            ("", "[lop: invalid]\n"),
            ("one", "one\n[lop: invalid]\n"),
            ("one\n[lop: exit 1]\ntwo\n", "one\ntwo\n[lop: invalid]\n"),
        ] {
            let written = write_log(printed.as_bytes(), Verdict::Invalid);
            assert_eq!(String::from_utf8_lossy(&written), log);
        }
    }

    #[test]
    fn every_verdict_is_read_back_and_no_other_log_has_one() {
        for (verdict, _) in LINES {
            assert_eq!(
                read_verdict_line(&write_log(b"text", verdict)),
                Some(verdict)
            );
        }
        for log in ["", "interesting", "[lop: interesting]\nmore\n"] {
            assert_eq!(read_verdict_line(log.as_bytes()), None, "{log:?}");
        }
    }
}
