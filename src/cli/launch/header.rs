//! The header of a journal: how its run began.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::prepared_run::PreparedRun;
use crate::display::UnixTime;
use crate::language::{self, Language};
use crate::oracle::{LimitPolicy, StageCommand, TestExecutable, TestStage};
use crate::pass;
use crate::program::pair::PairSizes;
use crate::program::{ByteText, ContentHash, Objective, Version};
use crate::reduce::{self, EngineCommand, ScriptTrigger};
use crate::session::journal::{
    HeaderFile, HeaderInvocation, HeaderIsolation, HeaderLimit, HeaderProject, HeaderRepository,
    HeaderSeed, HeaderVerdicts, JournalHeader,
};
use crate::session::{InputFile, OutputChoice, ResultPlace, RunInput};

/// Of a longer test only the hash is kept.
const LARGEST_TEST: usize = 1 << 20;

/// The variables whose values are kept: those that tell compilers and linkers where to look and what to do. Of the others only the
/// names, since values may be secrets.
const VALUES: &[&str] = &[
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "JAVA_HOME",
    "CLASSPATH",
    "PYTHONPATH",
    "NODE_PATH",
    "RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
    "GOFLAGS",
    "SOURCE_DATE_EPOCH",
];

/// The names of the environment's variables, sorted, with the values that are kept.
pub fn recorded_environment() -> Vec<(String, Option<String>)> {
    let mut all: Vec<_> = std::env::vars_os()
        .map(|(name, value)| {
            let name = name.to_string_lossy().into_owned();
            let kept = VALUES.contains(&&name[..]) || name.starts_with("LC_");
            let value = kept.then(|| value.to_string_lossy().into_owned());
            (name, value)
        })
        .collect();
    all.sort();
    all
}

/// The hash of this lop's definition of a language.
pub fn hash_grammar(language: &Language) -> String {
    let knowledge: Vec<&[u8]> = language.definition_bytes().collect();
    ContentHash::from_bytes(&knowledge.concat()).to_string()
}

/// The grammar of a language that is not one of lop's own, as a journal keeps it.
fn recorded_bnf(language: &'static Language) -> Option<String> {
    let own = language::by_name(language.name).is_some_and(|own| std::ptr::eq(own, language));
    let grammar = language.bnf_grammar().filter(|_| !own)?;
    Some(grammar.text().to_owned())
}

/// The text of the file that colours a language whose grammar the journal keeps.
fn recorded_syntax(language: &'static Language) -> Option<String> {
    let file = language
        .syntax_file()
        .filter(|_| recorded_bnf(language).is_some())?;
    file.text
        .as_ref()
        .ok()
        .map(|text| text.clone().into_owned())
}

/// Where the grammar of a language comes from, as a journal keeps it.
fn recorded_repository(language: &'static Language) -> Option<HeaderRepository> {
    let origin = language.origin()?;
    Some(HeaderRepository {
        directory: origin.directory.clone(),
        name: origin.name.clone(),
        sources: origin.key.clone(),
    })
}

/// The hash of a test, and its script's bytes if they are few. It is the hash of the bytes; other stages add their roles and lines, and those
/// of a pair what they see; of a script the bytes count, not the path, and of a generator too.
pub fn hash_test(script: Option<&Path>, stages: &[TestStage]) -> (String, Option<ByteText>) {
    let bytes = script.map(|path| std::fs::read(path).unwrap_or_default());
    let kept = bytes.as_ref().filter(|bytes| bytes.len() <= LARGEST_TEST);
    let kept = kept.map(|bytes| ByteText::from_bytes(bytes));
    let hash = bytes.map(|bytes| ContentHash::from_bytes(&bytes));
    let others = stages.iter().filter_map(describe_stage);
    let others: Vec<serde_json::Value> = others.collect();
    let hash = match (hash, &others[..]) {
        (Some(hash), []) => hash,
        (hash, others) => {
            let hash = hash.map(|hash| hash.to_string());
            // Strings always serialise.
            ContentHash::from_bytes(&serde_json::to_vec(&(hash, others)).unwrap_or_default())
        }
    };
    (hash.to_string(), kept)
}

/// The bytes of a script, if they are few.
fn read_test_bytes(script: &TestExecutable) -> Option<ByteText> {
    let bytes = std::fs::read(script.path()).unwrap_or_default();
    (bytes.len() <= LARGEST_TEST).then(|| ByteText::from_bytes(&bytes))
}

/// What a stage adds to the hash of its test; a script that sees all adds nothing.
fn describe_stage(stage: &TestStage) -> Option<serde_json::Value> {
    let (role, view) = (stage.role, stage.sees);
    if let Some(name) = &stage.makes {
        let generator = hash_program(&stage.line);
        return Some(json!([role, stage.line, name, generator]));
    }
    if let line @ StageCommand::Serve(_) = &stage.line {
        return Some(json!([role, line, hash_program(line)]));
    }
    match (&stage.line, view.document()) {
        (StageCommand::Script(_), None) => None,
        (line, None) => Some(json!([role, line])),
        (StageCommand::Script(script), Some(_)) => {
            let bytes = std::fs::read(script.path()).unwrap_or_default();
            Some(json!([
                role,
                view,
                ContentHash::from_bytes(&bytes).to_string()
            ]))
        }
        (line, Some(_)) => Some(json!([role, view, line])),
    }
}

/// The hash of the program that a line of a generator or a server begins with, if that is a file.
fn hash_program(line: &StageCommand) -> Option<String> {
    let bytes = std::fs::read(line.program_file()?).ok()?;
    Some(ContentHash::from_bytes(&bytes).to_string())
}

/// The limit for a header: `first` is the test on the original, if limits follow from it.
pub fn to_header_limit(limit: LimitPolicy, first: Option<&crate::oracle::TestRun>) -> HeaderLimit {
    let nanoseconds = |time: Duration| time.as_nanos() as u64;
    match (first, limit.hang_limit()) {
        (Some(run), _) => HeaderLimit::Original {
            time_ns: nanoseconds(run.time),
            cpu_ns: run.cpu.map(nanoseconds),
        },
        (None, Some(hang)) => HeaderLimit::Hang(nanoseconds(hang)),
        (None, None) => {
            HeaderLimit::Fixed(nanoseconds(limit.current_limits().wall.unwrap_or_default()))
        }
    }
}

/// The time, in seconds since 1970.
pub fn seconds_since_1970() -> u64 {
    UnixTime::now().since_1970().as_secs()
}

fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.into())
}

/// A file as a journal keeps it.
fn describe_file(file: &InputFile, language: Option<&'static Language>) -> HeaderFile {
    let name = language.map(|language| language.name);
    HeaderFile {
        grammar: language.map(hash_grammar),
        bnf: language.and_then(recorded_bnf),
        syntax: language.and_then(recorded_syntax),
        tree: file.tree.as_deref().map(str::to_owned),
        repository: language.and_then(recorded_repository),
        ..HeaderFile::new(file.test_path(), name, &file.bytes)
    }
}

/// All that a run starts from.
pub struct HeaderSource<'a> {
    pub prepared: &'a PreparedRun,
    pub version: &'a Version,
    pub languages: &'a [Option<&'static Language>],
    pub options: pass::PassOptions,
    pub script: &'a [(ScriptTrigger, EngineCommand)],
    pub limit: HeaderLimit,
    pub output: &'a dyn ResultPlace,
    pub choice: &'a OutputChoice,
    pub other_status: Option<i32>,
    /// When the run begins.
    pub began: u64,
    pub verdicts: Option<&'a HeaderVerdicts>,
    pub candidates: Option<&'a Path>,
    pub offline: bool,
    /// How many tests the user wanted to run at a time; none for as many as there are processors.
    pub jobs: Option<u16>,
}

impl HeaderSource<'_> {
    /// The seed, if the run reduces a pair.
    fn describe_seed(&self) -> Option<HeaderSeed> {
        match &self.prepared.input {
            RunInput::Program(_) | RunInput::Project(_) => None,
            RunInput::Pair([seed, _]) => Some(HeaderSeed {
                path: absolute_path(&seed.named),
                mode: seed.mode,
            }),
        }
    }

    /// What a project is besides its files; none of other runs.
    fn describe_project(&self) -> Option<HeaderProject> {
        let project = self.prepared.input.project()?;
        Some(HeaderProject {
            is_directory: project.is_directory(),
            files: project.freedoms().to_vec(),
            modes: project.files().iter().map(|file| file.mode).collect(),
        })
    }

    /// The header of the journal.
    pub fn to_journal_header(&self) -> JournalHeader {
        let input = self.prepared.input.main_file();
        let files = self.prepared.input.files().iter().zip(self.languages);
        let files = files.map(|(file, language)| describe_file(file, *language));
        let (strategy, minimizer) = (self.options.strategy.name, self.options.minimizer.name);
        let test = &self.prepared.test;
        let script = self.prepared.script_path();
        let (test_hash, test_bytes) = hash_test(script, test.stages());
        // A script without other stages is recorded by its path alone.
        let stages = match (script, test.stages()) {
            (Some(_), [_]) => Vec::new(),
            (_, stages) => stages.to_vec(),
        };
        let run = HeaderInvocation {
            input: absolute_path(&input.named),
            mode: input.mode,
            seed: self.describe_seed(),
            project: self.describe_project(),
            test: script.map(Path::to_path_buf).unwrap_or_default(),
            test_hash,
            test_bytes,
            variant_test_bytes: test.scripts().nth(1).and_then(read_test_bytes),
            stages,
            property: test.property().cloned(),
            isolation: Some(HeaderIsolation::from(&self.prepared.isolation)),
            output: absolute_path(self.output.named_path()),
            output_link: self.output.link_target(),
            in_place: *self.choice == OutputChoice::InPlace,
            also: self.other_status,
            verdicts: self.verdicts.cloned(),
            candidates: self.candidates.map(absolute_path),
            offline: self.offline,
            jobs: self.jobs,
            environment: recorded_environment(),
            began: self.began,
        };
        let script = self.script.iter();
        JournalHeader {
            tokens: Some(self.version.token_count()),
            difference: PairSizes::of_version(self.version).map(|sizes| sizes.difference),
            objective: Some(self.version.objective())
                .filter(|objective| !matches!(objective, Objective::Tokens))
                .map(Objective::to_string),
            canonical: self.version.keeps_layout(),
            script: script
                .map(|(when, command)| reduce::script_line(*when, command))
                .collect(),
            mirror: self.options.mirror,
            schedule: Some(self.options.schedule)
                .filter(|&schedule| schedule != self.options.strategy.schedule)
                .map(|schedule| schedule.name().to_owned()),
            effort: (!self.options.strategy.strata.is_empty())
                .then(|| self.options.effort.name().to_owned()),
            keeps_text: self.options.keeps_text,
            run: Some(run),
            ..JournalHeader::new(files.collect(), strategy, minimizer, self.limit)
                .without_parts(self.options.disabled_features.feature_names())
                .with_passes(self.options.enabled_features.feature_names())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{InterestingnessTest, StageRole};

    fn stage(role: StageRole, line: &str) -> TestStage {
        TestStage::new(role, StageCommand::Shell(line.into()))
    }

    #[test]
    fn a_test_is_all_its_stages_with_their_roles() {
        let script = Path::new("/dev/null");
        let hash = |script, stages: &[TestStage]| hash_test(script, stages).0;
        let alone = hash(Some(script), &[]);
        assert_eq!(alone, ContentHash::from_bytes(b"").to_string());
        let checked = hash(Some(script), &[stage(StageRole::Check, "true")]);
        let other = hash(Some(script), &[stage(StageRole::Check, "false")]);
        let commands = hash(None, &[stage(StageRole::Check, "true")]);
        let subject = hash(None, &[stage(StageRole::Subject, "true")]);
        let text = br#"[null,[["check",{"shell":"true"}]]]"#;
        assert_eq!(commands, ContentHash::from_bytes(text).to_string());
        let mut all = vec![alone, checked, other, commands, subject];
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5, "{all:?}");
    }

    #[test]
    fn a_test_of_a_pair_is_both_scripts_with_what_they_see() {
        let directory = tempfile::tempdir().expect("a directory");
        let script = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, text).expect("a script");
            let may_run = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&path, may_run).expect("executable");
            let script = TestExecutable::from_path(&path).expect("a test");
            vec![TestStage::new(
                StageRole::Says,
                StageCommand::Script(script),
            )]
        };
        let hash = |seed: &[TestStage], variant: &[TestStage]| {
            let test = InterestingnessTest::for_pair(seed.to_vec(), variant.to_vec());
            hash_test(test.script().map(TestExecutable::path), test.stages()).0
        };
        let (works, fails) = (script("works", "exit 0"), script("fails", "exit 1"));
        let (copy, other) = (script("copy", "exit 1"), script("other", "exit 2"));
        assert_eq!(hash(&works, &fails), hash(&works, &copy));
        assert_ne!(hash(&works, &fails), hash(&works, &other));
        assert_ne!(hash(&works, &fails), hash(&fails, &works));
    }
}
