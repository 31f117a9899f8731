//! Words of a shell's command line.

use std::path::Path;

use super::test::CANDIDATE;

/// The quotes that a place in a command line stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// In none.
    No,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
}

/// The text as one word, in single quotes if it needs any; what people write without (`-std=c99`) stays as it is.
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// The path as one word which is not taken for an option.
pub fn quoted(path: &Path) -> String {
    word(&no_option(&path.display().to_string()))
}

/// The name of a file in the working directory, which is not taken for an option.
pub(super) fn no_option(name: &str) -> String {
    match name.starts_with('-') {
        true => format!("./{name}"),
        false => name.to_owned(),
    }
}

/// A line with something in place of each `{}`: what fits the quotes around it.
pub fn filled(line: &str, with: impl Fn(Quotes) -> String) -> String {
    let (mut made, mut rest, mut quotes) = (String::new(), line, Quotes::No);
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(CANDIDATE) {
            made.push_str(&with(quotes));
            rest = after;
            continue;
        }
        let escapes = first == '\\' && quotes != Quotes::Single;
        let taken = rest.char_indices().nth(if escapes { 2 } else { 1 });
        let (taken, after) = rest.split_at(taken.map_or(rest.len(), |(at, _)| at));
        quotes = match (first, quotes) {
            ('\'', Quotes::No) => Quotes::Single,
            ('"', Quotes::No) => Quotes::Double,
            ('\'', Quotes::Single) | ('"', Quotes::Double) => Quotes::No,
            _ => quotes,
        };
        made.push_str(taken);
        rest = after;
    }
    made
}

/// A name that is known, for [`filled`].
pub(super) fn name_in(name: &str, quotes: Quotes) -> String {
    let name = no_option(name);
    match quotes {
        Quotes::No => word(&name),
        Quotes::Single => name.replace('\'', r"'\''"),
        Quotes::Double => name.chars().fold(String::new(), |mut text, c| {
            if r#"\"$`"#.contains(c) {
                text.push('\\');
            }
            text.push(c);
            text
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_one_word() {
        assert_eq!(quoted(Path::new("./t.sh")), "./t.sh");
        assert_eq!(quoted(Path::new("-t.sh")), "./-t.sh");
        assert_eq!(quoted(Path::new("it's")), r"'it'\''s'");
        assert_eq!(
            (word("-std=c99").as_str(), word("").as_str()),
            ("-std=c99", "''")
        );
    }

    #[test]
    fn the_candidate_fits_the_quotes_around_it() {
        let line = r#"cc {} '{}' "{}" \' {} "a\"{}""#;
        let fill = |name: &str| filled(line, |quotes| name_in(name, quotes));
        assert_eq!(fill("a.c"), r#"cc a.c 'a.c' "a.c" \' a.c "a\"a.c""#);
        assert_eq!(
            fill("a $b"),
            r#"cc 'a $b' 'a $b' "a \$b" \' 'a $b' "a\"a \$b""#
        );
        assert_eq!(fill("-a"), r#"cc ./-a './-a' "./-a" \' ./-a "a\"./-a""#);
        assert_eq!(filled("{}", |_| "\"$f\"".into()), "\"$f\"");
    }
}
