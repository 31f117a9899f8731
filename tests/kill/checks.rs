//! Checks after each kill, and at the end.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use anyhow::{Result, ensure};
use rustix::process::Signal;

use super::kinds::{Fate, Kind, Victim};
use super::process::{Life, comes_true, status};
use super::processes::{self, Process};
use super::scenes::{Whole, story, texts_of, versions};
use crate::shell::Stage;

/// What is known of a round.
pub struct Held<'a> {
    whole: &'a Whole,
    /// Whether no test was killed: then it goes as it would have gone.
    faithful: bool,
    /// The newest version that the journal had.
    newest: u64,
    /// The version that was on the disk.
    kept: u64,
    lives: usize,
    /// The kills of this life.
    kills: Vec<&'static Kind>,
    /// Whether the next start must kill what is left of a test: its helper was killed, and lop before it could see to that.
    owed: bool,
}

impl<'a> Held<'a> {
    pub fn new(whole: &'a Whole, faithful: bool) -> Held<'a> {
        Held {
            whole,
            faithful,
            newest: 0,
            kept: 0,
            lives: 0,
            kills: Vec::new(),
            owed: false,
        }
    }

    /// How often lop has ended.
    pub fn lives(&self) -> usize {
        self.lives
    }

    pub fn struck(&mut self, kind: &'static Kind) {
        self.kills.push(kind);
    }

    /// The kills of this life, one after the other.
    pub fn kills(&self) -> String {
        let names: Vec<&str> = self.kills.iter().map(|kind| kind.name).collect();
        names.join("; ")
    }

    /// Whether it may end because the test failed: its helper died under it, or it was killed itself.
    pub fn may_give_up(&self) -> bool {
        let hit = |victim| self.kills.iter().any(|kind| kind.hits(victim));
        hit(Victim::Helper) || hit(Victim::Test)
    }

    /// Nothing is lost: the output passes the test and is in the journal, which has all earlier lines and all reported versions.
    /// Says whether there is something new.
    pub fn look(&mut self, life: &Life) -> Result<bool> {
        let stage = life.stage();
        let scene = self.whole.scene;
        // What is said or written was in the journal before.
        let (told, kept) = (life.told(), scene.kept(stage));
        let changing = scene.changing_files(stage);
        let story = story(stage);
        if let Some(texts) = &kept {
            ensure!(scene.is_interesting(texts), "the output does not pass");
            // One that was stopped before it had decided anything has no session, and nothing but the original.
            let original = self.whole.versions.get(&0);
            ensure!(
                story.is_some() || Some(texts) == original,
                "there is an output, and no session"
            );
        }
        let Some((_, story)) = story else {
            ensure!(self.newest == 0, "the session is gone");
            return Ok(false);
        };
        let there = versions(&story);
        self.compare(&there)?;
        for (at, text) in changing.iter().flatten().enumerate() {
            let file = scene.documents[at].file;
            let is_known = there.values().any(|texts| texts.get(at) == Some(text));
            ensure!(is_known, "{file} is that of no version");
            let is_original = text == scene.documents[at].text.as_bytes();
            ensure!(
                is_original || scene.keeps_originals(stage),
                "{file} has changed, and the originals are not kept"
            );
        }
        let newest = there.keys().max().copied().unwrap_or(0);
        ensure!(
            newest >= told && newest >= self.newest,
            "the journal ends at version {newest}; told of: {told}; it had: {}",
            self.newest
        );
        if let Some(texts) = kept {
            let number = there.iter().find(|(_, known)| **known == texts);
            ensure!(number.is_some(), "the output is no version of the journal");
            let number = number.map_or(0, |(number, _)| *number);
            ensure!(
                number >= self.kept || !self.faithful,
                "version {number} is on the disk, and {} was",
                self.kept
            );
            self.kept = number;
        }
        let new = newest > self.newest;
        self.newest = newest;
        Ok(new)
    }

    /// Each version is the one that an undisturbed run makes; where a test was killed, it passes.
    fn compare(&self, there: &BTreeMap<u64, Vec<Vec<u8>>>) -> Result<()> {
        for (number, texts) in there {
            let same = Some(texts) == self.whole.versions.get(number);
            let passes = self.whole.scene.is_interesting(texts);
            ensure!(
                same || !self.faithful && passes,
                "version {number} is another:\n{}",
                String::from_utf8_lossy(&texts.concat())
            );
        }
        Ok(())
    }

    /// lop has ended, by this kind of kill or by itself.
    pub fn ended(&mut self, life: &mut Life, by: Option<&Kind>, patience: Duration) -> Result<()> {
        self.lives += 1;
        self.look(life)?;
        let stage = life.stage();
        let own = life.end().map(status);
        let allowed: &[i32] = match self.may_give_up() {
            true => &[0, 1, 3],
            false => &[0],
        };
        ensure!(
            by.is_some() || own.is_some_and(|own| allowed.contains(&own)),
            "it ends with {own:?}"
        );
        let politely = match by {
            None => own == Some(0),
            // Its signal handlers may not be installed yet.
            Some(kind) => kind.fate == Fate::Ends && life.said_goodbye(),
        };
        if politely && let Some((_, story)) = story(stage) {
            let kept = story.versions.kept;
            ensure!(
                self.whole.scene.kept(stage) == texts_of(&story, kept) || kept == 0,
                "the output is not version {kept}, the newest",
            );
        }
        self.nobody_is_left(life, by, patience)?;
        let own = format!("lop-{}-", life.pid().as_raw_nonzero());
        let left: Vec<String> = scratch(stage)
            .into_iter()
            .filter(|name| name.starts_with(&own))
            .collect();
        ensure!(
            left.is_empty() || !politely,
            "in the scratch directory is left: {left:?}"
        );
        self.kills.clear();
        Ok(())
    }

    /// All processes of lop and of its tests end: but for those of a test whose helper and lop were killed, which the next start ends.
    fn nobody_is_left(&mut self, life: &Life, by: Option<&Kind>, patience: Duration) -> Result<()> {
        let state = life.stage().state();
        let died = by.is_some_and(|kind| kind.fate == Fate::Dies);
        let helpless = died && self.kills.iter().any(|kind| kind.kills(Victim::Helper));
        self.owed = helpless || self.owed && !life.said_hello();
        let mut left = Vec::new();
        let gone = comes_true(patience, || {
            left = processes::all(state);
            left.retain(|process| process.helps || !self.owed);
            if !life.said_hello() {
                // A helper that was stopped before it had begun cannot have asked to be woken when lop dies.
                for process in &left {
                    let _ = rustix::process::kill_process(process.pid, Signal::CONT);
                }
            }
            left.is_empty()
        });
        for process in &left {
            let _ = rustix::process::kill_process(process.pid, Signal::KILL);
        }
        let left: Vec<String> = left.iter().map(Process::to_string).collect();
        ensure!(gone, "processes are left: {}", left.join("; "));
        Ok(())
    }

    /// How many temporary files lie beside the output.
    pub fn temporary(&self, stage: &Stage) -> usize {
        let names = stage.names();
        let temporary = |name: &&String| name.starts_with(".lop-") && name.ends_with(".tmp");
        names.iter().filter(temporary).count()
    }

    /// The run came to its end.
    pub fn done(&self, stage: &Stage) -> Result<()> {
        let scene = self.whole.scene;
        let kept = scene.kept(stage);
        ensure!(
            kept.as_ref()
                .is_some_and(|texts| scene.is_interesting(texts)),
            "the result does not pass"
        );
        if self.faithful {
            let (_, story) = story(stage).expect("it was there");
            ensure!(
                kept.as_ref() == Some(&self.whole.result),
                "another result:\n{}",
                String::from_utf8_lossy(&kept.unwrap_or_default().concat())
            );
            ensure!(
                versions(&story) == self.whole.versions,
                "other versions than undisturbed"
            );
        }
        if let Some(texts) = scene.changing_files(stage) {
            ensure!(kept == Some(texts), "the files are not the result");
        }
        let usual =
            |name: &String| self.whole.names.contains(name) || name == "said" || is_earlier(name);
        let more = || -> Vec<String> {
            let names = stage.names().into_iter();
            names.filter(|name| !usual(name)).collect()
        };
        let untidy = || !scratch(stage).is_empty() || !processes::all(stage.state()).is_empty();
        if untidy() || !more().is_empty() {
            // The last kill came after its last word: the next start cleans up.
            let again: &[&str] = match scene.originals {
                // Its result has the usual place.
                Some(_) => &[],
                None => &["--output", scene.output],
            };
            let end = stage.lop(&[scene.line, again, &["--scratch", "scratch"]].concat());
            ensure!(end.status == 0, "once more: {end}");
        }
        let (left, more) = (scratch(stage), more());
        ensure!(
            left.is_empty(),
            "in the scratch directory is left: {left:?}"
        );
        ensure!(more.is_empty(), "beside the output is left: {more:?}");
        ensure!(!untidy(), "processes are left");
        Ok(())
    }
}

/// Whether an output that was there before is kept under this name: `bug.lop.1.c`, `variant.1.lop`, or `lop.1.out`; or the originals of one more run: `lop.orig.1`.
fn is_earlier(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(
        parts[..],
        [_, "lop", number, _] | [_, number, "lop" | "out"] | [_, "orig", number] if is_number(number)
    )
}

/// What lies where tests run.
fn scratch(stage: &Stage) -> Vec<String> {
    let entries = fs::read_dir(stage.path("scratch")).into_iter().flatten();
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.collect()
}
