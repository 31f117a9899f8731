//! Texts without a grammar: lines, words, brackets, bytes, in any encoding.

use std::path::Path;
use std::sync::Arc;

use crate::common::{setup, verdict};
use lop::oracle::ScriptedRunner;
use lop::program::{self, NodeShape, Version, walk};
use lop::reduce;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Version {
    let path: Arc<Path> = Path::new("a.unknown").into();
    program::read_documents(vec![(None, path, bytes.into())]).expect("it is read")
}

fn printed(version: &Version) -> Vec<u8> {
    walk::render_text(&version.documents()[0].root)
}

fn reduced(bytes: &[u8], wanted: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Vec<u8> {
    let runner = ScriptedRunner::new(move |files| verdict(wanted(&files[0].1)));
    let run = reduce::start_run(setup(read(bytes), runner)).expect("a run");
    run.events.iter().for_each(drop);
    printed(&run.wait_for_end().expect("a snapshot").version)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|at| at == part)
}

#[test]
fn what_is_in_brackets_goes_as_a_whole() {
    let text = b"begin (a, [b, c], {d}) end\nf(x) {\n  one;\n  two(2);\n}\nlast )( line\n";
    let version = read(text);
    let lists: Vec<Vec<u8>> = walk::preorder(&version.documents()[0].root)
        .filter(|node| node.shape == NodeShape::Star && node.children().len() > 1)
        .filter(|node| node.children()[0].text() == b"{" || node.children()[0].text() == b"[")
        .map(walk::render_text)
        .collect();
    assert_eq!(
        lists,
        [&b" [b, c]"[..], b" {d}", b" {\n  one;\n  two(2);\n}"]
    );
    // A checker that wants its brackets in order.
    let balanced = |text: &[u8]| {
        let depth = text.iter().try_fold(0i32, |depth, byte| match byte {
            b'{' => Some(depth + 1),
            b'}' => Some(depth - 1).filter(|depth| *depth >= 0),
            _ => Some(depth),
        });
        depth == Some(0)
    };
    let left = reduced(b"a {\n b {\n c\n }\n}\nd { e }\n", move |text| {
        balanced(text) && contains(text, b"c")
    });
    assert!(!contains(&left, b"d") && !contains(&left, b"b") && balanced(&left));
}

#[test]
fn a_binary_file_is_reduced_byte_by_byte() {
    let mut bytes: Vec<u8> = (0..=255).cycle().take(3000).collect();
    bytes.extend(b"\x00\x01needle \n \x00\xFF");
    let wanted = |bytes: &[u8]| contains(bytes, b"e \n \x00");
    assert_eq!(printed(&read(&bytes)), bytes);
    assert_eq!(reduced(&bytes, wanted), b"e \n \x00");
}

#[test]
fn two_bytes_of_utf_16_stay_together() {
    let encoded =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let bytes = encoded("\u{feff}one\r\ntwo \u{e4}\r\nthree\r\n");
    let seen = bytes.clone();
    let wanted = move |bytes: &[u8]| {
        let units: Vec<u16> = bytes
            .chunks(2)
            .map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
            .collect();
        bytes.starts_with(b"\xFF\xFE")
            && String::from_utf16(&units).is_ok_and(|text| text.contains('\u{e4}'))
    };
    assert!(wanted(&seen));
    assert_eq!(reduced(&bytes, wanted), encoded("\u{feff}\u{e4}"));
}

#[test]
fn latin_1_and_line_ends_of_another_system_stay_as_they_are() {
    let bytes = b"first\r\nk\xE9ep \xFF this\r\nlast\r\n";
    assert_eq!(printed(&read(bytes)), bytes);
    let left = reduced(bytes, |bytes| {
        contains(bytes, b"k\xE9ep") && contains(bytes, b"last")
    });
    assert!(
        contains(&left, b"k\xE9ep\r\nlast") || contains(&left, b"k\xE9ep last"),
        "{left:?}"
    );
}

#[test]
fn a_file_of_one_line() {
    let left = reduced(b"a b (c d) e", |bytes| contains(bytes, b"d"));
    assert_eq!(left, b"d");
}

#[test]
fn a_hundred_thousand_brackets() {
    let text = ["(".repeat(50_000), "x".to_owned(), ")".repeat(50_000)].concat();
    assert_eq!(printed(&read(text.as_bytes())), text.as_bytes());
    let closing = ["[".repeat(50_000), ")".repeat(50_000)].concat();
    assert_eq!(printed(&read(closing.as_bytes())), closing.as_bytes());
}

proptest! {
    /// Any bytes are read, printed as they were, and edited without a panic.
    #[test]
    #[ignore = "long"]
    fn any_bytes_are_printed_as_they_were(
        bytes in prop::collection::vec(prop_oneof![3 => any::<u8>(), 2 => prop::sample::select(b"()[]{} \n\r\0ab".to_vec())], 0..120),
        wanted in any::<u8>(),
    ) {
        prop_assert_eq!(&printed(&read(&bytes)), &bytes);
        if !bytes.is_empty() && read(&bytes).token_count() > 0 && bytes.contains(&wanted) {
            let left = reduced(&bytes, move |bytes| bytes.contains(&wanted));
            prop_assert!(left.contains(&wanted) && left.len() <= bytes.len());
        }
    }
}
