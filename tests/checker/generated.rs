//! What the generator writes: right programs of any size, each with a fault that one thread never finds.

use crate::command::Check;
use crate::explore::Outcome::{Fails, Safe};
use crate::generate::{Size, generate_program};
use crate::program::Defect;

#[test]
fn every_generated_program_is_right_and_fails_with_two_threads_only() {
    let sizes = [(100, 1, 0), (200, 5, 3), (400, 8, 2)];
    for (lines, globals, functions) in sizes {
        for seed in 0..20 {
            let text = generate_program(
                seed,
                Size {
                    lines,
                    globals,
                    functions,
                },
            );
            let answer = |threads, defect| {
                let check = Check {
                    defect,
                    ..Check::with_threads(threads)
                };
                check
                    .run(&text)
                    .unwrap_or_else(|refusal| panic!("seed {seed}: {refusal:?}\n{text}"))
            };
            assert!(text.lines().count() >= lines, "seed {seed}\n{text}");
            assert_eq!(answer(1, None), Safe, "seed {seed}\n{text}");
            assert_eq!(answer(2, None), Fails, "seed {seed}\n{text}");
            assert_eq!(answer(2, Some(Defect::Mixed)), Safe, "seed {seed}\n{text}");
        }
    }
}

#[test]
fn a_seed_is_a_program() {
    let size = Size {
        lines: 100,
        ..Size::default()
    };
    assert_eq!(generate_program(7, size), generate_program(7, size));
    assert_ne!(generate_program(7, size), generate_program(8, size));
}
