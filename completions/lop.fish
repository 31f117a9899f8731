# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_lop_global_optspecs
    string join \n o/output= in-place timeout= journal= session= no-session minimizer= without= language= grammar= strategy= pin= require= keep-comments= strip-markers command= commands= confirm= also-interesting= allow-empty differs= ub-guard= check= grep= not-grep= exit= like= j/jobs= scratch= cache= plain json memory= processes= disk= sandbox config= theme= layout= glyphs= colour= mouse= h/help V/version
end

function __fish_lop_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_lop_global_optspecs) -- $cmd 2>/dev/null
    or return 0
    if contains -- "$argv[1]" demo resume sessions history show diff export man replay commands passes compare doctor init verify grammar languages
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_lop_using_subcommand
    set -l cmd (__fish_lop_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c lop -n "__fish_lop_needs_command" -s o -l output -d 'Where the result goes [default: bug.lop.c beside bug.c]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l timeout -d 'How many seconds a test may take, 0 for no limit [default: 60 for the original, then ten times what the slowest interesting test took, at least 2 and at most 300, rounded up to a power of two]' -r
complete -c lop -n "__fish_lop_needs_command" -l journal -d 'Write every fact, decision, take and command to a file of JSON lines' -r -F
complete -c lop -n "__fish_lop_needs_command" -l session -d 'The directory of this run\'s session, by which it can be resumed and looked at again [default: a new one in $XDG_STATE_HOME/lop/sessions, or ~/.local/state/lop/sessions]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l minimizer -d 'The list minimiser [default: the strategy\'s own]' -r -f -a "complements\t''
ddmin\t''
opdd\t''
lithium\t''
probdd\t''
wprobdd\t''
cdd\t''
wcdd\t''
wdd\t''
galloping\t''
galloping-forwards\t''"
complete -c lop -n "__fish_lop_needs_command" -l without -d 'Parts of the default strategy that it does without, to see what each is worth' -r -f -a "closed\t''
gc\t''
guard\t''
learn\t''
hollow\t''
bodies\t''
alike\t''
batch\t''"
complete -c lop -n "__fish_lop_needs_command" -l language -d 'The language of FILE [default: by its extension]; `text` is lines and tokens, without a grammar' -r -f -a "c\t''
cpp\t''
java\t''
rust\t''
javascript\t''
typescript\t''
tsx\t''
python\t''
go\t''
kotlin\t''
json\t''
html\t''
css\t''
xml\t''
bash\t''
boolean-program\t''
text\t''"
complete -c lop -n "__fish_lop_needs_command" -l grammar -d 'A grammar of your own, by which FILE is read: a file in BNF, or the directory of a grammar for tree-sitter (docs/GRAMMARS.md)' -r -F
complete -c lop -n "__fish_lop_needs_command" -l strategy -d 'Which passes run; lop passes lists the names' -r -f -a "lop\t''
perses\t''
pardis\t''
smallest-first\t''
hdd\t''
hdd-star\t''
hddr\t''
hoist\t''
lines\t''
levels\t''
tokens\t''"
complete -c lop -n "__fish_lop_needs_command" -l pin -d 'Keep every token of a place: a name (main), lines (12-20), or what a tree-sitter query finds: its captures named @keep, or all' -r
complete -c lop -n "__fish_lop_needs_command" -l require -d 'Every candidate has at least one match of this tree-sitter query' -r
complete -c lop -n "__fish_lop_needs_command" -l keep-comments -d 'Keep the comments that this regular expression finds, as `RUN:` or `dg-`' -r
complete -c lop -n "__fish_lop_needs_command" -l command -d 'A command at the start, as `focus main` or `doubt 12-40`; lop commands lists them' -r
complete -c lop -n "__fish_lop_needs_command" -l commands -d 'A script of commands: lines of `COMMAND` or `at decision 100: COMMAND`' -r -F
complete -c lop -n "__fish_lop_needs_command" -l confirm -d 'A candidate is interesting if the test says so in K of N runs; no more runs than are needed to know that [default: 1/1, and 3/3 from when the test first says something else about the same bytes]' -r
complete -c lop -n "__fish_lop_needs_command" -l also-interesting -d 'A candidate on which the test exits with CODE shows another failure: keep the smallest of each kind in bug.lop.also. rustc, for one, exits with 101 when it crashes' -r
complete -c lop -n "__fish_lop_needs_command" -l differs -d 'Two commands, for a shell, that should do the same with the file and do not: their stdout or exit status differ. The first is taken to be right. {} is the file' -r
complete -c lop -n "__fish_lop_needs_command" -l ub-guard -d 'With --differs, for C and C++: a candidate counts only if no compiler warns of undefined behaviour, sanitizers are silent and a compiler that is in neither command agrees. FLAGS are for these compilers' -r
complete -c lop -n "__fish_lop_needs_command" -l check -d 'A command, for a shell, that must succeed before the test is asked at all: a candidate on which it fails is invalid. {} is the file. May be given several times' -r
complete -c lop -n "__fish_lop_needs_command" -l grep -d 'A line of what the command prints matches this regular expression, whatever else it does' -r
complete -c lop -n "__fish_lop_needs_command" -l not-grep -d 'No line of what the command prints matches this' -r
complete -c lop -n "__fish_lop_needs_command" -l exit -d 'The command ends with this status, whatever else it does' -r
complete -c lop -n "__fish_lop_needs_command" -l like -d 'What the command prints is what it prints on the original, but for so many percent' -r
complete -c lop -n "__fish_lop_needs_command" -s j -l jobs -d 'How many tests run at a time; the result does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_needs_command" -l scratch -d 'An existing directory in which tests get their scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l cache -d 'A directory for what tests say: a later run with the same test, file name and environment asks nothing again but what it takes' -r -F
complete -c lop -n "__fish_lop_needs_command" -l memory -d 'How much memory the processes of a test may have together, as 512M or 2G; 0 for no limit [default: 80 % of what there is, in equal parts for all tests that run at a time]' -r
complete -c lop -n "__fish_lop_needs_command" -l processes -d 'How many processes and threads a test may have at a time; 0 for no limit [default: 1024]' -r
complete -c lop -n "__fish_lop_needs_command" -l disk -d 'How much a test may have in its scratch directory, as 512M or 2G; 0 for no limit [default: 1G]' -r
complete -c lop -n "__fish_lop_needs_command" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_needs_command" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, versions [default: all]' -r
complete -c lop -n "__fish_lop_needs_command" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_needs_command" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_needs_command" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_needs_command" -l in-place -d 'Put the result in FILE itself; the original is kept as bug.c.orig'
complete -c lop -n "__fish_lop_needs_command" -l no-session -d 'Keep no session: the run cannot be resumed'
complete -c lop -n "__fish_lop_needs_command" -l strip-markers -d 'Let the comments go that mark with lop-keep what stays'
complete -c lop -n "__fish_lop_needs_command" -l allow-empty -d 'Reduce also when the test finds an empty file interesting'
complete -c lop -n "__fish_lop_needs_command" -l plain -d 'Progress lines in place of the screen; so it is without a terminal'
complete -c lop -n "__fish_lop_needs_command" -l json -d 'One JSON object a line in place of the screen; docs/JSON.md tells what they hold'
complete -c lop -n "__fish_lop_needs_command" -l sandbox -d 'Tests can write in directories of their own only, have an empty HOME, reach no network, socket or device, and see no processes but their own (Linux)'
complete -c lop -n "__fish_lop_needs_command" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_needs_command" -s V -l version -d 'Print version'
complete -c lop -n "__fish_lop_needs_command" -a "demo" -d 'Reduce a program that comes with lop, on the screen'
complete -c lop -n "__fish_lop_needs_command" -a "resume" -d 'Go on with a run that was stopped or cut off'
complete -c lop -n "__fish_lop_needs_command" -a "sessions" -d 'List the sessions, or remove those that are finished'
complete -c lop -n "__fish_lop_needs_command" -a "history" -d 'List the versions of a session'
complete -c lop -n "__fish_lop_needs_command" -a "show" -d 'Print a version of a session'
complete -c lop -n "__fish_lop_needs_command" -a "diff" -d 'Print what two versions of a session differ in'
complete -c lop -n "__fish_lop_needs_command" -a "export" -d 'Make something for others of a session: a page that plays it, or a trace'
complete -c lop -n "__fish_lop_needs_command" -a "man" -d 'Print the manual page, for man'
complete -c lop -n "__fish_lop_needs_command" -a "replay" -d 'Watch a run again, without its test: forwards, backwards, at any speed'
complete -c lop -n "__fish_lop_needs_command" -a "commands" -d 'List the commands that steer a run: on the screen after `:`, in scripts, and with --command'
complete -c lop -n "__fish_lop_needs_command" -a "passes" -d 'List the strategies, the passes they are made of, and the list minimisers, each with where it comes from'
complete -c lop -n "__fish_lop_needs_command" -a "compare" -d 'Reduce one file with several strategies, and show what each of them took'
complete -c lop -n "__fish_lop_needs_command" -a "doctor" -d 'Say what is wrong with a test, and which line to add: before the first reduction with it, or when it says no'
complete -c lop -n "__fish_lop_needs_command" -a "init" -d 'Find out what a command fails with, and write a test of it that you can change'
complete -c lop -n "__fish_lop_needs_command" -a "verify" -d 'Check that a result is minimal: delete each token, delete and replace each part of the syntax tree'
complete -c lop -n "__fish_lop_needs_command" -a "grammar" -d 'Show the grammar that guides a reduction: the languages, the rules of one, or one rule in full'
complete -c lop -n "__fish_lop_needs_command" -a "languages" -d 'List the languages that lop reads, or check that it reads them well'
complete -c lop -n "__fish_lop_using_subcommand demo" -s j -l jobs -d 'How many tests run at a time; the result does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l scratch -d 'An existing directory in which tests get their scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand demo" -l cache -d 'A directory for what tests say: a later run with the same test, file name and environment asks nothing again but what it takes' -r -F
complete -c lop -n "__fish_lop_using_subcommand demo" -l memory -d 'How much memory the processes of a test may have together, as 512M or 2G; 0 for no limit [default: 80 % of what there is, in equal parts for all tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l processes -d 'How many processes and threads a test may have at a time; 0 for no limit [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l disk -d 'How much a test may have in its scratch directory, as 512M or 2G; 0 for no limit [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand demo" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, versions [default: all]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_using_subcommand demo" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_using_subcommand demo" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand demo" -l plain -d 'Progress lines in place of the screen; so it is without a terminal'
complete -c lop -n "__fish_lop_using_subcommand demo" -l json -d 'One JSON object a line in place of the screen; docs/JSON.md tells what they hold'
complete -c lop -n "__fish_lop_using_subcommand demo" -l sandbox -d 'Tests can write in directories of their own only, have an empty HOME, reach no network, socket or device, and see no processes but their own (Linux)'
complete -c lop -n "__fish_lop_using_subcommand demo" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand resume" -s j -l jobs -d 'How many tests run at a time; the result does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l scratch -d 'An existing directory in which tests get their scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l cache -d 'A directory for what tests say: a later run with the same test, file name and environment asks nothing again but what it takes' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l memory -d 'How much memory the processes of a test may have together, as 512M or 2G; 0 for no limit [default: 80 % of what there is, in equal parts for all tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l processes -d 'How many processes and threads a test may have at a time; 0 for no limit [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l disk -d 'How much a test may have in its scratch directory, as 512M or 2G; 0 for no limit [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, versions [default: all]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_using_subcommand resume" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_using_subcommand resume" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand resume" -l trust -d 'Run and write what the session says, also where somebody else may have written it, and do not ask'
complete -c lop -n "__fish_lop_using_subcommand resume" -l plain -d 'Progress lines in place of the screen; so it is without a terminal'
complete -c lop -n "__fish_lop_using_subcommand resume" -l json -d 'One JSON object a line in place of the screen; docs/JSON.md tells what they hold'
complete -c lop -n "__fish_lop_using_subcommand resume" -l sandbox -d 'Tests can write in directories of their own only, have an empty HOME, reach no network, socket or device, and see no processes but their own (Linux)'
complete -c lop -n "__fish_lop_using_subcommand resume" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand sessions; and not __fish_seen_subcommand_from prune" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand sessions; and not __fish_seen_subcommand_from prune" -f -a "prune" -d 'Remove the sessions of runs that came to their end'
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l days -d 'Only those that nothing was written to for so many days' -r
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l yes -d 'Do not ask, as where there is nobody to answer'
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l all -d 'Also those of runs that did not'
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l here -d 'Only those about files in this directory'
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand history" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand show" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand diff" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand export" -l html -d 'Write one page that plays the run, for any browser; it needs no other file' -r -F
complete -c lop -n "__fish_lop_using_subcommand export" -l jsonl -d 'Print one JSON object a version: step, elapsed_s, tokens, content'
complete -c lop -n "__fish_lop_using_subcommand export" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand man" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand replay" -l speed -d 'How many times as fast as the run was' -r
complete -c lop -n "__fish_lop_using_subcommand replay" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand replay" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand replay" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, versions [default: all]' -r
complete -c lop -n "__fish_lop_using_subcommand replay" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_using_subcommand replay" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_using_subcommand replay" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand replay" -l check -d 'Watch nothing, but make every decision again from what the test said, and compare'
complete -c lop -n "__fish_lop_using_subcommand replay" -l plain -d 'Print a line a decision in place of the screen; so it is without a terminal'
complete -c lop -n "__fish_lop_using_subcommand replay" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand commands" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand passes" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand compare" -l strategies -d 'The strategies, with commas between them. Each is STRATEGY, STRATEGY+MINIMIZER (perses+ddmin), or MINIMIZER alone, which means lines+MINIMIZER: delta debugging as it is best known. lop passes lists the names' -r
complete -c lop -n "__fish_lop_using_subcommand compare" -l timeout -d 'How many seconds a test may take, 0 for no limit [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand compare" -l scratch -d 'The directory in which tests get their scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand compare" -l grammar -d 'A grammar of your own, by which FILE is read: a file in BNF, or the directory of a grammar for tree-sitter' -r -F
complete -c lop -n "__fish_lop_using_subcommand compare" -l memory -d 'How much memory the processes of a test may have together, as 512M or 2G; 0 for no limit [default: 80 % of what there is, in equal parts for all tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand compare" -l processes -d 'How many processes and threads a test may have at a time; 0 for no limit [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand compare" -l disk -d 'How much a test may have in its scratch directory, as 512M or 2G; 0 for no limit [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand compare" -l csv -d 'The curves as comma-separated values in place of the table: strategy, tests, seconds, tokens'
complete -c lop -n "__fish_lop_using_subcommand compare" -l sandbox -d 'Tests can write in directories of their own only, have an empty HOME, reach no network, socket or device, and see no processes but their own (Linux)'
complete -c lop -n "__fish_lop_using_subcommand compare" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand doctor" -s j -l jobs -d 'How many tests would run at a time [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor" -l timeout -d 'How many seconds a test may take, 0 for no limit [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor" -l scratch -d 'The directory in which tests get their scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand doctor" -l grammar -d 'A grammar of your own, by which FILE is read: a file in BNF, or the directory of a grammar for tree-sitter' -r -F
complete -c lop -n "__fish_lop_using_subcommand doctor" -l memory -d 'How much memory the processes of a test may have together, as 512M or 2G; 0 for no limit [default: 80 % of what there is, in equal parts for all tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor" -l processes -d 'How many processes and threads a test may have at a time; 0 for no limit [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor" -l disk -d 'How much a test may have in its scratch directory, as 512M or 2G; 0 for no limit [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor" -l json -d 'One JSON object a finding; docs/JSON.md tells what they hold'
complete -c lop -n "__fish_lop_using_subcommand doctor" -l sandbox -d 'Tests can write in directories of their own only, have an empty HOME, reach no network, socket or device, and see no processes but their own (Linux)'
complete -c lop -n "__fish_lop_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand init" -s o -l output -d 'Where the test goes; what is there is not overwritten' -r -F
complete -c lop -n "__fish_lop_using_subcommand init" -l differs -d 'Two commands, for a shell, that should do the same with the file and do not: their stdout or exit status differ. The first is taken to be right. {} is the file' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l ub-guard -d 'With --differs, for C and C++: a candidate counts only if no compiler warns of undefined behaviour, sanitizers are silent and a compiler that is in neither command agrees. FLAGS are for these compilers' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l check -d 'A command, for a shell, that must succeed before the test is asked at all: a candidate on which it fails is invalid. {} is the file. May be given several times' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l grep -d 'A line of what the command prints matches this regular expression, whatever else it does' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l not-grep -d 'No line of what the command prints matches this' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l exit -d 'The command ends with this status, whatever else it does' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l like -d 'What the command prints is what it prints on the original, but for so many percent' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l timeout -d 'How many seconds a test may take, 0 for no limit [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l scratch -d 'The directory in which tests get their scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand init" -l grammar -d 'A grammar of your own, by which FILE is read: a file in BNF, or the directory of a grammar for tree-sitter' -r -F
complete -c lop -n "__fish_lop_using_subcommand init" -l memory -d 'How much memory the processes of a test may have together, as 512M or 2G; 0 for no limit [default: 80 % of what there is, in equal parts for all tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l processes -d 'How many processes and threads a test may have at a time; 0 for no limit [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l disk -d 'How much a test may have in its scratch directory, as 512M or 2G; 0 for no limit [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l sandbox -d 'Tests can write in directories of their own only, have an empty HOME, reach no network, socket or device, and see no processes but their own (Linux)'
complete -c lop -n "__fish_lop_using_subcommand init" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand verify" -l timeout -d 'How many seconds a test may take, 0 for no limit [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand verify" -l scratch -d 'The directory in which tests get their scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand verify" -l grammar -d 'A grammar of your own, by which FILE is read: a file in BNF, or the directory of a grammar for tree-sitter' -r -F
complete -c lop -n "__fish_lop_using_subcommand verify" -l memory -d 'How much memory the processes of a test may have together, as 512M or 2G; 0 for no limit [default: 80 % of what there is, in equal parts for all tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand verify" -l processes -d 'How many processes and threads a test may have at a time; 0 for no limit [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand verify" -l disk -d 'How much a test may have in its scratch directory, as 512M or 2G; 0 for no limit [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand verify" -l sandbox -d 'Tests can write in directories of their own only, have an empty HOME, reach no network, socket or device, and see no processes but their own (Linux)'
complete -c lop -n "__fish_lop_using_subcommand verify" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand grammar" -l steps -d 'Every step from a grammar in BNF to its normal form'
complete -c lop -n "__fish_lop_using_subcommand grammar" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand languages; and not __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand languages; and not __fish_seen_subcommand_from check" -f -a "check" -d 'Check that each node of a text is derived by the grammar, and that whatever lop would try on it parses again'
complete -c lop -n "__fish_lop_using_subcommand languages; and __fish_seen_subcommand_from check" -l all -d 'All languages, each by the sample it comes with'
complete -c lop -n "__fish_lop_using_subcommand languages; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
