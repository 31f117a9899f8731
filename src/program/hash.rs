//! The hashes of a text: a 128-bit polynomial hash of bytes that composes over concatenation.
//!
//! It consists of two polynomials modulo the Mersenne prime 2^61 - 1 with different bases. `hash(ab) = hash(a) * base^|b| + hash(b)`, so a
//! tree node can keep the hash of its text, and an edit costs only the nodes on its path. It does not protect against collisions that
//! somebody builds on purpose. Two candidates of a run collide by chance with a probability near 2^-122 a pair.
//!
//! Every node has two hashes. A [`ContentHash`] has 122 bits of its bytes, and is the key of the cache and of decisions. A [`TokenHash`]
//! has 61 bits of its leaves without the white space. The cache treats two texts with one token hash as the same only to call the second
//! uninteresting. So a collision of token hashes may skip a candidate and does nothing else.

use std::sync::OnceLock;

/// How many bits each number of a [`ContentHash`] has, and a [`TokenHash`].
pub const HASH_BITS: u32 = 61;
/// The modulus of both numbers: a Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;
/// The base of each number.
const BASES: [u64; 2] = [0x1234_5678_9abc_def1 % PRIME, 0x0fed_cba9_8765_4321 % PRIME];

/// The hash of a run of bytes; see the module's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u64; 2]);

const fn multiply_modulo(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    reduce_modulo((product & PRIME as u128) as u64 + (product >> 61) as u64)
}

const fn reduce_modulo(sum: u64) -> u64 {
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// `base^length` for both bases.
fn base_powers(length: u64) -> [u64; 2] {
    [0, 1].map(|lane| base_power(lane, length))
}

/// How many powers are kept. Most runs of a tree are shorter.
const SHORT: usize = 128;

/// `base^length` for both bases and each short length.
static SHORT_POWERS: [[u64; SHORT]; 2] = [short_powers(BASES[0]), short_powers(BASES[1])];

const fn short_powers(base: u64) -> [u64; SHORT] {
    let mut powers = [1; SHORT];
    let mut length = 1;
    while length < SHORT {
        powers[length] = multiply_modulo(powers[length - 1], base);
        length += 1;
    }
    powers
}

/// `base^length`, by repeated squaring where it is not kept.
fn base_power(lane: usize, length: u64) -> u64 {
    if let Some(power) = SHORT_POWERS[lane].get(length as usize) {
        return *power;
    }
    static SQUARES: OnceLock<[[u64; 64]; 2]> = OnceLock::new();
    let squares = SQUARES.get_or_init(|| {
        BASES.map(|base| {
            let mut powers = [base; 64];
            for i in 1..64 {
                powers[i] = multiply_modulo(powers[i - 1], powers[i - 1]);
            }
            powers
        })
    });
    let mut result = 1;
    let mut rest = length;
    while rest != 0 {
        let bit = rest.trailing_zeros() as usize;
        result = multiply_modulo(result, squares[lane][bit]);
        rest &= rest - 1;
    }
    result
}

impl ContentHash {
    /// The hash of `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> ContentHash {
        let mut lanes = [0, 0];
        for &byte in bytes {
            for lane in 0..2 {
                lanes[lane] =
                    reduce_modulo(multiply_modulo(lanes[lane], BASES[lane]) + u64::from(byte) + 1);
            }
        }
        ContentHash(lanes)
    }

    /// The hash of the texts of documents, each followed by its length: what a version with these texts has. A document whose file is gone has no
    /// text.
    pub fn from_documents<'a>(texts: impl Iterator<Item = Option<&'a [u8]>>) -> ContentHash {
        texts.fold(ContentHash::default(), |hash, text| {
            let bytes = text.unwrap_or_default();
            let length = text.map_or(u32::MAX, |text| text.len() as u32);
            hash.followed_by(ContentHash::from_bytes(bytes), bytes.len() as u64)
                .followed_by(ContentHash::from_bytes(&length.to_le_bytes()), 4)
        })
    }

    /// The hash of the bytes of `self` followed by the bytes of `next`, which are `length` bytes.
    pub fn followed_by(self, next: ContentHash, length: u64) -> ContentHash {
        if length == 0 {
            return self;
        }
        let powers = base_powers(length);
        ContentHash(
            [0, 1].map(|lane| {
                reduce_modulo(multiply_modulo(self.0[lane], powers[lane]) + next.0[lane])
            }),
        )
    }

    /// Its two numbers, each of [`HASH_BITS`] bits.
    pub fn lanes(self) -> [u64; 2] {
        self.0
    }

    /// The hash that is printed like this.
    pub fn parse_hex(text: &str) -> Option<ContentHash> {
        let (high, low) = text.split_at_checked(16)?;
        let lane = |digits: &str| u64::from_str_radix(digits, 16).ok();
        let hash = ContentHash([lane(high)?, lane(low)?]);
        (hash.to_string() == text).then_some(hash)
    }

    /// A 64-bit number that is a function of this hash and `salt`: the source of identities for what an edit makes.
    pub fn derive_id(self, salt: u64) -> u64 {
        let mut x =
            self.0[0] ^ self.0[1].rotate_left(32) ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2 {
            x ^= x >> 31;
            x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x ^= x >> 29;
        }
        x
    }
}

/// The hash of a run of leaves by their texts, independent of the white space between them: one polynomial with each leaf as a digit.
///
/// With [`HASH_BITS`] bits two of a million collide by chance with a probability of 2^-22. That is good enough to skip a test, and not good
/// enough to accept a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TokenHash(u64);

impl TokenHash {
    /// The hash of one leaf, from the hash of its text.
    pub fn from_text_hash(text: ContentHash) -> TokenHash {
        TokenHash(text.derive_id(0) & PRIME).reduce_modulo()
    }

    /// The leaves of `self` followed by those of `next`, which has `leaves` leaves.
    pub fn followed_by(self, next: TokenHash, leaves: u32) -> TokenHash {
        TokenHash(multiply_modulo(self.0, base_power(0, u64::from(leaves))) + next.0)
            .reduce_modulo()
    }

    /// Its number, of [`HASH_BITS`] bits.
    pub fn as_u64(self) -> u64 {
        self.0
    }

    fn reduce_modulo(self) -> TokenHash {
        TokenHash(reduce_modulo(self.0))
    }
}

impl std::fmt::Display for ContentHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}{:016x}", self.0[0], self.0[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_hash_of_a_concatenation_is_composed_of_the_hashes_of_its_parts(a: Vec<u8>, b: Vec<u8>) {
            let whole: Vec<u8> = [a.clone(), b.clone()].concat();
            prop_assert_eq!(ContentHash::from_bytes(&a).followed_by(ContentHash::from_bytes(&b), b.len() as u64), ContentHash::from_bytes(&whole));
        }

        #[test]
        fn the_token_hash_of_a_run_is_composed_of_those_of_its_parts(texts: Vec<String>, cut: usize) {
            let run = |texts: &[String]| {
                let leaves = texts.iter().map(|text| TokenHash::from_text_hash(ContentHash::from_bytes(text.as_bytes())));
                leaves.fold(TokenHash::default(), |hash, leaf| hash.followed_by(leaf, 1))
            };
            let (a, b) = texts.split_at(cut % (texts.len() + 1));
            prop_assert_eq!(run(a).followed_by(run(b), b.len() as u32), run(&texts));
        }

        #[test]
        fn different_bytes_have_different_hashes(a: Vec<u8>, b: Vec<u8>) {
            prop_assert_eq!(a == b, ContentHash::from_bytes(&a) == ContentHash::from_bytes(&b));
        }
    }
}
