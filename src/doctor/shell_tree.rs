//! The syntax tree of a shell script, as a list of nodes.

use std::ops::Range;

use crate::language;
use crate::language::parser::ParseLimit;

/// The nodes of a script in the order of its text, parents before their children. Commands and words are found in it.
pub(super) struct ShellTree {
    text: String,
    nodes: Vec<ShellNode>,
}

struct ShellNode {
    /// As tree-sitter-bash names it: "command", "word", "string".
    kind: String,
    range: Range<usize>,
    /// The number of its first line, from 1.
    line: usize,
    parent: Option<usize>,
}

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShellNodeId(usize);

/// Nodes that are words, or parts of words.
const WORD_KINDS: [&str; 9] = [
    "word",
    "number",
    "string",
    "raw_string",
    "ansi_c_string",
    "concatenation",
    "simple_expansion",
    "expansion",
    "command_substitution",
];
/// Commands that always succeed.
const INFALLIBLE: [&str; 3] = ["true", ":", "echo"];

impl ShellTree {
    /// Parses a script. None if it is not one that bash reads.
    pub fn parse(text: &str) -> Option<ShellTree> {
        let mut parser = language::by_name("bash")?.new_parser();
        let limit = ParseLimit::for_length(text.len());
        let tree = parser.parse(text.as_bytes(), None, limit).ok()?;
        let mut cursor = tree.walk();
        if cursor.node().has_error() {
            return None;
        }
        let (mut nodes, mut ancestors) = (Vec::new(), Vec::new());
        let (mut line, mut counted) = (1, 0);
        loop {
            let node = cursor.node();
            let start = node.range().start.max(counted);
            line += text[counted..start].matches('\n').count();
            counted = start;
            nodes.push(ShellNode {
                kind: node.kind().to_owned(),
                range: node.range(),
                line,
                parent: ancestors.last().copied(),
            });
            let number = nodes.len() - 1;
            if cursor.goto_first_child() {
                ancestors.push(number);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    let text = text.to_owned();
                    return Some(ShellTree { text, nodes });
                }
                ancestors.pop();
            }
        }
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = ShellNodeId> {
        (0..self.nodes.len()).map(ShellNodeId)
    }

    pub fn kind(&self, node: ShellNodeId) -> &str {
        &self.nodes[node.0].kind
    }

    /// The text of a node.
    pub fn text(&self, node: ShellNodeId) -> &str {
        &self.text[self.nodes[node.0].range.clone()]
    }

    /// The number of the line that a node begins on, from 1.
    pub fn line(&self, node: ShellNodeId) -> usize {
        self.nodes[node.0].line
    }

    pub fn children(&self, node: ShellNodeId) -> impl Iterator<Item = ShellNodeId> {
        let end = self.nodes[node.0].range.end;
        let inside = (node.0 + 1..self.nodes.len())
            .take_while(move |at| self.nodes[*at].range.start <= end)
            .filter(move |at| self.nodes[*at].parent == Some(node.0));
        inside.map(ShellNodeId)
    }

    /// Whether a node is a whole word, not a part of one.
    pub fn is_word(&self, node: ShellNodeId) -> bool {
        let is_wordlike = |at: usize| WORD_KINDS.contains(&self.nodes[at].kind.as_str());
        let parent = self.nodes[node.0].parent;
        let part = parent.is_some_and(|parent| {
            is_wordlike(parent) && self.nodes[parent].kind != "command_substitution"
        });
        is_wordlike(node.0) && !part
    }

    /// The innermost `$(…)` around a node. It runs in a process of its own.
    pub fn enclosing_substitution(&self, node: ShellNodeId) -> Option<ShellNodeId> {
        let parent = |at: &usize| self.nodes[*at].parent;
        std::iter::successors(parent(&node.0), parent)
            .map(ShellNodeId)
            .find(|above| self.kind(*above) == "command_substitution")
    }

    /// All simple commands.
    pub fn commands(&self) -> impl Iterator<Item = ShellNodeId> {
        self.nodes().filter(|node| self.kind(*node) == "command")
    }

    /// The words of a simple command. The first is its name.
    pub fn command_words(&self, command: ShellNodeId) -> impl Iterator<Item = ShellNodeId> {
        self.children(command)
            .filter_map(|child| match self.kind(child) {
                "command_name" => self.children(child).next(),
                _ => Some(child).filter(|child| self.is_word(*child)),
            })
    }

    /// Whether the script has a command of this name, one of whose arguments is as `matches` says.
    pub fn has_command(&self, name: &str, matches: impl Fn(&str) -> bool) -> bool {
        self.commands().any(|command| {
            let mut words = self.command_words(command).map(|word| self.text(word));
            words.next() == Some(name) && words.any(&matches)
        })
    }

    /// The names of all simple commands.
    pub fn command_names(&self) -> impl Iterator<Item = &str> {
        let first = |command| self.command_words(command).next();
        self.commands()
            .filter_map(first)
            .map(|word| self.text(word))
    }

    /// The last statement, if it always succeeds.
    pub fn infallible_end(&self) -> Option<ShellNodeId> {
        let mut statements = self.children(ShellNodeId(0)).collect::<Vec<_>>();
        statements.retain(|node| !matches!(self.kind(*node), "comment" | ";" | "\n" | "&"));
        let last = *statements.last()?;
        self.is_infallible(last).then_some(last)
    }

    fn is_infallible(&self, mut statement: ShellNodeId) -> bool {
        loop {
            let children: Vec<ShellNodeId> = self.children(statement).collect();
            statement = match (self.kind(statement), children.as_slice()) {
                ("redirected_statement", [body, ..]) => *body,
                // The left side may fail.
                ("list", [_, operator, right]) if self.kind(*operator) == "||" => *right,
                ("command", _) => {
                    let words: Vec<&str> = self
                        .command_words(statement)
                        .map(|word| self.text(word))
                        .collect();
                    let is_exit = words.starts_with(&["exit", "0"]);
                    return is_exit || words.first().is_some_and(|name| INFALLIBLE.contains(name));
                }
                _ => return false,
            };
        }
    }

    /// Whether a node names the first argument, or all arguments.
    pub fn is_argument(&self, node: ShellNodeId) -> bool {
        let is_expansion = self.nodes[node.0].parent.is_some_and(|parent| {
            matches!(
                self.nodes[parent].kind.as_str(),
                "simple_expansion" | "expansion"
            )
        });
        is_expansion && matches!(self.text(node), "1" | "@" | "*")
    }

    /// Whether a node is `$0` or `${BASH_SOURCE[0]}`, the path of the script.
    fn is_script_path(&self, word: ShellNodeId) -> bool {
        matches!(
            self.text(word).trim_matches('"'),
            "$0" | "${0}" | "$BASH_SOURCE" | "${BASH_SOURCE}" | "${BASH_SOURCE[0]}"
        )
    }

    /// Whether a node gives the directory of the script: `$(dirname "$0")` and what else people write for it.
    pub fn is_script_directory(&self, node: ShellNodeId) -> bool {
        match self.kind(node) {
            "expansion" => matches!(
                self.text(node),
                "${0%/*}" | "${BASH_SOURCE%/*}" | "${BASH_SOURCE[0]%/*}"
            ),
            "command_substitution" => {
                let commands: Vec<ShellNodeId> = self
                    .children(node)
                    .filter(|child| self.kind(*child) == "command")
                    .collect();
                let [command] = commands.as_slice() else {
                    return false;
                };
                let words: Vec<ShellNodeId> = self.command_words(*command).collect();
                let is_dirname = words
                    .first()
                    .is_some_and(|name| self.text(*name) == "dirname");
                is_dirname && words.last().is_some_and(|word| self.is_script_path(*word))
            }
            _ => false,
        }
    }

    /// A word without its quotes. `expand` gives the value of an expansion, if it is known; others stay as they are written.
    pub fn word_value(
        &self,
        word: ShellNodeId,
        expand: &impl Fn(ShellNodeId) -> Option<String>,
    ) -> String {
        let text = self.text(word);
        match self.kind(word) {
            "\"" => String::new(),
            "raw_string" => text.trim_matches('\'').to_owned(),
            "simple_expansion" | "expansion" | "command_substitution" => {
                expand(word).unwrap_or_else(|| text.to_owned())
            }
            "string" | "concatenation" => {
                let range = self.nodes[word.0].range.clone();
                let (mut value, mut end) = (String::new(), range.start);
                for child in self.children(word) {
                    let part = self.nodes[child.0].range.clone();
                    value += &self.text[end..part.start];
                    value += &self.word_value(child, expand);
                    end = part.end;
                }
                value + &self.text[end..range.end]
            }
            _ => text.to_owned(),
        }
    }
}
