//! `lop man`: the manual, generated from the tables that the program itself uses.

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::args::{command_line, screen_settings};
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::config::{AllowedValues, OPTIONS};
use crate::plain::ConsoleWriter;
use crate::tui::commands;

/// Prints the manual page.
pub fn print_manual() -> Result<u8, CommandFailure> {
    ConsoleWriter::stdout().write_data(&manual_page().or_fail(FAILED)?);
    Ok(0)
}

/// The command line, with the full names of all its commands.
fn full_command() -> Command {
    let mut lop = command_line().disable_help_subcommand(true);
    lop.build();
    lop
}

/// The manual page of lop itself, in the language of man.
pub fn manual_page() -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(full_command());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    man.render_subcommands_section(&mut page)?;
    examples_section().to_writer(&mut page)?;
    keys_section().to_writer(&mut page)?;
    configuration_section().to_writer(&mut page)?;
    man.render_extra_section(&mut page)?;
    Ok(page)
}

/// Command lines, and what they do.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "lop bug.c ./test.sh",
        "Reduces bug.c as far as test.sh exits with 0. The test finds each candidate in its working directory, and as $1. The best \
         version is always in bug.lop.c.",
    ),
    (
        "lop bug.c -- gcc -O2 -c {}",
        "Needs no test: finds out how the command fails, and keeps what fails in the same way. lop init instead of lop writes a test \
         for it.",
    ),
    (
        "lop bug.c ./test.sh --command 'pin main' --command pause",
        "Keeps the declaration of main, and waits for a key before the first test.",
    ),
    (
        "lop resume",
        "Resumes the run of a file in this directory that was stopped or cut off.",
    ),
    (
        "lop doctor bug.c ./test.sh",
        "Says what is wrong with the test, and which line to add.",
    ),
];

fn examples_section() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    for (line, what) in EXAMPLES {
        roff.control("TP", []);
        roff.text([bold(*line)]);
        roff.text([roman(*what)]);
    }
    roff
}

fn keys_section() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["KEYS"]);
    roff.text([roman(
        "The keys of the screen. Each command can also be typed by its name after \":\".",
    )]);
    for (place, lines) in commands::manual_keys() {
        roff.control("SS", [place]);
        for [keys, usage, what] in lines {
            roff.control("TP", []);
            roff.text([bold(keys), roman(format!("  {usage}"))]);
            roff.text([roman(what)]);
        }
    }
    roff
}

fn configuration_section() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["CONFIGURATION"]);
    roff.text([roman(
        "The file config.toml in lop/ in XDG_CONFIG_HOME or ~/.config holds options of the screen, and in the table [keys] the keys of \
         commands. An environment variable overrides the file, and a flag overrides both.",
    )]);
    for option in OPTIONS {
        roff.control("TP", []);
        let values = match option.allowed {
            AllowedValues::Words(words) => words.join(", "),
            AllowedValues::Name => "a name".into(),
        };
        roff.text([
            bold(option.name),
            roman(format!("  {values}; {}", option.environment_variable())),
        ]);
        roff.text([roman(screen_settings::option_help(option))]);
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_has_every_command_and_every_option() {
        let page = String::from_utf8(manual_page().expect("a page")).expect("UTF-8");
        let page = page
            .replace("\\-", "-")
            .replace("\\*(Aq", "'")
            .replace("\\(aq", "'");
        for entry in commands::COMMANDS {
            assert!(page.contains(entry.description), "{}\n{page}", entry.name);
        }
        for option in OPTIONS {
            assert!(page.contains(&option.flag_name()), "{}", option.name);
            assert!(
                page.contains(&option.environment_variable()),
                "{}",
                option.name
            );
            assert!(
                page.contains(&screen_settings::option_help(option)),
                "{}",
                option.name
            );
        }
    }
}
