//! How a file of a language names the files that it needs: `[imports]` in `language.toml`. `program/file_facts.rs` finds them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::bytes::Regex;
use serde::Deserialize;

/// How what an import names leads to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImportLookup {
    /// A path from the directory of the file, or else the only file whose path ends like that (C).
    Path,
    /// A module: a file of that name, or a directory of that name with `mod.rs` (Rust).
    Module,
    /// A package and a name in it, or all of a package (Kotlin, Java).
    Package,
    /// Names with dots that stand for directories (Python).
    Dotted,
    /// A path from the directory of the file, without its extension (JavaScript, TypeScript).
    Relative,
    /// A directory with all of its files (Go).
    Directory,
}

/// What a file of a language needs of others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportRules {
    /// How names lead to files.
    pub lookup: ImportLookup,
    /// The kinds of nodes that name a file, each with a regular expression whose first group is the name.
    kinds: BTreeMap<String, String>,
    /// The kinds of nodes that make a file a part of the program, without a use of it, likewise.
    #[serde(default)]
    parts: BTreeMap<String, String>,
    /// The kinds of nodes that say which package the file belongs to, likewise.
    #[serde(default)]
    package: BTreeMap<String, String>,
    /// The kinds of nodes in whose place the text of the file that they name may stand.
    #[serde(default)]
    inlined: Vec<String>,
    #[serde(skip)]
    compiled: OnceLock<CompiledImports>,
}

#[derive(Debug)]
struct CompiledImports {
    kinds: Vec<(String, Regex)>,
    parts: Vec<(String, Regex)>,
    package: Vec<(String, Regex)>,
}

impl ImportRules {
    fn compile(&self) -> &CompiledImports {
        let compile = |kinds: &BTreeMap<String, String>| {
            let kinds = kinds.iter();
            // A pattern that is none is found by a test of all languages.
            let compiled =
                kinds.filter_map(|(kind, text)| Some((kind.clone(), Regex::new(text).ok()?)));
            compiled.collect()
        };
        self.compiled.get_or_init(|| CompiledImports {
            kinds: compile(&self.kinds),
            parts: compile(&self.parts),
            package: compile(&self.package),
        })
    }

    /// What nodes of this kind with this text name: for each match its name and the names inside of it, any of which may be a file.
    pub fn find_names(&self, kind: &str, text: &[u8]) -> Vec<Vec<String>> {
        find_matches(&self.compile().kinds, kind, text)
    }

    /// The same for what they only make a part of the program.
    pub fn find_parts(&self, kind: &str, text: &[u8]) -> Vec<Vec<String>> {
        find_matches(&self.compile().parts, kind, text)
    }

    /// The package that a node of this kind with this text says the file belongs to.
    pub fn find_package(&self, kind: &str, text: &[u8]) -> Option<String> {
        let matches = find_matches(&self.compile().package, kind, text);
        matches.into_iter().flatten().next()
    }

    /// Whether nodes of this kind name files, or a package.
    pub fn concerns(&self, kind: &str) -> bool {
        let kinds = [&self.kinds, &self.parts, &self.package];
        kinds.iter().any(|kinds| kinds.contains_key(kind))
    }

    /// Whether the text of the file that a node of this kind names may stand in its place.
    pub fn means_text(&self, kind: &str) -> bool {
        self.inlined.iter().any(|inlined| inlined == kind)
    }

    /// The patterns that are none.
    pub fn find_problem(&self) -> Option<String> {
        let kinds = [&self.kinds, &self.parts, &self.package];
        let mut patterns = kinds.into_iter().flat_map(BTreeMap::values);
        patterns.find_map(|text| Some(Regex::new(text).err()?.to_string()))
    }
}

/// For each match of the patterns of a kind, the name in its first group, and that name with each of the second group behind it.
fn find_matches(kinds: &[(String, Regex)], kind: &str, text: &[u8]) -> Vec<Vec<String>> {
    let patterns = kinds.iter().filter(|(known, _)| known == kind);
    let matches = patterns.flat_map(|(_, pattern)| pattern.captures_iter(text));
    let names = matches.filter_map(|found| {
        let group = |number| std::str::from_utf8(found.get(number)?.as_bytes()).ok();
        let name = group(1)?;
        let dot = if name.ends_with('.') { "" } else { "." };
        let inside = group(2).unwrap_or_default().split(',');
        // `a as b` is `a`.
        let inside = inside.filter_map(|member| member.split_whitespace().next());
        let inside = inside.map(|member| format!("{name}{dot}{member}"));
        Some([name.to_owned()].into_iter().chain(inside).collect())
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use crate::language::by_name;

    fn names(language: &str, kind: &str, text: &str) -> Vec<Vec<String>> {
        let rules = by_name(language).and_then(|language| language.import_rules());
        rules.expect("rules").find_names(kind, text.as_bytes())
    }

    #[test]
    fn an_import_names_modules_and_what_is_in_them() {
        assert_eq!(
            names("python", "import_statement", "import a.b, c"),
            [["a.b"], ["c"]]
        );
        let from = names("python", "import_from_statement", "from . import a, b as c");
        assert_eq!(from, [[".", ".a", ".b"]]);
        let from = names("python", "import_from_statement", "from p import (a,\n b)");
        assert_eq!(from, [["p", "p.a", "p.b"]]);
        assert_eq!(
            names("c", "preproc_include", "#include \"x/y.h\""),
            [["x/y.h"]]
        );
        assert!(names("c", "preproc_include", "#include <stdio.h>").is_empty());
        assert_eq!(names("kotlin", "import", "import lib.*"), [["lib.*"]]);
        for declares in ["const { a, b }", "const c", "const d: D"] {
            let text = format!("{declares} = require(\"./x\");");
            let found = names("typescript", "lexical_declaration", &text);
            assert_eq!(found, [["./x"]], "{text}");
        }
        let inside = "const f = () => { const x = require('./x'); };";
        assert!(names("javascript", "lexical_declaration", inside).is_empty());
        let call = names("javascript", "expression_statement", "require('../y');");
        assert_eq!(call, [["../y"]]);
    }

    #[test]
    fn a_module_with_a_body_is_no_mention_of_those_inside() {
        let rules = by_name("rust").and_then(|language| language.import_rules());
        let rules = rules.expect("rules");
        let parts = |text: &str| rules.find_parts("mod_item", text.as_bytes());
        assert_eq!(parts("pub(crate) mod a;"), [["a"]]);
        assert!(parts("mod outer { mod inner; }").is_empty());
    }

    #[test]
    fn each_pattern_is_one() {
        for language in crate::language::all_languages() {
            let problem = language
                .import_rules()
                .and_then(|rules| rules.find_problem());
            assert_eq!(problem, None, "{}", language.name);
        }
    }
}
