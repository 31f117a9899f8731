//! A session for others: a trace of its versions, and a page that plays it.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::Serialize;

use super::file_names;
use super::file_writer::{FilePermissions, FileWriter};
use super::history::{SavedVersion, SessionHistory, SessionVersions};
use super::journal::{HeaderInvocation, TextCut, delta};
use super::lock::{FileLock, LockAttempt};
use super::own_files;
use crate::display::{EscapeHidden, escape_json, sanitize_line};
use crate::program::{ByteText, FileText, text_bytes};

/// The page.
const PAGE: &str = include_str!("page.html");
/// Stands for the name in the title.
const NAME: &str = "LOP-NAME";
/// Stands for the style that all pages have.
const STYLE: (&str, &str) = ("LOP-STYLE", include_str!("page.css"));
/// Stands for the data.
const DATA: &str = "\"LOP-DATA\"";
/// Stands for the functions that show texts on all pages.
const TEXT: (&str, &str) = ("LOP-TEXT", include_str!("page_text.js"));

/// A version, for other tools.
#[derive(Serialize)]
struct TraceStep<'a> {
    step: usize,
    elapsed_s: f64,
    tokens: Option<u32>,
    /// Of a pair, the variant.
    content: &'a str,
    /// The seed of a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<&'a str>,
    /// Tokens of the difference of a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<u32>,
}

/// The versions from the original to the current result: one JSON object each. Bytes that are not UTF-8 are replaced.
pub fn trace_lines(history: &SessionHistory) -> impl Iterator<Item = String> {
    let way = path_to_kept(&history.versions);
    way.into_iter().enumerate().filter_map(|(step, saved)| {
        let texts = history.versions.document_texts(saved.number)?;
        let texts: Vec<_> = texts
            .iter()
            .map(|text| String::from_utf8_lossy(text_bytes(text)))
            .collect();
        let page;
        let (content, seed) = match history
            .header
            .run
            .as_ref()
            .and_then(|run| run.project.as_ref())
        {
            None => texts.split_last()?,
            Some(_) => {
                page = String::from_utf8_lossy(&history.version_page(saved.number)?)
                    .into_owned()
                    .into();
                (&page, &[][..])
            }
        };
        let step = TraceStep {
            step,
            elapsed_s: saved.elapsed.as_secs_f64(),
            tokens: saved.tokens,
            content,
            seed: seed.first().map(|seed| &**seed),
            difference: saved.difference,
        };
        serde_json::to_string(&step).ok()
    })
}

/// The versions from the original to the one that is kept.
fn path_to_kept(versions: &SessionVersions) -> Vec<&SavedVersion> {
    let mut way: Vec<&SavedVersion> = versions.get(versions.kept).into_iter().collect();
    while let Some(parent) = way
        .last()
        .and_then(|last| versions.get(last.parent.filter(|parent| *parent < last.number)?))
    {
        way.push(parent);
    }
    way.reverse();
    way
}

/// A lesson that the page tells beside its run.
#[derive(Clone, Debug)]
pub struct PageLesson {
    /// Its title.
    pub title: String,
    /// What it teaches.
    pub teaches: String,
    /// Where its algorithm comes from; empty for lop's own.
    pub source: String,
    /// What the test looks for.
    pub test: String,
    /// Its steps.
    pub steps: Vec<PageStep>,
}

/// A step of a lesson.
#[derive(Clone, Debug, Serialize)]
pub struct PageStep {
    /// What is told.
    pub text: String,
    /// What the run was told.
    pub commands: Vec<String>,
    /// The question to the audience.
    pub question: Option<String>,
    /// What is told with the answer.
    pub answer: Option<String>,
    /// The version at which the step ends.
    pub version: u64,
    /// What was asked of the test in it.
    pub decisions: Vec<PageDecision>,
    /// The texts of the last candidate, if it was rejected: one for each document.
    #[serde(skip)]
    pub candidate: Option<Vec<FileText>>,
}

/// A step as the page has it.
#[derive(Serialize)]
struct ShownStep {
    #[serde(flatten)]
    step: PageStep,
    /// The difference of the rejected candidate from the version, as in [`PageVersion`]; empty without one.
    cuts: Vec<(usize, usize, String)>,
}

/// A lesson as the page has it.
#[derive(Serialize)]
struct ShownLesson {
    teaches: String,
    source: String,
    steps: Vec<ShownStep>,
}

/// A question to the test, and its answer.
#[derive(Clone, Debug, Serialize)]
pub struct PageDecision {
    /// Its number.
    pub number: u64,
    /// The candidate in words.
    pub sentence: String,
    /// Whether the candidate was taken.
    pub taken: bool,
}

/// The data of the page.
#[derive(Serialize)]
struct PageData {
    title: String,
    test: String,
    end: String,
    /// The files of a project. In a text each stands below a line with its name.
    files: Vec<String>,
    original: String,
    versions: Vec<PageVersion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lesson: Option<ShownLesson>,
}

/// A version on the page, as its difference from the version that it was made of.
#[derive(Serialize)]
struct PageVersion {
    number: u64,
    parent: Option<u64>,
    pass: String,
    why: String,
    tokens: Option<u32>,
    bytes: u32,
    seconds: f64,
    decision: u64,
    kept: bool,
    /// Places in characters of UTF-16, as a browser counts them.
    cuts: Vec<(usize, usize, String)>,
}

/// A page that plays the run: one file that needs no other. Bytes that are not UTF-8 are replaced.
pub fn render_page(history: &SessionHistory) -> String {
    let run = history.header.run.as_ref();
    let name = run.and_then(|run| run.input.file_name());
    let name = name.unwrap_or_default().escape_hidden();
    let title = run.map(|run| run.input.escape_hidden().into_owned());
    let test = run.map(HeaderInvocation::describe_test).unwrap_or_default();
    let heading = PageHeading {
        name: &name,
        title: title.unwrap_or_default(),
        test: sanitize_line(&test).into_owned(),
    };
    render_run(history, heading, None, &<[u8]>::to_vec)
}

/// The same for the run of a lesson. The page names no file of the machine.
pub fn render_lesson_page(history: &SessionHistory, lesson: PageLesson) -> String {
    let name = sanitize_line(&lesson.title).into_owned();
    let heading = PageHeading {
        name: &name,
        title: name.clone(),
        test: sanitize_line(&lesson.test).into_owned(),
    };
    render_run(history, heading, Some(lesson), &<[u8]>::to_vec)
}

/// The page of [`render_page`] for strangers: under this title, with the test in these words, and with other texts in place of those of the versions and of what is said of them.
pub fn render_public_page(
    history: &SessionHistory,
    title: &str,
    test: &str,
    replace: &dyn Fn(&[u8]) -> Vec<u8>,
) -> String {
    let heading = PageHeading {
        name: title,
        title: title.escape_hidden().into_owned(),
        test: sanitize_line(test).into_owned(),
    };
    render_run(history, heading, None, replace)
}

/// What stands at the top of the page.
struct PageHeading<'a> {
    /// The title of its window.
    name: &'a str,
    title: String,
    test: String,
}

fn render_run(
    history: &SessionHistory,
    heading: PageHeading,
    lesson: Option<PageLesson>,
    replace: &dyn Fn(&[u8]) -> Vec<u8>,
) -> String {
    let versions = &history.versions;
    let shown_text = |bytes: &[u8]| String::from_utf8_lossy(&replace(bytes)).into_owned();
    let text = |number: u64| shown_text(&history.version_page(number).unwrap_or_default());
    let kept: Vec<u64> = path_to_kept(versions)
        .iter()
        .map(|saved| saved.number)
        .collect();
    let mut last = (0, text(0));
    let original = last.1.clone();
    let mut shown = Vec::new();
    for saved in versions.all_versions() {
        let parent = saved.parent.unwrap_or_default();
        if last.0 != parent {
            last = (parent, text(parent));
        }
        let new = text(saved.number);
        shown.push(PageVersion {
            number: saved.number,
            parent: saved.parent,
            pass: sanitize_line(&saved.pass).into_owned(),
            why: sanitize_line(&shown_text(saved.why.as_bytes())).into_owned(),
            tokens: saved.tokens,
            bytes: saved.bytes,
            seconds: saved.elapsed.as_secs_f64(),
            decision: saved.decision,
            kept: kept.contains(&saved.number),
            cuts: text_cuts(&last.1, &new),
        });
        last = (saved.number, new);
    }
    let lesson = lesson.map(|lesson| ShownLesson {
        teaches: lesson.teaches,
        source: lesson.source,
        steps: lesson
            .steps
            .into_iter()
            .map(|step| ShownStep {
                cuts: step.candidate.as_ref().map_or_else(Vec::new, |candidate| {
                    let candidate = history.texts_page(candidate);
                    let candidate = String::from_utf8_lossy(&candidate);
                    text_cuts(&text(step.version), &candidate)
                }),
                step,
            })
            .collect(),
    });
    let run = history.header.run.as_ref();
    let data = PageData {
        title: heading.title,
        test: heading.test,
        end: match (&history.end, &history.certificate) {
            (Some(end), Some(proven)) => sanitize_line(&format!("{end}: {proven}")).into_owned(),
            _ => "cut off".into(),
        },
        files: match run.and_then(|run| run.project.as_ref()) {
            Some(_) => history.document_names(),
            None => Vec::new(),
        },
        original,
        versions: shown,
        lesson,
    };
    fill_template(PAGE, heading.name, &data)
}

/// A page of this template, with a title and its data.
pub(super) fn fill_template(template: &str, name: &str, data: &impl Serialize) -> String {
    // The template is split before anything is inserted: an inserted text may look like a placeholder.
    let (title, json) = (escape_title(name), to_script_json(data));
    let places = [(NAME, &*title), STYLE, (DATA, &*json), TEXT];
    let (mut page, mut rest) = (String::new(), template);
    for (place, text) in places {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page + rest
}

/// A text inside of the element `title`: no tag, and no reference to a character.
fn escape_title(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// JSON inside of the element `script`: without a `<` nothing ends the element, or begins a comment in it.
fn to_script_json(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).unwrap_or_default();
    escape_json(&json).replace('<', "\\u003c")
}

/// What lies where a page is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageTarget {
    /// Nothing, or an empty file.
    Free,
    /// A page of lop.
    Page,
    /// A file that lop did not write.
    Occupied,
}

/// Writes a page to this place in one step, unless another file is there. Returns what was there.
///
/// # Errors
/// The system's; and of a place where anything but a regular file is.
pub fn write_page(path: &Path, page: &str) -> io::Result<PageTarget> {
    let there = match own_files::read_own_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    let ours = PAGE.split(NAME).next().unwrap_or_default();
    let place = match () {
        () if there.is_empty() => PageTarget::Free,
        () if there.starts_with(ours.as_bytes()) => PageTarget::Page,
        () => return Ok(PageTarget::Occupied),
    };
    let LockAttempt::Acquired(lock) = FileLock::acquire_for_output(path)? else {
        return Err(io::Error::other("another lop is writing to it"));
    };
    let rights = FilePermissions {
        mode: fs::symlink_metadata(path)
            .ok()
            .map(|about| about.mode() & 0o777),
        owner: None,
    };
    let writer = FileWriter::for_path(path);
    if lock.is_exclusive() {
        writer.remove_leftovers(file_names::parent_directory(path));
    }
    writer.replace_file(path, page.as_bytes(), rights)?;
    Ok(place)
}

/// What makes the new text of the old one: cuts with their places in characters of UTF-16.
pub(super) fn text_cuts(old: &str, new: &str) -> Vec<(usize, usize, String)> {
    to_utf16_offsets(old, delta::compute_cuts(old.as_bytes(), new.as_bytes()))
}

/// Cuts with their places in characters of UTF-16.
fn to_utf16_offsets(old: &str, cuts: Vec<TextCut>) -> Vec<(usize, usize, String)> {
    let (mut bytes, mut units) = (0, 0);
    let mut to = |place: usize| {
        let between = old.get(bytes..place).unwrap_or_default();
        units += between.encode_utf16().count();
        bytes = place;
        units
    };
    let cuts = cuts.into_iter().map(|(start, end, new)| {
        let new = match new {
            ByteText::Text(text) => text,
            ByteText::Hex(_) => String::new(),
        };
        (to(start), to(end), new)
    });
    cuts.collect()
}
