//! Pieces in brackets that are parsed by themselves.
//!
//! Where the parser does not understand a construct, it may give up far more than that: a macro before `{` makes of a class a run of tokens. What
//! stands in the brackets is often sound, and the parser can say so when it sees the brackets in a place that they may have: as the body of a
//! function, of a class, or of a namespace, as parameters or as arguments. These places are data (`[islands]` in `language.toml`), and the
//! best of them counts. Island grammars (Moonen, WCRE 2001) have the same aim: structure where it can be found, and anything between.

use std::ops::Range;

use super::Language;
use super::parser::{LanguageParser, ParseCursor, ParseLimit, ParseTree};

/// A piece in brackets, parsed by itself.
pub struct IslandParse {
    /// The tree of the brackets with what was put around them.
    pub tree: ParseTree,
    /// How many bytes were put before them.
    pub before: usize,
    /// How many bytes of the piece the parser did not understand.
    faulty: usize,
}

impl IslandParse {
    /// A cursor at the outermost node that is the brackets and what is between them, each by itself.
    pub fn walk(&self, length: usize) -> Option<ParseCursor<'_>> {
        let piece = self.before..self.before + length;
        let mut cursor = self.tree.walk();
        loop {
            let node = cursor.node();
            if node.range() == piece && node.child_count() > 1 {
                return (!node.is_error()).then_some(cursor);
            }
            let mut there = cursor.goto_first_child();
            while there && cursor.node().range().end <= piece.start {
                there = cursor.goto_next_sibling();
            }
            if !there || cursor.node().range().start > piece.start {
                return None;
            }
        }
    }
}

impl Language {
    /// What is wrong with the places of islands: one without `$`, or of what is no opening bracket.
    pub(super) fn find_island_problem(&self) -> Option<String> {
        self.definition
            .data
            .islands
            .iter()
            .find_map(|(opening, places)| {
                if !"([{".contains(*opening) {
                    return Some(format!(
                        "`{opening}` is no opening bracket; there are (, [ and {{"
                    ));
                }
                let lacking = places.iter().find(|place| !place.contains('$'))?;
                Some(format!(
                    "`{lacking}` has no `$`, which stands for the brackets and what is between them"
                ))
            })
    }

    /// Whether it has places for islands.
    pub fn has_islands(&self) -> bool {
        !self.definition.data.islands.is_empty()
    }

    /// Parses a masked text that begins with a bracket and ends with its partner: in the first place where the parser understands all of it, else in
    /// the first of those where it understands most. None if it is a node in no place. Each parse takes its bytes from `budget`, and there is none
    /// when that is used up.
    pub fn parse_island(&self, text: &[u8], budget: &mut usize) -> Option<IslandParse> {
        let opening = char::from(*text.first()?);
        let places = self.definition.data.islands.get(&opening)?;
        let mut parser = self.new_parser();
        let mut best: Option<IslandParse> = None;
        for place in places {
            let Some(left) = budget.checked_sub(text.len()) else {
                break;
            };
            *budget = left;
            let Some(island) = parse_in_place(&mut parser, place, text) else {
                continue;
            };
            let better = best.as_ref().is_none_or(|best| island.faulty < best.faulty);
            if better {
                best = Some(island);
            }
            if best.as_ref().is_some_and(|best| best.faulty == 0) {
                break;
            }
        }
        best
    }
}

/// None if the text is no node there, or the parser finds a fault around it.
fn parse_in_place(parser: &mut LanguageParser, place: &str, text: &[u8]) -> Option<IslandParse> {
    let (before, behind) = place.split_once('$')?;
    let whole = [before.as_bytes(), text, behind.as_bytes()].concat();
    let limit = ParseLimit::for_length(whole.len());
    let tree = parser.parse(&whole, None, limit).ok()?;
    let piece = before.len()..before.len() + text.len();
    let mut faults = tree.find_faults();
    let is_inside = |fault: &Range<usize>| fault.start >= piece.start && fault.end <= piece.end;
    if !faults.iter().all(is_inside) {
        return None;
    }
    // Those inside of others count once; a missing token has no bytes.
    faults.dedup_by(|inner, outer| inner.end <= outer.end);
    let island = IslandParse {
        tree,
        before: before.len(),
        faulty: faults.iter().map(|fault| fault.len().max(1)).sum(),
    };
    let is_node = island.walk(text.len()).is_some();
    is_node.then_some(island)
}

#[cfg(test)]
mod tests {
    use crate::language::all_languages;

    use super::*;

    /// Pieces of which some language has each as a node.
    const PIECES: &[&str] = &[
        "{ a; b; }",
        "{ a(); b(); }",
        "{ int a; int b; }",
        "{ a, b }",
        "{ A, B }",
        "{ 1, 2 }",
        "{ a: 1, b: 2 }",
        "{ a: u8, b: u8 }",
        "{ fn a() {} fn b() {} }",
        "{ fn a(self) {} }",
        "{ a int; b int }",
        "{ a() {} b() {} }",
        "{ a: number; b: number }",
        "{ val a = 1; val b = 2 }",
        "(int a, int b)",
        "(a, b)",
        "(a: Int, b: Int)",
        "(a: u8, b: u8)",
        "(a int, b int)",
        "(a)",
        "(a + b)",
        "[a, b]",
        "[1, 2]",
    ];

    #[test]
    fn each_place_of_each_language_has_a_piece_that_is_a_node_there() {
        for language in all_languages() {
            for (opening, places) in &language.definition.data.islands {
                for place in places {
                    let fits = PIECES.iter().any(|piece| {
                        let mut parser = language.new_parser();
                        let island = piece
                            .starts_with(*opening)
                            .then(|| parse_in_place(&mut parser, place, piece.as_bytes()));
                        island.flatten().is_some_and(|island| island.faulty == 0)
                    });
                    assert!(fits, "{language:?}: {place}");
                }
            }
        }
    }
}
