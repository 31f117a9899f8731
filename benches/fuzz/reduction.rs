//! Reductions of hostile programs: the default strategy runs to its end, with the same decisions for any number of workers.

use super::Target;
use super::exercise::{hash, read, reduce};
use super::random::Random;
use super::source::{parts, program};

pub const TARGET: Target = Target {
    name: "reduction",
    what: "programs in every language, reduced by a test that says yes and no by the bytes, by one worker and by two",
    input,
    run,
};

fn input(random: &mut Random) -> Vec<u8> {
    let (most, depth) = if random.one_in(20) {
        (3000, 1000)
    } else {
        (700, 20)
    };
    program(random, most, depth)
}

fn run(input: &[u8]) {
    let (language, source) = parts(input);
    let Some(version) = read(language, source) else {
        return;
    };
    let salt = hash(input, 1);
    let says = (salt, 2 + salt % 5);
    let one = reduce(version.clone(), says, 1);
    let two = reduce(version, says, 2);
    assert!(one == two, "two workers decide otherwise: {one:?}\n{two:?}");
}
