//! The words of commands: one table, from which scripts, the prompt of the screen, the journal and the help are made.

mod format;
mod parse;

use super::command::{ConstraintGroup, EngineCommand, PassVerb};
use crate::display::EscapeHidden;
use crate::program::ConstraintRule;
use parse::{
    parse_break_condition, parse_constrain, parse_edit, parse_effort, parse_goto, parse_jobs,
    parse_no_arguments, parse_order, parse_pass_command, parse_property, parse_proposal,
    parse_release, parse_require, parse_rule, parse_skip, parse_slice, parse_step,
    parse_strategy_name, parse_timeout, parse_try, parse_unbreak, parse_undo, split_patch_side,
};

/// A verb: its name, what follows it, what it does.
#[derive(Debug)]
pub struct CommandVerb {
    /// Its name.
    pub name: &'static str,
    /// What follows it, for help: `PLACE`, `[N]`; empty for nothing.
    pub arguments: &'static str,
    /// One line on what it does.
    pub what: &'static str,
    parse: fn(&str) -> Result<EngineCommand, String>,
}

/// What a `PLACE` may be, for help.
pub const TARGET_FORMS: &str = "a line (12), lines (12-20), a place (12:5), a declared name (main), a tree-sitter query ((if_statement) @keep), or a node (#7); of several files also a file or a directory (src/a.c) or lines of a file (src/a.c:12-20)";

/// All verbs.
pub static VERBS: &[CommandVerb] = &[
    CommandVerb {
        name: "pause",
        arguments: "",
        what: "ask nothing more until told to",
        parse: |rest| parse_no_arguments(rest, EngineCommand::Pause),
    },
    CommandVerb {
        name: "resume",
        arguments: "",
        what: "go on",
        parse: |rest| parse_no_arguments(rest, EngineCommand::Resume),
    },
    CommandVerb {
        name: "stop",
        arguments: "",
        what: "end the run; the best version stands",
        parse: |rest| parse_no_arguments(rest, EngineCommand::Stop),
    },
    CommandVerb {
        name: "step",
        arguments: "[question|commit|node|pass]",
        what: "go on to the next question or version, or to the end of this node or pass",
        parse: parse_step,
    },
    CommandVerb {
        name: "until",
        arguments: "size N | pass NAME | gone PLACE | time SECONDS",
        what: "go on until this holds, then pause",
        parse: |rest| parse_break_condition(rest).map(EngineCommand::Until),
    },
    CommandVerb {
        name: "break",
        arguments: "touch PLACE | invalid | timeout | pass NAME | gone PLACE | size N",
        what: "pause whenever this happens",
        parse: |rest| parse_break_condition(rest).map(EngineCommand::Break),
    },
    CommandVerb {
        name: "unbreak",
        arguments: "[CONDITION]",
        what: "forget the breakpoints of this condition, or all",
        parse: parse_unbreak,
    },
    CommandVerb {
        name: "pin",
        arguments: "PLACE",
        what: "every token of it stays",
        parse: |rest| parse_constrain(ConstraintRule::Pin, rest),
    },
    CommandVerb {
        name: "pin-head",
        arguments: "PLACE",
        what: "it stays, by its name and kind; what is inside may go",
        parse: |rest| parse_constrain(ConstraintRule::PinHead, rest),
    },
    CommandVerb {
        name: "freeze",
        arguments: "PLACE",
        what: "it stays as it is, comments and white space too",
        parse: |rest| parse_constrain(ConstraintRule::Freeze, rest),
    },
    CommandVerb {
        name: "unpin",
        arguments: "[PLACE]",
        what: "pins go: those on this place, or all",
        parse: |rest| parse_release(ConstraintGroup::Pins, rest),
    },
    CommandVerb {
        name: "require",
        arguments: "QUERY",
        what: "at least one match of a tree-sitter query remains",
        parse: parse_require,
    },
    CommandVerb {
        name: "unrequire",
        arguments: "",
        what: "no query needs a match any more",
        parse: |rest| parse_release(ConstraintGroup::Requirements, rest),
    },
    CommandVerb {
        name: "lock",
        arguments: "PLACE",
        what: "nothing inside is tried; it may go as a whole",
        parse: |rest| parse_constrain(ConstraintRule::Lock, rest),
    },
    CommandVerb {
        name: "unlock",
        arguments: "[PLACE]",
        what: "locks go",
        parse: |rest| parse_release(ConstraintGroup::Locks, rest),
    },
    CommandVerb {
        name: "focus",
        arguments: "PLACE",
        what: "only what is inside is tried",
        parse: |rest| parse_constrain(ConstraintRule::Focus, rest),
    },
    CommandVerb {
        name: "unfocus",
        arguments: "[PLACE]",
        what: "everything is tried again",
        parse: |rest| parse_release(ConstraintGroup::Focus, rest),
    },
    CommandVerb {
        name: "doubt",
        arguments: "PLACE",
        what: "it is probably of no importance: try it first",
        parse: |rest| parse_constrain(ConstraintRule::Doubt, rest),
    },
    CommandVerb {
        name: "suspect",
        arguments: "PLACE",
        what: "it is probably the culprit: try all else first",
        parse: |rest| parse_constrain(ConstraintRule::Suspect, rest),
    },
    CommandVerb {
        name: "place",
        arguments: "PLACE",
        what: "it fails there: ask first whether all can go but what this needs",
        parse: |rest| parse_constrain(ConstraintRule::Place, rest),
    },
    CommandVerb {
        name: "slice",
        arguments: "[PLACE]",
        what: "it fails on the line where this begins: ask now whether all can go but the backward slice of that line; without a place of the line that is known, or of likely ones",
        parse: parse_slice,
    },
    CommandVerb {
        name: "mention",
        arguments: "PLACE",
        what: "the message names it: it stays too where what the place needs is not enough",
        parse: |rest| parse_constrain(ConstraintRule::Mention, rest),
    },
    CommandVerb {
        name: "unhint",
        arguments: "[PLACE]",
        what: "nothing is doubted or suspected any more, and no place is known",
        parse: |rest| parse_release(ConstraintGroup::Hints, rest),
    },
    CommandVerb {
        name: "skip",
        arguments: "[candidate|node|pass]",
        what: "leave this question, this node or this pass alone",
        parse: parse_skip,
    },
    CommandVerb {
        name: "unskip",
        arguments: "",
        what: "what was skipped may be asked again",
        parse: |rest| parse_release(ConstraintGroup::Skipped, rest),
    },
    CommandVerb {
        name: "disable",
        arguments: "PASS",
        what: "a pass does not run",
        parse: |rest| parse_pass_command(PassVerb::Disable, rest),
    },
    CommandVerb {
        name: "enable",
        arguments: "PASS",
        what: "a pass runs when its turn comes; now, if that has passed",
        parse: |rest| parse_pass_command(PassVerb::Enable, rest),
    },
    CommandVerb {
        name: "restart",
        arguments: "PASS",
        what: "a pass begins anew, now",
        parse: |rest| parse_pass_command(PassVerb::Restart, rest),
    },
    CommandVerb {
        name: "earlier",
        arguments: "PASS",
        what: "a pass runs before the one above it",
        parse: |rest| parse_pass_command(PassVerb::Earlier, rest),
    },
    CommandVerb {
        name: "later",
        arguments: "PASS",
        what: "a pass runs after the one below it",
        parse: |rest| parse_pass_command(PassVerb::Later, rest),
    },
    CommandVerb {
        name: "order",
        arguments: "PASS, PASS, …",
        what: "the passes run in this order from here on",
        parse: parse_order,
    },
    CommandVerb {
        name: "effort",
        arguments: "quick|normal|hard",
        what: "ask so much from here on: deletions alone, rewrites and shorter texts as long as they are likely to pay, or all of these",
        parse: parse_effort,
    },
    CommandVerb {
        name: "strategy",
        arguments: "NAME",
        what: "the passes of another strategy, from the first, begin from the program as it is; as in --strategy, perses+ddmin has another list minimiser",
        parse: parse_strategy_name,
    },
    CommandVerb {
        name: "rule",
        arguments: "'FROM' 'TO' [and 'FROM' 'TO' …] [where CONDITION, …]",
        what: "ask now whether what has the form FROM can have the form TO: $x is one node, $$x any number of neighbours, as in rule '$a[$i]' '*$a'",
        parse: |rest| parse_rule(rest, true),
    },
    CommandVerb {
        name: "add-rule",
        arguments: "'FROM' 'TO' [and 'FROM' 'TO' …] [where CONDITION, …]",
        what: "the same when the pass over rules has its turn",
        parse: |rest| parse_rule(rest, false),
    },
    CommandVerb {
        name: "try",
        arguments: "delete PLACE | replace PLACE by PLACE | keep PLACE",
        what: "ask about this very edit now",
        parse: parse_try,
    },
    CommandVerb {
        name: "edit",
        arguments: "[seed|variant] FILE",
        what: "ask about the program as it stands in a file, now; of a pair, about this one with the other as it is",
        parse: |rest| parse_edit(rest, false),
    },
    CommandVerb {
        name: "edit!",
        arguments: "[seed|variant] FILE",
        what: "the same, even if it is larger: a detour, which counts only if it ends smaller",
        parse: |rest| parse_edit(rest, true),
    },
    CommandVerb {
        name: "propose",
        arguments: "JSON",
        what: "ask about a change of bytes: so a journal has what --propose programs proposed (docs/PROPOSALS.md)",
        parse: parse_proposal,
    },
    CommandVerb {
        name: "recheck",
        arguments: "",
        what: "run the test on the current version once more, and pause if it is no longer interesting",
        parse: |rest| parse_no_arguments(rest, EngineCommand::Recheck),
    },
    CommandVerb {
        name: "new-test",
        arguments: "",
        what: "the test, or what it calls, has changed: if it finds the program as it is interesting, everything is asked anew; else pause",
        parse: |rest| parse_no_arguments(rest, EngineCommand::NewTest(false)),
    },
    CommandVerb {
        name: "new-test!",
        arguments: "",
        what: "the same without testing the program as it is: so the journal says that it was tested",
        parse: |rest| parse_no_arguments(rest, EngineCommand::NewTest(true)),
    },
    CommandVerb {
        name: "property",
        arguments: "PART on|off | grep RE | not-grep RE | exit N | like PERCENT",
        what: "look for something else, if the program as it is has that too; a PART is called as the page of the test calls it: line 2",
        parse: |rest| parse_property(rest, false),
    },
    CommandVerb {
        name: "property!",
        arguments: "PART on|off | grep RE | not-grep RE | exit N | like PERCENT",
        what: "the same without testing the program as it is: so the journal says that it was tested",
        parse: |rest| parse_property(rest, true),
    },
    CommandVerb {
        name: "confirm",
        arguments: "K/N",
        what: "a candidate is interesting if the test says so in K of N runs",
        parse: |rest| rest.parse().map(EngineCommand::Confirm),
    },
    CommandVerb {
        name: "jobs",
        arguments: "N",
        what: "so many tests run at a time",
        parse: parse_jobs,
    },
    CommandVerb {
        name: "timeout",
        arguments: "SECONDS",
        what: "so long may a test take; 0 for no limit",
        parse: parse_timeout,
    },
    CommandVerb {
        name: "undo",
        arguments: "[keep|ban|fails|disable|stop] [VERSION]",
        what: "back by one version, or to the version before this one; then keep what it took (keep), never that edit (ban), nor count what it made (fails), not that pass (disable), or pause (stop)",
        parse: parse_undo,
    },
    CommandVerb {
        name: "redo",
        arguments: "",
        what: "forward to what was undone",
        parse: |rest| parse_no_arguments(rest, EngineCommand::Redo),
    },
    CommandVerb {
        name: "goto",
        arguments: "VERSION",
        what: "another version is the present, and the run continues from it",
        parse: parse_goto,
    },
];

impl EngineCommand {
    /// The command of a line.
    ///
    /// # Errors
    /// A sentence that says what is wrong, and what would be right.
    pub fn parse_line(line: &str) -> Result<EngineCommand, String> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match VERBS.iter().find(|verb| verb.name == name) {
            Some(verb) => (verb.parse)(rest.trim()).map_err(|problem| match verb.arguments {
                "" => format!("{name}: {problem}"),
                arguments => format!("{name} {arguments}: {problem}"),
            }),
            None if name == "at" => Err(
                "`at …: COMMAND` is a line of a script, with its moment: --commands FILE; a command alone has none".into(),
            ),
            None => {
                let near = crate::language::suggest_names(name, VERBS.iter().map(|verb| verb.name));
                Err(match near.is_empty() {
                    true => format!("there is no command `{}`; `lop commands` lists them", name.escape_hidden()),
                    false => format!("there is no command `{}`; near it: {}", name.escape_hidden(), near.join(", ")),
                })
            }
        }
    }

    /// The command of a line of a journal. There an edit has its text with it: a file that somebody's journal names is not read.
    ///
    /// # Errors
    /// As [`EngineCommand::parse_line`].
    pub fn parse_recorded(line: &str) -> Result<EngineCommand, String> {
        match line.trim().split_once(char::is_whitespace) {
            Some((name @ ("edit" | "edit!"), rest))
                if !split_patch_side(rest.trim_start()).1.starts_with('"') =>
            {
                Err(format!("{name}: in a journal the text stands in quotes"))
            }
            _ => EngineCommand::parse_line(line),
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
            "place 12:5",
            "slice",
            "slice 12",
            "slice src/a.c:12",
            "mention g",
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
            "effort hard",
            "strategy perses+ddmin",
            "try delete #9",
            "try replace #9 by #8",
            "try keep 4",
            "edit \"int x;\\n\u{e9}\"",
            "edit! \"\"",
            "edit seed \"int x;\"",
            "edit! variant \"\"",
            "propose [\"sed lines\",[[0,[[10,25,\"\u{e9}\"],[30,30,\"x\"]]],[2,null]]]",
            "recheck",
            "new-test",
            "new-test!",
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
            "undo keep 12",
            "redo",
            "goto 12",
        ] {
            let command = EngineCommand::parse_line(line)
                .unwrap_or_else(|problem| panic!("{line}: {problem}"));
            assert_eq!(command.to_string(), line);
            assert_eq!(EngineCommand::parse_recorded(line), Ok(command));
        }
    }

    #[test]
    fn a_journal_names_no_file_that_is_read() {
        for line in [
            "edit /dev/null",
            " edit!  /dev/null",
            "edit\t/dev/null",
            "edit seed /dev/null",
            "edit!  variant\t/dev/null",
        ] {
            assert!(EngineCommand::parse_line(line).is_ok(), "{line}");
            let problem = EngineCommand::parse_recorded(line).expect_err(line);
            assert!(problem.contains("stands in quotes"), "{problem}");
        }
    }

    #[test]
    fn a_bad_line_is_told_what_would_be_right() {
        for (line, said) in [
            ("piin main", "there is no command `piin`; near it: pin"),
            ("at decision 5: stop", "is a line of a script"),
            ("pin", "pin PLACE: what? a line"),
            ("pin 0", "`0` is not a place"),
            ("pause now", "pause: nothing follows it"),
            ("step far", "`far` is none of question, commit, node, pass"),
            ("effort more", "`more` is none of quick, normal, hard"),
            ("strategy best", "best is not a strategy; there are"),
            ("jobs 0", "jobs N: at least one"),
            ("confirm 4/3", "confirm K/N: `4/3` is not K/N"),
            ("undo it", "`it` is none of keep, ban, fails, disable, stop"),
            ("try burn 3", "`burn` is no edit"),
            ("edit /no/such/file", "/no/such/file cannot be read: "),
            ("until moon", "`moon` is nothing to stop at"),
        ] {
            let problem = EngineCommand::parse_line(line).expect_err(line);
            assert!(problem.contains(said), "{line}: {problem}");
        }
    }
}
