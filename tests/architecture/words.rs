//! Rust source split into words.

/// A name, `::`, or any other single character of the source.
pub struct Word {
    pub text: String,
    pub line: usize,
}

/// Cuts Rust source into words. Comments, strings, characters and lifetimes are left out.
pub fn words(source: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let skipped = comment(rest).or_else(|| quoted(rest));
        let length = if let Some(length) = skipped {
            length
        } else if is_name(first) {
            rest.find(|next| !is_name(next)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        if skipped.is_none() && !first.is_whitespace() {
            words.push(Word {
                text: word.to_owned(),
                line,
            });
        }
        line += word.matches('\n').count();
        rest = after;
    }
    words
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The length of the comment that the text starts with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let step = if text[at..].starts_with("/*") {
            depth += 1;
            2
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            2
        } else {
            text[at..].chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    Some(at)
}

/// The length of the string, character or lifetime that the text starts with, its prefix included.
fn quoted(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        let after = text.strip_prefix(prefix).unwrap_or("");
        let raw = prefix.ends_with('r') && after.trim_start_matches('#').starts_with('"');
        raw || after.starts_with('"') || (after.starts_with('\'') && matches!(*prefix, "" | "b"))
    })?;
    let body = &text[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = body.len() - body.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let start = hashes + 1;
        return Some(
            prefix.len()
                + body[start..]
                    .find(&end)
                    .map_or(body.len(), |found| start + found + end.len()),
        );
    }
    let quote = body.chars().next()?;
    let mut inside = body.char_indices().skip(1);
    let second = inside.next().map_or('\n', |(_, character)| character);
    let third = inside.next().map_or('\n', |(_, character)| character);
    if quote == '\'' && second != '\\' && third != '\'' {
        let name = &body[1..];
        return Some(1 + name.find(|next| !is_name(next)).unwrap_or(name.len()));
    }
    let mut escaped = false;
    for (at, character) in body.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return Some(prefix.len() + at + 1),
            _ => {}
        }
    }
    Some(text.len())
}
