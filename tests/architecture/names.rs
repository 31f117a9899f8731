//! A type's name is unique in the crate: a reader who meets it in any file knows which type it is.

use std::collections::BTreeMap;

use super::source::{Source, sources};
use super::words::words;

/// Names that two types share, each with the reason. The list may only shrink.
const SHARED: &[(&str, &str)] = &[];

/// The names of the structs, enums and traits of a file, without its tests.
fn type_names(source: &Source) -> Vec<String> {
    let code = source.text.split("#[cfg(test)]\nmod tests {").next();
    let words = words(code.unwrap_or_default());
    let definitions = words
        .windows(2)
        .filter(|pair| matches!(&*pair[0].text, "struct" | "enum" | "trait"));
    definitions.map(|pair| pair[1].text.clone()).collect()
}

/// Names that more than one type has.
fn shared_names(sources: &[Source]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in sources.iter().flat_map(type_names) {
        *counts.entry(name).or_default() += 1;
    }
    let shared = counts.into_iter().filter(|(_, count)| *count > 1);
    shared.map(|(name, _)| name).collect()
}

#[test]
fn each_type_has_a_name_of_its_own() {
    let excused: Vec<&str> = SHARED.iter().map(|(name, _)| *name).collect();
    assert_eq!(shared_names(&sources("src")), excused);
}

#[test]
fn a_name_that_two_types_share_is_found() {
    let files = [
        ("src/a.rs", "pub struct Place;\nenum Kind { A }"),
        (
            "src/b.rs",
            "/// A struct Kind.\npub(crate) trait Place {}\n#[cfg(test)]\nmod tests {\n    struct Kind;\n}",
        ),
    ];
    let files = files.map(|(path, text)| Source::new(path, text));
    assert_eq!(shared_names(&files), ["Place"]);
}
