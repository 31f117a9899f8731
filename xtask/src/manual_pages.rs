//! The manual: `man/`.

use std::io;

use clap::Command;
use clap_mangen::Man;
use lop::cli::{command_line, manual_page};

/// All pages, by the names of their files: that of lop, and one for each of its commands.
pub fn render_manual_pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut pages = vec![("lop.1".to_owned(), manual_page()?)];
    // Once built, a command has its full name: lop-sessions-prune.
    let mut lop = command_line().disable_help_subcommand(true);
    lop.build();
    let source = format!("lop {}", lop.get_version().unwrap_or_default());
    add_subcommand_pages(&lop, &source, &mut pages)?;
    Ok(pages)
}

/// The pages of the commands of a command.
fn add_subcommand_pages(
    command: &Command,
    source: &str,
    pages: &mut Vec<(String, Vec<u8>)>,
) -> io::Result<()> {
    for command in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let man = Man::new(command.clone()).source(source);
        let mut page = Vec::new();
        man.render(&mut page)?;
        pages.push((man.get_filename(), page));
        add_subcommand_pages(command, source, pages)?;
    }
    Ok(())
}
