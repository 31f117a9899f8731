//! A test that does not find the original interesting where lop runs it: in an empty directory, with a copy of the file.
//!
//! Where the user ran it there was more: other files, the file by another path or name. So these are given to it, until it says yes.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::content::with_argument;
use super::steady::flaky;
use crate::display::Shown;
use crate::doctor::called;
use crate::doctor::case::{Case, Halt, ending, too_slow, yes};
use crate::doctor::finding::Finding;
use crate::doctor::script::{Mention, relative};
use crate::oracle::Outcome;
use crate::oracle::shell::word;

/// How often the original is tested before it counts as not interesting.
const TIMES: usize = 3;
/// The most files that are copied, and the largest.
const MOST: usize = 64;
const LARGEST: u64 = 4_000_000;

/// Finds out why the original is not interesting; nothing if that cannot be told.
pub(in crate::doctor) fn refused(
    case: &mut Case<'_>,
    first: &Outcome,
) -> Result<Vec<Finding>, Halt> {
    if too_slow(first) {
        return Ok(Vec::new());
    }
    let mut no = 1;
    for _ in 1..TIMES {
        no += usize::from(!yes(&case.original()?));
    }
    if no < TIMES {
        let about = format!("{} as it is", case.name());
        return Ok(vec![flaky(case, &about, TIMES, no, first)]);
    }
    let seen = ending(first);
    if let Some(finding) = other_name(case, &seen)? {
        return Ok(vec![finding]);
    }
    for base in bases(case) {
        let found = beside(case, &base, &seen)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(above(case, &seen).into_iter().collect())
}

/// The directories from which the user may have run it.
fn bases(case: &Case<'_>) -> Vec<PathBuf> {
    let mut bases: Vec<PathBuf> = Vec::new();
    let parents = [
        case.subject.test.path().parent(),
        case.subject.file.parent(),
    ];
    for base in env::current_dir()
        .ok()
        .iter()
        .map(PathBuf::as_path)
        .chain(parents.into_iter().flatten())
    {
        if let Ok(base) = base.canonicalize()
            && !bases.contains(&base)
        {
            bases.push(base);
        }
    }
    bases
}

/// The script names another file of the same kind.
fn other_name(case: &mut Case<'_>, seen: &str) -> Result<Option<Finding>, Halt> {
    let Some(other) = called::other_name(&case.subject.name, case.script.text()) else {
        return Ok(None);
    };
    let Some(path) = relative(Path::new(&other)).filter(|path| !climbs(path)) else {
        return Ok(None);
    };
    if !yes(&case.original_as(&path)?) {
        return Ok(None);
    }
    let name = case.name();
    let (number, line) = case.script.line_with(&other).unwrap_or((1, ""));
    let is_path = path.components().count() > 1;
    Ok(Some(Finding::hurts(
        if is_path {
            "relative-path"
        } else {
            "other-name"
        },
        format!(
            "about {name} it says {seen}; if the same file is called {other}, as in its line {number}, it says 0"
        ),
        format!(
            "lop runs it in an empty directory in which the candidate is called {name}: there is no {other}"
        ),
        (
            format!(
                "in {}, in place of line {number}: \"$1\" is the candidate, whatever it is called",
                case.test()
            ),
            vec![with_argument(line, &other)],
        ),
    )))
}

/// Files beside it, or below a directory beside it.
fn beside(case: &mut Case<'_>, base: &Path, seen: &str) -> Result<Vec<Finding>, Halt> {
    let mentions = case.script.mentions();
    let named = named(case, base, &mentions);
    let mut all = named.clone();
    all.extend(entries(case, base));
    all.truncate(MOST);
    if all.is_empty() || !with(case, base, &all)? {
        return Ok(Vec::new());
    }
    let mut needed: Vec<PathBuf> = all.into_iter().collect();
    // Those that the script names are the likely ones; the rest goes by halves, and then one by one.
    if needed.len() > named.len() && !named.is_empty() && with(case, base, &named)? {
        needed = named;
    }
    let mut size = needed.len().div_ceil(2);
    while size > 0 && needed.len() > 1 {
        let mut at = 0;
        while at < needed.len() && needed.len() > 1 {
            let end = (at + size).min(needed.len());
            let fewer: Vec<PathBuf> = [&needed[..at], &needed[end..]].concat();
            if !fewer.is_empty() && with(case, base, &fewer)? {
                needed = fewer;
            } else {
                at = end;
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    Ok(needed
        .iter()
        .map(|path| missing(case, base, path, &mentions, seen))
        .collect())
}

/// Whether the test finds the original interesting with copies of these beside it.
fn with(case: &mut Case<'_>, base: &Path, paths: &[PathBuf]) -> Result<bool, Halt> {
    let mut copy = String::new();
    for path in paths {
        let from = base.join(path);
        let (Some(from), Some(to)) = (from.to_str(), path.to_str()) else {
            continue;
        };
        if let Some(parent) = path
            .parent()
            .and_then(Path::to_str)
            .filter(|parent| !parent.is_empty())
        {
            copy += &format!("mkdir -p -- {}\n", word(parent));
        }
        copy += &format!("cp -R -- {} {}\n", word(from), word(to));
    }
    let test = case.around(&copy)?;
    Ok(yes(&case.original_by(&test)?))
}

/// What the script names by a relative path and is there from this directory.
fn named(case: &Case<'_>, base: &Path, mentions: &[Mention]) -> Vec<PathBuf> {
    let mut paths = BTreeSet::new();
    for mention in mentions {
        let Some(path) = relative(&mention.path).filter(|path| !climbs(path)) else {
            continue;
        };
        let there = fs::metadata(base.join(&path))
            .is_ok_and(|about| about.is_dir() || about.len() <= LARGEST);
        if there && path != case.subject.name {
            paths.insert(path);
        }
    }
    paths.into_iter().collect()
}

/// Files in this directory.
fn entries(case: &Case<'_>, base: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(base) else {
        return Vec::new();
    };
    let usable = |entry: &fs::DirEntry| {
        entry
            .metadata()
            .is_ok_and(|about| about.is_file() && about.len() <= LARGEST)
    };
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .filter(usable)
        .map(|entry| entry.file_name().into())
        .collect();
    paths.retain(|path| *path != case.subject.name && base.join(path) != case.subject.test.path());
    paths.sort();
    paths
}

/// The finding for a path without which the test says no.
fn missing(case: &Case<'_>, base: &Path, path: &Path, mentions: &[Mention], seen: &str) -> Finding {
    let (name, test) = (case.name(), case.test());
    let whole = base.join(path);
    let mention = mentions
        .iter()
        .find(|mention| relative(&mention.path).as_deref() == Some(path));
    let line = mention.and_then(|mention| Some((mention, case.script.line(mention.line)?)));
    let is_file = whole
        .canonicalize()
        .is_ok_and(|whole| whole == case.subject.file);
    if let (true, Some((mention, line))) = (is_file, line) {
        let number = mention.line;
        return Finding::hurts(
            "relative-path",
            format!(
                "about {name} it says {seen}; with {} in the working directory, as in its line {number}, it says 0",
                path.shown()
            ),
            format!(
                "lop runs it in an empty directory that holds the candidate as {name}: there is no {}",
                path.shown()
            ),
            (
                format!("in {test}, in place of line {number}"),
                vec![with_argument(line, &mention.word)],
            ),
        );
    }
    let who = match line {
        Some((mention, _)) => format!(", as line {} names it", mention.line),
        None => String::new(),
    };
    let text = whole.to_string_lossy().into_owned();
    Finding::hurts(
        "needs-file",
        format!(
            "about {name} it says {seen}; with {} beside the file{who}, it says 0",
            path.shown()
        ),
        format!("lop runs it in an empty directory with a copy of {name} and nothing else"),
        case.at_start(&[&format!(
            "cp -R {} {}",
            word(&text),
            match path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty())
            {
                Some(parent) => format!(". # and before it: mkdir -p {}", parent.shown()),
                None => ".".into(),
            }
        )]),
    )
}

/// A path that leads out of the directory cannot be given to it, but it can be seen that it leads somewhere from where the user is.
fn above(case: &Case<'_>, seen: &str) -> Option<Finding> {
    let mentions = case.script.mentions();
    let bases = bases(case);
    let found = |mention: &Mention| {
        let path = relative(&mention.path).filter(|path| climbs(path))?;
        bases
            .iter()
            .map(|base| base.join(&path))
            .find(|path| path.is_file())
    };
    let (mention, path) = mentions
        .iter()
        .find_map(|mention| Some((mention, found(mention)?)))?;
    let line = case.script.line(mention.line)?;
    let whole = path.canonicalize().unwrap_or(path);
    let is_file = whole == case.subject.file;
    let mended = match is_file {
        true => with_argument(line, &mention.word),
        false => line.replacen(&mention.word, &word(&whole.to_string_lossy()), 1),
    };
    Some(Finding::hurts(
        if is_file {
            "relative-path"
        } else {
            "needs-file"
        },
        format!(
            "about {} it says {seen}; its line {} names {}, which there is from your directory only",
            case.name(),
            mention.line,
            mention.word
        ),
        format!(
            "lop runs it in an empty directory with a copy of {} and nothing else",
            case.name()
        ),
        (
            format!("in {}, in place of line {}", case.test(), mention.line),
            vec![mended],
        ),
    ))
}

/// Whether it leads up.
fn climbs(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}
