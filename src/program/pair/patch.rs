//! patch(S, part of D): the seed with a part of its difference from the variant applied, as a text.

use std::sync::Arc;

use super::super::node::{NodeShape, ProgramNode};
use super::super::version::Version;
use super::super::walk;
use super::token_difference::{PairToken, TokenDifference};
use super::twins::{leaf_texts, text_leaves};

/// A pair as two lists of tokens, comments among them, and their difference.
#[derive(Debug)]
pub struct PatchedVariant {
    seed: Vec<Arc<ProgramNode>>,
    variant: Vec<Arc<ProgramNode>>,
    /// What stands behind the last token of the variant.
    rest: Vec<u8>,
    difference: TokenDifference,
    /// For each token of the variant, its twin in the seed.
    seed_of: Vec<Option<usize>>,
}

impl PatchedVariant {
    /// The difference of a pair; none if the version is no pair, or its documents have the same tokens.
    pub fn from_version(version: &Version) -> Option<PatchedVariant> {
        let [seed, variant] = version.documents() else {
            return None;
        };
        version.twins()?;
        let ends = walk::iter_leaves(&variant.root).filter(|leaf| leaf.shape == NodeShape::End);
        let rest = ends
            .flat_map(|leaf| [leaf.trivia(), leaf.text()].concat())
            .collect();
        let (seed_leaves, variant_leaves) = (text_leaves(&seed.root), text_leaves(&variant.root));
        let difference =
            TokenDifference::from_texts(&leaf_texts(&seed_leaves), &leaf_texts(&variant_leaves));
        let mut seed_of = vec![None; variant_leaves.len()];
        for (at, to) in difference.matched_tokens() {
            seed_of[to] = Some(at);
        }
        (!difference.hunks.is_empty()).then(|| PatchedVariant {
            seed_of,
            seed: seed_leaves,
            variant: variant_leaves,
            rest,
            difference,
        })
    }

    /// All tokens of the difference, each with the number of its hunk. In a hunk those of the seed come first.
    pub fn difference_tokens(&self) -> impl Iterator<Item = (usize, PairToken)> + '_ {
        let hunks = self.difference.hunks.iter().enumerate();
        hunks.flat_map(|(number, hunk)| hunk.tokens().map(move |token| (number, token)))
    }

    /// The leaf of a token.
    pub fn leaf(&self, token: PairToken) -> &ProgramNode {
        match token {
            PairToken::Seed(at) => &self.seed[at],
            PairToken::Variant(at) => &self.variant[at],
        }
    }

    /// patch(S, subset of D): the seed with those tokens of the difference applied of which `is_applied` says so.
    pub fn render_patched(&self, is_applied: impl Fn(PairToken) -> bool) -> Arc<[u8]> {
        let tokens = self.difference.patch_tokens(is_applied);
        let mut text = Vec::new();
        let mut before = TokenPlace::default();
        for token in tokens {
            let place = self.place_after(token);
            self.join_token(before, place, &mut text);
            before = place;
        }
        text.extend_from_slice(&self.rest);
        text.into()
    }

    /// The place behind a token in each document that has it. Common tokens are named as those of the variant.
    fn place_after(&self, token: PairToken) -> TokenPlace {
        match token {
            PairToken::Seed(at) => TokenPlace {
                seed: Some(at + 1),
                variant: None,
            },
            PairToken::Variant(at) => TokenPlace {
                seed: self.seed_of[at].map(|at| at + 1),
                variant: Some(at + 1),
            },
        }
    }

    /// Appends the token before `place`. Where it stood behind the last one in one of the documents, it stands as it did there. Elsewhere a
    /// line end parts the two where one was left out between them, else a blank.
    fn join_token(&self, last: TokenPlace, place: TokenPlace, text: &mut Vec<u8>) {
        let sides = [
            side_of(&self.variant, last.variant, place.variant),
            side_of(&self.seed, last.seed, place.seed),
        ];
        let mut known = sides.iter().flatten();
        let beside = known
            .clone()
            .find(|(_, left_out)| left_out.is_some_and(<[_]>::is_empty));
        let Some((leaf, left_out)) = beside.or_else(|| known.next()) else {
            return;
        };
        let has_line_end = |leaf: &Arc<ProgramNode>| leaf.trivia().contains(&b'\n');
        if beside.is_none() && !has_line_end(leaf) {
            match left_out.iter().copied().flatten().any(has_line_end) {
                true => text.push(b'\n'),
                false if leaf.trivia().is_empty() => text.push(b' '),
                false => {}
            }
        }
        text.extend_from_slice(leaf.trivia());
        text.extend_from_slice(leaf.text());
    }
}

/// A token of a document, and what stands there between it and the last one; none where the document does not have that one before it.
type TokenSide<'a> = (&'a Arc<ProgramNode>, Option<&'a [Arc<ProgramNode>]>);

/// The token that ends at `end` of a document whose last one ended at `last`; none if the document does not have the token.
fn side_of(
    leaves: &[Arc<ProgramNode>],
    last: Option<usize>,
    end: Option<usize>,
) -> Option<TokenSide<'_>> {
    let at = end? - 1;
    Some((&leaves[at], last.and_then(|last| leaves.get(last..at))))
}

/// A place between tokens, as the number of tokens before it, in each document that has one.
#[derive(Clone, Copy, Debug)]
struct TokenPlace {
    seed: Option<usize>,
    variant: Option<usize>,
}

/// The beginning of both.
impl Default for TokenPlace {
    fn default() -> TokenPlace {
        TokenPlace {
            seed: Some(0),
            variant: Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language;
    use crate::program::read_pair;

    /// The variant without these hunks.
    fn undo(seed: &str, variant: &str, hunks: &[usize]) -> String {
        let source = |text: &str| {
            let path = Arc::from(Path::new("a.c"));
            (language::by_name("c"), path, Arc::from(text.as_bytes()))
        };
        let version = read_pair(source(seed), source(variant)).expect("a pair");
        let patch = PatchedVariant::from_version(&version).expect("a difference");
        let all = patch.difference_tokens();
        let undone = all.filter(|(hunk, _)| hunks.contains(hunk));
        let undone: Vec<PairToken> = undone.map(|(_, token)| token).collect();
        let text = patch.render_patched(|token| !undone.contains(&token));
        String::from_utf8(text.to_vec()).expect("UTF-8")
    }

    #[test]
    fn an_undone_hunk_stands_as_it_did_in_the_seed() {
        let (seed, variant) = ("int a = k(1, 2, 3);\n", "int a = k(9); int E;\n");
        assert_eq!(undo(seed, variant, &[]), variant);
        assert_eq!(undo(seed, variant, &[0]), "int a = k(1, 2, 3); int E;\n");
        assert_eq!(undo(seed, variant, &[0, 1]), seed);
    }

    #[test]
    fn lines_that_were_apart_stay_apart() {
        let (seed, variant) = ("#define A 1\nint b;\n", "#define A 1\nint c;\nint b;\n");
        assert_eq!(undo(seed, variant, &[0]), seed);
    }
}
