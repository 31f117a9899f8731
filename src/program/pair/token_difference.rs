//! The difference of two lists of tokens: which tokens of S are gone in V, and which ones V has more.
//!
//! 1. A longest common subsequence, by the algorithm of Myers ("An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986), in
//!    time O(ND) and linear space. The crate `similar` has it, without a deadline and without its heuristics. One shortcut stays in it: if one
//!    list is more than twice as long as the other, and 96 tokens are equal after at most 4 more of the longer one, those are matched at
//!    once. Only there the difference may not be minimal.
//! 2. Of several ways to match the same subsequence the one that matches each token as early as possible. Then what V has more ends where
//!    both lists are equal again.
//! 3. A hunk that only inserts, or only deletes, may often slide: `a [b a]` is `[a b] a` too. It slides towards the beginning if then
//!    fewer pairs of brackets are half in the difference and half common.
//!
//! Steps 2 and 3 change no number of tokens. They make hunks that can go one by one: of `f(1);` and `f((1) + 0); g();`, the hunks `(`, `) + 0` and
//! `g();`, and not `(` and `) + 0); g(`.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use crate::program::sequence_diff::{match_most_elements, match_subsequence};

/// Hunks with fewer equal tokens than this between them belong together.
const SHORT_RUN: usize = 3;

/// The brackets, opening and closing.
const BRACKETS: [(&[u8], &[u8]); 3] = [(b"(", b")"), (b"[", b"]"), (b"{", b"}")];

/// A token of a pair, by its index in the list of its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PairToken {
    /// A token of S.
    Seed(usize),
    /// A token of V.
    Variant(usize),
}

/// Tokens that both lists have: `length` tokens of S from `seed` on are those of V from `variant` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenRun {
    /// Where it begins in S.
    pub seed: usize,
    /// Where it begins in V.
    pub variant: usize,
    /// How many tokens; at least one.
    pub length: usize,
}

/// A place where the lists differ: the tokens `seed` of S became the tokens `variant` of V. One of them may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenHunk {
    /// What S has more.
    pub seed: Range<usize>,
    /// What V has more.
    pub variant: Range<usize>,
}

impl TokenHunk {
    /// Its tokens, those of S first.
    pub fn tokens(&self) -> impl Iterator<Item = PairToken> {
        let deleted = self.seed.clone().map(PairToken::Seed);
        deleted.chain(self.variant.clone().map(PairToken::Variant))
    }
}

/// A part of a hunk that is undone as a whole: a token, or two brackets that match. All are of one document.
pub type TokenElement = SmallVec<[PairToken; 2]>;

/// What two lists of tokens have in common, and where they differ. Both parts are in the order of the lists, and cover them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenDifference {
    /// What both have.
    pub runs: Vec<TokenRun>,
    /// Where they differ.
    pub hunks: Vec<TokenHunk>,
}

impl TokenDifference {
    /// The difference of the tokens of S and those of V, which are given by their texts.
    pub fn from_texts(seed: &[&[u8]], variant: &[&[u8]]) -> TokenDifference {
        let mut pairs = match_tokens(seed, variant);
        match_early(&mut pairs, seed, variant);
        let mut hunks = hunks_between(&pairs, seed.len(), variant.len());
        slide_hunks(&mut hunks, seed, variant);
        TokenDifference {
            runs: runs_between(&hunks, variant.len()),
            hunks,
        }
    }

    /// |D|: the tokens of S that V has not, and those of V that S has not.
    pub fn token_count(&self) -> usize {
        let sizes = self.hunks.iter();
        sizes.map(|hunk| hunk.seed.len() + hunk.variant.len()).sum()
    }

    /// The index in S and in V of each token that both have.
    pub fn matched_tokens(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let runs = self.runs.iter();
        runs.flat_map(|run| (0..run.length).map(|at| (run.seed + at, run.variant + at)))
    }

    /// All hunks in groups, as ranges of their indices. Fewer than 3 equal tokens stand between two hunks of a group: they belong together, so
    /// a group of several is worth a question before each of them is.
    pub fn group_hunks(&self) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        for (at, hunk) in self.hunks.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &self.hunks[before]);
            let near = before.is_some_and(|before| hunk.seed.start - before.seed.end < SHORT_RUN);
            match groups.last_mut().filter(|_| near) {
                Some(group) => group.end = at + 1,
                None => groups.push(at..at + 1),
            }
        }
        groups
    }

    /// patch(S, subset of D): the tokens of S with a part of the difference applied. `is_applied` says of a token of S in a hunk whether its
    /// deletion counts, and of one of V whether its insertion does. With all of them the result is V, with none it is S. Common tokens are
    /// named as those of V. In a hunk the tokens of S come first.
    pub fn patch_tokens(&self, is_applied: impl Fn(PairToken) -> bool) -> Vec<PairToken> {
        let common = self.runs.iter().map(|run| {
            let tokens = run.variant..run.variant + run.length;
            (run.variant, tokens.map(PairToken::Variant).collect())
        });
        let changed = self.hunks.iter().map(|hunk| {
            let kept = hunk.seed.clone().map(PairToken::Seed);
            let new = hunk.variant.clone().map(PairToken::Variant);
            let kept = kept.filter(|token| !is_applied(*token));
            (
                hunk.variant.start,
                kept.chain(new.filter(|token| is_applied(*token))).collect(),
            )
        });
        let mut parts: Vec<(usize, Vec<PairToken>)> = changed.chain(common).collect();
        // A hunk that only deletes begins where the run after it does, and was put before it.
        parts.sort_by_key(|(start, _)| *start);
        parts.into_iter().flat_map(|(_, tokens)| tokens).collect()
    }
}

/// The finest parts of these hunks: deletions first, then insertions, each token by itself. Brackets that match among the deletions of
/// these hunks, or among their insertions, are one element, because one without the other is no program.
pub fn split_hunks(hunks: &[TokenHunk], seed: &[&[u8]], variant: &[&[u8]]) -> Vec<TokenElement> {
    let deleted = hunks.iter().flat_map(|hunk| hunk.seed.clone());
    let inserted = hunks.iter().flat_map(|hunk| hunk.variant.clone());
    let mut elements = split_tokens(deleted.collect(), seed, PairToken::Seed);
    elements.extend(split_tokens(
        inserted.collect(),
        variant,
        PairToken::Variant,
    ));
    elements
}

fn split_tokens(
    tokens: Vec<usize>,
    texts: &[&[u8]],
    name: fn(usize) -> PairToken,
) -> Vec<TokenElement> {
    let own: Vec<&[u8]> = tokens.iter().map(|token| texts[*token]).collect();
    let partners = match_brackets(&own);
    let elements = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| match partners[at] {
            Some(partner) if partner < at => None,
            Some(partner) => Some(smallvec![name(*token), name(tokens[partner])]),
            None => Some(smallvec![name(*token)]),
        });
    elements.collect()
}

/// The tokens of a longest common subsequence, by their indices in both lists.
fn match_tokens(seed: &[&[u8]], variant: &[&[u8]]) -> Vec<(usize, usize)> {
    match_subsequence(seed, variant).unwrap_or_else(|| match_most_elements(seed, variant))
}

/// Matches the same tokens in each list as early as possible.
fn match_early(pairs: &mut [(usize, usize)], seed: &[&[u8]], variant: &[&[u8]]) {
    let (mut in_seed, mut in_variant) = (0, 0);
    for (old, new) in pairs {
        let text = seed[*old];
        while seed[in_seed] != text {
            in_seed += 1;
        }
        while variant[in_variant] != text {
            in_variant += 1;
        }
        (*old, *new) = (in_seed, in_variant);
        (in_seed, in_variant) = (in_seed + 1, in_variant + 1);
    }
}

/// What lies between the matched tokens of lists of these lengths.
fn hunks_between(pairs: &[(usize, usize)], seed: usize, variant: usize) -> Vec<TokenHunk> {
    let mut hunks = Vec::new();
    let mut start = (0, 0);
    for &(old, new) in pairs.iter().chain([&(seed, variant)]) {
        if start != (old, new) {
            hunks.push(TokenHunk {
                seed: start.0..old,
                variant: start.1..new,
            });
        }
        start = (old + 1, new + 1);
    }
    hunks
}

/// What lies between the hunks, up to the end of V.
fn runs_between(hunks: &[TokenHunk], variant: usize) -> Vec<TokenRun> {
    let mut runs = Vec::new();
    let mut start = (0, 0);
    let ends = hunks.iter().map(|hunk| hunk.variant.start).chain([variant]);
    let next = hunks.iter().map(|hunk| (hunk.seed.end, hunk.variant.end));
    for (end, next) in ends.zip(next.chain([(0, 0)])) {
        if start.1 < end {
            runs.push(TokenRun {
                seed: start.0,
                variant: start.1,
                length: end - start.1,
            });
        }
        start = next;
    }
    runs
}

/// A list with its brackets, and which of its tokens are in the difference.
struct BracketList<'a> {
    texts: &'a [&'a [u8]],
    partners: Vec<Option<usize>>,
    differs: Vec<bool>,
}

impl<'a> BracketList<'a> {
    fn new(texts: &'a [&'a [u8]], hunks: impl Iterator<Item = Range<usize>>) -> BracketList<'a> {
        let mut differs = vec![false; texts.len()];
        hunks.for_each(|hunk| differs[hunk].fill(true));
        BracketList {
            texts,
            partners: match_brackets(texts),
            differs,
        }
    }

    /// 1 if the token is a bracket in the difference, and its partner is common, or the other way round.
    fn halved(&self, token: usize) -> i32 {
        let partner = self.partners[token];
        i32::from(partner.is_some_and(|partner| self.differs[partner] != self.differs[token]))
    }

    /// Puts a token into the difference and takes another one out, or back. Returns how many more pairs of brackets are halved.
    fn exchange(&mut self, one: usize, other: usize) -> i32 {
        let before = self.halved(one) + self.halved(other);
        self.differs.swap(one, other);
        self.halved(one) + self.halved(other) - before
    }

    /// By how many tokens the hunk should slide towards `least`, where it may begin at the earliest.
    fn best_slide(&mut self, hunk: Range<usize>, least: usize) -> usize {
        let (mut slid, mut halved) = (0, 0);
        let (mut best, mut fewest) = (0, 0);
        while hunk.start - slid > least
            && self.texts[hunk.start - slid - 1] == self.texts[hunk.end - slid - 1]
        {
            slid += 1;
            halved += self.exchange(hunk.start - slid, hunk.end - slid);
            if halved < fewest {
                (best, fewest) = (slid, halved);
            }
        }
        for too_far in best + 1..=slid {
            self.exchange(hunk.start - too_far, hunk.end - too_far);
        }
        best
    }
}

/// Slides hunks of one side towards the beginning, the last hunk first, so that few pairs of brackets are halved. At least one equal token
/// stays between two hunks.
fn slide_hunks(hunks: &mut [TokenHunk], seed: &[&[u8]], variant: &[&[u8]]) {
    let mut old = BracketList::new(seed, hunks.iter().map(|hunk| hunk.seed.clone()));
    let mut new = BracketList::new(variant, hunks.iter().map(|hunk| hunk.variant.clone()));
    for at in (0..hunks.len()).rev() {
        let least = match at.checked_sub(1) {
            Some(before) => (hunks[before].seed.end + 1, hunks[before].variant.end + 1),
            None => (0, 0),
        };
        let hunk = &mut hunks[at];
        let slide = if hunk.seed.is_empty() {
            new.best_slide(hunk.variant.clone(), least.1)
        } else if hunk.variant.is_empty() {
            old.best_slide(hunk.seed.clone(), least.0)
        } else {
            0
        };
        hunk.seed = hunk.seed.start - slide..hunk.seed.end - slide;
        hunk.variant = hunk.variant.start - slide..hunk.variant.end - slide;
    }
}

/// The partner of each bracket. A closing bracket that does not fit the last open one has none.
fn match_brackets(texts: &[&[u8]]) -> Vec<Option<usize>> {
    let mut partners = vec![None; texts.len()];
    let mut open: Vec<(usize, &[u8])> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        if let Some((_, close)) = BRACKETS.iter().find(|(bracket, _)| bracket == text) {
            open.push((at, close));
        } else if let Some((start, _)) = open.pop_if(|(_, close)| close == text) {
            (partners[start], partners[at]) = (Some(at), Some(start));
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<&[u8]> {
        text.split_whitespace().map(str::as_bytes).collect()
    }

    fn join(words: &[&[u8]]) -> String {
        String::from_utf8(words.join(&b' ')).expect("ASCII")
    }

    /// The hunks, each as what goes and what comes.
    fn hunk_texts(difference: &TokenDifference, seed: &[&[u8]], variant: &[&[u8]]) -> Vec<String> {
        let text = |hunk: &TokenHunk| {
            let gone = join(&seed[hunk.seed.clone()]);
            format!("{gone} -> {}", join(&variant[hunk.variant.clone()]))
        };
        difference.hunks.iter().map(text).collect()
    }

    /// The text of a patched list.
    fn token_texts<'a>(
        tokens: &[PairToken],
        seed: &[&'a [u8]],
        variant: &[&'a [u8]],
    ) -> Vec<&'a [u8]> {
        let text = |token: &PairToken| match *token {
            PairToken::Seed(at) => seed[at],
            PairToken::Variant(at) => variant[at],
        };
        tokens.iter().map(text).collect()
    }

    #[track_caller]
    fn assert_hunks(seed: &str, variant: &str, expected: &[&str]) {
        let (seed, variant) = (words(seed), words(variant));
        let difference = TokenDifference::from_texts(&seed, &variant);
        assert_eq!(hunk_texts(&difference, &seed, &variant), expected);
    }

    #[test]
    fn hunks_are_the_pieces_that_a_person_would_name() {
        assert_hunks(
            "f ( 1 ) ;",
            "f ( ( 1 ) + 0 ) ; g ( ) ;",
            &[" -> (", " -> ) + 0", " -> g ( ) ;"],
        );
        assert_hunks("x ; y ; z ;", "x ; y ; B ; z ;", &[" -> B ;"]);
        assert_hunks(
            "{ p ; q ; } r ;",
            "{ p ; W ; q ; } r ; E ;",
            &[" -> W ;", " -> E ;"],
        );
        assert_hunks(
            "k ( 1 , 2 , 3 ) ;",
            "k ( 9 ) ; E ;",
            &["1 , 2 , 3 -> 9", " -> E ;"],
        );
        assert_hunks(
            "while ( a ) { b ; }",
            "b ;",
            &["while ( a ) { -> ", "} -> "],
        );
        assert_hunks("a = b", "a = b", &[]);
        assert_hunks("", "a b", &[" -> a b"]);
        assert_hunks("a b", "", &["a b -> "]);
    }

    #[test]
    fn a_hunk_slides_to_where_its_brackets_match() {
        // `} else {` is as good a hunk for a list of tokens.
        assert_hunks("if { a } b", "if { a } else { c } b", &[" -> else { c }"]);
        assert_hunks("( a ) b", "( ( a ) ) b", &[" -> (", " -> )"]);
        assert_hunks("[ x ]", "[ [ y ] , x ]", &[" -> [ y ] ,"]);
    }

    #[test]
    fn hunks_with_fewer_than_three_tokens_between_them_belong_together() {
        let (seed, variant) = (words("a b c d e f g"), words("a X b c Y d e f Z g"));
        let difference = TokenDifference::from_texts(&seed, &variant);
        assert_eq!(difference.hunks.len(), 3);
        assert_eq!(difference.group_hunks(), [0..2, 2..3]);
    }

    #[test]
    fn brackets_that_match_in_hunks_are_one_element() {
        let (seed, variant) = (words("f ( 1 ) ;"), words("f ( ( 1 ) + 0 ) ; g ( ) ;"));
        let difference = TokenDifference::from_texts(&seed, &variant);
        let elements = split_hunks(&difference.hunks[..2], &seed, &variant);
        let texts = |elements: &[TokenElement]| -> Vec<String> {
            let text = |element: &TokenElement| join(&token_texts(element, &seed, &variant));
            elements.iter().map(text).collect()
        };
        assert_eq!(texts(&elements), ["( )", "+", "0"]);
        // Of one hunk alone the bracket has no partner.
        let alone = split_hunks(&difference.hunks[1..2], &seed, &variant);
        assert_eq!(texts(&alone), [")", "+", "0"]);
        // Without the brackets, and without `g();`.
        let undone = [
            &elements[..1],
            &split_hunks(&difference.hunks[2..], &seed, &variant),
        ]
        .concat()
        .concat();
        let patched = difference.patch_tokens(|token| !undone.contains(&token));
        assert_eq!(
            join(&token_texts(&patched, &seed, &variant)),
            "f ( 1 + 0 ) ;"
        );
    }

    #[test]
    fn deletions_and_insertions_of_a_hunk_are_elements_apart() {
        let (seed, variant) = (words("a ( x ) b"), words("a [ y ] b"));
        let difference = TokenDifference::from_texts(&seed, &variant);
        let elements = split_hunks(&difference.hunks, &seed, &variant);
        let expected: [&[PairToken]; 4] = [
            &[PairToken::Seed(1), PairToken::Seed(3)],
            &[PairToken::Seed(2)],
            &[PairToken::Variant(1), PairToken::Variant(3)],
            &[PairToken::Variant(2)],
        ];
        assert_eq!(
            elements
                .iter()
                .map(|element| &element[..])
                .collect::<Vec<_>>(),
            expected
        );
        // The deletion of the brackets is undone, the rest is applied.
        let patched = difference.patch_tokens(|token| !elements[0].contains(&token));
        assert_eq!(
            join(&token_texts(&patched, &seed, &variant)),
            "a ( ) [ y ] b"
        );
    }

    /// The length of a longest common subsequence, by the table of all prefixes.
    fn common_length(a: &[&[u8]], b: &[&[u8]]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut corner = 0;
            for (at, y) in b.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if x == y {
                    corner + 1
                } else {
                    above.max(row[at])
                };
                corner = above;
            }
        }
        row[b.len()]
    }

    fn token_list() -> impl Strategy<Value = Vec<&'static [u8]>> {
        vec(
            proptest::sample::select(vec![&b"("[..], b")", b"{", b"}", b"a", b"b", b";"]),
            0..40,
        )
    }

    proptest! {
        #[test]
        fn the_difference_is_minimal_and_all_of_it_makes_the_variant(seed in token_list(), variant in token_list()) {
            let difference = TokenDifference::from_texts(&seed, &variant);
            let all = difference.patch_tokens(|_| true);
            prop_assert_eq!(token_texts(&all, &seed, &variant), variant.clone());
            let none = difference.patch_tokens(|_| false);
            prop_assert_eq!(token_texts(&none, &seed, &variant), seed.clone());
            let common = common_length(&seed, &variant);
            prop_assert_eq!(difference.token_count(), seed.len() + variant.len() - 2 * common);
            prop_assert_eq!(difference.matched_tokens().count(), common);
            for (old, new) in difference.matched_tokens() {
                prop_assert_eq!(seed[old], variant[new]);
            }
        }

        #[test]
        fn the_elements_of_hunks_are_all_of_their_tokens_once(seed in token_list(), variant in token_list()) {
            let difference = TokenDifference::from_texts(&seed, &variant);
            let groups = difference.group_hunks();
            prop_assert_eq!(groups.iter().cloned().flatten().collect::<Vec<_>>(), (0..difference.hunks.len()).collect::<Vec<_>>());
            let elements = groups.into_iter().flat_map(|group| split_hunks(&difference.hunks[group], &seed, &variant));
            let mut tokens: Vec<PairToken> = elements.flatten().collect();
            tokens.sort_unstable();
            let gone = difference.hunks.iter().flat_map(|hunk| hunk.seed.clone().map(PairToken::Seed));
            let come = difference.hunks.iter().flat_map(|hunk| hunk.variant.clone().map(PairToken::Variant));
            prop_assert_eq!(tokens, gone.chain(come).collect::<Vec<_>>());
        }
    }
}
