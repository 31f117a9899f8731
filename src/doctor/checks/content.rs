//! A test that finds interesting what cannot be.

use crate::doctor::case::{Case, Halt};
use crate::doctor::finding::Finding;
use crate::doctor::probe::Probe;

/// Asks about nothing, and about nonsense.
pub(super) fn check(case: &mut Case<'_>) -> Result<Vec<Finding>, Halt> {
    let empty = case.probe(Probe::Empty)?;
    let nonsense = case.probe(Probe::Nonsense)?;
    if case.explained {
        return Ok(Vec::new());
    }
    let finding = match (empty, nonsense) {
        (false, false) => return halves(case),
        (true, true) => anything(case),
        (true, false) => Finding::hurts(
            "empty",
            "about an empty file it says 0",
            "the result would be empty. Most often the test looks for something that is absent, as a word that the compiler does not print, and \
             forgets to ask that the program still does something",
            (
                format!(
                    "as line 2 of {}, with a word without which there is no bug",
                    case.test()
                ),
                vec!["grep -q 'WORD' \"$1\" || exit 1".into()],
            ),
        ),
        (false, true) => Finding::hurts(
            "nonsense",
            "about a line of nonsense it says 0",
            "any program that is broken will do, so the result would be a token or two that have nothing to do with the bug. Most often the test \
             asks that a command fails, and not how",
            (
                format!(
                    "in {}, in place of the command that is to fail, with the words of the message that you look for",
                    case.test()
                ),
                vec!["COMMAND \"$1\" 2>&1 | grep -q 'WORDS OF THE MESSAGE'".into()],
            ),
        ),
    };
    case.explained = true;
    Ok(vec![finding])
}

/// It says yes to whatever there is; the script may tell why.
fn anything(case: &Case<'_>) -> Finding {
    let (name, test) = (case.name(), case.test());
    let seen = format!(
        "about an empty file and about a line of nonsense in the place of {name} it says 0"
    );
    let why = "it does not look at the candidate, so that everything goes and nothing is learnt";
    if let Some(mention) = case.script.names_file(&case.subject.file) {
        let line = case.script.line(mention.line).unwrap_or_default();
        return Finding::hurts(
            "other-file",
            format!("{seen}; {}", mention.of_original()),
            "the original has the bug, whatever the candidate is: everything goes and nothing is learnt",
            (
                format!(
                    "in {test}, in place of line {}: the candidate is \"$1\", and lies in the working directory",
                    mention.line
                ),
                vec![with_argument(line, &mention.word)],
            ),
        );
    }
    if let Some((number, line)) = case.script.cannot_fail() {
        return Finding::hurts(
            "always-yes",
            format!("{seen}; its last line, {number}, is `{line}`, which never fails"),
            "the last command of a script decides, so that everything goes and nothing is learnt",
            (
                format!("in {test}, at the end of the line that looks for the bug"),
                vec!["|| exit 1".into()],
            ),
        );
    }
    let unnamed = !case.script.text().is_empty()
        && !case.script.uses_argument()
        && !case.script.text().contains(&name)
        && !case.script.text().contains('*');
    let seen = match unnamed {
        true => format!("{seen}; it names neither \"$1\" nor {name}"),
        false => seen,
    };
    Finding::hurts(
        "always-yes",
        seen,
        why,
        (
            format!("at the end of {test}, with the words that show the bug"),
            vec!["COMMAND \"$1\" 2>&1 | grep -q 'WORDS' || exit 1".into()],
        ),
    )
}

/// Two parts with nothing in common both show the bug: that may be, but is seldom meant.
fn halves(case: &mut Case<'_>) -> Result<Vec<Finding>, Halt> {
    if case.subject.bytes.len() < 2
        || !case.probe(Probe::FirstHalf)?
        || !case.probe(Probe::SecondHalf)?
    {
        return Ok(Vec::new());
    }
    let finding = Finding::hurts(
        "halves",
        format!(
            "it says 0 about the first half of {} and about the second half, which have no line in common",
            case.name()
        ),
        "what it looks for is there twice, or is something that cutting a program in two brings about, as a syntax error",
        (
            format!(
                "in {}, with the words of the message that you look for",
                case.test()
            ),
            vec!["COMMAND \"$1\" 2>&1 | grep -q 'WORDS OF THE MESSAGE'".into()],
        ),
    );
    Ok(vec![finding.only_noted()])
}

/// The line with the candidate in place of a word.
pub(super) fn with_argument(line: &str, word: &str) -> String {
    let mut line = line.to_owned();
    // From here to the quotes around it, whatever begins the word there.
    for quoted in [format!("\"{word}\""), format!("'{word}'"), word.to_owned()] {
        if line.contains(&quoted) {
            line = line.replacen(&quoted, "\"$1\"", 1);
            break;
        }
    }
    line
}
