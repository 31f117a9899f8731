//! `--cache DIR`: verdicts of a test, for later runs with the same test.
//!
//! A file for each test: lines of JSON, each with a checksum of its own, so several lops can append to it, and one that was killed
//! costs no more than its last line. An interesting candidate of the past is a hint, not an answer: only tested bytes are accepted.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::ensure_owned_by_user;
use super::file_names;
use super::file_writer::{FilePermissions, FileWriter};
use super::journal::checksum;
use super::own_files;
use crate::display::EscapeHidden;
use crate::oracle::{LimitKind, TestExit, TimeLimits, Verdict};
use crate::program::ContentHash;
use crate::reduce::{ResultOrigin, TestResult, VerdictStore};

/// No file grows beyond this: some 200,000 verdicts. One that is half as large when it is opened loses its oldest lines, until a quarter
/// is left.
const MAX_BYTES: u64 = 32 << 20;
/// What a test found belongs to its user.
const MODE: u32 = 0o600;
/// How a line begins, and so the file; the second is how it began before format 3 of the journal.
const LINE_STARTS: [&[u8]; 2] = [b"{\"result\":", b"{\"fact\":"];

fn is_line_start(text: &[u8]) -> bool {
    LINE_STARTS.iter().any(|start| text.starts_with(start))
}

/// The first line may not have been written to its end.
fn is_cache_start(start: &[u8]) -> bool {
    is_line_start(start) || LINE_STARTS.iter().any(|line| line.starts_with(start))
}

/// A cache on the disk.
pub struct VerdictCache {
    path: PathBuf,
    /// The file that is the test, if it is one.
    test: Option<PathBuf>,
    inner: Mutex<VerdictCacheState>,
}

struct VerdictCacheState {
    results: FxHashMap<ContentHash, TestResult>,
    file: File,
    /// How many bytes may be written.
    bytes_left: u64,
    /// Whether nothing is written any more.
    closed: bool,
    /// The test's file when the cache was opened; none once it has become another.
    stamp: Option<TestFileStamp>,
}

/// What changes when a file is written to or replaced.
type TestFileStamp = (u64, u64, i64, i64);

/// The stamp of the test's file; commands are no file, and stay as they are.
fn test_file_stamp(test: Option<&Path>) -> Option<TestFileStamp> {
    let Some(test) = test else {
        return Some(TestFileStamp::default());
    };
    let about = fs::metadata(test).ok()?;
    Some((about.ino(), about.len(), about.mtime(), about.mtime_nsec()))
}

/// A verdict, as a line.
#[derive(Serialize, Deserialize)]
struct VerdictEntry {
    #[serde(alias = "fact")]
    result: String,
    #[serde(alias = "ending")]
    verdict: Verdict,
    time_ns: u64,
    #[serde(default)]
    cpu_ns: Option<u64>,
    /// The limits that its test had.
    #[serde(default)]
    limit_ns: Option<u64>,
    #[serde(default)]
    limit_cpu_ns: Option<u64>,
    /// The limit that it went beyond, by its name; that of time if it is missing.
    #[serde(alias = "bound", default, skip_serializing_if = "Option::is_none")]
    exceeded: Option<String>,
}

impl VerdictEntry {
    fn new(candidate: ContentHash, result: &TestResult) -> VerdictEntry {
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        VerdictEntry {
            result: candidate.to_string(),
            verdict: result.verdict,
            time_ns: nanoseconds(result.time),
            cpu_ns: result.cpu.map(nanoseconds),
            limit_ns: result.limits.wall.map(nanoseconds),
            limit_cpu_ns: result.limits.cpu.map(nanoseconds),
            exceeded: result.exceeded_limit().map(|limit| limit.name().to_owned()),
        }
    }

    fn to_result(&self) -> Option<(ContentHash, TestResult)> {
        let exceeded = self.exceeded.as_deref().and_then(LimitKind::from_name);
        let exit = exceeded.map(TestExit::Killed);
        let times = (
            Duration::from_nanos(self.time_ns),
            self.cpu_ns.map(Duration::from_nanos),
        );
        let limits = TimeLimits {
            wall: self.limit_ns.map(Duration::from_nanos),
            cpu: self.limit_cpu_ns.map(Duration::from_nanos),
        };
        let result =
            TestResult::from_record(ResultOrigin::Store, self.verdict, exit, times, limits);
        Some((ContentHash::parse_hex(&self.result)?, result))
    }
}

fn decode_line(line: &[u8]) -> Option<(ContentHash, TestResult)> {
    checksum::verify_checksum(line, checksum::START)?;
    serde_json::from_slice::<VerdictEntry>(line)
        .ok()?
        .to_result()
}

impl VerdictCache {
    /// Opens the cache of one test in a directory, which is made if it does not exist. `key` stands for all that a verdict depends on
    /// but the candidate; `test` is watched: after it was changed, nothing is stored or answered any more.
    ///
    /// # Errors
    /// When the directory or the file cannot be made, read or written.
    pub fn open(
        directory: &Path,
        key: ContentHash,
        test: Option<&Path>,
    ) -> io::Result<VerdictCache> {
        VerdictCache::open_with_limit(directory, key, test, MAX_BYTES)
    }

    fn open_with_limit(
        directory: &Path,
        key: ContentHash,
        test: Option<&Path>,
        largest: u64,
    ) -> io::Result<VerdictCache> {
        DirBuilder::new()
            .mode(0o700)
            .recursive(true)
            .create(directory)?;
        // A writer here decides what is not tested any more.
        ensure_owned_by_user(directory, &File::open(directory)?.metadata()?)?;
        let path = directory.join(format!("{key}.verdicts"));
        let (mut file, mut bytes) = open_and_read(&path)?;
        if bytes.len() as u64 > largest / 2 {
            compact_file(&path, &file, &bytes, largest / 4)?;
            (file, bytes) = open_and_read(&path)?;
        }
        if !bytes.is_empty() && !bytes.ends_with(b"\n") {
            // A line that was not written to its end spoils no other.
            file.write_all(b"\n")?;
        }
        let lines = bytes.split(|byte| *byte == b'\n');
        let inner = VerdictCacheState {
            results: lines.filter_map(decode_line).collect(),
            bytes_left: largest.saturating_sub(bytes.len() as u64),
            file,
            closed: false,
            stamp: test_file_stamp(test),
        };
        Ok(VerdictCache {
            path,
            test: test.map(Path::to_path_buf),
            inner: Mutex::new(inner),
        })
    }

    /// How many candidates it knows.
    pub fn len(&self) -> usize {
        self.lock_state().results.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock_state(&self) -> MutexGuard<'_, VerdictCacheState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known, unless the test has changed.
    fn find_result(&self, candidate: ContentHash) -> Option<TestResult> {
        let inner = self.lock_state();
        let fact = *inner.results.get(&candidate)?;
        inner.is_for_test(self.test.as_deref()).then_some(fact)
    }
}

/// A file to append to, and what it holds. Others may append to it, but not cut it as long as it is open.
fn open_and_read(path: &Path) -> io::Result<(File, Vec<u8>)> {
    loop {
        let mut file = own_files::open_or_create_own(path, is_cache_start, MODE)?;
        // Some file systems have no locks; then nobody cuts it. While another cuts it there is none to be had either: what is written into
        // the old file then is lost, and costs no more than what it says.
        let locked = file.try_lock_shared().is_ok();
        if locked && !own_files::is_same_file(&file, path) {
            // It was cut before it was locked, and another is in its place.
            continue;
        }
        ensure_owned_by_user(path, &file.metadata()?)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        return Ok((file, bytes));
    }
}

/// Replaces this file by one with its newest lines, unless another lop has it. The lock on this one is gone then.
fn compact_file(path: &Path, file: &File, bytes: &[u8], kept: u64) -> io::Result<()> {
    // The file is locked shared. On Unix this is flock, which turns that lock into an exclusive one.
    if file.try_lock().is_err() {
        return Ok(());
    }
    let newest = &bytes[bytes.len().saturating_sub(kept as usize)..];
    let ends = newest
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n');
    let mut lines = ends.map(|(at, _)| &newest[at + 1..]);
    let whole = lines.find(|lines| is_line_start(lines));
    let rights = FilePermissions {
        mode: Some(MODE),
        owner: None,
    };
    let writer = FileWriter::for_path(path);
    // Nobody else has it: files beside it were left by killed runs.
    writer.remove_leftovers(file_names::parent_directory(path));
    writer.replace_file(path, whole.unwrap_or_default(), rights)
}

impl VerdictCacheState {
    fn is_for_test(&self, test: Option<&Path>) -> bool {
        self.stamp.is_some() && test_file_stamp(test) == self.stamp
    }

    /// Appends a line in one write, so that lines of several lops do not mix.
    fn append_entry(&mut self, entry: &VerdictEntry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        checksum::append_checksum(&mut line, checksum::START);
        self.bytes_left = self
            .bytes_left
            .checked_sub(line.len() as u64)
            .ok_or_else(|| io::Error::other("it is full, and will be cut down by the next run"))?;
        self.file.write_all(&line)
    }
}

impl VerdictStore for VerdictCache {
    fn get(&self, candidate: ContentHash) -> Option<TestResult> {
        let result = self.find_result(candidate)?;
        (result.verdict != Verdict::Interesting).then_some(result)
    }

    fn predict_verdict(&self, candidate: ContentHash) -> Option<Verdict> {
        let result = self.find_result(candidate)?;
        (result.verdict == Verdict::Interesting).then_some(result.verdict)
    }

    fn contradicts_known(&self, candidate: ContentHash, verdict: Verdict) -> bool {
        verdict != Verdict::Interesting && self.predict_verdict(candidate).is_some()
    }

    fn store_result(&self, candidate: ContentHash, result: TestResult) -> Option<String> {
        let mut inner = self.lock_state();
        if !inner.is_for_test(self.test.as_deref()) {
            let first = inner.stamp.take().is_some();
            return first.then(|| {
                "the test has changed, so the cache is neither asked nor told any more".into()
            });
        }
        let old = inner.results.insert(candidate, result);
        let same =
            old.is_some_and(|old| old.verdict == result.verdict && old.limits == result.limits);
        if inner.closed || same {
            return None;
        }
        if let Err(error) = inner.append_entry(&VerdictEntry::new(candidate, &result)) {
            inner.closed = true;
            return Some(format!(
                "the cache {} cannot be written: {error}; the run continues, and what its test says is not kept there",
                self.path.escape_hidden()
            ));
        }
        let was = old.is_some_and(|old| old.verdict == Verdict::Interesting);
        (was && result.verdict != Verdict::Interesting).then(|| {
            "the cache had a candidate as interesting that the test does not find interesting now; it is not taken, and the cache \
             corrected. If the test calls another program than it did, use another --cache"
                .into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::TestExit;

    /// A directory with a test in it, and what is known of it.
    struct Desk {
        dir: tempfile::TempDir,
    }

    fn hash(number: u32) -> ContentHash {
        ContentHash::from_bytes(&number.to_le_bytes())
    }

    fn fact(verdict: Verdict, limit: u64) -> TestResult {
        let limits = TimeLimits {
            wall: Some(Duration::from_secs(limit)),
            cpu: Some(Duration::from_secs(4 * limit)),
        };
        let times = (Duration::from_millis(7), Some(Duration::from_millis(5)));
        TestResult::from_record(ResultOrigin::Store, verdict, None, times, limits)
    }

    impl Desk {
        fn new() -> Desk {
            let dir = tempfile::tempdir().expect("a directory");
            fs::write(dir.path().join("test"), "#!/bin/sh\n").expect("a test");
            Desk { dir }
        }

        fn open(&self, largest: u64) -> VerdictCache {
            let (directory, test) = (self.dir.path().join("cache"), self.dir.path().join("test"));
            VerdictCache::open_with_limit(&directory, hash(0), Some(&test), largest)
                .expect("a cache")
        }

        fn file(&self) -> PathBuf {
            self.dir.path().join(format!("cache/{}.verdicts", hash(0)))
        }
    }

    #[test]
    fn what_was_uninteresting_is_an_answer_and_what_was_interesting_a_hint() {
        let desk = Desk::new();
        let cache = desk.open(MAX_BYTES);
        let uninteresting = fact(Verdict::Uninteresting, 2);
        let slow = TestResult {
            exit: Some(TestExit::Killed(LimitKind::Memory)),
            ..fact(Verdict::TimedOut, 2)
        };
        assert_eq!(cache.store_result(hash(1), uninteresting), None);
        assert_eq!(
            cache.store_result(hash(2), fact(Verdict::Interesting, 2)),
            None
        );
        assert_eq!(cache.store_result(hash(3), slow), None);
        drop(cache);
        let cache = desk.open(MAX_BYTES);
        assert_eq!(
            (cache.get(hash(1)), cache.predict_verdict(hash(1))),
            (Some(uninteresting), None)
        );
        let hint = Some(Verdict::Interesting);
        assert_eq!(
            (cache.get(hash(2)), cache.predict_verdict(hash(2))),
            (None, hint)
        );
        let slow = cache.get(hash(3)).expect("it is known");
        assert_eq!(
            slow.exit,
            Some(TestExit::Killed(LimitKind::Memory)),
            "by what it was"
        );
        assert!(slow.is_valid_under(slow.limits) && !slow.is_valid_under(TimeLimits::default()));
        // It does not reproduce: that is reported, and remembered.
        let told = cache
            .store_result(hash(2), uninteresting)
            .expect("a sentence");
        assert!(told.contains("does not find interesting now"), "{told}");
        drop(cache);
        assert_eq!(desk.open(MAX_BYTES).get(hash(2)), Some(uninteresting));
    }

    #[test]
    fn two_append_to_one_and_damage_costs_only_what_it_hit() {
        let desk = Desk::new();
        let (one, other) = (desk.open(MAX_BYTES), desk.open(MAX_BYTES));
        std::thread::scope(|scope| {
            for (cache, from) in [(&one, 0), (&other, 500)] {
                scope.spawn(move || {
                    for number in from..from + 500 {
                        cache.store_result(hash(number), fact(Verdict::Uninteresting, 2));
                    }
                });
            }
        });
        drop((one, other));
        assert_eq!(desk.open(MAX_BYTES).len(), 1000);
        let mut bytes = fs::read(desk.file()).expect("the file");
        let line = bytes.len() / 1000;
        bytes[3 * line + 20] ^= 1;
        bytes.truncate(bytes.len() - 7);
        fs::write(desk.file(), &bytes).expect("written");
        let cache = desk.open(MAX_BYTES);
        assert_eq!(cache.len(), 998, "one that was hit and one that was torn");
        cache.store_result(hash(2000), fact(Verdict::Uninteresting, 2));
        drop(cache);
        assert_eq!(desk.open(MAX_BYTES).len(), 999);
        for length in 0..2 * line {
            fs::write(desk.file(), &bytes[..length]).expect("written");
            assert!(desk.open(MAX_BYTES).len() <= 2);
        }
    }

    #[test]
    fn what_somebody_put_in_its_place_is_neither_read_nor_written() {
        let desk = Desk::new();
        desk.open(MAX_BYTES)
            .store_result(hash(1), fact(Verdict::Uninteresting, 2));
        let theirs = desk.dir.path().join("theirs");
        fs::write(&theirs, "precious").expect("a file");
        let refused = || {
            let (directory, test) = (desk.dir.path().join("cache"), desk.dir.path().join("test"));
            let opened = VerdictCache::open(&directory, hash(0), Some(&test));
            opened.err().expect("refused").to_string()
        };
        fs::remove_file(desk.file()).expect("removed");
        std::os::unix::fs::symlink(&theirs, desk.file()).expect("a link");
        assert!(refused().contains("is a link"), "{}", refused());
        fs::remove_file(desk.file()).expect("removed");
        fs::copy(&theirs, desk.file()).expect("a copy");
        let said = refused();
        assert!(said.contains("is a file that lop did not write"), "{said}");
        for path in [theirs, desk.file()] {
            assert_eq!(fs::read_to_string(path).expect("text"), "precious");
        }
    }

    #[test]
    fn it_does_not_grow_for_ever_and_the_newest_stay() {
        let desk = Desk::new();
        let cache = desk.open(20_000);
        let told: Vec<String> = (0..1000)
            .filter_map(|number| cache.store_result(hash(number), fact(Verdict::Uninteresting, 2)))
            .collect();
        assert!(
            told.len() == 1 && told[0].contains("it is full"),
            "{told:?}"
        );
        let full = fs::metadata(desk.file()).expect("the file").len();
        assert!(full <= 20_000);
        let before = desk.open(u64::MAX);
        let busy = desk.open(20_000);
        assert_eq!(
            before.len(),
            busy.len(),
            "while another has it, it is not cut"
        );
        drop((before, busy, cache));
        let mut old = File::open(desk.file()).expect("the file");
        let cache = desk.open(20_000);
        // So a kill at any instant leaves one or the other.
        let mut whole = Vec::new();
        old.read_to_end(&mut whole).expect("read");
        assert_eq!(whole.len() as u64, full, "who had it open has all of it");
        let left = fs::metadata(desk.file()).expect("the file").len();
        assert!((4_000..=5_000).contains(&left), "{left}");
        let newest = (0..1000)
            .rev()
            .find(|number| cache.get(hash(*number)).is_some());
        assert!(newest > Some(80) && cache.get(hash(0)).is_none());
        assert_eq!(
            cache.store_result(hash(5000), fact(Verdict::Uninteresting, 2)),
            None
        );
        assert!(matches!(
            cache.get(hash(5000)),
            Some(TestResult { exit: None, .. })
        ));
    }

    #[test]
    fn a_test_that_changes_meanwhile_is_not_answered_for() {
        let desk = Desk::new();
        let cache = desk.open(MAX_BYTES);
        cache.store_result(hash(1), fact(Verdict::Uninteresting, 2));
        fs::write(desk.dir.path().join("test"), "#!/bin/sh\nfalse\n").expect("another test");
        assert_eq!(cache.get(hash(1)), None);
        let told = cache.store_result(hash(2), fact(Verdict::Uninteresting, 2));
        assert!(told.expect("a sentence").contains("the test has changed"));
        assert_eq!(
            cache.store_result(hash(3), fact(Verdict::Uninteresting, 2)),
            None
        );
        drop(cache);
        assert_eq!(desk.open(MAX_BYTES).len(), 1);
    }

    #[test]
    fn a_test_that_changes_meanwhile_denies_nothing() {
        let desk = Desk::new();
        let cache = desk.open(MAX_BYTES);
        cache.store_result(hash(1), fact(Verdict::Interesting, 2));
        assert!(cache.contradicts_known(hash(1), Verdict::Uninteresting));
        fs::write(desk.dir.path().join("test"), "#!/bin/sh\nfalse\n").expect("another test");
        assert!(
            !cache.contradicts_known(hash(1), Verdict::Uninteresting),
            "it is another's word"
        );
    }
}
