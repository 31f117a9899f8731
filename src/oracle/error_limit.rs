//! Compilers for C and C++ that end at the first error. A candidate that does not compile brings thousands of errors, and then costs
//! more than one that shows the bug.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// The option by which GCC and Clang end at the first error. GCC with `-fmax-errors=1` goes on until a second one comes.
pub const FATAL_ERRORS: &str = "-Wfatal-errors";

/// Matches a line of a compiler that reports an error in the program: it has a line number, which a failure of the compiler itself lacks, or
/// reports by another word. `grep -E` reads it too.
pub const ERROR_LINE: &str = "^[^|]*:[0-9]+: (fatal error|error|sorry, unimplemented): ";

/// The beginnings of options that limit the number of errors.
const LIMITS: [&str; 3] = [FATAL_ERRORS, "-fmax-errors=", "-ferror-limit="];

/// The name of a compiler, with the prefix of a target and the suffix of a version.
static COMPILER_NAME: LazyLock<Regex> = LazyLock::new(|| {
    let name = r"^(?:[\w.]+-)*(?:g?cc|g\+\+|c\+\+|clang|clang\+\+)(?:-[\d.]+)?$";
    Regex::new(name).expect("a regular expression")
});

static ERROR_LINE_REGEX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(ERROR_LINE).expect("a regular expression"));

/// The place of the compiler's name among the words of a command that may bring any number of errors; none if it starts no compiler, or
/// limits them.
pub fn find_unlimited_compiler<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<usize> {
    let mut compiler = None;
    for (at, word) in words.into_iter().enumerate() {
        if LIMITS.iter().any(|limit| word.starts_with(limit)) {
            return None;
        }
        let name = Path::new(word).file_name().and_then(|name| name.to_str());
        if compiler.is_none() && name.is_some_and(|name| COMPILER_NAME.is_match(name)) {
            compiler = Some(at);
        }
    }
    compiler
}

/// Whether a line reports an error in the program.
pub fn has_error_line(text: &str) -> bool {
    text.lines().any(|line| ERROR_LINE_REGEX.is_match(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_is_known_by_its_name() {
        for (line, place) in [
            ("gcc -c {}", Some(0)),
            ("/usr/bin/x86_64-linux-gnu-g++-11 {}", Some(0)),
            ("timeout -k 1 30 clang++-16 -c {}", Some(4)),
            ("ccache cc {}", Some(1)),
            ("clang-14.0 {}", Some(0)),
            ("./tool -c {}", None),
            ("gcc-ar x {}", None),
            ("occ {}", None),
            ("gcc -Wfatal-errors {}", None),
            ("gcc {} -fmax-errors=3", None),
            ("clang {} -ferror-limit=1", None),
        ] {
            let found = find_unlimited_compiler(line.split(' '));
            assert_eq!(found, place, "{line}");
        }
    }

    #[test]
    fn a_failure_of_the_compiler_is_no_error_in_the_program() {
        for (line, is_error) in [
            ("a.c:1:2: error: x", true),
            ("/x y/a.c:1: error: x", true),
            (
                "a.c:1:10: fatal error: y.h: No such file or directory",
                true,
            ),
            ("a.c:1:2: sorry, unimplemented: x", true),
            ("a.c:1:2: internal compiler error: x", false),
            ("clang: error: clang frontend command failed", false),
            ("fatal error: error in backend: x", false),
            ("    1 | char s[] = \"a:1: error: \";", false),
            ("a.c:1:2: warning: error: x", false),
        ] {
            assert_eq!(has_error_line(line), is_error, "{line}");
        }
    }
}
