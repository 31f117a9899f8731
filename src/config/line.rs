//! The grammar of a command's line: `name args…`, as the prompt of the screen and scripts of commands have it.
//!
//! Words are separated by blanks. Quotes keep blanks in a word: `'…'` as it is, `"…"` with `\"` and `\\`. What follows a `#` at the
//! beginning of a word is a comment.

/// A line: the verb, and what it is said of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The verb; empty on an empty line.
    pub name: String,
    /// The words after it.
    pub args: Vec<String>,
    /// Whether the line ends inside a word: what is typed next belongs to it.
    pub open: bool,
}

/// Why a line cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A quote was opened and not closed.
    #[error("a {0} is missing at the end")]
    Quote(char),
}

/// Reads a line.
///
/// # Errors
/// When a quote is not closed.
pub fn line(text: &str) -> Result<Words, LineError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '#' if word.is_none() => break,
            c if c.is_whitespace() => words.extend(word.take()),
            quote @ ('"' | '\'') => {
                let word = word.get_or_insert_default();
                quoted(quote, &mut chars, word)?;
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    let open = word.is_some();
    words.extend(word);
    let mut words = words.into_iter();
    Ok(Words {
        name: words.next().unwrap_or_default(),
        args: words.collect(),
        open,
    })
}

fn quoted(quote: char, chars: &mut std::str::Chars, word: &mut String) -> Result<(), LineError> {
    loop {
        match chars.next().ok_or(LineError::Quote(quote))? {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => word.push(chars.next().ok_or(LineError::Quote(quote))?),
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_name_and_words() {
        let read = |text: &str| {
            let Words { name, args, open } = line(text).expect("a line");
            (name, args.join("|"), open)
        };
        let said = |name: &str, args: &str, open| (name.to_owned(), args.to_owned(), open);
        assert_eq!(read("theme light"), said("theme", "light", true));
        assert_eq!(read("  theme  light "), said("theme", "light", false));
        assert_eq!(read("find 'a b' c"), said("find", "a b|c", true));
        assert_eq!(
            read(r#"find "a \"b\" \\" "#),
            said("find", r#"a "b" \"#, false)
        );
        assert_eq!(read("pause # for lunch"), said("pause", "", false));
        assert_eq!(read("find a#b"), said("find", "a#b", true));
        assert_eq!(read("find ''"), said("find", "", true));
        assert_eq!(read(""), said("", "", false));
        assert_eq!(line("find 'a"), Err(LineError::Quote('\'')));
        assert_eq!(line("find \"a\\"), Err(LineError::Quote('"')));
    }
}
