//! A test that writes where it is not alone.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::display::Shown;
use crate::doctor::case::{Case, Halt};
use crate::doctor::finding::Finding;
use crate::doctor::script::Mention;
use crate::doctor::watched::Watched;

/// How often a path must have changed to be the test's doing: each time that it ran, and never while it did not.
const ROUNDS: usize = 3;
/// The longest time for which is looked what changes without the test.
const LONGEST: Duration = Duration::from_secs(1);
/// Directories that all share.
const SHARED: [&str; 2] = ["/tmp", "/var/tmp"];
/// How many paths are named.
const SHOWN: usize = 4;

/// Looks at directories before and after runs: the test's own, the file's, the current one, the user's, and those for temporary files.
pub(super) fn check(case: &mut Case<'_>) -> Result<Vec<Finding>, Halt> {
    let watched = directories(case);
    let fixed = fixed(&case.script.mentions());
    let (mut always, mut idle): (Option<BTreeSet<PathBuf>>, BTreeSet<PathBuf>) =
        (None, BTreeSet::new());
    let (mut rounds, mut passing) = (Vec::new(), BTreeSet::new());
    for _ in 0..ROUNDS {
        let before = watched.look();
        let there: Vec<&PathBuf> = fixed.iter().filter(|path| !path.exists()).collect();
        let files = case.files(case.subject.bytes.clone());
        let mut look = || {
            passing.extend(
                there
                    .iter()
                    .filter(|path| path.exists())
                    .map(|path| (*path).clone()),
            )
        };
        case.ask_watching(&case.itself.clone(), files, &mut look)?;
        let after = watched.look();
        let wrote = before.changed(&after);
        let time = case.times().map_or(LONGEST, |[_, median, _]| median);
        case.pause(time.min(LONGEST))?;
        idle.extend(after.changed(&watched.look()));
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
    let new = numbered(&case.script.mentions(), &rounds);
    Ok(paths_finding(case, &paths)
        .into_iter()
        .chain(new.map(|mention| left(case, &mention)))
        .collect())
}

fn directories(case: &Case<'_>) -> Watched {
    let mut watched = Watched::new(case.subject.scratch.root());
    let near = [
        case.subject.test.path().parent(),
        case.subject.file.parent(),
    ];
    near.into_iter()
        .flatten()
        .for_each(|directory| watched.add(directory, 2));
    if let Ok(current) = env::current_dir() {
        watched.add(&current, 2);
    }
    let home = env::var_os("HOME").map(PathBuf::from);
    let temporary = env::var_os("TMPDIR").map(PathBuf::from);
    home.iter()
        .chain(&temporary)
        .for_each(|directory| watched.add(directory, 1));
    SHARED
        .iter()
        .for_each(|directory| watched.add(Path::new(directory), 1));
    watched
}

/// Paths below directories that all share, that the script names in full: what lies there only for a moment is seen by looking for it.
fn fixed(mentions: &[Mention]) -> Vec<PathBuf> {
    let shared = |path: &Path| {
        SHARED
            .iter()
            .any(|shared| path.starts_with(shared) && path != Path::new(shared))
    };
    let whole = |mention: &&Mention| !mention.path.to_string_lossy().contains(['$', '*', '?']);
    let paths: BTreeSet<PathBuf> = mentions
        .iter()
        .filter(whole)
        .filter(|mention| shared(&mention.path))
        .map(|mention| mention.path.clone())
        .collect();
    paths.into_iter().collect()
}

/// A word with a part that is another one each time (`$$`, `XXXXXX`), whose beginning begins a new path in each round.
fn numbered(mentions: &[Mention], rounds: &[BTreeSet<PathBuf>]) -> Option<Mention> {
    let begins = |mention: &&Mention| {
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

fn paths_finding(case: &Case<'_>, paths: &BTreeSet<PathBuf>) -> Option<Finding> {
    let first = paths.first()?;
    let mut shown: Vec<String> = paths
        .iter()
        .take(SHOWN)
        .map(|path| path.shown().into_owned())
        .collect();
    if paths.len() > SHOWN {
        shown.push(format!("{} more", paths.len() - SHOWN));
    }
    let name = first
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Some(Finding::hurts(
        "writes-outside",
        format!("each time it ran it wrote {}", shown.join(", ")),
        "tests run side by side and would overwrite each other's files; and where a step fails, the file of the last run is still there and is taken \
         for this one's",
        mend(case, &name, paths),
    ))
}

fn left(case: &Case<'_>, mention: &Mention) -> Finding {
    let name = mention
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Finding::hurts(
        "leaves-files",
        format!(
            "each time it ran it left another file like {}, which line {} names",
            mention.path.shown(),
            mention.line
        ),
        "it is one more for each candidate, so that a long run fills the disk",
        mend(case, &name, &[mention.path.clone()].into()),
    )
}

/// The line that names the path, with a place that is the test's own and goes with it for this and for all others of the paths.
fn mend(case: &Case<'_>, name: &str, paths: &BTreeSet<PathBuf>) -> (String, Vec<String>) {
    let test = case.test();
    let mentions = case.script.mentions();
    let mention = mentions.iter().find(|mention| {
        mention
            .path
            .file_name()
            .is_some_and(|file| file.to_string_lossy() == name)
    });
    let found = mention.and_then(|mention| Some((mention, case.script.line(mention.line)?)));
    match found {
        Some((mention, line)) if line.contains(&mention.word) => (
            format!(
                "in {test}, in place of line {}; everywhere else the same: the working directory and $TMPDIR are the test's own and go with it",
                mention.line
            ),
            vec![inside(line, mention.line, &mentions, paths)],
        ),
        _ => (
            format!(
                "in {test}: write into the working directory or $TMPDIR, which are the test's own and go with it"
            ),
            vec!["COMMAND -o \"$TMPDIR/NAME\"".replace("NAME", name)],
        ),
    }
}

/// The line with the bare names of these paths, each by itself the file of that name in the working directory.
fn inside(line: &str, number: usize, mentions: &[Mention], paths: &BTreeSet<PathBuf>) -> String {
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
    // One may begin as another does.
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    words.iter().fold(line.to_owned(), |line, (word, name)| {
        line.replace(word, name)
    })
}
