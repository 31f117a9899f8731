//! Clang and LLVM: assertions, fatal errors, and the stack dump with its notes on the work in progress.

use super::MessageWeight::{Counts, Listed, Verbatim};
use super::{FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "a crash of Clang or LLVM",
    precondition: r"(?m)^Stack dump|PLEASE submit a bug report|LLVM ERROR: |UNREACHABLE executed|frontend command failed",
    messages: &[
        (Verbatim, r"(?m)([^\s:]+:\d+: .*Assertion .* failed)\.?\r?$"),
        (Verbatim, r"(?m)(UNREACHABLE executed at [^!\n]+)"),
        (Counts, r"(?m)(LLVM ERROR: .+)$"),
        (Counts, r"(?m)(fatal error: error in backend: .+)$"),
        (Verbatim, r"(?m)^\d+\.\s+(Running pass '[^'\n]*')"),
        (Listed, r"(?m)^\d+\.\s+(?:<[^>]*>|\S+:\d+:\d+):? (.+)$"),
        (
            Listed,
            r"(?m)(error: (?:unable to execute command|clang frontend command failed).*)$",
        ),
    ],
    loose: None,
    stack: Some(StackFormat {
        frame: r"(?m)^\s*#\d+ 0x[0-9a-f]+ (?:in )?([A-Za-z_~(][^(\n]*?)(?:\(| /|$)",
        context: None,
        ignored_frames: r"^(?:llvm::sys::|SignalHandler|PrintStackTrace|CrashRecovery|.*restore_rt|raise|abort|gsignal|pthread_kill|.*assert|.*libc|_start|main$|clang_main|cc1_main|ExecuteCC1|llvm::llvm_unreachable|llvm::report_fatal)",
        counted_frames: 2,
        enough: Some("Assertion|UNREACHABLE|ERROR|error in backend"),
        innermost_last: false,
    }),
};

#[cfg(test)]
mod tests {
    use super::super::tests::detected;
    use super::SIGNATURE;

    #[test]
    fn the_text_of_an_assertion_is_the_compilers() {
        let text = "clang: /b/llvm/lib/Sema/SemaInit.cpp:77: void clang::f(int): Assertion `Ty && \"no type\"' failed.\nPLEASE submit a bug report to https://x\nStack dump:\n0.\tProgram arguments: clang -c bug.c\n1.\tbug.c:4:1: current parser token '}'\n #0 0x01 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) /b/x.inc:1:2\n #4 0x02 clang::f(int) /b/y.cpp:77:1\n";
        let (name, criteria) = detected(text);
        assert_eq!(name, SIGNATURE.name);
        assert_eq!(
            criteria,
            ["SemaInit.cpp: void clang::f(int): Assertion `Ty && \"no type\"' failed"]
        );
    }

    #[test]
    fn of_a_crash_the_pass_and_the_stack_count() {
        let text = "PLEASE submit a bug report to https://x\nStack dump:\n0.\tProgram arguments: opt bug.ll\n1.\tRunning pass 'Loop Thing' on function '@main'\n #0 0x01 llvm::sys::PrintStackTrace(llvm::raw_ostream&) x.cpp\n #3 0x00007f12 (/lib/libc.so.6+0x3b)\n #4 0x02 hoist(llvm::Loop*) y.cpp:1\n #5 0x03 runLoop(llvm::Loop*) y.cpp:9\n #6 0x04 more(int) z.cpp\n";
        assert_eq!(
            detected(text).1,
            ["Running pass 'Loop Thing'", "in hoist", "in runLoop"]
        );
    }
}
