//! Fuzzing with hostile input. `benches/fuzz/run` runs all targets.
//!
//! A *target* makes an input from a number, the seed, and panics if an invariant does not hold for it. A child process executes the inputs,
//! and prints the seed of each before it begins. When the child dies (a panic, a stack overflow, memory beyond `ulimit -v`) or is too slow,
//! that seed is a finding: its input is kept in `target/tmp/fuzz/`, and another child continues after it.
//!
//! ```sh
//! cargo bench --profile dev --bench fuzz -- TARGET [MINUTES [SEED]]   # search for findings
//! cargo bench --profile dev --bench fuzz -- TARGET FILE               # one input again
//! cargo bench --profile dev --bench fuzz -- --count N [SEED]          # N mutations, and a table; `benches/mutations`
//! ```

mod bnf;
mod census;
mod commands;
mod driver;
mod exercise;
mod grammar;
mod guarded;
mod journal;
mod mutate;
mod mutation;
mod predicate;
mod random;
mod reduction;
mod settings;
mod source;

use random::Random;

/// Something that reads what others wrote.
pub struct Target {
    pub name: &'static str,
    pub what: &'static str,
    /// The input of a seed.
    pub input: fn(&mut Random) -> Vec<u8>,
    /// Panics if something does not hold that must.
    pub run: fn(&[u8]),
}

const TARGETS: &[Target] = &[
    grammar::TARGET,
    bnf::TARGET,
    journal::TARGET,
    settings::TARGET,
    commands::TARGET,
    source::TARGET,
    reduction::TARGET,
    mutation::TARGET,
];

/// The input of a target by its seed.
fn input(target: &Target, seed: u64) -> Vec<u8> {
    (target.input)(&mut Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)))
}

fn main() {
    let line: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let words: Vec<&str> = line.iter().map(String::as_str).collect();
    let target = |name: &str| {
        let found = TARGETS.iter().find(|target| target.name == name);
        found.unwrap_or_else(|| panic!("there is no target {name}"))
    };
    let number = |word: &str| {
        word.parse()
            .unwrap_or_else(|_| panic!("{word} is no number"))
    };
    match words[..] {
        [] => TARGETS
            .iter()
            .for_each(|target| println!("{:10} {}", target.name, target.what)),
        ["--seeds", name, from, count] => driver::seeds(target(name), number(from), number(count)),
        ["--count", count] => census::take(number(count), 0),
        ["--count", count, seed] => census::take(number(count), number(seed)),
        [name] => driver::drive(target(name), 10.0, 0),
        [name, file] if std::path::Path::new(file).exists() => {
            (target(name).run)(&std::fs::read(file).expect("a file"));
        }
        [name, minutes] => driver::drive(target(name), minutes.parse().expect("minutes"), 0),
        [name, minutes, seed] => {
            driver::drive(
                target(name),
                minutes.parse().expect("minutes"),
                number(seed),
            );
        }
        _ => panic!("TARGET [MINUTES [SEED]], or TARGET FILE, or --count N [SEED]"),
    }
}
