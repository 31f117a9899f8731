//! Grammars in BNF, and texts in them.

use lop::language;

use super::Target;
use super::exercise::{hash, read, reduce, text};
use super::mutate::Mutator;
use super::random::Random;

pub const TARGET: Target = Target {
    name: "bnf",
    what: "grammars in BNF: read, brought into the normal form; texts parsed by them and reduced",
    input,
    run,
};

const GRAMMARS: &[(&str, &str)] = &[
    (
        include_str!("../../grammars/json.bnf"),
        "{\"x\": [1, {\"a\": null, \"b\": \"null\"}, [true, {}]], \"y\": -1.5e3}",
    ),
    (
        include_str!("../../grammars/boolean-program.bnf"),
        include_str!("../../tests/samples/locks.bp"),
    ),
    (
        "program ::= (assignment \";\")*\nassignment ::= name \"=\" sum\nsum ::= sum (\"+\" | \"-\") operand | operand\noperand ::= number | name | \"(\" sum \")\"\n%token name ::= [A-Za-z_] [A-Za-z0-9_]*\n%token number ::= digit+ (\".\" digit+)?\n%fragment digit ::= [0-9]\n%comment line ::= \"//\" [^\\n]*\n",
        "a = 1 + 2 - b; // all\nb = (a - 2) + 3.5;\nc = ((a));\n",
    ),
];

const WORDS: &[&str] = &[
    "::=",
    "|",
    "(",
    ")",
    "*",
    "+",
    "?",
    ";",
    "'x'",
    "\"y\"",
    "[a-z]",
    "[^\\n]",
    ".",
    "<a name>",
    "# comment\n",
    "%name",
    "%extensions",
    "%token",
    "%fragment",
    "%skip",
    "%comment",
    "a",
    "b",
    "a ::= ",
    "b ::= a",
    "''",
    "\\x00",
    "\\",
    "\n",
    "é",
];

/// A grammar, a NUL byte and a text.
fn input(random: &mut Random) -> Vec<u8> {
    let (grammar, sample) = *random.pick(GRAMMARS);
    let mut all = match random.below(4) {
        0 => mutated(random, grammar),
        1 => hostile(random).into_bytes(),
        _ => rules(random).into_bytes(),
    };
    all.retain(|&byte| byte != 0);
    all.push(0);
    all.extend(match random.one_in(2) {
        true => mutated(random, sample),
        false => (0..random.length(200))
            .flat_map(|_| random.pick(LETTERS).bytes())
            .collect(),
    });
    all
}

fn mutated(random: &mut Random, text: &str) -> Vec<u8> {
    let others: Vec<&[u8]> = GRAMMARS
        .iter()
        .map(|(grammar, _)| grammar.as_bytes())
        .collect();
    let mutator = Mutator {
        words: WORDS,
        pairs: &[
            ("(", ")"),
            ("(", ")*"),
            ("((", ")? 'x')+"),
            ("", "*"),
            ("a ", ""),
            ("", "?+"),
        ],
        depth: 5000,
        others: &others,
    };
    let mut text = text.as_bytes().to_vec();
    mutator.mutate(random, &mut text);
    text
}

const LETTERS: &[&str] = &["a", "b", "c", "x", "y", " ", "a b", "xx", "\n", "("];

/// Rules that need each other in any way.
fn rules(random: &mut Random) -> String {
    let count = random.length(30);
    let mut text = String::new();
    for rule in 0..count {
        text += &format!("r{rule} ::= ");
        for _ in 0..random.length(4) {
            for _ in 0..random.below(5) {
                text += &part(random, count, 3);
            }
            text += "| ";
        }
        text += &format!(
            "'{}'\n",
            random.pick(LETTERS).trim().chars().next().unwrap_or('z')
        );
    }
    text
}

fn part(random: &mut Random, count: usize, depth: usize) -> String {
    let sign = *random.pick(&["", "", "*", "+", "?"]);
    match random.below(if depth == 0 { 3 } else { 4 }) {
        0 => format!("'{}'{sign} ", random.pick(&["a", "b", "c", "xy"])),
        1 | 2 => format!("r{}{sign} ", random.below(count)),
        _ => {
            let inner: String = (0..random.below(4))
                .map(|_| part(random, count, depth - 1))
                .collect();
            format!("({inner}| {}){sign} ", part(random, count, depth - 1))
        }
    }
}

/// What grows when something is put in the place of its name.
fn hostile(random: &mut Random) -> String {
    let count = random.length(600);
    let lines = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    match random.below(10) {
        0 => format!(
            "s ::= t\n%token t ::= f{count}\n%fragment f0 ::= 'a'\n{}",
            lines(&|at| format!("%fragment f{} ::= f{at} f{at}\n", at + 1))
        ),
        1 => format!(
            "s ::= t\n%token t ::= f{count}\n%fragment f0 ::= 'a'\n{}",
            lines(&|at| format!("%fragment f{} ::= f{at}* 'b'\n", at + 1))
        ),
        2 => format!(
            "{}r{count} ::= 'a'\n",
            lines(&|at| format!("r{at} ::= r{} r{} | r{}\n", at + 1, at + 1, at + 1))
        ),
        3 => format!(
            "{}r{count} ::= 'a' | r0 'b'\n",
            lines(&|at| format!(
                "r{at} ::= r{} 'c' | r{} | 'x'\n",
                at + 1,
                (at * 7 + 3) % count
            ))
        ),
        4 => format!("s ::= {}\n", "'a'? ".repeat(count)),
        5 => format!(
            "s ::= 'a'{}\n",
            ["*", "?", "+?", "*+"][count % 4].repeat(count * 40)
        ),
        6 => format!("s ::= {}\n", lines(&|at| format!("'{at}' | "))),
        7 => format!("s ::= s s s | s s | 'a' | {}\n", "s ".repeat(count % 50)),
        8 => format!(
            "s ::= t\n%token t ::= ('a' | 'b')* 'a' {}\n",
            "('a' | 'b') ".repeat(count % 40)
        ),
        _ => format!(
            "{}r{count} ::=\n",
            lines(&|at| format!("r{at} ::= (r{} | r{}?)* ('a' |)\n", at + 1, at + 1))
        ),
    }
}

fn run(input: &[u8]) {
    let end = input
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(input.len());
    let grammar = String::from_utf8_lossy(&input[..end]);
    let source = input.get(end + 1..).unwrap_or_default();
    let Ok(language) = language::load_bnf("hostile", &grammar)
        .inspect_err(|error| assert!(!error.to_string().is_empty()))
    else {
        return;
    };
    let written = language.bnf_grammar().expect("it is one");
    assert!(!written.normalization_stages().is_empty());
    let known = language.grammar();
    for rule in known.all_rules() {
        known.describe_expr(known.rule_body(rule));
    }
    let complaint = language.find_syntax_error(source);
    let Some(version) = read(Some(language), source) else {
        return;
    };
    assert!(text(&version) == source, "it is printed otherwise");
    let faults = version.parse_trees()[0]
        .as_ref()
        .map(|tree| tree.count_faults());
    // Finding the place may be too much work where parsing was not, but there is a place only where there is an error.
    assert!(
        complaint.is_none() || faults != Some(0),
        "{complaint:?}, and {faults:?} errors"
    );
    let salt = hash(input, 2);
    reduce(version, (salt, 2 + salt % 3), 1);
}
