//! What a test script says that it looks for, in a comment near its beginning.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::display::sanitize_line;

/// In a test that lop has written, the line before the property.
pub const WRITTEN: &str = "# Written by lop. The property is:";
/// The same line of an earlier lop.
const WRITTEN_EARLIER: &str = "# Written by lop init. The property is:";
/// How a line begins on which a test of somebody else says it.
const LOOKS_FOR: &str = "# It looks for: ";
/// The bytes of a test that are read.
const BEGINNING: u64 = 4096;

/// The property of a test that lop has written; none of another.
pub fn read_written_property(path: &Path) -> Option<String> {
    find_written_property(&read_beginning(path)?)
}

/// What a test looks for by its own words: the property that lop has written down, or the rest of a line `# It looks for: …`.
pub fn read_looked_for(path: &Path) -> Option<String> {
    find_looked_for(&read_beginning(path)?)
}

/// The same of a test with this text.
pub fn find_looked_for(text: &str) -> Option<String> {
    find_written_property(text).or_else(|| {
        let words = text.lines().find_map(|line| line.strip_prefix(LOOKS_FOR))?;
        Some(sanitize_line(words.trim()).into_owned())
    })
}

fn find_written_property(text: &str) -> Option<String> {
    let mut lines = text
        .lines()
        .skip_while(|line| ![WRITTEN, WRITTEN_EARLIER].contains(line));
    let property = lines.nth(1)?.trim_start_matches('#').trim();
    Some(sanitize_line(property).into_owned())
}

fn read_beginning(path: &Path) -> Option<String> {
    let mut beginning = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(BEGINNING).read_to_end(&mut beginning).ok()?;
    Some(String::from_utf8_lossy(&beginning).into_owned())
}
