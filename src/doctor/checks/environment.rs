//! A test that works because of a variable that is set just now.

use std::env;

use crate::doctor::examination::{ExaminationError, TestExamination, is_interesting};
use crate::doctor::finding::DoctorFinding;
use crate::oracle::InterestingnessTest;
use crate::oracle::shell::quote_word;

/// Variables that exist in every session, or that lop sets.
const KEPT: [&str; 15] = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "UID",
    "EUID", "PPID", "IFS", "_",
];
/// The most variables that are looked for.
const MOST: usize = 4;
/// Prefixes of variables that decide the language of messages.
const LOCALE: [&str; 3] = ["LC_", "LANG", "LANGUAGE"];
/// Parts of names whose values are not shown.
const SECRET: [&str; 4] = ["KEY", "TOKEN", "SECRET", "PASS"];

/// Runs the test without the variables of this session, looks for those that it needs, and tries another locale.
pub(super) fn check_environment(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let names: Vec<String> = env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| can_unset(name))
        .collect();
    let needed = find_needed_variables(case, &names)?;
    let mut findings: Vec<DoctorFinding> = needed
        .iter()
        .map(|name| variable_finding(case, name))
        .collect();
    if !needed.iter().any(|name| is_locale(name)) {
        findings.extend(check_locale(case)?);
    }
    Ok(findings)
}

/// Whether a shell can unset it, and it does not exist in every session.
fn can_unset(name: &str) -> bool {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    plain && !name.starts_with(|c: char| c.is_ascii_digit()) && !KEPT.contains(&name)
}

fn is_locale(name: &str) -> bool {
    LOCALE.iter().any(|start| name.starts_with(start))
}

/// The variables without which the original is not interesting. Each is the last one of the shortest prefix that suffices, found by
/// bisection.
fn find_needed_variables(
    case: &mut TestExamination<'_>,
    names: &[String],
) -> Result<Vec<String>, ExaminationError> {
    let mut needed: Vec<String> = Vec::new();
    while needed.len() < MOST {
        let without = |kept: &[String], more: &[String]| {
            names
                .iter()
                .filter(|name| !kept.contains(name) && !more.contains(name))
                .cloned()
                .collect::<Vec<_>>()
        };
        if is_interesting_without(case, &without(&needed, &[]))? {
            return Ok(needed);
        }
        let (mut least, mut most) = (1, names.len());
        while least < most {
            let middle = (least + most) / 2;
            if is_interesting_without(case, &without(&needed, &names[..middle]))? {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        match names.get(least.wrapping_sub(1)) {
            Some(name) if !needed.contains(name) => needed.push(name.clone()),
            // With all of them it was interesting, so the test is not deterministic.
            _ => return Ok(needed),
        }
    }
    Ok(needed)
}

/// Whether the original is interesting without these.
fn is_interesting_without(
    case: &mut TestExamination<'_>,
    names: &[String],
) -> Result<bool, ExaminationError> {
    if names.is_empty() {
        return Ok(true);
    }
    let test: InterestingnessTest =
        case.test_with_prelude(&format!("unset {}", names.join(" ")))?;
    Ok(is_interesting(&case.run_original_with(&test)?))
}

fn variable_finding(case: &TestExamination<'_>, name: &str) -> DoctorFinding {
    let value = env::var(name).unwrap_or_default();
    let secret = SECRET
        .iter()
        .any(|part| name.to_ascii_uppercase().contains(part));
    let value = if secret {
        "'ITS VALUE'".to_owned()
    } else {
        quote_word(&value)
    };
    let finding = DoctorFinding::new_harmful(
        "environment",
        format!(
            "without the variable {name} of this session, {} is not interesting",
            case.candidate_name()
        ),
        "in another session, as when you go on tomorrow or on another machine, it would say no to everything",
        case.insert_at_start(&[&format!("export {name}={value}")]),
    );
    // Variables of a toolchain exist wherever the toolchain does. Those that the script names, and those of the locale, do not.
    match is_locale(name) || case.script.text().contains(name) {
        true => finding,
        false => finding.into_note(),
    }
}

/// Runs the test with a UTF-8 locale, if this session has another: messages have other quotation marks then.
fn check_locale(case: &mut TestExamination<'_>) -> Result<Option<DoctorFinding>, ExaminationError> {
    let current = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    let current = current.unwrap_or_else(|| "C".to_owned());
    let upper = current.to_ascii_uppercase();
    if upper.contains("UTF-8") || upper.contains("UTF8") {
        return Ok(None);
    }
    let test = case.test_with_prelude("LC_ALL=C.UTF-8\nexport LC_ALL")?;
    if is_interesting(&case.run_original_with(&test)?) {
        return Ok(None);
    }
    Ok(Some(DoctorFinding::new_harmful(
        "environment",
        format!(
            "with LC_ALL=C.UTF-8 in place of {current}, {} is not interesting",
            case.candidate_name()
        ),
        "compilers write other quotation marks, or another language, in another session: there it would say no to everything",
        case.insert_at_start(&[&format!("export LC_ALL={}", quote_word(&current))]),
    )))
}
