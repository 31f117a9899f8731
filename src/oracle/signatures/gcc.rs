//! Internal compiler errors of GCC, in all its front ends.

use super::MessageWeight::{Counts, CountsIfVague};
use super::{ERROR_IN_PROGRAM, FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "an internal error of GCC",
    precondition: "internal compiler error: ",
    messages: &[
        (Counts, r"(?m)(internal compiler error: .+?)\r?$"),
        (CountsIfVague, r"(?m)^(during .+ pass: .+?)\r?$"),
    ],
    loose: None,
    absent: Some(ERROR_IN_PROGRAM),
    stack: Some(StackFormat {
        frame: r"(?m)^0x[0-9a-f]+ ([A-Za-z_][\w:~]*)",
        context: None,
        system_frames: None,
        nameless_frame: None,
        ignored_frames: r"^(?:crash_signal|internal_error|fancy_abort|diagnostics?(?:_|::).*|main|toplev::main|.*libc_start.*|_start)$",
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
                vec![
                    "internal compiler error: in vect_build, at tree-vect.cc".into(),
                    "no error in the program".into()
                ]
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
                "in finish_decl",
                "no error in the program"
            ]
        );
    }

    #[test]
    fn a_type_in_quotes_is_the_programs() {
        let text = "a.c:2:3: internal compiler error: verify failed for 'struct s'\n";
        assert_eq!(
            detected(text).1,
            [
                "internal compiler error: verify failed for '…'",
                "no error in the program"
            ]
        );
    }

    #[test]
    fn of_a_fault_without_a_stack_the_pass_counts() {
        let fault = "internal compiler error: Segmentation fault";
        for pass in [
            "during GIMPLE pass: vect",
            "during IPA pass: inline",
            "during RTL pass: expand",
        ] {
            let text = format!(
                "{pass}\nx.cc: In function 'int f(a::b)':\nx.cc:1:1: {fault}\n    1 | char s[] = \": error: \";\n0x7f07 ???\n\t./signal/libc_sigaction.c:0\n0x7f08 __libc_start_call_main\n\t../sysdeps/x.h:58\n"
            );
            assert_eq!(detected(&text).1, [fault, pass, "no error in the program"]);
        }
        let text = format!("cc1plus: {fault} signal terminated program cc1plus\n");
        assert_eq!(
            detected(&text).1,
            [
                &format!("{fault} signal terminated program cc1plus"),
                "no error in the program"
            ]
        );
    }

    #[test]
    fn an_error_before_it_is_allowed_if_the_original_has_one() {
        for said in [
            "x.cc:1:1: error: 'y' was not declared\n",
            "x.cc:1: fatal error: y.h: No such file or directory\n",
            "a:b/x y.cc:1:1: sorry, unimplemented: y\n",
        ] {
            let text = format!("{said}x.cc:1:1: internal compiler error: in f, at g.c:3\n");
            let found = detected(&text).1;
            assert_eq!(found, ["internal compiler error: in f, at g.c"], "{said}");
        }
    }
}
