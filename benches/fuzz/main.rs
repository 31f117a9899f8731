//! Hostile input: what is made of texts that nobody would write. `benches/fuzz/run` runs all of it.
//!
//! A *target* makes an input of a number, the seed, and says what must hold of it by panicking when it does not. Executions are made by
//! a child process, which says the seed of each before it begins: when the child dies (a panic, a stack that overflows, memory beyond
//! `ulimit -v`) or takes too long, that seed is a finding, its input is kept in `target/tmp/fuzz/`, and another child goes on behind it.
//!
//! ```sh
//! cargo bench --profile dev --bench fuzz -- TARGET [MINUTES [SEED]]   # look for findings
//! cargo bench --profile dev --bench fuzz -- TARGET FILE               # one input again
//! cargo bench --profile dev --bench fuzz -- --count N [SEED]          # so many mutations, and a table; `benches/mutations`
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
