//! Words by which tools of all kinds confess that the fault is theirs.

use super::FailureSignature;
use super::MessageWeight::Counts;

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "an internal error",
    precondition: "(?i)internal|compiler error|assert|panic|caught|segmentation|dumped",
    messages: &[(
        Counts,
        r"(?mi)\b((?:internal[\w ]* (?:error|failure)|compiler error|assertion|panic|caught (?:signal|exception)|segmentation fault|core dumped)\b.*)$",
    )],
    loose: None,
    stack: None,
};

#[cfg(test)]
mod tests {
    use super::super::tests::told;

    #[test]
    fn a_confession_tells() {
        assert_eq!(
            told("bug.c, line 25: compiler error: no such node\n").1,
            ["compiler error: no such node"]
        );
        assert_eq!(
            told("bug.c:3: warning: unreachable code\nbug.c:4: error: overflow\nCaught signal 11: SIGSEGV\n").1,
            ["Caught signal 11: SIGSEGV"]
        );
    }
}
