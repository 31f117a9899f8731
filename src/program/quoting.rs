//! Pieces of the program in a sentence: quoted, on one line, and cut where they are long.

use std::sync::Arc;

use super::node::{NodeId, ProgramNode};
use super::version::Version;
use super::walk;
use crate::display::{EscapeHidden, floor_escape_boundary};

/// A name, and how many others there are.
pub fn format_names(name: &str, others: u32) -> String {
    let name = quote_text(name);
    match others {
        0 => name,
        1 => format!("{name} and one more name"),
        _ => format!("{name} and {others} more names"),
    }
}

/// A piece of the program, quoted in a sentence.
pub fn quote_text(text: &str) -> String {
    format!("`{}`", text.escape_hidden())
}

/// How the text of a node begins, with hidden characters escaped: at most `limit` characters on one line, and an ellipsis where it is
/// longer.
pub fn node_excerpt(version: &Version, id: NodeId, limit: usize) -> String {
    version
        .find_node(id)
        .map(|node| text_excerpt(node, limit))
        .unwrap_or_default()
}

/// As [`node_excerpt`], for a node that is known.
pub fn text_excerpt(node: &Arc<ProgramNode>, limit: usize) -> String {
    let mut text = String::new();
    for leaf in walk::iter_leaves(node) {
        if !text.is_empty() && !leaf.trivia().is_empty() {
            text.push(' ');
        }
        // Several lines become one.
        let words = leaf.text().split(u8::is_ascii_whitespace);
        for (at, word) in words.enumerate() {
            if at > 0 {
                text.push(' ');
            }
            text.push_str(&word.escape_hidden());
            if text.chars().count() > limit {
                let end = text.char_indices().nth(limit.saturating_sub(1));
                let end = end.map_or(text.len(), |(at, _)| floor_escape_boundary(&text, at));
                return format!("{}…", text[..end].trim_end());
            }
        }
    }
    text
}
