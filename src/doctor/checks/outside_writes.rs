//! A test that writes where it is not alone.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::display::EscapeHidden;
use crate::doctor::directory_watcher::DirectoryWatcher;
use crate::doctor::examination::{ExaminationError, TestExamination};
use crate::doctor::finding::DoctorFinding;
use crate::doctor::script::PathMention;

/// How many runs of the test must change a path. It must not change without a run.
const ROUNDS: usize = 3;
/// The longest time to watch for changes without a run.
const LONGEST: Duration = Duration::from_secs(1);
/// Directories that all users share.
const SHARED: [&str; 2] = ["/tmp", "/var/tmp"];
/// The most paths that a finding names.
const SHOWN: usize = 4;

/// Compares directories before and after runs: those of the test and the file, the current one, the home, and those for temporary files.
pub(super) fn check_outside_writes(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let watched = watched_directories(case);
    let fixed = fixed_shared_paths(&case.script.path_mentions());
    let (mut always, mut idle): (Option<BTreeSet<PathBuf>>, BTreeSet<PathBuf>) =
        (None, BTreeSet::new());
    let (mut rounds, mut passing) = (Vec::new(), BTreeSet::new());
    for _ in 0..ROUNDS {
        let before = watched.take_snapshot();
        let there: Vec<&PathBuf> = fixed.iter().filter(|path| !path.exists()).collect();
        let files = case.candidate_files(case.input.bytes.clone());
        let mut look = || {
            passing.extend(
                there
                    .iter()
                    .filter(|path| path.exists())
                    .map(|path| (*path).clone()),
            )
        };
        case.run_candidate_watched(&case.original_test.clone(), files, &mut look)?;
        let after = watched.take_snapshot();
        let wrote = before.changed_paths(&after);
        let time = case.time_range().map_or(LONGEST, |[_, median, _]| median);
        case.pause_for(time.min(LONGEST))?;
        idle.extend(after.changed_paths(&watched.take_snapshot()));
        always = Some(match always {
            None => wrote.clone(),
            Some(always) => always.intersection(&wrote).cloned().collect(),
        });
        rounds.push(wrote);
    }
    let mut paths: BTreeSet<PathBuf> = always
        .unwrap_or_default()
        .difference(&idle)
        .cloned()
        .collect();
    paths.extend(passing);
    let new = find_numbered_mention(&case.script.path_mentions(), &rounds);
    Ok(paths_finding(case, &paths)
        .into_iter()
        .chain(new.map(|mention| leftover_finding(case, &mention)))
        .collect())
}

fn watched_directories(case: &TestExamination<'_>) -> DirectoryWatcher {
    let mut watched = DirectoryWatcher::new(case.input.scratch.root_path());
    let near = [case.input.test.path().parent(), case.input.file.parent()];
    near.into_iter()
        .flatten()
        .for_each(|directory| watched.add_directory(directory, 2));
    if let Ok(current) = env::current_dir() {
        watched.add_directory(&current, 2);
    }
    let home = env::var_os("HOME").map(PathBuf::from);
    let temporary = env::var_os("TMPDIR").map(PathBuf::from);
    home.iter()
        .chain(&temporary)
        .for_each(|directory| watched.add_directory(directory, 1));
    SHARED
        .iter()
        .for_each(|directory| watched.add_directory(Path::new(directory), 1));
    watched
}

/// Full paths below shared directories that the script names. A file that exists only for a moment is seen by checking its path during the
/// run.
fn fixed_shared_paths(mentions: &[PathMention]) -> Vec<PathBuf> {
    let shared = |path: &Path| {
        SHARED
            .iter()
            .any(|shared| path.starts_with(shared) && path != Path::new(shared))
    };
    let whole = |mention: &&PathMention| !mention.path.to_string_lossy().contains(['$', '*', '?']);
    let paths: BTreeSet<PathBuf> = mentions
        .iter()
        .filter(whole)
        .filter(|mention| shared(&mention.path))
        .map(|mention| mention.path.clone())
        .collect();
    paths.into_iter().collect()
}

/// A word with a part that differs each time (`$$`, `XXXXXX`), and with a new path of that prefix in each round.
fn find_numbered_mention(
    mentions: &[PathMention],
    rounds: &[BTreeSet<PathBuf>],
) -> Option<PathMention> {
    let begins = |mention: &&PathMention| {
        let text = mention.path.to_string_lossy();
        let Some(end) = text.find('$').or_else(|| text.find("XXX")) else {
            return false;
        };
        let start = &text[..end];
        start.starts_with('/')
            && start.len() > 5
            && rounds.iter().all(|round| {
                round
                    .iter()
                    .any(|path| path.to_string_lossy().starts_with(start))
            })
    };
    mentions.iter().find(begins).cloned()
}

fn paths_finding(case: &TestExamination<'_>, paths: &BTreeSet<PathBuf>) -> Option<DoctorFinding> {
    let first = paths.first()?;
    let mut shown: Vec<String> = paths
        .iter()
        .take(SHOWN)
        .map(|path| path.escape_hidden().into_owned())
        .collect();
    if paths.len() > SHOWN {
        shown.push(format!("{} more", paths.len() - SHOWN));
    }
    let name = first
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Some(DoctorFinding::new_harmful(
        "writes-outside",
        format!("each time it ran it wrote {}", shown.join(", ")),
        "tests run side by side and would overwrite each other's files; and where a step fails, the file of the last run is still there and is taken \
         for this one's",
        suggest_own_path(case, &name, paths),
    ))
}

fn leftover_finding(case: &TestExamination<'_>, mention: &PathMention) -> DoctorFinding {
    let name = mention
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    DoctorFinding::new_harmful(
        "leaves-files",
        format!(
            "each time it ran it left another file like {}, which line {} names",
            mention.path.escape_hidden(),
            mention.line
        ),
        "it is one more for each candidate, so that a long run fills the disk",
        suggest_own_path(case, &name, &[mention.path.clone()].into()),
    )
}

/// The line that names the path, with this path and the others replaced by files in the working directory.
fn suggest_own_path(
    case: &TestExamination<'_>,
    name: &str,
    paths: &BTreeSet<PathBuf>,
) -> (String, Vec<String>) {
    let test = case.test_name();
    let mentions = case.script.path_mentions();
    let mention = mentions.iter().find(|mention| {
        mention
            .path
            .file_name()
            .is_some_and(|file| file.to_string_lossy() == name)
    });
    let found = mention.and_then(|mention| Some((mention, case.script.code_line(mention.line)?)));
    match found {
        Some((mention, line)) if line.contains(&mention.word) => (
            format!(
                "in {test}, in place of line {}; everywhere else the same: the working directory and $TMPDIR are the test's own and go with it",
                mention.line
            ),
            vec![use_bare_names(line, mention.line, &mentions, paths)],
        ),
        _ => (
            format!(
                "in {test}: write into the working directory or $TMPDIR, which are the test's own and go with it"
            ),
            vec!["COMMAND -o \"$TMPDIR/NAME\"".replace("NAME", name)],
        ),
    }
}

/// The line with only the file names of these paths, which are files in the working directory then.
fn use_bare_names(
    line: &str,
    number: usize,
    mentions: &[PathMention],
    paths: &BTreeSet<PathBuf>,
) -> String {
    let names: BTreeSet<_> = paths.iter().filter_map(|path| path.file_name()).collect();
    let on_line = mentions.iter().filter(|mention| mention.line == number);
    let mut words: Vec<(&str, String)> = on_line
        .filter_map(|mention| {
            let name = mention
                .path
                .file_name()
                .filter(|name| names.contains(name))?;
            Some((mention.word.as_str(), name.to_string_lossy().into_owned()))
        })
        .collect();
    // Longer words first: one may be a prefix of another.
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    words.iter().fold(line.to_owned(), |line, (word, name)| {
        line.replace(word, name)
    })
}
