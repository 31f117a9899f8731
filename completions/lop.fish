# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_lop_global_optspecs
    string join \n only= keep= tree= o/output= in-place objective= canonical strategy= finish= effort= schedule= without= keep-names with= also-interesting= serve-reducer verdicts= offline save-candidates= timeout= journal= session= no-session minimizer= language= grammar= pin= require= place= slice= keep-comments= strip-markers command= commands= rules= confirm= propose= propose-patience= allow-empty j/jobs= scratch= cache= plain json verbose memory= processes= disk= sandbox config= guess theme= layout= glyphs= colour= mouse= notify= generator= as= differs= ub-guard= check= grep= not-grep= exit= like= serve= remote= remote-instance= remote-header= remote-platform= remote-file= remote-jobs= remote-trust remote-ca= remote-cert= remote-key= h/help V/version
end

function __fish_lop_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_lop_global_optspecs) -- $cmd 2>/dev/null
    or return 0
    if contains -- "$argv[1]" demo learn resume attach sessions history show diff export report man replay commands passes compare race contrast pair isolate mutate doctor init verify grammar rules languages
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

complete -c lop -n "__fish_lop_needs_command" -l only -d 'Of several files, change only those that match a pattern as in .gitignore, such as \'**/*.kt\'; others may go as a whole' -r
complete -c lop -n "__fish_lop_needs_command" -l keep -d 'Of several files, leave those as they are that match a pattern' -r
complete -c lop -n "__fish_lop_needs_command" -l tree -d 'The derivation tree of FILE by the grammar in BNF, as JSON: nothing is parsed to read FILE (docs/GRAMMARS.md)' -r -F
complete -c lop -n "__fish_lop_needs_command" -s o -l output -d 'Where the result goes [default: bug.lop.c beside bug.c]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l objective -d 'What to make smaller: tokens, bytes, lines, nodes, or count(QUERY), the matches of a tree-sitter query (for a tree-sitter grammar). Among equals, tokens and then bytes decide' -r
complete -c lop -n "__fish_lop_needs_command" -l strategy -d 'Which passes run; lop passes lists the names. As in lop compare, perses+ddmin is a strategy with another list minimiser, and a list minimiser alone, such as ddmin, works on lines' -r -f -a "lop\t''
perses\t''
pardis\t''
reduktor\t''
reduktor-pardis\t''
smallest-first\t''
bp\t''
bp-smart\t''
choices\t''
gopinath\t''
hdd\t''
hdd-star\t''
hddr\t''
hoist\t''
lines\t''
levels\t''
tokens\t''
complements\t''
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
complete -c lop -n "__fish_lop_needs_command" -l finish -d 'The last step of the strategy reduktor [default: hdd-star]' -r -f -a "hdd-star\t''
pardis\t''"
complete -c lop -n "__fish_lop_needs_command" -l effort -d 'How much is asked: deletions alone (quick), rewrites and shorter texts as long as they are likely to pay (normal), or all of these (hard) [default: normal]' -r -f -a "quick\t''
normal\t''
hard\t''"
complete -c lop -n "__fish_lop_needs_command" -l schedule -d 'What a pass that runs again asks about: everything, or first what shares a name with what was removed (smart) [default: the strategy\'s, which is plain unless its name says smart]' -r -f -a "plain\t''
smart\t''"
complete -c lop -n "__fish_lop_needs_command" -l without -d 'Turn off parts of the default strategy, such as a pass or a stratum, to see what each is worth' -r -f -a "closed\t''
gc\t''
guard\t''
learn\t''
hollow\t''
bodies\t''
alike\t''
batch\t''
inner\t''
unused\t''
rename\t''
slice\t''
transform\t''
hdd\t''
rewrites\t''
text\t''
bytes\t''
line-markers\t''
comments\t''
hints\t''
place\t''
top-level\t''
last-first\t''
external-references\t''
needed\t''
perhaps-needed\t''
hidden-tokens\t''
heaviest-first\t''
skip\t''
assignment\t''
expression\t''
labels\t''
unconfirmed\t''
dispensable\t''
spare-tokens\t''
namespaces\t''
alias\t''
merge\t''
parameters\t''
overrides\t''
results\t''
rules\t''
statements\t''
type\t''
unfold\t''
constants\t''
aggregates\t''
substitute\t''
transplant\t''
balanced-windows\t''
single-tokens\t''
windows\t''
window-token\t''
literals\t''
characters\t''
names\t''
spaces\t''
certificate\t''"
complete -c lop -n "__fish_lop_needs_command" -l with -d 'Run passes of the strategy that are off otherwise; lop passes lists them. On the screen `bytes` is off: shorter names, literals and white space' -r -f -a "assertion\t''
assume\t''
initial\t''
slices\t''
bytes\t''"
complete -c lop -n "__fish_lop_needs_command" -l also-interesting -d 'Keep the smallest candidate of each other failure in bug.lop.also: those on which the test exits with CODE (rustc exits with 101 when it crashes)' -r
complete -c lop -n "__fish_lop_needs_command" -l verdicts -d 'Use the verdicts on programs that were tested before: each X.c below DIR whose test printed what is in X.log. --grep and --not-grep say what the log of an interesting program has [default: lop\'s own last line in it]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l save-candidates -d 'Keep each tested candidate, and what its test printed, in a new directory DIR/DATE, as reduced.N.c and reduced.N.log; N is the number of the decision. --verdicts reads them' -r -F
complete -c lop -n "__fish_lop_needs_command" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: 60 for the original, then ten times the slowest interesting test, at least 2 and at most 300, rounded up to a power of two]. Of a command that never ends, S is processor time, and ten times S elapsed time' -r
complete -c lop -n "__fish_lop_needs_command" -l journal -d 'Also write the journal (test results, decisions, accepted candidates, commands) to this file, as JSON lines' -r -F
complete -c lop -n "__fish_lop_needs_command" -l session -d 'The directory of this run\'s session, for lop resume, history and replay [default: a new one in $XDG_STATE_HOME/lop/sessions, or ~/.local/state/lop/sessions]' -r -F
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
complete -c lop -n "__fish_lop_needs_command" -l language -d 'The language of the program; `text` means lines and tokens, without a grammar [default: from the extension]' -r -f -a "c\t''
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
complete -c lop -n "__fish_lop_needs_command" -l grammar -d 'Parse the program by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar (docs/GRAMMARS.md)' -r -F
complete -c lop -n "__fish_lop_needs_command" -l pin -d 'Keep every token of a place: a name (main), lines (12-20), or the matches of a tree-sitter query (its captures named @keep, or all)' -r
complete -c lop -n "__fish_lop_needs_command" -l require -d 'Keep at least one match of this tree-sitter query (for a tree-sitter grammar)' -r
complete -c lop -n "__fish_lop_needs_command" -l place -d 'Where it fails: first ask whether all can go but what this place needs. A line of the program (bug.c:12 or 12), or of a file that its line markers name [default: with -- COMMAND, what its message names]' -r
complete -c lop -n "__fish_lop_needs_command" -l slice -d 'The same, and first ask whether all can go but the backward slice of this line: the statements, functions and classes that it needs' -r
complete -c lop -n "__fish_lop_needs_command" -l keep-comments -d 'Keep comments that match this regular expression, such as `RUN:` or `dg-`' -r
complete -c lop -n "__fish_lop_needs_command" -l command -d 'Run a command at the start, such as `focus main` or `doubt 12-40`; lop commands lists them' -r
complete -c lop -n "__fish_lop_needs_command" -l commands -d 'Run a script of commands, with lines such as `COMMAND` or `at decision 100: COMMAND`' -r -F
complete -c lop -n "__fish_lop_needs_command" -l rules -d 'Also use the rules with holes in this file: TOML with tables named rules (lop rules lists those of a language, as an example)' -r -F
complete -c lop -n "__fish_lop_needs_command" -l confirm -d 'Accept a candidate only if the test passes in K of N runs, with no more runs than needed [default: 1/1; 3/3 once the test has given two verdicts on the same bytes]' -r
complete -c lop -n "__fish_lop_needs_command" -l propose -d 'Also test what a program proposes: it receives versions and verdicts, and proposes candidates, in lines of JSON (docs/PROPOSALS.md). May be given several times. lop --serve-reducer is such a program' -r
complete -c lop -n "__fish_lop_needs_command" -l propose-patience -d 'How many seconds the end of the run waits for a program of --propose that says nothing' -r
complete -c lop -n "__fish_lop_needs_command" -s j -l jobs -d 'Number of tests that run at a time; the result does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_needs_command" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l cache -d 'A directory that keeps verdicts for later runs with the same test, file name and environment; only accepted candidates are tested again' -r -F
complete -c lop -n "__fish_lop_needs_command" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_needs_command" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_needs_command" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_needs_command" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_needs_command" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, algorithm, versions, pair tree, pair, difference, beamer, project, graph [default: all]' -r
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
complete -c lop -n "__fish_lop_needs_command" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_needs_command" -l generator -d 'FILE is a sequence of choices, one byte each: this shell command reads it as {} and prints the program that TEST sees. A candidate on which it fails is invalid; it should exit with 125 where it wants more choices than there are. The strategy is choices' -r
complete -c lop -n "__fish_lop_needs_command" -l as -d 'The name under which TEST sees the program that --generator makes; the result\'s is beside the result, as bug.lop.c' -r -F
complete -c lop -n "__fish_lop_needs_command" -l differs -d 'Two shell commands that should do the same with the file but differ in stdout or exit status; the first is right. {} is the file' -r
complete -c lop -n "__fish_lop_needs_command" -l ub-guard -d 'With --differs, for C and C++: accept a candidate only if no compiler warns of undefined behaviour, sanitizers are silent and a compiler of neither command agrees. FLAGS are for these compilers' -r
complete -c lop -n "__fish_lop_needs_command" -l check -d 'A shell command that must succeed before the test runs; a candidate on which it fails is invalid. {} is the file. May be given several times' -r
complete -c lop -n "__fish_lop_needs_command" -l grep -d 'A line of the output matches this regular expression, whatever else the command does' -r
complete -c lop -n "__fish_lop_needs_command" -l not-grep -d 'No line of the output matches this regular expression' -r
complete -c lop -n "__fish_lop_needs_command" -l exit -d 'The command exits with this status, whatever else it does' -r
complete -c lop -n "__fish_lop_needs_command" -l like -d 'The output differs from that on the original by at most PERCENT' -r
complete -c lop -n "__fish_lop_needs_command" -l serve -d 'A test that stays alive: a shell command that reads the directory of a candidate in each line of its input, and answers with the status of a test in a line, such as a compiler whose start takes long (docs/TESTS.md)' -r
complete -c lop -n "__fish_lop_needs_command" -l remote -d 'Also run tests on a farm that speaks the Remote Execution API: grpc://HOST:PORT, or grpcs://HOST:PORT with TLS. The program, the test and what --remote-file names are sent there (docs/REMOTE.md)' -r
complete -c lop -n "__fish_lop_needs_command" -l remote-instance -d 'The instance of the farm\'s server' -r
complete -c lop -n "__fish_lop_needs_command" -l remote-header -d 'A header of every call, such as authorization=@FILE, whose value is the first line of FILE' -r
complete -c lop -n "__fish_lop_needs_command" -l remote-platform -d 'A property that a worker must have, such as container-image=docker://gcc:14' -r
complete -c lop -n "__fish_lop_needs_command" -l remote-file -d 'A file or directory that the test reads besides the program; on a worker it lies beside the test as it does here' -r -F
complete -c lop -n "__fish_lop_needs_command" -l remote-jobs -d 'Number of tests that the farm has at a time: twice its workers keep them busy [default: 16]' -r
complete -c lop -n "__fish_lop_needs_command" -l remote-ca -d 'The certificates of the authorities that are trusted, in PEM [default: those of the system]' -r -F
complete -c lop -n "__fish_lop_needs_command" -l remote-cert -d 'The own certificate for the farm, in PEM' -r -F
complete -c lop -n "__fish_lop_needs_command" -l remote-key -d 'The key of the own certificate, in PEM' -r -F
complete -c lop -n "__fish_lop_needs_command" -l in-place -d 'Put the result in FILE itself; the original is kept as bug.c.orig. The files of a directory change at the end of the run; src.orig holds the originals'
complete -c lop -n "__fish_lop_needs_command" -l canonical -d 'Write all programs in one form, for languages that have one: laid out alike, without comments. The original is written so before its test'
complete -c lop -n "__fish_lop_needs_command" -l keep-names -d 'Leave the names as they are: --without names, for readers who know the program'
complete -c lop -n "__fish_lop_needs_command" -l serve-reducer -d 'Propose candidates to another reducer, which says on standard input which are interesting, in lines of JSON (docs/PROPOSALS.md)'
complete -c lop -n "__fish_lop_needs_command" -l offline -d 'Start no test: all verdicts are those of --verdicts or --cache. A candidate without one ends the run with exit status 3, and is kept beside the output as missing-in-action.c'
complete -c lop -n "__fish_lop_needs_command" -l no-session -d 'Keep no session: the run cannot be resumed'
complete -c lop -n "__fish_lop_needs_command" -l strip-markers -d 'Delete the lop-keep comments themselves'
complete -c lop -n "__fish_lop_needs_command" -l allow-empty -d 'Reduce also when the test finds an empty file interesting'
complete -c lop -n "__fish_lop_needs_command" -l plain -d 'Print progress lines instead of showing the screen; the default without a terminal'
complete -c lop -n "__fish_lop_needs_command" -l json -d 'Print one JSON object a line instead of showing the screen (docs/JSON.md)'
complete -c lop -n "__fish_lop_needs_command" -l verbose -d 'As --plain, in words that can be read aloud, with a line for each decision: its number, what was tried, the answer, and the time of the test or `known`'
complete -c lop -n "__fish_lop_needs_command" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_needs_command" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_needs_command" -l remote-trust -d 'Accept what the farm finds interesting without a test on this machine'
complete -c lop -n "__fish_lop_needs_command" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_needs_command" -s V -l version -d 'Print version'
complete -c lop -n "__fish_lop_needs_command" -a "demo" -d 'Reduce a program that comes with lop, on the screen'
complete -c lop -n "__fish_lop_needs_command" -a "learn" -d 'Learn how reduction works: lessons that are played on real runs, and told step by step'
complete -c lop -n "__fish_lop_needs_command" -a "resume" -d 'Resume a run that was stopped or cut off, or open one at its end'
complete -c lop -n "__fish_lop_needs_command" -a "attach" -d 'Open the screen on a run that goes on in another process: one of --plain, in CI, in tmux; q leaves it going'
complete -c lop -n "__fish_lop_needs_command" -a "sessions" -d 'List the sessions, or remove those that are finished'
complete -c lop -n "__fish_lop_needs_command" -a "history" -d 'List the versions of a session'
complete -c lop -n "__fish_lop_needs_command" -a "show" -d 'Print a version of a session'
complete -c lop -n "__fish_lop_needs_command" -a "diff" -d 'Print the differences between two versions of a session'
complete -c lop -n "__fish_lop_needs_command" -a "export" -d 'Export a session: a page that plays it, or a trace'
complete -c lop -n "__fish_lop_needs_command" -a "report" -d 'Write a bug report from a session: result, test, output, versions, a page that plays the run; without paths of this machine'
complete -c lop -n "__fish_lop_needs_command" -a "man" -d 'Print the manual page, for man'
complete -c lop -n "__fish_lop_needs_command" -a "replay" -d 'Watch a run again, without its test: forwards, backwards, at any speed'
complete -c lop -n "__fish_lop_needs_command" -a "commands" -d 'List the commands that steer a run: on the screen after `:`, in scripts, and with --command'
complete -c lop -n "__fish_lop_needs_command" -a "passes" -d 'List the strategies, the passes they are made of, and the list minimisers, each with where it comes from'
complete -c lop -n "__fish_lop_needs_command" -a "compare" -d 'Reduce one file with several strategies, and show the tests and the time of each'
complete -c lop -n "__fish_lop_needs_command" -a "race" -d 'Run several strategies side by side on one file, on the screen: step by step, or in real time'
complete -c lop -n "__fish_lop_needs_command" -a "contrast" -d 'Explain a result: what its nearest neighbours do, and what each token is for'
complete -c lop -n "__fish_lop_needs_command" -a "pair" -d 'Reduce a program that works and one that fails together, to what makes the difference'
complete -c lop -n "__fish_lop_needs_command" -a "isolate" -d 'Bring a program that works and one that fails closer, until a minimal difference is left (dd)'
complete -c lop -n "__fish_lop_needs_command" -a "mutate" -d 'Change a program at random until its test says yes: the variant of a pair'
complete -c lop -n "__fish_lop_needs_command" -a "doctor" -d 'Examine a test before the first reduction with it, or when it says no: what is wrong, and which line to add'
complete -c lop -n "__fish_lop_needs_command" -a "init" -d 'Find out how a command fails, and write a test for it that you can change'
complete -c lop -n "__fish_lop_needs_command" -a "verify" -d 'Check that a result is minimal: delete each token, delete and replace each part of the syntax tree'
complete -c lop -n "__fish_lop_needs_command" -a "grammar" -d 'Show the grammar that guides a reduction: the languages, the rules of one, or one rule in full'
complete -c lop -n "__fish_lop_needs_command" -a "rules" -d 'List the rules with holes of a language, and what they gained in the last runs'
complete -c lop -n "__fish_lop_needs_command" -a "languages" -d 'List the languages that lop reads, or check that it reads them well'
complete -c lop -n "__fish_lop_using_subcommand demo" -s j -l jobs -d 'Number of tests that run at a time; the result does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand demo" -l cache -d 'A directory that keeps verdicts for later runs with the same test, file name and environment; only accepted candidates are tested again' -r -F
complete -c lop -n "__fish_lop_using_subcommand demo" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand demo" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand demo" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, algorithm, versions, pair tree, pair, difference, beamer, project, graph [default: all]' -r
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
complete -c lop -n "__fish_lop_using_subcommand demo" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand demo" -l plain -d 'Print progress lines instead of showing the screen; the default without a terminal'
complete -c lop -n "__fish_lop_using_subcommand demo" -l json -d 'Print one JSON object a line instead of showing the screen (docs/JSON.md)'
complete -c lop -n "__fish_lop_using_subcommand demo" -l verbose -d 'As --plain, in words that can be read aloud, with a line for each decision: its number, what was tried, the answer, and the time of the test or `known`'
complete -c lop -n "__fish_lop_using_subcommand demo" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand demo" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_using_subcommand demo" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand learn" -l export -d 'Write the lesson as one page for any browser, which needs no other file; into a directory, all lessons or the one named' -r -F
complete -c lop -n "__fish_lop_using_subcommand learn" -l race -d 'Run these strategies side by side on the program of the lesson, as lop race does, instead of playing it; two or more, with commas between them' -r
complete -c lop -n "__fish_lop_using_subcommand learn" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand learn" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand learn" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, algorithm, versions, pair tree, pair, difference, beamer, project, graph [default: all]' -r
complete -c lop -n "__fish_lop_using_subcommand learn" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_using_subcommand learn" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_using_subcommand learn" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand learn" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand learn" -l plain -d 'Tell the lesson in lines instead of showing the screen; the default without a terminal'
complete -c lop -n "__fish_lop_using_subcommand learn" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_using_subcommand learn" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand resume" -l effort -d 'Go on with this effort, also where the session has come to its end and there is no screen' -r -f -a "quick\t''
normal\t''
hard\t''"
complete -c lop -n "__fish_lop_using_subcommand resume" -s j -l jobs -d 'Number of tests that run at a time; the result does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l cache -d 'A directory that keeps verdicts for later runs with the same test, file name and environment; only accepted candidates are tested again' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, algorithm, versions, pair tree, pair, difference, beamer, project, graph [default: all]' -r
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
complete -c lop -n "__fish_lop_using_subcommand resume" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote -d 'Also run tests on a farm that speaks the Remote Execution API: grpc://HOST:PORT, or grpcs://HOST:PORT with TLS. The program, the test and what --remote-file names are sent there (docs/REMOTE.md)' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-instance -d 'The instance of the farm\'s server' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-header -d 'A header of every call, such as authorization=@FILE, whose value is the first line of FILE' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-platform -d 'A property that a worker must have, such as container-image=docker://gcc:14' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-file -d 'A file or directory that the test reads besides the program; on a worker it lies beside the test as it does here' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-jobs -d 'Number of tests that the farm has at a time: twice its workers keep them busy [default: 16]' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-ca -d 'The certificates of the authorities that are trusted, in PEM [default: those of the system]' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-cert -d 'The own certificate for the farm, in PEM' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-key -d 'The key of the own certificate, in PEM' -r -F
complete -c lop -n "__fish_lop_using_subcommand resume" -l propose -d 'Also test what a program proposes: it receives versions and verdicts, and proposes candidates, in lines of JSON (docs/PROPOSALS.md). May be given several times. lop --serve-reducer is such a program' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l propose-patience -d 'How many seconds the end of the run waits for a program of --propose that says nothing' -r
complete -c lop -n "__fish_lop_using_subcommand resume" -l trust -d 'Run and write what the session names without asking, even if somebody else may have written it'
complete -c lop -n "__fish_lop_using_subcommand resume" -l plain -d 'Print progress lines instead of showing the screen; the default without a terminal'
complete -c lop -n "__fish_lop_using_subcommand resume" -l json -d 'Print one JSON object a line instead of showing the screen (docs/JSON.md)'
complete -c lop -n "__fish_lop_using_subcommand resume" -l verbose -d 'As --plain, in words that can be read aloud, with a line for each decision: its number, what was tried, the answer, and the time of the test or `known`'
complete -c lop -n "__fish_lop_using_subcommand resume" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand resume" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_using_subcommand resume" -l remote-trust -d 'Accept what the farm finds interesting without a test on this machine'
complete -c lop -n "__fish_lop_using_subcommand resume" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand attach" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand attach" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand attach" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, algorithm, versions, pair tree, pair, difference, beamer, project, graph [default: all]' -r
complete -c lop -n "__fish_lop_using_subcommand attach" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_using_subcommand attach" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_using_subcommand attach" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand attach" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand attach" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_using_subcommand attach" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand sessions; and not __fish_seen_subcommand_from prune" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand sessions; and not __fish_seen_subcommand_from prune" -f -a "prune" -d 'Remove the sessions of finished runs'
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l days -d 'Only those that were last written at least N days ago' -r
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l yes -d 'Do not ask; needed where nobody can answer'
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l all -d 'Also remove those of unfinished runs'
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l here -d 'Only those about files in this directory'
complete -c lop -n "__fish_lop_using_subcommand sessions; and __fish_seen_subcommand_from prune" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand history" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand show" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand diff" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand export" -l html -d 'Write one page that plays the run, for any browser; it needs no other file' -r -F
complete -c lop -n "__fish_lop_using_subcommand export" -l jsonl -d 'Print one JSON object a version: step, elapsed_s, tokens, content'
complete -c lop -n "__fish_lop_using_subcommand export" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand report" -l output -d 'Write the report to this new directory [default: report-SESSION]' -r -F
complete -c lop -n "__fish_lop_using_subcommand report" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand report" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand report" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand report" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand report" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand report" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand report" -l markdown -d 'Print one page in Markdown, and write no directory'
complete -c lop -n "__fish_lop_using_subcommand report" -l contrast -d 'Add why the result is interesting, as lop contrast finds it. This runs tests'
complete -c lop -n "__fish_lop_using_subcommand report" -l keep-names -d 'Leave home directories and the names of the user and the machine in the program, the names of its files and the test'
complete -c lop -n "__fish_lop_using_subcommand report" -l no-run -d 'Run neither the test nor --version of its tools: the report has no output and no versions'
complete -c lop -n "__fish_lop_using_subcommand report" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand report" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand man" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand replay" -l speed -d 'Speed of the replay: how many times as fast as the run' -r
complete -c lop -n "__fish_lop_using_subcommand replay" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand replay" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand replay" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, algorithm, versions, pair tree, pair, difference, beamer, project, graph [default: all]' -r
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
complete -c lop -n "__fish_lop_using_subcommand replay" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand replay" -l check -d 'Show nothing, but make every decision again from the recorded verdicts, and compare'
complete -c lop -n "__fish_lop_using_subcommand replay" -l plain -d 'Print a line for each decision instead of showing the screen; the default without a terminal'
complete -c lop -n "__fish_lop_using_subcommand replay" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_using_subcommand replay" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand commands" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand passes" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l strategies -d 'The strategies, with commas between them. Each is STRATEGY, STRATEGY+MINIMIZER (perses+ddmin), or MINIMIZER alone, which means lines+MINIMIZER, the classic delta debugging. lop passes lists the names' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l csv -d 'Print the curves as comma-separated values instead of the table: strategy, tests, seconds, tokens'
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l screen -d 'On a terminal, run them side by side on the screen of lop race, in real time; the table comes at its end'
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand compare; and not __fish_seen_subcommand_from pair" -a "pair" -d 'Compare strategies for pairs'
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l strategies -d 'The strategies, with commas between them. Each is a strategy for pairs, STRATEGY~PART without a part (pair~tdiff), or `alone`: the variant is reduced alone, by the default strategy. lop passes lists the names [default: pair,pair-once,isolate-elements, and alone, if the variant has a test of its own]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l minutes -d 'Stop each strategy after this time; its row says so' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l both -d 'One test that sees both programs: the seed is its first argument, the variant its second' -r -F
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l differs -d 'Two shell commands that should do the same with the file but differ in stdout or exit status; the first is right. {} is the file' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l ub-guard -d 'With --differs, for C and C++: accept a candidate only if no compiler warns of undefined behaviour, sanitizers are silent and a compiler of neither command agrees. FLAGS are for these compilers' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l check -d 'A shell command that must succeed before the test runs; a candidate on which it fails is invalid. {} is the file. May be given several times' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l grep -d 'A line of the output matches this regular expression, whatever else the command does' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l not-grep -d 'No line of the output matches this regular expression' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l exit -d 'The command exits with this status, whatever else it does' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l like -d 'The output differs from that on the original by at most PERCENT' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l markdown -d 'Print the table in Markdown'
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l json -d 'Print one JSON object a strategy (docs/JSON.md)'
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand compare; and __fish_seen_subcommand_from pair" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand race" -l strategies -d 'The strategies, at least two, with commas between them. Each is STRATEGY, STRATEGY+MINIMIZER (perses+ddmin), or MINIMIZER alone, which means lines+MINIMIZER, the classic delta debugging. lop passes lists the names' -r
complete -c lop -n "__fish_lop_using_subcommand race" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand race" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand race" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand race" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand race" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand race" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand race" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand race" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand race" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_using_subcommand race" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_using_subcommand race" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand race" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand race" -l step -d 'Begin paused, with the first question of each strategy'
complete -c lop -n "__fish_lop_using_subcommand race" -l real-time -d 'Begin in real time, and not by tests'
complete -c lop -n "__fish_lop_using_subcommand race" -l plain -d 'Print the table instead of showing the screen; the default without a terminal'
complete -c lop -n "__fish_lop_using_subcommand race" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand race" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_using_subcommand race" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand contrast" -l tests -d 'The most tests; the verdicts of the session that made FILE do not count' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -s j -l jobs -d 'Number of tests that run at a time; the report does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l differs -d 'Two shell commands that should do the same with the file but differ in stdout or exit status; the first is right. {} is the file' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l ub-guard -d 'With --differs, for C and C++: accept a candidate only if no compiler warns of undefined behaviour, sanitizers are silent and a compiler of neither command agrees. FLAGS are for these compilers' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l check -d 'A shell command that must succeed before the test runs; a candidate on which it fails is invalid. {} is the file. May be given several times' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l grep -d 'A line of the output matches this regular expression, whatever else the command does' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l not-grep -d 'No line of the output matches this regular expression' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l exit -d 'The command exits with this status, whatever else it does' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l like -d 'The output differs from that on the original by at most PERCENT' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand contrast" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand contrast" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand contrast" -l markdown -d 'Print a section for a bug report'
complete -c lop -n "__fish_lop_using_subcommand contrast" -l json -d 'Print one JSON object (docs/JSON.md)'
complete -c lop -n "__fish_lop_using_subcommand contrast" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand contrast" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand pair" -s o -l output -d 'The directory of the result [default: variant.lop beside variant.c]' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l strategy -d 'Which passes run; lop passes lists the names' -r -f -a "pair\t''
pair-once\t''
pair-common-first\t''
pair-list-first\t''"
complete -c lop -n "__fish_lop_using_subcommand pair" -l schedule -d 'What a pass that runs again asks about: everything, or first what shares a name with what was removed (smart) [default: the strategy\'s, which is plain unless its name says smart]' -r -f -a "plain\t''
smart\t''"
complete -c lop -n "__fish_lop_using_subcommand pair" -l without -d 'Turn off parts of the strategy, to see what each is worth: tdiff, ldiff and common are those of a round; the others are parts of common' -r -f -a "tdiff\t''
ldiff\t''
common\t''
closed\t''
gc\t''
guard\t''
learn\t''
hollow\t''
bodies\t''
alike\t''
batch\t''"
complete -c lop -n "__fish_lop_using_subcommand pair" -l also-interesting -d 'Keep the smallest pair of each other failure in variant.lop.also, with both programs: those on which one of the tests exits with CODE (rustc exits with 101 when it crashes)' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l both -d 'One test that sees both programs: the seed is its first argument, the variant its second' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l differs -d 'Two shell commands that should do the same with the file but differ in stdout or exit status; the first is right. {} is the file' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l ub-guard -d 'With --differs, for C and C++: accept a candidate only if no compiler warns of undefined behaviour, sanitizers are silent and a compiler of neither command agrees. FLAGS are for these compilers' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l check -d 'A shell command that must succeed before the test runs; a candidate on which it fails is invalid. {} is the file. May be given several times' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l grep -d 'A line of the output matches this regular expression, whatever else the command does' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l not-grep -d 'No line of the output matches this regular expression' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l exit -d 'The command exits with this status, whatever else it does' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l like -d 'The output differs from that on the original by at most PERCENT' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: 60 for the original, then ten times the slowest interesting test, at least 2 and at most 300, rounded up to a power of two]. Of a command that never ends, S is processor time, and ten times S elapsed time' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l journal -d 'Also write the journal (test results, decisions, accepted candidates, commands) to this file, as JSON lines' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l session -d 'The directory of this run\'s session, for lop resume, history and replay [default: a new one in $XDG_STATE_HOME/lop/sessions, or ~/.local/state/lop/sessions]' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l minimizer -d 'The list minimiser [default: the strategy\'s own]' -r -f -a "complements\t''
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
complete -c lop -n "__fish_lop_using_subcommand pair" -l language -d 'The language of the program; `text` means lines and tokens, without a grammar [default: from the extension]' -r -f -a "c\t''
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
complete -c lop -n "__fish_lop_using_subcommand pair" -l grammar -d 'Parse the program by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar (docs/GRAMMARS.md)' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l pin -d 'Keep every token of a place: a name (main), lines (12-20), or the matches of a tree-sitter query (its captures named @keep, or all)' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l require -d 'Keep at least one match of this tree-sitter query (for a tree-sitter grammar)' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l place -d 'Where it fails: first ask whether all can go but what this place needs. A line of the program (bug.c:12 or 12), or of a file that its line markers name [default: with -- COMMAND, what its message names]' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l slice -d 'The same, and first ask whether all can go but the backward slice of this line: the statements, functions and classes that it needs' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l keep-comments -d 'Keep comments that match this regular expression, such as `RUN:` or `dg-`' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l command -d 'Run a command at the start, such as `focus main` or `doubt 12-40`; lop commands lists them' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l commands -d 'Run a script of commands, with lines such as `COMMAND` or `at decision 100: COMMAND`' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l rules -d 'Also use the rules with holes in this file: TOML with tables named rules (lop rules lists those of a language, as an example)' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l confirm -d 'Accept a candidate only if the test passes in K of N runs, with no more runs than needed [default: 1/1; 3/3 once the test has given two verdicts on the same bytes]' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l propose -d 'Also test what a program proposes: it receives versions and verdicts, and proposes candidates, in lines of JSON (docs/PROPOSALS.md). May be given several times. lop --serve-reducer is such a program' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l propose-patience -d 'How many seconds the end of the run waits for a program of --propose that says nothing' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -s j -l jobs -d 'Number of tests that run at a time; the result does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l cache -d 'A directory that keeps verdicts for later runs with the same test, file name and environment; only accepted candidates are tested again' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand pair" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, algorithm, versions, pair tree, pair, difference, beamer, project, graph [default: all]' -r
complete -c lop -n "__fish_lop_using_subcommand pair" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_using_subcommand pair" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_using_subcommand pair" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand pair" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand pair" -l mirror -d 'After the list difference, undo hunks of the difference in the seed too'
complete -c lop -n "__fish_lop_using_subcommand pair" -l no-session -d 'Keep no session: the run cannot be resumed'
complete -c lop -n "__fish_lop_using_subcommand pair" -l strip-markers -d 'Delete the lop-keep comments themselves'
complete -c lop -n "__fish_lop_using_subcommand pair" -l allow-empty -d 'Reduce also when the test finds an empty file interesting'
complete -c lop -n "__fish_lop_using_subcommand pair" -l plain -d 'Print progress lines instead of showing the screen; the default without a terminal'
complete -c lop -n "__fish_lop_using_subcommand pair" -l json -d 'Print one JSON object a line instead of showing the screen (docs/JSON.md)'
complete -c lop -n "__fish_lop_using_subcommand pair" -l verbose -d 'As --plain, in words that can be read aloud, with a line for each decision: its number, what was tried, the answer, and the time of the test or `known`'
complete -c lop -n "__fish_lop_using_subcommand pair" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand pair" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_using_subcommand pair" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand isolate" -l both -d 'One test that sees both programs: the one that passes is its first argument, the one that fails its second' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l from -d 'A program that passes [default: an empty one]' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l by -d 'What is moved at first: elements of lists, the outermost first, lines, or tokens; at the end, tokens' -r -f -a "elements\t''
lines\t''
tokens\t''"
complete -c lop -n "__fish_lop_using_subcommand isolate" -s o -l output -d 'The directory of the result [default: bug.lop beside bug.c]' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: 60 for the original, then ten times the slowest interesting test, at least 2 and at most 300, rounded up to a power of two]. Of a command that never ends, S is processor time, and ten times S elapsed time' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l journal -d 'Also write the journal (test results, decisions, accepted candidates, commands) to this file, as JSON lines' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l session -d 'The directory of this run\'s session, for lop resume, history and replay [default: a new one in $XDG_STATE_HOME/lop/sessions, or ~/.local/state/lop/sessions]' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l minimizer -d 'The list minimiser [default: the strategy\'s own]' -r -f -a "complements\t''
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
complete -c lop -n "__fish_lop_using_subcommand isolate" -l language -d 'The language of the program; `text` means lines and tokens, without a grammar [default: from the extension]' -r -f -a "c\t''
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
complete -c lop -n "__fish_lop_using_subcommand isolate" -l grammar -d 'Parse the program by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar (docs/GRAMMARS.md)' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l pin -d 'Keep every token of a place: a name (main), lines (12-20), or the matches of a tree-sitter query (its captures named @keep, or all)' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l require -d 'Keep at least one match of this tree-sitter query (for a tree-sitter grammar)' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l place -d 'Where it fails: first ask whether all can go but what this place needs. A line of the program (bug.c:12 or 12), or of a file that its line markers name [default: with -- COMMAND, what its message names]' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l slice -d 'The same, and first ask whether all can go but the backward slice of this line: the statements, functions and classes that it needs' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l keep-comments -d 'Keep comments that match this regular expression, such as `RUN:` or `dg-`' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l command -d 'Run a command at the start, such as `focus main` or `doubt 12-40`; lop commands lists them' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l commands -d 'Run a script of commands, with lines such as `COMMAND` or `at decision 100: COMMAND`' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l rules -d 'Also use the rules with holes in this file: TOML with tables named rules (lop rules lists those of a language, as an example)' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l confirm -d 'Accept a candidate only if the test passes in K of N runs, with no more runs than needed [default: 1/1; 3/3 once the test has given two verdicts on the same bytes]' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l propose -d 'Also test what a program proposes: it receives versions and verdicts, and proposes candidates, in lines of JSON (docs/PROPOSALS.md). May be given several times. lop --serve-reducer is such a program' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l propose-patience -d 'How many seconds the end of the run waits for a program of --propose that says nothing' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -s j -l jobs -d 'Number of tests that run at a time; the result does not depend on it [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l cache -d 'A directory that keeps verdicts for later runs with the same test, file name and environment; only accepted candidates are tested again' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l config -d 'The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]' -r -F
complete -c lop -n "__fish_lop_using_subcommand isolate" -l theme -d 'the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, or one that comes with lop: dark, light, high-contrast, colour-blind, monochrome [default: auto]' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l layout -d 'the panes that the screen shows at the start: all, steps, code, run, algorithm, versions, pair tree, pair, difference, beamer, project, graph [default: all]' -r
complete -c lop -n "__fish_lop_using_subcommand isolate" -l glyphs -d 'the characters that the screen uses [default: auto]' -r -f -a "auto\t''
ascii\t''
unicode\t''"
complete -c lop -n "__fish_lop_using_subcommand isolate" -l colour -d 'the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none [default: auto]' -r -f -a "auto\t''
truecolor\t''
256\t''
16\t''
none\t''"
complete -c lop -n "__fish_lop_using_subcommand isolate" -l mouse -d 'whether the screen uses the mouse [default: on]' -r -f -a "on\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand isolate" -l notify -d 'how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt) [default: title]' -r -f -a "title\t''
bell\t''
osc9\t''
osc777\t''
off\t''"
complete -c lop -n "__fish_lop_using_subcommand isolate" -l no-session -d 'Keep no session: the run cannot be resumed'
complete -c lop -n "__fish_lop_using_subcommand isolate" -l strip-markers -d 'Delete the lop-keep comments themselves'
complete -c lop -n "__fish_lop_using_subcommand isolate" -l allow-empty -d 'Reduce also when the test finds an empty file interesting'
complete -c lop -n "__fish_lop_using_subcommand isolate" -l plain -d 'Print progress lines instead of showing the screen; the default without a terminal'
complete -c lop -n "__fish_lop_using_subcommand isolate" -l json -d 'Print one JSON object a line instead of showing the screen (docs/JSON.md)'
complete -c lop -n "__fish_lop_using_subcommand isolate" -l verbose -d 'As --plain, in words that can be read aloud, with a line for each decision: its number, what was tried, the answer, and the time of the test or `known`'
complete -c lop -n "__fish_lop_using_subcommand isolate" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand isolate" -l guess -d 'Guess before each verdict: a step shows the candidate, the next one what the test says'
complete -c lop -n "__fish_lop_using_subcommand isolate" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand mutate" -s o -l output -d 'Where the changed program goes; an existing file is not overwritten [default: variant.c beside seed.c]' -r -F
complete -c lop -n "__fish_lop_using_subcommand mutate" -l random-seed -d 'Another number gives other programs' -r
complete -c lop -n "__fish_lop_using_subcommand mutate" -l tests -d 'The most tests' -r
complete -c lop -n "__fish_lop_using_subcommand mutate" -l changes -d 'The most changes of one program' -r
complete -c lop -n "__fish_lop_using_subcommand mutate" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand mutate" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand mutate" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand mutate" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand mutate" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand mutate" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand mutate" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand mutate" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -s j -l jobs -d 'Number of tests that a run would have at a time [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -l json -d 'Print one JSON object for each finding (docs/JSON.md)'
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand doctor; and not __fish_seen_subcommand_from pair" -a "pair" -d 'Examine the two tests of a pair'
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -s j -l jobs -d 'Number of tests that a run would have at a time [default: the number of processors]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -l json -d 'Print one JSON object for each finding (docs/JSON.md)'
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand doctor; and __fish_seen_subcommand_from pair" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand init" -s o -l output -d 'Where the test goes; an existing file is not overwritten' -r -F
complete -c lop -n "__fish_lop_using_subcommand init" -l differs -d 'Two shell commands that should do the same with the file but differ in stdout or exit status; the first is right. {} is the file' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l ub-guard -d 'With --differs, for C and C++: accept a candidate only if no compiler warns of undefined behaviour, sanitizers are silent and a compiler of neither command agrees. FLAGS are for these compilers' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l check -d 'A shell command that must succeed before the test runs; a candidate on which it fails is invalid. {} is the file. May be given several times' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l grep -d 'A line of the output matches this regular expression, whatever else the command does' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l not-grep -d 'No line of the output matches this regular expression' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l exit -d 'The command exits with this status, whatever else it does' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l like -d 'The output differs from that on the original by at most PERCENT' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand init" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand init" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand init" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand init" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -l text -d 'Check FILE as text too, whatever its tree is: no token, no 2 to 4 tokens in a row, no pair of brackets and nothing between `;`, `{` and `}` can go. Where one can, FILE is not minimal'
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand verify; and not __fish_seen_subcommand_from pair" -a "pair" -d 'Check whether a result of lop pair is minimal'
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -l both -d 'One test that sees both programs: the seed is its first argument, the variant its second' -r -F
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -l timeout -d 'Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]' -r
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -l scratch -d 'An existing directory for the tests\' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]' -r -F
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -l grammar -d 'Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar' -r -F
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -l memory -d 'Memory limit of all processes of a test, such as 512M or 2G; 0 for none [default: 80 % of the memory, divided among the tests that run at a time]' -r
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -l processes -d 'Limit of the processes and threads of a test; 0 for none [default: 1024]' -r
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -l disk -d 'Size limit of a test\'s scratch directory, such as 512M or 2G; 0 for none [default: 1G]' -r
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -l sandbox -d 'Run tests in a sandbox: they write only in directories of their own, have an empty HOME, reach no network, socket or device, and see only their own processes (Linux)'
complete -c lop -n "__fish_lop_using_subcommand verify; and __fish_seen_subcommand_from pair" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand grammar" -l parse -d 'The derivation tree of FILE by a grammar in BNF, as JSON for --tree' -r -F
complete -c lop -n "__fish_lop_using_subcommand grammar" -l steps -d 'Every step from a grammar in BNF to its normal form'
complete -c lop -n "__fish_lop_using_subcommand grammar" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand rules" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand languages; and not __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c lop -n "__fish_lop_using_subcommand languages; and not __fish_seen_subcommand_from check" -f -a "check" -d 'Check that the grammar derives each node of a text, and that all candidates that lop would try on it parse again'
complete -c lop -n "__fish_lop_using_subcommand languages; and __fish_seen_subcommand_from check" -l all -d 'All languages, each by the sample it comes with'
complete -c lop -n "__fish_lop_using_subcommand languages; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
