//! What a question calls its object: the declaration itself, and what is called with an argument.

use lop::pass::PassOptions;
use lop::reduce::{RunEvent, RunSetup};

use crate::common::{oracle, read, run, setup, verdict};

/// The questions of a whole run of the default strategy.
fn questions(program: &str, says: fn(&str) -> bool) -> Vec<String> {
    let runner = oracle(move |text| verdict(says(text)));
    let (_, events) = run(RunSetup {
        options: PassOptions::default(),
        ..setup(read("a.c", program), runner)
    });
    let asked = events.into_iter().filter_map(|event| match event {
        RunEvent::Decided(decided) => Some(decided.sentence.to_string()),
        _ => None,
    });
    asked.collect()
}

#[test]
fn a_declaration_is_not_called_by_a_field_inside_of_its_type() {
    let program = "struct { int unread; } inbox;\nint f(void) { return inbox.unread; }\n";
    let asked = questions(program, |text| {
        let text: String = text.split_whitespace().collect();
        text.contains("struct{intunread;}inbox;") && text.contains("f(")
    });
    let wrong = |line: &&String| {
        line.starts_with("Can the field `unread` go?")
            && !line.contains("the only field of `inbox`")
    };
    let wrong: Vec<_> = asked.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    for right in [
        "Can the declaration of `inbox` go?",
        "Can `struct { int unread; }` go?",
    ] {
        assert!(
            asked.iter().any(|line| line.starts_with(right)),
            "{right}: {asked:#?}"
        );
    }
}

#[test]
fn a_single_object_has_its_name_and_no_plural() {
    let program = "int x; long f(char); int main(void) { return f('a'); }";
    let asked = questions(program, |text| text.contains("f("));
    let nameless =
        |line: &&String| line.starts_with("Can the only") || line.starts_with("Can 1 of");
    let nameless: Vec<_> = asked.iter().filter(nameless).collect();
    assert!(nameless.is_empty(), "{nameless:?}");
}

#[test]
fn an_argument_belongs_to_what_is_called() {
    let program = "int bar(int, int, int);\nint foo(int x) { return bar(x, 0, 17); }\n";
    let asked = questions(program, |text| {
        text.contains("return bar(x") && text.contains("foo")
    });
    let arguments: Vec<_> = asked
        .iter()
        .filter(|line| line.contains("arguments of"))
        .collect();
    assert!(!arguments.is_empty(), "{asked:#?}");
    assert!(
        arguments
            .iter()
            .all(|line| line.contains("arguments of `bar`")),
        "{arguments:#?}"
    );
}
