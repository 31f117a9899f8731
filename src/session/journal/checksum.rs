//! The sum at the end of each line: over the sum of the line before and the line itself, so that no line can be damaged, lost or moved
//! without notice.

use crate::program::ContentHash;

/// Eight hexadecimal digits.
pub type LineChecksum = [u8; 8];

/// The sum before the first line.
pub const START: LineChecksum = *b"00000000";

const BEFORE: &[u8] = b",\"sum\":\"";
const AFTER: &[u8] = b"\"}";
/// How long the seal is.
const LENGTH: usize = BEFORE.len() + 8 + AFTER.len();

fn compute_checksum(before: LineChecksum, object: &[u8]) -> LineChecksum {
    let hash = ContentHash::from_bytes(&before)
        .followed_by(ContentHash::from_bytes(object), object.len() as u64);
    let text = hash.to_string();
    let mut sum = START;
    // The lower half of the first number.
    sum.copy_from_slice(&text.as_bytes()[8..16]);
    sum
}

/// Puts the seal at the end of a JSON object, with a line end.
pub fn append_checksum(object: &mut Vec<u8>, before: LineChecksum) -> LineChecksum {
    let last = object.pop();
    debug_assert_eq!(last, Some(b'}'));
    let sum = compute_checksum(before, object);
    for part in [BEFORE, &sum, AFTER, b"\n"] {
        object.extend_from_slice(part);
    }
    sum
}

/// The sum of a line without its line end, if it is right after the line with the sum `before`.
pub fn verify_checksum(line: &[u8], before: LineChecksum) -> Option<LineChecksum> {
    let (object, seal) = line.split_at_checked(line.len().checked_sub(LENGTH)?)?;
    let said = seal.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
    let sum = compute_checksum(before, object);
    (said == sum).then_some(sum)
}
