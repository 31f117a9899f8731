//! Numbers, for people.

/// A number with a comma between thousands.
pub fn format_number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and what it counts: "1 token", "6,291 tokens", "2 branches". The noun is given in the singular.
pub fn format_count(number: u64, noun: &str) -> String {
    let ending = match number {
        1 => "",
        _ if noun.ends_with("ch") || noun.ends_with("ss") => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", format_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_comma_between_thousands() {
        let numbers = [0, 999, 1_000, 1_000_000].map(format_number);
        assert_eq!(numbers, ["0", "999", "1,000", "1,000,000"]);
    }

    #[test]
    fn a_noun_agrees_with_its_number() {
        assert_eq!(format_count(1, "token"), "1 token");
        assert_eq!(format_count(0, "token"), "0 tokens");
        assert_eq!(format_count(6291, "token"), "6,291 tokens");
        assert_eq!(format_count(2, "branch"), "2 branches");
    }
}
