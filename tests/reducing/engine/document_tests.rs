//! A program of two documents, with a test for each.

use std::path::Path;
use std::sync::Arc;

use lop::oracle::{
    InterestingnessTest, LocalRunner, ScratchSpace, StageCommand, StageRole, TestStage,
};
use lop::program::{self, walk};
use lop::reduce;

use crate::common::setup;

#[test]
fn the_tests_of_each_document_are_counted() {
    let says = |word: &str| {
        let line = StageCommand::Shell(format!("grep -q {word} {{}}"));
        vec![TestStage::new(StageRole::Says, line)]
    };
    let test = InterestingnessTest::for_pair(says("keep_seed"), says("keep_variant"));
    let file = |name: &str, text: &str| (Arc::from(Path::new(name)), Arc::from(text.as_bytes()));
    let files = vec![
        file("seed.c", "int a;\nint keep_seed;\nint b;\n"),
        file("variant.c", "int c;\nint d;\nint keep_variant;\n"),
    ];
    let version = program::read_program(files).expect("the programs can be read");
    let base = tempfile::tempdir().expect("a directory");
    let scratch = ScratchSpace::choose_base(Some(base.path()), 0, 1).expect("a scratch directory");
    let runner = LocalRunner::new(test, scratch, 1, None).expect("a runner");
    let run = reduce::start_run(setup(version, runner)).expect("a run");
    while run.events.recv().is_ok() {}
    let last = run.wait_for_end().expect("a snapshot");
    let documents = last.version.documents().iter();
    let texts: Vec<Vec<u8>> = documents
        .map(|document| walk::render_text(&document.root))
        .collect();
    assert_eq!(texts, [&b"int keep_seed;\n"[..], b"int keep_variant;\n"]);
    let counts = last.counts;
    let [seed, variant] = counts.tests_by_document;
    assert!(seed > 0 && variant > 0, "{counts:?}");
    // Most candidates change one document, so that one of the two tests is spared.
    let both = 2 * (counts.started + counts.repeated);
    assert!(seed + variant < both, "{counts:?}");
}
