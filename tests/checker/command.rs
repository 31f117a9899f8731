//! The command `bp-check`, as a reduction runs it.

use std::fs;

use crate::explore::{Bounds, Outcome, check_program};
use crate::generate::{Size, generate_program};
use crate::parse::parse_program;
use crate::program::Defect;
use crate::resolve::resolve_program;
use crate::tokens::Refusal;

const USAGE: &str = "bp-check FILE [--threads N] [--states N] [--defect mixed|constrain|crash]\n\
                     bp-check generate [--seed N] [--lines N] [--globals N] [--functions N]";

/// What a check of a program needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub threads: usize,
    pub states: usize,
    pub defect: Option<Defect>,
}

impl Check {
    /// A sound check with so many threads at a time.
    pub fn with_threads(threads: usize) -> Check {
        Check {
            threads,
            states: 400_000,
            defect: None,
        }
    }

    /// The answer for the text of a program, or why it is none.
    pub fn run(self, text: &str) -> Result<Outcome, Refusal> {
        let program = resolve_program(&parse_program(text)?, self.defect)?;
        let crashes = self.defect == Some(Defect::Crash);
        Ok(check_program(
            &program,
            Bounds {
                threads: self.threads,
                states: self.states,
                crashes,
            },
        ))
    }
}

/// Runs the command: what it prints to standard output, to standard error, and its status.
pub fn run_command(arguments: &[String]) -> (String, String, i32) {
    match parse_arguments(arguments) {
        Ok(Request::Check(file, check)) => check_file(&file, check),
        Ok(Request::Generate(seed, size)) => (generate_program(seed, size), String::new(), 0),
        Err(fault) => (String::new(), format!("bp-check: {fault}\n{USAGE}\n"), 2),
    }
}

enum Request {
    Check(String, Check),
    Generate(u64, Size),
}

fn parse_arguments(arguments: &[String]) -> Result<Request, String> {
    let mut arguments = arguments.iter();
    let file = arguments.next().ok_or("no file")?;
    let mut check = Check::with_threads(2);
    let (mut seed, mut size) = (1, Size::default());
    while let Some(option) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{option} has no value"))?;
        let number = || {
            value
                .parse::<usize>()
                .map_err(|_| format!("{value} is no number"))
        };
        match option.as_str() {
            "--threads" => check.threads = number()?.max(1),
            "--states" => check.states = number()?,
            "--defect" => {
                check.defect = Some(match value.as_str() {
                    "mixed" => Defect::Mixed,
                    "constrain" => Defect::Constrain,
                    "crash" => Defect::Crash,
                    _ => return Err(format!("there is no defect {value}")),
                });
            }
            "--seed" => seed = number()? as u64,
            "--lines" => size.lines = number()?,
            "--globals" => size.globals = number()?,
            "--functions" => size.functions = number()?,
            _ => return Err(format!("there is no option {option}")),
        }
    }
    Ok(match file.as_str() {
        "generate" => Request::Generate(seed, size),
        _ => Request::Check(file.clone(), check),
    })
}

fn check_file(file: &str, check: Check) -> (String, String, i32) {
    let silent = String::new();
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return (silent, format!("{file}: {error}\n"), 2),
    };
    match check.run(&text) {
        Ok(Outcome::Fails) => ("fails\n".to_owned(), silent, 0),
        Ok(Outcome::Safe) => ("safe\n".to_owned(), silent, 1),
        Ok(Outcome::Unknown) => ("unknown\n".to_owned(), silent, 3),
        // The status that a shell gives a program that aborts.
        Ok(Outcome::Crashed) => (
            silent,
            "Assertion failed: a constraint with $ has one thread\n".to_owned(),
            134,
        ),
        Err(refusal) => (
            silent,
            format!("{file}:{}: {}\n", refusal.line, refusal.reason),
            125,
        ),
    }
}
