//! `--cache DIR`: the verdicts of earlier runs with the same test.

use std::path::Path;
use std::sync::Arc;

use super::header::{hash_test, recorded_environment};
use super::prepared_run::PreparedRun;
use crate::display::EscapeHidden;
use crate::oracle::LimitPolicy;
use crate::program::ContentHash;
use crate::reduce::VerdictStore;
use crate::session::journal::HeaderIsolation;
use crate::session::{InputFile, VerdictCache};

/// The version of the format; it is part of the key.
const FORMAT: u32 = 2;

/// Variables that differ between terminals or shells. No test should depend on them.
const PASSING: &[&str] = &[
    "_",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "COLUMNS",
    "LINES",
    "TERM",
    "COLORTERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TERM_SESSION_ID",
    "VTE_VERSION",
    "XDG_SESSION_ID",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "WINDOWID",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
];

/// The hash of everything known that a verdict depends on, except the candidate's bytes. The time limit is part of it only if the
/// property is a hang; otherwise it is stored beside each verdict.
fn cache_key(prepared: &PreparedRun, limit: LimitPolicy) -> ContentHash {
    let (test, _) = hash_test(prepared.script_path(), prepared.test.stages());
    let files = prepared.input.files().iter();
    let mut files: Vec<String> = files
        .map(|file| file.test_path().to_string_lossy().into_owned())
        .collect();
    if let Some(project) = prepared.input.project() {
        // What a test gets as `$1`, what it may execute, and what is a link.
        files.push(format!("directory {}", project.is_directory()));
        let special = project.files().iter().map(InputFile::special_kind);
        files.push(format!("special {:?}", special.collect::<Vec<_>>()));
    }
    let mut environment = recorded_environment();
    environment.retain(|(name, _)| !PASSING.contains(&&name[..]));
    let property = prepared.test.property();
    let hang = limit.hang_limit().map(|limit| limit.as_nanos() as u64);
    let care = HeaderIsolation::from(&prepared.isolation);
    // Strings and numbers are always JSON.
    let all = serde_json::to_vec(&(FORMAT, test, property, files, environment, care, hang));
    ContentHash::from_bytes(&all.unwrap_or_default())
}

/// The cache that the user wants, if it can be opened. Adds notes about it.
pub fn open_cache(
    directory: Option<&Path>,
    prepared: &PreparedRun,
    limit: LimitPolicy,
    notes: &mut Vec<String>,
) -> Option<Arc<dyn VerdictStore>> {
    let directory = directory?;
    match VerdictCache::open(
        directory,
        cache_key(prepared, limit),
        prepared.script_path(),
    ) {
        Ok(cache) => {
            if !cache.is_empty() {
                notes.push(format!(
                    "the cache knows {} verdicts of this test",
                    cache.len()
                ));
            }
            Some(Arc::new(cache))
        }
        Err(error) => {
            let directory = directory.escape_hidden();
            notes.push(format!(
                "the cache {directory} cannot be used: {error}; the run continues without it"
            ));
            None
        }
    }
}
