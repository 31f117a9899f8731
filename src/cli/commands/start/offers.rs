//! What can be done at once about a file: an unfinished session of it, and tests that lie beside it. Nothing of it runs before the user takes it.

use std::fs::{self, Metadata};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::cli::commands::resume::LONG_JOURNAL;
use crate::cli::launch::script_words::read_written_property;
use crate::cli::session_lookup::{session_argument, sessions_about};
use crate::plain::quote_path_for_display;
use crate::session::history::SessionHistory;
use crate::session::ownership::FileOwnership;
use crate::session::session_directory::SessionDirectory;
use crate::session::{InputFile, effective_user_id, format_age};

/// The most of each kind.
const MOST: usize = 3;
/// How the names of tests begin.
const TEST_NAMES: [&str; 2] = ["test", "interesting"];

/// Something that can be done at once.
pub struct StartOffer {
    /// It, in a sentence.
    pub sentence: String,
    /// What it is.
    pub kind: OfferKind,
}

/// What is offered.
pub enum OfferKind {
    /// To resume this session.
    Session(SessionDirectory),
    /// To reduce with this test.
    Test(PathBuf),
}

/// What can be done at once about this file.
pub fn list_offers(input: &InputFile) -> Vec<StartOffer> {
    let sessions = unfinished_sessions(input)
        .into_iter()
        .map(|place| StartOffer {
            sentence: describe_session(&place),
            kind: OfferKind::Session(place),
        });
    let tests = tests_beside(&input.named)
        .into_iter()
        .map(|path| StartOffer {
            sentence: describe_test(&path),
            kind: OfferKind::Test(path),
        });
    sessions.chain(tests).collect()
}

/// The newest unfinished sessions of this very file.
fn unfinished_sessions(input: &InputFile) -> Vec<SessionDirectory> {
    let name = input.file_name().to_string_lossy();
    let path = std::path::absolute(&input.named).unwrap_or_else(|_| input.named.clone());
    let is_about = |place: &SessionDirectory| {
        let Ok(header) = place.read_header() else {
            return false;
        };
        let [file] = &header.files[..] else {
            return false;
        };
        let run = header.run.as_ref().filter(|run| run.input == path);
        let same = || {
            file.bytes
                .decode_bytes()
                .is_some_and(|then| then == *input.bytes)
        };
        run.is_some_and(|run| run.in_place || same())
    };
    let places = sessions_about(&name).into_iter();
    // The end of a journal costs less than its header, which holds the inputs.
    let places = places.filter(|place| !place.is_done() && is_about(place) && !place.is_running());
    places.take(MOST).collect()
}

fn describe_session(place: &SessionDirectory) -> String {
    let journal = place.journal_path();
    // A long one takes a while to read: then nothing is said of how far it has come.
    let is_short = fs::metadata(&journal).is_ok_and(|about| about.len() <= LONG_JOURNAL);
    let history = is_short.then(|| SessionHistory::read_from(&journal).ok());
    let history = history.flatten();
    let tokens = history.as_ref().and_then(|history| {
        let kept = history.versions.get(history.versions.kept)?;
        kept.tokens
    });
    let tokens = tokens.map_or(String::new(), |tokens| format!(": {tokens} tokens so far"));
    let age = place.last_modified().elapsed().unwrap_or_default();
    format!(
        "Resume the unfinished session {}{tokens}, written {} ago",
        session_argument(place),
        format_age(age)
    )
}

/// Executables beside the file whose names begin as those of tests do.
fn tests_beside(file: &Path) -> Vec<PathBuf> {
    let directory = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(directory.unwrap_or(Path::new("."))) else {
        return Vec::new();
    };
    let is_test = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let named = TEST_NAMES.iter().any(|begins| name.starts_with(begins));
        let about = fs::metadata(path);
        let runs = |about: &Metadata| about.is_file() && about.permissions().mode() & 0o111 != 0;
        named && path != file && about.is_ok_and(|about| runs(&about))
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    let mut tests: Vec<PathBuf> = names
        .map(|name| file.with_file_name(name))
        .filter(is_test)
        .collect();
    // Those that lop has written come first.
    tests.sort_by_cached_key(|path| (read_written_property(path).is_none(), path.clone()));
    tests.truncate(MOST);
    tests
}

fn describe_test(path: &Path) -> String {
    let about = fs::symlink_metadata(path);
    let problem = about.ok().and_then(|about| {
        let owner = FileOwnership::from_metadata(path, &about);
        owner.find_problem(effective_user_id())
    });
    let what = match read_written_property(path) {
        Some(property) => format!(", which looks for: {property}"),
        None => " beside it".to_owned(),
    };
    let problem = problem.map_or(String::new(), |problem| {
        format!(" (look at it first: {problem})")
    });
    format!(
        "Use the test {}{what}{problem}",
        quote_path_for_display(path)
    )
}
