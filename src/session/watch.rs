//! Files that change while the run is on: the configuration, the themes, the test, the input. The system tells; nobody asks again
//! and again.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// How long a file must be left alone before it counts as changed: editors write in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The configuration, or a theme.
    Settings,
    /// The test.
    Test,
    /// The input.
    Input,
}

impl Change {
    /// What it means for the run, as a sentence; nothing where that is a matter of the screen.
    pub fn notice(self) -> Option<&'static str> {
        match self {
            Change::Settings => None,
            Change::Test => Some(
                "the test has changed: from now on it is run as it is on disk, what the old one said still counts",
            ),
            Change::Input => {
                Some("the input has changed: the run goes on with the copy it began with")
            }
        }
    }
}

/// Changes whose files may still be written to.
#[derive(Debug, Default)]
pub struct Unsettled {
    changes: Vec<Change>,
    /// When they count, if nothing is heard until then.
    pub until: Option<Instant>,
}

impl Unsettled {
    /// One more change.
    pub fn hear(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
        self.until = Some(Instant::now() + QUIET);
    }

    /// Those that nobody writes to any more, if that is so; each once.
    pub fn settled(&mut self) -> Vec<Change> {
        self.until
            .take_if(|until| *until <= Instant::now())
            .map_or_else(Vec::new, |_| std::mem::take(&mut self.changes))
    }
}

/// The files that are watched. Files that do not exist yet are watched too, as long as their directory exists.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The configuration file.
    pub config: Option<PathBuf>,
    /// The directory of the user's themes.
    pub themes: Option<PathBuf>,
    /// The test.
    pub test: Option<PathBuf>,
    /// The input.
    pub input: Option<PathBuf>,
}

impl Files {
    /// What a change of this path means.
    fn meaning(&self, path: &Path) -> Option<Change> {
        let is = |file: &Option<PathBuf>| file.as_deref() == Some(path);
        if is(&self.config)
            || self
                .themes
                .as_deref()
                .is_some_and(|dir| path.starts_with(dir))
        {
            Some(Change::Settings)
        } else if is(&self.test) {
            Some(Change::Test)
        } else if is(&self.input) {
            Some(Change::Input)
        } else {
            None
        }
    }
}

/// Watches until dropped.
pub struct Watch {
    /// What changed.
    pub changes: Receiver<Change>,
    _watcher: Option<RecommendedWatcher>,
}

impl Watch {
    /// Begins to watch. Where the system cannot, nothing is ever told: a run does not need it.
    pub fn open(files: Files) -> Watch {
        let (send, changes) = bounded(64);
        Watch {
            changes,
            _watcher: watcher(files, send),
        }
    }
}

fn watcher(files: Files, send: Sender<Change>) -> Option<RecommendedWatcher> {
    // The system names real paths; and files are replaced by other files, so their directories are what is watched.
    let real = |path: &PathBuf| {
        let directory = path.parent()?.canonicalize().ok()?;
        Some(directory.join(path.file_name()?))
    };
    let files = Files {
        config: files.config.as_ref().and_then(real),
        themes: files.themes.as_ref().and_then(real),
        test: files.test.as_ref().and_then(real),
        input: files.input.as_ref().and_then(real),
    };
    let watched = files.clone();
    let hear = move |event: notify::Result<Event>| {
        let Ok(event) = event else {
            return;
        };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for change in event.paths.iter().filter_map(|path| watched.meaning(path)) {
            // When many are waiting already, one more says nothing new.
            let _ = send.try_send(change);
        }
    };
    let mut watcher = notify::recommended_watcher(hear).ok()?;
    let of_file = |file: &Option<PathBuf>| file.as_ref()?.parent().map(Path::to_path_buf);
    let mut directories: Vec<PathBuf> = [&files.config, &files.themes, &files.test, &files.input]
        .into_iter()
        .filter_map(of_file)
        .chain(files.themes.clone())
        .collect();
    directories.sort();
    directories.dedup();
    for directory in directories {
        // A directory that is not there has nothing to watch.
        let _ = watcher.watch(&directory, RecursiveMode::NonRecursive);
    }
    Some(watcher)
}
