//! Reductions with a real compiler: (program, test, result).

use std::os::unix::fs::PermissionsExt;

use crate::common::{read, run, setup};
use lop::oracle::{InterestingnessTest, LocalRunner, ScratchSpace};

/// Runs a reduction of `program` with a shell script as its test. The result, and all candidates that the test found interesting,
/// without their white space.
fn reduce(name: &str, program: &str, test: &str) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, log) = (folder.path().join("test.sh"), folder.path().join("log"));
    let script = format!(
        "#!/bin/sh\n{{ {test}; }} || exit 1\n{{ cat {name}; printf '\\f'; }} >>'{}'\n",
        log.display()
    );
    std::fs::write(&path, script).expect("the test");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("permissions");
    let scratch = ScratchSpace::choose_base(None, program.len() as u64, 1).expect("scratch");
    let runner = LocalRunner::new(
        InterestingnessTest::from_path(&path).expect("the test"),
        scratch,
        1,
        None,
    )
    .expect("a runner");
    let (last, _) = run(setup(read(name, program), runner));
    let log = std::fs::read_to_string(log).unwrap_or_default();
    let interesting = log
        .split_terminator('\u{c}')
        .map(|text| text.split_whitespace().collect());
    (last, interesting.collect())
}

/// Perses, ICSE 2018, figure 1 (a).
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

const CALLS: &str = r#"printf("%d\n",a);printf("Hello");printf("world!\n");printf("End\n");"#;

#[test]
fn the_first_figure_of_the_perses_paper() {
    let (last, interesting) = reduce("figure.c", FIGURE_1, PRINTS_HELLO_WORLD);
    // The property does not ask for the `return`, so it may have gone before.
    let shape = |text: &String| text.replace("return0;", "");
    let b = format!("intmain(){{inta=1;{{{CALLS}}}}}");
    let c = format!("intmain(){{inta=1;{CALLS}}}");
    assert!(
        interesting
            .iter()
            .map(shape)
            .any(|text| text == b || text == c),
        "neither (b) nor (c) is among {interesting:#?}"
    );
    assert_eq!(
        last,
        "int main() {\n    printf(\"Hello \");\n    printf(\"world!\\n\");\n}\n"
    );
}

#[test]
#[ignore = "long"]
fn the_first_figure_keeps_its_return_if_the_property_asks_for_it() {
    let returns = format!("{PRINTS_HELLO_WORLD} && ./a.out >/dev/null && grep -q return figure.c");
    let (last, _) = reduce("figure.c", FIGURE_1, &returns);
    assert_eq!(
        last,
        "int main() {\n    printf(\"Hello \");\n    printf(\"world!\\n\");\n  return 0;\n}\n"
    );
}
