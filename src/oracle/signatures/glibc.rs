//! Messages of the C library before it aborts: assertions, heap corruption, stack smashing; and the C++ library's `terminate called`.

use super::FailureSignature;
use super::MessageWeight::{Counts, Verbatim};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "an abort by the C library",
    precondition: "Assertion .* failed|(?i)corrupted|double free|free\\(\\)|malloc\\(\\)|munmap_chunk|terminate called|\\*\\*\\*",
    messages: &[
        (Verbatim, r"(?m)([^\s:]+:\d+: .*Assertion .* failed)\.?\s*$"),
        (Verbatim, r"(?m)(Assertion failed: .+)$"),
        (Counts, r"(?m)\*\*\* (.+?)(?:: 0x[0-9a-f]+)? \*\*\*"),
        (
            Counts,
            r"(?m)^((?:double free|free\(\)|malloc\(\)|malloc_\w+\(\)|realloc\(\)|munmap_chunk\(\)|corrupted |invalid ).*)$",
        ),
        (Verbatim, r"(?m)^(terminate called .+)$"),
    ],
    loose: None,
    absent: None,
    stack: None,
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn an_assertion_is_identified_by_its_message() {
        let text = "tool: src/emit.c:120: emit_op: Assertion `kind != 'x'' failed.\nAborted\n";
        assert_eq!(
            detected(text).1,
            ["emit.c: emit_op: Assertion `kind != 'x'' failed"]
        );
    }

    #[test]
    fn so_are_heap_and_stack() {
        assert_eq!(
            detected("free(): invalid next size (fast)\n").1,
            ["free(): invalid next size (fast)"]
        );
        assert_eq!(
            detected("*** stack smashing detected ***: terminated\n").1,
            ["stack smashing detected"]
        );
        assert_eq!(
            detected("terminate called after throwing an instance of 'std::out_of_range'\n").1,
            ["terminate called after throwing an instance of 'std::out_of_range'"]
        );
    }
}
