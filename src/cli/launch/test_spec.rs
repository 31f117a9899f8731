//! The test that the user gives: a script, or commands instead.

use std::path::{Path, PathBuf};

use super::ub_guard;
use crate::cli::args::PropertyArgs;
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::oracle::{
    CANDIDATE, InterestingnessTest, RequestedCriteria, StageCommand, StageRole, StageView,
    TestStage,
};
use crate::session::journal::HeaderInvocation;
use crate::session::{InputFile, ProjectInput};

/// A test as the user gives it.
#[derive(Clone, Debug)]
pub enum TestSpec {
    /// An executable, after these checks.
    Script(PathBuf, Vec<TestStage>),
    /// Commands, and the requested criteria of the failure.
    Commands(Vec<TestStage>, RequestedCriteria),
    /// Two executables: one sees the seed of a pair, one the variant; after these checks, each of one of the two.
    PairScripts([PathBuf; 2], Vec<TestStage>),
    /// A server, after checks.
    Server(Vec<TestStage>),
    /// None: all verdicts are recorded.
    Recorded,
}

impl TestSpec {
    /// A script without checks.
    pub fn from_script(path: &Path) -> TestSpec {
        TestSpec::Script(path.to_path_buf(), Vec::new())
    }

    /// The test of the command line for this input, with notes. None if the line has no test.
    pub fn from_args(
        property: &PropertyArgs,
        test: Option<&Path>,
        input: &InputFile,
    ) -> Result<Option<(TestSpec, Vec<String>)>, CommandFailure> {
        if let Some(useless) = property.unusable_option() {
            return Err(CommandFailure::new(USAGE, useless));
        }
        if property.has_commands() {
            let (stages, notes) = test_stages(property, input)?;
            return Ok(Some((
                TestSpec::Commands(stages, property.wanted_property()),
                notes,
            )));
        }
        let Some(test) = test else {
            return Ok(None);
        };
        let checks = check_stages(property, &input.file_name().to_string_lossy())?;
        Ok(Some((
            TestSpec::Script(test.to_path_buf(), checks),
            Vec::new(),
        )))
    }

    /// The test of the command line for several files, with notes. None if the line has no test.
    pub fn for_project(
        property: &PropertyArgs,
        test: Option<&Path>,
        project: &ProjectInput,
    ) -> Result<Option<(TestSpec, Vec<String>)>, CommandFailure> {
        if let Some(useless) = property.unusable_option() {
            return Err(CommandFailure::new(USAGE, useless));
        }
        let see = |stage: TestStage| match project.is_directory() {
            true => stage.seeing_directory(),
            false => stage,
        };
        let shell =
            |role, line: &String| see(TestStage::new(role, StageCommand::Shell(line.clone())));
        let checks = property
            .check
            .iter()
            .map(|line| shell(StageRole::Check, line));
        let mut stages: Vec<TestStage> = checks.collect();
        if !property.has_commands() {
            let script =
                test.map(|test| (TestSpec::Script(test.to_path_buf(), stages), Vec::new()));
            return Ok(script);
        }
        match &property.differs[..] {
            [right, wrong] if property.ub_guard.is_none() => stages.extend([
                shell(StageRole::Reference, right),
                shell(StageRole::Differs, wrong),
            ]),
            [_, _] => {
                return Err(CommandFailure::new(
                    USAGE,
                    "--ub-guard compiles one file, and this run has several; leave it out, or write the guard as --check",
                ));
            }
            _ => {
                let words = absolute_program(property.line.clone());
                let line = StageCommand::Words(words);
                stages.push(see(TestStage::new(StageRole::Subject, line)));
            }
        }
        let spec = TestSpec::Commands(stages, property.wanted_property());
        Ok(Some((spec, Vec::new())))
    }

    /// The same test of the programs that a generator makes.
    pub fn with_generator(self, generator: TestStage) -> TestSpec {
        let before = |stages: Vec<TestStage>| [vec![generator], stages].concat();
        match self {
            TestSpec::Script(path, checks) => TestSpec::Script(path, before(checks)),
            TestSpec::Commands(stages, wanted) => TestSpec::Commands(before(stages), wanted),
            TestSpec::Server(stages) => TestSpec::Server(before(stages)),
            other @ (TestSpec::PairScripts(..) | TestSpec::Recorded) => other,
        }
    }

    /// Whether the file is a sequence of choices.
    pub fn has_generator(&self) -> bool {
        let stages = match self {
            TestSpec::Script(_, stages)
            | TestSpec::Commands(stages, _)
            | TestSpec::Server(stages) => &stages[..],
            TestSpec::PairScripts(..) | TestSpec::Recorded => &[],
        };
        stages.first().is_some_and(|stage| stage.makes.is_some())
    }

    /// The test of a recorded session.
    pub fn from_recorded(run: &HeaderInvocation) -> TestSpec {
        let is_script = |stage: &TestStage| matches!(stage.line, StageCommand::Script(_));
        if let Some((scripts, checks)) = recorded_pair_scripts(run) {
            return TestSpec::PairScripts(scripts, checks);
        }
        let is_server = |stage: &TestStage| matches!(stage.line, StageCommand::Serve(_));
        if run.stages.iter().any(is_server) {
            return TestSpec::Server(run.stages.clone());
        }
        if run.offline && run.test.as_os_str().is_empty() {
            return TestSpec::Recorded;
        }
        match &run.property {
            Some(_) => TestSpec::Commands(run.stages.clone(), RequestedCriteria::default()),
            None => {
                let checks = run.stages.iter().filter(|stage| !is_script(stage));
                TestSpec::Script(run.test.clone(), checks.cloned().collect())
            }
        }
    }

    /// The test. Commands have no property yet.
    pub fn resolve_test(&self) -> Result<InterestingnessTest, CommandFailure> {
        match self {
            TestSpec::Script(path, checks) => {
                InterestingnessTest::with_checks(checks.clone(), path).or_fail(USAGE)
            }
            TestSpec::Commands(stages, _) | TestSpec::Server(stages) => {
                Ok(InterestingnessTest::without_property(stages.clone()))
            }
            TestSpec::Recorded => Ok(InterestingnessTest::recorded()),
            TestSpec::PairScripts([seed, variant], checks) => {
                let stages = |script: &Path, view: StageView| {
                    let checks = checks.iter().filter(|check| check.sees == view);
                    let test = InterestingnessTest::with_checks(checks.cloned().collect(), script);
                    Ok::<_, CommandFailure>(test.or_fail(USAGE)?.stages().to_vec())
                };
                Ok(InterestingnessTest::for_pair(
                    stages(seed, StageView::Seed)?,
                    stages(variant, StageView::Variant)?,
                ))
            }
        }
    }

    /// Of the test of a pair, the test of the variant alone; none if one test sees both programs.
    pub fn variant_part(&self) -> Option<TestSpec> {
        let of_variant = |stages: &[TestStage]| {
            let stages = stages.iter();
            let stages = stages.filter(|stage| stage.sees == StageView::Variant);
            let stages = stages.cloned().map(|stage| TestStage {
                sees: StageView::Program,
                ..stage
            });
            stages.collect()
        };
        match self {
            TestSpec::Script(..) | TestSpec::Server(_) | TestSpec::Recorded => None,
            TestSpec::Commands(stages, wanted) => {
                Some(TestSpec::Commands(of_variant(stages), wanted.clone()))
            }
            TestSpec::PairScripts([_, script], checks) => {
                Some(TestSpec::Script(script.clone(), of_variant(checks)))
            }
        }
    }

    /// Whether a session ran with the same test.
    pub fn matches_run(&self, run: &HeaderInvocation) -> bool {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        match self {
            TestSpec::PairScripts(scripts, checks) => {
                let scripts = scripts.each_ref().map(absolute);
                recorded_pair_scripts(run) == Some((scripts, checks.clone()))
            }
            TestSpec::Script(path, checks) => {
                let path = absolute(path);
                let stages = run.stages.iter();
                let before = stages.filter(|stage| !matches!(stage.line, StageCommand::Script(_)));
                let is_pair = recorded_pair_scripts(run).is_some();
                run.property.is_none() && run.test == path && before.eq(checks) && !is_pair
            }
            TestSpec::Recorded => matches!(TestSpec::from_recorded(run), TestSpec::Recorded),
            TestSpec::Commands(stages, _) => run.property.is_some() && run.stages == *stages,
            TestSpec::Server(stages) => run.stages == *stages,
        }
    }
}

/// The scripts of a recorded pair, that of the seed and that of the variant, and the checks; none if the run had another test.
fn recorded_pair_scripts(run: &HeaderInvocation) -> Option<([PathBuf; 2], Vec<TestStage>)> {
    let script_of = |view: StageView| {
        let mut stages = run.stages.iter().filter(|stage| stage.sees == view);
        stages.find_map(|stage| match &stage.line {
            StageCommand::Script(script) => Some(script.path().to_path_buf()),
            StageCommand::Words(_) | StageCommand::Shell(_) | StageCommand::Serve(_) => None,
        })
    };
    let scripts = [script_of(StageView::Seed)?, script_of(StageView::Variant)?];
    let checks = run.stages.iter();
    let checks = checks.filter(|stage| stage.role == StageRole::Check);
    Some((scripts, checks.cloned().collect()))
}

/// The command of these words, with the candidate in place of the file.
pub fn command_stage(words: &[String], input: &InputFile) -> StageCommand {
    StageCommand::Words(absolute_program(insert_candidate(words, &input.named)))
}

/// The command of these words for a seed and a variant, with the candidate in place of either.
pub fn command_stage_of(
    words: &[String],
    files: &[&Path; 2],
) -> Result<StageCommand, CommandFailure> {
    let named = files.map(|file| insert_candidate_for(words, file));
    match named {
        [Some(_), Some(_)] if files[0] != files[1] => Err(CommandFailure::new(
            USAGE,
            format!(
                "the command names the seed and the variant, and it runs on each of them alone; write {CANDIDATE} where they go"
            ),
        )),
        [Some(words), _] | [None, Some(words)] => Ok(StageCommand::Words(absolute_program(words))),
        [None, None] => Ok(StageCommand::Words(absolute_program(insert_candidate(
            words, files[0],
        )))),
    }
}

/// The checks alone, for a test that is a script.
pub fn check_stages(property: &PropertyArgs, name: &str) -> Result<Vec<TestStage>, CommandFailure> {
    let checks = property.check.iter();
    checks
        .map(|line| shell_stage(StageRole::Check, "--check", line, name))
        .collect()
}

/// All stages for a candidate, the cheapest first, with notes.
fn test_stages(
    property: &PropertyArgs,
    input: &InputFile,
) -> Result<(Vec<TestStage>, Vec<String>), CommandFailure> {
    let name = input.file_name().to_string_lossy();
    let mut stages = check_stages(property, &name)?;
    let [right, wrong] = &property.differs[..] else {
        let line = command_stage(&property.line, input);
        stages.push(TestStage::new(StageRole::Subject, line));
        return Ok((stages, Vec::new()));
    };
    let pair = [
        shell_stage(StageRole::Reference, "--differs", right, &name)?,
        shell_stage(StageRole::Differs, "--differs", wrong, &name)?,
    ];
    let Some(flags) = &property.ub_guard else {
        stages.extend(pair);
        return Ok((stages, Vec::new()));
    };
    let guard = ub_guard::build_guard(input, flags, [right, wrong])?;
    stages.extend(guard.before);
    stages.extend(pair);
    stages.extend(guard.after);
    Ok((stages, guard.notes))
}

/// A line for the shell. A line that does not name the file is refused as a mistake.
pub fn shell_stage(
    role: StageRole,
    option: &str,
    line: &str,
    name: &str,
) -> Result<TestStage, CommandFailure> {
    if !line.contains(CANDIDATE) && !line.contains(name) {
        return Err(CommandFailure::new(
            USAGE,
            format!(
                "{option} '{line}': it does not name the file; write {CANDIDATE} where {name} goes"
            ),
        ));
    }
    Ok(TestStage::new(role, StageCommand::Shell(line.to_owned())))
}

/// The words with the candidate: in place of words that name the file, or at the end.
fn insert_candidate(words: &[String], file: &Path) -> Vec<String> {
    let mut words = words.to_vec();
    if words.iter().any(|word| word.contains(CANDIDATE)) {
        return words;
    }
    if let Some(words) = insert_candidate_for(&words, file) {
        return words;
    }
    words.push(CANDIDATE.to_owned());
    words
}

/// The words with the candidate in place of those that name the file; none if there are none.
fn insert_candidate_for(words: &[String], file: &Path) -> Option<Vec<String>> {
    let mut words = words.to_vec();
    let path = |path: &Path| std::path::absolute(path).ok();
    let mut is_there = false;
    for (at, word) in words.iter_mut().enumerate() {
        // A program without a directory is searched in PATH.
        let names = at > 0 || word.contains('/');
        if names && !word.is_empty() && path(Path::new(word)) == path(file) {
            *word = if at == 0 {
                format!("./{CANDIDATE}")
            } else {
                CANDIDATE.to_owned()
            };
            is_there = true;
        }
    }
    is_there.then_some(words)
}

/// Makes a relative path of the program absolute, because the command runs in another directory.
fn absolute_program(mut words: Vec<String>) -> Vec<String> {
    if let Some(program) = words.first_mut()
        && program.contains('/')
        && !program.contains(CANDIDATE)
        && let Ok(path) = std::path::absolute(&*program)
        && let Some(path) = path.to_str()
    {
        *program = path.to_owned();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_the_last_argument_if_it_is_nowhere() {
        let words = |line: &str| {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            absolute_program(insert_candidate(&words, Path::new("bug.c")))
        };
        assert_eq!(words("gcc -c").join(" "), "gcc -c {}");
        assert_eq!(words("gcc -c {} -o x").join(" "), "gcc -c {} -o x");
        assert_eq!(words("tool --file={}").join(" "), "tool --file={}");
        assert_eq!(words("gcc -c bug.c -o x").join(" "), "gcc -c {} -o x");
        assert_eq!(words("gcc -c ./bug.c").join(" "), "gcc -c {}");
        assert_eq!(words("gcc {} -o bug.c").join(" "), "gcc {} -o bug.c");
        assert_eq!(words("./bug.c x").join(" "), "./{} x");
        assert_eq!(words("./{} x").join(" "), "./{} x");
    }

    #[test]
    fn a_line_that_does_not_name_the_file_is_refused() {
        assert!(shell_stage(StageRole::Check, "--check", "cc -c {}", "bug.c").is_ok());
        assert!(shell_stage(StageRole::Check, "--check", "cc -c bug.c", "bug.c").is_ok());
        let refused = shell_stage(StageRole::Check, "--check", "cc -c other.c", "bug.c")
            .expect_err("refused");
        assert!(
            refused
                .error
                .to_string()
                .contains("write {} where bug.c goes")
        );
    }
}
