//! Who says whether a neighbour is valid: a command, the test, or what the compilers and interpreters of this machine accept.

use crate::oracle::{InterestingnessTest, StageCommand, StageRole, TestStage};

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

/// The usual checks of a language, the best first.
pub fn usual_checks(language: &str) -> impl Iterator<Item = &'static str> {
    let known = CHECKS.iter().find(|(name, _)| *name == language);
    known
        .into_iter()
        .flat_map(|(_, lines)| lines.iter().copied())
}

/// Who says what is valid.
pub enum ValidityRule {
    /// The test itself.
    Test,
    /// A command that succeeds, and how it is shown.
    Command(InterestingnessTest, String),
    /// Nobody.
    Unknown,
}

impl ValidityRule {
    /// The rule of a command.
    pub fn from_command(line: StageCommand) -> ValidityRule {
        let shown = line.to_string();
        let stage = TestStage::new(StageRole::Says, line);
        ValidityRule::Command(InterestingnessTest::without_property(vec![stage]), shown)
    }

    /// The rule that a test implies: its checks, or that its command succeeds. None for a script.
    pub fn from_test(test: &InterestingnessTest) -> Option<ValidityRule> {
        let stages = test.stages();
        let is_check =
            |stage: &TestStage| matches!(stage.role, StageRole::Check | StageRole::Reference);
        if stages.iter().any(is_check) {
            return Some(ValidityRule::Test);
        }
        let subject = stages
            .iter()
            .find(|stage| stage.role == StageRole::Subject)?;
        Some(ValidityRule::from_command(subject.line.clone()))
    }

    /// The rule, as a sentence.
    pub fn describe(&self) -> String {
        match self {
            ValidityRule::Test => "valid is what the checks of the test accept".into(),
            ValidityRule::Command(_, line) => format!("valid is what this command accepts: {line}"),
            ValidityRule::Unknown => "it is not known which neighbours are valid, so that essential tokens may only be needed to compile; \
                                      --check COMMAND says it"
                .into(),
        }
    }
}
