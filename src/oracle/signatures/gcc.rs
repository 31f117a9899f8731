//! Internal compiler errors of GCC, in all its front ends.

use super::MessageWeight::{Counts, Listed};
use super::{FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "an internal error of GCC",
    precondition: "internal compiler error: ",
    messages: &[
        (Counts, r"(?m)(internal compiler error: .+?)\r?$"),
        (Listed, r"(?m)^(during .+ pass: .+)$"),
    ],
    loose: None,
    stack: Some(StackFormat {
        frame: r"(?m)^0x[0-9a-f]+ ([A-Za-z_][\w:~]*)",
        context: None,
        ignored_frames: r"^(?:crash_signal|internal_error|fancy_abort|diagnostic_.*|main|toplev::main|.*libc_start.*|_start)$",
        counted_frames: 1,
        enough: Some(", at "),
        innermost_last: false,
    }),
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;
    use super::SIGNATURE;

    #[test]
    fn the_place_in_the_compiler_counts() {
        let text = "during GIMPLE pass: vect\nbug.c: In function 'main':\nbug.c:3:5: internal compiler error: in vect_build, at tree-vect.cc:812\n    3 | int x;\n0x7f12 vect_build\n\t../../src/gcc/tree-vect.cc:812\nPlease submit a full bug report\n";
        assert_eq!(
            detected(text),
            (
                SIGNATURE.name,
                vec!["internal compiler error: in vect_build, at tree-vect.cc".into()]
            )
        );
    }

    #[test]
    fn of_a_segmentation_fault_the_stack_counts() {
        let text = "x.cc:1:1: internal compiler error: Segmentation fault\n0xb1c crash_signal\n\t../src/toplev.c:327\n0x6aa finish_decl(tree_node*, int)\n\t../src/cp/decl.c:8\n0x6ab parse_it(cp*)\n";
        assert_eq!(
            detected(text).1,
            [
                "internal compiler error: Segmentation fault",
                "in finish_decl"
            ]
        );
    }

    #[test]
    fn a_type_in_quotes_is_the_programs() {
        let text = "a.c:2:3: internal compiler error: verify failed for 'struct s'\n";
        assert_eq!(
            detected(text).1,
            ["internal compiler error: verify failed for '…'"]
        );
    }
}
