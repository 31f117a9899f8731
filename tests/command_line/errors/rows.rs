//! The catalogue of errors that a user can cause. A row is a situation, a command line and parts of the message.

/// What is there before lop starts, beside `bug.c` and `test.sh`.
#[derive(Clone, Copy)]
pub enum There {
    /// A file with this text.
    File(&'static str, &'static str),
    /// A file with these bytes.
    Bytes(&'static str, &'static [u8]),
    /// An executable script with these lines.
    Test(&'static str, &'static str),
    /// A directory.
    Dir(&'static str),
    /// A pipe.
    Pipe(&'static str),
    /// A link to the second.
    Link(&'static str, &'static str),
    /// A file of this length.
    Large(&'static str, u64),
    /// The mode of a file or directory.
    Mode(&'static str, u32),
    /// A reduction of `bug.c` that came to its end: the session `bug.c-1`.
    Session,
    /// Its journal with the first text in place of the second.
    Journal(&'static str, &'static str),
    /// A variable of the environment.
    Variable(&'static str, &'static str),
    /// The configuration.
    Config(&'static str),
}

/// Who starts lop, and where.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Whoever runs the tests, without a terminal.
    Anybody,
    /// The same on a terminal.
    OnTerminal,
    /// Somebody to whom permissions apply.
    NotRoot,
}

/// A row.
pub struct Row {
    /// What is wrong.
    pub name: &'static str,
    pub who: Who,
    pub there: &'static [There],
    /// The words after `lop`.
    pub line: &'static [&'static str],
    pub status: i32,
    /// What happened, where, and what to do.
    pub says: [&'static str; 3],
}

const fn row(
    name: &'static str,
    there: &'static [There],
    line: &'static [&'static str],
    status: i32,
    says: [&'static str; 3],
) -> Row {
    let who = Who::Anybody;
    Row {
        name,
        who,
        there,
        line,
        status,
        says,
    }
}

impl Row {
    const fn on_terminal(self) -> Row {
        Row {
            who: Who::OnTerminal,
            ..self
        }
    }

    const fn not_root(self) -> Row {
        Row {
            who: Who::NotRoot,
            ..self
        }
    }
}

use There::{Bytes, Config, Dir, File, Journal, Large, Link, Mode, Pipe, Session, Test, Variable};

/// What clap says after each refusal.
const HELP: &str = "try '--help'";
/// A grammar for tree-sitter.
const GRAMMAR: &str = r#"{"name":"x","rules":{"a":{"type":"STRING","value":"x"}}}"#;
/// A parser that lacks all.
const PARSER: &str = "int x;\n";

#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    // The file.
    row("a file that is missing", &[], &["no.c", "test.sh"], 2, ["there is no file", "no.c", "look how it is spelt"]),
    row("a directory for a command about one file", &[Dir("dir")], &["compare", "dir", "test.sh"], 2, ["is a directory", "dir", "name one"]),
    row("a pipe", &[Pipe("pipe.c")], &["pipe.c", "test.sh"], 2, ["is a pipe", "pipe.c", "name one"]),
    row("an empty file", &[File("empty.c", "")], &["empty.c", "test.sh"], 1, ["nothing to reduce", "empty.c is empty", "name another file"]),
    row("a file without tokens", &[File("blank.c", " \n")], &["blank.c", "test.sh", "--allow-empty"], 1, ["nothing to reduce", "blank.c has no tokens", "name another file"]),
    row("a file that is too large", &[Large("large.c", 100_000_001)], &["large.c", "test.sh"], 2, ["reads at most 100 MB", "large.c has 100.0 MB", "cut it first"]),
    row("a file that may not be read", &[Mode("bug.c", 0o000)], &["bug.c", "test.sh"], 2, ["Permission denied", "bug.c cannot be read", "ls -l tells who may"]).not_root(),
    row("a binary of which the test knows nothing", &[Bytes("bin.c", b"\0\xff\xfe\x01")], &["bin.c", "test.sh"], 1, ["does not find bin.c interesting", "in an empty directory under", "lop doctor bin.c"]),
    row("the test before the file", &[], &["test.sh", "bug.c"], 2, ["the file comes first", "test", "lop bug.c test.sh"]),
    // The test.
    row("a test that is missing", &[], &["bug.c", "./no.sh"], 2, ["does not exist", "the test ./no.sh", "look how it is spelt"]),
    row("a command in place of a test", &[], &["bug.c", "true"], 2, ["does not exist", "the test true", "the path of a file: it is not searched in PATH"]),
    row("a test that is a directory", &[Dir("dir")], &["bug.c", "dir"], 2, ["is a directory", "the test dir", "name an executable file"]),
    row("a test that is a device", &[], &["bug.c", "/dev/null"], 2, ["is not a regular file", "/dev/null", "name an executable one"]),
    row("a test that is not executable", &[Mode("test.sh", 0o644)], &["bug.c", "test.sh"], 2, ["is not executable", "test.sh", "chmod +x test.sh"]),
    row("a test that others may execute", &[Mode("test.sh", 0o077)], &["bug.c", "test.sh"], 2, ["may not be executed", "the test test.sh", "copy it"]).not_root(),
    row("an empty test", &[Test("t.sh", ""), File("t.sh", "")], &["bug.c", "t.sh"], 2, ["is empty", "the test t.sh", "write a check into it"]),
    row("an interpreter that is missing", &[Test("t.sh", ""), File("t.sh", "#!/no/sh\n")], &["bug.c", "t.sh"], 2, ["does not exist", "t.sh begins with #!/no/sh", "name one that exists"]),
    row("a test of Windows", &[Test("t.sh", ""), File("t.sh", "#!/bin/sh\r\n")], &["bug.c", "t.sh"], 2, ["end in CR LF", "t.sh", "sed -i"]),
    row("a test without #! that says no", &[Test("t.sh", ""), File("t.sh", "exit 3\n")], &["bug.c", "t.sh"], 1, ["exit 3", "/bin/sh ", "run it by hand"]),
    row("a test that says no", &[Test("no.sh", "echo looked; exit 1")], &["bug.c", "no.sh"], 1, ["does not find bug.c interesting", "| looked", "run it by hand"]),
    row("a test that is killed", &[Test("t.sh", "kill -9 $$")], &["bug.c", "t.sh"], 1, ["killed by signal 9", "t.sh bug.c", "run it by hand"]),
    row("a test that hangs", &[Test("t.sh", "exec tail -f /dev/null")], &["bug.c", "t.sh", "--timeout", "0.2"], 1, ["had not ended after 0.2", "t.sh", "--timeout S"]),
    row("a test that kills who looks after it", &[Test("t.sh", "kill -9 $PPID; exec tail -f /dev/null")], &["bug.c", "t.sh"], 3, ["looks after the test (lop __run, its parent) was killed, 3 times in a row", "t.sh bug.c", "sends signals to its parent"]),
    row("a test that misses a tool", &[Test("t.sh", "no-such-tool bug.c")], &["bug.c", "t.sh"], 3, ["a command in it was not found", "no-such-tool", "What to try"]),
    row("a test that calls what is not executable", &[Test("t.sh", "./bug.c")], &["bug.c", "t.sh"], 3, ["a command in it is not executable", "bug.c", "What to try"]),
    row("a test that an empty file passes", &[Test("t.sh", "exit 0")], &["bug.c", "t.sh"], 1, ["finds an empty file interesting", "the test", "--allow-empty"]),
    row("a program that is none", &[Bytes("t", b"\x7fno\0program"), Mode("t", 0o755)], &["bug.c", "t"], 3, ["it cannot be started", "t bug.c", "start it by hand"]),
    row("a check that fails on the original", &[], &["bug.c", "test.sh", "--check", "false {}"], 1, ["the check fails on the original bug.c", "false bug.c", "or remove it"]),
    row("a check that does not name the file", &[], &["bug.c", "test.sh", "--check", "true"], 2, ["does not name the file", "--check 'true'", "write {} where bug.c goes"]),
    // Where things go.
    row("an output in no directory", &[], &["bug.c", "test.sh", "--output", "no/x.c"], 2, ["there is no directory", "no/x.c", "name another place with --output"]),
    row("an output that is a directory", &[Dir("dir")], &["bug.c", "test.sh", "--output", "dir"], 2, ["is a directory", "cannot go to dir", "--output"]),
    row("an output that is the input", &[], &["bug.c", "test.sh", "--output", "bug.c"], 2, ["is the input itself", "--output bug.c", "--in-place"]),
    row("an output that is the test", &[], &["bug.c", "test.sh", "--output", "test.sh"], 2, ["which lop would overwrite", "--output test.sh", "name another"]),
    row("an output where nobody may write", &[], &["bug.c", "test.sh", "--output", "/proc/x.c"], 2, ["the result cannot go", "/proc/x.c", "name another place"]),
    row("an output where one may not write", &[Dir("shut"), Mode("shut", 0o555)], &["bug.c", "test.sh", "--output", "shut/x.c"], 2, ["Permission denied", "shut/x.c", "name another place"]).not_root(),
    row("a session where one may not write", &[Dir("shut"), Mode("shut", 0o555)], &["bug.c", "test.sh", "--session", "shut/s"], 2, ["Permission denied", "shut/s", "--no-session"]).not_root(),
    row("a session in a directory that is none", &[Dir("mine"), File("mine/lock", "mine")], &["bug.c", "test.sh", "--session", "mine"], 2, ["there is lock in it, and no session", "in mine", "name a directory that is empty"]),
    row("a lock that is a pipe", &[Pipe(".bug.lop.c.lock")], &["bug.c", "test.sh"], 2, ["cannot go to bug.lop.c", ".bug.lop.c.lock is a pipe", "name another place with --output"]),
    row("a result that somebody made a link", &[Link("bug.lop.c", "test.sh")], &["bug.c", "test.sh"], 2, ["it is a link to test.sh, which nobody named as the output", "bug.lop.c", "move it away, or name it with --output"]),
    row("a page that is a pipe", &[Session, Pipe("run.html")], &["export", "--html", "run.html"], 3, ["is a pipe", "run.html cannot be written", "name another place"]),
    row("a session in a place that is taken", &[Session], &["bug.c", "test.sh", "--session", "STATE/lop/sessions/bug.c-1"], 2, ["there is a session in", "bug.c-1", "lop resume"]),
    row("a scratch directory that is missing", &[], &["bug.c", "test.sh", "--scratch", "no"], 2, ["No such file", "--scratch no", "name a directory"]),
    row("a scratch directory that is a file", &[], &["bug.c", "test.sh", "--scratch", "bug.c"], 2, ["not a directory", "--scratch bug.c", "name a directory"]),
    row("a scratch directory where one may not write", &[Dir("shut"), Mode("shut", 0o555)], &["bug.c", "test.sh", "--scratch", "shut"], 2, ["Permission denied", "--scratch shut", "in which you may write"]).not_root(),
    row("a journal over another file", &[], &["bug.c", "test.sh", "--journal", "bug.c"], 2, ["is a file that lop did not write", "the journal bug.c", "name another"]),
    row("a journal where nothing can be", &[], &["bug.c", "test.sh", "--journal", "no/j"], 2, ["No such file", "the journal no/j", "name another"]),
    row("a journal that is a device", &[], &["bug.c", "test.sh", "--journal", "/dev/full"], 2, ["is a device, and lop uses only files of its own there", "/dev/full", "name another"]),
    // A farm.
    row("a farm without a scheme", &[], &["bug.c", "test.sh", "--remote", "farm:8980"], 2, ["--remote", "the address of a farm is grpc://HOST:PORT", "grpcs://HOST:PORT with TLS"]),
    row("a farm with a port that is none", &[], &["bug.c", "test.sh", "--remote", "grpc://farm:99999"], 2, ["--remote", "the address of a farm is grpc://HOST:PORT", "with a port from 1 to 65535"]),
    row("a farm with a password", &[], &["bug.c", "test.sh", "--remote", "grpc://me:secret@farm:8980"], 2, ["--remote", "a farm takes no user and password", "a token is a --remote-header"]),
    // Programs that propose, and lop as one.
    row("a program that is no command", &[], &["bug.c", "test.sh", "--propose", " "], 2, ["--propose", "it names no command", "such as 'python3 ideas.py'"]),
    row("a patience that is no number", &[], &["bug.c", "test.sh", "--propose-patience", "long"], 2, ["`long` is no number of seconds", "--propose-patience", "such as 10, or 0.5"]),
    row("proposals without tests", &[], &["bug.c", "--offline", "--cache", "kept", "--propose", "true"], 2, ["--propose has candidates tested", "--offline tests nothing", "leave out one of them"]),
    row("a reducer served with a file", &[], &["bug.c", "--serve-reducer"], 2, ["cannot be used with", "--serve-reducer", HELP]),
    row("a proposal that is torn", &[], &["bug.c", "test.sh", "--command", "propose x"], 2, ["propose", "the proposal is torn", "a journal writes it as"]),
    // A server.
    row("a server that is no command", &[], &["bug.c", "--serve", " "], 2, ["--serve", "names no command", "such as './server.sh'"]),
    row("a server and a test", &[], &["bug.c", "test.sh", "--serve", "./server.sh"], 2, ["test.sh looks like a test", "a command in the place of a test", "leave out one of them"]),
    row("a server and a command", &[], &["bug.c", "--serve", "./server.sh", "--", "false"], 2, ["cannot be used with", "--serve", HELP]),
    row("a server and a criterion", &[], &["bug.c", "--serve", "./server.sh", "--grep", "bug"], 2, ["--grep", "is for a command in place of the test", "lop FILE -- COMMAND"]),
    row("a server that names the place of the candidate", &[], &["bug.c", "--serve", "./server.sh {}"], 2, ["nothing goes there: a server reads the directory of a candidate from its input", "--serve has {} in its command", "leave {} out"]),
    row("a server and a scratch directory that is no line", &[Dir("a\nb")], &["bug.c", "--serve", "./server.sh", "--scratch", "a\nb"], 2, ["has an end of line in its name", "a server reads the directory of a candidate in a line", "give one that is a line, with --scratch"]),
    row("a server that is missing", &[], &["bug.c", "--serve", "./noserver.sh"], 3, ["exit 127", "noserver.sh", "pwd | ("]),
    row("a server that says what is no status", &[Test("server.sh", "while read -r dir; do echo yes; done")], &["bug.c", "--serve", "./server.sh"], 3, ["does not keep to the protocol: it wrote `yes`, which is no status", "server.sh", "a server reads the directory of a candidate in a line"]),
    row("a server that ends at once", &[Test("server.sh", "exit 0")], &["bug.c", "--serve", "./server.sh"], 1, ["the server gave no answer: exit 0", "server.sh", "ends with its input"]),
    // A generator.
    row("a generator without a name for its programs", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "cat {}"], 2, ["were not provided", "--as <NAME>", HELP]),
    row("a name without a generator", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--as", "bug.c"], 2, ["were not provided", "--generator <COMMAND>", HELP]),
    row("a name with a directory", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "cat {}", "--as", "a/bug.c"], 2, ["invalid value 'a/bug.c'", "--as", "without directories, such as bug.c"]),
    row("a generator and the name of its sequence", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "cat {}", "--as", "bug.bin"], 2, ["--as bug.bin", "the name of FILE, the sequence", "give the program another name"]),
    row("a generator and a grammar", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "cat {}", "--as", "bug.c", "--grammar", "g"], 2, ["cannot be used with", "--grammar", HELP]),
    row("a generator and a strategy for programs", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "cat {}", "--as", "bug.c", "--strategy", "perses"], 2, ["--strategy perses works on a program", "FILE is a sequence of choices", "leave it out"]),
    row("a generator and an objective", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "cat {}", "--as", "bug.c", "--objective", "bytes"], 2, ["--objective measures a program", "there are fewer choices", "leave it out"]),
    row("a generator that is no command", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", " ", "--as", "bug.c"], 2, ["--generator", "names no command", "such as './gen {}'"]),
    row("a result in the place of its program", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "cat {}", "--as", "bug.c", "-o", "bug.lop.c"], 2, ["the result cannot go to bug.lop.c", "the program that --generator makes", "name another file with --output"]),
    row("a generator that is missing", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "./nogen {}", "--as", "bug.c"], 1, ["makes no program of the original bug.bin: exit 127", "nogen: not found", "run it by hand"]),
    row("a generator that fails", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "echo why >&2; exit 3; cat {}", "--as", "bug.c"], 1, ["makes no program of the original bug.bin: exit 3", "| why", "run it by hand"]),
    row("a generator that makes too much", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "head -c 100000000 /dev/zero; : {}", "--as", "bug.c"], 3, ["makes a program of the original bug.bin", "that is too long", "run it by hand"]),
    row("a generator that looks at nothing", &[File("bug.bin", "int bug;")], &["bug.bin", "test.sh", "--generator", "echo bug; : {}", "--as", "bug.c"], 1, ["a program of an empty sequence", "the test finds it interesting", "exit with 125"]),
    // Recorded verdicts.
    row("a pattern without anything to look in", &[], &["bug.c", "--differs", "cat {}", "wc {}", "--grep", "x"], 2, ["is for a command in place of the test", "--grep", "lop FILE -- COMMAND"]),
    row("recorded verdicts with a pattern that must not be there", &[Dir("kept")], &["bug.c", "test.sh", "--verdicts", "kept", "--not-grep", "x"], 2, ["--not-grep alone", "would hold for an empty log", "add --grep RE"]),
    row("logs without a verdict", &[Dir("kept"), File("kept/a.c", "int a;"), File("kept/a.log", "ok")], &["bug.c", "--verdicts", "kept", "--offline"], 2, ["no log below", "kept ends with a verdict of lop", "add --grep RE"]),
    row("no tests and candidates to keep", &[], &["bug.c", "test.sh", "--cache", "c", "--offline", "--save-candidates", "kept"], 2, ["--offline tests no candidate", "--save-candidates has nothing to keep", "leave out one of them"]),
    row("a log whose candidates are kept", &[File("bug.log", "text")], &["bug.log", "test.sh", "--save-candidates", "kept"], 2, ["--save-candidates", "files of the extension log", "give FILE another name"]),
    row("candidates in a file", &[], &["bug.c", "test.sh", "--save-candidates", "test.sh"], 2, ["candidates cannot be kept in", "test.sh", "name another directory with --save-candidates"]),
    row("candidates where others write", &[Dir("open"), Mode("open", 0o777)], &["bug.c", "test.sh", "--save-candidates", "open"], 2, ["candidates cannot be kept in", "others can write to open", "chmod go-w"]),
    row("recorded verdicts of a pair of commands", &[Dir("kept")], &["bug.c", "--verdicts", "kept", "--grep", "x", "--differs", "cat {}", "wc {}"], 2, ["--verdicts reads the log of one test", "--differs compares two", "leave one of them out"]),
    row("recorded verdicts with an exit status", &[Dir("kept")], &["bug.c", "--verdicts", "kept", "--grep", "x", "--exit", "1", "--", "cat", "{}"], 2, ["--verdicts reads logs", "neither an exit status", "leave out --exit"]),
    row("recorded verdicts that are none", &[Dir("kept")], &["bug.c", "--verdicts", "kept", "--grep", "x", "--offline"], 2, ["there is no X.c with a log X.log", "kept", "name another directory"]),
    row("recorded verdicts that are nowhere", &[], &["bug.c", "--verdicts", "kept", "--grep", "x", "--offline"], 2, ["cannot be read", "kept", "name a directory of programs and their logs"]),
    row("a pattern of logs that is none", &[Dir("kept")], &["bug.c", "--verdicts", "kept", "--grep", "[", "--offline"], 2, ["is not a regular expression", "`[`", "needs a \\ before it"]),
    row("no verdicts and no tests", &[], &["bug.c", "--offline"], 2, ["--offline", "needs verdicts", "add --verdicts DIR, or --cache DIR"]),
    row("no tests and a command", &[], &["bug.c", "--verdicts", "kept", "--grep", "x", "--offline", "--", "cat", "{}"], 2, ["--offline runs no command", "cannot find out how it fails", "leave the command out"]),
    row("the cache of no test", &[], &["bug.c", "--cache", "c", "--offline"], 2, ["--cache", "of one test, and none is named", "add its path after FILE"]),
    row("no tests and a check", &[], &["bug.c", "--verdicts", "kept", "--grep", "x", "--offline", "--check", "true {}"], 2, ["--offline", "runs no check", "leave out --check"]),
    row("no tests and their repetition", &[], &["bug.c", "test.sh", "--cache", "c", "--offline", "--confirm", "2/3"], 2, ["--offline runs no test", "--confirm has nothing to repeat", "leave out one of them"]),
    row("no tests and their exit status", &[], &["bug.c", "test.sh", "--cache", "c", "--offline", "--also-interesting", "2"], 2, ["--offline runs no test", "--also-interesting has no exit status", "leave out one of them"]),
    row("no tests and their limit", &[], &["bug.c", "test.sh", "--cache", "c", "--offline", "--timeout", "2"], 2, ["--offline runs no test", "--timeout has nothing to limit", "leave out one of them"]),
    row("no tests and an original that is not known", &[], &["bug.c", "test.sh", "--cache", "c", "--offline"], 3, ["no verdict is known", "the original bug.c", "name the directory or the cache"]),
    // Several files.
    row("a directory without files", &[Dir("dir")], &["dir", "test.sh"], 2, ["has no file to reduce", "dir", "name another directory"]),
    row("a pipe in a directory", &[Dir("dir"), File("dir/a.c", "int bug;"), Pipe("dir/pipe")], &["dir", "test.sh"], 2, ["is a device, a pipe or a socket", "dir/pipe", "remove it"]),
    row("a file that is named twice", &[], &["bug.c", "./bug.c", "test.sh"], 2, ["is named twice", "./bug.c", "name each file once"]),
    row("a pattern that is none", &[Dir("dir"), File("dir/a.c", "int bug;")], &["dir", "test.sh", "--keep", "a[.c"], 2, ["is no pattern for files", "a[.c", "write it as in .gitignore"]),
    row("a pattern for what may change without a file", &[Dir("dir"), File("dir/a.c", "int bug;")], &["dir", "test.sh", "--only", "src/*.c"], 2, ["no file matches --only 'src/*.c'", "nothing of what it means would change", "such as '**/*.kt'"]),
    row("several directories", &[Dir("dir"), Dir("dir/a"), Dir("dir/b"), File("dir/a/x.c", "int bug;")], &["dir/a", "dir/b", "test.sh"], 2, ["dir/a is a directory", "name the directory above all, as in lop dir TEST", "--only 'a/**' --only 'b/**'"]),
    row("the doctor of a project", &[Dir("dir"), File("dir/a.c", "int bug;")], &["doctor", "dir", "test.sh"], 2, ["dir is a directory", "the doctor examines one file alone", "run the test by hand:"]),
    row("a test for a project", &[Dir("dir"), File("dir/a.c", "int bug;")], &["init", "dir", "--", "false", "{}"], 2, ["dir is a directory", "lop init writes a test for one file alone", "lop dir -- COMMAND"]),
    row("all files stay", &[Dir("dir"), File("dir/a.c", "int bug;")], &["dir", "test.sh", "--keep", "*"], 2, ["may change or go", "dir", "see --only and --keep"]),
    row("a result inside of the directory", &[Dir("dir"), File("dir/a.c", "int bug;")], &["dir", "test.sh", "--output", "dir/there"], 2, ["is inside of the directory that is reduced", "dir/there", "name another place"]),
    row("patterns for one file", &[], &["bug.c", "test.sh", "--only", "*.c"], 2, ["--only and --keep are for several files", "leave them out", "--pin"]),
    row("slices in a strategy without them", &[], &["bug.c", "test.sh", "--strategy", "perses", "--slice", "1"], 2, ["--slice is for strategies with slices", "perses has none", "--strategy lop"]),
    row("in place where a file changes", &[Dir("dir"), File("dir/bug.c", "int bug;"), File("dir/x.c", "int x;"), Test("test.sh", "echo mine >\"${0%/*}/dir/x.c\"\ngrep -q bug bug.c")], &["dir", "test.sh", "--in-place"], 3, ["dir/x.c changed during the run", "put it back from dir.orig/x.c and resume the run", "copy the result from dir.lop"]),
    row("in place where one may not write", &[Dir("dir/shut"), File("dir/bug.c", "int bug;"), File("dir/shut/x.c", "int x;"), Mode("dir/shut", 0o555)], &["dir", "test.sh", "--in-place"], 3, ["Permission denied", "dir/shut/x.c cannot become what it is in dir.lop", "copy the result yourself"]).not_root(),
    row("a test and a command", &[], &["bug.c", "./test.sh", "--", "cc", "-c", "{}"], 2, ["looks like a test", "./test.sh", "leave out one of them"]),

    // The command line.
    row("an option that there is not", &[], &["bug.c", "test.sh", "--nosuch"], 2, ["unexpected argument", "--nosuch", HELP]),
    row("a file that looks like an option", &[File("-bug.c", "int bug;")], &["-bug.c", "test.sh"], 2, ["unexpected argument", "-b", "./-bug.c"]),
    row("a test that is missing behind several files", &[], &["bug.c", "test.sh", "more"], 2, ["does not exist", "the test more", "a test is the path of a file"]),
    row("a command without --", &[], &["bug.c", "cc", "-O2", "-Wall", "-c", "bug.c"], 2, ["unexpected argument", "a command follows --", "lop bug.c -- cc -O2 -Wall -c {}"]),
    row("no test on a dumb terminal", &[Variable("TERM", "dumb")], &["bug.c"], 2, ["were not provided", "<TEST>", "TERM is dumb; with a screen lop FILE asks for it"]).on_terminal(),
    row("no test", &[], &["bug.c"], 2, ["were not provided", "<TEST>", "type the path of a test after the file, or -- and a command"]),
    row("no command", &[], &["bug.c", "--"], 2, ["were not provided", "<TEST>", "type the path of a test after the file, or -- and a command"]),
    row("nothing", &[], &[], 2, ["lop demo", "lop bug.c ./test.sh", "lop --help"]),
    row("a slip in a command", &[], &["sesions"], 2, ["there is no file", "sesions", "lop sessions"]),
    row("an option before a command", &[], &["--jobs", "2", "demo"], 2, ["a command comes before its options", "type", "lop demo --jobs 2"]),
    row("two that cannot be together", &[], &["bug.c", "test.sh", "--json", "--plain"], 2, ["cannot be used with", "'--json'", HELP]),
    row("JSON and lines of decisions", &[], &["bug.c", "test.sh", "--json", "--verbose"], 2, ["cannot be used with", "'--json'", HELP]),
    row("a language and a grammar", &[], &["bug.c", "test.sh", "--grammar", "g", "--language", "c"], 2, ["cannot be used with", "--grammar", HELP]),
    row("a language that there is not", &[], &["bug.c", "test.sh", "--language", "no"], 2, ["invalid value 'no'", "--language", "possible values: c,"]),
    row("a strategy that there is not", &[], &["bug.c", "test.sh", "--strategy", "no"], 2, ["invalid value 'no'", "--strategy", "possible values: lop,"]),
    row("a minimiser that there is not", &[], &["bug.c", "test.sh", "--minimizer", "no"], 2, ["invalid value 'no'", "--minimizer", "possible values:"]),
    row("a part that there is not", &[], &["bug.c", "test.sh", "--without", "no"], 2, ["invalid value 'no'", "--without", "possible values:"]),
    row("several strategies, one unknown", &[], &["compare", "bug.c", "test.sh", "--strategies", "perses,no"], 2, ["is not a strategy", "--strategies", "there are the strategies lop"]),
    row("a race of one", &[], &["race", "bug.c", "test.sh", "--strategies", "perses"], 2, ["a race needs two strategies or more", "perses,ddmin", "name them with commas"]),
    row("a race with guesses", &[], &["race", "bug.c", "test.sh", "--guess"], 2, ["a race has no guesses", "--guess", "leave out"]),
    row("a race with a strategy that there is not", &[], &["race", "bug.c", "test.sh", "--strategies", "perses,no"], 2, ["is not a strategy", "--strategies", "there are the strategies lop"]),
    row("a time that is none", &[], &["bug.c", "test.sh", "--timeout", "soon"], 2, ["invalid value 'soon'", "--timeout", "a number of seconds"]),
    row("no workers", &[], &["bug.c", "test.sh", "--jobs", "0"], 2, ["invalid value '0'", "--jobs", "a number from 1 to"]),
    row("a size that is none", &[], &["bug.c", "test.sh", "--memory", "much"], 2, ["invalid value 'much'", "--memory", "as 512M"]),
    row("memory in which nothing starts", &[], &["bug.c", "test.sh", "--memory", "1M"], 2, ["too little to start any test in", "--memory", "at least 8M"]),
    row("a quorum that cannot be", &[], &["bug.c", "test.sh", "--confirm", "5/3"], 2, ["`5/3` is not K/N", "--confirm", "at most N"]),
    row("a status that is taken", &[], &["bug.c", "test.sh", "--also-interesting", "0"], 2, ["exit 0 has a meaning already", "--also-interesting", HELP]),
    row("a version that is no number", &[], &["show", "x"], 2, ["invalid value 'x'", "<VERSION>", "a number, such as 12"]),
    row("a speed that is none", &[], &["replay", "--speed", "x"], 2, ["is not a speed", "--speed", "as 0.5 or 20"]),
    // Commands in place of a test.
    row("a command that does not fail", &[], &["bug.c", "--", "true", "{}"], 1, ["does not fail on bug.c", "true bug.c", "--grep"]),
    row("a command that is not installed", &[], &["bug.c", "--", "no-such-tool", "{}"], 3, ["is not in PATH", "no-such-tool bug.c", "install it"]),
    row("a pattern that is none", &[], &["bug.c", "--grep", "[", "--", "cat", "{}"], 2, ["is not a regular expression", "`[`", "needs a \\ before it"]),
    row("a pattern that is not there", &[], &["bug.c", "--grep", "absent", "--", "cat", "{}"], 1, ["/absent/ does not hold", "cat bug.c", "What to try"]),
    row("a status that is another", &[], &["bug.c", "--exit", "3", "--", "cat", "{}"], 1, ["exit 3 does not hold", "cat bug.c", "What to try"]),
    row("a failure of which nothing is known", &[], &["bug.c", "--", "false", "{}"], 1, ["on an empty file too", "exit 1", "--grep RE"]),
    row("commands that do the same", &[], &["bug.c", "--differs", "cat {}", "cat {}"], 1, ["do the same with bug.c", "cat bug.c", "What to try"]),
    row("commands that do not name the file", &[], &["bug.c", "--differs", "true", "true"], 2, ["does not name the file", "--differs 'true'", "write {}"]),
    row("a guard without two commands", &[], &["bug.c", "--ub-guard", "--", "false", "{}"], 2, ["two compilers that disagree", "--ub-guard", "--differs RIGHT WRONG --ub-guard"]),
    row("a guard with a script", &[], &["bug.c", "test.sh", "--ub-guard"], 2, ["two compilers that disagree", "--ub-guard", "--differs RIGHT WRONG --ub-guard"]),
    row("a part of a strategy for statements", &[], &["bug.c", "test.sh", "--without", "rename"], 2, ["is for the strategy bp", "--without rename", "add --strategy bp"]),
    row("an optional pass that the strategy does not have", &[], &["bug.c", "test.sh", "--strategy", "perses", "--with", "assertion"], 2, ["the strategy perses has no pass assertion", "leave out --with assertion", "--strategy bp"]),
    row("a strategy for statements", &[], &["bug.c", "test.sh", "--strategy", "bp"], 2, ["the strategy bp is for languages", "Boolean programs", "leave out --strategy"]),
    row("a part of another strategy", &[], &["bug.c", "test.sh", "--strategy", "perses", "--without", "gc"], 2, ["is for the strategy lop", "--without gc", "leave it out"]),
    row("a guard for another language", &[File("a.py", "bug\n")], &["a.py", "--ub-guard", "--differs", "cat {}", "tac {}"], 2, ["is for C and C++ only", "--ub-guard", "leave it out"]),
    row("a pattern with a script", &[], &["bug.c", "test.sh", "--grep", "x"], 2, ["is for a command in place of the test", "--grep", "lop FILE -- COMMAND"]),
    row("a script for init", &[], &["init", "bug.c"], 2, ["type", "lop init FILE", "-- COMMAND"]),
    row("a test that init would overwrite", &[], &["init", "bug.c", "--output", "test.sh", "--", "false", "{}"], 2, ["test.sh exists", "choose another place", "--output"]),
    row("a place where init cannot write", &[], &["init", "bug.c", "--output", "no/t.sh", "--exit", "1", "--", "false", "{}"], 2, ["cannot be written", "no/t.sh", "--output"]),
    // What is said of the run.
    row("a pin on a kind that there is not", &[], &["bug.c", "test.sh", "--pin", "(nosuch)"], 2, ["no kind of node called `nosuch`", "line 1, column 2", "lop grammar c"]),
    row("a pin without its last bracket", &[], &["bug.c", "test.sh", "--pin", "(foo"], 2, ["not a query", "`)` is missing", "line 1, column 5"]),
    row("a pin that is no query", &[], &["bug.c", "test.sh", "--pin", "((("], 2, ["not a query", "line 1, column 4", "as (if_statement) @keep"]),
    row("a pin on a name that there is not", &[], &["bug.c", "test.sh", "--command", "pin nosuch"], 2, ["nothing declares `nosuch`", "pin nosuch cannot be", "lop commands"]),
    row("a pin behind the end", &[], &["bug.c", "test.sh", "--command", "pin 90-91"], 2, ["the program has 4 lines", "pin 90-91 cannot be", "name some of these"]),
    row("a pin on an empty line", &[File("e.c", "int a;\n\nint bug;\n"), Test("t.sh", "grep -q bug e.c")], &["e.c", "t.sh", "--command", "pin 2"], 2, ["line 2 is empty", "pin 2 cannot be", "name a line with text"]),
    row("a pin on no place", &[], &["bug.c", "test.sh", "--command", "pin 90:1"], 2, ["nothing stands there", "line 90, column 1", "that the program has"]),
    row("a query that finds nothing", &[], &["bug.c", "test.sh", "--require", "(string_literal)"], 2, ["matches nothing in the program", "require (string_literal)", "ask for another"]),
    row("a check of a pair that names one program", &[File("seed.c", "int a;\n")], &["pair", "seed.c", "bug.c", "test.sh", "test.sh", "--check", "cc -c bug.c"], 2, ["it runs on the seed and on the variant", "--check 'cc -c bug.c'", "write {} where they go"]),
    row("a command of a pair that names both programs", &[File("seed.c", "int a;\n")], &["pair", "seed.c", "bug.c", "--", "diff", "seed.c", "bug.c"], 2, ["runs on each of them alone", "names the seed and the variant", "write {}"]),
    row("a mirror without the list difference", &[File("seed.c", "int a;\n")], &["pair", "seed.c", "bug.c", "test.sh", "test.sh", "--mirror", "--without", "ldiff,gc"], 2, ["repeats the list difference", "--mirror", "leave one of the two out"]),
    row("a strategy for pairs on one program", &[], &["compare", "bug.c", "test.sh", "--strategies", "lop,pair-once"], 2, ["is a strategy for a seed and a variant, not for one program", "pair-once", "lop compare pair compares those"]),
    row("a variant alone without a test", &[File("seed.c", "int a;\n")], &["compare", "pair", "seed.c", "bug.c", "--both", "test.sh", "--strategies", "pair,alone"], 2, ["by a test of its own", "--both sees both programs", "leave alone out"]),
    row("another failure of a pair", &[File("seed.c", "int a;\n")], &["pair", "seed.c", "bug.c", "test.sh", "test.sh", "--also-interesting", "0"], 2, ["exit 0 has a meaning already", "--also-interesting", HELP]),
    row("a guard of a pair without two commands", &[File("seed.c", "int a;\n")], &["pair", "seed.c", "bug.c", "--ub-guard", "--", "false", "{}"], 2, ["two compilers that disagree", "--ub-guard", "--differs RIGHT WRONG --ub-guard"]),
    row("an output of a pair of scripts", &[File("seed.c", "int a;\n")], &["pair", "seed.c", "bug.c", "test.sh", "test.sh", "--ub-guard"], 2, ["two compilers that disagree", "--ub-guard", "--differs RIGHT WRONG --ub-guard"]),
    row("a check beside a test of both programs", &[File("seed.c", "int a;\n")], &["pair", "seed.c", "bug.c", "--both", "test.sh", "--check", "true {}"], 2, ["is for tests that see one program each", "--check", "with --both the test itself checks"]),
    row("a result of a pair in the place of a file", &[File("seed.c", "int a;\n"), File("there", "")], &["pair", "seed.c", "bug.c", "test.sh", "test.sh", "--output", "there"], 2, ["it is a file", "there", "name a directory with --output"]),
    row("a result of a pair in the place of its programs", &[Dir("there"), File("there/seed.c", "int a;\n"), File("there/bug.c", "int b;\n")], &["pair", "there/seed.c", "there/bug.c", "test.sh", "test.sh", "--output", "there"], 2, ["which lop would overwrite", "there holds a file that is reduced", "name another directory"]),
    row("a result of a pair in a directory with other files", &[File("seed.c", "int a;\n"), Dir("there"), File("there/mine", "")], &["pair", "seed.c", "bug.c", "test.sh", "test.sh", "--output", "there"], 2, ["there holds mine", "no file of this result", "--output"]),
    row("a result of a pair where no directory is", &[File("seed.c", "int a;\n"), File("there", "")], &["pair", "seed.c", "bug.c", "test.sh", "test.sh", "--output", "there/below"], 2, ["there is no directory there", "there/below", "name another place with --output"]),
    row("an objective that there is not", &[], &["bug.c", "test.sh", "--objective", "characters"], 2, ["`characters` is no objective", "tokens, bytes, lines, nodes", "count(QUERY)"]),
    row("an objective with a query that is none", &[], &["bug.c", "test.sh", "--objective", "count((no_such_kind))"], 2, ["the query of --objective cannot be used", "no_such_kind", ""]),
    row("an objective with a query for a program of no language", &[File("bug.zzz", "bug"), Test("any.sh", "grep -q bug \"$1\"")], &["bug.zzz", "any.sh", "--objective", "count((x))"], 2, ["count(QUERY) needs a program in a language that lop knows", "--language", ""]),
    row("a query for a program of no language", &[File("bug.zzz", "bug"), Test("any.sh", "grep -q bug \"$1\"")], &["bug.zzz", "any.sh", "--require", "(x)"], 2, ["a query needs a program in a language that lop knows", "require (x)", "--language"]),
    row("comments of no pattern", &[], &["bug.c", "test.sh", "--keep-comments", "["], 2, ["is not a regular expression", "--keep-comments", "needs a \\ before it"]),
    row("a command that there is not", &[], &["bug.c", "test.sh", "--command", "fly"], 2, ["there is no command `fly`", "--command", "lop commands"]),
    row("a moment where a command should be", &[], &["bug.c", "test.sh", "--command", "at decision 5: stop"], 2, ["is a line of a script", "at decision 5: stop", "--commands FILE"]),
    row("a command without its place", &[], &["bug.c", "test.sh", "--command", "pin"], 2, ["what?", "pin PLACE", "a line (12)"]),
    row("a place that the program does not have", &[], &["bug.c", "test.sh", "--place", "bug.c:900"], 2, ["the program has nothing there", "--place bug.c:900", "name a line of bug.c"]),
    row("a place that is none", &[], &["bug.c", "test.sh", "--place", "bug.c"], 2, ["a line, from 1", "--place", "bug.c:12"]),
    row("a number that is none", &[], &["bug.c", "test.sh", "--command", "until size x"], 2, ["`x` is no number", "until size N", HELP]),
    row("a pass that there is not", &[], &["bug.c", "test.sh", "--command", "disable no"], 2, ["there is no pass `no`", "disable no", "lop passes"]),
    row("a script that is missing", &[], &["bug.c", "test.sh", "--commands", "no"], 2, ["No such file", "the commands no", "name a text file"]),
    row("a script that is no text", &[Bytes("s", b"\xff\xfe")], &["bug.c", "test.sh", "--commands", "s"], 2, ["not UTF-8", "the commands s", "name a text file"]),
    row("a script with another command", &[File("s", "pin bug\nfly\n")], &["bug.c", "test.sh", "--commands", "s"], 2, ["there is no command `fly`", "the commands s, line 2", "lop commands"]),
    row("a script with another moment", &[File("s", "at noon: stop\n")], &["bug.c", "test.sh", "--commands", "s"], 2, ["that is no moment", "line 1", "`at decision N: …`"]),
    row("rules that are nowhere", &[], &["bug.c", "test.sh", "--rules", "no.toml"], 2, ["No such file", "the rules no.toml cannot be read", "name a TOML file with [[rules]]"]),
    row("rules that are no rules", &[File("r", "[[rules]]\nname = \"x\"\nform = \"a\"\n")], &["bug.c", "test.sh", "--rules", "r"], 2, ["unknown field `form`", "the rules r, line 3", "expected one of `name`, `from`, `to`"]),
    row("a rule in another language", &[File("r", "\n[[rules]]\nname = \"x\"\nfrom = \"if $a then\"\nto = \"$a\"\n")], &["bug.c", "test.sh", "--rules", "r"], 2, ["c has nothing like that", "the rules r, line 2: `if $a then`", "write a whole statement"]),
    row("a rule with a condition that is unknown", &[], &["bug.c", "test.sh", "--command", "rule '$a[$b]' '*$a' where pretty($a)"], 2, ["there is none of that name", "the condition `pretty($a)`", "there are used_once, unused"]),
    row("a rule without quotes", &[], &["bug.c", "test.sh", "--command", "rule a b"], 2, ["a rule is 'FROM' 'TO'", "rule a b", "as in rule '$a && $b' '!$a'"]),
    row("a script with a text that is missing", &[File("s", "at decision 2: edit no.c\n")], &["bug.c", "test.sh", "--commands", "s"], 2, ["no.c cannot be read", "the commands s, line 1", "name the file"]),
    // Grammars.
    row("a grammar that is missing", &[], &["bug.c", "test.sh", "--grammar", "no.bnf"], 2, ["No such file", "the grammar no.bnf", "name a file in BNF"]),
    row("a grammar that is no text", &[Bytes("g.bnf", b"\xff\xfe")], &["bug.c", "test.sh", "--grammar", "g.bnf"], 2, ["not UTF-8", "the grammar g.bnf", "name a file in BNF"]),
    row("an empty grammar", &[File("g.bnf", "")], &["bug.c", "test.sh", "--grammar", "g.bnf"], 2, ["there is no rule", "g.bnf: line 1, column 1", "as in  name ::="]),
    row("a grammar with a torn name", &[File("g.bnf", "<s> ::= <a\n")], &["bug.c", "test.sh", "--grammar", "g.bnf"], 2, ["begins a name", "g.bnf: line 1, column 9", "needs a `>`"]),
    row("a grammar without a rule", &[File("g.bnf", "s ::= \"int\" w\n")], &["bug.c", "test.sh", "--grammar", "g.bnf"], 2, ["neither a rule nor a %token called w", "g.bnf: line 1, column 13", "add one"]),
    row("a dictionary that is none", &[File("g.json", "{\n  \"start\": []}\n")], &["bug.c", "test.sh", "--grammar", "g.json"], 2, ["is no nonterminal", "g.json: line 2, column 3", "write <start>"]),
    row("choices without a grammar in BNF", &[], &["bug.c", "test.sh", "--strategy", "choices"], 2, ["works on a grammar as it is written", "--strategy choices", "--grammar FILE"]),
    row("a tree that is missing", &[], &["bug.c", "test.sh", "--tree", "no.json"], 2, ["No such file", "the tree no.json", "name a file with a derivation tree"]),
    row("a tree without a grammar", &[File("t.json", "[]")], &["bug.c", "test.sh", "--tree", "t.json"], 2, ["--tree is for a grammar in BNF", "name it with --grammar", "leave --tree out"]),
    row("a tree that is none", &[File("g.bnf", "s ::= \"int\"\n"), File("t.json", "[]")], &["bug.c", "test.sh", "--grammar", "g.bnf", "--tree", "t.json"], 2, ["a name or a text is missing", "line 1, column 2", "docs/GRAMMARS.md has the form"]),
    row("a tree of another program", &[File("g.bnf", "s ::= \"a\"\n%token word ::= .+\n"), File("t.json", "[\"s\", [[\"a\", []]]]")], &["bug.c", "test.sh", "--grammar", "g.bnf", "--tree", "t.json"], 2, ["the leaf is \"a\"", "the tree of bug.c: at s[0]", "line 1, column 1 of the program"]),
    row("a printed tree of C", &[], &["grammar", "c", "--parse", "bug.c"], 2, ["--parse is for a grammar in BNF", "lop grammar FILE.bnf", "--parse"]),
    row("a lexer that is unknown", &[File("g.bnf", "%lexer some\ns ::= \"x\"\n")], &["bug.c", "test.sh", "--grammar", "g.bnf"], 2, ["there is no lexer some", "g.bnf: line 1, column 8", "there is  %lexer none"]),
    row("a grammar without an end", &[File("g.bnf", "s ::= \"x\" s
")], &["bug.c", "test.sh", "--grammar", "g.bnf"], 2, ["has no end", "g.bnf: line 1, column 1", "each of its alternatives needs s again; give it one that does not"]),
    row("a program of another grammar", &[File("g.bnf", "s ::= \"y\"\n")], &["bug.c", "test.sh", "--grammar", "g.bnf"], 2, ["where the grammar wants", "bug.c, line 1, column 1", "fix the grammar of g"]),
    row("a program of another dialect", &[File("g.bp", "void main() begin skip end\n")], &["g.bp", "test.sh"], 2, ["where the grammar wants", "g.bp, line 1, column 24", "copy grammars/boolean-program.bnf of lop's sources, change it, and give it with --grammar"]),
    row("an empty program that does not pass", &[Test("works.sh", "grep -q x bug.c"), Test("fails.sh", "true")], &["isolate", "bug.c", "./works.sh", "./fails.sh"], 1, ["the empty program does not pass", "works.sh", "give a program that passes with --from SEED"]),
    row("a setting about a text of no rule", &[File("g.bnf", "s ::= w\n%token w ::= [a-z]+\n%true \"tru\"\n")], &["bug.c", "test.sh", "--grammar", "g.bnf"], 2, ["no rule has this text in quotes", "g.bnf: line 3, column 7", "%true is about \"tru\""]),
    row("a directory without a grammar", &[Dir("dir")], &["bug.c", "test.sh", "--grammar", "dir"], 2, ["no src/grammar.json", "the grammar in dir", "name a directory that has one"]),
    row("a grammar that is not JSON", &[Dir("ts/src"), File("ts/src/grammar.json", "{")], &["bug.c", "test.sh", "--grammar", "ts"], 2, ["is not JSON", "ts/src/grammar.json", "tree-sitter generate"]),
    row("a grammar with another name", &[Dir("ts/src"), File("ts/src/grammar.json", "{\"name\":\"../x\",\"rules\":{}}"), File("ts/src/parser.c", PARSER)], &["bug.c", "test.sh", "--grammar", "ts"], 2, ["letters, digits, _ and - only", "it calls itself \"../x\"", "fix `name`"]),
    row("a grammar without a parser", &[Dir("ts/src"), File("ts/src/grammar.json", GRAMMAR)], &["bug.c", "test.sh", "--grammar", "ts"], 2, ["there is no parser", "ts/src/parser.c", "tree-sitter generate"]),
    row("a parser that is none", &[Dir("ts/src"), File("ts/src/grammar.json", GRAMMAR), File("ts/src/parser.c", PARSER)], &["bug.c", "test.sh", "--grammar", "ts"], 2, ["there is no table", "the grammar in ts: parser.c", "tree-sitter generate"]),
    row("a language that lop does not know", &[], &["grammar", "klingon"], 2, ["lop knows no language", "klingon", "there is c, cpp"]),
    row("a rule that there is not", &[], &["grammar", "c", "nosuch"], 2, ["has no rule `nosuch`", "the grammar of c", "lop grammar c"]),
    row("a rule in place of a language", &[], &["grammar", "if_statement"], 2, ["is in the grammar of c", "if_statement", "lop grammar c if_statement"]),
    row("steps of a built-in grammar", &[], &["grammar", "c", "--steps"], 2, ["is for a grammar in a file", "--steps", "lop grammar FILE.bnf --steps"]),
    row("a text to check that is missing", &[], &["languages", "check", "c", "no.c"], 2, ["No such file", "no.c cannot be read", "name a text"]),
    // Sessions and journals.
    row("no session", &[], &["history"], 1, ["there is no session yet", "session", "lop FILE TEST"]),
    row("a session that there is not", &[], &["history", "no"], 2, ["there is no session", "`no`", "lop sessions"]),
    row("a screen on a dumb terminal", &[Session, Variable("TERM", "dumb")], &["attach", "bug.c-1"], 2, ["TERM is dumb", "bug.c-1", "lop history"]).on_terminal(),
    row("nothing to attach to", &[], &["attach"], 1, ["no run with a session goes on", "those that have ended", "lop sessions"]),
    row("a screen where there is no terminal", &[Session], &["attach", "bug.c-1"], 2, ["needs a terminal", "bug.c-1", "lop history"]),
    row("nothing to go on with", &[], &["resume"], 1, ["no unfinished session", "in this directory", "lop sessions"]),
    row("a session that came to its end", &[Session], &["resume", "bug.c-1"], 1, ["is finished", "1-tree-minimal", "`lop resume bug.c-1` at a terminal opens it at its end, `lop resume --effort normal bug.c-1` asks more"]),
    row("a version that there is not", &[Session], &["show", "99"], 2, ["there is no version 99", "version", "the newest is"]),
    row("a journal that is none", &[], &["replay", "bug.c"], 2, ["is no journal of lop", "bug.c", "name another"]),
    row("a journal of a newer lop", &[Session, Journal("\"format\":3", "\"format\":99")], &["history"], 2, ["in format 99", "bug.c-1/journal.jsonl", "a newer one"]),
    row("a journal of an older lop", &[Session, Journal("\"format\":3", "\"format\":1")], &["history"], 2, ["in format 1", "bug.c-1/journal.jsonl", "use that lop"]),
    row("a journal of which the header is damaged", &[Session, Journal("{\"lop\"", "{lop")], &["resume", "bug.c-1"], 2, ["first line is damaged", "bug.c-1/journal.jsonl", "lop/sessions/bug.c-1` removes the session"]),
    row("a journal that is damaged", &[Session, Journal("\"result\"", "\"resolt\"")], &["replay", "bug.c-1", "--check"], 1, ["the journal is damaged", "lines after the first", "`lop resume bug.c-1` continues before the damage"]),
    row("a session to export that there is not", &[], &["export", "no", "--jsonl"], 2, ["there is no session", "`no`", "lop sessions"]),
    row("an export of nothing", &[Session], &["export"], 2, ["were not provided", "--jsonl|--html <FILE>", "lop export [SESSION] --html FILE"]),
    row("a page over another file", &[Session], &["export", "--html", "bug.c"], 2, ["not a page of lop", "bug.c exists", "choose another place"]),
    row("a page that cannot be written", &[Session], &["export", "--html", "no/x.html"], 3, ["cannot be written", "no/x.html", "name another place"]),
    // Lessons.
    row("a lesson that there is not", &[], &["learn", "dmin"], 2, ["there is no lesson", "`dmin`", "did you mean ddmin?"]),
    row("a lesson like no other", &[], &["learn", "quicksort"], 2, ["there is no lesson", "`quicksort`", "`lop learn` lists them"]),
    row("a lesson that is missing", &[], &["learn", "no.toml"], 2, ["No such file", "no.toml cannot be read", "name a file in TOML"]),
    row("a lesson with a mistake", &[File("a.toml", "title = 'a'\nteachs = 'b'\n")], &["learn", "a.toml"], 2, ["unknown field `teachs`", "a.toml, line 2", "expected one of"]),
    row("a lesson without steps", &[File("a.toml", "title = 'a'\nteaches = 'b'\nminutes = 1\nstrategy = 'perses'\n[program]\nfile = 'bug.c'\n[[test]]\nhas = 'bug'\n")], &["learn", "a.toml"], 2, ["a lesson needs steps", "a.toml, line 1", "add a table [[steps]]"]),
    row("a lesson without a test", &[File("a.toml", "title = 'a'\nteaches = 'b'\nminutes = 1\nstrategy = 'perses'\n[program]\nfile = 'bug.c'\n")], &["learn", "a.toml"], 2, ["a lesson needs a test", "a.toml, line 1", "add a table [[test]]"]),
    row("a lesson with a layout that there is not", &[File("a.toml", "title = 'a'\nteaches = 'b'\nminutes = 1\nlayout = 'best'\nstrategy = 'perses'\n[program]\nfile = 'bug.c'\n[[test]]\nhas = 'bug'\n[[steps]]\ntext = 'a'\n")], &["learn", "a.toml", "--plain"], 2, ["there is no layout `best`", "the lesson a.toml, line 4", "there are all, steps"]),
    row("a lesson about a race of one", &[File("a.toml", "title = 'a'\nteaches = 'b'\nminutes = 1\nrace = ['perses']\n[program]\nfile = 'bug.c'\n[[test]]\nhas = 'bug'\n[[steps]]\ntext = 'a'\n")], &["learn", "a.toml"], 2, ["a race needs two strategies or more", "a.toml, line 4", "add a name"]),
    row("a lesson about a race with commands", &[File("a.toml", "title = 'a'\nteaches = 'b'\nminutes = 1\nrace = ['perses', 'hdd']\n[program]\nfile = 'bug.c'\n[[test]]\nhas = 'bug'\n[[steps]]\ntext = 'a'\nrun = ['step']\n")], &["learn", "a.toml"], 2, ["a race has no commands", "a.toml, line 11", "say tests = 10"]),
    row("a lesson whose run refuses a command", &[File("a.toml", "title = 'a'\nteaches = 'b'\nminutes = 1\nstrategy = 'perses'\n[program]\nfile = 'bug.c'\n[[test]]\nhas = 'bug'\n[[steps]]\ntext = 'a'\nrun = ['pin no']\n")], &["learn", "a.toml", "--plain"], 1, ["the run refused a command", "step 1, line 11: pin no", "correct that step"]),
    row("a race on a lesson about a pair", &[], &["learn", "pairs", "--race", "perses,ddmin"], 2, ["a race is on one program", "pairs", "name another lesson"]),
    row("all lessons as one page", &[], &["learn", "--export", "all.html"], 2, ["and there are 7 lessons", "all.html is one page", "name one, or a directory"]),
    row("a lesson over another file", &[Dir("d"), File("d/hdd.html", "mine")], &["learn", "--export", "d", "hdd"], 2, ["not a page of lop", "d/hdd.html exists", "choose another place"]),
    row("a lesson that cannot be written", &[], &["learn", "--export", "bug.c", "hdd"], 3, ["bug.c cannot be written", "File exists", "name another place with --export"]),
    row("sessions that nobody agreed to remove", &[Session], &["sessions", "prune"], 2, ["no session was removed", "these", "--yes"]),
    // The screen.
    row("a configuration that is missing", &[], &["bug.c", "test.sh", "--config", "no"], 2, ["No such file", "no: it cannot be read", "--config"]).on_terminal(),
    row("a configuration that is no text", &[Bytes("c", b"\xff")], &["bug.c", "test.sh", "--config", "c"], 2, ["not UTF-8", "c: it cannot be read", "fix it"]).on_terminal(),
    row("a configuration that is no TOML", &[Config("\ntheme = 'dark")], &["bug.c", "test.sh"], 2, ["invalid", "config.toml:2:", "expected"]).on_terminal(),
    row("an option of no configuration", &[Config("thme = 'dark'")], &["bug.c", "test.sh"], 2, ["there is no option `thme`", "config.toml:1:", "did you mean `theme`?"]).on_terminal(),
    row("a value that is not allowed", &[Config("colour = 'blue'")], &["bug.c", "test.sh"], 2, ["`blue` is not a value of colour", "config.toml:1:", "auto, truecolor"]).on_terminal(),
    row("the second of two mistakes", &[Config("colour = 'blue'\nlayout = 'no'")], &["bug.c", "test.sh"], 2, ["there is no layout `no`", "config.toml:2:", "there are all,"]).on_terminal(),
    row("a key that is none", &[Config("[keys]\npause = 'hyper-x'")], &["bug.c", "test.sh"], 2, ["`hyper-x` is not a key", "config.toml:2:", "any with ctrl- before it"]).on_terminal(),
    row("a key of two commands", &[Config("[keys]\npause = 'x'\nstep = 'x'")], &["bug.c", "test.sh"], 2, ["is given to `pause` and to `step`", "config.toml:3:", "both apply"]).on_terminal(),
    row("keys of no command", &[Config("[keys]\nfly = 'x'")], &["bug.c", "test.sh"], 2, ["there is no command `fly`", "config.toml:2:", "there are accept"]).on_terminal(),
    row("a theme that there is not", &[], &["bug.c", "test.sh", "--theme", "no"], 2, ["there is no theme `no`", "--theme", "there are auto, dark"]).on_terminal(),
    row("a theme with another colour", &[Dir("settings/lop/themes"), File("settings/lop/themes/mine.toml", "base = 'dark'\n[roles]\ntext = { fg = 'red' }\n")], &["bug.c", "test.sh", "--theme", "mine"], 2, ["`red` is not a colour", "mine.toml:3:", "write \"#rrggbb\""]).on_terminal(),
    row("a theme that takes its syntax from a device", &[Dir("settings/lop/themes"), File("settings/lop/themes/mine.toml", "base = 'dark'\ntm_theme = '/dev/zero'\n")], &["bug.c", "test.sh", "--theme", "mine"], 2, ["/dev/zero: it is not a regular file", "mine.toml:2:", "name a .tmTheme file"]).on_terminal(),
    row("a variable that is not allowed", &[Variable("LOP_MOUSE", "maybe")], &["bug.c", "test.sh"], 2, ["`maybe` is not a value of mouse", "LOP_MOUSE", "on or off"]).on_terminal(),
    // The other commands that run a test.
    row("a doctor without a test", &[], &["doctor", "bug.c"], 2, ["were not provided", "<TEST>", "type the path of a test after the file\n"]),
    row("a verification without a test", &[], &["verify", "bug.c"], 2, ["were not provided", "<TEST>", "type the path of a test after the file\n"]),
    row("a doctor of a test that is missing", &[], &["doctor", "bug.c", "./no.sh"], 2, ["does not exist", "./no.sh", "look how it is spelt"]),
    row("a test for contrast", &[], &["contrast", "bug.c"], 2, ["type", "lop contrast FILE TEST", "-- COMMAND"]),
    row("a file to explain that is missing", &[], &["contrast", "no.c", "test.sh"], 2, ["there is no file", "no.c", "look how it is spelt"]),
    row("a report of no session", &[], &["report"], 1, ["there is no session yet", "session", "`lop FILE TEST` makes one"]),
    row("a report over a directory", &[Session, Dir("out")], &["report", "--output", "out"], 2, ["exists", "out", "choose another place with --output"]),
    row("a report in no directory", &[Session], &["report", "--output", "no/out"], 3, ["cannot be made", "no/out", "choose another place with --output"]),
    row("a report of a file with the name of the user", &[Session, Variable("USER", "bug")], &["report"], 2, ["has the name of the user", "bug.c", "--keep-names"]),
    row("an explained report without tests", &[Session], &["report", "--no-run", "--contrast"], 2, ["no test runs here", "--contrast", "leave --contrast out"]),
    row("a report of a changed test", &[Session, Test("test.sh", "true # changed")], &["report"], 2, ["has changed", "the test", "--no-run"]),
    row("a command to verify with", &[], &["verify", "bug.c", "--", "cc", "-w", "-c", "{}"], 2, ["verify needs a test", "`lop init FILE -- COMMAND` writes one", "lop verify FILE ./test.sh"]),
    row("a file to verify that is missing", &[], &["verify", "no.c", "test.sh"], 2, ["there is no file", "no.c", "look how it is spelt"]),
    row("a comparison of a test that says no", &[Test("no.sh", "exit 1")], &["compare", "bug.c", "no.sh"], 1, ["does not find bug.c interesting", "no.sh bug.c", "run it by hand"]),
];
