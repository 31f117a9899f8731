//! Why the result is interesting: the section of `lop contrast` in a report.

use std::path::Path;

use super::ReportSubject;
use crate::cli::commands::contrast::{ContrastOutput, markdown_section, to_failure};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::contrast::{
    ContrastExperiment, ContrastObserver, ContrastSubject, known_verdicts,
};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::recorded_run::recorded_language;
use crate::contrast::USUAL_TESTS;
use crate::session::RunInput;

/// Compares the result with its neighbours. What the session knows needs no test.
pub(super) fn explain_result(
    subject: &ReportSubject,
    prepared: &PreparedRun,
) -> Result<String, CommandFailure> {
    let history = &subject.history;
    let (RunInput::Program(_), [Some(bytes)], [file]) = (
        &subject.input,
        &subject.texts[..],
        &history.header.files[..],
    ) else {
        let what =
            "--contrast explains one program, and this session has several; leave --contrast out";
        return Err(CommandFailure::new(USAGE, what));
    };
    let name = Path::new(subject.input.main_file().file_name());
    let original = file.bytes.decode_bytes().map(Into::into);
    let language = recorded_language(file)?;
    let contrast = ContrastSubject::read(name.into(), language, bytes.clone(), original)
        .map_err(|why| CommandFailure::new(USAGE, format!("the result {why}")))?;
    let experiment =
        ContrastExperiment::from_prepared(prepared, subject.limits(), 1, USUAL_TESTS as usize);
    let known = known_verdicts(history, &prepared.test);
    let observer = ContrastObserver {
        interrupted: &prepared.signals.received,
        on_progress: &|_| {},
    };
    let findings = experiment
        .compare_neighbours(contrast, None, Some(&known), &observer)
        .map_err(to_failure)?;
    Ok(markdown_section(&ContrastOutput {
        file: name,
        findings,
    }))
}
