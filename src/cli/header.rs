//! What a journal says of how its run began.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::ready::Ready;
use super::tongue;
use crate::language::Language;
use crate::oracle::{Limits, Stage};
use crate::pass;
use crate::program::{Hash, Version};
use crate::reduce::{self, Command, When};
use crate::session::journal::{Header, HeaderFile, HeaderLimit, HeaderRun, Plain};
use crate::session::{Choice, Output};

/// Of a test that is longer only the hash is kept.
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
pub(super) fn environment() -> Vec<(String, Option<String>)> {
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

/// The hash of what this lop knows of a language.
pub(super) fn grammar_of(language: &Language) -> String {
    let knowledge: Vec<&[u8]> = language.knowledge().collect();
    Hash::of(&knowledge.concat()).to_string()
}

/// The hash of a test: of its script's bytes, and those themselves if they are few; or of its commands.
pub(super) fn test_of(script: Option<&Path>, stages: &[Stage]) -> (String, Option<Plain>) {
    let Some(path) = script else {
        return (commands_of(stages), None);
    };
    let bytes = std::fs::read(path).unwrap_or_default();
    let kept = (bytes.len() <= LARGEST_TEST).then(|| Plain::of(&bytes));
    (Hash::of(&bytes).to_string(), kept)
}

/// The hash of commands in place of a test.
fn commands_of(stages: &[Stage]) -> String {
    let lines: Vec<String> = stages.iter().map(|stage| stage.line.to_string()).collect();
    Hash::of(lines.join("\n").as_bytes()).to_string()
}

/// The limit as a header has it: `first` is the test on the original, if limits follow from that.
pub(super) fn limit_of(limits: Limits, first: Option<&crate::oracle::Run>) -> HeaderLimit {
    match first {
        Some(run) => HeaderLimit::Original {
            time_ns: run.time.as_nanos() as u64,
            cpu_ns: run.cpu.map(|time| time.as_nanos() as u64),
        },
        None => HeaderLimit::Fixed(limits.wall.unwrap_or_default().as_nanos() as u64),
    }
}

/// All that a run starts from.
pub(super) struct Start<'a> {
    pub ready: &'a Ready,
    pub version: &'a Version,
    pub language: Option<&'static Language>,
    pub options: pass::Options,
    pub script: &'a [(When, Command)],
    pub limit: HeaderLimit,
    pub output: &'a Output,
    pub choice: &'a Choice,
    pub also: Option<i32>,
}

impl Start<'_> {
    /// As a journal begins with it.
    pub fn header(&self) -> Header {
        let input = &self.ready.input;
        let name = Path::new(input.name());
        let language = self.language.map(|language| language.name);
        let mut file = HeaderFile::new(name, language, &input.bytes);
        file.grammar = self.language.map(grammar_of);
        file.bnf = self.language.and_then(tongue::kept);
        file.repository = self.language.and_then(tongue::origin);
        let (strategy, minimizer) = (self.options.strategy.name, self.options.minimizer.name);
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into());
        let test = &self.ready.test;
        let script = self.ready.script();
        let (test_hash, test_bytes) = test_of(script, test.stages());
        // A script alone says all by its path.
        let stages = match (script, test.stages()) {
            (Some(_), [_]) => Vec::new(),
            (_, stages) => stages.to_vec(),
        };
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        let run = HeaderRun {
            input: absolute(&input.named),
            mode: input.mode,
            test: script.map(Path::to_path_buf).unwrap_or_default(),
            test_hash,
            test_bytes,
            stages,
            property: test.property().cloned(),
            output: absolute(self.output.named()),
            in_place: *self.choice == Choice::InPlace,
            also: self.also,
            environment: environment(),
            began: began.unwrap_or_default().as_secs(),
        };
        let script = self.script.iter();
        Header {
            tokens: Some(self.version.tokens()),
            script: script
                .map(|(when, command)| reduce::script_line(*when, command))
                .collect(),
            run: Some(run),
            ..Header::new(vec![file], strategy, minimizer, self.limit)
                .without(self.options.without.names())
        }
    }
}
