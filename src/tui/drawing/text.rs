//! Texts and numbers that fit in a number of cells. Names are cut in the middle; numbers are never cut.

use std::time::Duration;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

pub use crate::display::{format_count, format_number};

use crate::display::{escape_page, floor_escape_boundary, sanitize_line};

/// The width of a text in cells, with its hidden characters escaped.
pub fn text_width(text: &str) -> usize {
    sanitize_line(text).width()
}

/// At most `cells` cells of a text, cut in the middle where it is longer.
pub fn truncate_middle(text: &str, cells: usize, mark: &str) -> String {
    let text = &*sanitize_line(text);
    if text_width(text) <= cells {
        return text.to_owned();
    }
    let Some(room) = cells.checked_sub(text_width(mark)) else {
        return String::new();
    };
    let head = fitting_prefix(text, room.div_ceil(2));
    let mut tail = String::new();
    for part in text.graphemes(true).rev() {
        if text_width(&tail) + text_width(part) > room - text_width(head).min(room) {
            break;
        }
        tail.insert_str(0, part);
    }
    format!("{head}{mark}{tail}")
}

/// At most `cells` cells of the beginning of a text, with a mark where it is longer.
pub fn truncate_end(text: &str, cells: usize, mark: &str) -> String {
    let text = &*sanitize_line(text);
    if text_width(text) <= cells {
        return text.to_owned();
    }
    match cells.checked_sub(text_width(mark)) {
        Some(room) => format!("{}{mark}", fitting_prefix(text, room).trim_end()),
        None => String::new(),
    }
}

/// The longest beginning of a text that takes at most `cells` cells.
fn fitting_prefix(text: &str, cells: usize) -> &str {
    let mut end = 0;
    let mut used = 0;
    for (at, part) in text.grapheme_indices(true) {
        used += text_width(part);
        if used > cells {
            break;
        }
        end = at + part.len();
    }
    &text[..floor_escape_boundary(text, end)]
}

/// A text without its first `cells` cells.
pub fn without_beginning(text: &str, cells: usize) -> &str {
    &text[fitting_prefix(text, cells).len()..]
}

/// A text on lines of at most `cells` cells, at most `lines` of them; the last is cut.
pub fn wrap_text(text: &str, cells: usize, lines: usize, mark: &str) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    let text = sanitize_line(text);
    let mut rest = text.trim();
    while !rest.is_empty() && wrapped.len() < lines {
        if wrapped.len() + 1 == lines {
            wrapped.push(truncate_end(rest, cells, mark));
            break;
        }
        let fits = fitting_prefix(rest, cells);
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

/// A line for any terminal: hidden characters are escaped, tabs are blanks, and without `unicode` other characters are replaced.
pub fn displayable_line(text: &str, unicode: bool) -> String {
    let text = text.replace('\t', "    ");
    let text = sanitize_line(&text);
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

/// The lines of a foreign text, in the same way.
pub fn displayable_lines(text: &[u8], unicode: bool) -> Vec<String> {
    let page = escape_page(text);
    page.lines()
        .map(|line| displayable_line(line.trim_end(), unicode))
        .collect()
}

/// A duration in at most eight cells.
pub fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.2} s", time.as_secs_f64()),
        10..100 => format!("{:.1} s", time.as_secs_f64()),
        100..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        3600..360_000 => format!("{}:{:02} h", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} days", format_number(seconds / 86_400)),
    }
}

/// A limit, as short as it can be said: `32 s`, `0.5 s`.
pub fn format_limit(limit: Duration) -> String {
    match limit.subsec_millis() {
        0 if limit.as_secs() < 100 => format!("{} s", limit.as_secs()),
        _ => format_duration(limit),
    }
}

/// A time as a clock shows it, in minutes and seconds.
pub fn format_clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, rest) = (seconds / 60, seconds % 60);
    match minutes {
        0..60 => format!("{minutes}:{rest:02}"),
        _ => format!("{}:{:02}:{rest:02}", minutes / 60, minutes % 60),
    }
}

/// The percentage of `whole` that is removed when `left` is left, rounded down: 100 only when nothing is left.
pub fn percent_removed(left: u32, whole: u32) -> u32 {
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
            truncate_middle("function_definition", 19, "…"),
            "function_definition"
        );
        assert_eq!(truncate_middle("function_definition", 9, "…"), "func…tion");
        assert_eq!(truncate_middle("日本語の名前", 7, "…"), "日…名前");
        for cells in 0..20 {
            assert!(
                text_width(&truncate_middle(
                    "日本語 and more e\u{301}e\u{301}",
                    cells,
                    "…"
                )) <= cells
            );
        }
    }

    #[test]
    fn sentences_are_wrapped_and_the_last_line_is_cut() {
        let sentence = "can one of 7 statements go? the grammar allows it";
        assert_eq!(
            wrap_text(sentence, 20, 2, "…"),
            ["can one of 7", "statements go? the…"]
        );
        assert_eq!(wrap_text(sentence, 80, 2, "…"), [sentence]);
        assert_eq!(wrap_text("", 20, 2, "…"), Vec::<String>::new());
        assert_eq!(wrap_text("unbroken", 3, 9, "…"), ["unb", "rok", "en"]);
        assert_eq!(wrap_text("日本", 1, 9, "…"), Vec::<String>::new());
    }

    #[test]
    fn numbers_and_times() {
        assert_eq!(
            (
                format_number(0),
                format_number(999),
                format_number(6291),
                format_number(1_000_000)
            ),
            ("0".into(), "999".into(), "6,291".into(), "1,000,000".into())
        );
        assert_eq!(format_count(1, "token"), "1 token");
        let time = |millis| format_duration(Duration::from_millis(millis));
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
                percent_removed(1, 100_000),
                percent_removed(0, 5),
                percent_removed(5, 5),
                percent_removed(0, 0),
                percent_removed(6, 5)
            ),
            (99, 100, 0, 0, 0)
        );
    }
}
