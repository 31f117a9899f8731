//! Files that change during the run: the configuration, the themes, the test, the input. The system reports changes; nothing is
//! polled.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use rustc_hash::FxHashMap;

use crate::program::ContentHash;
use crate::reduce::EngineCommand;

/// How long a file must be left alone before it counts as changed: editors write in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// How many bytes of a file are in memory at once.
const PIECE: usize = 1 << 16;

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchedChange {
    /// The configuration, or a theme.
    Settings,
    /// The test.
    Test,
    /// The input.
    Input,
}

impl WatchedChange {
    /// What it means, as a sentence; nothing where the run itself or the screen says it.
    pub fn notice_text(self) -> Option<&'static str> {
        match self {
            WatchedChange::Settings | WatchedChange::Test => None,
            WatchedChange::Input => Some("the input has changed: the run continues with its copy"),
        }
    }

    /// The command for the run; none where it concerns the screen or the user alone.
    pub fn to_command(self) -> Option<EngineCommand> {
        (self == WatchedChange::Test).then_some(EngineCommand::NewTest(false))
    }
}

/// Changes whose files may still be written to.
#[derive(Debug, Default)]
pub struct ChangeDebouncer {
    changes: Vec<WatchedChange>,
    /// When they count, if no other change comes until then.
    pub settle_at: Option<Instant>,
}

impl ChangeDebouncer {
    /// Adds a change.
    pub fn add_change(&mut self, change: WatchedChange) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
        self.settle_at = Some(Instant::now() + QUIET);
    }

    /// The changes whose files are not written to any more, each once.
    pub fn take_settled(&mut self) -> Vec<WatchedChange> {
        self.settle_at
            .take_if(|until| *until <= Instant::now())
            .map_or_else(Vec::new, |_| std::mem::take(&mut self.changes))
    }
}

/// The files that are watched. Files that do not exist yet are watched too, as long as their directory exists.
#[derive(Clone, Debug, Default)]
pub struct WatchedFiles {
    /// The configuration file.
    pub config: Option<PathBuf>,
    /// The directory of the user's themes.
    pub themes: Option<PathBuf>,
    /// The files of the test.
    pub tests: Vec<PathBuf>,
    /// The inputs.
    pub inputs: Vec<PathBuf>,
}

impl WatchedFiles {
    /// All but the directory of the themes.
    fn single_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.config.iter().chain(&self.tests).chain(&self.inputs)
    }

    /// What a change of this path means.
    fn classify_path(&self, path: &Path) -> Option<WatchedChange> {
        let is = |file: &Option<PathBuf>| file.as_deref() == Some(path);
        if is(&self.config)
            || self
                .themes
                .as_deref()
                .is_some_and(|dir| path.starts_with(dir))
        {
            Some(WatchedChange::Settings)
        } else if self.tests.iter().any(|test| test == path) {
            Some(WatchedChange::Test)
        } else if self.inputs.iter().any(|input| input == path) {
            Some(WatchedChange::Input)
        } else {
            None
        }
    }
}

/// Watches until dropped.
pub struct FileWatcher {
    /// What changed.
    pub changes: Receiver<WatchedChange>,
    /// Disconnected when the watcher is dropped, which ends its thread.
    _going_on: Sender<()>,
}

impl FileWatcher {
    /// Begins to watch, on a thread of its own. Where the system cannot, no change is ever reported: a run does not need it.
    pub fn start(files: WatchedFiles) -> FileWatcher {
        FileWatcher::start_on(files, |name, work| {
            Builder::new().name(name.into()).spawn(work).map(drop)
        })
    }

    /// The same, on the thread that `spawn` starts with this name and work.
    pub fn start_on(
        files: WatchedFiles,
        spawn: impl FnOnce(&str, Box<dyn FnOnce() + Send>) -> io::Result<()>,
    ) -> FileWatcher {
        let (send, changes) = bounded(64);
        let (going_on, over) = bounded(0);
        if let Some(watches) = FileWatches::start(files) {
            // Without a thread the sender is lost, and with it every change.
            let _ = spawn(
                "lop-watch",
                Box::new(move || watches.report_changes(&send, &over)),
            );
        }
        FileWatcher {
            changes,
            _going_on: going_on,
        }
    }
}

/// What the system watches. A file is watched itself, so that nothing else in its directory wakes anybody; its directory is watched while the
/// file is missing, and for a symbolic link, which may be replaced.
struct FileWatches {
    watcher: RecommendedWatcher,
    /// The paths that changed, and what that means.
    events: Receiver<(PathBuf, WatchedChange)>,
    files: WatchedFiles,
    /// The directories that are watched at the moment.
    directories: BTreeSet<PathBuf>,
    /// What the tests and inputs held when they were read last; none for a file that could not be read. A file that is written again with the same bytes has
    /// not changed.
    contents: FxHashMap<PathBuf, Option<ContentHash>>,
}

/// The hash of a file's bytes; none if it cannot be read.
fn hash_file(path: &Path) -> Option<ContentHash> {
    let mut file = BufReader::with_capacity(PIECE, File::open(path).ok()?);
    let mut hash = ContentHash::default();
    loop {
        let piece = match file.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            piece => piece.ok()?,
        };
        let length = piece.len();
        if length == 0 {
            return Some(hash);
        }
        hash = hash.followed_by(ContentHash::from_bytes(piece), length as u64);
        file.consume(length);
    }
}

impl FileWatches {
    fn start(files: WatchedFiles) -> Option<FileWatches> {
        // The system reports real paths.
        let real = |path: &PathBuf| {
            let directory = path.parent()?.canonicalize().ok()?;
            Some(directory.join(path.file_name()?))
        };
        let files = WatchedFiles {
            config: files.config.as_ref().and_then(real),
            themes: files.themes.as_ref().and_then(real),
            tests: files.tests.iter().filter_map(real).collect(),
            inputs: files.inputs.iter().filter_map(real).collect(),
        };
        let (send, events) = unbounded();
        let watched = files.clone();
        let hear = move |event: notify::Result<Event>| {
            let Ok(event) = event else {
                return;
            };
            if matches!(event.kind, EventKind::Access(_)) {
                return;
            }
            for path in event.paths {
                if let Some(change) = watched.classify_path(&path) {
                    // The watcher is being dropped.
                    let _ = send.send((path, change));
                }
            }
        };
        let mut watches = FileWatches {
            watcher: notify::recommended_watcher(hear).ok()?,
            events,
            files,
            directories: BTreeSet::new(),
            contents: FxHashMap::default(),
        };
        for file in watches.files.single_files().cloned().collect::<Vec<_>>() {
            watches.watch_path(&file);
        }
        watches.watch_directories();
        let files = watches.files.tests.iter().chain(&watches.files.inputs);
        watches.contents = files.map(|file| (file.clone(), hash_file(file))).collect();
        Some(watches)
    }

    /// Reports changes until `over` is disconnected.
    fn report_changes(mut self, send: &Sender<WatchedChange>, over: &Receiver<()>) {
        loop {
            let event = select! {
                recv(self.events) -> event => event,
                recv(over) -> _ => return,
            };
            let Ok((path, change)) = event else { return };
            if self.files.single_files().any(|file| *file == path) {
                // Another file may be there now. What is written to it before it is watched is read after the report.
                let _ = self.watcher.unwatch(&path);
                self.watch_path(&path);
                self.watch_directories();
            }
            if let Some(known) = self.contents.get_mut(&path) {
                let now = hash_file(&path);
                if std::mem::replace(known, now) == now {
                    continue;
                }
            }
            // If many wait already, one more adds nothing.
            let _ = send.try_send(change);
        }
    }

    /// Watches the directories that must be, and no others.
    fn watch_directories(&mut self) {
        let is_plain = |file: &Path| {
            file.symlink_metadata()
                .is_ok_and(|about| !about.is_symlink())
        };
        let unseen = self.files.single_files().filter(|file| !is_plain(file));
        let unseen = unseen.filter_map(|file| file.parent().map(Path::to_path_buf));
        let wanted: BTreeSet<PathBuf> = unseen.chain(self.files.themes.clone()).collect();
        for directory in self.directories.difference(&wanted) {
            // The system has forgotten a directory that was removed.
            let _ = self.watcher.unwatch(directory);
        }
        let new: Vec<PathBuf> = wanted.difference(&self.directories).cloned().collect();
        self.directories = wanted;
        for directory in &new {
            self.watch_path(directory);
        }
        // A file that came before its directory was watched.
        let files: Vec<PathBuf> = self.files.single_files().cloned().collect();
        for file in files {
            if new.iter().any(|directory| file.parent() == Some(directory)) {
                self.watch_path(&file);
            }
        }
    }

    fn watch_path(&mut self, path: &Path) {
        // What does not exist cannot be watched.
        let _ = self.watcher.watch(path, RecursiveMode::NonRecursive);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A test and an input in a directory, watched.
    struct WatchedCase {
        directory: tempfile::TempDir,
        watcher: FileWatcher,
        /// How often a file was written.
        written: Cell<u32>,
    }

    impl WatchedCase {
        fn new(prepare: impl FnOnce(&Path)) -> WatchedCase {
            let directory = tempfile::tempdir().expect("a directory");
            prepare(directory.path());
            let watcher = FileWatcher::start(WatchedFiles {
                tests: vec![directory.path().join("test.sh")],
                inputs: vec![directory.path().join("bug.c")],
                ..WatchedFiles::default()
            });
            WatchedCase {
                directory,
                watcher,
                written: Cell::new(0),
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.directory.path().join(name)
        }

        /// Writes another text than before.
        fn write(&self, name: &str) {
            let text = format!("text {}", self.written.replace(self.written.get() + 1));
            fs::write(self.path(name), text).expect("it can be written");
        }

        /// Does this and waits for the change.
        fn expect_change(&self, expected: WatchedChange, act: impl FnOnce()) {
            // One change of a file is several events.
            self.watcher.changes.try_iter().for_each(drop);
            act();
            let limit = Duration::from_secs(60);
            while self.watcher.changes.recv_timeout(limit).expect("a change") != expected {}
        }
    }

    fn write_both(directory: &Path) {
        for name in ["test.sh", "bug.c"] {
            fs::write(directory.join(name), "text").expect("it can be written");
        }
    }

    #[test]
    fn a_file_is_watched_through_all_ways_in_which_editors_write_it() {
        let case = WatchedCase::new(write_both);
        case.expect_change(WatchedChange::Test, || case.write("test.sh"));
        for _ in 0..2 {
            let replace = || fs::rename(case.path("new"), case.path("bug.c"));
            case.write("new");
            case.expect_change(WatchedChange::Input, || {
                replace().expect("it can be renamed")
            });
            let move_away = || fs::rename(case.path("test.sh"), case.path("test.sh~"));
            case.expect_change(WatchedChange::Test, || {
                move_away().expect("it can be renamed")
            });
            case.expect_change(WatchedChange::Test, || case.write("test.sh"));
        }
        let remove = || fs::remove_file(case.path("bug.c"));
        case.expect_change(WatchedChange::Input, || {
            remove().expect("it can be removed")
        });
        case.expect_change(WatchedChange::Input, || case.write("bug.c"));
    }

    #[test]
    fn a_file_that_is_written_again_as_it_was_has_not_changed() {
        let case = WatchedCase::new(write_both);
        fs::write(case.path("new"), "text").expect("it can be written");
        fs::rename(case.path("new"), case.path("test.sh")).expect("it can be renamed");
        case.write("bug.c");
        // The system reports in order.
        let first = case.watcher.changes.recv_timeout(Duration::from_secs(60));
        assert_eq!(first, Ok(WatchedChange::Input));
    }

    #[test]
    fn a_missing_file_and_a_link_are_watched_too() {
        let case = WatchedCase::new(|directory| {
            fs::write(directory.join("first.c"), "text").expect("it can be written");
            symlink("first.c", directory.join("bug.c")).expect("a link");
        });
        case.expect_change(WatchedChange::Test, || case.write("test.sh"));
        case.expect_change(WatchedChange::Input, || case.write("first.c"));
        symlink("test.sh", case.path("new")).expect("a link");
        let replace = || fs::rename(case.path("new"), case.path("bug.c"));
        case.expect_change(WatchedChange::Input, || {
            replace().expect("it can be renamed")
        });
    }

    #[test]
    fn the_directory_is_watched_only_while_a_file_is_missing() {
        let directory = tempfile::tempdir().expect("a directory");
        write_both(directory.path());
        let input = directory.path().join("bug.c");
        let mut watches = FileWatches::start(WatchedFiles {
            inputs: vec![input.clone()],
            ..WatchedFiles::default()
        })
        .expect("the system can watch");
        assert_eq!(watches.directories, BTreeSet::new());
        fs::remove_file(&input).expect("it can be removed");
        watches.watch_directories();
        let real = directory.path().canonicalize().expect("it is there");
        assert_eq!(watches.directories, BTreeSet::from([real]));
        fs::write(&input, "text").expect("it can be written");
        watches.watch_directories();
        assert_eq!(watches.directories, BTreeSet::new());
    }
}
