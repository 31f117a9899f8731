//! The failure property looked for in a recorded log, where no test runs.

use regex::bytes::Regex;

use super::PropertyError;
use super::matcher::compile_regex;

/// What the log of an interesting program has: a line for each expression of one list, and none for those of the other.
#[derive(Clone, Debug)]
pub struct LogMatcher {
    found: Vec<Regex>,
    absent: Vec<Regex>,
}

impl LogMatcher {
    /// Compiles the expressions of `--grep` and `--not-grep`.
    ///
    /// # Errors
    /// When one is no regular expression.
    pub fn new(grep: &[String], not_grep: &[String]) -> Result<LogMatcher, PropertyError> {
        let compile = |all: &[String]| -> Result<Vec<Regex>, PropertyError> {
            all.iter().map(|text| compile_regex(text)).collect()
        };
        Ok(LogMatcher {
            found: compile(grep)?,
            absent: compile(not_grep)?,
        })
    }

    /// Whether this is the log of an interesting program. Lines that lop itself put there do not count: they name what was not found.
    pub fn matches_log(&self, log: &[u8]) -> bool {
        let has_line = |regex: &Regex| {
            let mut lines = log.split(|byte| *byte == b'\n');
            lines.any(|line| !line.starts_with(b"[lop: ") && regex.is_match(line))
        };
        self.found.iter().all(has_line) && !self.absent.iter().any(has_line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_expressions_match_a_line_and_no_forbidden_one_does() {
        let words =
            |text: &str| -> Vec<String> { text.split_whitespace().map(Into::into).collect() };
        for (grep, not_grep, log, expected) in [
            ("^fail", "", "ok\nfailed\n", true),
            ("^fail", "", "ok, failed\n", false),
            ("^fail$", "", "fail", true),
            ("a b", "", "b\na", true),
            ("a b", "", "a", false),
            ("a", "b", "a\nb", false),
            ("a", "b", "a\nc", true),
            ("fail", "", "ok\n[lop: no line matches /fail/]\n", false),
        ] {
            let matcher = LogMatcher::new(&words(grep), &words(not_grep)).expect("expressions");
            let found = matcher.matches_log(log.as_bytes());
            assert_eq!(found, expected, "{grep} without {not_grep} in {log:?}");
        }
    }
}
