//! A farm that runs tests too: its client, and the test on the original that shows whether the farm says what this machine says.

use std::time::Instant;

use crossbeam_channel::select;

use super::chosen_runner::{ChosenRunner, OriginalTest};
use super::plan::RunPlan;
use super::prepared_run::PreparedRun;
use crate::cli::args::RemoteArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::messages::report_message;
use crate::display::EscapeHidden;
use crate::oracle::remote::{FarmOptions, FarmRunner, HybridOptions, HybridRunner};
use crate::oracle::{
    FarmMonitor, JobId, LocalRunner, NoVerdict, Runner, TestJob, TestOutcome, TestRun,
    reports_missing_tool,
};
use crate::plain::format_duration;

/// How many tests a farm has at a time, if the user does not say.
const FARM_JOBS: usize = 16;
/// How many lines of the farm's output a message has.
const LINES_SHOWN: usize = 5;

/// The runner of this machine and the farm, if the farm finds the original interesting too.
pub fn join_farm(
    address: &str,
    plan: &RunPlan,
    prepared: &PreparedRun,
    local: LocalRunner,
    original: OriginalTest,
) -> Result<ChosenRunner, CommandFailure> {
    if prepared.isolation.sandbox {
        let what = "--sandbox holds on this machine only, and a farm has its own; leave out --sandbox or --remote";
        return Err(CommandFailure::new(USAGE, what));
    }
    let monitor = FarmMonitor::default();
    let options = read_options(address, &plan.remote)?;
    let (test, scratch) = (prepared.test.clone(), prepared.scratch.clone());
    let farm = FarmRunner::new(test, &options, scratch, monitor.clone());
    let mut farm = farm.or_fail(USAGE)?;
    let here = original.time;
    let there = check_original(&mut farm, address, prepared, original)?;
    let farm_jobs = plan.remote.remote_jobs.map_or(FARM_JOBS, usize::from);
    let hybrid = HybridOptions {
        local_jobs: plan.jobs,
        farm_jobs,
        trusts_farm: plan.remote.remote_trust,
        first_times: [Some(here), Some(there)],
    };
    let containment = Some(local.containment().clone());
    let (local, farm) = (Box::new(local), Box::new(farm));
    let runner = HybridRunner::start(local, farm, hybrid, monitor.clone()).or_fail(FAILED)?;
    let note = format!(
        "tests run on the farm {} too, {farm_jobs} at a time: it answered in {} on the original, this machine in {}",
        address.escape_hidden(),
        format_duration(there),
        format_duration(here),
    );
    Ok(ChosenRunner {
        runner: Box::new(runner),
        containment,
        jobs: plan.jobs + farm_jobs,
        farm: Some(monitor),
        note: Some(note),
    })
}

fn read_options(address: &str, remote: &RemoteArgs) -> Result<FarmOptions, CommandFailure> {
    let absolute = |path: &std::path::PathBuf| std::path::absolute(path).or_fail(USAGE);
    let files = remote.remote_file.iter().map(absolute);
    Ok(FarmOptions {
        address: address.to_owned(),
        instance: remote.remote_instance.clone(),
        headers: remote.remote_header.clone(),
        platform: remote.remote_platform.clone(),
        authorities: remote.remote_ca.clone(),
        identity: remote.remote_cert.clone().zip(remote.remote_key.clone()),
        files: files.collect::<Result<_, _>>()?,
    })
}

/// Tests the original on the farm, which must find it interesting as this machine does. The result is the time of its answer.
fn check_original(
    farm: &mut FarmRunner,
    address: &str,
    prepared: &PreparedRun,
    original: OriginalTest,
) -> Result<std::time::Duration, CommandFailure> {
    if !prepared.is_silent.replace(true) {
        report_message(&format!(
            "running the test on the original on the farm {}; Ctrl-C stops it",
            address.escape_hidden()
        ));
    }
    let begin = Instant::now();
    farm.submit(TestJob {
        id: JobId(0),
        files: original.files,
        limits: original.limits,
        alone: false,
        fresh: true,
    });
    let outcome = select! {
        recv(farm.result_receiver()) -> result => match result {
            Ok(result) => result.outcome,
            Err(_) => return Err(CommandFailure::new(FAILED, "the farm's client has ended, which is a fault of lop")),
        },
        recv(prepared.signals.received) -> signal => {
            return Err(CommandFailure::stopped_by_signal(signal.unwrap_or_default()));
        }
    };
    match outcome {
        TestOutcome::Verdict(verdict, _) if verdict.is_interesting() => Ok(begin.elapsed()),
        TestOutcome::Verdict(_, run) => Err(explain_difference(address, &run)),
        TestOutcome::NoVerdict(NoVerdict::TestFailed { run }) => {
            Err(explain_difference(address, &run))
        }
        TestOutcome::NoVerdict(reason) => Err(CommandFailure::new(
            FAILED,
            format!(
                "the farm {} cannot be used: {reason}\nWhat to try:\n  - look whether the address, --remote-instance and --remote-header are right, and whether the server runs\n  - leave out --remote: the run goes on here, to the same result",
                address.escape_hidden()
            ),
        )),
        TestOutcome::Cancelled => Err(CommandFailure::new(FAILED, "the test was cancelled")),
    }
}

/// The farm says something else of the original than this machine.
fn explain_difference(address: &str, run: &TestRun) -> CommandFailure {
    let printed = run.output.to_text();
    let exit = run.exit;
    let lines: Vec<&str> = printed
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let missing = lines.iter().copied();
    let mut missing: Vec<&str> = missing
        .filter(|line| reports_missing_tool(line.as_bytes()))
        .collect();
    missing.dedup();
    let mut text = vec![format!(
        "the test finds the original interesting here, and not on the farm {} ({exit})",
        address.escape_hidden()
    )];
    let shown = match missing.is_empty() {
        true => &lines[lines.len().saturating_sub(LINES_SHOWN)..],
        false => &missing[..missing.len().min(LINES_SHOWN)],
    };
    match (shown.is_empty(), missing.is_empty()) {
        (true, _) => text.push("It printed nothing.".into()),
        (false, true) => text.push("The end of what it printed:".into()),
        (false, false) => text.push("Something seems to be missing on the worker:".into()),
    }
    text.extend(
        shown
            .iter()
            .map(|line| format!("    {}", line.escape_hidden())),
    );
    text.extend([
        "What to try:".to_owned(),
        "  - a file that the test reads, besides the program and itself, must be sent: --remote-file PATH; it lies beside the test there as it does here".to_owned(),
        "  - a compiler that the test runs must be on the workers, in a version that fails in the same way: --remote-platform container-image=IMAGE chooses them on many farms".to_owned(),
        "  - a test finds files by \"$(dirname \"$0\")\" there, and not by paths of this machine".to_owned(),
    ]);
    CommandFailure::new(NOTHING_TO_DO, text.join("\n"))
}
