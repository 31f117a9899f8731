//! An interestingness test: stages that run one after the other, and together decide the verdict.
//!
//! Stages that see the same of the program share a directory. A test of a pair has stages that see the seed alone and stages that see the
//! variant alone; `test_parts.rs` runs such a test.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::TestFile;
use super::executable::{TestError, TestExecutable};
use super::program_memory::ProgramMemory;
use super::property::{FailureProperty, PropertyError, PropertyMatcher};
use super::server_trust::ServerTrust;
use super::shell::{
    CANDIDATE, escape_leading_dash, fill_placeholders, first_word, quote_name_in, quote_path,
    quote_word,
};
use super::test_dir::TestDir;

/// A stage of a test: a command and its role. Plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestStage {
    /// What its exit means for the verdict.
    pub role: StageRole,
    /// The command that runs.
    pub line: StageCommand,
    /// What it sees of the program. Journals of before do not say: all of it.
    #[serde(default, skip_serializing_if = "StageView::is_program")]
    pub sees: StageView,
    /// The name of the file that its stdout becomes: of the first stage of a test on a sequence of choices, the generator. The other stages
    /// see that file alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub makes: Option<PathBuf>,
}

/// What a stage sees of the program. It runs in a directory that holds nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageView {
    /// All documents. Their paths are the arguments of a script. The path of the only one is `{}`, and so are those of several.
    #[default]
    Program,
    /// All documents, below a directory, whose path is the argument of a script and `{}`.
    Directory,
    /// The seed of a pair, document 0.
    Seed,
    /// The variant of a pair, document 1.
    Variant,
}

/// What the exit of a stage means for the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageRole {
    /// Its exit status is the verdict: 0, 125, or another.
    Says,
    /// A candidate on which it fails is invalid.
    Check,
    /// A candidate on which it fails is uninteresting, and so is one on which it shows the property all the same.
    Succeeds,
    /// The reference: the stdout and the exit of other stages are compared with its own.
    Reference,
    /// The property is about its exit and its output.
    Subject,
    /// The property is about its exit and its stdout, compared with the reference.
    Differs,
    /// A candidate on which its result differs from the reference's is invalid.
    Agrees,
}

/// A command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageCommand {
    /// A file of the user's. Its arguments are the absolute paths of the files that it sees; mostly there is one.
    Script(TestExecutable),
    /// A program, searched in `PATH`, and its arguments; `{}` is the candidate's name.
    Words(Vec<String>),
    /// A line for `sh -c`; `{}` is the candidate's name.
    Shell(String),
    /// A line for `sh -c` that starts a server: it stays alive, and reads the directory of each candidate.
    Serve(String),
}

impl TestStage {
    /// A stage that sees the whole program.
    pub fn new(role: StageRole, line: StageCommand) -> TestStage {
        TestStage {
            role,
            line,
            sees: StageView::Program,
            makes: None,
        }
    }

    /// The same stage, which gets the directory where all documents are as its argument.
    pub fn seeing_directory(self) -> TestStage {
        let sees = match self.sees {
            StageView::Program => StageView::Directory,
            other => other,
        };
        TestStage { sees, ..self }
    }

    /// The generator that this line starts, which makes a program of this name. A candidate on which it fails is invalid.
    pub fn new_generator(line: String, name: PathBuf) -> TestStage {
        TestStage {
            makes: Some(name),
            ..TestStage::new(StageRole::Check, StageCommand::Shell(line))
        }
    }
}

impl StageView {
    /// The number of the document that it is alone about.
    pub fn document(self) -> Option<usize> {
        match self {
            StageView::Program | StageView::Directory => None,
            StageView::Seed => Some(0),
            StageView::Variant => Some(1),
        }
    }

    /// The files that it sees.
    pub(super) fn select_files(self, files: &[TestFile]) -> &[TestFile] {
        match self.document() {
            None => files,
            Some(at) => files.get(at..=at).unwrap_or_default(),
        }
    }

    fn is_program(&self) -> bool {
        *self == StageView::Program
    }
}

/// As a part of a sentence.
impl std::fmt::Display for StageView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StageView::Program | StageView::Directory => "the program",
            StageView::Seed => "the seed",
            StageView::Variant => "the variant",
        })
    }
}

impl StageRole {
    /// Whether the property is about its exit and its output.
    pub fn is_judged(self) -> bool {
        matches!(self, StageRole::Subject | StageRole::Differs)
    }

    /// Whether its verdict depends on the property: of the seed of a pair, the command must not show it, and the reference must end alike.
    fn needs_property(self) -> bool {
        self.is_judged() || matches!(self, StageRole::Succeeds | StageRole::Reference)
    }

    /// Whether its stdout is compared with another's. Then stderr is captured separately.
    pub fn compares_output(self) -> bool {
        matches!(
            self,
            StageRole::Reference | StageRole::Differs | StageRole::Agrees
        )
    }
}

impl StageCommand {
    /// The program and its arguments, never empty.
    pub(super) fn to_argv(&self, sees: StageView, dir: &TestDir) -> Vec<OsString> {
        match self {
            StageCommand::Script(script) => {
                let mut words = script.command_words();
                match sees {
                    StageView::Directory => words.push(dir.work_dir().into()),
                    _ => words.extend(dir.files().iter().map(|path| path.as_os_str().to_owned())),
                }
                words
            }
            _ => {
                let words = self.to_words(sees, dir.relative_files());
                words.into_iter().map(OsString::from).collect()
            }
        }
    }

    /// The program and its arguments, of a command that is no script: it names the files by their paths in the working directory.
    pub(super) fn to_words<'a>(
        &self,
        sees: StageView,
        files: impl Iterator<Item = &'a Path>,
    ) -> Vec<String> {
        let names: Vec<String> = match sees {
            StageView::Directory => vec![".".to_owned()],
            _ => files
                .map(|name| name.to_string_lossy().into_owned())
                .collect(),
        };
        match self {
            StageCommand::Script(_) => Vec::new(),
            StageCommand::Words(words) => {
                let names: Vec<_> = names.iter().map(|name| escape_leading_dash(name)).collect();
                let first = names.first().map_or("", |name| name);
                let filled = words.iter().flat_map(|word| match word == CANDIDATE {
                    true => names.iter().map(|name| name.to_string()).collect(),
                    false => vec![word.replace(CANDIDATE, first)],
                });
                filled.collect()
            }
            StageCommand::Shell(line) => vec![
                "/bin/sh".into(),
                "-c".into(),
                fill_placeholders(line, |quotes| {
                    let names = names.iter().map(|name| quote_name_in(name, quotes));
                    names.collect::<Vec<_>>().join(" ")
                }),
            ],
            StageCommand::Serve(line) => vec!["/bin/sh".into(), "-c".into(), line.clone()],
        }
    }
}

impl StageCommand {
    /// The program that a line for the shell begins with; none of a script.
    pub fn program_file(&self) -> Option<PathBuf> {
        let (StageCommand::Shell(line) | StageCommand::Serve(line)) = self else {
            return None;
        };
        first_word(line).map(PathBuf::from)
    }
}

/// The command as it would be typed, with `{}` for the candidate.
impl std::fmt::Display for StageCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StageCommand::Script(script) => f.write_str(&quote_path(script.path())),
            StageCommand::Words(words) => {
                let words = words.iter().map(|text| match text.contains(CANDIDATE) {
                    true => text.clone(),
                    false => quote_word(text),
                });
                f.write_str(&words.collect::<Vec<_>>().join(" "))
            }
            StageCommand::Shell(line) | StageCommand::Serve(line) => f.write_str(line),
        }
    }
}

/// An interestingness test that can be run from any directory.
#[derive(Clone, Debug)]
pub struct InterestingnessTest {
    stages: Arc<[TestStage]>,
    matcher: Option<Arc<PropertyMatcher>>,
    /// What its generator made lately.
    programs: Arc<ProgramMemory>,
    /// What is known of its servers.
    servers: Arc<ServerTrust>,
}

impl InterestingnessTest {
    /// A test that is a file: its exit status is the verdict.
    ///
    /// # Errors
    /// When the file cannot be a test.
    pub fn from_path(path: &Path) -> Result<InterestingnessTest, TestError> {
        InterestingnessTest::with_checks(Vec::new(), path)
    }

    /// A test that is a file, which runs after these checks.
    ///
    /// # Errors
    /// When the file cannot be a test.
    pub fn with_checks(
        checks: Vec<TestStage>,
        path: &Path,
    ) -> Result<InterestingnessTest, TestError> {
        let script = StageCommand::Script(TestExecutable::from_path(path)?);
        let says = TestStage::new(StageRole::Says, script);
        let stages = checks.into_iter().chain([says]).collect();
        Ok(InterestingnessTest::without_property(stages))
    }

    /// Stages without a property; of commands, for a [`super::TrialRun`], without one yet.
    pub fn without_property(stages: Vec<TestStage>) -> InterestingnessTest {
        InterestingnessTest {
            stages: stages.into(),
            matcher: None,
            programs: Arc::default(),
            servers: Arc::default(),
        }
    }

    /// A test without a stage: it cannot run, and its verdicts are recorded ones.
    pub fn recorded() -> InterestingnessTest {
        InterestingnessTest::without_property(Vec::new())
    }

    /// Commands, one of which is the subject, and the property that makes a candidate interesting.
    ///
    /// # Errors
    /// When the property is invalid.
    pub fn from_stages(
        stages: Vec<TestStage>,
        property: FailureProperty,
    ) -> Result<InterestingnessTest, PropertyError> {
        Ok(InterestingnessTest {
            matcher: Some(Arc::new(PropertyMatcher::new(property)?)),
            ..InterestingnessTest::without_property(stages)
        })
    }

    /// A test of a pair: these stages see the seed, and those see the variant. All must agree. One with a stage that a property is about
    /// needs [`InterestingnessTest::with_property`] before a candidate is tested, but not for a [`super::TrialRun`].
    pub fn for_pair(
        seed_stages: Vec<TestStage>,
        variant_stages: Vec<TestStage>,
    ) -> InterestingnessTest {
        let seeing = |sees, stages: Vec<TestStage>| {
            let stages = stages.into_iter();
            stages.map(move |stage| TestStage { sees, ..stage })
        };
        let seed_stages = seeing(StageView::Seed, seed_stages);
        let stages = seed_stages.chain(seeing(StageView::Variant, variant_stages));
        InterestingnessTest::without_property(stages.collect())
    }

    /// The same test of files below a directory, which its stages get as their argument.
    #[must_use]
    pub fn seeing_directory(self) -> InterestingnessTest {
        let stages = self.stages.iter().cloned();
        InterestingnessTest {
            stages: stages.map(TestStage::seeing_directory).collect(),
            ..self
        }
    }

    /// The stages in their order; none of a test that cannot run.
    pub fn stages(&self) -> &[TestStage] {
        &self.stages
    }

    /// The generator, if the candidates are sequences of choices, and the name of the programs that it makes.
    pub fn generator(&self) -> Option<(&TestStage, &Path)> {
        let first = self.stages.first()?;
        Some((first, first.makes.as_deref()?))
    }

    /// Whether its last stage is a server.
    pub fn is_served(&self) -> bool {
        let is_server = |stage: &TestStage| matches!(stage.line, StageCommand::Serve(_));
        self.stages.last().is_some_and(is_server)
    }

    /// What decides about its property.
    #[cfg(feature = "remote")]
    pub(super) fn matcher(&self) -> Option<&PropertyMatcher> {
        self.matcher.as_deref()
    }

    /// What is known of its servers.
    pub(super) fn servers(&self) -> &ServerTrust {
        &self.servers
    }

    /// What its generator made lately.
    pub fn programs(&self) -> &Arc<ProgramMemory> {
        &self.programs
    }

    /// The generator alone, with the same memory: every sequence of which it makes a program is interesting.
    pub(super) fn generator_alone(&self) -> Option<InterestingnessTest> {
        let (generator, _) = self.generator()?;
        Some(InterestingnessTest {
            programs: self.programs.clone(),
            ..InterestingnessTest::without_property(vec![generator.clone()])
        })
    }

    /// The failure property; `None` if the exit status of a file is the verdict.
    pub fn property(&self) -> Option<&FailureProperty> {
        self.matcher.as_deref().map(PropertyMatcher::property)
    }

    /// The parts of the test, in their order.
    pub(super) fn parts(&self) -> Vec<TestPart<'_>> {
        let parts = self.stages.chunk_by(|stage, next| stage.sees == next.sees);
        let is_judged =
            |stages: &[TestStage]| stages.iter().any(|stage| stage.role.needs_property());
        parts
            .map(|stages| TestPart {
                stages,
                matcher: self.matcher.as_deref().filter(|_| is_judged(stages)),
                servers: &self.servers,
            })
            .collect()
    }

    /// The same test with another property.
    ///
    /// # Errors
    /// When the property is invalid, or the test has none.
    pub fn with_property(
        &self,
        property: FailureProperty,
    ) -> Result<InterestingnessTest, PropertyError> {
        match self.stages.iter().any(|stage| stage.role.is_judged()) {
            true => Ok(InterestingnessTest {
                programs: self.programs.clone(),
                ..InterestingnessTest::from_stages(self.stages.to_vec(), property)?
            }),
            false => Err(PropertyError::Script),
        }
    }

    /// The file whose exit status is the verdict, if there is one; of a pair's, the first.
    pub fn script(&self) -> Option<&TestExecutable> {
        self.scripts().next()
    }

    /// The programs of the user's that the test consists of: its scripts, and what its server begins with, which may be no file.
    pub fn program_files(&self) -> Vec<PathBuf> {
        let scripts = self.scripts().map(|script| script.path().to_path_buf());
        let server = self.stages.last().filter(|_| self.is_served());
        let server = server.and_then(|stage| stage.line.program_file());
        scripts.chain(server).collect()
    }

    /// The scripts of the user's that run.
    pub fn scripts(&self) -> impl Iterator<Item = &TestExecutable> {
        self.stages.iter().filter_map(|stage| match &stage.line {
            StageCommand::Script(script) => Some(script),
            StageCommand::Words(_) | StageCommand::Shell(_) | StageCommand::Serve(_) => None,
        })
    }
}

/// A test that is a file: its exit status is the verdict.
impl From<TestExecutable> for InterestingnessTest {
    fn from(script: TestExecutable) -> InterestingnessTest {
        let says = TestStage::new(StageRole::Says, StageCommand::Script(script));
        InterestingnessTest::without_property(vec![says])
    }
}

/// The stages of a test that see the same of the program, and run in one directory within one test's limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct TestPart<'a> {
    /// The stages, in their order.
    pub stages: &'a [TestStage],
    /// The property, if it is about one of them.
    pub matcher: Option<&'a PropertyMatcher>,
    /// What is known of the server among them.
    pub servers: &'a ServerTrust,
}

impl TestPart<'_> {
    /// What its stages see.
    pub fn view(&self) -> StageView {
        self.stages
            .first()
            .map_or(StageView::Program, |stage| stage.sees)
    }
}

/// The test as it would be typed: the file, the command, or the two commands that differ; of a pair, those of the seed and of the variant.
impl std::fmt::Display for InterestingnessTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let essential =
            |stage: &&TestStage| !matches!(stage.role, StageRole::Check | StageRole::Agrees);
        let describe_part = |part: &TestPart| {
            let lines = part.stages.iter().filter(essential);
            let lines: Vec<String> = lines.map(|stage| stage.line.to_string()).collect();
            let lines = lines.join("  against  ");
            match part.view() {
                StageView::Program | StageView::Directory => lines,
                view => format!("{lines}  on {view}"),
            }
        };
        if self.stages.is_empty() {
            return f.write_str("recorded verdicts");
        }
        let parts: Vec<String> = self.parts().iter().map(describe_part).collect();
        f.write_str(&parts.join(", "))
    }
}
