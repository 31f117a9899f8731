//! The page of a run or of a lesson, taken apart: its data, and its program run where there is something to run it.

use std::process::Command;

use crate::shell::Stage;

/// The data of a page and its program.
pub fn page_scripts(page: &str) -> (&str, &str) {
    let part = |from: &str| {
        let begin = page.find(from).expect("a script") + from.len();
        &page[begin..begin + page[begin..].find("</script>").expect("an end")]
    };
    (part("type=\"application/json\">"), part("<script>\n"))
}

/// What the program of the page prints with these lines behind it; none where no node runs it.
pub fn run_page(stage: &Stage, page: &str, lines: &str) -> Option<String> {
    let (data, program) = page_scripts(page);
    let data = serde_json::to_string(data).expect("JSON");
    let program = format!(
        "const document = {{ getElementById: () => ({{ textContent: {data} }}) }};\n{program}\nconst page = module.exports;\n{lines}"
    );
    stage.write("page.js", &program);
    let Ok(output) = Command::new("node").arg(stage.path("page.js")).output() else {
        println!("SKIPPED: no node, so the program of the page was not run");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8(output.stdout).expect("text"))
}
