//! Words of a shell's command line.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::display::is_hidden;

/// In a command line, the place of the candidate's name.
pub const CANDIDATE: &str = "{}";

/// The quotes around a place in a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteContext {
    /// None.
    Unquoted,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
}

/// The text as one word, in single quotes if it needs quotes. What people write without quotes (`-std=c99`) has none.
pub fn quote_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// The path as one word which is not taken for an option, for a line that a shell runs.
pub fn quote_path(path: &Path) -> String {
    quote_word(&escape_leading_dash(&path.to_string_lossy()))
}

/// The path as one word which is not taken for an option, for people to type: see [`quote_for_display`].
pub fn quote_path_for_display(path: &Path) -> String {
    match path.as_os_str().as_bytes().first() {
        Some(b'-') => quote_for_display(Path::new(".").join(path).as_os_str()),
        _ => quote_for_display(path.as_os_str()),
    }
}

/// The text as one word, for people to type. Hidden characters and bytes that are no text are written as `ls` does, `$'a\033b'`, which
/// bash, zsh, ksh and busybox read.
pub fn quote_for_display(text: &OsStr) -> String {
    let bytes = text.as_bytes();
    if let Some(text) = text.to_str().filter(|text| !text.contains(is_hidden)) {
        return quote_word(text);
    }
    let mut shown = String::from("$'");
    let octal = |bytes: &[u8], shown: &mut String| {
        bytes
            .iter()
            .for_each(|byte| shown.push_str(&format!("\\{byte:03o}")));
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' | '\'' => shown.extend(['\\', c]),
                c if is_hidden(c) => octal(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut shown),
                c => shown.push(c),
            }
        }
        octal(chunk.invalid(), &mut shown);
    }
    shown.push('\'');
    shown
}

/// The first word of a line, without its quotes; none of a line without one. Nothing in it is expanded.
pub(super) fn first_word(line: &str) -> Option<String> {
    let (mut word, mut quote) = (String::new(), None);
    let mut rest = line.trim_start().chars();
    while let Some(c) = rest.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            ('\\', None | Some('"')) => word.extend(rest.next()),
            (c, None) if c.is_whitespace() || ";&|<>()".contains(c) => break,
            (c, _) => word.push(c),
        }
    }
    (!word.is_empty()).then_some(word)
}

/// The name of a file in the working directory, which is not taken for an option.
pub(super) fn escape_leading_dash(name: &str) -> String {
    match name.starts_with('-') {
        true => format!("./{name}"),
        false => name.to_owned(),
    }
}

/// A line with each `{}` replaced, by what fits the quotes around it.
pub fn fill_placeholders(line: &str, with: impl Fn(QuoteContext) -> String) -> String {
    let (mut made, mut rest, mut quotes) = (String::new(), line, QuoteContext::Unquoted);
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(CANDIDATE) {
            made.push_str(&with(quotes));
            rest = after;
            continue;
        }
        let escapes = first == '\\' && quotes != QuoteContext::Single;
        let taken = rest.char_indices().nth(if escapes { 2 } else { 1 });
        let (taken, after) = rest.split_at(taken.map_or(rest.len(), |(at, _)| at));
        quotes = match (first, quotes) {
            ('\'', QuoteContext::Unquoted) => QuoteContext::Single,
            ('"', QuoteContext::Unquoted) => QuoteContext::Double,
            ('\'', QuoteContext::Single) | ('"', QuoteContext::Double) => QuoteContext::Unquoted,
            _ => quotes,
        };
        made.push_str(taken);
        rest = after;
    }
    made
}

/// A name for a place in these quotes, for [`fill_placeholders`].
pub(super) fn quote_name_in(name: &str, quotes: QuoteContext) -> String {
    let name = escape_leading_dash(name);
    match quotes {
        QuoteContext::Unquoted => quote_word(&name),
        QuoteContext::Single => name.replace('\'', r"'\''"),
        QuoteContext::Double => name.chars().fold(String::new(), |mut text, c| {
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
    use std::process::Command;

    use super::*;

    #[test]
    fn a_path_becomes_one_word() {
        assert_eq!(quote_path_for_display(Path::new("./t.sh")), "./t.sh");
        assert_eq!(quote_path_for_display(Path::new("-t.sh")), "./-t.sh");
        assert_eq!(quote_path_for_display(Path::new("it's")), r"'it'\''s'");
        assert_eq!(
            (quote_word("-std=c99").as_str(), quote_word("").as_str()),
            ("-std=c99", "''")
        );
    }

    #[test]
    fn what_is_hidden_in_a_name_can_be_seen_and_typed() {
        let name = b"it's \x1b[2J\n\\\xff\xe2\x80\xae.c";
        let shown = quote_path_for_display(Path::new(OsStr::from_bytes(name)));
        assert_eq!(shown, r"$'it\'s \033[2J\012\\\377\342\200\256.c'");
        assert_eq!(
            quote_path_for_display(Path::new("-\u{9b}")),
            r"$'./-\302\233'"
        );
        let Ok(said) = Command::new("bash")
            .args(["-c", &format!("printf %s {shown}")])
            .output()
        else {
            println!("SKIPPED: there is no bash to read it");
            return;
        };
        assert_eq!(said.stdout, name);
    }

    #[test]
    fn the_first_word_of_a_line_is_read_without_its_quotes() {
        let first = |line: &str| first_word(line).unwrap_or_default();
        assert_eq!(first(" ./gen {} 'a b'"), "./gen");
        assert_eq!(first("/bin/gen<{}"), "/bin/gen");
        for name in ["/a b/it's", "/a\\b", "/x \"y\" $z"] {
            assert_eq!(first(&format!("{} 'more' words", quote_word(name))), name);
        }
        assert_eq!(first(r#""/a b/\"c\""/'d' e"#), r#"/a b/"c"/d"#);
        assert_eq!(first_word("  "), None);
    }

    #[test]
    fn the_candidate_fits_the_quotes_around_it() {
        let line = r#"cc {} '{}' "{}" \' {} "a\"{}""#;
        let fill = |name: &str| fill_placeholders(line, |quotes| quote_name_in(name, quotes));
        assert_eq!(fill("a.c"), r#"cc a.c 'a.c' "a.c" \' a.c "a\"a.c""#);
        assert_eq!(
            fill("a $b"),
            r#"cc 'a $b' 'a $b' "a \$b" \' 'a $b' "a\"a \$b""#
        );
        assert_eq!(fill("-a"), r#"cc ./-a './-a' "./-a" \' ./-a "a\"./-a""#);
        assert_eq!(fill_placeholders("{}", |_| "\"$f\"".into()), "\"$f\"");
    }
}
