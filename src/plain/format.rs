//! Numbers and times, for people.

use std::time::Duration;

use crate::display::format_count;

/// "1 token", "6,291 tokens".
pub(super) fn format_tokens(number: u32) -> String {
    format_count(u64::from(number), "token")
}

/// "1 byte", "28,014 bytes".
pub(super) fn format_bytes(number: u32) -> String {
    format_count(u64::from(number), "byte")
}

/// "0.41 s", "12.3 s", "5 min 02 s", "3 h 05 min".
pub fn format_duration(time: Duration) -> String {
    let (all, exact) = (time.as_secs(), time.as_secs_f64());
    match all {
        0..10 => format!("{exact:.2} s"),
        10..100 => format!("{exact:.1} s"),
        100..3600 => format!("{} min {:02} s", all / 60, all % 60),
        _ => format!("{} h {:02} min", all / 3600, all / 60 % 60),
    }
}

/// A part in per cent, with one decimal.
pub(super) fn format_percent(part: u32, whole: u32) -> String {
    match whole {
        0 => "0.0 %".into(),
        _ => format!("{:.1} %", f64::from(part) * 100.0 / f64::from(whole)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(format_tokens(1), "1 token");
        assert_eq!(format_tokens(6291), "6,291 tokens");
        assert_eq!(format_percent(1, 3), "33.3 %");
        assert_eq!(format_percent(0, 0), "0.0 %");
    }

    #[test]
    fn times_keep_three_digits_or_so() {
        let of = |time: f64| format_duration(Duration::from_secs_f64(time));
        assert_eq!(
            [of(0.0), of(0.414), of(12.34), of(302.9), of(11_100.0)],
            ["0.00 s", "0.41 s", "12.3 s", "5 min 02 s", "3 h 05 min"]
        );
    }
}
