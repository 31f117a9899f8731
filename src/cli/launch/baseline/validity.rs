//! A check that says whether a program is valid, where the user gives none: what the compilers and interpreters of this machine accept.

use crate::cli::failure::CommandFailure;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::oracle::{InterestingnessTest, StageCommand, StageRole, TestStage, TimeLimits, Verdict};

use super::preflight::PreflightTester;

/// Commands that accept what is valid, by the name of the language. The first that accepts the file counts.
const CHECKS: &[(&str, &[&str])] = &[
    (
        "c",
        &[
            "cc -fsyntax-only -w {}",
            "gcc -fsyntax-only -w {}",
            "clang -fsyntax-only -w {}",
        ],
    ),
    (
        "cpp",
        &[
            "c++ -fsyntax-only -w {}",
            "g++ -fsyntax-only -w {}",
            "clang++ -fsyntax-only -w {}",
        ],
    ),
    ("javascript", &["node --check {}"]),
    (
        "python",
        &["python3 -c 'import ast, sys; ast.parse(open(sys.argv[1], \"rb\").read())' {}"],
    ),
    ("bash", &["bash -n {}"]),
    (
        "rust",
        &["rustc --edition 2021 --crate-type lib --emit metadata -o lop-valid.rmeta {}"],
    ),
    ("go", &["gofmt -e {}"]),
    ("java", &["javac -nowarn -d . {}"]),
    ("json", &["python3 -m json.tool {}"]),
];

/// A test that finds interesting whatever this command accepts.
pub fn acceptance_test(line: StageCommand) -> InterestingnessTest {
    InterestingnessTest::without_property(vec![TestStage::new(StageRole::Says, line)])
}

impl PreparedRun {
    /// The first of the usual checks of a language that accepts the file, and its command.
    pub fn find_validity_check(
        &self,
        language: &str,
        limits: TimeLimits,
    ) -> Result<Option<(InterestingnessTest, &'static str)>, CommandFailure> {
        let known = CHECKS.iter().find(|(name, _)| *name == language);
        for &line in known.into_iter().flat_map(|(_, lines)| *lines) {
            let test = acceptance_test(StageCommand::Shell(line.into()));
            let tester = PreflightTester {
                test: &test,
                ..self.preflight_tester()
            };
            let outcome = tester.test_once(&self.input.bytes, limits)?;
            if outcome.verdict() == Some(Verdict::Interesting) {
                return Ok(Some((test, line)));
            }
        }
        Ok(None)
    }
}
