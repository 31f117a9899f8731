//! The programs that are reduced while lop is killed: one row each. A run on several files is a row with several documents.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lop::program::text_bytes;
use lop::session::history::SessionHistory;
use lop::session::session_directory::{self, SessionDirectory};

use crate::shell::Stage;

/// Programs, their tests, and the files that the run keeps.
pub struct Scene {
    pub name: &'static str,
    /// The command line that starts the run; `resume` continues it.
    pub line: &'static [&'static str],
    /// What the run makes: a file, or a directory that is exchanged as a whole.
    pub output: &'static str,
    /// What is reduced, in the order of the journal.
    pub documents: &'static [SceneDocument],
    /// What the tests do before they look.
    pub first: &'static str,
    /// The one test of several files, which has each file looked at by its own.
    pub test_of_all: Option<&'static str>,
    /// Where the originals are kept, if the files themselves change at the end of a run.
    pub originals: Option<&'static str>,
}

/// A file that is reduced, and its test, which is some milliseconds long.
pub struct SceneDocument {
    pub file: &'static str,
    pub text: &'static str,
    /// The name of its test.
    pub test: &'static str,
    /// Words that each version must have.
    pub wanted: &'static [&'static str],
    /// Words that no version may have.
    pub unwanted: &'static [&'static str],
}

const SMALL: &str = include_str!("../samples/small.c");
/// The same with a few changes, one of which is a word that the seed has not.
const SMALL_VARIANT: &str = include_str!("../samples/small-variant.c");

/// All scenes; rounds use them in turn.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "one file",
        line: &["bug.c", "test.sh", "--effort", "normal"],
        output: "bug.lop.c",
        documents: &[SceneDocument {
            file: "bug.c",
            text: SMALL,
            test: "test.sh",
            wanted: &["sum", "handler", "return"],
            unwanted: &[],
        }],
        first: ":",
        test_of_all: None,
        originals: None,
    },
    Scene {
        name: "one file, and a test that leaves a process and hears no signal",
        line: &["bug.c", "test.sh", "--effort", "normal"],
        output: "bug.lop.c",
        documents: &[SceneDocument {
            file: "bug.c",
            text: SMALL,
            test: "test.sh",
            wanted: &["walk", "LIMIT"],
            unwanted: &[],
        }],
        first: "trap '' TERM INT HUP QUIT; setsid sleep 1000 >/dev/null 2>&1 &",
        test_of_all: None,
        originals: None,
    },
    Scene {
        name: "a pair",
        line: &["pair", "seed.c", "variant.c", "works.sh", "fails.sh"],
        output: "variant.lop",
        documents: &[
            SceneDocument {
                file: "seed.c",
                text: SMALL,
                test: "works.sh",
                wanted: &["sum", "handler"],
                unwanted: &["broken"],
            },
            SceneDocument {
                file: "variant.c",
                text: SMALL_VARIANT,
                test: "fails.sh",
                wanted: &["handler", "broken"],
                unwanted: &[],
            },
        ],
        first: ":",
        test_of_all: None,
        originals: None,
    },
    Scene {
        name: "two files of a program",
        line: &["one.c", "two.c", "all.sh", "--effort", "normal"],
        output: "lop.out",
        documents: &[
            SceneDocument {
                file: "one.c",
                text: SMALL,
                test: "one.sh",
                wanted: &["sum", "handler"],
                unwanted: &[],
            },
            SceneDocument {
                file: "two.c",
                text: SMALL_VARIANT,
                test: "two.sh",
                wanted: &["handler", "broken"],
                unwanted: &[],
            },
        ],
        first: ":",
        test_of_all: Some("all.sh"),
        originals: None,
    },
    Scene {
        name: "two files of a program, in place",
        line: &[
            "one.c",
            "two.c",
            "all.sh",
            "--effort",
            "normal",
            "--in-place",
        ],
        output: "lop.out",
        documents: &[
            SceneDocument {
                file: "one.c",
                text: SMALL,
                test: "one.sh",
                wanted: &["sum", "return"],
                unwanted: &[],
            },
            SceneDocument {
                file: "two.c",
                text: SMALL_VARIANT,
                test: "two.sh",
                wanted: &["broken"],
                unwanted: &[],
            },
        ],
        first: ":",
        test_of_all: Some("all.sh"),
        originals: Some("lop.orig"),
    },
];

impl SceneDocument {
    /// The test as a script.
    fn test_script(&self, first: &str) -> String {
        let wanted = self.wanted.iter();
        let wanted = wanted.map(|word| format!("grep -q {word} \"$1\""));
        let unwanted = self.unwanted.iter();
        let unwanted = unwanted.map(|word| format!("! grep -q {word} \"$1\""));
        let looks: Vec<String> = wanted.chain(unwanted).collect();
        format!("{first}\n{}", looks.join(" && "))
    }

    fn is_interesting(&self, text: &[u8]) -> bool {
        let text = String::from_utf8_lossy(text);
        let has = |word: &&str| text.contains(*word);
        self.wanted.iter().all(has) && !self.unwanted.iter().any(has)
    }
}

impl Scene {
    /// The scene before anything has happened.
    pub fn stage(&self) -> Stage {
        let stage = Stage::new();
        for document in self.documents {
            stage.write(document.file, document.text);
            stage.test(document.test, &document.test_script(self.first));
        }
        if let Some(name) = self.test_of_all {
            let looks = self.documents.iter().map(|document| {
                let test = stage.path(document.test);
                format!("sh '{}' {}", test.display(), document.file)
            });
            stage.test(name, &looks.collect::<Vec<_>>().join(" && "));
        }
        fs::create_dir(stage.path("scratch")).expect("a directory");
        stage
    }

    /// Whether the tests would say yes.
    pub fn is_interesting(&self, texts: &[Vec<u8>]) -> bool {
        let mut documents = self.documents.iter().zip(texts);
        texts.len() == self.documents.len()
            && documents.all(|(document, text)| document.is_interesting(text))
    }

    /// What the output holds at one instant; none as long as it is not there.
    pub fn kept(&self, stage: &Stage) -> Option<Vec<Vec<u8>>> {
        let output = stage.path(self.output);
        if let [_] = self.documents {
            return Some(vec![fs::read(output).ok()?]);
        }
        loop {
            // The directory may be exchanged while it is read: then its files go, and the next one is read.
            let directory = File::open(&output).ok()?;
            if let Ok(texts) = self.read_directory(&directory, &output) {
                return Some(texts);
            }
        }
    }

    /// What the files hold that the run changes in their place; none if it changes none.
    pub fn changing_files(&self, stage: &Stage) -> Option<Vec<Vec<u8>>> {
        self.originals?;
        let documents = self.documents.iter();
        let texts = documents.map(|document| fs::read(stage.path(document.file)));
        Some(texts.map(Result::unwrap_or_default).collect())
    }

    /// Whether the originals are kept.
    pub fn keeps_originals(&self, stage: &Stage) -> bool {
        let place = stage.path(self.originals.unwrap_or_default());
        self.documents.iter().all(|document| {
            let kept = fs::read(place.join(document.file));
            kept.is_ok_and(|kept| kept == document.text.as_bytes())
        })
    }

    /// All documents of one directory, whatever has its name meanwhile. A directory that is in its place must be complete.
    fn read_directory(&self, directory: &File, path: &Path) -> io::Result<Vec<Vec<u8>>> {
        let place = PathBuf::from(format!("/proc/self/fd/{}", directory.as_raw_fd()));
        let names = self.documents.iter().map(|document| document.file);
        let difference = self.test_of_all.is_none().then_some("difference.diff");
        let names = names.chain(difference);
        let texts: io::Result<Vec<Vec<u8>>> =
            names.map(|name| fs::read(place.join(name))).collect();
        if texts.is_err() {
            let is_in_place = fs::read_link(&place)
                .is_ok_and(|now| path.canonicalize().is_ok_and(|path| path == now));
            assert!(!is_in_place, "the result is not complete");
        }
        let mut texts = texts?;
        texts.truncate(self.documents.len());
        Ok(texts)
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
        let texts = texts_of(story, saved.number);
        (saved.number, texts.expect("a version can be made again"))
    });
    all.collect()
}

/// The texts of a version; none if it cannot be made.
pub fn texts_of(story: &SessionHistory, version: u64) -> Option<Vec<Vec<u8>>> {
    let texts = story.versions.document_texts(version)?;
    Some(texts.iter().map(|text| text_bytes(text).to_vec()).collect())
}
