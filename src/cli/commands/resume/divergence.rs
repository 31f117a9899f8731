//! What has changed since a session was written, and what of its results still holds.

use std::path::Path;
use std::sync::Arc;

use crate::cli::launch::header::{hash_grammar, hash_test};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::recorded_run::{changed_variables, recorded_language};
use crate::display::EscapeHidden;
use crate::reduce::{HintStore, LayeredStore, VerdictStore};
use crate::session::history::SessionHistory;
use crate::session::journal::{HeaderInvocation, HeaderIsolation, RunFingerprint};

/// The test, isolation and grammars of the resumed run.
pub fn current_fingerprint(history: &SessionHistory, prepared: &PreparedRun) -> RunFingerprint {
    let files = history.header.files.iter();
    RunFingerprint {
        test_hash: hash_test(prepared.script_path(), prepared.test.stages()).0,
        isolation: Some(HeaderIsolation::from(&prepared.isolation)),
        grammars: files
            .map(|file| recorded_language(file).ok()?.map(hash_grammar))
            .collect(),
    }
}

/// Why the decisions can differ from the recorded ones; none if they cannot.
pub fn describe_divergence(history: &SessionHistory, now: &RunFingerprint) -> Option<String> {
    let lop = env!("CARGO_PKG_VERSION");
    let (wrote, then) = history.last_fingerprint();
    let pairs = then.grammars.iter().zip(&now.grammars);
    let mut grammars = pairs.filter(|(then, _)| then.is_some());
    if history.has_unknown_resume() {
        return Some("the session was resumed in another way before".into());
    }
    if then.test_hash != now.test_hash {
        return Some(
            "the test has changed, so its old verdicts decide nothing: everything is tested again, the likeliest first"
                .into(),
        );
    }
    if let Some((then, now)) = then
        .isolation
        .zip(now.isolation)
        .filter(|(then, now)| then != now)
    {
        return Some(format!(
            "the limits of a test are {now} now and were {then}, so its old verdicts decide nothing: everything is tested again, the likeliest first"
        ));
    }
    if wrote != lop {
        return Some(format!(
            "the session was begun by lop {}, and this is lop {lop}",
            wrote.escape_hidden()
        ));
    }
    grammars
        .any(|(then, now)| then != now)
        .then(|| "lop's grammar of the language has changed".into())
}

/// The known verdicts: the session's own of this test, then those of the cache. Verdicts of other tests are only hints.
pub fn build_store(
    cache: Option<&Path>,
    prepared: &PreparedRun,
    history: &SessionHistory,
    now: &RunFingerprint,
    notes: &mut Vec<String>,
) -> Arc<dyn VerdictStore> {
    let mut layers: Vec<Arc<dyn VerdictStore>> = vec![Arc::new(history.verdicts_of_test(now))];
    if let Some(all) = &prepared.offline {
        layers.push(all.clone());
        return Arc::new(LayeredStore(layers));
    }
    let limit = history.recorded_property().limit;
    layers.extend(prepared.known_verdicts(cache, limit, notes));
    layers.push(Arc::new(HintStore(history.verdict_hints(now))));
    Arc::new(LayeredStore(layers))
}

/// The known changes of the environment.
pub fn describe_environment_changes(run: &HeaderInvocation) -> Option<String> {
    let names = changed_variables(run);
    (!names.is_empty()).then(|| {
        format!(
            "{} has changed since the session began; if the test gives other verdicts now, start a new run",
            names.iter().map(|name| name.escape_hidden()).collect::<Vec<_>>().join(", ")
        )
    })
}
