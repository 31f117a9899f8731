//! `lop languages`: what lop can read, and whether it reads it well.

mod contract;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::failure::{FAILED, Failure, OrFail, USAGE};
use super::grammar::unknown_language;
use super::tongue;
use crate::display::Shown;
use crate::language::{self, Language};
use crate::plain::Out;
use contract::Contract;

/// All languages: names, extensions, what lop knows of them, and whose parser it is.
pub(super) fn list() -> u8 {
    let mut page = String::new();
    for language in language::languages() {
        let extensions = language.extensions.iter().map(|e| format!(".{e}"));
        let extensions: Vec<String> = extensions.collect();
        let names = if language.names().is_some() {
            "names"
        } else {
            ""
        };
        page += &format!(
            "{:<12} {:<6} highlight  {:<30} {}\n",
            language.name,
            names,
            language.made_with(),
            extensions.join(" ")
        );
    }
    Out::stdout().page(&page);
    0
}

/// Checks a language, or all, by what it comes with or by these files; 1 if something is not as it should be.
pub(super) fn check(name: Option<&str>, files: &[PathBuf]) -> Result<u8, Failure> {
    let languages: Vec<&'static Language> = match name {
        None => language::languages().iter().collect(),
        Some(name) if tongue::is_grammar(Path::new(name)) => {
            let file = files.first().map(PathBuf::as_path);
            vec![tongue::loaded(Path::new(name), file)?]
        }
        Some(name) => vec![language::by_name(name).ok_or_else(|| {
            let error = unknown_language(name);
            Failure::new(USAGE, error)
        })?],
    };
    let mut texts_of = Vec::new();
    for language in languages {
        let texts = texts(language, files)?.into_iter();
        texts_of.extend(texts.map(|(path, text)| (language, path, text)));
    }
    // Each in a thread of its own: they know nothing of each other.
    let contracts: Vec<Contract> = thread::scope(|scope| {
        let checks = texts_of.into_iter();
        let check =
            |(language, path, text)| scope.spawn(move || Contract::of(language, path, text));
        let threads: Vec<_> = checks.map(check).collect();
        let ends = threads.into_iter().map(|thread| thread.join());
        ends.collect::<Result<_, _>>()
    })
    .map_err(|_| Failure::new(FAILED, "a check broke off"))?;
    for contract in &contracts {
        Out::stdout().page(&contract.to_string());
    }
    Ok(u8::from(!contracts.iter().all(Contract::is_kept)))
}

/// A program to check a language by.
type Text = (PathBuf, Arc<[u8]>);

/// The files, or the sample that the language comes with.
fn texts(language: &'static Language, files: &[PathBuf]) -> Result<Vec<Text>, Failure> {
    if files.is_empty() {
        let (name, text) = language.sample();
        if name.is_empty() {
            let what = format!(
                "name files to check {} by: no sample comes with it",
                language.name
            );
            return Err(Failure::new(USAGE, what));
        }
        return Ok(vec![(name.into(), text.as_bytes().into())]);
    }
    let read = |path: &PathBuf| {
        let text = std::fs::read(path).map_err(|e| {
            anyhow::anyhow!(
                "{} cannot be read: {e}; name a text in that language",
                path.shown()
            )
        });
        Ok((path.clone(), text.or_fail(USAGE)?.into()))
    };
    files.iter().map(read).collect()
}
