//! Words and numbers in few cells: names are cut in the middle, numbers never.

use std::time::Duration;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::display::{cut_place, shown_page, tamed};

/// How many cells a text takes, with what is hidden in it shown.
pub fn width(text: &str) -> usize {
    tamed(text).width()
}

/// At most `cells` cells of a text, cut in the middle where it is longer.
pub fn cut_middle(text: &str, cells: usize, mark: &str) -> String {
    let text = &*tamed(text);
    if width(text) <= cells {
        return text.to_owned();
    }
    let Some(room) = cells.checked_sub(width(mark)) else {
        return String::new();
    };
    let head = cut(text, room.div_ceil(2));
    let mut tail = String::new();
    for part in text.graphemes(true).rev() {
        if width(&tail) + width(part) > room - width(head).min(room) {
            break;
        }
        tail.insert_str(0, part);
    }
    format!("{head}{mark}{tail}")
}

/// At most `cells` cells of the beginning of a text, with a mark where it is longer.
pub fn cut_end(text: &str, cells: usize, mark: &str) -> String {
    let text = &*tamed(text);
    if width(text) <= cells {
        return text.to_owned();
    }
    match cells.checked_sub(width(mark)) {
        Some(room) => format!("{}{mark}", cut(text, room).trim_end()),
        None => String::new(),
    }
}

/// The longest beginning of a text that takes at most `cells` cells.
fn cut(text: &str, cells: usize) -> &str {
    let mut end = 0;
    let mut used = 0;
    for (at, part) in text.grapheme_indices(true) {
        used += width(part);
        if used > cells {
            break;
        }
        end = at + part.len();
    }
    &text[..cut_place(text, end)]
}

/// A text on lines of at most `cells` cells, at most `lines` of them; the last is cut.
pub fn wrap(text: &str, cells: usize, lines: usize, mark: &str) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    let text = tamed(text);
    let mut rest = text.trim();
    while !rest.is_empty() && wrapped.len() < lines {
        if wrapped.len() + 1 == lines {
            wrapped.push(cut_end(rest, cells, mark));
            break;
        }
        let fits = cut(rest, cells);
        let end = if fits.len() == rest.len() {
            fits.len()
        } else {
            fits.rfind(' ').filter(|&at| at > 0).unwrap_or(fits.len())
        };
        if end == 0 {
            break;
        }
        wrapped.push(rest[..end].trim_end().to_owned());
        rest = rest[end..].trim_start();
    }
    wrapped
}

/// A line for any terminal: what is hidden is shown, tabs are blanks, and ASCII only where there is nothing else.
pub fn safe(text: &str, unicode: bool) -> String {
    let text = text.replace('\t', "    ");
    let text = tamed(&text);
    if unicode {
        return text.into_owned();
    }
    let ascii = |c: char| match c {
        '…' => '~',
        _ if c.is_ascii() => c,
        _ => '?',
    };
    text.chars().map(ascii).collect()
}

/// The lines of what others wrote, in the same way.
pub fn safe_lines(text: &[u8], unicode: bool) -> Vec<String> {
    let page = shown_page(text);
    page.lines()
        .map(|line| safe(line.trim_end(), unicode))
        .collect()
}

/// A number with a comma between thousands.
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things.
pub fn count(value: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        number(value),
        if value == 1 { "" } else { "s" }
    )
}

/// A time in at most eight cells.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.2} s", time.as_secs_f64()),
        10..100 => format!("{:.1} s", time.as_secs_f64()),
        100..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        3600..360_000 => format!("{}:{:02} h", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} days", number(seconds / 86_400)),
    }
}

/// How much of `whole` is gone when `left` is left, in percent. All but nothing is not all.
pub fn gone(left: u32, whole: u32) -> u32 {
    match (u64::from(left), u64::from(whole)) {
        (_, 0) => 0,
        (0, _) => 100,
        (left, whole) => (100 - (100 * left).div_ceil(whole).min(100)) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_in_the_middle() {
        assert_eq!(
            cut_middle("function_definition", 19, "…"),
            "function_definition"
        );
        assert_eq!(cut_middle("function_definition", 9, "…"), "func…tion");
        assert_eq!(cut_middle("日本語の名前", 7, "…"), "日…名前");
        for cells in 0..20 {
            assert!(width(&cut_middle("日本語 and more e\u{301}e\u{301}", cells, "…")) <= cells);
        }
    }

    #[test]
    fn sentences_are_wrapped_and_the_last_line_is_cut() {
        let sentence = "can one of 7 statements go? the grammar allows it";
        assert_eq!(
            wrap(sentence, 20, 2, "…"),
            ["can one of 7", "statements go? the…"]
        );
        assert_eq!(wrap(sentence, 80, 2, "…"), [sentence]);
        assert_eq!(wrap("", 20, 2, "…"), Vec::<String>::new());
        assert_eq!(wrap("unbroken", 3, 9, "…"), ["unb", "rok", "en"]);
        assert_eq!(wrap("日本", 1, 9, "…"), Vec::<String>::new());
    }

    #[test]
    fn numbers_and_times() {
        assert_eq!(
            (number(0), number(999), number(6291), number(1_000_000)),
            ("0".into(), "999".into(), "6,291".into(), "1,000,000".into())
        );
        assert_eq!(count(1, "token"), "1 token");
        let time = |millis| time(Duration::from_millis(millis));
        assert_eq!(
            (time(410), time(12_340), time(185_000), time(7_260_000)),
            (
                "0.41 s".into(),
                "12.3 s".into(),
                "3:05 min".into(),
                "2:01 h".into()
            )
        );
        assert_eq!(
            (
                gone(1, 100_000),
                gone(0, 5),
                gone(5, 5),
                gone(0, 0),
                gone(6, 5)
            ),
            (99, 100, 0, 0, 0)
        );
    }
}
