//! A test that finds interesting what cannot be.

use crate::doctor::examination::{ExaminationError, TestExamination};
use crate::doctor::finding::DoctorFinding;
use crate::doctor::probe::ProbeFile;

/// Runs the test on an empty file and on nonsense.
pub(super) fn check_content(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let empty = case.is_probe_interesting(ProbeFile::Empty)?;
    let nonsense = case.is_probe_interesting(ProbeFile::Nonsense)?;
    if case.is_explained {
        return Ok(Vec::new());
    }
    let finding = match (empty, nonsense) {
        (false, false) => return check_halves(case),
        (true, true) => accepts_anything_finding(case),
        (true, false) => DoctorFinding::new_harmful(
            "empty",
            "about an empty file it says 0",
            "the result would be empty. Most often the test looks for something that is absent, as a word that the compiler does not print, and \
             forgets to ask that the program still does something",
            (
                format!(
                    "as line 2 of {}, with a word without which there is no bug",
                    case.test_name()
                ),
                vec!["grep -q 'WORD' \"$1\" || exit 1".into()],
            ),
        ),
        (false, true) => DoctorFinding::new_harmful(
            "nonsense",
            "about a line of nonsense it says 0",
            "any program that is broken will do, so the result would be a token or two that have nothing to do with the bug. Most often the test \
             asks that a command fails, and not how",
            (
                format!(
                    "in {}, in place of the command that is to fail, with the words of the message that you look for",
                    case.test_name()
                ),
                vec!["COMMAND \"$1\" 2>&1 | grep -q 'WORDS OF THE MESSAGE'".into()],
            ),
        ),
    };
    case.is_explained = true;
    Ok(vec![finding])
}

/// The finding for a test that accepts anything. The script may show why.
fn accepts_anything_finding(case: &TestExamination<'_>) -> DoctorFinding {
    let (name, test) = (case.candidate_name(), case.test_name());
    let seen = format!(
        "about an empty file and about a line of nonsense in the place of {name} it says 0"
    );
    let why = "it does not look at the candidate, so that everything goes and nothing is learnt";
    if let Some(mention) = case.script.find_mention_of(&case.input.file) {
        let line = case.script.code_line(mention.line).unwrap_or_default();
        return DoctorFinding::new_harmful(
            "other-file",
            format!("{seen}; {}", mention.describe_as_original()),
            "the original has the bug, whatever the candidate is: everything goes and nothing is learnt",
            (
                format!(
                    "in {test}, in place of line {}: the candidate is \"$1\", and lies in the working directory",
                    mention.line
                ),
                vec![replace_with_argument(line, &mention.word)],
            ),
        );
    }
    if let Some((number, line)) = case.script.infallible_end() {
        return DoctorFinding::new_harmful(
            "always-yes",
            format!("{seen}; its last statement, in line {number}, is `{line}`, which never fails"),
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
    DoctorFinding::new_harmful(
        "always-yes",
        seen,
        why,
        (
            format!("at the end of {test}, with the words that show the bug"),
            vec!["COMMAND \"$1\" 2>&1 | grep -q 'WORDS' || exit 1".into()],
        ),
    )
}

/// Checks whether both halves show the bug. That is possible, but rarely intended.
fn check_halves(case: &mut TestExamination<'_>) -> Result<Vec<DoctorFinding>, ExaminationError> {
    if case.input.bytes.len() < 2
        || !case.is_probe_interesting(ProbeFile::FirstHalf)?
        || !case.is_probe_interesting(ProbeFile::SecondHalf)?
    {
        return Ok(Vec::new());
    }
    let finding = DoctorFinding::new_harmful(
        "halves",
        format!(
            "it says 0 about the first half of {} and about the second half, which have no line in common",
            case.candidate_name()
        ),
        "what it looks for is there twice, or is something that cutting a program in two brings about, as a syntax error",
        (
            format!(
                "in {}, with the words of the message that you look for",
                case.test_name()
            ),
            vec!["COMMAND \"$1\" 2>&1 | grep -q 'WORDS OF THE MESSAGE'".into()],
        ),
    );
    Ok(vec![finding.into_note()])
}

/// The line with the argument in place of a word.
pub(super) fn replace_with_argument(line: &str, word: &str) -> String {
    let mut line = line.to_owned();
    // Quotes around the word are replaced with it.
    for quoted in [format!("\"{word}\""), format!("'{word}'"), word.to_owned()] {
        if line.contains(&quoted) {
            line = line.replacen(&quoted, "\"$1\"", 1);
            break;
        }
    }
    line
}
