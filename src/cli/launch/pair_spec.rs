//! The test of a pair that the user gives: two scripts, one script that sees both programs, or commands.
//!
//! | given | the seed must | the variant must |
//! | --- | --- | --- |
//! | two scripts | pass the first | pass the second |
//! | `-- COMMAND` | make it succeed, without the failure | make it fail as it does now |
//! | `--differs RIGHT WRONG` | make both do the same | make them differ |
//!
//! Checks and the guard against undefined behaviour hold for both.

use super::test_spec::{TestSpec, command_stage_of, shell_stage};
use super::ub_guard;
use crate::cli::args::{PairTestArgs, PropertyArgs};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::oracle::{CANDIDATE, StageRole, StageView, TestStage};
use crate::session::InputFile;

/// A program of a pair, and how its stages see it.
struct PairMember<'a> {
    view: StageView,
    file: &'a InputFile,
}

/// The test of the command line for a seed and a variant, with notes.
pub fn read_pair_test(
    test: &PairTestArgs,
    files: &[InputFile; 2],
) -> Result<(TestSpec, Vec<String>), CommandFailure> {
    let refuse = |what: String| Err(CommandFailure::new(USAGE, what));
    let property = &test.property;
    if let Some(useless) = property.unusable_option() {
        return refuse(useless);
    }
    if property.has_commands() {
        let (stages, notes) = command_stages(property, files)?;
        let spec = TestSpec::Commands(stages, property.wanted_property());
        return Ok((spec, notes));
    }
    let spec = match (&test.both, &test.seed_test, &test.variant_test) {
        (Some(_), ..) if !property.check.is_empty() => {
            return refuse(
                "--check is for tests that see one program each; with --both the test itself checks"
                    .to_owned(),
            );
        }
        (Some(_), ..) if files[0].file_name() == files[1].file_name() => {
            return refuse(
                "--both needs a seed and a variant of different names, because its test sees both in one directory"
                    .to_owned(),
            );
        }
        (Some(both), ..) => TestSpec::from_script(both),
        (None, Some(seed), Some(variant)) => {
            let mut checks = Vec::new();
            for member in members(files) {
                checks.extend(member.see(pair_checks(property, files)?));
            }
            TestSpec::PairScripts([seed.clone(), variant.clone()], checks)
        }
        _ => {
            return refuse(
                "a pair needs a test of the seed and one of the variant, or --both TEST, or -- COMMAND"
                    .to_owned(),
            );
        }
    };
    Ok((spec, Vec::new()))
}

fn members(files: &[InputFile; 2]) -> [PairMember<'_>; 2] {
    let [seed, variant] = files;
    [
        PairMember {
            view: StageView::Seed,
            file: seed,
        },
        PairMember {
            view: StageView::Variant,
            file: variant,
        },
    ]
}

impl PairMember<'_> {
    /// The stages, seeing this program alone.
    fn see(&self, stages: Vec<TestStage>) -> impl Iterator<Item = TestStage> {
        let sees = self.view;
        stages
            .into_iter()
            .map(move |stage| TestStage { sees, ..stage })
    }

    /// This role for the variant, and that for the seed.
    fn choose_role(&self, variant: StageRole, seed: StageRole) -> StageRole {
        match self.view {
            StageView::Seed => seed,
            StageView::Variant | StageView::Program | StageView::Directory => variant,
        }
    }
}

/// The stages of commands: those of the seed, then those of the variant; with notes.
fn command_stages(
    property: &PropertyArgs,
    files: &[InputFile; 2],
) -> Result<(Vec<TestStage>, Vec<String>), CommandFailure> {
    let (mut all, mut notes) = (Vec::new(), Vec::new());
    for member in members(files) {
        let (stages, more) = member_stages(&member, property, files)?;
        all.extend(member.see(stages));
        for note in more {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    Ok((all, notes))
}

/// The stages of one program, the cheapest first.
fn member_stages(
    member: &PairMember<'_>,
    property: &PropertyArgs,
    files: &[InputFile; 2],
) -> Result<(Vec<TestStage>, Vec<String>), CommandFailure> {
    let mut stages = pair_checks(property, files)?;
    let [right, wrong] = &property.differs[..] else {
        let named = files.each_ref().map(|file| &*file.named);
        let role = member.choose_role(StageRole::Subject, StageRole::Succeeds);
        let line = command_stage_of(&property.line, &named)?;
        stages.push(TestStage::new(role, line));
        return Ok((stages, Vec::new()));
    };
    let role = member.choose_role(StageRole::Differs, StageRole::Agrees);
    let commands = [
        pair_line(StageRole::Reference, "--differs", right, files)?,
        pair_line(role, "--differs", wrong, files)?,
    ];
    let Some(flags) = &property.ub_guard else {
        stages.extend(commands);
        return Ok((stages, Vec::new()));
    };
    let guard = ub_guard::build_guard(member.file, flags, [right, wrong])?;
    stages.extend(guard.before);
    stages.extend(commands);
    stages.extend(guard.after);
    Ok((stages, guard.notes))
}

fn pair_checks(
    property: &PropertyArgs,
    files: &[InputFile; 2],
) -> Result<Vec<TestStage>, CommandFailure> {
    let checks = property.check.iter();
    checks
        .map(|line| pair_line(StageRole::Check, "--check", line, files))
        .collect()
}

/// A line for the shell that runs on either program. If they have one name, it may have that in the place of `{}`.
fn pair_line(
    role: StageRole,
    option: &str,
    line: &str,
    files: &[InputFile; 2],
) -> Result<TestStage, CommandFailure> {
    let [seed, variant] = files.each_ref().map(InputFile::file_name);
    if seed != variant && !line.contains(CANDIDATE) {
        let what = format!(
            "{option} '{line}': it runs on the seed and on the variant; write {CANDIDATE} where they go"
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    shell_stage(role, option, line, &seed.to_string_lossy())
}
