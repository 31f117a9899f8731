//! A test that does not find the original interesting where lop runs it: in an empty directory, with a copy of the file.
//!
//! Where the user ran it there was more: other files, the file by another path or name. So these are given to it, until it says yes.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::content::replace_with_argument;
use super::determinism::flaky_finding;
use crate::display::EscapeHidden;
use crate::doctor::examination::{
    ExaminationError, TestExamination, describe_exit, is_interesting, was_killed,
};
use crate::doctor::file_name;
use crate::doctor::finding::DoctorFinding;
use crate::doctor::script::{PathMention, normalize_relative};
use crate::oracle::TestOutcome;
use crate::oracle::shell::quote_word;

/// How often the original is tested before it counts as not interesting.
const TIMES: usize = 3;
/// The most files that are copied, and the size of the largest.
const MOST: usize = 64;
const LARGEST: u64 = 4_000_000;

/// Finds out why the original is not interesting. No finding if there is no explanation.
pub(in crate::doctor) fn explain_uninteresting(
    case: &mut TestExamination<'_>,
    first: &TestOutcome,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    if was_killed(first) {
        return Ok(Vec::new());
    }
    let mut no = 1;
    for _ in 1..TIMES {
        no += usize::from(!is_interesting(&case.run_original()?));
    }
    if no < TIMES {
        let about = format!("{} as it is", case.candidate_name());
        return Ok(vec![flaky_finding(case, &about, TIMES, no, first)]);
    }
    let seen = describe_exit(first);
    if let Some(finding) = check_other_name(case, &seen)? {
        return Ok(vec![finding]);
    }
    for base in base_directories(case) {
        let found = find_needed_files(case, &base, &seen)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(parent_path_finding(case, &seen).into_iter().collect())
}

/// The directories from which the user may have run it.
fn base_directories(case: &TestExamination<'_>) -> Vec<PathBuf> {
    let mut bases: Vec<PathBuf> = Vec::new();
    let parents = [case.input.test.path().parent(), case.input.file.parent()];
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

/// Checks for a script that names another file of the same kind.
fn check_other_name(
    case: &mut TestExamination<'_>,
    seen: &str,
) -> Result<Option<DoctorFinding>, ExaminationError> {
    let Some(other) = file_name::find_other_name(&case.input.candidate_name, case.script.text())
    else {
        return Ok(None);
    };
    let Some(path) =
        normalize_relative(Path::new(&other)).filter(|path| !has_parent_component(path))
    else {
        return Ok(None);
    };
    if !is_interesting(&case.run_original_as(&path)?) {
        return Ok(None);
    }
    let name = case.candidate_name();
    let (number, line) = case.script.line_containing(&other).unwrap_or((1, ""));
    let is_path = path.components().count() > 1;
    Ok(Some(DoctorFinding::new_harmful(
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
                case.test_name()
            ),
            vec![replace_with_argument(line, &other)],
        ),
    )))
}

/// Findings for missing files beside the candidate, or in a directory beside it.
fn find_needed_files(
    case: &mut TestExamination<'_>,
    base: &Path,
    seen: &str,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let mentions = case.script.path_mentions();
    let named = mentioned_files(case, base, &mentions);
    let mut all = named.clone();
    all.extend(nearby_files(case, base));
    all.truncate(MOST);
    if all.is_empty() || !is_interesting_with(case, base, &all)? {
        return Ok(Vec::new());
    }
    let mut needed: Vec<PathBuf> = all.into_iter().collect();
    // The files that the script names are the likely ones. The others are removed by halves, then one by one.
    if needed.len() > named.len() && !named.is_empty() && is_interesting_with(case, base, &named)? {
        needed = named;
    }
    let mut size = needed.len().div_ceil(2);
    while size > 0 && needed.len() > 1 {
        let mut at = 0;
        while at < needed.len() && needed.len() > 1 {
            let end = (at + size).min(needed.len());
            let fewer: Vec<PathBuf> = [&needed[..at], &needed[end..]].concat();
            if !fewer.is_empty() && is_interesting_with(case, base, &fewer)? {
                needed = fewer;
            } else {
                at = end;
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    Ok(needed
        .iter()
        .map(|path| missing_file_finding(case, base, path, &mentions, seen))
        .collect())
}

/// Whether the test finds the original interesting with copies of these files beside it.
fn is_interesting_with(
    case: &mut TestExamination<'_>,
    base: &Path,
    paths: &[PathBuf],
) -> Result<bool, ExaminationError> {
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
            copy += &format!("mkdir -p -- {}\n", quote_word(parent));
        }
        copy += &format!("cp -R -- {} {}\n", quote_word(from), quote_word(to));
    }
    let test = case.test_with_prelude(&copy)?;
    Ok(is_interesting(&case.run_original_with(&test)?))
}

/// Existing files that the script names by a path relative to this directory.
fn mentioned_files(
    case: &TestExamination<'_>,
    base: &Path,
    mentions: &[PathMention],
) -> Vec<PathBuf> {
    let mut paths = BTreeSet::new();
    for mention in mentions {
        let Some(path) =
            normalize_relative(&mention.path).filter(|path| !has_parent_component(path))
        else {
            continue;
        };
        let there = fs::metadata(base.join(&path))
            .is_ok_and(|about| about.is_dir() || about.len() <= LARGEST);
        if there && path != case.input.candidate_name {
            paths.insert(path);
        }
    }
    paths.into_iter().collect()
}

/// Files in this directory.
fn nearby_files(case: &TestExamination<'_>, base: &Path) -> Vec<PathBuf> {
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
    paths.retain(|path| {
        *path != case.input.candidate_name && base.join(path) != case.input.test.path()
    });
    paths.sort();
    paths
}

/// The finding for a path without which the original is not interesting.
fn missing_file_finding(
    case: &TestExamination<'_>,
    base: &Path,
    path: &Path,
    mentions: &[PathMention],
    seen: &str,
) -> DoctorFinding {
    let (name, test) = (case.candidate_name(), case.test_name());
    let whole = base.join(path);
    let mention = mentions
        .iter()
        .find(|mention| normalize_relative(&mention.path).as_deref() == Some(path));
    let line = mention.and_then(|mention| Some((mention, case.script.code_line(mention.line)?)));
    let is_file = whole
        .canonicalize()
        .is_ok_and(|whole| whole == case.input.file);
    if let (true, Some((mention, line))) = (is_file, line) {
        let number = mention.line;
        return DoctorFinding::new_harmful(
            "relative-path",
            format!(
                "about {name} it says {seen}; with {} in the working directory, as in its line {number}, it says 0",
                path.escape_hidden()
            ),
            format!(
                "lop runs it in an empty directory that holds the candidate as {name}: there is no {}",
                path.escape_hidden()
            ),
            (
                format!("in {test}, in place of line {number}"),
                vec![replace_with_argument(line, &mention.word)],
            ),
        );
    }
    let who = match line {
        Some((mention, _)) => format!(", as line {} names it", mention.line),
        None => String::new(),
    };
    let text = whole.to_string_lossy().into_owned();
    DoctorFinding::new_harmful(
        "needs-file",
        format!(
            "about {name} it says {seen}; with {} beside the file{who}, it says 0",
            path.escape_hidden()
        ),
        format!("lop runs it in an empty directory with a copy of {name} and nothing else"),
        case.insert_at_start(&[&format!(
            "cp -R {} {}",
            quote_word(&text),
            match path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty())
            {
                Some(parent) => format!(". # and before it: mkdir -p {}", parent.escape_hidden()),
                None => ".".into(),
            }
        )]),
    )
}

/// The finding for a path with `..` that leads to a file from the user's directory. It cannot be copied into the test's directory.
fn parent_path_finding(case: &TestExamination<'_>, seen: &str) -> Option<DoctorFinding> {
    let mentions = case.script.path_mentions();
    let bases = base_directories(case);
    let found = |mention: &PathMention| {
        let path = normalize_relative(&mention.path).filter(|path| has_parent_component(path))?;
        bases
            .iter()
            .map(|base| base.join(&path))
            .find(|path| path.is_file())
    };
    let (mention, path) = mentions
        .iter()
        .find_map(|mention| Some((mention, found(mention)?)))?;
    let line = case.script.code_line(mention.line)?;
    let whole = path.canonicalize().unwrap_or(path);
    let is_file = whole == case.input.file;
    let mended = match is_file {
        true => replace_with_argument(line, &mention.word),
        false => line.replacen(&mention.word, &quote_word(&whole.to_string_lossy()), 1),
    };
    Some(DoctorFinding::new_harmful(
        if is_file {
            "relative-path"
        } else {
            "needs-file"
        },
        format!(
            "about {} it says {seen}; its line {} names {}, which there is from your directory only",
            case.candidate_name(),
            mention.line,
            mention.word
        ),
        format!(
            "lop runs it in an empty directory with a copy of {} and nothing else",
            case.candidate_name()
        ),
        (
            format!("in {}, in place of line {}", case.test_name(), mention.line),
            vec![mended],
        ),
    ))
}

/// Whether it contains `..`.
fn has_parent_component(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}
