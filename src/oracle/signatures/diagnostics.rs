//! Diagnostics of any tool. A wrong diagnostic is a bug too, so they identify a failure as a last resort.

use super::FailureSignature;
use super::MessageWeight::Counts;

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "a diagnostic",
    precondition: "(?i)error|exception|fatal|unreachable|implemented|overflow|out of memory",
    messages: &[(
        Counts,
        r"(?m)\b((?:[A-Z]\w*(?:Error|Exception)|(?i:(?:fatal )?error|fatal|unreachable|not (?:yet )?implemented|stack overflow|out of memory))\b.+)$",
    )],
    loose: None,
    absent: None,
    stack: None,
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn the_first_error_counts() {
        assert_eq!(
            detected("bug.c:3:5: warning: w\nbug.c:4:5: error: unknown type name 'foo'\nbug.c:9:1: error: more\n").1,
            ["error: unknown type name '…'"]
        );
        assert_eq!(
            detected("SyntaxError: bug.js:12: unexpected token: '/'\n").1,
            ["SyntaxError: bug.js: unexpected token: '/'"]
        );
    }
}
