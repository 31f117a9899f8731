//! The table of languages. A new language is a line here, a folder in `grammars/`, and a dependency on its parser's crate.

use std::sync::OnceLock;

use super::Language;
use super::parser::ParserFn;

/// What is linked into the binary for a language.
pub(super) struct LinkedLanguage {
    /// Its `language.toml`.
    pub data: &'static str,
    /// Its grammar, as `build.rs` wrote it.
    pub grammar: &'static [u8],
    pub parser: ParserFn,
    /// Its highlight query, in parts: where one language extends another, the other's comes first.
    pub highlights: &'static [&'static str],
    /// A program that shows most of the language: the name of its file, and its text.
    pub sample: (&'static str, &'static str),
    /// Its query for names, in parts; none if there is none.
    pub names: &'static [&'static str],
}

/// A file in the language's folder.
macro_rules! own {
    ($name:literal, $file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/grammars/",
            $name,
            "/",
            $file
        ))
    };
}

/// `"name", "sample", the crate's parser, the parts of its highlight query`, and the folders and files of its query for names, if it has
/// one.
macro_rules! language {
    ($name:literal, $sample:literal, $parser:expr, [$($highlights:expr),+], [$($from:literal $file:literal),+]) => {
        LinkedLanguage {
            names: &[$(own!($from, $file)),+],
            ..language!($name, $sample, $parser, [$($highlights),+])
        }
    };
    ($name:literal, $sample:literal, $parser:expr, [$($highlights:expr),+]) => {
        LinkedLanguage {
            data: own!($name, "language.toml"),
            grammar: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".grammar")),
            parser: ParserFn::TreeSitter(|| $parser.into()),
            highlights: &[$($highlights),+],
            sample: ($sample, own!($name, $sample)),
            names: &[],
        }
    };
}

/// All languages.
pub fn all_languages() -> &'static [Language] {
    static LANGUAGES: OnceLock<Vec<Language>> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        let written = BUILTIN_BNF.iter().map(Language::from_builtin_bnf);
        linked_languages()
            .into_iter()
            .map(Language::new)
            .chain(written)
            .collect()
    })
}

#[rustfmt::skip]
fn linked_languages() -> Vec<LinkedLanguage> {
    use tree_sitter_bash as bash;
    use tree_sitter_c as c;
    use tree_sitter_cpp as cpp;
    use tree_sitter_css as css;
    use tree_sitter_go as go;
    use tree_sitter_html as html;
    use tree_sitter_java as java;
    use tree_sitter_javascript as js;
    use tree_sitter_json as json;
    use tree_sitter_kotlin_ng as kotlin;
    use tree_sitter_python as python;
    use tree_sitter_rust as rust;
    use tree_sitter_typescript as ts;
    use tree_sitter_xml as xml;
    vec![
        language!("c", "sample.c", c::LANGUAGE, [c::HIGHLIGHT_QUERY], ["c" "reduce.scm"]),
        language!("cpp", "sample.cpp", cpp::LANGUAGE, [c::HIGHLIGHT_QUERY, cpp::HIGHLIGHT_QUERY], ["cpp" "reduce.scm"]),
        language!("java", "sample.java", java::LANGUAGE, [java::HIGHLIGHTS_QUERY], ["java" "reduce.scm"]),
        language!("rust", "sample.rs", rust::LANGUAGE, [rust::HIGHLIGHTS_QUERY], ["rust" "reduce.scm"]),
        language!("javascript", "sample.js", js::LANGUAGE, [js::HIGHLIGHT_QUERY, js::JSX_HIGHLIGHT_QUERY], ["javascript" "reduce.scm", "javascript" "names.scm"]),
        language!("typescript", "sample.ts", ts::LANGUAGE_TYPESCRIPT, [js::HIGHLIGHT_QUERY, ts::HIGHLIGHTS_QUERY], ["typescript" "reduce.scm", "javascript" "names.scm"]),
        language!("tsx", "sample.tsx", ts::LANGUAGE_TSX, [js::HIGHLIGHT_QUERY, js::JSX_HIGHLIGHT_QUERY, ts::HIGHLIGHTS_QUERY], ["typescript" "reduce.scm", "javascript" "names.scm"]),
        language!("python", "sample.py", python::LANGUAGE, [python::HIGHLIGHTS_QUERY], ["python" "reduce.scm"]),
        language!("go", "sample.go", go::LANGUAGE, [go::HIGHLIGHTS_QUERY], ["go" "reduce.scm"]),
        language!("kotlin", "sample.kt", kotlin::LANGUAGE, [own!("kotlin", "highlights.scm")], ["kotlin" "reduce.scm"]),
        language!("json", "sample.json", json::LANGUAGE, [json::HIGHLIGHTS_QUERY]),
        language!("html", "sample.html", html::LANGUAGE, [html::HIGHLIGHTS_QUERY]),
        language!("css", "sample.css", css::LANGUAGE, [css::HIGHLIGHTS_QUERY]),
        language!("xml", "sample.xml", xml::LANGUAGE_XML, [xml::XML_HIGHLIGHT_QUERY]),
        language!("bash", "sample.sh", bash::LANGUAGE, [bash::HIGHLIGHT_QUERY]),
    ]
}

/// A language without a tree-sitter parser.
pub(super) struct BuiltinBnf {
    /// Its name, as the grammar says it.
    pub name: &'static str,
    /// The extensions of its files, as the grammar says them.
    pub extensions: &'static [&'static str],
    /// Its grammar in BNF.
    pub text: &'static str,
    /// The name of the file that says how programs are coloured, and its text.
    pub syntax: (&'static str, &'static str),
    /// The name of a sample's file, and its text.
    pub sample: (&'static str, &'static str),
}

/// Languages without a tree-sitter parser. A name and extensions stand here too, so that a grammar is read only when its language is used.
static BUILTIN_BNF: &[BuiltinBnf] = &[BuiltinBnf {
    name: "boolean-program",
    extensions: &["bp"],
    text: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/grammars/boolean-program.bnf"
    )),
    syntax: (
        "boolean-program.sublime-syntax",
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/grammars/boolean-program.sublime-syntax"
        )),
    ),
    sample: (
        "locks.bp",
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/samples/locks.bp"
        )),
    ),
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::bnf_language::BnfLanguage;

    #[test]
    fn the_table_says_of_a_grammar_what_the_grammar_says() {
        for builtin in BUILTIN_BNF {
            let grammar = BnfLanguage::from_text(builtin.text).expect("it can be read");
            assert_eq!(grammar.name.as_deref(), Some(builtin.name));
            assert_eq!(grammar.extensions, builtin.extensions);
        }
    }

    #[test]
    fn a_list_of_the_languages_reads_no_grammar_in_bnf() {
        static BROKEN: BuiltinBnf = BuiltinBnf {
            name: "broken",
            extensions: &[],
            text: "no grammar",
            syntax: ("", ""),
            sample: ("", ""),
        };
        assert_eq!(Language::from_builtin_bnf(&BROKEN).name, "broken");
    }
}
