//! Reduces a program in C with a test that is a function: what still divides by zero is interesting.

use std::ops::ControlFlow;

use lop::{Reduction, ReductionError, ReductionEvent};

const PROGRAM: &str = "
int total = 0;
int add(int a, int b) { total += a; return a + b; }
int main(void) {
    for (int i = 0; i < 10; i++)
        add(i, total / 0);
    return add(1, 2);
}";

fn main() -> Result<(), ReductionError> {
    let reduced = Reduction::builder()
        .text("bug.c", PROGRAM)
        .test(|candidate: &[u8]| String::from_utf8_lossy(candidate).contains("/ 0"))
        .jobs(2)
        .observer(|event| {
            if let ReductionEvent::Reduced { size } = event {
                println!("{} tokens", size.tokens);
            }
            ControlFlow::Continue(())
        })
        .build()?
        .run()?;
    assert_eq!(reduced.text.trim_ascii(), b"/ 0");
    println!("{} tests: {}", reduced.tests, reduced.certificate);
    Ok(())
}
