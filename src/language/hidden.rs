//! Hidden tokens: what a compiler accepts and the parser would read as an error, and words that the parser must see in place of several tokens.
//!
//! A language says them as data (`[[hidden]]` in its `language.toml`). Each rule is a pattern over the tokens of the text, looked for from the front to
//! the back: where it matches, its middle is masked. A stretch that goes becomes blanks, as a line marker does ([`super::markers`]). A stretch that
//! is read as a word becomes one name of the same length. Only the parser sees the masked text; the tokens stay in the tree
//! (`program/normal_form.rs`).
//!
//! The tokens are those of languages with C's strings, comments and directives; a language says where its own are others ([`TokenStyle`]). Nothing inside
//! of these is masked, and no stretch reaches over a comment or a directive.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::Deserialize;

/// What the parser sees in the place of a stretch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MaskKind {
    /// Blanks.
    #[default]
    Blank,
    /// A name of the same length.
    Word,
}

/// A rule of a `language.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HiddenEntry {
    /// See [`HiddenRule::from_entry`].
    tokens: String,
    #[serde(default)]
    read_as: MaskKind,
}

/// How strings, labels and lines of a language differ from those of C.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TokenStyle {
    /// A string goes on over the ends of lines.
    long_strings: bool,
    /// `r#"…"#` is a string.
    hash_strings: bool,
    /// `'a` without a second quote is a name.
    quoted_names: bool,
    /// A line that begins with `#` is no directive.
    plain_hashes: bool,
}

/// What one token, or some in a row, must be.
#[derive(Debug)]
enum MaskPattern {
    /// One of these texts.
    OneOf(Vec<Box<[u8]>>),
    /// Any number of these texts, but at least one.
    Run(Vec<Box<[u8]>>),
    /// Any word.
    Word,
    /// Any number.
    Number,
    /// This bracket, and everything up to its partner.
    Brackets(u8),
}

/// What is masked between which tokens.
#[derive(Debug)]
struct HiddenRule {
    before: Vec<MaskPattern>,
    masked: Vec<MaskPattern>,
    behind: Vec<MaskPattern>,
    mask: MaskKind,
}

/// A stretch that the parser must not see as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct HiddenStretch {
    range: Range<usize>,
    mask: MaskKind,
}

/// The rules of a language.
#[derive(Debug, Default)]
pub(super) struct HiddenRules {
    rules: Vec<HiddenRule>,
    /// The rules that can match at a token of this text.
    by_text: FxHashMap<Box<[u8]>, Vec<usize>>,
    /// The lengths of those texts by their first bytes: most tokens need not be looked up.
    lengths: FirstByteLengths,
    /// Those that can match at any word.
    at_words: Vec<usize>,
    style: TokenStyle,
}

/// A set of texts, known by their first bytes and their lengths. A long one is known by its first byte.
#[derive(Debug)]
struct FirstByteLengths([u32; 256]);

impl Default for FirstByteLengths {
    fn default() -> FirstByteLengths {
        FirstByteLengths([0; 256])
    }
}

impl FirstByteLengths {
    fn add_text(&mut self, text: &[u8]) {
        if let Some(&first) = text.first() {
            self.0[usize::from(first)] |= length_bit(text);
        }
    }

    /// Whether the text may be one of them.
    fn may_have(&self, text: &[u8]) -> bool {
        let first = text.first();
        first.is_some_and(|&first| self.0[usize::from(first)] & length_bit(text) != 0)
    }
}

fn length_bit(text: &[u8]) -> u32 {
    1 << text.len().min(31)
}

/// The byte of the name that stands in a masked text for other tokens.
const STAND_IN: u8 = b'_';

impl MaskPattern {
    fn from_text(text: &str) -> MaskPattern {
        let texts = |text: &str| {
            text.split('|')
                .map(|text| text.as_bytes().into())
                .collect::<Vec<_>>()
        };
        match text {
            "$" => MaskPattern::Word,
            "0" => MaskPattern::Number,
            "()" | "[]" | "{}" | "<>" => MaskPattern::Brackets(text.as_bytes()[0]),
            "||" => MaskPattern::OneOf(vec![text.as_bytes().into()]),
            _ => match text.strip_suffix('+').filter(|rest| !rest.is_empty()) {
                Some(run) => MaskPattern::Run(texts(run)),
                None => MaskPattern::OneOf(texts(text)),
            },
        }
    }

    /// The token behind what matches at token `at`; none if nothing does.
    fn match_at(&self, source: &TokenizedText, at: usize) -> Option<usize> {
        let token = source.token(at)?;
        let is_one = |texts: &[Box<[u8]>], token: &[u8]| texts.iter().any(|text| **text == *token);
        match self {
            MaskPattern::OneOf(texts) => is_one(texts, token).then_some(at + 1),
            MaskPattern::Run(texts) => {
                let own = (at..).map_while(|at| source.token(at));
                let run = own.take_while(|token| is_one(texts, token)).count();
                (run > 0).then_some(at + run)
            }
            MaskPattern::Word => starts_word(token[0]).then_some(at + 1),
            MaskPattern::Number => token[0].is_ascii_digit().then_some(at + 1),
            MaskPattern::Brackets(open) => (token == [*open])
                .then(|| source.partners[at])
                .filter(|&partner| partner != NO_PARTNER)
                .map(|partner| partner as usize + 1),
        }
    }
}

/// The tokens of a text, and which brackets belong together.
struct TokenizedText<'a> {
    text: &'a [u8],
    /// In 32 bits: a text of ten megabytes has millions of them.
    tokens: Vec<Range<u32>>,
    /// For each token: the one that closes what it opens, or [`NO_PARTNER`].
    partners: Vec<u32>,
}

const NO_PARTNER: u32 = u32::MAX;

impl<'a> TokenizedText<'a> {
    fn new(text: &'a [u8], style: TokenStyle) -> TokenizedText<'a> {
        let tokens = split_tokens(text, style);
        let mut partners = vec![NO_PARTNER; tokens.len()];
        // The brackets that are open, the inner last, each with the angles that are open directly inside of it.
        let mut open: Vec<(u8, usize, usize)> = Vec::new();
        let mut angles: Vec<usize> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let outer_angles = open.last().map_or(0, |&(.., angles)| angles);
            match &text[wide_range(token)] {
                b"(" => open.push((b')', at, angles.len())),
                b"[" => open.push((b']', at, angles.len())),
                b"{" => open.push((b'}', at, angles.len())),
                [close @ (b')' | b']' | b'}')] => match open.pop() {
                    Some((expected, first, outside)) if expected == *close => {
                        partners[first] = at as u32;
                        angles.truncate(outside);
                    }
                    // What is around brackets that do not match has no partner.
                    _ => {
                        open.clear();
                        angles.clear();
                    }
                },
                b"<" => angles.push(at),
                b">" if angles.len() > outer_angles => {
                    let first = angles.pop().unwrap_or(at);
                    partners[first] = at as u32;
                }
                // An angle does not reach over the end of a statement.
                b";" => angles.truncate(outer_angles),
                _ => {}
            }
        }
        TokenizedText {
            text,
            tokens,
            partners,
        }
    }

    fn token(&self, at: usize) -> Option<&'a [u8]> {
        Some(&self.text[wide_range(self.tokens.get(at)?)])
    }

    /// From the first of these tokens to the end of the last; none for no token, or if more than white space stands between them.
    fn stretch(&self, tokens: &Range<usize>) -> Option<Range<usize>> {
        let own = &self.tokens[tokens.clone()];
        let mut gaps = own.windows(2).map(|pair| pair[0].end..pair[1].start);
        let is_blank = |gap| {
            self.text[wide_range(&gap)]
                .iter()
                .all(u8::is_ascii_whitespace)
        };
        let is_plain = gaps.all(is_blank);
        let range = own.first()?.start..own.last()?.end;
        is_plain.then(|| wide_range(&range))
    }
}

impl HiddenRule {
    /// Patterns of tokens with blanks between them. What stands before `^` and behind `@` must be there, and is not masked. `$` is any word, `0` any
    /// number, `()` and `<>` a pair of brackets with all that is inside, `a|b` one of two tokens, `a|b+` a run of them.
    fn from_entry(entry: &HiddenEntry) -> HiddenRule {
        let parts = |text: &str| {
            text.split_whitespace()
                .map(MaskPattern::from_text)
                .collect()
        };
        let (before, rest) = entry
            .tokens
            .split_once(" ^ ")
            .unwrap_or(("", &entry.tokens));
        let (masked, behind) = rest.split_once(" @ ").unwrap_or((rest, ""));
        HiddenRule {
            before: parts(before),
            masked: parts(masked),
            behind: parts(behind),
            mask: entry.read_as,
        }
    }

    /// The tokens that are masked where the rule matches at token `at`, and their bytes.
    fn match_at(&self, source: &TokenizedText, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        let follow = |from: usize, parts: &[MaskPattern]| {
            let mut parts = parts.iter();
            parts.try_fold(from, |at, part| part.match_at(source, at))
        };
        let start = follow(at, &self.before)?;
        let end = follow(start, &self.masked)?;
        follow(end, &self.behind)?;
        let bytes = source.stretch(&(start..end))?;
        let is_word = |at: Option<usize>| {
            at.and_then(|at| source.text.get(at))
                .is_some_and(|&byte| continues_word(byte))
        };
        // A word stands on one line, and is no part of another.
        let may_be_word = || {
            !source.text[bytes.clone()].contains(&b'\n')
                && !is_word(bytes.start.checked_sub(1))
                && !is_word(Some(bytes.end))
        };
        (self.mask == MaskKind::Blank || may_be_word()).then_some((start..end, bytes))
    }
}

/// What is wrong with these rules: one that hides nothing, or that cannot be looked for.
pub(super) fn find_hidden_problem(entries: &[HiddenEntry]) -> Option<String> {
    entries.iter().find_map(|entry| {
        let rule = HiddenRule::from_entry(entry);
        if rule.masked.is_empty() {
            return Some(format!("`{}` names no token that is hidden", entry.tokens));
        }
        let first = rule.before.iter().chain(&rule.masked).next();
        matches!(first, Some(MaskPattern::Number))
            .then(|| format!("`{}` begins with any number; name a token", entry.tokens))
    })
}

impl HiddenRules {
    pub fn new(entries: &[HiddenEntry], style: TokenStyle) -> HiddenRules {
        let mut all = HiddenRules {
            rules: entries.iter().map(HiddenRule::from_entry).collect(),
            style,
            ..HiddenRules::default()
        };
        for (index, rule) in all.rules.iter().enumerate() {
            match rule.before.iter().chain(&rule.masked).next() {
                Some(MaskPattern::OneOf(texts) | MaskPattern::Run(texts)) => {
                    for text in texts {
                        all.lengths.add_text(text);
                        all.by_text.entry(text.clone()).or_default().push(index);
                    }
                }
                Some(&MaskPattern::Brackets(open)) => {
                    all.lengths.add_text(&[open]);
                    all.by_text.entry([open].into()).or_default().push(index);
                }
                Some(MaskPattern::Word) => all.at_words.push(index),
                Some(MaskPattern::Number) | None => {}
            }
        }
        all
    }

    /// Whether nothing is ever hidden.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Masks what the parser must not see. The text keeps its length and its newlines.
    pub fn mask_tokens(&self, text: &mut Cow<'_, [u8]>) {
        let found = self.find_stretches(text);
        if found.is_empty() {
            return;
        }
        let text = text.to_mut();
        for HiddenStretch { range, mask } in found {
            let stand_in = match mask {
                MaskKind::Blank => b' ',
                MaskKind::Word => STAND_IN,
            };
            for byte in &mut text[range] {
                if !matches!(byte, b'\n' | b'\r') {
                    *byte = stand_in;
                }
            }
        }
    }

    /// Where tokens are masked with blanks, in order.
    pub fn hidden_ranges(&self, text: &[u8]) -> Vec<Range<usize>> {
        if self.is_empty() {
            return Vec::new();
        }
        let found = self.find_stretches(text).into_iter();
        let hidden = found.filter(|stretch| stretch.mask == MaskKind::Blank);
        hidden.map(|stretch| stretch.range).collect()
    }

    /// The stretches of a text, in order.
    fn find_stretches(&self, text: &[u8]) -> Vec<HiddenStretch> {
        let source = TokenizedText::new(text, self.style);
        let (mut found, mut at) = (Vec::new(), 0);
        while let Some(first) = source.token(at) {
            let known = self
                .lengths
                .may_have(first)
                .then(|| self.by_text.get(first));
            let by_text = known.flatten().map_or(&[][..], Vec::as_slice);
            let at_words = match starts_word(first[0]) {
                true => &self.at_words[..],
                false => &[],
            };
            let rules = by_text.iter().chain(at_words);
            let mut matches = rules.filter_map(|&index| {
                let rule = &self.rules[index];
                Some((rule.match_at(&source, at)?, rule.mask))
            });
            let Some(((masked, range), mask)) = matches.next() else {
                at += 1;
                continue;
            };
            found.push(HiddenStretch { range, mask });
            at = masked.end;
        }
        found
    }

    /// The tokens of a text, without comments and directives.
    pub fn split_tokens(&self, text: &[u8]) -> Vec<Range<usize>> {
        let tokens = split_tokens(text, self.style);
        tokens.iter().map(wide_range).collect()
    }

    /// The tokens of a text that are all hidden, divided into what the rules hide together.
    pub fn divide_tokens(&self, text: &[u8]) -> Vec<Vec<Range<usize>>> {
        let source = TokenizedText::new(text, self.style);
        let (mut units, mut at) = (Vec::new(), 0);
        while at < source.tokens.len() {
            let ends = self.rules.iter().filter_map(|rule| {
                let mut parts = rule.masked.iter();
                parts.try_fold(at, |at, part| part.match_at(&source, at))
            });
            let end = ends.max().unwrap_or(at).max(at + 1);
            units.push(source.tokens[at..end].iter().map(wide_range).collect());
            at = end;
        }
        units
    }
}

/// Whether this masked text stands for other tokens.
pub(super) fn is_stand_in(masked: &[u8], source: &[u8]) -> bool {
    !masked.is_empty() && masked.iter().all(|&byte| byte == STAND_IN) && masked != source
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn continues_word(byte: u8) -> bool {
    starts_word(byte) || byte.is_ascii_digit()
}

/// Tokens of several characters that no rule needs in parts.
const LONG_TOKENS: &[&[u8]] = &[
    b"<=>", b"...", b"<<=", b">>=", b"::", b"->", b"&&", b"||", b"++", b"--", b"+=", b"-=", b"*=",
    b"/=", b"%=", b"&=", b"|=", b"^=", b"<=", b">=", b"==", b"!=",
];

/// The second bytes of these.
const SECOND_BYTES: &[u8] = b"=.<>:-&|+";

/// The most bytes of a text for each of its tokens, where it has many.
const BYTES_OF_TOKEN: usize = 3;

fn wide_range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

fn split_tokens(text: &[u8], style: TokenStyle) -> Vec<Range<u32>> {
    let mut tokens = Vec::with_capacity(text.len() / BYTES_OF_TOKEN);
    let (mut at, mut begins_line) = (0, true);
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let length = match byte {
            b'\n' => {
                begins_line = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {
                at += 1;
                continue;
            }
            b'#' if begins_line && !style.plain_hashes => {
                at += directive_length(rest);
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at += find_end(rest, b"\n").saturating_sub(1).max(2);
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                at += (2 + find_end(&rest[2..], b"*/")).min(rest.len());
                continue;
            }
            b'\'' if style.quoted_names => quoted_name_length(rest),
            b'"' | b'\'' => quoted_length(rest, style),
            _ if starts_word(byte) => match style.hash_strings {
                true => hash_string_length(rest).unwrap_or_else(|| word_length(rest)),
                false => word_length(rest),
            },
            _ if byte.is_ascii_digit() => number_length(rest),
            _ => {
                let may_be_long = rest.get(1).is_some_and(|byte| SECOND_BYTES.contains(byte));
                let long = match may_be_long {
                    true => LONG_TOKENS.iter().find(|long| rest.starts_with(long)),
                    false => None,
                };
                long.map_or(1, |long| long.len())
            }
        };
        tokens.push(at as u32..(at + length) as u32);
        (at, begins_line) = (at + length, false);
    }
    tokens
}

/// The length up to the end of the first `end`, or of all.
fn find_end(text: &[u8], end: &[u8]) -> usize {
    memchr::memmem::find(text, end).map_or(text.len(), |at| at + end.len())
}

/// A directive without the newline at its end. A backslash continues its line.
fn directive_length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        let line = memchr::memchr(b'\n', &text[length..]);
        let Some(newline) = line.map(|at| length + at) else {
            return text.len();
        };
        let continued = text[..newline].trim_ascii_end().ends_with(b"\\");
        if !continued {
            return newline;
        }
        length = newline + 1;
    }
}

/// `'a'`, or `'a` where that is a name.
fn quoted_name_length(text: &[u8]) -> usize {
    let is_name = text.get(1).is_some_and(|&byte| starts_word(byte));
    let length = 1 + text[1..]
        .iter()
        .take_while(|&&byte| continues_word(byte))
        .count();
    match is_name && text.get(length) != Some(&b'\'') {
        true => length,
        false => quoted_length(text, TokenStyle::default()),
    }
}

/// `r#"…"#`, with any number of `#`, also behind `b` or `c`.
fn hash_string_length(text: &[u8]) -> Option<usize> {
    let prefix = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let hashes = text[prefix..]
        .iter()
        .take_while(|&&byte| byte == b'#')
        .count();
    let open = prefix + hashes + 1;
    let is_raw = text[..prefix].ends_with(b"r") && text.get(open - 1) == Some(&b'"');
    let end = [b"\"", &b"#".repeat(hashes)[..]].concat();
    is_raw.then(|| open + find_end(&text[open..], &end))
}

/// A string or a character up to its quote, or to the end of its line.
fn quoted_length(text: &[u8], style: TokenStyle) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' if !style.long_strings || text[0] == b'\'' => return at,
            byte if byte == text[0] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// A word; with the string behind it if it is the prefix of one.
fn word_length(text: &[u8]) -> usize {
    let length = text
        .iter()
        .take_while(|&&byte| continues_word(byte))
        .count();
    let (word, rest) = text.split_at(length);
    let raw = matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") && rest.starts_with(b"\"");
    let open = memchr::memchr(b'(', rest).filter(|_| raw);
    open.map_or(length, |open| {
        let end = [b")", &rest[1..open], b"\""].concat();
        length + open + find_end(&rest[open..], &end)
    })
}

fn number_length(text: &[u8]) -> usize {
    let mut length = 1;
    while let Some(&byte) = text.get(length) {
        let before = text[length - 1];
        let next = text.get(length + 1);
        let goes_on = continues_word(byte)
            || byte == b'.'
            || byte == b'\'' && next.is_some_and(|&next| continues_word(next))
            || matches!(byte, b'+' | b'-') && matches!(before, b'e' | b'E' | b'p' | b'P');
        if !goes_on {
            break;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(rules: &[(&str, MaskKind)]) -> HiddenRules {
        let entry = |&(tokens, read_as): &(&str, MaskKind)| HiddenEntry {
            tokens: tokens.to_owned(),
            read_as,
        };
        HiddenRules::new(
            &rules.iter().map(entry).collect::<Vec<_>>(),
            TokenStyle::default(),
        )
    }

    #[test]
    fn a_rule_that_hides_nothing_is_a_problem() {
        for (tokens, problem) in [
            ("a ^ b @ c", None),
            ("[ ^  @ 1", Some("`[ ^  @ 1` names no token that is hidden")),
            ("", Some("`` names no token that is hidden")),
            (
                "0 @ b",
                Some("`0 @ b` begins with any number; name a token"),
            ),
        ] {
            let entry = HiddenEntry {
                tokens: tokens.to_owned(),
                read_as: MaskKind::Blank,
            };
            assert_eq!(
                find_hidden_problem(&[entry]).as_deref(),
                problem,
                "{tokens}"
            );
        }
    }

    #[test]
    fn the_middle_of_a_rule_is_masked() {
        let rules = rules(&[
            ("__attribute__ ()", MaskKind::Blank),
            ("extern @ template", MaskKind::Blank),
            (") ^ const|&+ @ >", MaskKind::Blank),
            ("$ :: @ *", MaskKind::Blank),
            (".|-> ^ operator -> @ (", MaskKind::Word),
            ("__typeof__ ()", MaskKind::Word),
            (", class = $ <> @ > f", MaskKind::Blank),
        ]);
        for (text, masked) in [
            (
                "int x __attribute__((a(1)));",
                "int x                      ;",
            ),
            ("__attribute__((\n))x", "               \n  x"),
            ("__attribute__((x)", "__attribute__((x)"),
            ("__attribute__((x) /* a */)", "__attribute__((x) /* a */)"),
            ("__attribute__((\n#if 1\nx))", "__attribute__((\n#if 1\nx))"),
            ("__typeof__(x) y;", "_____________ y;"),
            ("__typeof__(x)y;", "__typeof__(x)y;"),
            ("([)] __attribute__((x))", "([)]                   "),
            (
                "a.operator->(b).operator->(c)",
                "a.__________(b).__________(c)",
            ),
            ("extern template class A;", "       template class A;"),
            ("extern int a;", "extern int a;"),
            ("F<int() const &> f;", "F<int()        > f;"),
            ("int S::*p;", "int    *p;"),
            (
                "template<class T, class = A<B<T>, (1 > 0)>> f",
                "template<class T                          > f",
            ),
            (
                "<class T, class = A<B; > > f",
                "<class T, class = A<B; > > f",
            ),
            ("a.operator->();", "a.__________();"),
            ("a.operator\n->();", "a.operator\n->();"),
            ("\"__attribute__((x))\"", "\"__attribute__((x))\""),
            ("// __attribute__((x))\n", "// __attribute__((x))\n"),
            ("/* __attribute__((x)) */", "/* __attribute__((x)) */"),
            (
                "#define A __attribute__((x)) \\\n __attribute__((x))\n",
                "#define A __attribute__((x)) \\\n __attribute__((x))\n",
            ),
            (
                "R\"a(\" __attribute__((x)) )\" )a\"",
                "R\"a(\" __attribute__((x)) )\" )a\"",
            ),
            ("1'0 __attribute__((x)) '\"'", "1'0                    '\"'"),
        ] {
            let mut own = Cow::Borrowed(text.as_bytes());
            rules.mask_tokens(&mut own);
            assert_eq!(String::from_utf8_lossy(&own), masked, "{text:?}");
        }
    }

    #[test]
    fn a_language_says_how_its_tokens_differ() {
        let own = TokenStyle {
            long_strings: true,
            hash_strings: true,
            quoted_names: true,
            plain_hashes: true,
        };
        for (text, tokens, of_c) in [
            ("<'a> 'b' '\\''", vec!["<", "'a", ">", "'b'", "'\\''"], 6),
            ("\"a\nb\" c", vec!["\"a\nb\"", "c"], 3),
            ("br##\"a\"#\"## c r", vec!["br##\"a\"#\"##", "c", "r"], 6),
            ("#[a]\nb", vec!["#", "[", "a", "]", "b"], 1),
        ] {
            let found = split_tokens(text.as_bytes(), own);
            let found: Vec<_> = found.iter().map(|range| &text[wide_range(range)]).collect();
            assert_eq!(found, tokens, "{text:?}");
            let of_default = split_tokens(text.as_bytes(), TokenStyle::default());
            assert_eq!(of_default.len(), of_c, "{text:?}");
        }
    }

    #[test]
    fn signs_of_several_characters_are_one_token() {
        for long in LONG_TOKENS {
            let text = [b"a", *long, b"b"].concat();
            let tokens = split_tokens(&text, TokenStyle::default());
            let found: Vec<_> = tokens
                .iter()
                .map(|range| &text[wide_range(range)])
                .collect();
            assert_eq!(found, [b"a", *long, b"b"]);
        }
    }

    #[test]
    fn hidden_tokens_are_divided_by_the_rules() {
        let rules = rules(&[
            ("__attribute__ ()", MaskKind::Blank),
            ("= delete @ ;", MaskKind::Blank),
        ]);
        let text = b"= delete __attribute__((a)) __attribute__((b)) other";
        let units = rules.divide_tokens(text);
        let shown: Vec<_> = units
            .iter()
            .map(|unit| &text[unit[0].start..unit[unit.len() - 1].end])
            .collect();
        assert_eq!(
            shown,
            [
                &b"= delete"[..],
                b"__attribute__((a))",
                b"__attribute__((b))",
                b"other"
            ]
        );
    }
}
