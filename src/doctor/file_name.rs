//! The candidate has the name of the file. A test that says another name never sees it.

use std::path::Path;

use super::script::read_script_text;
use crate::display::EscapeHidden;

/// Advice for a test that may use another name for the candidate.
pub fn file_name_advice(candidate: &Path, test: &Path) -> String {
    let name = candidate.escape_hidden();
    match find_other_name(candidate, &read_script_text(test)) {
        Some(other) => format!(
            "the test sees the candidate as {name}, but names {other}; \"$1\" in its place is the candidate under any name"
        ),
        None => format!(
            "the test sees the candidate as {name}; if it says another name, \"$1\" in its place always works"
        ),
    }
}

/// A file with the candidate's extension that the script names by a relative path; none if it names the candidate too.
pub(super) fn find_other_name(candidate: &Path, script: &str) -> Option<String> {
    let extension = candidate.extension()?.to_str()?;
    let is_part = |c: char| c.is_alphanumeric() || "._-+/$".contains(c);
    let mut words = script
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split(|c| !is_part(c)))
        .map(|word| word.strip_prefix("./").unwrap_or(word))
        .filter(|word| {
            let path = Path::new(word);
            let absolute = word.starts_with(['/', '$']);
            !absolute && path.extension().is_some_and(|other| other == extension)
        })
        .peekable();
    let first = words.peek().copied()?;
    let names_it = words.any(|word| Path::new(word) == candidate);
    (!names_it).then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_name_is_seen() {
        let other = |script: &str| find_other_name(Path::new("input.lop.c"), script);
        let found = |name: &str| Some(name.to_owned());
        assert_eq!(
            other("#!/bin/sh\n# of bug.c\ngcc -c input.c\n"),
            found("input.c")
        );
        assert_eq!(other("gcc './input.c' | grep -q x"), found("input.c"));
        assert_eq!(other("gcc \"$1\" -o a.out"), None);
        assert_eq!(other("gcc /home/me/other.c"), None);
        assert_eq!(other("cp input.lop.c copy.c; gcc copy.c"), None);
        assert_eq!(find_other_name(Path::new("Makefile"), "make x.c"), None);
    }
}
