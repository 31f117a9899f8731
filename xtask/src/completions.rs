//! Completions for shells: `completions/`.

use std::path::Path;

use clap::Command;
use clap_complete::Shell;
use lop::cli::command_line;

use crate::generate::GeneratedFile;

/// The completion file of a shell, with the name that the shell expects.
pub fn render_completion(shell: Shell) -> GeneratedFile {
    let mut lop = without_hidden(&command_line()).disable_help_subcommand(true);
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut lop, "lop", &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let (name, text) = match shell {
        Shell::Zsh => ("_lop", fix_zsh_completion(text)),
        Shell::Fish => ("lop.fish", fix_fish_completion(text, &lop)),
        _ => ("lop.bash", text),
    };
    (Path::new("completions").join(name), text.into_bytes())
}

/// The command without hidden arguments and subcommands, which shells would offer.
fn without_hidden(command: &Command) -> Command {
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let subcommands = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    // clap needs a static name.
    let name: &'static str = command.get_name().to_owned().leak();
    let shown = Command::new(name)
        .args(args.cloned())
        .subcommands(subcommands.map(without_hidden));
    let shown = match command.get_version() {
        Some(version) => shown.version(&*version.to_owned().leak()),
        None => shown,
    };
    match command.get_about() {
        Some(about) => shown.about(about.clone()),
        None => shown,
    }
}

/// The generated script expects FILE and TEST and then a subcommand, which never come together. The fixed one offers files beside the
/// subcommands, and after a file the options of lop itself.
fn fix_zsh_completion(text: String) -> String {
    const BEGIN: &str = "_arguments \"${_arguments_options[@]}\" : \\\n";
    const COMMANDS: &str = "\":: :_lop_commands\" \\\n";
    const END: &str = "        esac\n    ;;\nesac\n}\n";
    const NAMES: &str = "_describe -t commands 'lop commands' commands \"$@\"\n";
    let parts = text.split_once(BEGIN).and_then(|(head, rest)| {
        let (arguments, rest) = rest.split_once(COMMANDS)?;
        Some((head, arguments, rest))
    });
    let Some((head, arguments, rest)) = parts else {
        return text;
    };
    let is_place = |line: &&str| ["':", "'*:"].iter().any(|start| line.starts_with(start));
    let places = arguments.lines().filter(is_place).count();
    let options = arguments.lines().filter(|line| !is_place(line));
    let options: String = options.map(|line| format!("{line}\n")).collect();
    let others = format!("(*)\n{BEGIN}{options}'*:file:_files' \\\n&& ret=0\n;;\n{END}");
    let rest = rest
        .replace(&format!("$line[{}]", places + 1), "$line[1]")
        .replacen(END, &others, 1)
        .replacen(NAMES, &format!("{NAMES}    _files\n"), 1);
    format!("{head}{BEGIN}{options}{COMMANDS}{rest}")
}

/// Only the name of a subcommand ends the options of lop itself: a file or the value of an option does not.
fn fix_fish_completion(text: String, lop: &Command) -> String {
    let names: Vec<&str> = lop.get_subcommands().map(Command::get_name).collect();
    let old = "    or return\n    if set -q argv[1]\n";
    let new = format!(
        "    or return 0\n    if contains -- \"$argv[1]\" {}\n",
        names.join(" ")
    );
    text.replacen(old, &new, 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn shells_offer_every_command_but_hidden_ones() {
        let lop = command_line();
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let (path, text) = render_completion(shell);
            let text = String::from_utf8(text).expect("UTF-8");
            let ours = match shell {
                Shell::Zsh => "'*:file:_files'",
                Shell::Fish => "if contains -- \"$argv[1]\" demo learn resume",
                _ => "--minimizer",
            };
            assert!(text.contains(ours), "{}", path.to_string_lossy());
            let words: BTreeSet<&str> = text
                .split(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c))
                .collect();
            for command in lop.get_subcommands() {
                let name = command.get_name();
                assert_eq!(
                    words.contains(name),
                    !command.is_hide_set(),
                    "{name} in {}",
                    path.to_string_lossy()
                );
            }
        }
    }
}
