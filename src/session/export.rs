//! A session for others: a trace of its versions, and a page that plays it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use super::journal::{Cut, HeaderRun, Plain, delta};
use super::past::{Saved, Story, Versions};

/// The page, with a place for the data.
const PAGE: &str = include_str!("page.html");
/// What stands in that place.
const DATA: &str = "\"LOP-DATA\"";

/// Stands for the program's name.
const NAME: &str = "LOP-NAME";

/// A version, for other tools.
#[derive(Serialize)]
struct Step<'a> {
    step: usize,
    elapsed_s: f64,
    tokens: Option<u32>,
    content: &'a str,
}

/// The way from the original to the version that is kept: one JSON object a version. Bytes that are not UTF-8 are replaced.
pub fn trace(story: &Story) -> impl Iterator<Item = String> {
    let way = way(&story.versions);
    way.into_iter().enumerate().filter_map(|(step, saved)| {
        let text = story.versions.text(saved.number)?;
        let step = Step {
            step,
            elapsed_s: saved.at.as_secs_f64(),
            tokens: saved.tokens,
            content: &String::from_utf8_lossy(&text),
        };
        serde_json::to_string(&step).ok()
    })
}

/// The versions from the original to the one that is kept.
fn way(versions: &Versions) -> Vec<&Saved> {
    let mut way: Vec<&Saved> = versions.get(versions.kept).into_iter().collect();
    while let Some(parent) = way
        .last()
        .and_then(|last| versions.get(last.parent.filter(|parent| *parent < last.number)?))
    {
        way.push(parent);
    }
    way.reverse();
    way
}

/// What the page knows.
#[derive(Serialize)]
struct Data {
    title: String,
    test: String,
    end: String,
    original: String,
    versions: Vec<Shown>,
}

/// A version on the page: what it differs in from the version that it was made of.
#[derive(Serialize)]
struct Shown {
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
pub fn page(story: &Story) -> String {
    let versions = &story.versions;
    let text = |number: u64| {
        let text = versions.text(number).unwrap_or_default();
        String::from_utf8_lossy(&text).into_owned()
    };
    let kept: Vec<u64> = way(versions).iter().map(|saved| saved.number).collect();
    let mut last = (0, text(0));
    let original = last.1.clone();
    let mut shown = Vec::new();
    for saved in versions.all() {
        let parent = saved.parent.unwrap_or_default();
        if last.0 != parent {
            last = (parent, text(parent));
        }
        let new = text(saved.number);
        let cuts = delta::cuts(last.1.as_bytes(), new.as_bytes());
        shown.push(Shown {
            number: saved.number,
            parent: saved.parent,
            pass: saved.pass.clone(),
            why: saved.why.clone(),
            tokens: saved.tokens,
            bytes: saved.bytes,
            seconds: saved.at.as_secs_f64(),
            decision: saved.decision,
            kept: kept.contains(&saved.number),
            cuts: counted(&last.1, cuts),
        });
        last = (saved.number, new);
    }
    let run = story.header.run.as_ref();
    let data = Data {
        title: run
            .map(|run| run.input.to_string_lossy().into_owned())
            .unwrap_or_default(),
        test: run.map(HeaderRun::test_words).unwrap_or_default(),
        end: match (&story.end, &story.certificate) {
            (Some(end), Some(proven)) => format!("{end}: {proven}"),
            _ => "cut off".into(),
        },
        original,
        versions: shown,
    };
    // Inside of a script element only these could end it.
    let json = serde_json::to_string(&data).unwrap_or_default();
    let json = json
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    let name = run.and_then(|run| run.input.file_name());
    let name = name.unwrap_or_default().to_string_lossy();
    let name = name.replace('&', "&amp;").replace('<', "&lt;");
    PAGE.replacen(NAME, &name, 1).replacen(DATA, &json, 1)
}

/// Whether there is a file that is not empty, and no page of ours. What cannot be read will not be written either.
pub fn is_something_else(path: &Path) -> bool {
    let ours = PAGE.split(NAME).next().unwrap_or_default();
    let mut start = Vec::new();
    let mut read = || {
        let file = File::open(path)?;
        file.take(ours.len() as u64).read_to_end(&mut start)
    };
    path.is_file() && read().is_ok() && !start.is_empty() && start != ours.as_bytes()
}

/// Cuts with their places in characters of UTF-16.
fn counted(old: &str, cuts: Vec<Cut>) -> Vec<(usize, usize, String)> {
    let (mut bytes, mut units) = (0, 0);
    let mut to = |place: usize| {
        let between = old.get(bytes..place).unwrap_or_default();
        units += between.encode_utf16().count();
        bytes = place;
        units
    };
    let cuts = cuts.into_iter().map(|(start, end, new)| {
        let new = match new {
            Plain::Text(text) => text,
            Plain::Hex(_) => String::new(),
        };
        (to(start), to(end), new)
    });
    cuts.collect()
}
