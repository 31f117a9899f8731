//! Files that change during the run: the configuration, the themes, the test, the input. The system reports changes; nothing is
//! polled.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// How long a file must be left alone before it counts as changed: editors write in several steps.
const QUIET: Duration = Duration::from_millis(100);

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
    /// What it means for the run, as a sentence; nothing where it concerns the screen alone.
    pub fn notice_text(self) -> Option<&'static str> {
        match self {
            WatchedChange::Settings => None,
            WatchedChange::Test => Some(
                "the test has changed: from now on it is run as it is on disk, what the old one said still counts",
            ),
            WatchedChange::Input => Some("the input has changed: the run continues with its copy"),
        }
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
    _watcher: Option<RecommendedWatcher>,
}

impl FileWatcher {
    /// Begins to watch. Where the system cannot, no change is ever reported: a run does not need it.
    pub fn start(files: WatchedFiles) -> FileWatcher {
        let (send, changes) = bounded(64);
        FileWatcher {
            changes,
            _watcher: create_watcher(files, send),
        }
    }
}

fn create_watcher(files: WatchedFiles, send: Sender<WatchedChange>) -> Option<RecommendedWatcher> {
    // The system reports real paths, and files are replaced by other files: so their directories are watched.
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
    let watched = files.clone();
    let hear = move |event: notify::Result<Event>| {
        let Ok(event) = event else {
            return;
        };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for change in event
            .paths
            .iter()
            .filter_map(|path| watched.classify_path(path))
        {
            // If many wait already, one more adds nothing.
            let _ = send.try_send(change);
        }
    };
    let mut watcher = notify::recommended_watcher(hear).ok()?;
    let single = [&files.config, &files.themes].into_iter().flatten();
    let all = single.chain(&files.tests).chain(&files.inputs);
    let mut directories: Vec<PathBuf> = all
        .filter_map(|file| file.parent().map(Path::to_path_buf))
        .chain(files.themes.clone())
        .collect();
    directories.sort();
    directories.dedup();
    for directory in directories {
        // A directory that does not exist cannot be watched.
        let _ = watcher.watch(&directory, RecursiveMode::NonRecursive);
    }
    Some(watcher)
}
