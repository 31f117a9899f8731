//! Many mutants in one build. A function that mutants change has its body once for each of them and once as it is, and a variable of the environment chooses:
//!
//! ```text
//! fn less(a: u8, b: u8) -> bool {
//!     if crate::mutant_switch::is_on("1.1") { a <= b } else { a < b }
//! }
//! ```
//!
//! What is changed outside of functions, or where the two bodies could not have one type, needs a build of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter::{Node, Parser};

/// The variable that has the number of the mutant that is on.
pub const VARIABLE: &str = "LOP_MUTANT";

/// The source of the module `mutant_switch`.
pub fn switch_module() -> String {
    format!(
        r#"//! Which mutant is on.

static ON: std::sync::LazyLock<Option<String>> = std::sync::LazyLock::new(|| std::env::var("{VARIABLE}").ok());

pub(crate) fn is_on(number: &str) -> bool {{
    ON.as_deref() == Some(number)
}}
"#
    )
}

const SIGN: &str = "crate::mutant_switch::is_on(\"";

/// The changes of a mutant in one file: what stands there once, and what stands there then.
pub struct FileChange<'a> {
    pub number: &'a str,
    pub changes: &'a [(String, String)],
}

/// A file with switches, and the numbers of the mutants that have one.
pub struct SwitchedFile {
    pub text: String,
    pub numbers: BTreeSet<String>,
}

/// The changed bodies of a function by the numbers of their mutants.
type Variants<'a> = BTreeMap<&'a str, Vec<(Range<usize>, &'a str)>>;

/// Puts switches into a file of Rust.
pub fn add_switches(text: &str, mutants: &[FileChange<'_>]) -> SwitchedFile {
    let mut parser = Parser::new();
    let language = tree_sitter_rust::LANGUAGE.into();
    parser.set_language(&language).expect("the grammar of Rust");
    let tree = parser.parse(text, None).expect("a tree");
    let mut bodies: BTreeMap<(usize, usize), Variants<'_>> = BTreeMap::new();
    let mut numbers = BTreeSet::new();
    for mutant in mutants {
        let places = mutant.changes.iter().map(|(old, new)| {
            let start = text.find(old.as_str())?;
            let range = start..start + old.len();
            let body = find_body(tree.root_node(), text, &range)?;
            Some((body, range, new.as_str()))
        });
        let Some(places) = places.collect::<Option<Vec<_>>>() else {
            continue;
        };
        let own = places.iter().map(|(body, ..)| (body.start, body.end));
        let known: Vec<_> = bodies.keys().copied().chain(own).collect();
        let overlaps = |body: &Range<usize>| {
            known.iter().any(|&(start, end)| {
                (start, end) != (body.start, body.end) && start < body.end && body.start < end
            })
        };
        if places.iter().any(|(body, ..)| overlaps(body)) {
            continue;
        }
        for (body, range, new) in places {
            let variants = bodies.entry((body.start, body.end)).or_default();
            variants
                .entry(mutant.number)
                .or_default()
                .push((range, new));
        }
        numbers.insert(mutant.number.to_owned());
    }
    let mut text = text.to_owned();
    for ((start, end), variants) in bodies.into_iter().rev() {
        let switched = switch_body(&text[start..end], start, &variants);
        text.replace_range(start..end, &switched);
    }
    SwitchedFile { text, numbers }
}

/// A body with its braces, which begins at `start` of the file, and its variants in one.
fn switch_body(body: &str, start: usize, variants: &Variants<'_>) -> String {
    let changed = variants.iter().map(|(number, changes)| {
        let mut changed = body.to_owned();
        let mut changes: Vec<_> = changes.iter().collect();
        changes.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        for (range, new) in changes {
            changed.replace_range(range.start - start..range.end - start, new);
        }
        format!("if {SIGN}{number}\") {changed} else ")
    });
    format!("{{ {}{body} }}", changed.collect::<String>())
}

/// The body of the innermost function around a place, if it can have a switch.
fn find_body(node: Node<'_>, text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let mut cursor = node.walk();
    let around = node.children(&mut cursor);
    let inner =
        around.filter(|child| child.start_byte() <= place.start && place.end <= child.end_byte());
    if let Some(found) = inner.last().and_then(|child| find_body(child, text, place)) {
        return Some(found);
    }
    let body = node
        .child_by_field_name("body")
        .filter(|_| node.kind() == "function_item")?;
    let head = &text[node.start_byte()..body.start_byte()];
    let can_differ = !head.contains("const fn") && !head.contains("-> impl ");
    let is_inside = body.start_byte() < place.start && place.end < body.end_byte();
    (can_differ && is_inside).then(|| body.byte_range())
}

/// The number of the mutant whose switch is the last one up to a line of a switched file. An error may so be said of the next mutant of its function, which then has a
/// build of its own too.
pub fn mutant_of_line(text: &str, line: usize) -> Option<&str> {
    let before: Vec<&str> = text.lines().take(line).collect();
    let last = before
        .iter()
        .rev()
        .find_map(|line| line.rsplit_once(SIGN))?;
    last.1.split('"').next()
}

#[test]
fn a_function_has_its_body_once_for_each_mutant() {
    let text = "fn less(a: u8, b: u8) -> bool {\n    a < b\n}\n\nconst ONE: u8 =\n    1;\n";
    let change = |old: &str, new: &str| [(old.to_owned(), new.to_owned())];
    let [first, second, third] = [
        change("    a < b\n", "    a <= b\n"),
        change("    a < b\n", "    a > b\n"),
        change("    1;\n", "    2;\n"),
    ];
    let mutants = [("1.1", &first), ("1.2", &second), ("1.3", &third)];
    let mutants = mutants.map(|(number, changes)| FileChange { number, changes });
    let switched = add_switches(text, &mutants);
    let both = "fn less(a: u8, b: u8) -> bool { if crate::mutant_switch::is_on(\"1.1\") {\n    a <= b\n} else if \
                crate::mutant_switch::is_on(\"1.2\") {\n    a > b\n} else {\n    a < b\n} }\n\nconst ONE: u8 =\n    1;\n";
    assert_eq!(switched.text, both);
    let numbers: Vec<String> = switched.numbers.into_iter().collect();
    assert_eq!(numbers, ["1.1", "1.2"]);
    assert_eq!(mutant_of_line(both, 2), Some("1.1"));
    assert_eq!(mutant_of_line(both, 4), Some("1.2"));
}
