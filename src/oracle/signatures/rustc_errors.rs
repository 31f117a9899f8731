//! Errors of rustc with a number.

use super::FailureSignature;
use super::MessageWeight::Counts;

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "an error of rustc",
    precondition: r"error\[E\d+\]",
    messages: &[(Counts, r"(?m)^(error\[E\d+\]: .+)$")],
    loose: None,
    absent: None,
    stack: None,
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn the_first_error_counts() {
        let text = "error[E0308]: mismatched types, not `u8`\n --> bug.rs:2:5\n\nerror[E0425]: cannot find value `x`\n";
        assert_eq!(
            detected(text).1,
            ["error[E0308]: mismatched types, not '…'"]
        );
    }
}
