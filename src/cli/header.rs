//! What a journal says of how its run began.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::ready::Ready;
use super::tongue;
use crate::language::Language;
use crate::oracle::{Limit, Line, Role, Stage};
use crate::pass;
use crate::program::{Hash, Version};
use crate::reduce::{self, Command, When};
use crate::session::journal::{Header, HeaderCare, HeaderFile, HeaderLimit, HeaderRun, Plain};
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

/// The hash of a test, and its script's bytes if they are few. It is that of the bytes, unless there are other stages as well: then
/// their roles and lines are in it.
pub(super) fn test_of(script: Option<&Path>, stages: &[Stage]) -> (String, Option<Plain>) {
    let bytes = script.map(|path| std::fs::read(path).unwrap_or_default());
    let kept = bytes.as_ref().filter(|bytes| bytes.len() <= LARGEST_TEST);
    let kept = kept.map(|bytes| Plain::of(bytes));
    let hash = bytes.map(|bytes| Hash::of(&bytes));
    let others = stages.iter().filter(|stage| !stage.is_script());
    let others: Vec<(Role, &Line)> = others.map(|stage| (stage.role, &stage.line)).collect();
    let hash = match (hash, &others[..]) {
        (Some(hash), []) => hash,
        (hash, others) => {
            let hash = hash.map(|hash| hash.to_string());
            // Strings are always JSON.
            Hash::of(&serde_json::to_vec(&(hash, others)).unwrap_or_default())
        }
    };
    (hash.to_string(), kept)
}

/// The limit as a header has it: `first` is the test on the original, if limits follow from that.
pub(super) fn limit_of(limit: Limit, first: Option<&crate::oracle::Run>) -> HeaderLimit {
    let nanoseconds = |time: Duration| time.as_nanos() as u64;
    match (first, limit.hang()) {
        (Some(run), _) => HeaderLimit::Original {
            time_ns: nanoseconds(run.time),
            cpu_ns: run.cpu.map(nanoseconds),
        },
        (None, Some(hang)) => HeaderLimit::Hang(nanoseconds(hang)),
        (None, None) => HeaderLimit::Fixed(nanoseconds(limit.current().wall.unwrap_or_default())),
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
            care: Some(HeaderCare::from(&self.ready.care)),
            output: absolute(self.output.named()),
            output_link: self.output.led_to(),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(role: Role, line: &str) -> Stage {
        Stage {
            role,
            line: Line::Shell(line.into()),
        }
    }

    #[test]
    fn a_test_is_all_its_stages_with_their_roles() {
        let script = Path::new("/dev/null");
        let hash = |script, stages: &[Stage]| test_of(script, stages).0;
        let alone = hash(Some(script), &[]);
        assert_eq!(alone, Hash::of(b"").to_string());
        let checked = hash(Some(script), &[stage(Role::Check, "true")]);
        let other = hash(Some(script), &[stage(Role::Check, "false")]);
        let commands = hash(None, &[stage(Role::Check, "true")]);
        let subject = hash(None, &[stage(Role::Subject, "true")]);
        let mut all = vec![alone, checked, other, commands, subject];
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5, "{all:?}");
    }
}
