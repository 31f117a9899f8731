//! The words of commands: one table, from which scripts, the prompt of the screen, the journal and the help are made.

mod read;
mod say;

use super::command::{Command, PassVerb, Release};
use crate::display::Shown;
use crate::program::Rule;
use read::{
    attempt, constrain, edit, goto, halt, jobs, none, order, pass, property, release, require,
    skip, step, timeout, undo,
};

/// A verb: its name, what follows it, what it does.
#[derive(Debug)]
pub struct Verb {
    /// Its name.
    pub name: &'static str,
    /// What follows it, for help: `PLACE`, `[N]`; empty for nothing.
    pub arguments: &'static str,
    /// One line on what it does.
    pub what: &'static str,
    read: fn(&str) -> Result<Command, String>,
}

/// What a `PLACE` may be, for help.
pub const PLACES: &str = "a line (12), lines (12-20), a place (12:5), a declared name (main), a tree-sitter query ((if_statement) @keep), or a node (#7)";

/// All verbs.
pub static VERBS: &[Verb] = &[
    Verb {
        name: "pause",
        arguments: "",
        what: "ask nothing more until told to",
        read: |rest| none(rest, Command::Pause),
    },
    Verb {
        name: "resume",
        arguments: "",
        what: "go on",
        read: |rest| none(rest, Command::Resume),
    },
    Verb {
        name: "stop",
        arguments: "",
        what: "end the run; the best version stands",
        read: |rest| none(rest, Command::Stop),
    },
    Verb {
        name: "step",
        arguments: "[question|commit|node|pass]",
        what: "go on to the next question or version, or to the end of this node or pass",
        read: step,
    },
    Verb {
        name: "until",
        arguments: "size N | pass NAME | gone PLACE | time SECONDS",
        what: "go on until this holds, then pause",
        read: |rest| halt(rest).map(Command::Until),
    },
    Verb {
        name: "break",
        arguments: "touch PLACE | invalid | timeout | pass NAME | gone PLACE | size N",
        what: "pause whenever this happens",
        read: |rest| halt(rest).map(Command::Break),
    },
    Verb {
        name: "unbreak",
        arguments: "",
        what: "forget all breakpoints",
        read: |rest| none(rest, Command::Unbreak),
    },
    Verb {
        name: "pin",
        arguments: "PLACE",
        what: "every token of it stays",
        read: |rest| constrain(Rule::Keep, rest),
    },
    Verb {
        name: "pin-head",
        arguments: "PLACE",
        what: "it stays, by its name and kind; what is inside may go",
        read: |rest| constrain(Rule::Head, rest),
    },
    Verb {
        name: "freeze",
        arguments: "PLACE",
        what: "it stays as it is, comments and white space too",
        read: |rest| constrain(Rule::Freeze, rest),
    },
    Verb {
        name: "unpin",
        arguments: "[PLACE]",
        what: "pins go: those on this place, or all",
        read: |rest| release(Release::Pins, rest),
    },
    Verb {
        name: "require",
        arguments: "QUERY",
        what: "at least one match of a tree-sitter query remains",
        read: require,
    },
    Verb {
        name: "unrequire",
        arguments: "",
        what: "no query needs a match any more",
        read: |rest| release(Release::Requirements, rest),
    },
    Verb {
        name: "lock",
        arguments: "PLACE",
        what: "nothing inside is tried; it may go as a whole",
        read: |rest| constrain(Rule::Lock, rest),
    },
    Verb {
        name: "unlock",
        arguments: "[PLACE]",
        what: "locks go",
        read: |rest| release(Release::Locks, rest),
    },
    Verb {
        name: "focus",
        arguments: "PLACE",
        what: "only what is inside is tried",
        read: |rest| constrain(Rule::Focus, rest),
    },
    Verb {
        name: "unfocus",
        arguments: "[PLACE]",
        what: "everything is tried again",
        read: |rest| release(Release::Focus, rest),
    },
    Verb {
        name: "doubt",
        arguments: "PLACE",
        what: "it is probably of no importance: try it first",
        read: |rest| constrain(Rule::Doubt, rest),
    },
    Verb {
        name: "suspect",
        arguments: "PLACE",
        what: "it is probably the culprit: try all else first",
        read: |rest| constrain(Rule::Suspect, rest),
    },
    Verb {
        name: "unhint",
        arguments: "[PLACE]",
        what: "nothing is doubted or suspected any more",
        read: |rest| release(Release::Hints, rest),
    },
    Verb {
        name: "skip",
        arguments: "[candidate|node|pass]",
        what: "leave this question, this node or this pass alone",
        read: skip,
    },
    Verb {
        name: "unskip",
        arguments: "",
        what: "what was skipped may be asked again",
        read: |rest| release(Release::Skipped, rest),
    },
    Verb {
        name: "disable",
        arguments: "PASS",
        what: "a pass does not run",
        read: |rest| pass(PassVerb::Disable, rest),
    },
    Verb {
        name: "enable",
        arguments: "PASS",
        what: "a pass runs when its turn comes; now, if that has passed",
        read: |rest| pass(PassVerb::Enable, rest),
    },
    Verb {
        name: "restart",
        arguments: "PASS",
        what: "a pass begins anew, now",
        read: |rest| pass(PassVerb::Restart, rest),
    },
    Verb {
        name: "earlier",
        arguments: "PASS",
        what: "a pass runs before the one above it",
        read: |rest| pass(PassVerb::Earlier, rest),
    },
    Verb {
        name: "later",
        arguments: "PASS",
        what: "a pass runs after the one below it",
        read: |rest| pass(PassVerb::Later, rest),
    },
    Verb {
        name: "order",
        arguments: "PASS, PASS, …",
        what: "the passes run in this order from here on",
        read: order,
    },
    Verb {
        name: "try",
        arguments: "delete PLACE | replace PLACE by PLACE | keep PLACE",
        what: "ask about this very edit now",
        read: attempt,
    },
    Verb {
        name: "edit",
        arguments: "FILE",
        what: "ask about the program as it stands in a file, now",
        read: |rest| edit(rest, false),
    },
    Verb {
        name: "edit!",
        arguments: "FILE",
        what: "the same, even if it is larger: an excursion, which counts only if it ends smaller",
        read: |rest| edit(rest, true),
    },
    Verb {
        name: "recheck",
        arguments: "",
        what: "run the test on the current version once more, and pause if it is no longer interesting",
        read: |rest| none(rest, Command::Recheck),
    },
    Verb {
        name: "property",
        arguments: "PART on|off | grep RE | not-grep RE | exit N | like PERCENT",
        what: "look for something else, if the program as it is has that too; a PART is called as the page of the test calls it: line 2",
        read: |rest| property(rest, false),
    },
    Verb {
        name: "property!",
        arguments: "PART on|off | grep RE | not-grep RE | exit N | like PERCENT",
        what: "the same without testing the program as it is: so the journal says that it was tested",
        read: |rest| property(rest, true),
    },
    Verb {
        name: "confirm",
        arguments: "K/N",
        what: "a candidate is interesting if the test says so in K of N runs",
        read: |rest| rest.parse().map(Command::Confirm),
    },
    Verb {
        name: "jobs",
        arguments: "N",
        what: "so many tests run at a time",
        read: jobs,
    },
    Verb {
        name: "timeout",
        arguments: "SECONDS",
        what: "so long may a test take; 0 for no limit",
        read: timeout,
    },
    Verb {
        name: "undo",
        arguments: "[keep|ban|fails|disable|stop]",
        what: "back by one version; then keep what it took (keep), never that edit (ban), nor count what it made (fails), not that pass (disable), or pause (stop)",
        read: undo,
    },
    Verb {
        name: "redo",
        arguments: "",
        what: "forward to what was undone",
        read: |rest| none(rest, Command::Redo),
    },
    Verb {
        name: "goto",
        arguments: "VERSION",
        what: "another version is the present, and the run goes on from it",
        read: goto,
    },
];

impl Command {
    /// The command of a line.
    ///
    /// # Errors
    /// A sentence that says what is wrong, and what would be right.
    pub fn read(line: &str) -> Result<Command, String> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match VERBS.iter().find(|verb| verb.name == name) {
            Some(verb) => (verb.read)(rest.trim()).map_err(|problem| match verb.arguments {
                "" => format!("{name}: {problem}"),
                arguments => format!("{name} {arguments}: {problem}"),
            }),
            None if name == "at" => Err(
                "`at …: COMMAND` is a line of a script, with its moment: --commands FILE; a command alone has none".into(),
            ),
            None => {
                let near = crate::language::near(name, VERBS.iter().map(|verb| verb.name));
                Err(match near.is_empty() {
                    true => format!("there is no command `{}`; `lop commands` lists them", name.shown()),
                    false => format!("there is no command `{}`; near it: {}", name.shown(), near.join(", ")),
                })
            }
        }
    }

    /// The command of a line of a journal. There an edit has its text with it: a file that somebody's journal names is not read.
    ///
    /// # Errors
    /// As [`Command::read`].
    pub fn recorded(line: &str) -> Result<Command, String> {
        match line.trim().split_once(char::is_whitespace) {
            Some((name @ ("edit" | "edit!"), rest)) if !rest.trim_start().starts_with('"') => {
                Err(format!("{name}: in a journal the text stands in quotes"))
            }
            _ => Command::read(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_reads_what_it_writes() {
        for line in [
            "pause",
            "resume",
            "stop",
            "step",
            "step commit",
            "step node",
            "step pass",
            "until size 100",
            "until pass top level",
            "until gone main",
            "until time 2.5",
            "break touch 12-20",
            "break invalid",
            "break timeout",
            "unbreak",
            "pin main",
            "pin (call_expression) @keep",
            "pin-head #7",
            "freeze 3:5",
            "unpin",
            "unpin main",
            "require (call_expression)",
            "unrequire",
            "lock 12",
            "unlock",
            "focus f",
            "unfocus",
            "doubt g",
            "suspect h",
            "unhint h",
            "skip candidate",
            "skip node",
            "skip pass",
            "unskip",
            "disable top level",
            "enable gc",
            "restart top level",
            "earlier x",
            "later x",
            "order a, b c",
            "try delete #9",
            "try replace #9 by #8",
            "try keep 4",
            "edit \"int x;\\n\u{e9}\"",
            "edit! \"\"",
            "recheck",
            "property exit off",
            "property line 2 on",
            "property! grep /internal error/",
            "property like 30",
            "confirm 2/3",
            "jobs 4",
            "timeout 0",
            "timeout 1.5",
            "undo keep",
            "undo ban",
            "undo fails",
            "undo disable",
            "undo stop",
            "redo",
            "goto 12",
        ] {
            let command = Command::read(line).unwrap_or_else(|problem| panic!("{line}: {problem}"));
            assert_eq!(command.to_string(), line);
            assert_eq!(Command::recorded(line), Ok(command));
        }
    }

    #[test]
    fn a_journal_names_no_file_that_is_read() {
        for line in ["edit /dev/null", " edit!  /dev/null", "edit\t/dev/null"] {
            assert!(Command::read(line).is_ok(), "{line}");
            let problem = Command::recorded(line).expect_err(line);
            assert!(problem.contains("stands in quotes"), "{problem}");
        }
    }

    #[test]
    fn a_bad_line_is_told_what_would_be_right() {
        for (line, said) in [
            ("piin main", "there is no command `piin`; near it: pin"),
            ("at decision 5: stop", "is a line of a script"),
            ("pin", "pin PLACE: what? a line"),
            ("pin 0", "`0` is no place"),
            ("pause now", "pause: nothing follows it"),
            ("step far", "`far` is none of question, commit, node, pass"),
            ("jobs 0", "jobs N: at least one"),
            ("confirm 4/3", "confirm K/N: `4/3` is not K/N"),
            ("undo it", "`it` is none of keep, ban, fails, disable, stop"),
            ("try burn 3", "`burn` is no edit"),
            ("edit /no/such/file", "/no/such/file cannot be read: "),
            ("until moon", "`moon` is nothing to stop at"),
        ] {
            let problem = Command::read(line).expect_err(line);
            assert!(problem.contains(said), "{line}: {problem}");
        }
    }
}
