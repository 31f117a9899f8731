//! Takes out of a text what a stranger need not see: the paths of this machine, its name and that of its user.
//!
//! A program loses as little as possible: home directories and names. What explains it (the test, what it prints) loses all paths of the machine.
//! Whatever is replaced is told, with its line ([`Removal`]).

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use regex::bytes::{Captures, Regex};

/// Directories that many machines have alike: a path in them tells nothing.
const SHARED_DIRECTORIES: [&str; 11] = [
    "usr", "bin", "sbin", "lib", "lib32", "lib64", "etc", "dev", "proc", "sys", "run",
];
/// The one whose direct entries tell nothing.
const TEMPORARY: &str = "tmp";
/// Where the directories of users are.
const HOMES: [&str; 2] = ["home", "Users"];
/// Names that say nothing of a person or a machine, and words that are common in programs.
const COMMON_NAMES: [&str; 32] = [
    "root",
    "user",
    "users",
    "admin",
    "test",
    "tests",
    "build",
    "builder",
    "host",
    "localhost",
    "home",
    "docker",
    "work",
    "main",
    "code",
    "data",
    "file",
    "name",
    "list",
    "int",
    "char",
    "max",
    "min",
    "dev",
    "src",
    "run",
    "runner",
    "guest",
    "nobody",
    "ubuntu",
    "debian",
    "vagrant",
];
/// Names with fewer characters are words in every program.
const SHORTEST_NAME: usize = 3;
/// What stands in the place of a home directory, and of a name.
const HOME: &str = "/home/USER";
const USER: &str = "USER";
const USER_: &str = "USER_";
const HOST: &str = "HOST";

/// An absolute path, and what stands before it: the start of a line, a blank, a sign, or an option such as `-I`.
const PATH: &str =
    r#"(?m)((?:^|[\s"'=:,;(<>\[{|&`‘“]|-[A-Za-z]+))/[^\s"'=:,;()<>\[\]{}|&`*?$\\’”]+"#;

/// What is taken out of texts.
#[derive(Clone, Debug, Default)]
pub struct Redaction {
    /// For programs.
    strict: Vec<Rule>,
    /// Before them, for texts about the program.
    paths: Vec<Rule>,
}

/// One kind of thing to take out.
#[derive(Clone, Debug)]
struct Rule {
    what: RemovedKind,
    pattern: Regex,
    stand_in: StandIn,
}

/// What comes in its place. What the first group of the pattern matched stays before it.
#[derive(Clone, Debug)]
enum StandIn {
    /// This.
    Text(&'static str),
    /// A shorter path.
    Shortened(MachinePaths),
}

/// Which paths tell something of the machine.
#[derive(Clone, Debug)]
struct MachinePaths {
    /// Paths below these directories become relative; the longest first.
    bases: Vec<PathBuf>,
    /// Directories in `/`.
    roots: BTreeSet<String>,
    /// The home directories of the user, whose names tell something, too.
    homes: Vec<PathBuf>,
}

/// What was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemovedKind {
    Home,
    UserName,
    HostName,
    MachinePath,
}

impl RemovedKind {
    /// For a sentence.
    pub fn describe(self) -> &'static str {
        match self {
            RemovedKind::Home => "a home directory",
            RemovedKind::UserName => "the name of the user",
            RemovedKind::HostName => "the name of the machine",
            RemovedKind::MachinePath => "a path of the machine",
        }
    }
}

/// A place where something was replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removal {
    pub what: RemovedKind,
    /// What stands there now.
    pub stand_in: String,
    /// From 1.
    pub line: usize,
}

/// A text without it. Lines are those of the text before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactedText {
    pub bytes: Vec<u8>,
    pub removals: Vec<Removal>,
}

impl RedactedText {
    /// As a text.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// The user and the machine, as texts may name them.
#[derive(Clone, Debug, Default)]
struct MachineNames {
    homes: Vec<PathBuf>,
    users: Vec<String>,
    hosts: Vec<String>,
    /// What lies in `/`.
    roots: BTreeSet<String>,
}

impl MachineNames {
    /// Those of this process.
    fn of_process() -> MachineNames {
        let homes: Vec<PathBuf> = env::var_os("HOME").map(PathBuf::from).into_iter().collect();
        let linked = homes.iter().filter_map(|home| home.canonicalize().ok());
        let homes: Vec<PathBuf> = linked.chain(homes.clone()).collect();
        let users = ["USER", "LOGNAME", "SUDO_USER"].map(env::var_os);
        let users = users.into_iter().flatten();
        let roots = fs::read_dir("/").into_iter().flatten().flatten();
        let host = rustix::system::uname();
        MachineNames {
            users: users.map(to_text).collect(),
            hosts: vec![host.nodename().to_string_lossy().into_owned()],
            roots: roots.map(|entry| to_text(entry.file_name())).collect(),
            homes,
        }
    }
}

fn to_text(name: OsString) -> String {
    name.to_string_lossy().into_owned()
}

impl Redaction {
    /// What tells of this process's user and machine; `directories` are those of the run.
    pub fn of_machine(directories: impl IntoIterator<Item = PathBuf>) -> Redaction {
        Redaction::new(directories, MachineNames::of_process())
    }

    fn new(directories: impl IntoIterator<Item = PathBuf>, names: MachineNames) -> Redaction {
        let mut directories: Vec<PathBuf> = directories.into_iter().collect();
        directories.retain(|directory| directory.components().count() > 1);
        directories.sort_by_key(|directory| std::cmp::Reverse(directory.components().count()));
        directories.dedup();
        let mut roots = names.roots.clone();
        let known = directories.iter().chain(&names.homes);
        roots.extend(known.filter_map(|path| root_name(path)));
        roots.retain(|root| !SHARED_DIRECTORIES.contains(&&root[..]));
        let machine = MachinePaths {
            bases: directories,
            roots,
            homes: names.homes.clone(),
        };
        let scratch = r#"()(?:/[^\s"'=:;,/]+)*/lop-\d+-\d+-\d+/\d+/w/"#;
        let scratch_itself = r#"()(?:/[^\s"'=:;,/]+)*/lop-\d+-\d+-\d+/\d+(?:/[wth])?\b{end-half}"#;
        let paths = [
            Rule::new(RemovedKind::MachinePath, scratch, StandIn::Text("")),
            Rule::new(RemovedKind::MachinePath, scratch_itself, StandIn::Text(".")),
            Rule::new(RemovedKind::MachinePath, PATH, StandIn::Shortened(machine)),
        ];
        Redaction {
            paths: paths.into_iter().flatten().collect(),
            strict: Rule::names_and_homes(&names),
        }
    }

    /// The same without those of programs: names stay.
    #[must_use]
    pub fn keeping_names(mut self) -> Redaction {
        self.strict.clear();
        self
    }

    /// A program without home directories and names.
    pub fn redact_program(&self, program: &[u8]) -> RedactedText {
        apply_rules(self.strict.iter(), program)
    }

    /// A text about the program, without any path of the machine.
    pub fn redact_text(&self, text: &str) -> RedactedText {
        let mut redacted = apply_rules(self.paths.iter().chain(&self.strict), text.as_bytes());
        for removal in &mut redacted.removals {
            // The end of a path may be a name.
            removal.stand_in = self.redact_program(removal.stand_in.as_bytes()).to_text();
        }
        redacted
    }
}

/// The directory in `/` that a path begins with.
fn root_name(path: &Path) -> Option<String> {
    let root = path.components().find_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    root.map(|name| name.to_string_lossy().into_owned())
}

/// Each rule works on what those before it left. No rule takes a line end out, so lines keep their numbers.
fn apply_rules<'a>(rules: impl Iterator<Item = &'a Rule>, text: &[u8]) -> RedactedText {
    let mut redacted = RedactedText {
        bytes: text.to_vec(),
        removals: Vec::new(),
    };
    for rule in rules {
        let (mut line, mut counted) = (1, 0);
        let before = redacted.bytes;
        let removals = &mut redacted.removals;
        let after = rule.pattern.replace_all(&before, |found: &Captures<'_>| {
            let (whole, lead) = (&found[0], &found[1]);
            let old = String::from_utf8_lossy(&whole[lead.len()..]);
            let new = rule.stand_in.replacement(&old);
            let start = found.get(1).map_or(0, |lead| lead.end());
            line += memchr::memchr_iter(b'\n', &before[counted..start]).count();
            counted = start;
            // A directory of lop's own is left out silently.
            if new != old && !new.is_empty() {
                removals.push(Removal {
                    what: rule.what,
                    stand_in: new.clone(),
                    line,
                });
            }
            // What is no Unicode matches no rule.
            [lead, new.as_bytes()].concat()
        });
        redacted.bytes = after.into_owned();
    }
    redacted.removals.sort();
    redacted.removals.dedup();
    redacted
}

impl Rule {
    /// None if the pattern is none, as a name that is longer than any.
    fn new(what: RemovedKind, pattern: &str, stand_in: StandIn) -> Option<Rule> {
        Some(Rule {
            what,
            pattern: Regex::new(pattern).ok()?,
            stand_in,
        })
    }

    /// Home directories first: a name in them is none of the others.
    fn names_and_homes(names: &MachineNames) -> Vec<Rule> {
        let slash = r"(?:/|\\/|%2[Ff])";
        let homes = HOMES.join("|");
        let mut rules = vec![Rule::new(
            RemovedKind::Home,
            &format!(r"(){slash}(?:{homes}){slash}[\w-]+(?:\.[\w-]+)*"),
            StandIn::Text(HOME),
        )];
        let mut users: BTreeSet<&str> = names.users.iter().map(String::as_str).collect();
        let of_home = |home: &Path| {
            let parent = home.parent().and_then(Path::file_name)?;
            HOMES.iter().find(|name| **name == parent)
        };
        for home in &names.homes {
            let parts = home.components().skip(1);
            let parts: Vec<String> = parts
                .map(|part| regex::escape(&part.as_os_str().to_string_lossy()))
                .collect();
            // One directory may be the end of another path, and a division.
            let lead = match parts.len() {
                0 => continue,
                1 => r"(?m)((?:^|[^\w.)\]]|-[A-Za-z]+))",
                _ => "()",
            };
            let path = parts.join(slash);
            let path = format!(r"{lead}{slash}{path}\b{{end-half}}");
            rules.push(Rule::new(RemovedKind::Home, &path, StandIn::Text(HOME)));
            let name = home.file_name().and_then(|name| name.to_str());
            users.extend(name.filter(|_| of_home(home).is_some()));
        }
        let telling =
            |name: &&str| name.chars().count() >= SHORTEST_NAME && !COMMON_NAMES.contains(name);
        for user in users.into_iter().filter(telling) {
            let name = regex::escape(user);
            // As tools make names of paths: `_home_alice_bug_c`.
            let mangled = format!(r"([_#!-](?:{homes})[_#!-]){name}");
            rules.push(Rule::new(
                RemovedKind::UserName,
                &mangled,
                StandIn::Text(USER),
            ));
            // As a word, and as a part of a name with underscores.
            for (before, behind, stand_in) in [
                (r"()\b{start-half}", r"\b{end-half}", USER),
                ("(_)", r"\b{end-half}", USER),
                (r"()\b{start-half}", "_", USER_),
                ("(_)", "_", USER_),
            ] {
                let word = format!("{before}(?i:{name}){behind}");
                rules.push(Rule::new(
                    RemovedKind::UserName,
                    &word,
                    StandIn::Text(stand_in),
                ));
            }
        }
        let first_labels = names.hosts.iter().filter_map(|host| host.split('.').next());
        let hosts = names.hosts.iter().map(String::as_str).chain(first_labels);
        for host in hosts.filter(telling) {
            let name = regex::escape(host);
            let word = format!(r"()\b{{start-half}}(?i:{name})\b{{end-half}}");
            rules.push(Rule::new(RemovedKind::HostName, &word, StandIn::Text(HOST)));
        }
        rules.into_iter().flatten().collect()
    }
}

impl StandIn {
    fn replacement(&self, old: &str) -> String {
        match self {
            StandIn::Text(text) => (*text).to_owned(),
            StandIn::Shortened(machine) => machine.shorten_path(old),
        }
    }
}

impl MachinePaths {
    /// A relative path, the name of a program, `.../NAME` of another path, and what tells nothing as it is.
    fn shorten_path(&self, path: &str) -> String {
        let whole = Path::new(path);
        let mut bases = self.bases.iter();
        if let Some(below) = bases.find_map(|base| whole.strip_prefix(base).ok()) {
            return match below.to_string_lossy() {
                empty if empty.is_empty() => ".".into(),
                below => below.into_owned(),
            };
        }
        if self.homes.iter().any(|home| home == whole) {
            return HOME.into();
        }
        let parts = whole.components().skip(1);
        let parts: Vec<&str> = parts.filter_map(|part| part.as_os_str().to_str()).collect();
        match &parts[..] {
            // Alone at the root it may be no path: `/a/` of an expression.
            [] | [_] => path.to_owned(),
            [first, ..] if !self.roots.contains(*first) => path.to_owned(),
            [TEMPORARY, _] => path.to_owned(),
            // A stranger has the program elsewhere.
            [.., "bin" | "sbin", name] => (*name).to_owned(),
            [.., name] => format!(".../{name}"),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn redaction_of(user: &str, home: &str) -> Redaction {
        let names = MachineNames {
            homes: vec![home.into()],
            users: vec![user.into()],
            hosts: vec!["build7.example.org".into()],
            roots: ["home", "usr", "tmp", "work", "opt"]
                .map(str::to_owned)
                .into(),
        };
        Redaction::new([Path::new(home).join("bugs")], names)
    }

    #[track_caller]
    fn assert_texts(redaction: &Redaction, texts: &[(&str, &str)]) {
        for (text, left) in texts {
            assert_eq!(redaction.redact_text(text).to_text(), *left, "{text}");
        }
    }

    #[track_caller]
    fn assert_programs(redaction: &Redaction, texts: &[(&str, &str)]) {
        for (text, left) in texts {
            let redacted = redaction.redact_program(text.as_bytes());
            assert_eq!(redacted.to_text(), *left, "{text}");
            assert_eq!(redacted.removals.is_empty(), text == left, "{text}");
        }
    }

    #[test]
    fn texts_have_no_paths_of_the_machine_and_no_names() {
        assert_texts(
            &redaction_of("alice", "/home/alice"),
            &[
                ("/home/alice/bugs/bug.c:3:1: error", "bug.c:3:1: error"),
                ("cd /home/alice/bugs && make", "cd . && make"),
                ("/home/alice/bugs2/x.c", ".../x.c"),
                (
                    "exec \"/work/gcc/bin/cc1\" -I/work/gcc/include -O2",
                    "exec \"cc1\" -I.../include -O2",
                ),
                (
                    "/tmp/lop-12-1795779238-1/0/w/bug.c: In function ‘f’",
                    "bug.c: In function ‘f’",
                ),
                ("in /dev/shm/lop-12-1795779238-1/0/w now", "in . now"),
                ("home is /home/alice", "home is /home/USER"),
                ("/usr/bin/gcc -c \"$1\"", "/usr/bin/gcc -c \"$1\""),
                ("cc -o /tmp/out 2>/dev/null", "cc -o /tmp/out 2>/dev/null"),
                ("sed 's/a/b/;/x/d;/note/d'", "sed 's/a/b/;/x/d;/note/d'"),
                ("by alice at build7 as root", "by USER at HOST as root"),
                ("alice@BUILD7.example.org", "USER@HOST"),
                ("http://gcc.gnu.org/bugs/", "http://gcc.gnu.org/bugs/"),
                ("/build/gcc-11/src/a.c:3", "/build/gcc-11/src/a.c:3"),
                ("x-isystem/home/alice/y", "x-isystem.../y"),
                ("file:///home/bob/x", "file:.../x"),
            ],
        );
    }

    #[test]
    fn programs_lose_home_directories_and_names_alone() {
        assert_programs(
            &redaction_of("alice", "/home/alice"),
            &[
                (
                    "# 1 \"/home/alice/bugs/a.h\"",
                    "# 1 \"/home/USER/bugs/a.h\"",
                ),
                (
                    "# 1 \"/work/gcc/include/a.h\"",
                    "# 1 \"/work/gcc/include/a.h\"",
                ),
                (
                    "/* alice */ int alice2, alice_x, malice;",
                    "/* USER */ int alice2, USER_x, malice;",
                ),
                ("u = \"%2Fhome%2Falice%2Fx\";", "u = \"/home/USER%2Fx\";"),
                (
                    "_GLOBAL__N_1_home_alice_bug_c",
                    "_GLOBAL__N_1_home_USER_bug_c",
                ),
                ("home->alice", "home->USER"),
                ("/home/alicent/x", "/home/USER/x"),
            ],
        );
    }

    #[test]
    fn a_name_that_is_a_common_word_stays_outside_of_home_directories() {
        for user in ["test", "a"] {
            let home = format!("/home/{user}");
            let redaction = redaction_of(user, &home);
            let text = format!("{home}/x {user} {user}_1 home_{user}");
            let left = format!("/home/USER/x {user} {user}_1 home_{user}");
            assert_programs(&redaction, &[(&text, &left)]);
        }
    }

    #[test]
    fn a_home_directory_may_lie_anywhere() {
        assert_programs(
            &redaction_of("root", "/root"),
            &[
                (
                    "-I/root/x \"/root\" /root/a",
                    "-I/home/USER/x \"/home/USER\" /home/USER/a",
                ),
                ("a/root/b; (x)/root; /rooted", "a/root/b; (x)/root; /rooted"),
            ],
        );
        assert_programs(
            &redaction_of("carol", "/data/people/carol"),
            &[("x/data/people/carol/y carol", "x/home/USER/y USER")],
        );
    }

    #[test]
    fn what_was_replaced_is_told_with_its_line() {
        let redaction = redaction_of("alice", "/home/alice");
        let redacted = redaction.redact_program(b"a\n\xff alice\n/home/alice alice\n");
        assert_eq!(redacted.bytes, b"a\n\xff USER\n/home/USER USER\n");
        let told = |what, stand_in: &str, line| Removal {
            what,
            stand_in: stand_in.into(),
            line,
        };
        assert_eq!(
            redacted.removals,
            [
                told(RemovedKind::Home, "/home/USER", 3),
                told(RemovedKind::UserName, "USER", 2),
                told(RemovedKind::UserName, "USER", 3),
            ]
        );
    }
}
