//! Errors of JavaScript programs, with V8's stack.

use super::MessageWeight::Counts;
use super::{FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "an error of a JavaScript program",
    precondition: r"(?m)^\s+at .+:\d+:\d+\)?$|^# Fatal error in",
    messages: &[
        (
            Counts,
            r"(?m)^(?:Uncaught |\[?)*(\w*(?:Error|Exception)\b.*)$",
        ),
        (Counts, r"(?m)^#\s*((?:Debug check|Check|unreachable).+)$"),
    ],
    loose: None,
    absent: None,
    stack: Some(StackFormat {
        frame: r"(?m)^\s+at (?:async |new )?([\w.$<>]+)(?: \[as [^\]]*\])? \(",
        context: Some(("^[[:space:]]+at (async |new )?", r"( \[as .*\])? \(")),
        system_frames: None,
        nameless_frame: None,
        ignored_frames: r"^(?:Object\.<anonymous>|Module\.|Function\.|node:|process\.|require$|<anonymous>)",
        counted_frames: 1,
        enough: None,
        innermost_last: false,
    }),
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn the_error_and_the_function_count() {
        let text = "/x/tool.js:10\n    throw e;\n    ^\n\nTypeError: Cannot read properties of undefined (reading 'kind')\n    at Printer.emit (/x/printer.js:10:11)\n    at Object.<anonymous> (/x/tool.js:3:1)\n    at Module._compile (node:internal/x:1:1)\n";
        assert_eq!(
            detected(text).1,
            [
                "TypeError: Cannot read properties of undefined (reading '…')",
                "in Printer.emit"
            ]
        );
    }
}
