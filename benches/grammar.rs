//! The cost of a grammar in BNF: reading it, and parsing a program of 225 lines with it, once for each candidate.
//!
//! `cargo bench --bench grammar`

use std::path::Path;
use std::sync::Arc;

use divan::Bencher;
use lop::language;
use lop::language::parser::ParseLimit;
use lop::program;

const GRAMMAR: &str = include_str!("../grammars/boolean-program.bnf");
const PROGRAM: &str = include_str!("../tests/samples/locks.bp");

fn main() {
    divan::main();
}

/// The notation, the normal form, and the automata of lexer and parser.
#[divan::bench]
fn grammar() {
    language::load_bnf("boolean-program", GRAMMAR).expect("a grammar");
}

#[divan::bench]
fn parse(bencher: Bencher) {
    let language = language::by_name("boolean-program").expect("it is built in");
    let mut parser = language.new_parser();
    let limit = ParseLimit::for_length(PROGRAM.len());
    bencher.bench_local(|| {
        parser
            .parse(PROGRAM.as_bytes(), None, limit)
            .expect("a tree")
    });
}

/// The same, and the tree of ours.
#[divan::bench]
fn read(bencher: Bencher) {
    let language = language::by_name("boolean-program").expect("it is built in");
    let (path, text): (Arc<Path>, Arc<[u8]>) =
        (Path::new("a.bp").into(), PROGRAM.as_bytes().into());
    bencher.bench_local(|| {
        let files = vec![(Some(language), path.clone(), text.clone())];
        program::read_documents(files).expect("it is read")
    });
}
