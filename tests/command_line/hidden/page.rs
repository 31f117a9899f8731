//! The page of `lop export`: no untrusted text ends its data or becomes a tag.

use crate::shell::Stage;

/// An argument of the command that fails.
const ARGUMENT: &str = "</script><!--<script>";

/// The page of a run on a file of this name.
fn page_of(name: &str, program: &str) -> (Stage, String) {
    let stage = Stage::new();
    stage.write(name, program);
    stage.test("fails.sh", "grep -q bug \"$1\" && exit 3");
    let command = stage.path("fails.sh").display().to_string();
    let end = stage.lop(&[name, "--jobs", "1", "--", &command, "{}", ARGUMENT]);
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&["export", "--html", "run.html"]);
    assert_eq!(end.status, 0, "{end}");
    let page = stage.read("run.html");
    (stage, page)
}

/// What is between the first of `begin` and the next of `end`.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(begin).expect(begin);
    rest.split_once(end).expect(end).0
}

#[test]
fn nothing_that_others_chose_is_a_part_of_the_page() {
    let (_, plain) = page_of("bug.c", crate::shell::PROGRAM);
    let counts = |page: &str| {
        [
            "<script", "</script", "<title", "</title", "<!--", "<img", "LOP-NAME",
        ]
        .map(|tag| page.matches(tag).count())
    };
    for name in [
        "\"LOP-DATA\".c",
        "LOP-NAME \"LOP-DATA\" LOP-NAME.c",
        "<script>alert(1)<script>.c",
        "<!--<script>.c",
        "&lt;img src=x onerror=alert(1)>.c",
        "\u{2028}\u{202e}\x1b]0;owned\x07.c",
    ] {
        let program = format!(
            "char *s = \"</script><!--<script>\u{2028}\u{202e}<img src=x onerror=alert(1)>\"; // {name}\nint bug;\n"
        );
        let (_, page) = page_of(name, &program);
        let own = name.matches("LOP-NAME").count();
        let mut expected = counts(&plain);
        // In the title, and in the data: the title, the program with it, and the name of the output are all text there.
        expected[6] = page.matches("LOP-NAME").count();
        assert!(expected[6] >= own, "{page}");
        assert_eq!(counts(&page), expected, "{name}");
        let data: serde_json::Value =
            serde_json::from_str(between(&page, "type=\"application/json\">", "</script>"))
                .expect(name);
        assert_eq!(data["original"], program, "{name}");
        assert!(
            data["test"].as_str().expect("a test").contains(ARGUMENT),
            "{name}"
        );
        let title = between(&page, "<title>", "</title>");
        assert!(!title.contains('<'), "{title}");
        let hidden = page
            .chars()
            .filter(|c| lop::display::is_hidden(*c) && *c != '\n');
        assert_eq!(hidden.collect::<String>(), "", "{name}");
    }
}

/// The page's own program shows hidden characters as lop does, where there is something to run it.
#[test]
fn the_page_shows_what_is_hidden_as_a_terminal_does() {
    let (stage, page) = page_of("bug.c", crate::shell::PROGRAM);
    let program = page.rsplit_once("<script>").expect("a program").1;
    let (program, _) = program.split_once("</script>").expect("its end");
    let data = between(&page, "type=\"application/json\">", "</script>");
    // Of two versions of Unicode the newer one assigns more: here is what every version since 15 knows, and what none will ever assign.
    let known = regex::Regex::new(r"(?s)^[\p{age:15.0}\p{Noncharacter_Code_Point}]$");
    let known = known.expect("an expression");
    let all: String = ('\0'..=char::MAX)
        .filter(|c| *c != '<' && known.is_match(c.encode_utf8(&mut [0; 4])))
        .chain("\r\n".chars())
        .collect();
    stage.write("all", &all);
    let driver = format!(
        "const document = {{ getElementById: () => ({{ textContent: {} }}) }};\n{program}\n\
         process.stdout.write(module.exports.visible(require(\"fs\").readFileSync(\"all\", \"utf8\")));",
        serde_json::to_string(data).expect("JSON"),
    );
    stage.write("page.js", &driver);
    let Ok(output) = stage.program("node", &["page.js"]).output() else {
        println!("SKIPPED: no node, so the program of the page was not run");
        return;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let shown = lop::display::escape_page(all.as_bytes());
    assert!(
        output.stdout == shown.as_bytes(),
        "the page and a terminal differ"
    );
}
