//! Crash tests: lop, its process group, its helpers and its tests are killed at any instant and in every way. The run is resumed, and
//! nothing is lost.
//!
//! `LOP_KILLS` is the number of kills, a few dozen by default. `LOP_SEED` runs a single round; a failure prints its number.

mod checks;
mod kinds;
mod process;
mod processes;
mod round;
mod scenes;
#[path = "../shell/mod.rs"]
mod shell;
mod tally;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use round::Round;
use scenes::{SCENES, Whole};
use tally::Tally;

/// Rounds beside each other: a run waits for its tests most of the time.
const THREADS: usize = 2;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn whatever_instant_lop_is_killed_at_nothing_is_lost() {
    let wholes: Vec<Whole> = SCENES.iter().map(Whole::of).collect();
    let tally = Tally::new(number("LOP_KILLS").unwrap_or(24));
    shell::Stage::heed_signals();
    let run = |seed: u64| {
        let whole = &wholes[seed as usize % wholes.len()];
        let ended = Round::new(seed, whole, &tally).run();
        tally.ended(seed, whole.scene, ended);
    };
    match number("LOP_SEED") {
        Some(seed) => run(seed),
        None => {
            let next = AtomicU64::new(0);
            let rounds = || {
                while tally.wants_more() {
                    run(next.fetch_add(1, Ordering::Relaxed));
                }
            };
            thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(rounds))));
        }
    }
    for whole in &wholes {
        println!("runs of {:.1?}: {}", whole.took, whole.scene.name);
    }
    println!("{tally}");
    let findings = tally.findings();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
