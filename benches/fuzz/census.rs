//! A number of mutations, counted by language: their cost, and the findings.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::driver::{End, Findings, Took, child};
use super::input;
use super::mutation::{TARGET, names, parts};

/// What computes for longer, or has more memory (in kB), is a finding.
const LIMIT: Duration = Duration::from_secs(60);
const MEMORY: u64 = 1 << 20;

/// Few inputs a child, so that what stays in memory is that of few others.
const CHILD: u64 = 25;

/// A language's counts.
#[derive(Default)]
struct Row {
    inputs: u64,
    questions: u64,
    cpu: Duration,
    slowest: (Duration, u64),
    largest: (u64, u64),
    findings: u64,
}

impl Row {
    fn add(&mut self, seed: u64, took: Took) {
        self.inputs += 1;
        self.questions += took.questions;
        self.cpu += took.cpu;
        self.slowest = self.slowest.max((took.cpu, seed));
        self.largest = self.largest.max((took.peak, seed));
    }

    fn merge(&mut self, other: &Row) {
        self.inputs += other.inputs;
        self.questions += other.questions;
        self.cpu += other.cpu;
        self.slowest = self.slowest.max(other.slowest);
        self.largest = self.largest.max(other.largest);
        self.findings += other.findings;
    }

    fn print(&self, name: &str) {
        println!(
            "{name:<16} {:>7} {:>10} {:>8.1} {:>9.2} {:>8} {:>8.1} {:>8} {:>9}",
            self.inputs,
            self.questions,
            self.cpu.as_secs_f64(),
            self.slowest.0.as_secs_f64(),
            self.slowest.1,
            self.largest.0 as f64 / 1024.0,
            self.largest.1,
            self.findings
        );
    }
}

/// Executes this number of seeds, prints the table, and ends the process with 1 if something was found.
pub fn take(count: u64, first: u64) {
    let began = Instant::now();
    let mut rows: BTreeMap<&str, Row> = names()
        .into_iter()
        .map(|name| (name, Row::default()))
        .collect();
    let mut findings = Findings::default();
    let mut row = |seed: u64, see: &mut dyn FnMut(&mut Row)| {
        let input = input(&TARGET, seed);
        see(rows.get_mut(parts(&input).0).expect("one of the names"));
    };
    let (mut seed, last) = (first, first + count);
    while seed < last {
        let mut heavy = Vec::new();
        let end = child(
            &TARGET,
            seed..last.min(seed + CHILD),
            LIMIT,
            None,
            |seed, took| {
                row(seed, &mut |row| row.add(seed, took));
                if took.cpu > LIMIT || took.peak > MEMORY {
                    heavy.push((
                        seed,
                        format!("took more than {LIMIT:?} or {} MB", MEMORY >> 10),
                    ));
                }
            },
        );
        let found = match end {
            End::Whole => {
                seed += CHILD;
                None
            }
            End::Found(at, what) => {
                seed = at + 1;
                row(at, &mut |row| row.inputs += 1);
                Some((at, what))
            }
        };
        for (at, what) in heavy.into_iter().chain(found) {
            row(at, &mut |row| row.findings += 1);
            findings.add(&TARGET, at, what);
        }
    }
    println!(
        "{:<16} {:>7} {:>10} {:>8} {:>9} {:>8} {:>8} {:>8} {:>9}",
        "language",
        "inputs",
        "questions",
        "cpu s",
        "slowest s",
        "(seed)",
        "most MB",
        "(seed)",
        "findings"
    );
    let mut all = Row::default();
    for (name, row) in &rows {
        row.print(name);
        all.merge(row);
    }
    all.print("all");
    println!(
        "from seed {first}, in {:.0} s; {} kinds of findings",
        began.elapsed().as_secs_f64(),
        findings.count()
    );
    findings.close();
}
