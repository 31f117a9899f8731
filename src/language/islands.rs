//! Pieces in brackets that are parsed by themselves.
//!
//! Where the parser does not understand a construct, it may give up far more than that: a macro before `{` makes of a class a run of tokens. What
//! stands in the brackets is often sound, and the parser can say so when it sees the brackets in a place that they may have: as the body of a
//! function, of a class, or of a namespace, as parameters or as arguments. These places are data (`[islands]` in `language.toml`), and the
//! best of them counts. Island grammars (Moonen, WCRE 2001) have the same aim: structure where it can be found, and anything between.

use super::Language;
use super::parser::{ParseCursor, ParseLimit, ParseTree};

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
    /// A cursor at the outermost node that is the brackets and what is between them.
    pub fn walk(&self, length: usize) -> Option<ParseCursor<'_>> {
        let piece = self.before..self.before + length;
        let mut cursor = self.tree.walk();
        loop {
            let range = cursor.node().range();
            if range == piece {
                return (cursor.node().child_count() > 1 && !cursor.node().is_error())
                    .then_some(cursor);
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

    /// Parses a masked text that begins with a bracket and ends with its partner: in the first place where the parser understands all of it, else in
    /// the first of those where it understands most. None if it is a node in no place.
    pub fn parse_island(&self, text: &[u8]) -> Option<IslandParse> {
        let opening = char::from(*text.first()?);
        let places = self.definition.data.islands.get(&opening)?;
        let mut parser = self.new_parser();
        let mut best: Option<IslandParse> = None;
        for place in places {
            let (before, behind) = place.split_once('$')?;
            let whole = [before.as_bytes(), text, behind.as_bytes()].concat();
            let limit = ParseLimit::for_length(whole.len());
            let Ok(tree) = parser.parse(&whole, None, limit) else {
                continue;
            };
            let piece = before.len()..before.len() + text.len();
            let mut faults = tree.find_faults();
            if faults
                .iter()
                .any(|fault| fault.start < piece.start || fault.end > piece.end)
            {
                continue;
            }
            // Those inside of others count once; a missing token has no bytes.
            faults.dedup_by(|inner, outer| inner.end <= outer.end);
            let faulty = faults.iter().map(|fault| fault.len().max(1)).sum();
            let island = IslandParse {
                tree,
                before: before.len(),
                faulty,
            };
            let better = best.as_ref().is_none_or(|best| faulty < best.faulty);
            if better && island.walk(text.len()).is_some() {
                best = Some(island);
            }
            if best.as_ref().is_some_and(|best| best.faulty == 0) {
                break;
            }
        }
        best
    }
}
