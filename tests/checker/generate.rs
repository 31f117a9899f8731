//! Programs out of a seed, as SatAbs writes them: predicates with their meaning in comments, a place before each statement, constraints in
//! conjunctive form, variables of which other threads have their own. Each has one fault that needs two threads: the second one changes
//! a global and a variable of the first one, and the first one asserts that they are as before.

use std::collections::BTreeSet;
use std::fmt::Write;

/// How large a program is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// At least so many lines.
    pub lines: usize,
    pub globals: usize,
    /// Beside `main`.
    pub functions: usize,
}

impl Default for Size {
    fn default() -> Size {
        Size {
            lines: 200,
            globals: 5,
            functions: 3,
        }
    }
}

/// Variables of each function.
const LOCALS: usize = 3;

/// Numbers that look like chance (xorshift64*, Marsaglia 2003 and Vigna 2016).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        number as usize % bound.max(1)
    }

    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a>(&mut self, names: &'a [String]) -> &'a str {
        &names[self.below(names.len())]
    }
}

/// A statement, and the one that it may jump to.
struct Line {
    text: String,
    comment: String,
    jump: Option<usize>,
}

/// A program of this size. The same seed gives the same program.
pub fn generate_program(seed: u64, size: Size) -> String {
    let chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let globals = (0..size.globals.max(1))
        .map(|at| format!("b{at}_{}", PREDICATES[at % PREDICATES.len()]))
        .collect();
    let locals = (0..LOCALS)
        .map(|at| format!("b{}_local_{at}", at + size.globals.max(1)))
        .collect();
    let mut generator = Generator {
        chance,
        globals,
        locals,
        place: 0,
    };
    generator.program(size)
}

const PREDICATES: [&str; 6] = ["s_le_2", "locked", "0_eq_n", "busy", "i_lt_n", "p_eq_q"];

struct Generator {
    chance: Chance,
    globals: Vec<String>,
    locals: Vec<String>,
    /// The number of the next place.
    place: usize,
}

impl Generator {
    fn program(&mut self, size: Size) -> String {
        let mut text = "// a generated program in the manner of SATABS\n\n// variables with procedure-global scope\n\n".to_owned();
        for (at, name) in self.globals.iter().enumerate() {
            let _ = writeln!(text, "decl {name};  // predicate {at}");
        }
        text += "decl raced;  // what the second thread changes\n\n";
        let share = size.lines / (size.functions + 1);
        text += "// main\nvoid main() begin\n\n      // the procedure-local variables\n\n";
        self.declare_locals(&mut text);
        text += "  decl owned;  // MIXED -- a variable of each thread\n\n      // initialization of the shared-global and thread-local variables\n\n";
        for name in self
            .globals
            .iter()
            .chain(&self.locals)
            .chain(&["raced".to_owned(), "owned".to_owned()])
        {
            let _ = writeln!(text, "      {name} := 0;");
        }
        let lines = self.lines(share.saturating_sub(60), size.functions);
        self.write_lines(&mut text, lines, "m", "f0");
        text += &self.fault();
        let lines = self.lines(20, 0);
        self.write_lines(&mut text, lines, "n", "main");
        text += &format!("PC{}: end_thread;\n\nend\n", self.next_place());
        for function in 0..size.functions {
            let _ = write!(text, "\n// c::f{function}\nvoid c$$f{function}() begin\n\n");
            self.declare_locals(&mut text);
            for name in &self.locals {
                let _ = writeln!(text, "      {name} := 0;");
            }
            let lines = self.lines(share.saturating_sub(12), 0);
            self.write_lines(&mut text, lines, "l", &format!("f{function}"));
            text += "end\n";
        }
        while text.lines().count() < size.lines {
            text += "// no more\n";
        }
        text
    }

    fn declare_locals(&self, text: &mut String) {
        for (at, name) in self.locals.iter().enumerate() {
            let _ = writeln!(
                text,
                "  decl {name};  // {} -- predicate {at}",
                if at == 0 { "MIXED" } else { "LOCAL" }
            );
        }
    }

    fn next_place(&mut self) -> usize {
        self.place += 1;
        self.place - 1
    }

    /// The fault: safe for one thread, not for two.
    fn fault(&mut self) -> String {
        let [start, keep, look, fault, begin, change, end] = [(); 7].map(|()| self.next_place());
        let name = self.chance.pick(&self.globals).to_owned();
        format!(
            "    // file fault.c line 1 function main\n\
             PC{start}: start_thread goto second;\n\
             PC{keep}: {name} := {name} | raced;\n\
             PC{look}: if !(raced & owned) then goto right; fi;\n\
             PC{fault}: assert(0);\n\
             \x20 second:\nPC{begin}: skip; // location only\n\
             PC{change}: raced, owned$ := 1, (!(owned$)) | owned constrain\n    ((!owned) | 'raced) &\n    ((!(owned$)) | ('owned$));\n\
             PC{end}: end_thread;\n  right:\n"
        )
    }

    /// Statements of together at least so many lines.
    fn lines(&mut self, wanted: usize, functions: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut count = 0;
        let mut calls = (0..functions).rev().collect::<Vec<usize>>();
        while count < wanted {
            let call = if lines.len() % 4 == 3 {
                calls.pop()
            } else {
                None
            };
            let line = match call {
                Some(function) => Line {
                    text: format!("c$$f{function}()"),
                    comment: String::new(),
                    jump: None,
                },
                None => self.line(lines.len()),
            };
            count += line.text.lines().count() + line.comment.matches('\n').count() + 2;
            lines.push(line);
        }
        lines
    }

    fn line(&mut self, at: usize) -> Line {
        let jump = Some(at + 1 + self.chance.below(6));
        let (text, comment, jump) = match self.chance.below(10) {
            0..3 => (
                "skip".to_owned(),
                " // no predicates changed".to_owned(),
                None,
            ),
            3 | 4 => (
                format!("if {} then goto", self.expression(2)),
                String::new(),
                jump,
            ),
            5 if self.chance.once_in(3) => ("goto".to_owned(), String::new(), jump),
            6 => {
                let name = self.locals[0].clone();
                let targets = [(name.clone(), true), (format!("{name}$"), false)];
                (self.constrained(&targets), String::new(), None)
            }
            _ => self.assignment(),
        };
        Line {
            text,
            comment,
            jump,
        }
    }

    fn assignment(&mut self) -> (String, String, Option<usize>) {
        let mut targets = BTreeSet::new();
        for _ in 0..=self.chance.below(3) {
            let from = if self.chance.once_in(2) {
                &self.globals
            } else {
                &self.locals
            };
            targets.insert(self.chance.pick(from).to_owned());
        }
        let targets = Vec::from_iter(targets);
        let text = if self.chance.once_in(3) {
            let targets = targets
                .iter()
                .map(|name| (name.clone(), self.chance.once_in(2)));
            let targets = targets.collect::<Vec<_>>();
            self.constrained(&targets)
        } else {
            let values: Vec<String> = targets.iter().map(|_| self.expression(2)).collect();
            format!("{} := {}", targets.join(","), values.join(","))
        };
        let comment = format!("\n    // TO Predicates: {}", targets.join(" "));
        (text, comment, None)
    }

    fn variable(&mut self) -> String {
        let from = if self.chance.once_in(2) {
            &self.globals
        } else {
            &self.locals
        };
        self.chance.pick(from).to_owned()
    }

    fn expression(&mut self, depth: usize) -> String {
        let choice = self.chance.below(if depth == 0 { 4 } else { 9 });
        match choice {
            0 if self.chance.once_in(3) => "*".to_owned(),
            1 => self.chance.below(2).to_string(),
            2 => format!("(!{})", self.variable()),
            0..4 => self.variable(),
            4 | 5 => format!(
                "({} & {})",
                self.expression(depth - 1),
                self.expression(depth - 1)
            ),
            6 => format!(
                "(!({} | {}))",
                self.expression(depth - 1),
                self.expression(depth - 1)
            ),
            _ => format!(
                "({} | {})",
                self.expression(depth - 1),
                self.expression(depth - 1)
            ),
        }
    }

    /// An assignment with a constraint that can always be true: each target may become what stands beside it, and each clause holds if one
    /// of them does.
    fn constrained(&mut self, targets: &[(String, bool)]) -> String {
        let values: Vec<String> = targets
            .iter()
            .map(|(_, wanted)| {
                format!(
                    "{} {} (*)",
                    self.expression(1),
                    if *wanted { "|" } else { "&" }
                )
            })
            .collect();
        let names: Vec<&str> = targets.iter().map(|target| target.0.as_str()).collect();
        let clauses: Vec<String> = (0..=self.chance.below(3))
            .map(|_| self.clause(targets))
            .collect();
        format!(
            "{} := {} constrain\n    {}",
            names.join(","),
            values.join(","),
            clauses.join(" &\n    ")
        )
    }

    /// A clause with one of the targets as it may become.
    fn clause(&mut self, targets: &[(String, bool)]) -> String {
        let (target, wanted) = &targets[self.chance.below(targets.len())];
        let mut literals = vec![if *wanted {
            format!("'{target}")
        } else {
            format!("(!('{target}))")
        }];
        for _ in 0..=self.chance.below(2) {
            let name = self.variable();
            literals.push(if self.chance.once_in(2) {
                format!("(!{name})")
            } else {
                name
            });
        }
        format!("({})", literals.join(" | "))
    }

    /// Writes statements with their places; those that others jump to have a label. A jump past the last one goes there.
    fn write_lines(
        &mut self,
        text: &mut String,
        mut lines: Vec<Line>,
        label: &str,
        function: &str,
    ) {
        lines.push(Line {
            text: "skip".to_owned(),
            comment: " // location only".to_owned(),
            jump: None,
        });
        let last = lines.len() - 1;
        let used: BTreeSet<usize> = lines
            .iter()
            .filter_map(|line| Some(line.jump?.min(last)))
            .collect();
        for (at, line) in lines.into_iter().enumerate() {
            let source = 10 + at * 2;
            let _ = writeln!(
                text,
                "    // file /src/{function}.c line {source} function {function}"
            );
            if used.contains(&at) {
                let _ = writeln!(text, "  {label}{at}:");
            }
            let place = self.next_place();
            let jump = line
                .jump
                .map(|jump| format!(" {label}{}", jump.min(last)))
                .unwrap_or_default();
            let end = if line.text.starts_with("if ") {
                "; fi"
            } else {
                ""
            };
            let _ = writeln!(
                text,
                "PC{place}: {}{jump}{end};{}\n",
                line.text, line.comment
            );
        }
    }
}
