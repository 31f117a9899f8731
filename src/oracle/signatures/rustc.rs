//! Panics of Rust programs, and internal errors of rustc.

use super::MessageWeight::{Counts, Listed};
use super::{FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "a panic of a Rust program",
    precondition: "panicked at |internal compiler error: ",
    messages: &[
        (
            Counts,
            r"(?m)^thread '[^'\n]*'(?: \(\d+\))? (panicked at .+?:\d+:\d+)",
        ),
        (
            Counts,
            r"(?m)^thread '[^'\n]*'.* panicked at .+:\d+:\d+:\n(.+)$",
        ),
        (Counts, r"(?m)^error: (internal compiler error: .+)$"),
        (
            Listed,
            r"(?m)^(error: the compiler unexpectedly panicked.*)$",
        ),
    ],
    // Types and terms of the program in the compiler's notation.
    loose: Some(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|<[^<>]*>|\b[A-Z]\w*/#?\d+|\B[#^?]\d+\w*"),
    absent: None,
    stack: Some(StackFormat {
        frame: r"(?m)^#\d+ \[(\w+)\]",
        context: None,
        system_frames: None,
        nameless_frame: None,
        ignored_frames: "^$",
        counted_frames: 0,
        enough: None,
        innermost_last: false,
    }),
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn the_place_and_the_message_count() {
        let text = "warning: unused\n\nthread 'rustc' (4711) panicked at compiler/rustc_x/src/fold.rs:793:33:\nregion `'r` (T/#0) out of range, args=[Foo, Bar]\nstack backtrace:\nquery stack during panic:\n#0 [typeck] type-checking `main`\n";
        assert_eq!(
            detected(text).1,
            ["panicked at fold.rs", "region '…' … out of range, args=…"]
        );
    }

    #[test]
    fn a_bug_that_it_reports_counts() {
        let text = "error: internal compiler error: compiler/rustc_x/src/lib.rs:12:9: unexpected type `S<u8>`\n\nthread 'rustc' panicked at compiler/rustc_x/src/lib.rs:12:9:\nBox<dyn Any>\n";
        assert_eq!(
            detected(text).1[2],
            "internal compiler error: lib.rs: unexpected type '…'"
        );
    }
}
