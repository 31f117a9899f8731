//! Fuzzy matching: ranking words by a few typed letters.

/// The score of `typed` for `word`, higher is better; none if its letters do not occur in the word in this order. Letters at the
/// beginning of a part of the word count more, and so do consecutive letters.
pub fn fuzzy_score(typed: &str, word: &str) -> Option<i32> {
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let typed: Vec<char> = typed.chars().flat_map(char::to_lowercase).collect();
    let starts = |at: usize| at == 0 || !word[at - 1].is_alphanumeric();
    // For each position of the previous letter the best sum: the usual alignment by dynamic programming.
    let mut best: Vec<Option<i32>> = vec![None; word.len()];
    for (number, letter) in typed.iter().enumerate() {
        let mut next = vec![None; word.len()];
        let mut before: Option<i32> = (number == 0).then_some(0);
        for at in 0..word.len() {
            if word[at] == *letter {
                let own = if starts(at) { 8 } else { 1 };
                let together = at.checked_sub(1).and_then(|at| best[at]).map(|sum| sum + 5);
                let sum = before.max(together.filter(|_| number > 0));
                next[at] = sum.map(|sum| sum + own);
            }
            before = before.max(best[at]);
        }
        best = next;
    }
    let shorter = 64 - word.len().min(64) as i32;
    let sum = match typed.is_empty() {
        true => Some(0),
        false => best.into_iter().flatten().max(),
    };
    sum.map(|sum| sum * 64 + shorter)
}

/// The indices of the words that match: the word itself first, then those that begin with it, then the best; equal ones keep their order.
pub fn rank_matches<'a>(typed: &str, words: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let words: Vec<&str> = words.collect();
    let mut fits: Vec<(i32, usize)> = words
        .iter()
        .enumerate()
        .filter_map(|(at, word)| Some((fuzzy_score(typed, word)?, at)))
        .collect();
    if !typed.is_empty() {
        let is_exact = |at: usize| words[at] == typed;
        let begins = |at: usize| words[at].starts_with(typed);
        fits.sort_by_key(|&(fit, at)| (!is_exact(at), !begins(at), std::cmp::Reverse(fit), at));
    }
    fits.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_comes_first() {
        let words = ["unfold-all", "fold-all", "fold", "follow", "page-down"];
        let first = |typed: &str| {
            let ranked = rank_matches(typed, words.iter().copied());
            ranked.first().map(|at| words[*at])
        };
        assert_eq!(first("fold"), Some("fold"));
        assert_eq!(first("fa"), Some("fold-all"));
        assert_eq!(first("ua"), Some("unfold-all"));
        assert_eq!(first("pd"), Some("page-down"));
        assert_eq!(first("flw"), Some("follow"));
        assert_eq!(first("FO"), Some("fold"));
        assert_eq!(
            rank_matches("se", ["s_e_x", "selected"].into_iter()),
            [1, 0]
        );
        assert_eq!(first("xyz"), None);
        assert_eq!(rank_matches("", words.iter().copied()).len(), words.len());
        assert_eq!(fuzzy_score("ab", "ba"), None);
        let paths = ["src/x0.c", "src/log.c", "src"];
        assert_eq!(rank_matches("src", paths.into_iter())[0], 2);
    }
}
