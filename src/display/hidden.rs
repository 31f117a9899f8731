//! Which characters are never shown as they are.

use std::sync::LazyLock;

use regex::Regex;

/// Whether a character steers a terminal, changes the order of a line, or is seen by nobody: control characters (C0, DEL, C1), format
/// characters (the general category Cf: bidi, zero width, soft hyphen, byte order mark, tags), the line and paragraph separators, and
/// the others that Unicode has ignored where a font does not know them (fillers, selectors beyond the first sixteen). Nor are those that
/// Unicode does not assign: terminals disagree on their width.
///
/// The variation selectors 1 to 16 are no such characters: they choose the look of the character before them, as of an emoji, and do
/// nothing else.
pub fn is_hidden(c: char) -> bool {
    match c {
        ' '..='~' => false,
        '\0'..='\u{9f}' => true,
        _ => is_format(c) || is_unassigned(c),
    }
}

/// Whether Unicode assigns nothing to the number.
fn is_unassigned(c: char) -> bool {
    static UNASSIGNED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\p{Cn}$").expect("a constant"));
    match c {
        // The usual letters, for speed: Latin, kana, Chinese, Hangul.
        '\0'..='\u{377}'
        | '\u{3041}'..='\u{3096}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => false,
        _ => UNASSIGNED.is_match(c.encode_utf8(&mut [0; 4])),
    }
}

/// The same beyond Latin-1's first half.
fn is_format(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
        | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_is_what_unicode_says_but_for_sixteen_selectors() {
        let hidden = r"^[\p{Cc}\p{Cf}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}--[\u{fe00}-\u{fe0f}]]$";
        let hidden = Regex::new(&format!("(?s){hidden}")).expect("an expression");
        let mut buffer = [0; 4];
        let wrong: Vec<char> = ('\0'..=char::MAX)
            .filter(|c| hidden.is_match(c.encode_utf8(&mut buffer)) != is_hidden(*c))
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
