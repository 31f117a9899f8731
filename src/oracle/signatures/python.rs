//! Tracebacks of Python programs.

use super::MessageWeight::Counts;
use super::{FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "a traceback of a Python program",
    precondition: r"Traceback \(most recent call last\)|Fatal Python error: ",
    messages: &[
        (Counts, r"(?m)^ {2,}\S.*\n([A-Za-z_][\w.]*(?:: .*)?)$"),
        (Counts, r"(?m)^(Fatal Python error: .+)$"),
    ],
    loose: None,
    absent: None,
    stack: Some(StackFormat {
        frame: r#"(?m)^  File "[^"\n]*", line \d+, in (\S+)"#,
        context: Some((", line [0-9]+, in ", "$")),
        system_frames: None,
        nameless_frame: None,
        ignored_frames: "^<module>$",
        counted_frames: 1,
        enough: None,
        innermost_last: true,
    }),
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn the_error_and_the_innermost_function_count() {
        let text = "Traceback (most recent call last):\n  File \"/x/tool.py\", line 9, in <module>\n    main()\n  File \"/x/tool.py\", line 5, in main\n    fold(tree)\n  File \"/x/fold.py\", line 77, in fold\n    return a[\"k\"]\n           ~^^^^^\nKeyError: 'k'\n";
        assert_eq!(detected(text).1, ["KeyError: '…'", "in fold"]);
    }
}
