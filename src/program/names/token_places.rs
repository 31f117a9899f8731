//! Where tokens stood when a text was read.

use rustc_hash::FxHashMap;

use super::super::node::{FRESH_BIT, TokenId};

/// A token's place among all that have text: its number when the text was read, from 1.
pub type TokenPlace = u32;

/// The places of the tokens of a text.
#[derive(Debug, Default)]
pub struct TokenPlaces {
    /// Tokens of the original up to this number stand at the places of their own numbers. In a text that is read for the first time all do.
    in_order: TokenPlace,
    /// Those of the others, by how far they are behind the last of these; 0 for a token that is not in the text.
    original: Vec<TokenPlace>,
    /// Those of tokens that an edit made.
    fresh: FxHashMap<TokenId, TokenPlace>,
}

impl TokenPlaces {
    /// The next token in the order of the text stands at this place.
    pub fn set_place(&mut self, token: TokenId, place: TokenPlace) {
        if token.0 & FRESH_BIT != 0 {
            self.fresh.insert(token, place);
            return;
        }
        let is_next = token.0 == u64::from(self.in_order) + 1 && self.original.is_empty();
        if is_next && token.0 == u64::from(place) {
            self.in_order = place;
            return;
        }
        if token.0 <= u64::from(self.in_order) {
            // It stands at two places, or the order is not that of the original any more.
            self.original.splice(0..0, 1..=self.in_order);
            self.in_order = 0;
        }
        let Some(at) = self.index_of(token) else {
            return;
        };
        if at >= self.original.len() {
            self.original.resize(at + 1, 0);
        }
        self.original[at] = place;
    }

    /// Where a token stood; none if it is new.
    pub fn place_of(&self, token: TokenId) -> Option<TokenPlace> {
        if token.0 & FRESH_BIT != 0 {
            return self.fresh.get(&token).copied();
        }
        let place = match self.index_of(token) {
            Some(at) => self.original.get(at).copied()?,
            None => token.0 as TokenPlace,
        };
        (place != 0).then_some(place)
    }

    fn index_of(&self, token: TokenId) -> Option<usize> {
        (token.0 as usize).checked_sub(self.in_order as usize + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_where_it_was_last_set() {
        let fresh = FRESH_BIT + 3;
        let texts: [&[u64]; 6] = [
            &[1, 2, 3, 4],
            &[1, 2, 4, 6],
            &[1, 2, 2, 3],
            &[1, 2, 5, 1],
            &[2, 3],
            &[1, fresh, 2, 3],
        ];
        for text in texts {
            let mut places = TokenPlaces::default();
            let all = (1..)
                .zip(text)
                .map(|(place, &token)| (place, TokenId(token)));
            all.clone()
                .for_each(|(place, token)| places.set_place(token, place));
            for token in (0..8).chain([fresh]).map(TokenId) {
                let last = all.clone().filter(|(_, other)| *other == token).last();
                let last = last.map(|(place, _)| place);
                assert_eq!(places.place_of(token), last, "{token:?} in {text:?}");
            }
        }
    }
}
