//! Finds what each name stands for, and makes steps of statements. What does not fit is refused.

use std::collections::HashMap;

use crate::formula::{EITHER, FALSE, Formula, Mask, Reads, Scope, TRUE, Variable};
use crate::program::{Assignment, Defect, Function, Place, Program, Step};
use crate::syntax::{Action, Expression, FunctionText, ProgramText, Source, Statement};
use crate::tokens::Refusal;

type Names<'a> = HashMap<&'a str, usize>;

/// Numbers names, of which each may be there only once.
fn number_names<'a>(
    what: &str,
    names: impl IntoIterator<Item = (&'a str, usize)>,
) -> Result<Names<'a>, Refusal> {
    let mut numbers = HashMap::new();
    for (name, line) in names {
        let index = numbers.len();
        if numbers.insert(name, index).is_some() {
            return Err(Refusal::new(line, format!("there are two {what} {name}")));
        }
        if index == Mask::BITS as usize && what == "variables" {
            return Err(Refusal::new(
                line,
                format!("more than {} variables", Mask::BITS),
            ));
        }
    }
    Ok(numbers)
}

/// How many values a function returns: as it says, or as its first `return` has.
fn count_results(function: &FunctionText) -> usize {
    fn first_return(statements: &[Statement]) -> Option<usize> {
        statements
            .iter()
            .find_map(|statement| match &statement.action {
                Action::Return(values) => Some(values.len()),
                Action::If(branches, last) => {
                    let mut branches = branches.iter().map(|branch| &branch.1).chain([last]);
                    branches.find_map(|branch| first_return(branch))
                }
                Action::While(_, body) => first_return(body),
                _ => None,
            })
    }
    let counted = function.results.or_else(|| first_return(&function.body));
    counted.unwrap_or(0)
}

/// Resolves a program. A checker with a defect reads it in its own way.
pub fn resolve_program(text: &ProgramText, defect: Option<Defect>) -> Result<Program, Refusal> {
    let globals = text
        .globals
        .iter()
        .map(|(name, line)| (name.as_str(), *line));
    let globals = number_names("variables", globals)?;
    let names = text
        .functions
        .iter()
        .map(|function| (function.name.as_str(), function.line));
    let names = number_names("functions", names)?;
    let main = *names
        .get("main")
        .ok_or_else(|| Refusal::new(1, "there is no function main"))?;
    let signatures: Vec<_> = text
        .functions
        .iter()
        .map(|function| (function.parameters.len(), count_results(function)))
        .collect();
    let mut program = Program {
        functions: Vec::new(),
        main,
        steps: Vec::new(),
        owners: Vec::new(),
        read: 0,
    };
    for function in &text.functions {
        let declared = globals.keys().map(|name| (*name, function.line));
        let own = function.parameters.iter().chain(&function.locals);
        let own: Vec<_> = own.map(|name| (name.as_str(), function.line)).collect();
        number_names("variables", declared.chain(own.iter().copied()))?;
        let mut resolver = Resolver {
            globals: &globals,
            locals: number_names("variables", own)?,
            functions: &names,
            signatures: &signatures,
            results: signatures[program.functions.len()].1,
            defect,
            line: function.line,
            base: program.steps.len(),
            steps: Vec::new(),
            labels: HashMap::new(),
            jumps: Vec::new(),
        };
        let enforced = resolver.enforced(text, function)?;
        resolver.function_body(function)?;
        let mut reads = Reads::of(&enforced);
        for step in &resolver.steps {
            let more = step.reads();
            reads.globals |= more.globals;
            reads.locals |= more.locals | more.others;
        }
        program.read |= reads.globals;
        program
            .owners
            .extend(resolver.steps.iter().map(|_| program.functions.len()));
        program.functions.push(Function {
            start: resolver.base,
            enforced,
            read: reads.locals,
        });
        program.steps.append(&mut resolver.steps);
    }
    Ok(program)
}

/// One function on its way to steps.
struct Resolver<'a> {
    globals: &'a Names<'a>,
    locals: Names<'a>,
    functions: &'a Names<'a>,
    /// How many parameters and results each function has.
    signatures: &'a [(usize, usize)],
    results: usize,
    defect: Option<Defect>,
    line: usize,
    /// The place of the first step.
    base: Place,
    steps: Vec<Step>,
    labels: HashMap<&'a str, Place>,
    /// Steps whose places are those of labels that may come later.
    jumps: Vec<(Place, usize, Vec<&'a str>)>,
}

impl<'a> Resolver<'a> {
    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal::new(self.line, reason))
    }

    fn declared(&self, name: &str) -> Option<(Scope, usize)> {
        let local = self.locals.get(name).map(|index| (Scope::Local, *index));
        local.or_else(|| self.globals.get(name).map(|index| (Scope::Global, *index)))
    }

    /// The variable that is left when a prime and a `$` are taken off, as far as it must be.
    fn variable(&self, name: &str) -> Result<Variable, Refusal> {
        let (primed, rest) = name
            .strip_prefix('\'')
            .map_or((false, name), |rest| (true, rest));
        let readings = [
            (Some(name), false, false),
            (Some(rest), primed, false),
            (name.strip_suffix('$'), false, true),
            (rest.strip_suffix('$'), primed, true),
        ];
        for (name, next, other) in readings {
            if let Some((scope, index)) = name.and_then(|name| self.declared(name)) {
                if other && scope == Scope::Global {
                    return self.refuse(format!(
                        "{} is a global: it has no $",
                        name.unwrap_or_default()
                    ));
                }
                let next = next && self.defect != Some(Defect::Constrain);
                let other = other && self.defect != Some(Defect::Mixed);
                return Ok(Variable {
                    scope,
                    index,
                    next,
                    other,
                });
            }
        }
        self.refuse(format!("nothing declares {name}"))
    }

    fn formula(&self, expression: &Expression) -> Result<Formula, Refusal> {
        let boxed = |expression: &Expression| Ok::<_, Refusal>(Box::new(self.formula(expression)?));
        Ok(match expression {
            Expression::Either => Formula::Constant(EITHER),
            Expression::Name(name) => match name.as_str() {
                "T" | "1" => Formula::Constant(TRUE),
                "F" | "0" => Formula::Constant(FALSE),
                "t" if self.declared("t").is_none() => Formula::Constant(TRUE),
                "f" if self.declared("f").is_none() => Formula::Constant(FALSE),
                _ => Formula::Variable(self.variable(name)?),
            },
            Expression::Not(inside) => Formula::Not(boxed(inside)?),
            Expression::Binary(operator, first, second) => {
                Formula::Binary(*operator, boxed(first)?, boxed(second)?)
            }
            Expression::Choose(first, second) => Formula::Choose(boxed(first)?, boxed(second)?),
            Expression::Conditional(condition, first, second) => {
                Formula::Conditional(boxed(condition)?, boxed(first)?, boxed(second)?)
            }
        })
    }

    fn formulas(&self, expressions: &[Expression]) -> Result<Vec<Formula>, Refusal> {
        expressions
            .iter()
            .map(|expression| self.formula(expression))
            .collect()
    }

    fn here(&self) -> Place {
        self.base + self.steps.len()
    }

    /// What holds in a function: what all functions enforce, in which its own variables are unknown, and what it enforces itself.
    fn enforced(
        &mut self,
        text: &ProgramText,
        function: &FunctionText,
    ) -> Result<Vec<Formula>, Refusal> {
        let locals = std::mem::take(&mut self.locals);
        let mut enforced = Vec::new();
        for (condition, line) in &text.enforced {
            self.line = *line;
            enforced.push(self.formula(condition)?);
        }
        self.locals = locals;
        self.line = function.line;
        enforced.extend(self.formulas(&function.enforced)?);
        Ok(enforced)
    }

    fn function_body(&mut self, function: &'a FunctionText) -> Result<(), Refusal> {
        self.statements(&function.body)?;
        self.line = function.last_line;
        self.steps
            .push(Step::Return(vec![Formula::Constant(EITHER); self.results]));
        for (place, line, labels) in std::mem::take(&mut self.jumps) {
            self.line = line;
            let found = labels
                .iter()
                .map(|label| self.labels.get(label).copied().ok_or(label));
            let places = found.collect::<Result<Vec<_>, _>>();
            let places =
                places.or_else(|label| self.refuse(format!("there is no label {label}")))?;
            match &mut self.steps[place - self.base] {
                Step::StartThread(to) => *to = places[0],
                step => *step = Step::Jump(places),
            }
        }
        Ok(())
    }

    fn statements(&mut self, statements: &'a [Statement]) -> Result<(), Refusal> {
        for statement in statements {
            self.line = statement.line;
            for label in &statement.labels {
                if self.labels.insert(label, self.here()).is_some() {
                    return self.refuse(format!("there are two labels {label}"));
                }
            }
            self.statement(statement)?;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<(), Refusal> {
        let step = match &statement.action {
            Action::Skip => Step::Jump(vec![self.here() + 1]),
            Action::Goto(labels) => {
                let labels = labels.iter().map(String::as_str).collect();
                self.jumps.push((self.here(), self.line, labels));
                Step::Jump(Vec::new())
            }
            Action::StartThread(label) => {
                self.jumps.push((self.here(), self.line, vec![label]));
                Step::StartThread(0)
            }
            Action::Assume(condition) => Step::Assume(self.formula(condition)?),
            Action::Assert(condition) => Step::Assert(self.formula(condition)?),
            Action::EndThread => Step::EndThread,
            Action::AtomicBegin => Step::SetAtomic(true),
            Action::AtomicEnd => Step::SetAtomic(false),
            Action::Return(values) if values.len() == self.results => {
                Step::Return(self.formulas(values)?)
            }
            Action::Return(values) => {
                return self.refuse(format!(
                    "{} values where the function returns {}",
                    values.len(),
                    self.results
                ));
            }
            Action::Dead(names) => {
                let targets = names.iter().map(|name| Ok(Some(self.target(name)?)));
                let targets = targets.collect::<Result<Vec<_>, Refusal>>()?;
                let values = vec![Formula::Constant(EITHER); targets.len()];
                Step::Assign(
                    Assignment {
                        targets,
                        constraint: None,
                    },
                    values,
                )
            }
            Action::Assign {
                targets,
                source,
                constraint,
            } => self.assignment(targets, source, constraint.as_ref())?,
            Action::While(condition, body) => return self.repeat(condition, body),
            Action::If(branches, last) => return self.branches(branches, last),
        };
        self.steps.push(step);
        Ok(())
    }

    /// Adds a branch whose second place is set when it is known; returns its index.
    fn branch(&mut self, condition: &Expression) -> Result<usize, Refusal> {
        let condition = self.formula(condition)?;
        let inside = self.here() + 1;
        self.steps.push(Step::Branch(condition, inside, inside));
        Ok(self.steps.len() - 1)
    }

    fn end_branch(&mut self, index: usize) {
        let here = self.here();
        match &mut self.steps[index] {
            Step::Branch(_, _, otherwise) => *otherwise = here,
            step => *step = Step::Jump(vec![here]),
        }
    }

    fn repeat(&mut self, condition: &Expression, body: &'a [Statement]) -> Result<(), Refusal> {
        let start = self.here();
        let branch = self.branch(condition)?;
        self.statements(body)?;
        self.steps.push(Step::Jump(vec![start]));
        self.end_branch(branch);
        Ok(())
    }

    fn branches(
        &mut self,
        branches: &'a [(Expression, Vec<Statement>)],
        last: &'a [Statement],
    ) -> Result<(), Refusal> {
        let mut ends = Vec::new();
        for (condition, body) in branches {
            let branch = self.branch(condition)?;
            self.statements(body)?;
            ends.push(self.steps.len());
            self.steps.push(Step::Jump(Vec::new()));
            self.end_branch(branch);
        }
        self.statements(last)?;
        ends.into_iter().for_each(|end| self.end_branch(end));
        Ok(())
    }

    /// A variable on the left: its prime changes nothing.
    fn target(&self, name: &str) -> Result<Variable, Refusal> {
        let variable = self.variable(name)?;
        Ok(Variable {
            next: false,
            ..variable
        })
    }

    fn assignment(
        &self,
        names: &[String],
        source: &Source,
        constraint: Option<&Expression>,
    ) -> Result<Step, Refusal> {
        let mut targets = Vec::new();
        for name in names {
            let is_blank = name == "_" && self.declared("_").is_none();
            let target = if is_blank {
                None
            } else {
                Some(self.target(name)?)
            };
            // The defect makes one variable of two.
            let lost = self.defect == Some(Defect::Mixed)
                && name.ends_with('$')
                && self.declared(name).is_none();
            let target = target.filter(|_| !lost);
            if target.is_some() && targets.contains(&target) {
                return self.refuse(format!("{name} is assigned twice"));
            }
            targets.push(target);
        }
        let constraint = constraint
            .map(|constraint| self.formula(constraint))
            .transpose()?;
        match source {
            Source::Values(values) => {
                self.equal_counts("values for", values.len(), "variables", targets.len())?;
                Ok(Step::Assign(
                    Assignment {
                        targets,
                        constraint,
                    },
                    self.formulas(values)?,
                ))
            }
            Source::Call(name, arguments) => {
                let Some(function) = self.functions.get(name.as_str()).copied() else {
                    return self.refuse(format!("there is no function {name}"));
                };
                let (parameters, results) = self.signatures[function];
                self.equal_counts("arguments for", arguments.len(), "parameters", parameters)?;
                self.equal_counts("results for", results, "variables", targets.len())?;
                if targets.iter().flatten().any(|target| target.other) {
                    return self.refuse("a call has no results for another thread");
                }
                let arguments = self.formulas(arguments)?;
                Ok(Step::Call {
                    function,
                    arguments,
                    results: Assignment {
                        targets,
                        constraint,
                    },
                })
            }
        }
    }

    fn equal_counts(
        &self,
        what: &str,
        count: usize,
        of: &str,
        wanted: usize,
    ) -> Result<(), Refusal> {
        if count == wanted {
            Ok(())
        } else {
            self.refuse(format!("{count} {what} {wanted} {of}"))
        }
    }
}
