//! What a bug report says, and its page in Markdown. A pure function of what was found, which has nothing in it that is not for strangers.

use std::path::PathBuf;
use std::time::Duration;

use super::redactor::PlaceRemovals;
use super::tool_versions::ToolVersion;
use crate::cli::commands::contrast::fence_for;
use crate::display::{EscapeHidden, escape_page, format_count};
use crate::plain::format_duration;

/// Lines of the test's output that are shown.
const SHOWN_LINES: usize = 40;

/// A file of the result.
#[derive(Clone, Debug)]
pub struct ReportFile {
    /// Its path, as the test sees it.
    pub path: PathBuf,
    /// The name of its language, for highlighting.
    pub language: Option<String>,
    pub text: Vec<u8>,
}

/// A test, as a stranger runs it.
#[derive(Clone, Debug)]
pub struct ReportTest {
    /// What it is, as a heading: "The test", "A check".
    pub role: String,
    /// The script, or the line of the shell.
    pub text: String,
    /// The script's file, beside the page; none for a line.
    pub script: Option<&'static str>,
}

/// What was seen when the test ran on the result.
#[derive(Clone, Debug, Default)]
pub struct ReportObservation {
    /// What the test printed.
    pub output: String,
    pub versions: Vec<ToolVersion>,
}

/// All that a report says.
#[derive(Clone, Debug)]
pub struct BugReport {
    /// The result.
    pub files: Vec<ReportFile>,
    pub tests: Vec<ReportTest>,
    /// What is looked for, where the test is commands.
    pub property: Option<String>,
    /// None if nothing was run.
    pub observed: Option<ReportObservation>,
    /// Of the original and of the result.
    pub tokens: (Option<u32>, Option<u32>),
    pub test_count: u64,
    pub elapsed: Duration,
    /// What is proven of the result; none if the run did not come to its end.
    pub certificate: Option<String>,
    /// Why the result is interesting: a section in Markdown.
    pub contrast: Option<String>,
    /// What was replaced in all this.
    pub removed: Vec<PlaceRemovals>,
    /// Whether the files of the page lie beside it.
    pub has_files: bool,
    /// The version of lop.
    pub lop: String,
    pub system: String,
}

impl BugReport {
    /// The page.
    pub fn render_markdown(&self) -> String {
        let title = match &self.property {
            Some(property) => property.clone(),
            None => format!("A bug with {}", self.file_names()),
        };
        let mut page = format!("# {}\n", title.lines().next().unwrap_or_default());
        page.push_str("\n## The program\n");
        for file in &self.files {
            let language = file.language.as_deref().unwrap_or_default();
            page.push_str(&format!(
                "\n`{}`:\n\n{}",
                file.path.escape_hidden(),
                fence_text(language, &escape_page(&file.text))
            ));
        }
        page.push_str("\n## The test\n");
        for test in &self.tests {
            page.push_str(&format!(
                "\n{}:\n\n{}",
                test.role,
                fence_text("sh", &test.text)
            ));
        }
        if let Some(property) = &self.property {
            page.push_str(&format!("\nThe bug is there if this is: {property}\n"));
        }
        page.push_str(&self.describe_use());
        if let Some(observed) = &self.observed {
            page.push_str(&output_section(&observed.output));
        }
        page.push_str("\n## Versions\n\n");
        for ToolVersion { tool, version } in self.observed.iter().flat_map(|seen| &seen.versions) {
            page.push_str(&format!("- `{tool}`: {version}\n"));
        }
        page.push_str(&format!("- system: {}\n- lop {}\n", self.system, self.lop));
        page.push_str(&format!("\n## The reduction\n\n{}\n", self.describe_run()));
        if let Some(contrast) = &self.contrast {
            page.push_str(&format!("\n{contrast}"));
        }
        let removed = self.removed.iter().flat_map(PlaceRemovals::sentences);
        let removed: Vec<String> = removed.map(|sentence| format!("- {sentence}\n")).collect();
        if !removed.is_empty() {
            page.push_str(&format!("\n## What was replaced\n\n{}", removed.concat()));
            let paths = self.files.iter().map(|file| file.path.escape_hidden());
            let places: Vec<_> = paths.collect();
            let is_in_program =
                |place: &PlaceRemovals| places.iter().any(|path| **path == place.place);
            if self.observed.is_none() && self.removed.iter().any(is_in_program) {
                page.push_str("\nThe program was not tested since.\n");
            }
        }
        page
    }

    /// How a stranger runs the scripts.
    fn describe_use(&self) -> String {
        let scripts = self.tests.iter().filter_map(|test| test.script);
        let scripts: Vec<&str> = scripts.collect();
        let mut text = match (&scripts[..], self.has_files) {
            ([], _) => return String::new(),
            (_, false) => "\nRun it in a directory with the program, whose file is its argument. It exits with 0 if the bug is there.\n".into(),
            ([seed, variant], true) => format!(
                "\nIn a copy of `result/`, `../{seed} FILE` exits with 0 if the seed is as it should be, and `../{variant} FILE` if the variant shows the bug.\n"
            ),
            (scripts, true) => format!(
                "\nIn a copy of `result/`, `../{} FILE` exits with 0 if the bug is there.\n",
                scripts.join(" FILE` or `../")
            ),
        };
        let is_changed = |place: &PlaceRemovals| scripts.contains(&&place.place[..]);
        if self.removed.iter().any(is_changed) {
            text.push_str(
                "Paths or names in it were replaced, so it may need other ones before it runs: see below.\n",
            );
        }
        text
    }

    fn file_names(&self) -> String {
        let names = self.files.iter();
        let names: Vec<String> = names
            .map(|file| file.path.escape_hidden().into_owned())
            .collect();
        match &names[..] {
            [first, .., _] if names.len() > 3 => format!("{first} and others"),
            names => names.join(", "),
        }
    }

    fn describe_run(&self) -> String {
        let tokens = match self.tokens {
            (Some(before), Some(after)) => {
                format!("from {} to {after}", format_count(before.into(), "token"))
            }
            _ => "the program".to_owned(),
        };
        let proven = match &self.certificate {
            Some(proven) => format!("What is proven of the result: {proven}."),
            None => {
                "The reduction was not finished, so smaller programs may show the bug too.".into()
            }
        };
        format!(
            "lop reduced {tokens} with {} in {}, pauses included. {proven}",
            format_count(self.test_count, "test"),
            format_duration(self.elapsed)
        )
    }
}

fn output_section(text: &str) -> String {
    if text.trim().is_empty() {
        return "\nOn this program the test prints nothing, and says yes.\n".to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let left_out = lines.len().saturating_sub(SHOWN_LINES);
    let shown = lines[..lines.len() - left_out].join("\n");
    let more = match left_out {
        0 => String::new(),
        more => format!("\n({} left out)\n", format_count(more as u64, "line")),
    };
    format!(
        "\nOn this program it prints:\n\n{}{more}",
        fence_text("text", &shown)
    )
}

fn fence_text(language: &str, text: &str) -> String {
    let fence = fence_for(text);
    let end = match text.is_empty() || text.ends_with('\n') {
        true => "",
        false => "\n",
    };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}
