//! How much two messages differ: for tools whose messages have no form that we know.
//!
//! As in Reduktor (Stepanov, Akhin, Belyaev: "Reduktor: How We Stopped Worrying About Bugs in Kotlin Compiler", 2019, section III-A):
//! the size of all differences over the size of both texts, 0 for the same text; two are the same message if it is at most a
//! threshold (the paper: below it, so that 0 % would refuse the same text). The difference is Myers', over words, where the paper compares
//! characters.

use std::sync::LazyLock;

use super::pattern::PatternOptions;
use regex::Regex;
use similar::{Algorithm, ChangeTag, capture_diff_slices};

/// How much of a text is compared, in bytes: of long output the beginning says what went wrong.
const COMPARED: usize = 8 * 1024;

static WORDS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\w+|[^\w\s]").expect("a regular expression"));

/// A text with all that may vary made the same.
pub fn normalize_message(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut made = String::new();
    for line in lines {
        if made.len() > COMPARED {
            break;
        }
        made.push_str(&super::generalize_message(line, PatternOptions::default()).shown);
        made.push('\n');
    }
    made
}

/// Whether at most so many percent of the two texts are differences between them. Both are as [`normalize_message`] made them.
pub fn is_similar(one: &str, other: &str, percent: u8) -> bool {
    let words = |text| WORDS.find_iter(text).map(|word| word.as_str()).collect();
    let (one, other): (Vec<&str>, Vec<&str>) = (words(one), words(other));
    let size = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
    let all = size(&one) + size(&other);
    let operations = capture_diff_slices(Algorithm::Myers, &one, &other);
    let changes = operations
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
