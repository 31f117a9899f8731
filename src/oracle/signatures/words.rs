//! Words by which any tool reports an internal error.

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
    absent: None,
    stack: None,
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn a_report_of_an_internal_error_counts() {
        assert_eq!(
            detected("bug.c, line 25: compiler error: no such node\n").1,
            ["compiler error: no such node"]
        );
        assert_eq!(
            detected("bug.c:3: warning: unreachable code\nbug.c:4: error: overflow\nCaught signal 11: SIGSEGV\n").1,
            ["Caught signal 11: SIGSEGV"]
        );
    }
}
