//! What a bug report says, and its page in Markdown. A pure function of what was found.

use std::path::PathBuf;
use std::time::Duration;

use super::redaction::Redaction;
use super::tool_versions::ToolVersion;
use crate::display::{escape_page, format_count};
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
}

/// What was seen when the test ran on the result.
#[derive(Clone, Debug, Default)]
pub struct ReportObservation {
    /// What the test printed.
    pub output: Vec<u8>,
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
    /// The version of lop.
    pub lop: String,
    pub system: String,
}

impl BugReport {
    /// The page, without what is to be taken out. The program itself stays as it is, byte for byte.
    pub fn render_markdown(&self, redaction: &Redaction) -> String {
        let title = match &self.property {
            Some(property) => redaction.redact(property),
            None => format!("A bug with {}", self.file_names()),
        };
        let mut page = format!("# {}\n", title.lines().next().unwrap_or_default());
        page.push_str("\n## The program\n");
        for file in &self.files {
            let text = escape_page(&file.text);
            let language = file.language.as_deref().unwrap_or_default();
            page.push_str(&format!(
                "\n`{}`:\n\n{}",
                file.path.display(),
                fenced(language, &text)
            ));
        }
        page.push_str("\n## The test\n");
        for test in &self.tests {
            let text = redaction.redact(&test.text);
            page.push_str(&format!("\n{}:\n\n{}", test.role, fenced("sh", &text)));
        }
        if let Some(property) = &self.property {
            let property = redaction.redact(property);
            page.push_str(&format!("\nIt fails if: {property}\n"));
        }
        if let Some(observed) = &self.observed {
            page.push_str(&output_section(&observed.output, redaction));
            page.push_str("\n## Versions\n\n");
            for ToolVersion { tool, version } in &observed.versions {
                let tool = redaction.redact(tool);
                let version = redaction.redact(version);
                page.push_str(&format!("- `{tool}`: {version}\n"));
            }
        } else {
            page.push_str("\n## Versions\n\n");
        }
        page.push_str(&format!(
            "- system: {}\n- lop {}\n",
            redaction.redact(&self.system),
            self.lop
        ));
        page.push_str(&format!("\n## The reduction\n\n{}\n", self.describe_run()));
        if let Some(contrast) = &self.contrast {
            page.push_str(&format!("\n{contrast}"));
        }
        page
    }

    fn file_names(&self) -> String {
        let names = self.files.iter();
        let names: Vec<String> = names.map(|file| file.path.display().to_string()).collect();
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
            "lop reduced {tokens} with {} in {}. {proven}",
            format_count(self.test_count, "test"),
            format_duration(self.elapsed)
        )
    }
}

fn output_section(output: &[u8], redaction: &Redaction) -> String {
    let text = redaction.redact(&escape_page(output));
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
        fenced("text", &shown)
    )
}

/// The text between fences that are longer than any in it.
pub fn fenced(language: &str, text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default().max(2) + 1);
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}
