//! On a finished run every token has an answer: why it is still there.

use lop::display::WallClock;
use lop::program::walk;
use lop::reduce::{self, NodeFacts};

use crate::common::{oracle, read, setup, verdict};

#[test]
fn on_a_finished_run_every_token_has_an_answer() {
    let program = "typedef int T;\nT spare;\nT f(T a) { return a + 1; }\nint main(void) { T x = f(2); if (x) { bug(x); spare = 3; } return 0; }\n";
    let runner = oracle(|text| verdict(text.contains("bug(x)") && text.contains("f(")));
    let run = reduce::start_run(setup(read("a.c", program), runner)).expect("a run");
    let last = run.wait_for_end().expect("a snapshot");
    let facts = NodeFacts::of_snapshot(&last, WallClock::default());
    let leaves = walk::iter_leaves(&last.version.documents()[0].root);
    for leaf in leaves.filter(|leaf| !leaf.text().is_empty()) {
        let path = last.version.path_to(leaf.id).expect("it is there");
        let answer = facts.answer(&path);
        let text = String::from_utf8_lossy(leaf.text());
        assert!(!answer.evidence.is_empty(), "{text}: {}", answer.sentence);
    }
}
