//! Structure where no grammar gives any: brackets that belong together make a part of their own, and so does each line.

use std::mem::take;

use super::build::{Draft, DraftBody};
use super::node::Shape;

/// How parts are grouped.
#[derive(Clone, Copy)]
pub struct Grouping {
    /// What shape the groups have.
    pub shape: Shape,
    /// Whether a run of one part is a group too.
    pub lone: bool,
    /// Whether a semicolon ends a run, as the end of a line does.
    pub semicolons: bool,
}

/// What is between two brackets, as far as it is read.
#[derive(Default)]
struct Open {
    bracket: Option<Draft>,
    runs: Vec<Draft>,
    run: Vec<Draft>,
}

impl Open {
    fn end_run(&mut self, how: Grouping) {
        let run = match self.run.len() {
            0 => None,
            1 if !how.lone => self.run.pop(),
            _ => Some(Draft::inner(how.shape, take(&mut self.run))),
        };
        self.runs.extend(run);
    }

    /// The runs, or what is in the only one.
    fn parts(mut self, how: Grouping) -> Vec<Draft> {
        if self.runs.is_empty() {
            return self.run;
        }
        self.end_run(how);
        self.runs
    }

    /// The brackets and what is between them, as a list.
    fn closed(mut self, bracket: Draft, how: Grouping) -> Draft {
        let opening = self.bracket.take();
        let inside = Some(self.parts(how)).filter(|inside| !inside.is_empty());
        let inside = inside.map(|inside| Draft::inner(how.shape, inside));
        let parts: Vec<Draft> = opening.into_iter().chain(inside).chain([bracket]).collect();
        Draft::inner(how.shape, parts)
    }
}

/// `parts` as lists in one another: brackets with their partner around the list of what is between them, so that it can go as a whole; in
/// and around them the runs of what stands on a line.
pub fn grouped(parts: Vec<Draft>, how: Grouping) -> Vec<Draft> {
    let brackets = paired(parts.iter().map(lone));
    let mut outside = Vec::new();
    let mut here = Open::default();
    for (part, bracket) in parts.into_iter().zip(brackets) {
        if part.begins_line {
            here.end_run(how);
        }
        let ends = how.semicolons && lone(&part) == Some(b';');
        match bracket {
            Bracket::None => here.run.push(part),
            Bracket::Opens => {
                let bracket = Some(part);
                let inside = Open {
                    bracket,
                    ..Open::default()
                };
                outside.push(std::mem::replace(&mut here, inside));
            }
            Bracket::Closes => {
                let around = outside.pop().unwrap_or_default();
                let group = std::mem::replace(&mut here, around).closed(part, how);
                here.run.push(group);
            }
        }
        if ends {
            here.end_run(how);
        }
    }
    here.parts(how)
}

/// The byte of a token of one byte.
fn lone(part: &Draft) -> Option<u8> {
    match &part.body {
        DraftBody::Leaf(_, _, text) if part.shape == Shape::Token && text.len() == 1 => {
            text.first().copied()
        }
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    None,
    Opens,
    Closes,
}

/// Which of these are brackets with a partner. One without is a token as any other.
fn paired(tokens: impl Iterator<Item = Option<u8>>) -> Vec<Bracket> {
    let mut all = Vec::new();
    let mut open: Vec<(usize, u8)> = Vec::new();
    // How many of each are open: a closing bracket without a partner must not look through all of them.
    let mut waiting = [0u32; 256];
    for (at, token) in tokens.enumerate() {
        all.push(Bracket::None);
        let opens = match token {
            Some(byte @ (b'(' | b'[' | b'{')) => {
                open.push((at, byte));
                waiting[byte as usize] += 1;
                continue;
            }
            Some(b')') => b'(',
            Some(b']') => b'[',
            Some(b'}') => b'{',
            _ => continue,
        };
        while waiting[opens as usize] > 0 {
            let Some((partner, byte)) = open.pop() else {
                break;
            };
            waiting[byte as usize] -= 1;
            if byte == opens {
                all[partner] = Bracket::Opens;
                all[at] = Bracket::Closes;
                break;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use smallvec::smallvec;

    use super::super::plain;
    use super::super::text::Text;
    use super::*;

    /// The tokens of `text`, grouped; each group in ⟨⟩.
    fn shown(text: &str, how: Grouping) -> String {
        let bytes = Arc::new(Arc::from(text.as_bytes()));
        let mut end = 0;
        let tokens = plain::tokens(text.as_bytes()).map(|range| {
            let trivia = Text::slice(&bytes, end..range.start);
            end = range.end;
            Draft::leaf(
                Shape::Token,
                smallvec![],
                trivia,
                Text::slice(&bytes, range),
            )
        });
        fn show(part: &Draft) -> String {
            match &part.body {
                DraftBody::Leaf(_, _, text) => String::from_utf8_lossy(text).into_owned(),
                _ => format!("⟨{}⟩", row(part.kids().into_iter().flatten())),
            }
        }
        fn row<'a>(parts: impl Iterator<Item = &'a Draft>) -> String {
            parts.map(show).collect::<Vec<_>>().join(" ")
        }
        row(grouped(tokens.collect(), how).iter())
    }

    #[test]
    fn brackets_lines_and_semicolons_make_groups() {
        let unparsed = Grouping {
            shape: Shape::Opaque,
            lone: false,
            semicolons: true,
        };
        let plain = Grouping {
            shape: Shape::Star,
            lone: true,
            semicolons: false,
        };
        for (text, of_unparsed, of_plain) in [
            ("a", "a", "a"),
            ("a b", "a b", "a b"),
            ("a b; c;", "⟨a b ;⟩ ⟨c ;⟩", "a b ; c ;"),
            ("a\nb c", "a ⟨b c⟩", "⟨a⟩ ⟨b c⟩"),
            ("f(a, b);", "⟨f ⟨( ⟨a , b⟩ )⟩ ;⟩", "f ⟨( ⟨a , b⟩ )⟩ ;"),
            (
                "{ a; b[]\n}\nc",
                "⟨{ ⟨⟨a ;⟩ ⟨b ⟨[ ]⟩⟩⟩ }⟩ c",
                "⟨⟨{ ⟨⟨a ; b ⟨[ ]⟩⟩⟩ }⟩⟩ ⟨c⟩",
            ),
            ("(a] b", "( a ] b", "( a ] b"),
            ("(a [b) c", "⟨( ⟨a [ b⟩ )⟩ c", "⟨( ⟨a [ b⟩ )⟩ c"),
        ] {
            assert_eq!(shown(text, unparsed), of_unparsed, "{text}");
            assert_eq!(shown(text, plain), of_plain, "{text}");
        }
    }
}
