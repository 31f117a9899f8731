//! Hidden characters as what they are.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use super::is_hidden;

/// A piece of text of others.
pub trait EscapeHidden {
    /// As it is shown in a line: without any hidden character, line ends and tabs among them. Two texts that differ are shown in two
    /// ways.
    fn escape_hidden(&self) -> Cow<'_, str>;
}

impl EscapeHidden for str {
    fn escape_hidden(&self) -> Cow<'_, str> {
        replace_hidden(self, PIECE)
    }
}

impl EscapeHidden for [u8] {
    fn escape_hidden(&self) -> Cow<'_, str> {
        escape_bytes(self, PIECE)
    }
}

impl EscapeHidden for OsStr {
    fn escape_hidden(&self) -> Cow<'_, str> {
        escape_bytes(self.as_encoded_bytes(), PIECE)
    }
}

impl EscapeHidden for Path {
    fn escape_hidden(&self) -> Cow<'_, str> {
        self.as_os_str().escape_hidden()
    }
}

/// A text of others with many lines, as a program: its line ends (a CR before one included) and tabs stay. Two texts that differ are
/// shown in two ways.
pub fn escape_page(text: &[u8]) -> Cow<'_, str> {
    escape_bytes(
        text,
        EscapeRules {
            multiline: true,
            ..PIECE
        },
    )
}

/// A line that lop has made, in which pieces may be shown already: these stay as they are. Line ends and tabs do not.
pub fn sanitize_line(line: &str) -> Cow<'_, str> {
    replace_hidden(
        line,
        EscapeRules {
            escape_lookalikes: false,
            ..PIECE
        },
    )
}

/// Many such lines: line ends and tabs stay.
pub fn sanitize_page(page: &str) -> Cow<'_, str> {
    replace_hidden(page, TAMED_PAGE)
}

/// JSON that says the same without any hidden character: inside of its strings they are `\u202e`.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let name = |c: char, text: &mut String| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string does not fail.
            let _ = write!(text, "\\u{unit:04x}");
        }
    };
    replace_hidden(json, EscapeRules { name, ..TAMED_PAGE })
}

/// How the first `length` bytes of a text are shown in a line, with all that follows them there: so can a text be put together from its
/// characters.
pub fn escape_prefix(text: &str, length: usize) -> Cow<'_, str> {
    match text.as_bytes() {
        [b'<', ..] if length == 1 && starts_with_escape(text.as_bytes()) => {
            Cow::Borrowed(LESS_THAN)
        }
        _ => text[..length].escape_hidden(),
    }
}

/// Where a text that is shown can be cut, at this place or before: not within the name of a character, unless nothing would be left.
pub fn floor_escape_boundary(shown: &str, place: usize) -> usize {
    let name = shown[..place].rfind('<').filter(|start| {
        let rest = &shown[*start..];
        let ends = |rest: &str| rest.find('>').is_some_and(|end| start + end >= place);
        *start > 0 && starts_with_escape(rest.as_bytes()) && ends(rest)
    });
    name.unwrap_or(place)
}

/// A `<` that is not the beginning of a name.
const LESS_THAN: &str = "<U+003C>";

/// What is replaced, and by what.
#[derive(Clone, Copy)]
struct EscapeRules {
    /// Whether line ends and tabs stay.
    multiline: bool,
    /// Whether what looks like a name of a character is told from one.
    escape_lookalikes: bool,
    /// Writes the name of a character.
    name: fn(char, &mut String),
}

const PIECE: EscapeRules = EscapeRules {
    multiline: false,
    escape_lookalikes: true,
    name: write_code_point,
};

const TAMED_PAGE: EscapeRules = EscapeRules {
    multiline: true,
    escape_lookalikes: false,
    name: write_code_point,
};

fn write_code_point(c: char, text: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(text, "<U+{:04X}>", u32::from(c));
}

/// Where the first character is that is not shown as it is.
fn find_hidden(text: &str, rules: EscapeRules) -> Option<usize> {
    let all = text.as_bytes();
    let stays = |at: usize| match all[at] {
        b'<' => !rules.escape_lookalikes || !starts_with_escape(&all[at..]),
        b' '..=b'~' => true,
        b'\n' | b'\t' => rules.multiline,
        b'\r' => rules.multiline && all.get(at + 1) == Some(&b'\n'),
        0..=0x1f | 0x7f => false,
        // Inside of a character that was looked at.
        0x80..=0xbf => true,
        _ => text[at..].chars().next().is_none_or(|c| !is_hidden(c)),
    };
    (0..all.len()).find(|&at| !stays(at))
}

/// Whether a text begins with what a hidden character or a byte is shown as.
fn starts_with_escape(text: &[u8]) -> bool {
    let ends = |digits: &[u8], numbers: std::ops::RangeInclusive<usize>| {
        let is_digit = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'A'..=b'F');
        let count = digits.iter().take_while(is_digit).count();
        numbers.contains(&count) && digits.get(count) == Some(&b'>')
    };
    match text {
        [b'<', b'U', b'+', digits @ ..] => ends(digits, 4..=6),
        [b'<', b'\\', b'x', digits @ ..] => ends(digits, 2..=2),
        _ => false,
    }
}

fn replace_hidden(text: &str, rules: EscapeRules) -> Cow<'_, str> {
    let Some(first) = find_hidden(text, rules) else {
        return Cow::Borrowed(text);
    };
    let mut shown = String::with_capacity(text.len() + 16);
    let (mut rest, mut next) = (text, Some(first));
    while let Some(at) = next {
        shown.push_str(&rest[..at]);
        let mut after = rest[at..].chars();
        after
            .next()
            .into_iter()
            .for_each(|c| (rules.name)(c, &mut shown));
        rest = after.as_str();
        next = find_hidden(rest, rules);
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

fn escape_bytes(text: &[u8], rules: EscapeRules) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(text) {
        return replace_hidden(text, rules);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        shown.push_str(&replace_hidden(chunk.valid(), rules));
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(shown, "<\\x{byte:02X}>");
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What was there, from how it is shown.
    fn told(shown: &str) -> Vec<u8> {
        let name =
            regex::Regex::new(r"<U\+([0-9A-F]{4,6})>|<\\x([0-9A-F]{2})>").expect("an expression");
        let (mut text, mut at) = (Vec::new(), 0);
        for found in name.captures_iter(shown) {
            let whole = found.get(0).expect("a match");
            text.extend(shown[at..whole.start()].bytes());
            at = whole.end();
            match (found.get(1), found.get(2)) {
                (Some(number), _) => {
                    let number = u32::from_str_radix(number.as_str(), 16).expect("a number");
                    let c = char::from_u32(number).expect("a character");
                    text.extend(c.to_string().bytes());
                }
                (None, byte) => {
                    let byte = byte.expect("a byte").as_str();
                    text.push(u8::from_str_radix(byte, 16).expect("a number"));
                }
            }
        }
        text.extend(shown[at..].bytes());
        text
    }

    #[test]
    fn what_is_hidden_is_shown_as_what_it_is() {
        for (text, shown) in [
            ("int main(void);", "int main(void);"),
            ("a\x1b]0;title\x07b", "a<U+001B>]0;title<U+0007>b"),
            ("\u{9b}31m", "<U+009B>31m"),
            ("\u{202e}txt.c", "<U+202E>txt.c"),
            ("a\u{200b}b\u{feff}", "a<U+200B>b<U+FEFF>"),
            ("tag\u{e0041}", "tag<U+E0041>"),
            ("not assigned \u{379}", "not assigned <U+0379>"),
            ("a\nb\tc\r\n", "a<U+000A>b<U+0009>c<U+000D><U+000A>"),
            (
                "Größe, 日本語, \u{2764}\u{fe0f}",
                "Größe, 日本語, \u{2764}\u{fe0f}",
            ),
            ("<U+202E> <\\xFF>", "<U+003C>U+202E> <U+003C>\\xFF>"),
            (
                "a<b <U+12> <U+202e> vector<0xFF>",
                "a<b <U+12> <U+202e> vector<0xFF>",
            ),
        ] {
            assert_eq!(text.escape_hidden(), shown);
        }
        assert_eq!(b"a\xff\xc3(".escape_hidden(), "a<\\xFF><\\xC3>(");
        assert_eq!(
            escape_page(b"\ta\x1b\r\n\n\rb\x9b"),
            "\ta<U+001B>\r\n\n<U+000D>b<\\x9B>"
        );
        assert_eq!(
            sanitize_line("<U+202E> \u{202e}\n"),
            "<U+202E> <U+202E><U+000A>"
        );
        assert_eq!(sanitize_page("<U+202E> \u{202e}\n"), "<U+202E> <U+202E>\n");
    }

    #[test]
    fn a_name_is_not_cut() {
        let shown = "ab<U+202E>c<d";
        let cut = |place| &shown[..floor_escape_boundary(shown, place)];
        assert_eq!(
            [cut(2), cut(3), cut(9), cut(10), cut(12)],
            ["ab", "ab", "ab", "ab<U+202E>", "ab<U+202E>c<"]
        );
        assert_eq!(floor_escape_boundary("<U+202E>", 3), 3);
    }

    #[test]
    fn json_says_the_same() {
        let text = "\x1b\u{7f}\u{9b}\u{202e}\u{200b}\u{2028}\u{e0041}\"\\ é";
        let json = serde_json::to_string(text).expect("JSON");
        let escaped = escape_json(&json);
        assert_eq!(
            escaped,
            "\"\\u001b\\u007f\\u009b\\u202e\\u200b\\u2028\\udb40\\udc41\\\"\\\\ é\""
        );
        let read: String = serde_json::from_str(&escaped).expect("JSON");
        assert_eq!(read, text);
    }

    /// Bytes as they come, with many that matter.
    fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            any::<Vec<u8>>(),
            any::<String>().prop_map(String::into_bytes),
            "[<>U+x0-9A-F\\\\\r\n\t\x1b\u{7f}-\u{a0}\u{200b}-\u{202e}\u{2060}\u{feff}\u{e0041}]{0,12}".prop_map(String::into_bytes),
            "<U\\+[0-9A-F]{3,7}>|<\\\\x[0-9A-F]{1,3}>".prop_map(String::into_bytes),
        ];
        prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn whatever_the_text_nothing_of_it_is_hidden_and_it_can_be_told_from_others(text in any_bytes()) {
            let (line, page) = (text.escape_hidden(), escape_page(&text));
            prop_assert!(!line.contains(is_hidden), "{line:?}");
            prop_assert!(!page.replace("\r\n", "\n").replace(['\n', '\t'], "").contains(is_hidden), "{page:?}");
            prop_assert_eq!(told(&line), text.clone());
            prop_assert_eq!(told(&page), text.clone());
            // What is shown stays as it is on its way.
            prop_assert_eq!(sanitize_line(&line), line.clone());
            prop_assert_eq!(sanitize_page(&page), page.clone());
            let text = String::from_utf8_lossy(&text);
            prop_assert!(!sanitize_line(&text).contains(is_hidden));
        }

        #[test]
        fn whatever_the_text_its_json_says_the_same_and_hides_nothing(text in any::<String>()) {
            let json = serde_json::to_string(&text).expect("JSON");
            let escaped = escape_json(&json);
            prop_assert!(!escaped.contains(is_hidden), "{escaped:?}");
            prop_assert_eq!(serde_json::from_str::<String>(&escaped).expect("JSON"), text);
        }
    }
}
