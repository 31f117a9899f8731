//! Panics and fatal errors of Go programs.

use super::MessageWeight::Counts;
use super::{FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "a panic of a Go program",
    precondition: r"(?m)^goroutine \d+ ",
    messages: &[
        (Counts, r"(?m)^(panic: .+)$"),
        (Counts, r"(?m)^(fatal error: .+)$"),
        (Counts, r"(?m)(internal compiler error: .+)$"),
    ],
    loose: Some(r"\[recovered\]|\[signal [^\]]*\]"),
    absent: None,
    stack: Some(StackFormat {
        frame: r"(?m)^([\w./-]+(?:\.\(\*?\w+\))?\.[\w.]+)\(.*\)\n\t",
        context: None,
        system_frames: None,
        nameless_frame: None,
        ignored_frames: r"^(?:runtime|runtime/debug|testing)\.|^panic$|^main\.main$",
        counted_frames: 1,
        enough: None,
        innermost_last: false,
    }),
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn the_panic_and_the_function_count() {
        let text = "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nruntime.panicIndex(0x1)\n\t/go/src/runtime/panic.go:88 +0x1\nexample.com/x.(*Parser).next(0xc0000)\n\t/home/me/parse.go:12 +0x2b\nmain.main()\n\t/home/me/main.go:3 +0x1\n";
        assert_eq!(
            detected(text).1,
            [
                "panic: runtime error: index out of range [N] with length N",
                "in example.com/x.(*Parser).next"
            ]
        );
    }
}
