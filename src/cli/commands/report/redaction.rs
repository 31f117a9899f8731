//! Takes out of a text what a stranger need not see: the directories of this machine, its name and that of its user.

use std::env;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Directories that many machines have alike: a path in them tells nothing.
const SHARED_DIRECTORIES: [&str; 10] = [
    "usr", "bin", "sbin", "lib", "lib32", "lib64", "etc", "dev", "proc", "sys",
];
/// Names that say nothing of a person or a machine.
const COMMON_NAMES: [&str; 9] = [
    "root",
    "user",
    "admin",
    "test",
    "build",
    "host",
    "localhost",
    "home",
    "docker",
];
/// Names with fewer characters stand in other words' places too often.
const SHORTEST_NAME: usize = 3;

/// An absolute path, and what stands before it: the start of a line, a blank, a sign, or an option such as `-I`.
static ABSOLUTE_PATH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)(^|[\s"'=:,;(<>\[{|&`‘“]|-[A-Za-z]+)(/[^\s"'=:,;()<>\[\]{}|&`*?$\\’”]+)"#)
        .expect("an expression")
});

/// What is taken out of texts.
#[derive(Clone, Debug, Default)]
pub struct Redaction {
    /// Paths below them become relative; the longest first.
    bases: Vec<PathBuf>,
    /// Names, and what stands in their place.
    names: Vec<(Regex, &'static str)>,
}

impl Redaction {
    /// Paths below these directories become relative. The names are those of this process's user and machine.
    pub fn of_machine(bases: impl IntoIterator<Item = PathBuf>) -> Redaction {
        let variable = |name| env::var_os(name).map(PathBuf::from);
        let last = |path: PathBuf| path.file_name().map(OsString::from);
        let users = [
            env::var_os("USER"),
            env::var_os("LOGNAME"),
            variable("HOME").and_then(last),
        ];
        let host = rustix::system::uname();
        let host = host.nodename().to_string_lossy().into_owned();
        let names = users.into_iter().flatten();
        let names = names.map(|name| (name.to_string_lossy().into_owned(), "USER"));
        Redaction::new(bases, names.chain([(host, "HOST")]))
    }

    /// Takes these names out, and makes paths below these directories relative.
    fn new(
        bases: impl IntoIterator<Item = PathBuf>,
        names: impl IntoIterator<Item = (String, &'static str)>,
    ) -> Redaction {
        let mut bases: Vec<PathBuf> = bases.into_iter().collect();
        bases.retain(|base| base.components().count() > 1);
        bases.sort_by_key(|base| std::cmp::Reverse(base.components().count()));
        bases.dedup();
        let names = names.into_iter().filter_map(|(name, stand_in)| {
            let says_nothing =
                name.chars().count() < SHORTEST_NAME || COMMON_NAMES.contains(&&name[..]);
            let word = Regex::new(&format!(r"\b{}\b", regex::escape(&name))).ok()?;
            (!says_nothing).then_some((word, stand_in))
        });
        Redaction {
            names: names.collect(),
            bases,
        }
    }

    /// The text without them.
    pub fn redact(&self, text: &str) -> String {
        let mut text = ABSOLUTE_PATH
            .replace_all(text, |found: &Captures<'_>| {
                format!("{}{}", &found[1], self.shorten_path(&found[2]))
            })
            .into_owned();
        for (name, stand_in) in &self.names {
            text = name.replace_all(&text, *stand_in).into_owned();
        }
        text
    }

    /// Whether a text says more than a stranger need see.
    pub fn finds_something(&self, text: &str) -> bool {
        self.redact(text) != text
    }

    fn shorten_path(&self, path: &str) -> String {
        let whole = Path::new(path);
        if let Some(below) = self
            .bases
            .iter()
            .find_map(|base| whole.strip_prefix(base).ok())
        {
            return match below.as_os_str().is_empty() {
                true => ".".into(),
                false => below.to_string_lossy().into_owned(),
            };
        }
        let mut parts = whole.components().skip(1);
        let first = parts.next().map(Component::as_os_str);
        let is_shared = first
            .and_then(|first| first.to_str())
            .is_none_or(|first| SHARED_DIRECTORIES.contains(&first));
        // Alone at the root it may be no path: `/a/` of an expression.
        let is_short = parts.next().is_none();
        match whole.file_name().filter(|_| !is_shared && !is_short) {
            Some(name) => format!(".../{}", name.to_string_lossy()),
            None => path.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_machine_and_names_of_its_user_are_taken_out() {
        let names = [
            ("alice".to_owned(), "USER"),
            ("build7".to_owned(), "HOST"),
            ("root".to_owned(), "USER"),
        ];
        let redaction = Redaction::new([PathBuf::from("/home/alice/bugs")], names);
        for (text, left) in [
            ("/home/alice/bugs/bug.c:3:1: error", "bug.c:3:1: error"),
            ("cd /home/alice/bugs && make", "cd . && make"),
            ("/home/alice/bugs2/x.c", ".../x.c"),
            (
                "exec \"/work/gcc/bin/cc1\" -I/work/gcc/include -O2",
                "exec \".../cc1\" -I.../include -O2",
            ),
            (
                "/tmp/lop-1x/0/bug.c: In function ‘f’",
                ".../bug.c: In function ‘f’",
            ),
            ("/usr/bin/gcc -c \"$1\"", "/usr/bin/gcc -c \"$1\""),
            ("sed 's/a/b/;/x/d'", "sed 's/a/b/;/x/d'"),
            ("grep 'a /b' 2>/dev/null", "grep 'a /b' 2>/dev/null"),
            ("by alice at build7 as root", "by USER at HOST as root"),
            ("malice", "malice"),
            ("http://gcc.gnu.org/bugs/", "http://gcc.gnu.org/bugs/"),
        ] {
            assert_eq!(redaction.redact(text), left, "{text}");
        }
    }
}
