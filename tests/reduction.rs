//! Reductions with a real compiler: (program, test, result).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use lop::oracle::{Limit, LocalRunner, Scratch, Test};
use lop::pass;
use lop::program::{self, Version, walk};
use lop::reduce::{self, Event, Setup, Snapshot};

fn read(name: &str, text: &str) -> Version {
    program::read(vec![(
        Arc::from(Path::new(name)),
        Arc::from(text.as_bytes()),
    )])
    .expect("the program can be read")
}

fn text(version: &Version) -> String {
    String::from_utf8(walk::render(&version.documents()[0].root)).expect("UTF-8")
}

/// Runs a reduction to its end: the last snapshot and all events.
fn reduce(name: &str, program: &str, test: &str) -> (Arc<Snapshot>, Vec<Event>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("test.sh");
    std::fs::write(&path, format!("#!/bin/sh\n{test}\n")).expect("the test");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("permissions");
    let scratch = Scratch::choose(None, program.len() as u64, 1).expect("scratch");
    let runner =
        LocalRunner::new(Test::find(&path).expect("the test"), scratch, 1).expect("a runner");
    let setup = Setup {
        version: read(name, program),
        runner: Box::new(runner),
        limit: Limit::fixed(Duration::from_secs(30)),
        paused: false,
        fail: true,
        options: pass::Options::default(),
        store: None,
    };
    let run = reduce::start(setup).expect("a run");
    let events: Vec<_> = run.events.iter().collect();
    (run.finish().expect("a snapshot"), events)
}

/// Perses, ICSE 2018, figure 1.
const FIGURE_1: &str = r#"int main() {
  int a = 1;
  if (a) {
    printf("%d\n", a);
    printf("Hello ");
    printf("world!\n");
    printf("End\n");
  }
  return 0;
}
"#;

const PRINTS_HELLO_WORLD: &str =
    r#"cc -w -o a.out figure.c 2>/dev/null && ./a.out | grep -q '^Hello world!$'"#;

#[test]
fn the_first_figure_of_the_perses_paper() {
    let (last, _) = reduce("figure.c", FIGURE_1, PRINTS_HELLO_WORLD);
    println!("{}", text(&last.version));
    println!("{:?}", last.counts);
}
