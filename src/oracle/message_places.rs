//! The places and names that the message of a failure mentions.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::LazyLock;

use regex::Regex;

use super::output::TestOutput;
use super::property::{FailureProperty, PropertyCriterion};

/// A line of a file, as a message or the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// The file; none for the program itself.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: Option<u32>,
}

/// What a message mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageMentions {
    /// The places, each once: first those of lines by which the failure is recognised, then the others, both in the order of the message.
    pub places: Vec<FilePlace>,
    /// The names in quotes, each once.
    pub names: Vec<String>,
}

/// `FILE:LINE` and `FILE:LINE:COLUMN`, also with a parenthesis before the line, and `"FILE", line LINE`.
static PLACE_REGEX: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?P<file>[^\s:"'`(),<>]+)(?::|\()(?P<line>\d+)(?:[:,](?P<column>\d+))?|"(?P<quoted>[^"\n]+)", line (?P<number>\d+)"#,
    )
    .expect("a constant")
});

/// Text in quotes of any kind.
static QUOTED_REGEX: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[`']([^'`\n]+)'|`([^`\n]+)`|"([^"\n]+)"|‘([^’\n]+)’|“([^”\n]+)”"#)
        .expect("a constant")
});

/// A name of a program.
static NAME_REGEX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\p{Alphabetic}_$][\p{Alphabetic}\d_$]*").expect("a constant"));

/// `FILE:LINE`, `FILE:LINE:COLUMN`, `LINE:COLUMN` or `LINE`.
impl FromStr for FilePlace {
    type Err = String;

    fn from_str(text: &str) -> Result<FilePlace, String> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
        let parts: Vec<&str> = text.rsplitn(3, ':').collect();
        let (file, line, column) = match parts[..] {
            [line] => (None, number(line), None),
            [last, before] => match number(before) {
                Some(line) => (None, Some(line), number(last)),
                None => (Some(before.to_owned()), number(last), None),
            },
            [last, before, first] => match number(before) {
                Some(line) => (Some(first.to_owned()), Some(line), number(last)),
                None => (Some(format!("{first}:{before}")), number(last), None),
            },
            _ => (None, None, None),
        };
        let line = line.ok_or("a line, from 1, such as bug.c:12 or 12")?;
        Ok(FilePlace { file, line, column })
    }
}

/// As it is read.
impl Display for FilePlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        write!(f, "{}", self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

/// The most lines of a message that are looked at: the first say most.
const MOST_LINES: usize = 100;

/// What the first lines of the output of a test mention: of a failing command, first the lines by which its failure is recognised.
pub fn find_mentions(output: &TestOutput, property: Option<&FailureProperty>) -> MessageMentions {
    let text = String::from_utf8_lossy(&output.whole_lines()).into_owned();
    let parts = property.into_iter().flat_map(|property| &property.parts);
    let parts = parts.filter(|part| part.on);
    let patterns = parts.filter_map(|part| match &part.criterion {
        PropertyCriterion::Line(pattern) => Some(pattern.regex.as_str()),
        PropertyCriterion::Grep(expression) => Some(expression.as_str()),
        _ => None,
    });
    // Each of them compiled when the property was made.
    let patterns: Vec<Regex> = patterns
        .filter_map(|regex| Regex::new(regex).ok())
        .collect();
    let is_telling = |line: &&str| patterns.iter().any(|regex| regex.is_match(line));
    let (telling, others): (Vec<&str>, Vec<&str>) = text.lines().partition(is_telling);
    let mut mentions = MessageMentions::default();
    for line in telling.into_iter().chain(others).take(MOST_LINES) {
        for found in PLACE_REGEX.captures_iter(line) {
            let group = |name| found.name(name).map(|found| found.as_str());
            let number = |name| group(name)?.parse().ok().filter(|number| *number > 0);
            let line = number("line").or_else(|| number("number"));
            let place = line.map(|line| FilePlace {
                file: group("file").or_else(|| group("quoted")).map(str::to_owned),
                line,
                column: number("column"),
            });
            mentions
                .places
                .extend(place.filter(|place| !mentions.places.contains(place)));
        }
        let quoted = QUOTED_REGEX.captures_iter(line);
        let quoted = quoted.filter_map(|found| found.iter().skip(1).flatten().next());
        for name in quoted.flat_map(|quoted| NAME_REGEX.find_iter(quoted.as_str())) {
            if !mentions.names.iter().any(|known| known == name.as_str()) {
                mentions.names.push(name.as_str().to_owned());
            }
        }
    }
    mentions
}

#[cfg(test)]
mod tests {
    use super::super::property::{MessagePattern, PropertyPart};
    use super::*;

    #[test]
    fn the_line_that_identifies_the_failure_comes_first() {
        let text = "a.cc: In instantiation of 'n::f<T>::g()':\na.cc:9:3:   required from 'int h()'\nb.h:7:5: internal compiler error: in x, at pt.c:12\n  File \"c.py\", line 4\n";
        let property = FailureProperty {
            parts: vec![PropertyPart {
                on: true,
                criterion: PropertyCriterion::Line(MessagePattern {
                    shown: "ice".into(),
                    regex: "internal compiler error".into(),
                }),
            }],
        };
        let found = find_mentions(&TestOutput::from_text(text), Some(&property));
        let places: Vec<FilePlace> = ["b.h:7:5", "pt.c:12", "a.cc:9:3", "c.py:4"]
            .map(|place| place.parse().expect("a place"))
            .into();
        assert_eq!(found.places, places);
        assert_eq!(found.names, ["n", "f", "T", "g", "int", "h", "c", "py"]);
    }

    #[test]
    fn a_place_is_a_line_with_or_without_its_file() {
        let place = |file: Option<&str>, line, column| FilePlace {
            file: file.map(str::to_owned),
            line,
            column,
        };
        for (text, expected) in [
            ("12", place(None, 12, None)),
            ("12:5", place(None, 12, Some(5))),
            ("a.c:12", place(Some("a.c"), 12, None)),
            ("d/a.c:12:5", place(Some("d/a.c"), 12, Some(5))),
            ("C:\\a.c:12", place(Some("C:\\a.c"), 12, None)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in ["", "a.c", "a.c:0", "0"] {
            assert!(text.parse::<FilePlace>().is_err(), "{text}");
        }
    }
}
