//! `lop compare`: several strategies on one input, with one store of verdicts.

mod chart;
mod report;

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{never, select};

use super::args::Compare;
use super::complain;
use super::failure::{FAILED, Failure, OrFail, status_of};
use super::names::Named;
use super::ready::Ready;
use super::tongue;
use crate::oracle::Limit;
use crate::plain::Out;
use crate::program::Version;
use crate::reduce::{self, Command, Finish, Memory, Point, Setup, Snapshot, State, VerdictStore};

/// What a strategy did.
struct Row {
    name: String,
    tokens: u32,
    bytes: u32,
    /// Tests as if the strategy were alone, and those that really ran.
    tests: u64,
    ran: u64,
    refused: u64,
    time: Duration,
    /// Sizes after each take, the original first, the end last.
    curve: Vec<Point>,
}

impl Row {
    fn new(name: &str, last: &Snapshot) -> Row {
        let elapsed = last.now.saturating_duration_since(last.started);
        let time = elapsed + last.spared;
        let end = Point {
            tests: last.counts.tests,
            time,
            tokens: last.version.tokens(),
        };
        Row {
            name: name.to_owned(),
            tokens: last.version.tokens(),
            bytes: last.version.bytes(),
            tests: last.counts.tests,
            ran: last.counts.tests - last.counts.recalled,
            refused: last.counts.refused,
            time,
            curve: last.curve.iter().copied().chain([end]).collect(),
        }
    }
}

/// Runs all strategies and shows what they did; the exit status.
pub(super) fn run(compare: &Compare) -> Result<u8, Failure> {
    let place = &compare.place;
    let scratch = place.scratch.as_deref();
    let mut ready = Ready::new(&compare.file, &compare.test, scratch, &place.care, 1)?;
    let language = tongue::chosen(&compare.file, None, place.grammar.as_deref())?;
    let version = ready.version(language)?;
    let mut limit = compare.place.timeout.unwrap_or_else(Limit::adaptive);
    let first = ready.original(limit.current(), None)?;
    ready.tell();
    limit.interesting(first.time, first.cpu);
    let store: Arc<dyn VerdictStore> = Arc::new(Memory::default());
    let (mut rows, mut stopped) = (Vec::new(), None);
    for (at, named) in compare.strategies.iter().enumerate() {
        complain(&format!(
            "{}, {} of {}",
            named.name,
            at + 1,
            compare.strategies.len()
        ));
        let (last, signal) = one(&ready, &version, limit, named, store.clone())?;
        match &last.state {
            State::Finished(Finish::Failed(reason)) => {
                return Err(Failure::new(FAILED, format!("{}: {reason}", named.name)));
            }
            State::Finished(Finish::Complete) => rows.push(Row::new(&named.name, &last)),
            _ => complain(&format!("stopped in {}, which is left out", named.name)),
        }
        stopped = signal;
        if stopped.is_some() {
            break;
        }
    }
    let page = match compare.csv {
        true => report::csv(&rows),
        false => report::page(&rows, &version),
    };
    if !rows.is_empty() {
        Out::stdout().page(&page);
    }
    Ok(stopped.map_or(0, status_of))
}

/// Runs one strategy to its end or until a signal comes; its last snapshot, and the signal.
fn one(
    ready: &Ready,
    version: &Version,
    limit: Limit,
    named: &Named,
    store: Arc<dyn VerdictStore>,
) -> Result<(Arc<Snapshot>, Option<i32>), Failure> {
    let runner = ready.runner(1).or_fail(FAILED)?;
    let run = reduce::start(Setup {
        options: named.options,
        store: Some(store),
        ..Setup::new(version.clone(), runner, limit)
    })
    .or_fail(FAILED)?;
    let (mut signals, mut heard) = (ready.signals.heard.clone(), None);
    loop {
        select! {
            // The events end with the run; what they say is in the last snapshot.
            recv(run.events) -> event => if event.is_err() { break },
            recv(signals) -> signal => match signal {
                Ok(signal) => {
                    heard = Some(signal);
                    // A run that has ended meanwhile hears nothing.
                    let _ = run.commands.send(Command::Stop);
                }
                Err(_) => signals = never(),
            },
        }
    }
    let last = run.finish().ok_or_else(|| {
        Failure::new(
            FAILED,
            "lop's engine died before it began, which is a fault of lop",
        )
    })?;
    Ok((last, heard))
}
