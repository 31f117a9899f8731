//! Reports of the sanitizers: of addresses, threads, memory, leaks, and undefined behaviour.

use super::MessageWeight::Counts;
use super::{FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "a report of a sanitizer",
    precondition: r"(?:ERROR|WARNING): \w+Sanitizer: |: runtime error: ",
    messages: &[
        (
            Counts,
            r"(?m)(\w+Sanitizer: .+?)(?: on (?:unknown )?address| on 0x|: \S*0x| \(pid|\s*$)",
        ),
        (Counts, r"(?m)^\S+:\d+(?::\d+)?: (runtime error: .+)$"),
    ],
    loose: Some(r"-?\b\d[\d.e+-]*\b"),
    absent: None,
    stack: Some(StackFormat {
        frame: r"(?m)^\s*#\d+ 0x[0-9a-f]+ in ([^\s(]+)",
        context: None,
        system_frames: None,
        nameless_frame: None,
        ignored_frames: r"^(?:__interceptor|___interceptor|__asan|__msan|__tsan|__ubsan|__lsan|__sanitizer|__libc|_start|main|operator|mem(?:cpy|set|move|cmp)|str\w+|free|malloc|calloc|realloc|abort|raise)",
        counted_frames: 1,
        enough: None,
        innermost_last: false,
    }),
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn the_kind_and_the_function_count() {
        let text = "=================\n==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x4 bp 0x7\nREAD of size 4 at 0x602 thread T0\n    #0 0x4a in __interceptor_strlen (/x/a+0x4a)\n    #1 0x4b in lex_word /home/me/lex.c:12:3\n    #2 0x4c in main /home/me/main.c:3:1\nSUMMARY: AddressSanitizer: heap-buffer-overflow lex.c:12:3 in lex_word\n";
        assert_eq!(
            detected(text).1,
            ["AddressSanitizer: heap-buffer-overflow", "in lex_word"]
        );
    }

    #[test]
    fn a_race_and_undefined_behaviour_too() {
        let race = "WARNING: ThreadSanitizer: data race (pid=123)\n  Write of size 4\n    #0 0x4a in bump /x/a.c:3\n";
        assert_eq!(detected(race).1, ["ThreadSanitizer: data race", "in bump"]);
        let overflow = "bug.c:3:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n";
        assert_eq!(
            detected(overflow).1,
            ["runtime error: signed integer overflow: … + … cannot be represented in type '…'"]
        );
    }
}
