//! How much two messages differ: for tools whose messages no signature knows.
//!
//! As in Reduktor (Stepanov, Akhin, Belyaev: "Reduktor: How We Stopped Worrying About Bugs in Kotlin Compiler", 2019, section III-A):
//! the size of all differences divided by the size of both texts. Two texts are the same message if this is at most a threshold. (In the
//! paper it must be below the threshold, so 0 % would reject even the same text.) The difference is Myers', over words; the paper compares
//! characters.

use std::convert::Infallible;
use std::sync::LazyLock;

use super::pattern::PatternOptions;
use regex::Regex;
use similar::ChangeTag;
use similar::algorithms::{Capture, myers};

/// How much of a text is compared, in bytes: the beginning of long output identifies the failure.
const MAX_COMPARED_BYTES: usize = 8 * 1024;

static WORD_REGEX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\w+|[^\w\s]").expect("a regular expression"));

/// Replaces all that may vary in a text by the same marks.
pub fn normalize_message(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut normalized = String::new();
    for line in lines {
        if normalized.len() > MAX_COMPARED_BYTES {
            break;
        }
        normalized.push_str(&super::generalize_message(line, PatternOptions::default()).shown);
        normalized.push('\n');
    }
    normalized
}

/// Whether two texts differ by at most this percentage. Both were normalised by [`normalize_message`].
pub fn is_similar(one: &str, other: &str, percent: u8) -> bool {
    let words = |text| {
        WORD_REGEX
            .find_iter(text)
            .map(|word| word.as_str())
            .collect()
    };
    let (one, other): (Vec<&str>, Vec<&str>) = (words(one), words(other));
    let size = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
    let all = size(&one) + size(&other);
    let mut found = Capture::new();
    let done: Result<(), Infallible> =
        myers::diff(&mut found, &one, 0..one.len(), &other, 0..other.len());
    let Ok(()) = done;
    let changes = found
        .ops()
        .iter()
        .flat_map(|operation| operation.iter_changes(&one, &other))
        .filter(|change| change.tag() != ChangeTag::Equal);
    let differs: usize = changes.map(|change| change.value().len()).sum();
    differs * 100 <= all * usize::from(percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str, percent: u8) -> bool {
        is_similar(&normalize_message(one), &normalize_message(other), percent)
    }

    #[test]
    fn a_message_is_like_itself_about_another_program() {
        let one = "at line 12: cannot lower node 77 of main in block 3\n  giving up\n";
        let two = "at line 3: cannot lower node 5 of f in block 1\n  giving up\n";
        assert!(alike(one, one, 0));
        assert!(alike(one, two, 25));
        assert!(!alike(one, two, 1), "the name is another");
        assert!(!alike(one, "parse error before end of file\n", 25));
        assert!(!alike(one, "", 99) && alike("", "", 0));
    }
}
