//! `cargo xtask generate`: the files of the package that are generated from the program's own tables. They are checked in, and a test
//! fails if they are out of date.

use std::fs;
use std::path::{Path, PathBuf};

use clap_complete::Shell;
use lop::display::{ConsoleWriter, EscapeHidden};
use lop::tui::{commands, race};

use crate::completions::render_completion;
use crate::{commands_page, manual_pages};

/// A file, from the package's root, and what is in it.
pub type GeneratedFile = (PathBuf, Vec<u8>);

/// Writes all of them below a directory.
pub fn run_generate(to: &Path) -> anyhow::Result<()> {
    for (path, text) in generated_files()? {
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap_or(to))?;
        fs::write(&path, text)?;
        ConsoleWriter::stdout().write_line(&path.escape_hidden());
    }
    Ok(())
}

fn generated_files() -> std::io::Result<Vec<GeneratedFile>> {
    let mut files: Vec<GeneratedFile> = vec![
        (
            "docs/KEYS.md".into(),
            (commands::render_keys_page() + &race::render_race_keys()).into_bytes(),
        ),
        (
            "docs/COMMANDS.md".into(),
            commands_page::render_commands_page().into_bytes(),
        ),
    ];
    for (name, page) in manual_pages::render_manual_pages()? {
        files.push((Path::new("man").join(name), page));
    }
    files.extend([Shell::Bash, Shell::Zsh, Shell::Fish].map(render_completion));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_files_are_those_of_today() {
        let root = crate::repository_root();
        let files = generated_files().expect("the files");
        for (path, text) in &files {
            let written = fs::read(root.join(path)).unwrap_or_default();
            assert!(
                written == *text,
                "{} is out of date: cargo xtask generate",
                path.to_string_lossy()
            );
        }
        let made: BTreeSet<PathBuf> = files.into_iter().map(|(path, _)| path).collect();
        for folder in ["man", "completions"] {
            for entry in fs::read_dir(root.join(folder)).expect("a folder") {
                let path = Path::new(folder).join(entry.expect("an entry").file_name());
                assert!(
                    made.contains(&path),
                    "{} is not a generated file",
                    path.to_string_lossy()
                );
            }
        }
    }
}
