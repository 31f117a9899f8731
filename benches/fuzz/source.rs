//! Source text: any text in any language is printed as it was read.

use lop::language::{self, Language};
use lop::program::{self, NodeTarget as Place};

use super::Target;
use super::exercise::{read, text};
use super::mutate::Mutator;
use super::random::Random;

pub const TARGET: Target = Target {
    name: "source",
    what: "programs in every language: read, printed, read again",
    input,
    run,
};

/// Programs beside the languages' own samples.
const MORE: &[(&str, &str)] = &[
    ("c", include_str!("../../tests/samples/small.c")),
    ("c", include_str!("../../tests/samples/lists.c")),
    ("c", include_str!("../../tests/samples/preprocessed.i")),
    (
        "boolean-program",
        include_str!("../../tests/samples/locks.bp"),
    ),
];

pub const PAIRS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("<a>", "</a>"),
    ("\"", "\""),
    ("/*", "*/"),
    ("`${", "}`"),
    ("if (x) ", " else y"),
    ("if x:\n ", "\n"),
    ("a + ", ""),
    ("- ", ""),
    ("a.", ""),
    ("x, ", ""),
    ("", "\n"),
    ("#if x\n", "\n#endif\n"),
];

pub const WORDS: &[&str] = &[
    "\r\n",
    "\r",
    "\n\n",
    "\\\n",
    "\0",
    "\u{feff}",
    "\u{2028}",
    "\u{a0}",
    "é",
    "𝒳",
    "//",
    "/*",
    "*/",
    "#",
    "# 1 \"a.c\"\n",
    "#line 7\n",
    "\"",
    "'",
    "`",
    "R\"x(",
    "<<EOF\n",
    "EOF\n",
    "${",
    "{",
    "}",
    "(",
    ")",
    ";",
    ",",
    "if",
    "else",
    "case",
    "return",
    "int",
    "class",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "%",
    "lop-keep",
    "lop-keep-begin",
    "lop-keep-end",
    "&&",
    "?",
    "::",
    "\t",
    "    ",
];

/// A sample of a language, and all texts of it.
pub fn samples() -> Vec<(&'static str, &'static [u8])> {
    let own = language::all_languages()
        .iter()
        .map(|language| (language.name, language.sample_program().1));
    own.chain(MORE.iter().copied())
        .map(|(name, text)| (name, text.as_bytes()))
        .collect()
}

/// The name of a language in a line, and a text behind it.
pub fn program(random: &mut Random, most: usize, depth: usize) -> Vec<u8> {
    let samples = samples();
    let (name, sample) = *random.pick(&samples);
    let others: Vec<&[u8]> = match random.one_in(4) {
        true => samples.iter().map(|sample| sample.1).collect(),
        false => vec![sample],
    };
    let mutator = Mutator {
        words: WORDS,
        pairs: PAIRS,
        depth,
        others: &others,
    };
    let name = if random.one_in(40) { "lines" } else { name };
    let mut all = format!("{name}\n").into_bytes();
    all.extend(mutator.text(random, most));
    all
}

/// The language and the text of an input.
pub fn parts(input: &[u8]) -> (Option<&'static Language>, &[u8]) {
    let end = input
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(input.len());
    let name = String::from_utf8_lossy(&input[..end]);
    (
        language::by_name(&name),
        input.get(end + 1..).unwrap_or_default(),
    )
}

fn input(random: &mut Random) -> Vec<u8> {
    let depth = if random.one_in(50) { 100_000 } else { 1000 };
    program(random, 20_000, depth)
}

fn run(input: &[u8]) {
    let (language, source) = parts(input);
    let Some(version) = read(language, source) else {
        return;
    };
    assert!(text(&version) == source, "it is printed otherwise");
    let again = program::reparse_version(&version).expect("it was parsed before");
    assert!(
        text(&again) == source,
        "it is printed otherwise when it was read again"
    );
    assert_eq!(again.token_count(), version.token_count());
    let tree = version.parse_tree(0);
    if let (Some(language), Some(tree)) = (language, tree) {
        let part = |range: std::ops::Range<usize>| source[range].to_vec();
        let mut last = 0;
        for (range, _) in language.highlight_range(tree, &part, 0..source.len()) {
            assert!(last <= range.start && range.start < range.end && range.end <= source.len());
            last = range.end;
        }
        language.find_syntax_error(source);
    }
    version.name_graph();
    let _ = Place::Marked.find_nodes(&version);
}
