//! Mutated programs of all languages: read, printed, and reduced by the default strategy with a test whose verdicts are known.

use std::collections::BTreeSet;
use std::iter;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use lop::language::{self, Language};
use lop::oracle::{LimitPolicy, ScriptedRunner};
use lop::program::{self, Version};
use lop::reduce::{self, FinishReason, RunEvent, RunSetup, RunSnapshot};

use super::Target;
use super::exercise::{hash, outcome, text};
use super::guarded::{Asked, guard_held};
use super::mutate::Mutator;
use super::predicate::Predicate;
use super::random::Random;
use super::source::{PAIRS, WORDS};

pub const TARGET: Target = Target {
    name: "mutation",
    what: "programs in every language, made worse: printed as they were, reduced to something that passes, the same by many workers",
    input,
    run,
};

/// A run ends after this number of candidates, and a run on a large program after this number of bytes of candidates, but not before the
/// least.
const MOST: u64 = 500;
const BYTES: u64 = 20_000_000;
const LEAST: u64 = 30;

/// The questions of all runs of this process.
pub static QUESTIONS: AtomicU64 = AtomicU64::new(0);

/// A language that has no row in the table: a user's grammar in BNF.
const WRITTEN: &str = "json.bnf";

/// The names of all languages that texts may be read in; the last is not a language.
pub fn names() -> Vec<&'static str> {
    let known = language::all_languages()
        .iter()
        .map(|language| language.name);
    known.chain([WRITTEN, "text"]).collect()
}

fn known(name: &str) -> Option<&'static Language> {
    static OWN: OnceLock<Option<&'static Language>> = OnceLock::new();
    let own = || {
        let grammar = include_str!("../../grammars/json.bnf");
        OWN.get_or_init(|| language::load_bnf(WRITTEN, grammar).ok())
    };
    match name {
        WRITTEN => *own(),
        _ => language::by_name(name),
    }
}

fn sample(name: &str) -> &'static [u8] {
    let like = match name {
        WRITTEN => "json",
        "text" => "python",
        name => name,
    };
    let language = language::by_name(like).expect("one of the table");
    language.sample_program().1.as_bytes()
}

/// The name of a language, a line of it, and a text.
pub fn parts(input: &[u8]) -> (&str, &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n');
    let (name, rest) = input.split_at(end.unwrap_or(input.len()));
    let name = std::str::from_utf8(name).unwrap_or("text");
    (name, rest.get(1..).unwrap_or_default())
}

fn input(random: &mut Random) -> Vec<u8> {
    let names = names();
    let name = *random.pick(&names);
    let own = [sample(name)];
    let all: Vec<&[u8]> = names.iter().map(|name| sample(name)).collect();
    // Deep and long texts cost most, so they are few; how much they may cost is what is looked at.
    let (depth, most) = match random.below(100) {
        0 => (100_000, 1_000_000),
        1..3 => (10_000, 100_000),
        3..8 => (1000, 20_000),
        _ => (20, 6000),
    };
    let mutator = Mutator {
        words: WORDS,
        pairs: PAIRS,
        depth,
        others: if random.one_in(4) { &all } else { &own },
    };
    let mut text = sample(name).to_vec();
    mutator.mutate(random, &mut text);
    text.truncate(most);
    [name.as_bytes(), b"\n", &text].concat()
}

fn run(input: &[u8]) {
    let (name, source) = parts(input);
    let language = known(name);
    let path: Arc<Path> = Path::new("a.txt").into();
    let Ok(version) = program::read_documents(vec![(language, path, source.into())]) else {
        // The parser gave up, as it may.
        return;
    };
    assert!(text(&version) == source, "it is printed otherwise");
    let again = program::reparse_version(&version);
    assert!(
        language.is_none() || again.is_some_and(|again| text(&again) == source),
        "it is printed otherwise when it was read again"
    );
    let mut random = Random::new(hash(source, 3));
    let predicate = Predicate::of(source, &mut random);
    let one = reduce(&version, &predicate, 1);
    passes(&one.last, &predicate);
    if source.len() < 20_000 && random.one_in(3) {
        guard_held(language, &one.last, &one.asked);
    }
    if random.one_in(6) {
        let jobs = *random.pick(&[2, 3, 8, 16]);
        let many = reduce(&version, &predicate, jobs);
        let went = |run: &Went| (run.last.counts.decisions, texts(&run.last));
        assert!(
            went(&one) == went(&many),
            "{jobs} workers decide otherwise than one"
        );
    }
}

/// A run that has ended.
struct Went {
    last: Arc<RunSnapshot>,
    /// What was tested, in this order if there was one worker.
    asked: Vec<Asked>,
}

fn texts(last: &RunSnapshot) -> Vec<Vec<u8>> {
    let all = last.history.iter();
    all.map(|past| text(&past.version)).collect()
}

fn reduce(version: &Version, predicate: &Predicate, jobs: usize) -> Went {
    let tested: Arc<Mutex<Vec<Arc<[u8]>>>> = Arc::default();
    let (seen, wanted) = (tested.clone(), predicate.clone());
    let runner = ScriptedRunner::new(move |files| {
        let text = &files[0].1;
        if jobs == 1 {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.push(text.clone());
        }
        outcome(wanted.holds(text))
    });
    let limit = LimitPolicy::fixed(Duration::from_secs(60));
    let most = (BYTES / u64::from(version.byte_count().max(1))).clamp(LEAST, MOST);
    let run = reduce::start_run(RunSetup {
        jobs,
        script: reduce::parse_script(&format!("at decision {most}: stop")).expect("a script"),
        ..RunSetup::new(version.clone(), runner, limit)
    });
    let run = run.expect("a run");
    let (mut pass, mut base, mut questions) = ("", 0, Vec::new());
    let mut finish = None;
    for event in run.events.iter() {
        match event {
            RunEvent::PassStarted { pass: next, .. } => pass = next,
            RunEvent::Decided(decided) if decided.time.is_some() => {
                questions.push((pass, base, decided.edit.clone()))
            }
            RunEvent::Accepted { version, .. } | RunEvent::VersionSwitched { version, .. } => {
                base = version
            }
            RunEvent::Finished(how) => finish = Some(how),
            _ => {}
        }
    }
    assert!(
        matches!(finish, Some(FinishReason::Complete | FinishReason::Stopped)),
        "it ends with {finish:?}"
    );
    let last = run.wait_for_end().expect("a snapshot");
    QUESTIONS.fetch_add(last.counts.decisions, Ordering::Relaxed);
    let mut tested = tested.lock().unwrap_or_else(PoisonError::into_inner);
    let asked = tested.drain(..).zip(questions);
    let asked = asked.map(|(text, (pass, base, edit))| Asked {
        text,
        edit,
        pass,
        base,
    });
    Went {
        asked: asked.collect(),
        last,
    }
}

/// Each version is interesting, and smaller by the objective than the one before, as that was made or as it was when its text was parsed again; inside a
/// detour it may be larger, but its end is smaller than the version that it left. (The parser may see more tokens when it reads again: a text that has
/// lost a part may be read in another way, as when a quote goes that has swallowed half of it.)
fn passes(last: &RunSnapshot, predicate: &Predicate) {
    let inside = versions_inside_detours(last);
    for past in last.history.iter() {
        let Some(before) = past.ended_detour.or(past.parent) else {
            continue;
        };
        let (version, before) = (&past.version, &last.history[before as usize].version);
        assert!(
            predicate.holds(&text(version)),
            "a version does not pass: {predicate:?}"
        );
        assert!(
            inside.contains(&past.number)
                || version.size() < before.size()
                || program::reparse_version(before)
                    .is_some_and(|again| version.size() < again.size()),
            "a version is not smaller, {:?} after {:?}: {}",
            version.size(),
            before.size(),
            past.sentence
        );
    }
}

/// The versions on the way of a detour, without its end; of one that has not ended, all.
fn versions_inside_detours(last: &RunSnapshot) -> BTreeSet<u64> {
    let parent = |number: &u64| last.history[*number as usize].parent;
    let mut inside = BTreeSet::new();
    for past in last.history.iter() {
        if past.in_detour {
            inside.insert(past.number);
        }
        if let Some(base) = past.ended_detour {
            let way = iter::successors(past.parent, parent);
            inside.extend(way.take_while(|number| *number != base));
        }
    }
    inside
}
