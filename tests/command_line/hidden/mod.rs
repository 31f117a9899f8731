//! Untrusted text reaches no terminal unescaped: names of files, the text of programs, outputs of tests and commands, grammars. Each row is a
//! command line of the real program on hostile input. Its output may have no character that controls a terminal, reorders a line or is
//! invisible.

mod page;
mod screen;
mod stranger;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use crate::shell::Stage;
use lop::display::is_hidden;

/// Sets the terminal's title, begins a sequence by C1, forges a line, and reads backwards from there on.
const NAME: &str = "b\x1b]0;owned\x07\u{9b}31m\nlop: forged\u{202e}\u{200b}.c";
/// As it is shown.
const SHOWN: &str = "b<U+001B>]0;owned<U+0007><U+009B>31m<U+000A>lop: forged<U+202E><U+200B>.c";
/// As it is typed.
const TYPED: &str = r"$'b\033]0;owned\007\302\23331m\012lop: forged\342\200\256\342\200\213.c'";
/// A program with the same in a string, in a comment and, from the front, a byte order mark.
const PROGRAM: &str = "\u{feff}int a;\nchar *s = \"\x1b]0;owned\x07\u{9b}31m\u{202e}\";\n/* \u{200b}\u{2066}*/ int bug;\n";
/// Prints it, and bytes that are not text.
const PRINTS: &str = r"printf 'seen \033]0;owned\007\302\233\342\200\256\377\n'";
/// As that is shown.
const PRINTED: &str = r"seen <U+001B>]0;owned<U+0007><U+009B><U+202E><\xFF>";
/// A grammar with the same in its words, and with a mistake behind it.
const GRAMMAR: &str = "start ::= '\x1b]0;owned\x07\u{202e}' word*\nword ::= 'bug'\n";

/// What there is to run lop on: `NAME` and `text.c` with the program, tests, grammars, and a run of it that came to its end.
fn stage() -> Stage {
    let stage = Stage::new();
    for name in [NAME, "text.c", "text.txt"] {
        stage.write(name, PROGRAM);
    }
    stage.test("finds.sh", "grep -q bug \"$1\"");
    stage.test("\x1b[2Jfinds\u{202e}.sh", "grep -q bug \"$1\"");
    for status in [1, 126, 127] {
        stage.test(
            &format!("says-{status}.sh"),
            &format!("{PRINTS}; exit {status}"),
        );
    }
    stage.test("shebang.sh", "");
    stage.write("shebang.sh", "#!/no/\x1b[2J\u{202e}\n");
    stage.write("good.bnf", GRAMMAR);
    stage.write("bad.bnf", &format!("{GRAMMAR}word ::= \u{202e}\x1b[2J\n"));
    stage.write("unknown.bnf", "start ::= 'a' <\u{202e}\u{9b}2J>\n");
    stage.write("script", "pin \x1b[2J\u{202e}\n");
    let end = stage.lop(&[NAME, "finds.sh", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    stage
}

/// A command line, and what it says.
type Row<'a> = (&'a [&'a str], &'a [&'a str]);

#[rustfmt::skip]
const ROWS: &[Row<'static>] = &[
    // Names of files.
    (&[NAME, "finds.sh", "--plain", "--no-session"], &[SHOWN, "best version is always in b<U+001B>"]),
    (&["no\x1b[2J\n\u{202e}", "finds.sh"], &["there is no file no<U+001B>[2J<U+000A><U+202E>;"]),
    (&["text.c", "no\x1b[2J\n\u{202e}"], &["the test no<U+001B>[2J<U+000A><U+202E> does not exist"]),
    (&["text.c", "\x1b[2Jfinds\u{202e}.sh", "--no-session"], &["<U+001B>[2Jfinds<U+202E>.sh"]),
    (&["text.c", "shebang.sh"], &["begins with #!/no/<U+001B>[2J<U+202E>, which"]),
    (&["text.c", "finds.sh", "--output", "no\x1b/\u{202e}"], &["there is no directory no<U+001B>"]),
    (&["text.c", "finds.sh", "--scratch", "\x1b\u{202e}"], &["--scratch <U+001B><U+202E>:"]),
    (&["text.c", "finds.sh", "--journal", "no/\x1b\u{202e}"], &["the journal no/<U+001B><U+202E> cannot"]),
    (&["text.c", "finds.sh", "--session", "text.c/\x1b\u{202e}"], &["no session can be kept in text.c/<U+001B><U+202E>:"]),
    (&["text.c", "finds.sh", "--grammar", "\x1b\u{202e}"], &["the grammar <U+001B><U+202E> cannot be read"]),
    (&["text.c", "finds.sh", "--commands", "\x1b\u{202e}"], &["the commands <U+001B><U+202E> cannot be read"]),
    (&["text.c", "finds.sh", "--commands", "script"], &["<U+001B>[2J<U+202E>"]),
    (&["text.c", "finds.sh", "--pin", "\x1b[2J\u{202e}"], &["<U+001B>[2J<U+202E>"]),
    (&[NAME, "says-1.sh"], &["the test does not find b<U+001B>]0;owned", TYPED]),
    (&["doctor", NAME, "finds.sh"], &[TYPED]),
    (&["doctor", NAME, "says-1.sh"], &[SHOWN, PRINTED]),
    (&["init", NAME, "-o", "\x1b\u{202e}.sh", "--", "sh", "-c", "echo {}; exit 3"], &[TYPED, r"$'\033\342\200\256.sh'"]),
    (&["sessions"], &["'b_]0;owned__31m_lop:_forged__.c-1'", SHOWN]),
    (&["history"], &[SHOWN]),
    (&["replay", "--plain"], &["the result is"]),
    (&["export", "--html", "\x1b\u{202e}.html"], &["<U+001B><U+202E>.html plays the session", SHOWN]),
    (&["sessions", "prune", "--yes"], &[SHOWN]),
    (&["compare", NAME, "finds.sh", "--strategies", "lines"], &["lines"]),
    // What clap quotes.
    (&["--\x1b]0;owned\x07\u{202e}"], &["unexpected argument '--<U+001B>]0;owned<U+0007><U+202E>'"]),
    (&["text.c", "finds.sh", "--timeout", "\x1b[2J\u{202e}"], &["invalid value '<U+001B>[2J<U+202E>'"]),
    (&["text.c", "finds.sh", "--strategy", "\x1b[2J"], &["invalid value '<U+001B>[2J'"]),
    (&["text.c", "finds.sh", "--confirm", "\x1b[2J"], &["<U+001B>[2J"]),
    (&["grammer", "\x1b\u{202e}"], &[r"lop grammar $'\033\342\200\256'"]),
    (&["resume", "\x1b[2J\u{202e}"], &["there is no session `<U+001B>[2J<U+202E>`"]),
    // The program's text.
    (&["verify", "text.txt", "finds.sh"], &["<U+FEFF>int a;", "<U+001B>]0;owned<U+0007>…`", "the token `<U+009B>31m<U+202E>` can go"]),
    (&["verify", "text.c", "finds.sh"], &["<U+FEFF>", "`*s = \"<U+001B>]0;owned<U+0007><U+009B>31…` can be `*s`"]),
    // What tests and commands print.
    (&["text.c", "says-1.sh"], &[PRINTED]),
    (&["text.c", "says-126.sh"], &[PRINTED, "not executable"]),
    (&["text.c", "says-127.sh"], &[PRINTED, "was not found"]),
    (&["text.c", "finds.sh", "--check", "printf 'a\\033[2J\\n'; false {}"], &["a<U+001B>[2J"]),
    (&["text.c", "--no-session", "--", "sh", "-c", "printf 'error: \\033]0;owned\\007\\342\\200\\256\\n'; grep -q bug {} && exit 3"], &["the property: error: <U+001B>]N;owned<U+0007><U+202E>; exit 3"]),
    (&["text.c", "--", "sh", "-c", "printf 'a\\033[2J\\n'; true {}"], &["a<U+001B>[2J"]),
    (&["text.c", "--", "\x1b[2J\u{202e}", "{}"], &["<U+001B>[2J<U+202E> is not in PATH"]),
    (&["text.c", "--grep", "\x1b[2J(", "--", "cat", "{}"], &["<U+001B>[2J("]),
    // Grammars.
    (&["grammar", "./good.bnf"], &["start ::= "]),
    (&["grammar", "./bad.bnf"], &["the grammar ./bad.bnf: line 3, column "]),
    (&["grammar", "./unknown.bnf"], &["the grammar ./unknown.bnf: line 1"]),
    (&["grammar", "c", "\x1b[2J\u{202e}"], &["no rule `<U+001B>[2J<U+202E>`"]),
    (&["grammar", "\x1b[2J\u{202e}"], &["`<U+001B>[2J<U+202E>`"]),
    (&["verify", "text.c", "finds.sh", "--grammar", "good.bnf"], &["text.c, line 1"]),
    (&["languages", "check", "./good.bnf", NAME], &[SHOWN]),
];

/// What others wrote, where it is a line's or a page's: line ends and tabs are lop's.
fn hidden(said: &str) -> Vec<char> {
    let own = |c: &char| is_hidden(*c) && !matches!(c, '\n' | '\t');
    said.chars().filter(own).collect()
}

/// What lop said, on both streams: it is text.
fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(both).expect("text")
}

#[test]
#[ignore = "long"]
fn nothing_that_others_wrote_steers_a_terminal() {
    let stage = stage();
    let mut faults = Vec::new();
    for (line, expected) in ROWS {
        let output = stage.program(env!("CARGO_BIN_EXE_lop"), line).output();
        let said = said(&output.expect("lop"));
        let lacks = expected.iter().find(|text| !said.contains(**text));
        let lacks = lacks.map(|text| format!("it lacks {text}"));
        let forged = said.lines().find(|line| line.starts_with("lop: forged"));
        let forged = forged.map(|_| "a line is forged".to_owned());
        let hides = (!hidden(&said).is_empty()).then(|| format!("{:?} are there", hidden(&said)));
        let all = [lacks, forged, hides].into_iter().flatten();
        faults.extend(all.map(|fault| format!("{line:?}: {fault}\n{said}")));
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn json_says_what_is_there_and_hides_nothing() {
    let stage = stage();
    let of = |line: &[&str]| {
        let end = stage.lop(line);
        assert!(hidden(&end.out).is_empty(), "{line:?}: {end}");
        let objects = end
            .out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        objects.collect::<Vec<serde_json::Value>>()
    };
    let run = of(&[NAME, "finds.sh", "--json", "--no-session"]);
    assert_eq!(run[0]["file"], NAME);
    let trace = of(&["export", "--jsonl"]);
    assert_eq!(trace[0]["content"], PROGRAM);
    let examined = of(&["doctor", NAME, "finds.sh", "--json"]);
    assert!(!examined.is_empty());
    let error = of(&["text.c", "says-127.sh", "--json"]);
    let message = error[0]["message"].as_str().expect("a message");
    assert!(message.contains(PRINTED), "{message}");
}

#[test]
fn a_name_that_is_no_text_is_shown_by_its_bytes() {
    let stage = Stage::new();
    let name = OsStr::from_bytes(b"caf\xe9.c");
    fs::write(stage.path("").join(name), crate::shell::PROGRAM).expect("a file");
    stage.test("finds.sh", "grep -q bug \"$1\"");
    let mut lop = stage.program(env!("CARGO_BIN_EXE_lop"), &["--plain", "--no-session"]);
    let output = lop.arg(name).arg("finds.sh").output().expect("lop");
    let said = said(&output);
    assert!(said.contains(r"caf<\xE9>.c: 12 tokens"), "{said}");
    assert!(said.contains(r"the result is in caf<\xE9>.lop.c"), "{said}");
}

#[test]
fn a_program_that_goes_to_a_file_is_the_program_byte_for_byte() {
    let stage = Stage::new();
    let program = [PROGRAM.as_bytes(), b"\xff\r\nint stay;\n"].concat();
    fs::write(stage.path("text.txt"), &program).expect("a file");
    stage.test("finds.sh", "grep -aq bug \"$1\" && grep -aq owned \"$1\"");
    let end = stage.lop(&["text.txt", "finds.sh", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    let printed = |line: &[&str]| {
        let lop = stage.program(env!("CARGO_BIN_EXE_lop"), line).output();
        lop.expect("lop").stdout
    };
    assert_eq!(printed(&["show", "0"]), program);
    let difference = printed(&["diff", "0", "1"]);
    let lines: Vec<&[u8]> = difference.split(|byte| *byte == b'\n').collect();
    assert!(lines.contains(&&b"-\xff\r"[..]), "{lines:?}");
}

#[test]
fn the_script_of_init_works_whatever_its_names() {
    let stage = Stage::new();
    stage.write(NAME, PROGRAM);
    stage.test(
        "fails.sh",
        r#"printf 'error: it\033[2J\n'; grep -q bug "$1" && exit 3"#,
    );
    let command = stage.path("fails.sh").display().to_string();
    let end = stage.lop(&["init", NAME, "-o", "finds.sh", "--", &command, "{}"]);
    assert_eq!(end.status, 0, "{end}");
    let mode = fs::metadata(stage.path("finds.sh"))
        .expect("a script")
        .permissions()
        .mode();
    assert_eq!(mode & 0o111, 0o111);
    let script = stage.read("finds.sh");
    let (comments, _) = script.split_once("\n\n").expect("parts");
    assert!(comments.contains("it<U+001B>[2J"), "{comments}");
    assert!(hidden(comments).is_empty(), "{comments}");
    let end = stage.lop(&[NAME, "./finds.sh", "--no-session"]);
    assert_eq!(end.status, 0, "{end}");
}

#[test]
fn a_panic_that_quotes_others_says_nothing_as_it_is() {
    const PANICS: &str = "LOP_TEST_PANICS";
    if std::env::var_os(PANICS).is_some() {
        lop::display::guard_panics();
        panic!("{NAME}");
    }
    let own = std::env::current_exe().expect("this program");
    let own = own.to_str().expect("a path");
    let name = "hidden::a_panic_that_quotes_others_says_nothing_as_it_is";
    let mut again = Stage::new().program(own, &[name, "--exact", "--nocapture"]);
    let output = again
        .env(PANICS, "1")
        .current_dir("/")
        .output()
        .expect("an end");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(
        said.contains("panicked at tests/command_line/hidden/mod.rs"),
        "{said}"
    );
    assert!(
        said.contains("b<U+001B>]0;owned<U+0007><U+009B>31m\n"),
        "{said}"
    );
    assert_eq!(hidden(&said), [], "{said}");
}
