//! The programs that are reduced while lop is killed: one row each. A run on several files is a row with several inputs and outputs.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use lop::session::history::SessionHistory;
use lop::session::session_directory::{self, SessionDirectory};

use crate::shell::Stage;

/// A program, its test, and the files that the run keeps.
pub struct Scene {
    pub name: &'static str,
    /// What lies there: names and texts.
    pub files: &'static [(&'static str, &'static str)],
    /// The command line that starts the run; `resume` continues it.
    pub line: &'static [&'static str],
    /// What holds the newest version: a file for each document, in the order of the journal.
    pub outputs: &'static [&'static str],
    /// Words that each version must have: that is what the test looks for, some milliseconds long.
    pub wanted: &'static [&'static str],
    /// What the test does before it looks.
    pub first: &'static str,
}

const SMALL: &str = include_str!("../samples/small.c");

/// All scenes; rounds use them in turn.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "one file",
        files: &[("bug.c", SMALL)],
        line: &["bug.c", "test.sh"],
        outputs: &["bug.lop.c"],
        wanted: &["sum", "handler", "return"],
        first: ":",
    },
    Scene {
        name: "one file, and a test that leaves a process and hears no signal",
        files: &[("bug.c", SMALL)],
        line: &["bug.c", "test.sh"],
        outputs: &["bug.lop.c"],
        wanted: &["walk", "LIMIT"],
        first: "trap '' TERM INT HUP QUIT; setsid sleep 1000 >/dev/null 2>&1 &",
    },
];

impl Scene {
    /// The scene before anything has happened.
    pub fn stage(&self) -> Stage {
        let stage = Stage::new();
        for (name, text) in self.files {
            stage.write(name, text);
        }
        let looks: Vec<String> = self
            .wanted
            .iter()
            .map(|word| format!("grep -q {word} \"$1\""))
            .collect();
        stage.test(
            "test.sh",
            &format!("{}\n{}", self.first, looks.join(" && ")),
        );
        fs::create_dir(stage.path("scratch")).expect("a directory");
        stage
    }

    /// Whether the test would say yes.
    pub fn is_interesting(&self, texts: &[Vec<u8>]) -> bool {
        let texts: Vec<_> = texts
            .iter()
            .map(|text| String::from_utf8_lossy(text))
            .collect();
        let found = |word: &&str| texts.iter().any(|text| text.contains(*word));
        self.wanted.iter().all(found)
    }

    /// What the outputs hold; none as long as one is not there.
    pub fn kept(&self, stage: &Stage) -> Option<Vec<Vec<u8>>> {
        let texts = self
            .outputs
            .iter()
            .map(|name| fs::read(stage.path(name)).ok());
        texts.collect()
    }
}

/// A scene's run that nobody disturbs.
pub struct Whole {
    pub scene: &'static Scene,
    /// Its duration.
    pub took: Duration,
    /// The texts of all its versions, by their numbers.
    pub versions: BTreeMap<u64, Vec<Vec<u8>>>,
    /// What the outputs hold at its end.
    pub result: Vec<Vec<u8>>,
    /// What lies there at its end.
    pub names: Vec<String>,
}

impl Whole {
    /// Has it run.
    pub fn of(scene: &'static Scene) -> Whole {
        let stage = scene.stage();
        let began = Instant::now();
        let line = [scene.line, &["--json", "--scratch", "scratch"]].concat();
        let end = stage.lop(&line);
        let took = began.elapsed();
        assert_eq!(end.status, 0, "{end}");
        let (place, story) = story(&stage).expect("a session");
        assert!(place.is_done());
        let versions = versions(&story);
        assert!(versions.len() > 10, "{} versions", versions.len());
        Whole {
            scene,
            took,
            versions,
            result: scene.kept(&stage).expect("outputs"),
            names: stage.names(),
        }
    }
}

/// The session of the only run on this stage that has one which can be read.
pub fn story(stage: &Stage) -> Option<(SessionDirectory, SessionHistory)> {
    let mut places = session_directory::list_sessions(&stage.sessions()).into_iter();
    places.find_map(|place| {
        let story = SessionHistory::read_from(&place.journal_path()).ok()?;
        Some((place, story))
    })
}

/// The texts of all versions, by their numbers.
pub fn versions(story: &SessionHistory) -> BTreeMap<u64, Vec<Vec<u8>>> {
    let all = story.versions.all_versions().map(|saved| {
        let texts = story.versions.document_texts(saved.number);
        (saved.number, texts.expect("a version can be made again"))
    });
    all.collect()
}
