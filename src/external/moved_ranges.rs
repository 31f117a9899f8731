//! Ranges of one text as ranges of a later one, so that a proposal outlives the run's own edits elsewhere.

use std::ops::Range;

use crate::program::find_changed_stretches;
use crate::reduce::TextReplacement;

/// What changed between two texts: stretches of the old one, and of the new one in their place, from front to back.
pub struct TextMove {
    stretches: Vec<(Range<usize>, Range<usize>)>,
}

impl TextMove {
    /// What changed from `old` to `new`.
    pub fn between(old: &[u8], new: &[u8]) -> TextMove {
        TextMove {
            stretches: find_changed_stretches(old, new),
        }
    }

    /// The same replacements in the new text; none if one is about a place that has changed. Of a range that is to go, what is left goes.
    pub fn move_replacements(&self, old: &[TextReplacement]) -> Option<Vec<TextReplacement>> {
        let moved = old.iter().map(|TextReplacement { range, text }| {
            let moved = self.move_range(range, text.is_empty())?;
            Some(TextReplacement {
                range: moved,
                text: text.clone(),
            })
        });
        let moved: Option<Vec<TextReplacement>> = moved.collect();
        let mut moved = moved?;
        // A range of which nothing is left needs no question.
        moved.retain(|moved| !(moved.range.is_empty() && moved.text.is_empty()));
        (!moved.is_empty()).then_some(moved)
    }

    fn move_range(&self, range: &Range<usize>, goes: bool) -> Option<Range<usize>> {
        let meets = |old: &Range<usize>| old.start < range.end && range.start < old.end;
        if !goes && self.stretches.iter().any(|(old, _)| meets(old)) {
            return None;
        }
        let is_before_start = |old: &Range<usize>| old.start <= range.start;
        // What came in where the range ends is behind it.
        let is_before_end = |old: &Range<usize>| old.start < range.end;
        let start = self.move_place(range.start, is_before_start)?;
        let end = self.move_place(range.end, is_before_end)?;
        (start <= end).then_some(start..end)
    }

    /// Where a place of the old text is in the new one, behind the stretches that are before it. A place inside of what went is where it was; one
    /// inside of what became something else is nowhere.
    fn move_place(&self, place: usize, is_before: impl Fn(&Range<usize>) -> bool) -> Option<usize> {
        let before = self.stretches.iter().take_while(|(old, _)| is_before(old));
        match before.last() {
            None => Some(place),
            Some((old, new)) if place >= old.end => Some(place - old.end + new.end),
            Some((old, new)) if place == old.start || new.is_empty() => Some(new.start),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The new text without this part of the old one, by a range of the old one.
    fn after(old: &str, new: &str, part: &str) -> Option<String> {
        let start = old.find(part).expect("a part of the old text");
        let goes = TextReplacement {
            range: start..start + part.len(),
            text: Default::default(),
        };
        let moved = TextMove::between(old.as_bytes(), new.as_bytes()).move_replacements(&[goes])?;
        let mut left = new.to_owned();
        for replacement in moved.iter().rev() {
            left.replace_range(replacement.range.clone(), "");
        }
        Some(left)
    }

    #[test]
    fn a_range_moves_with_the_text_around_it() {
        let (old, new) = ("int a;\nint b;\nint c;\n", "int b;\nint c;\n");
        assert_eq!(after(old, new, "int c;\n").as_deref(), Some("int b;\n"));
        assert_eq!(after(old, new, "int b;\n").as_deref(), Some("int c;\n"));
    }

    #[test]
    fn of_a_range_the_rest_goes() {
        let (old, new) = ("int a;\nint b;\nint c;\n", "int a;\nint c;\n");
        assert_eq!(
            after(old, new, "int a;\nint b;\n").as_deref(),
            Some("int c;\n")
        );
    }

    #[test]
    fn what_came_in_behind_a_range_stays() {
        let (old, new) = ("a;\nb;\n", "a;\nx;\nb;\n");
        assert_eq!(after(old, new, "a;\n").as_deref(), Some("x;\nb;\n"));
        assert_eq!(after(old, new, "b;\n").as_deref(), Some("a;\nx;\n"));
    }

    #[test]
    fn a_range_that_is_gone_is_no_question() {
        assert_eq!(after("int a;\nint b;\n", "int b;\n", "int a;\n"), None);
    }

    #[test]
    fn half_of_what_became_something_else_is_nowhere() {
        assert_eq!(after("f(one, two);\n", "g(three);\n", "one, "), None);
    }
}
