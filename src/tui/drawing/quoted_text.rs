//! Sentences with quoted code in few cells: the code is shortened, and never the words around it.

use super::text::{text_width, truncate_end};

/// The fewest cells that are left of a piece of code.
const LEAST_QUOTED: usize = 8;
/// The sign between what stood there and what it becomes.
const ARROWS: [&str; 2] = [" → ", " -> "];

/// A sentence in at most `cells` cells: each piece of code is at most as long as fits, but no shorter than `least`. None if it does not fit.
pub fn shorten_quotes(text: &str, cells: usize, least: usize, mark: &str) -> Option<String> {
    if text_width(text) <= cells {
        return Some(text.to_owned());
    }
    let pieces: Vec<&str> = text.split('`').collect();
    let widest = pieces
        .iter()
        .skip(1)
        .step_by(2)
        .map(|code| text_width(code));
    let widest = widest.max().filter(|_| pieces.len() % 2 == 1)?;
    let shorten = |most: usize| {
        let parts = pieces.iter().enumerate().map(|(at, piece)| match at % 2 {
            0 => (*piece).to_owned(),
            _ => truncate_end(piece, most, mark),
        });
        parts.collect::<Vec<_>>().join("`")
    };
    let limits = (least..widest).rev();
    limits
        .map(shorten)
        .find(|shorter| text_width(shorter) <= cells)
}

/// A sentence in at most `cells` cells, cut at its end where shorter code is not enough. A piece of code that is cut there is closed.
pub fn fit_sentence(text: &str, cells: usize, mark: &str) -> String {
    if let Some(whole) = shorten_quotes(text, cells, LEAST_QUOTED, mark) {
        return whole;
    }
    let cut = truncate_end(text, cells, mark);
    match cut.matches('`').count() % 2 {
        0 => cut,
        _ => {
            let shorter = truncate_end(text, cells.saturating_sub(1), mark);
            match shorter.matches('`').count() % 2 {
                0 => shorter,
                _ => format!("{shorter}`"),
            }
        }
    }
}

/// The details of a sentence in at most `cells` cells: of a list of objects the last are counted instead of named, and the clauses after
/// it stay.
///
/// ```text
/// `safe_mod`, `safe_div` and 12 more; 7 stay, `main` still uses `end`
/// ```
pub fn fit_details(text: &str, cells: usize, mark: &str) -> String {
    if text_width(text) <= cells {
        return text.to_owned();
    }
    let (list, clauses) = match find_unquoted(text, "; ") {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let named = named_objects(list);
    for count in (1..named.len()).rev() {
        let names: Vec<&str> = named[..count].iter().map(|(name, _)| *name).collect();
        let more: u64 = named[count..].iter().map(|(_, times)| times).sum();
        let shorter = format!("{} and {more} more{clauses}", names.join(", "));
        // Code is shortened a little before the next object is left out, and the last named one as far as it must.
        let least = if count == 1 { LEAST_QUOTED } else { 24 };
        if let Some(fits) = shorten_quotes(&shorter, cells, least, mark) {
            return fits;
        }
    }
    fit_sentence(text, cells, mark)
}

/// The objects of a list with the number that each stands for, "and 3 more" as one without a name; none if it is no list.
fn named_objects(list: &str) -> Vec<(&str, u64)> {
    let mut objects = Vec::new();
    let mut rest = list;
    loop {
        let end = find_unquoted(rest, ", ").unwrap_or(rest.len());
        let (object, after) = rest.split_at(end);
        let (name, more) = match find_unquoted(object, " and ") {
            Some(at) => (&object[..at], &object[at..]),
            None => (object, ""),
        };
        let times = name
            .rsplit_once("` ×")
            .map_or(Some(1), |(_, times)| times.parse().ok());
        let Some(times) = times.filter(|_| name.starts_with('`')) else {
            return Vec::new();
        };
        objects.push((name, times));
        if !more.is_empty() {
            let count = more
                .strip_prefix(" and ")
                .and_then(|more| more.strip_suffix(" more"));
            let Some(count) = count.and_then(|count| count.parse().ok()) else {
                return Vec::new();
            };
            objects.push(("", count));
        }
        match after.strip_prefix(", ") {
            Some(next) => rest = next,
            None => return objects,
        }
    }
}

/// Where these words first stand outside of quotes.
fn find_unquoted(text: &str, words: &str) -> Option<usize> {
    let mut places = text.match_indices(words).map(|(at, _)| at);
    places.find(|at| text[..*at].matches('`').count().is_multiple_of(2))
}

/// The short form of a sentence in at most `cells` cells. What happens stands at its beginning or behind an arrow, and stays: what is cut is
/// the end of what it happens to.
pub fn fit_summary(text: &str, cells: usize, mark: &str) -> String {
    let parts = ARROWS.into_iter().find_map(|arrow| {
        let at = text.rfind(arrow)?;
        Some((&text[..at], &text[at..]))
    });
    let Some((old, new)) = parts.filter(|_| text_width(text) > cells) else {
        return truncate_end(text, cells, mark);
    };
    let (old_width, new_width) = (text_width(old), text_width(new));
    // Each side has half of the room, and what the other one leaves.
    let half = cells / 2;
    let new_room = new_width.min(cells.saturating_sub(old_width.min(half)));
    let old = truncate_end(old, cells.saturating_sub(new_room), mark);
    format!("{old}{}", truncate_end(new, new_room, mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_shortened_and_the_words_stay() {
        let asked = "Can `{ int sum = 0; fill(argc); for (int i =…` become its return statement?";
        assert_eq!(
            fit_sentence(asked, 60, "…"),
            "Can `{ int sum = 0; fill(argc…` become its return statement?"
        );
        assert_eq!(shorten_quotes(asked, 45, 16, "…"), None);
        assert_eq!(fit_sentence("has `resize(2)`", 10, "…"), "has `res…`");
        assert_eq!(fit_sentence("no code at all", 8, "…"), "no code…");
    }

    #[test]
    fn objects_that_do_not_fit_are_counted_and_the_reason_stays() {
        let details =
            "`alpha`, `beta` ×2, `gamma`, `delta` and 3 more; 7 stay, `main` still uses `end`";
        assert_eq!(fit_details(details, 200, "…"), details);
        assert_eq!(
            fit_details(details, 70, "…"),
            "`alpha`, `beta` ×2 and 5 more; 7 stay, `main` still uses `end`"
        );
        assert_eq!(
            fit_details(details, 55, "…"),
            "`alpha` and 7 more; 7 stay, `main` still uses `end`"
        );
        let clause = "2 stay, `a_long_name_indeed` still uses `another_long_name`";
        let short = fit_details(clause, 45, "…");
        assert_eq!(short, "2 stay, `a_long_na…` still uses `another_l…`");
    }

    #[test]
    fn a_short_form_keeps_its_verb_and_what_becomes_of_the_object() {
        for (short, cells, fits) in [
            ("del total += days[m]", 12, "del total +…"),
            (
                "{ int sum = 0; fill(argc) → its body",
                24,
                "{ int sum =… → its body",
            ),
            ("a → b", 5, "a → b"),
            ("x → for (int i = 0; i < 9; i++)", 16, "x → for (int i…"),
            ("4 of 12 statements", 9, "4 of 12…"),
        ] {
            assert_eq!(fit_summary(short, cells, "…"), fits, "{short}");
        }
    }
}
