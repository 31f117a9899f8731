//! Options that isolate tests: resource limits and the sandbox.

use std::path::PathBuf;

use clap::Args;

use crate::oracle::{ResourceQuotas, SpareHelper, TestIsolation};
use crate::session::journal::HeaderIsolation;

/// Resource limits and the sandbox.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "What a test may take")]
pub struct IsolationArgs {
    /// Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests
    /// that run at a time]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
    /// Limit of the processes and threads of a test; 0 for none [default: 1024]
    #[arg(long, value_name = "N")]
    processes: Option<u64>,
    /// Size limit of a test's scratch directory, such as 512M or 2G; 0 for none [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    disk: Option<u64>,
    /// Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)
    #[arg(long)]
    sandbox: bool,
    /// The limits that were typed, where others have the values of a recorded session.
    #[arg(skip)]
    typed: Option<ResourceQuotas>,
}

impl IsolationArgs {
    /// The arguments for a resumed session: an option that is not given has its recorded value.
    pub fn with_recorded(&self, then: Option<HeaderIsolation>) -> IsolationArgs {
        let Some(then) = then else {
            return self.clone();
        };
        let kept = |asked: Option<u64>, then: Option<u64>| asked.or(Some(then.unwrap_or(0)));
        IsolationArgs {
            memory: kept(self.memory, then.memory),
            processes: kept(self.processes, then.processes),
            disk: kept(self.disk, then.disk),
            sandbox: self.sandbox || then.sandbox,
            typed: Some(self.typed_limits()),
        }
    }

    /// The limits that were typed.
    pub fn typed_limits(&self) -> ResourceQuotas {
        self.typed.unwrap_or(ResourceQuotas {
            memory: self.memory,
            processes: self.processes,
            disk: self.disk,
        })
    }

    /// The isolation for this number of tests at a time.
    pub fn to_isolation(&self, jobs: usize) -> TestIsolation {
        let usual = ResourceQuotas::for_jobs(jobs);
        let chosen = |asked: Option<u64>, usual| match asked {
            None => usual,
            asked => asked.filter(|limit| *limit > 0),
        };
        TestIsolation {
            helper: helper_program(),
            quotas: ResourceQuotas {
                memory: chosen(self.memory, usual.memory),
                processes: chosen(self.processes, usual.processes),
                disk: chosen(self.disk, usual.disk),
            },
            cgroups: true,
            sandbox: self.sandbox,
            spare: SpareHelper::default(),
        }
    }
}

/// The helper program of tests: this executable, with an argument of its own.
fn helper_program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// Letters for powers of a thousand.
const UNITS: [(char, u64); 4] = [
    ('K', 1_000),
    ('M', 1_000_000),
    ('G', 1_000_000_000),
    ('T', 1_000_000_000_000),
];

/// With less memory the helper of a test cannot start.
const LEAST: u64 = 8_000_000;

/// A memory limit with which a test can start; 0 for none.
fn parse_memory(text: &str) -> Result<u64, String> {
    match parse_size(text)? {
        1..LEAST => Err("too little to start any test in: at least 8M; 0 for no limit".into()),
        bytes => Ok(bytes),
    }
}

/// A number of bytes. With a unit it may have a decimal point.
fn parse_size(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let (number, unit) = UNITS
        .iter()
        .find_map(|(letter, unit)| Some((upper.strip_suffix(*letter)?, *unit)))
        .unwrap_or((&upper, 1));
    let whole = number.parse::<u64>();
    let bytes = match whole {
        Ok(whole) => whole.checked_mul(unit),
        Err(_) => parse_fraction(number, unit),
    };
    bytes.ok_or_else(|| {
        "a number of bytes, such as 512M, 1.5G, 2T or 1000000; 0 for no limit".to_owned()
    })
}

/// A decimal number of units, with digits on both sides of the point.
fn parse_fraction(number: &str, unit: u64) -> Option<u64> {
    let (whole, rest) = number.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let bytes = number.parse::<f64>().ok()? * unit as f64;
    // Larger floats cannot represent every whole number.
    let is_one = unit > 1 && digits(whole) && digits(rest) && bytes < (1u64 << 53) as f64;
    is_one.then_some(bytes.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_with_a_unit() {
        assert_eq!(parse_size("512M"), Ok(512_000_000));
        assert_eq!(parse_size("2g"), Ok(2_000_000_000));
        assert_eq!(parse_size("1000"), Ok(1000));
        assert_eq!(parse_size("0"), Ok(0));
        assert_eq!(parse_size("1.5G"), Ok(1_500_000_000));
        assert_eq!(parse_size("2T"), Ok(2_000_000_000_000));
        for wrong in ["", "M", "-1", "1.5", "1.G", ".5G", "1e3.0K", "99999999999G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn memory_in_which_no_test_can_start_is_refused() {
        for wrong in ["1", "1M", "7.9M"] {
            assert!(parse_memory(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_memory("8M"), Ok(LEAST));
        assert_eq!(parse_memory("0"), Ok(0));
    }

    #[test]
    fn what_is_not_asked_for_is_as_usual_and_zero_is_no_limit() {
        let usual = IsolationArgs::default().to_isolation(2).quotas;
        assert_eq!(usual, ResourceQuotas::for_jobs(2));
        let own = IsolationArgs {
            memory: Some(5),
            processes: Some(0),
            ..IsolationArgs::default()
        };
        let expected = ResourceQuotas {
            memory: Some(5),
            processes: None,
            ..usual
        };
        assert_eq!(own.to_isolation(2).quotas, expected);
    }

    #[test]
    fn a_session_is_resumed_as_it_was_unless_the_user_says_otherwise() {
        let then = IsolationArgs {
            memory: Some(5),
            processes: Some(0),
            sandbox: true,
            ..IsolationArgs::default()
        };
        let then = then.to_isolation(2);
        let kept = Some(HeaderIsolation::from(&then));
        let again = |args: IsolationArgs| args.with_recorded(kept).to_isolation(7);
        assert_eq!(
            HeaderIsolation::from(&again(IsolationArgs::default())),
            HeaderIsolation::from(&then),
            "for any number of tests at a time"
        );
        let other = again(IsolationArgs {
            processes: Some(9),
            ..IsolationArgs::default()
        });
        assert_eq!(other.quotas.processes, Some(9));
        assert_eq!((other.quotas.memory, other.sandbox), (Some(5), true));
    }
}
