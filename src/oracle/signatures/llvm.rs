//! Clang and LLVM: assertions, fatal errors, and the stack dump with its notes on the work in progress.

use super::MessageWeight::{Counts, Listed, Verbatim};
use super::{ERROR_IN_PROGRAM, FailureSignature, StackFormat};

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
    absent: Some(ERROR_IN_PROGRAM),
    // With a symbolizer: `#5 0x7f hoist(llvm::Loop*) /src/hoist.cpp:3:1`. Without one, the system names the exported functions:
    // `5 clang 0x7f hoist(llvm::Loop*) + 94`, or `/bin/clang(_Z5hoistPN4llvm4LoopE+0x5e)[0x7f]`.
    stack: Some(StackFormat {
        frame: r"(?m)^(?:\s*(?:#\d+ |\d+ +\S+ +)0x[0-9a-f]+ (?:in )?((?:\(anonymous|[A-Za-z_~])[^(\n]*?)(?:\(| \.?/| \+ \d|$)|\S+\((\w+)\+0x[0-9a-f]+\)\[0x)",
        context: None,
        system_frames: Some(
            r"\blib(?:c|pthread|system_\w+)(?:-[\d.]+)?\.(?:so|dylib)\S*(?: +0x|\+0x|\(.*\[0x)|^\s*#\d+ 0x\S+ .*(?:restore_rt| \./(?:nptl|signal|sysdeps|stdlib|assert|intl|debug)/)",
        ),
        nameless_frame: Some(r"(?m)^\s*#\d+ 0x[0-9a-f]+ \(\S*?([^/\s(]+\+0x[0-9a-f]+)\)"),
        ignored_frames: r"llvm::sys::|llvm3sys|SignalHandler|PrintStackTrace|CrashRecovery|HandleCrash|restore_rt|_sigtramp|^(?:__GI_|_*)(?:raise|abort|gsignal|pthread_kill|kill)|assert_(?:fail|rtn)|^libc(?:[-.]|_)|libc_start|^call_init|^_*start$|^main$|^(?:clang|cc1)(?:as)?_main|ExecuteCC1|llvm::(?:llvm_unreachable|report_fatal)|_ZN4llvm(?:\d+llvm_unreachable|\d+report_fatal)|^std::(?:terminate|__throw|__glibcxx_assert)|^__cxa|__cxxabi",
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
            [
                "SemaInit.cpp: void clang::f(int): Assertion `Ty && \"no type\"' failed",
                "no error in the program"
            ]
        );
    }

    #[test]
    fn of_a_crash_the_pass_and_the_stack_count() {
        let text = "PLEASE submit a bug report to https://x\nStack dump:\n0.\tProgram arguments: opt bug.ll\n1.\tRunning pass 'Loop Thing' on function '@main'\n #0 0x01 llvm::sys::PrintStackTrace(llvm::raw_ostream&) x.cpp\n #3 0x00007f12 (/lib/libc.so.6+0x3b)\n #4 0x02 hoist(llvm::Loop*) y.cpp:1\n #5 0x03 runLoop(llvm::Loop*) y.cpp:9\n #6 0x04 more(int) z.cpp\n";
        assert_eq!(
            detected(text).1,
            [
                "Running pass 'Loop Thing'",
                "in hoist",
                "in runLoop",
                "no error in the program"
            ]
        );
    }

    /// What counts of a crash with these frames.
    fn counted_frames(frames: &str) -> Vec<String> {
        let text = format!(
            "PLEASE submit a bug report to https://x\nStack dump:\n0.\tProgram arguments: clang -c bug.c\n1.\t<eof> parser at end of file\n{frames}clang: error: clang frontend command failed with exit code 139 (use -v to see invocation)\n"
        );
        let mut criteria = detected(&text).1;
        assert_eq!(criteria.pop().as_deref(), Some("no error in the program"));
        criteria
    }

    #[test]
    fn the_handler_of_the_signal_does_not_count() {
        let rows = [
            // Without symbols of the libraries, as a distribution packs them: a frame of the handler and the one that fails have no name.
            " #0 0x07a1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM-14.so.1+0xea5291)\n #1 0x07a2 llvm::sys::RunSignalHandlers() (/lib/libLLVM-14.so.1+0xea2fbe)\n #2 0x07a3 (/lib/libLLVM-14.so.1+0xdcb83f)\n #3 0x07a4 (/lib/libc.so.6+0x3c050)\n #4 0x07a5 (/lib/libclang-cpp.so.14+0xa20692)\n #5 0x07a6 hoist(llvm::Loop*) (/lib/libclang-cpp.so.14+0xa1971f)\n #6 0x07a7 clang::Run::all() (/lib/libclang-cpp.so.14+0x9f682a)\n #7 0x07a8 main (/bin/clang+0x411b36)\n #8 0x07a9 __libc_start_call_main ./csu/../sysdeps/nptl/libc_start_call_main.h:74:3\n",
            // With them.
            " #0 0x07a1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) /b/Signals.inc:602:13\n #1 0x07a3 SignalHandler(int, siginfo_t*, void*) /b/Signals.inc:407:1\n #2 0x07a4 __restore_rt (/lib64/libc.so.6+0x3e730)\n #3 0x07a6 hoist(llvm::Loop*) /b/hoist.cpp:1:1\n #4 0x07a7 clang::Run::all() /b/run.cpp:3:1\n",
            // An abort.
            " #0 0x07a1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) /b/Signals.inc:602:13\n #1 0x07a3 CrashRecoverySignalHandler(int) CrashRecoveryContext.cpp:0:0\n #2 0x07a4 (/lib/libc.so.6+0x42520)\n #3 0x07a4 __pthread_kill_implementation ./nptl/pthread_kill.c:44:76\n #4 0x07a4 raise ./signal/../sysdeps/posix/raise.c:27:6\n #5 0x07a4 abort ./stdlib/abort.c:81:7\n #6 0x07a4 _nl_load_domain ./intl/loadmsgcat.c:1177:9\n #7 0x07a6 hoist(llvm::Loop*) /b/hoist.cpp:1:1\n #8 0x07a7 clang::Run::all() /b/run.cpp:3:1\n",
            // Without a symbolizer, since version 16.
            "Stack dump without symbol names (ensure you have llvm-symbolizer in your PATH):\n0  libLLVM-16.so.1    0x07a1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) + 54\n1  libLLVM-16.so.1    0x07a2 llvm::sys::RunSignalHandlers() + 80\n2  libLLVM-16.so.1    0x07a3 one::that::is_misread(int) + 80\n3  libc.so.6          0x07a4\n4  libclang-cpp.so.16 0x07a5\n5  libclang-cpp.so.16 0x07a6 hoist(llvm::Loop*) + 94\n6  libclang-cpp.so.16 0x07a7 clang::Run::all() + 2198\n",
            // On another system, whose start of the program is no library.
            "0  clang-17                 0x07a1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) + 56\n1  clang-17                 0x07a3 SignalHandler(int) + 304\n2  libsystem_platform.dylib 0x07a4 _sigtramp + 56\n3  clang-17                 0x07a6 hoist(llvm::Loop*) + 94\n4  clang-17                 0x07a7 clang::Run::all() + 7\n5  dyld                     0x07a9 start + 2360\n",
            // Without a handler's frame, and a library that only starts the program.
            " #0 0x07a1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) /b/Signals.inc:602:13\n #1 0x07a6 hoist(llvm::Loop*) /b/hoist.cpp:1:1\n #2 0x07a7 clang::Run::all() /b/run.cpp:3:1\n #3 0x07a8 main /b/main.cpp:1:1\n #4 0x07a9 (/lib/libc.so.6+0x2724a)\n #5 0x07aa _start (/bin/clang+0x40efb1)\n",
        ];
        for frames in rows {
            assert_eq!(
                counted_frames(frames),
                ["in hoist", "in clang::Run::all"],
                "{frames}"
            );
        }
        let mangled = "Stack dump without symbol names:\n/lib/libLLVM-14.so.1(_ZN4llvm3sys15PrintStackTraceERNS_11raw_ostreamEi+0x31)[0x07a1]\n/lib/libLLVM-14.so.1(+0xdcb83f)[0x07a3]\n/lib/libc.so.6(+0x3c050)[0x07a4]\n/lib/libclang-cpp.so.14(_Z5hoistPN4llvm4LoopE+0x176b)[0x07a6]\n";
        assert_eq!(counted_frames(mangled), ["in _Z5hoistPN4llvm4LoopE"]);
    }

    #[test]
    fn where_no_function_has_a_name_its_place_in_the_program_counts() {
        let frames = " #0 0x07a1 (/bin/clang+0x291)\n #1 0x07a4 (/lib/libc.so.6+0x3c050)\n #2 0x07a5 (/bin/clang+0x692)\n #3 0x07a6 (/bin/clang+0x71f)\n #4 0x07a6 (/bin/clang+0x72f)\n";
        assert_eq!(counted_frames(frames), ["in clang+0x692", "in clang+0x71f"]);
    }

    #[test]
    fn an_error_of_the_program_before_the_crash_is_no_other_failure() {
        let text = "bug.c:1:1: error: unknown type name 'x'\nPLEASE submit a bug report to https://x\nStack dump:\n #3 0x07a6 hoist(llvm::Loop*) /b/hoist.cpp:1:1\n";
        assert_eq!(detected(text).1, ["in hoist"]);
    }
}
