//! Functions that are unfolded: what a call of one stands for stands in the place of the call.
//!
//! The captures `@unfold.result` and `@unfold.body` say what a function returns and does (`grammars/*/reduce.scm`). Where its body is no more
//! than what it returns, that stands in the place of each call, with the arguments in the place of the parameters. Another body stands
//! before the statement that holds the only call, where the parameters can also become variables with the arguments as first values. Whether an argument means the same there, or may be evaluated so often, the test decides.
//!
//! A `return` in the middle of a body leaves the caller there ([`EarlyReturns`]). Where the call is the end of its caller that can be what the
//! callee did: `return E` becomes `return S[E]` if `S` is the statement around the call. The same edit also goes the other way: `S` moves into
//! the callee, around each value that it returns, and the call stands alone.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::name_substitution::{
    NameSubstitution, TokenTexts, copy_texts, find_value, token_leaves, use_paths,
};
use super::removal_closure::RemovalClosure;
use crate::pass::filters::arguments::slot_nodes;
use crate::program::names::{NameOccurrence, NameRole, NameSymbol, SymbolLosses, ValuePart};
use crate::program::{
    Edit, NodeId, NodePath, NodeShape, ProgramNode, Version, fits_place, items_fit_place,
    strip_separator, walk,
};

/// A function that is declared, with all of its calls.
pub(in crate::pass) struct CalledFunction<'a> {
    version: &'a Version,
    name: NameSymbol,
    /// What it returns at its end.
    pub result: Option<&'a Arc<ProgramNode>>,
    /// The list of the statements of its body, and their elements but for the one that returns the result.
    body: Option<FunctionBody<'a>>,
    /// Its parameters in their order; none for one that is not used.
    parameters: Vec<Option<Parameter>>,
    calls: Vec<FunctionCall<'a>>,
}

/// A parameter of a function, and the node that declares it.
struct Parameter {
    name: NameSymbol,
    node: Arc<ProgramNode>,
}

struct FunctionBody<'a> {
    list: &'a Arc<ProgramNode>,
    statements: Vec<&'a Arc<ProgramNode>>,
    /// The values of the `return`s inside of these statements, in the order of the text.
    early_values: Vec<ReturnedValue>,
}

/// The first and the last leaf of what a `return` returns.
#[derive(Clone, Copy)]
struct ReturnedValue {
    first: NodeId,
    last: NodeId,
}

/// What becomes of a `return` before the end of a body that stands before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pass) enum EarlyReturns {
    /// It has the simplest value.
    Simplest,
    /// It has no value.
    Empty,
    /// It stays.
    Kept,
    /// What was around the call stands around its value.
    Wrapped,
}

impl EarlyReturns {
    /// All, in the order in which they are asked about.
    pub const ALL: [EarlyReturns; 4] = [
        EarlyReturns::Simplest,
        EarlyReturns::Empty,
        EarlyReturns::Kept,
        EarlyReturns::Wrapped,
    ];
}

/// What the arguments of a call become where what the function does stands in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pass) enum ArgumentForm {
    /// They stand in the places of the parameters.
    Plain,
    /// The same, in parentheses where they have several tokens.
    Enclosed,
    /// They are the first values of the parameters, which are variables.
    Variable,
}

impl ArgumentForm {
    /// In the places of the parameters, with parentheses or without.
    fn of_uses(encloses: bool) -> ArgumentForm {
        match encloses {
            true => ArgumentForm::Enclosed,
            false => ArgumentForm::Plain,
        }
    }
}

/// Other tokens around a value or in its place.
#[derive(Clone, Default)]
struct ValueChange {
    before: Vec<Arc<[u8]>>,
    /// The white space between that and the value.
    gap: Arc<[u8]>,
    after: Vec<Arc<[u8]>>,
    /// Whether the value itself goes.
    replaces: bool,
}

struct FunctionCall<'a> {
    path: NodePath<'a>,
    arguments: Vec<Arc<ProgramNode>>,
}

impl<'a> CalledFunction<'a> {
    /// None if nothing is known of what it does, or if a use of it is no call of its own: of one inside it, or of a call in an argument.
    pub fn of_name(version: &'a Version, name: NameSymbol) -> Option<CalledFunction<'a>> {
        let names = version.name_graph();
        // Of several functions of one name it is not known which is called.
        let only = |part| {
            let mut sites = names.value_parts(name, part);
            let mut found = sites.next().into_iter();
            let alone = sites.next().is_none();
            found.find_map(|site| find_value(version, site).filter(|_| alone))
        };
        let (result, whole) = (only(ValuePart::Result), only(ValuePart::Body));
        let own = whole.or(result)?;
        let uses: Vec<NodePath> = use_paths(version, name).collect();
        let is_inside = |path: &NodePath| path.nodes.iter().any(|node| node.id == own.id);
        if uses.is_empty() || uses.iter().any(is_inside) {
            return None;
        }
        let calls = find_calls(version, name, &uses)?;
        let body = whole.and_then(|whole| FunctionBody::find(version, whole, result));
        Some(CalledFunction {
            version,
            name,
            result,
            body,
            parameters: find_parameters(version, name, own),
            calls,
        })
    }

    /// How many calls there are.
    pub fn call_count(&self) -> usize {
        self.calls.len()
    }

    /// What it returns, or the simplest value, stands in the place of each call, in parentheses or not. None if it does more.
    pub fn unfold_result(&self, encloses: bool) -> Option<NameSubstitution> {
        let does_more = |body: &FunctionBody| !body.statements.is_empty();
        if self.body.as_ref().is_some_and(does_more) {
            return None;
        }
        let mut places = Vec::new();
        for call in &self.calls {
            let copy = CopiedCall::new(self, call, ArgumentForm::of_uses(encloses))?;
            let texts = self.result_texts(&copy, call)?;
            places.push((call.path.clone(), texts.into()));
        }
        let copied: Vec<_> = self.result.into_iter().collect();
        self.substitute(places, &copied)
    }

    /// The statements of its body stand before the statement with its only call. What it returns, or the simplest value, stands in the place of
    /// that.
    pub fn unfold_body(
        &self,
        returns: EarlyReturns,
        arguments: ArgumentForm,
    ) -> Option<NameSubstitution> {
        let body = self.body.as_ref()?;
        let [call] = &self.calls[..] else {
            return None;
        };
        if body.statements.is_empty() {
            return None;
        }
        let mut copy = CopiedCall::new(self, call, arguments)?;
        let statement = body.statement_around(self.version, &call.path)?;
        if returns != EarlyReturns::Kept {
            (!body.early_values.is_empty()).then_some(())?;
            copy.change_values(&body.early_values, self.change_return(returns, call)?);
        }
        let mut texts: Vec<Arc<[u8]>> = match arguments {
            ArgumentForm::Variable => self.declare_parameters(call)?,
            ArgumentForm::Plain | ArgumentForm::Enclosed => Vec::new(),
        };
        for statement in &body.statements {
            let first = texts.len();
            texts.extend(copy.expand(statement));
            if first > 0 {
                begin_line(&mut texts[first]);
            }
        }
        let tail = || self.result_texts(&copy, call);
        let after = walk::leaf_at(statement.node(), 0)?;
        let is_whole = is_call_alone(statement.node(), call.path.node());
        let mut places = Vec::new();
        if is_whole {
            // Without a token behind it the call is what the block around it returns.
            let returns = statement.node().sums().tokens == call.path.node().sums().tokens;
            if let Some(result) = self.result.filter(|_| returns) {
                let mut value = copy.expand_value(result).to_vec();
                begin_line(&mut value[0]);
                texts.extend(value);
            }
            places.push((statement, texts.into()));
        } else {
            let begins = walk::leaf_at(call.path.node(), 0)?.id == after.id;
            let mut first = match begins {
                true => tail()?,
                false => vec![Arc::from(after.text())],
            };
            begin_line(&mut first[0]);
            texts.extend(first);
            if begins {
                places.push((call.path.clone(), texts.into()));
            } else {
                places.push((self.version.path_to(after.id)?, texts.into()));
                places.push((call.path.clone(), tail()?.into()));
            }
        }
        let mut copied: Vec<_> = body.statements.iter().copied().chain(self.result).collect();
        if arguments == ArgumentForm::Variable {
            copied.extend(self.parameters.iter().flatten().map(|own| &own.node));
        }
        self.substitute(places, &copied)
    }

    /// The parameters that are used, as variables with their arguments as first values. None if there are none, if one has a value of its own or stands for
    /// several arguments, or if the language does not say what such a statement is.
    fn declare_parameters(&self, call: &FunctionCall) -> Option<Vec<Arc<[u8]>>> {
        let language = self.version.documents()[call.path.document].language?;
        let [before, between, after] = language.parameter_statement()?;
        // One node may declare several parameters.
        (call.arguments.len() <= self.parameters.len()).then_some(())?;
        let mark = |text: &'static str| (!text.is_empty()).then(|| Arc::from(text.as_bytes()));
        let mut texts: Vec<Arc<[u8]>> = Vec::new();
        for (at, parameter) in self.parameters.iter().enumerate() {
            let Some(Parameter { name, node }) = parameter else {
                continue;
            };
            let is_plain = |leaf: &Arc<ProgramNode>| {
                let special = [between.as_bytes(), b"...", b"?"];
                !special.contains(&leaf.text())
            };
            token_leaves(node).all(is_plain).then_some(())?;
            let argument = copy_texts(call.arguments.get(at)?);
            let own = self.version.name_graph().symbol_name(*name).as_bytes();
            // The name already stands for it there.
            if matches!(&argument[..], [only] if &**only == own) {
                continue;
            }
            let first = texts.len();
            let parts = [
                Vec::from_iter(mark(before)),
                copy_texts(node),
                Vec::from_iter(mark(between)),
                argument,
            ];
            for part in parts {
                let mut part = part.into_iter();
                texts.extend(part.next().map(|token| Arc::from([b" ", &*token].concat())));
                texts.extend(part);
            }
            texts.extend(mark(after));
            begin_line(&mut texts[first]);
        }
        (!texts.is_empty()).then_some(texts)
    }

    /// What is around its only call stands around each value that it returns, and the call stands alone. None if there is nothing around it, or
    /// if only one value is returned: that is the same program.
    pub fn wrap_returns(&self) -> Option<NameSubstitution> {
        let body = self.body.as_ref()?;
        let [call] = &self.calls[..] else {
            return None;
        };
        let last = token_leaves(self.result?);
        let ids: Vec<NodeId> = last.map(|leaf| leaf.id).collect();
        let (&first, &last) = ids.first().zip(ids.last())?;
        if body.early_values.is_empty() {
            return None;
        }
        let around = self.expression_around(call)?;
        let change = wrap_value(around, call.path.node());
        let values = body.early_values.iter().copied();
        let mut places = Vec::new();
        for value in values.chain([ReturnedValue { first, last }]) {
            let [begin, end] = [value.first, value.last].map(|leaf| self.version.path_to(leaf));
            let (begin, end) = begin.zip(end)?;
            let opened = change.before.iter().cloned();
            let closed = change.after.iter().cloned();
            let own = [Arc::from([&*change.gap, begin.node().text()].concat())];
            let opened = opened.chain(own);
            if value.first == value.last {
                let texts = opened.chain(closed).collect();
                places.push((begin, texts));
                continue;
            }
            let own = [Arc::from(end.node().text())];
            let closed = own.into_iter().chain(closed).collect();
            let opened = opened.collect();
            places.extend([(begin, opened), (end, closed)]);
        }
        let alone = copy_texts(call.path.node()).into();
        places.push((self.version.path_to(around.id)?, alone));
        NameSubstitution::with_removal(self.version, places, Edit::default())
    }

    /// What becomes of the value of a `return` that leaves the caller; none where that cannot be said.
    fn change_return(&self, returns: EarlyReturns, call: &FunctionCall<'a>) -> Option<ValueChange> {
        match returns {
            EarlyReturns::Kept => None,
            EarlyReturns::Empty => Some(ValueChange {
                replaces: true,
                ..ValueChange::default()
            }),
            EarlyReturns::Simplest => Some(ValueChange {
                before: vec![self.simplest_value(call)?],
                replaces: true,
                ..ValueChange::default()
            }),
            EarlyReturns::Wrapped => {
                let around = self.expression_around(call)?;
                Some(wrap_value(around, call.path.node()))
            }
        }
    }

    /// The largest value around a call; none where it is the call.
    fn expression_around(&self, call: &FunctionCall<'a>) -> Option<&'a Arc<ProgramNode>> {
        let place = &call.path;
        let may_stand = |node: &&Arc<ProgramNode>| {
            node.sums().tokens > place.node().sums().tokens && fits_place(self.version, place, node)
        };
        // A statement ends what is a value.
        let around = place
            .ancestors()
            .take_while(|node| !matches!(node.shape, NodeShape::Star | NodeShape::Plus));
        around.filter(may_stand).last()
    }

    fn simplest_value(&self, call: &FunctionCall) -> Option<Arc<[u8]>> {
        let language = self.version.documents()[call.path.document].language?;
        let callee = walk::leaf_at(call.path.node(), 0)?;
        let value = language.simplest_value(callee.class?)?;
        Some(Arc::from(value.as_bytes()))
    }

    fn result_texts(&self, copy: &CopiedCall, call: &FunctionCall) -> Option<Vec<Arc<[u8]>>> {
        if let Some(result) = self.result {
            return Some(copy.expand_value(result).to_vec());
        }
        Some(vec![self.simplest_value(call)?])
    }

    /// The edit that puts copies in these places, and removes the function.
    fn substitute(
        &self,
        places: Vec<(NodePath, TokenTexts)>,
        copied: &[&Arc<ProgramNode>],
    ) -> Option<NameSubstitution> {
        let names = self.version.name_graph();
        let mut losses = SymbolLosses::default();
        let (mut own, mut used) = (FxHashSet::default(), FxHashSet::default());
        for call in &self.calls {
            losses.add_node(names, call.path.node());
            let arguments = call.arguments.iter();
            let inside = arguments.flat_map(|node| names.occurrences_below(node));
            used.extend(inside.map(|fact| fact.symbol));
        }
        for fact in copied.iter().flat_map(|node| names.occurrences_below(node)) {
            match fact.role {
                NameRole::Declares => own.insert(fact.symbol),
                NameRole::Uses => used.insert(fact.symbol),
            };
        }
        // What the copy declares is declared there.
        for &symbol in &own {
            losses.add_count(symbol, names.symbol_count(symbol));
        }
        let parameters: FxHashSet<_> = self
            .parameters
            .iter()
            .flatten()
            .map(|own| own.name)
            .collect();
        used.retain(|symbol| !own.contains(symbol) && !parameters.contains(symbol));
        let closure = RemovalClosure::new(self.version, losses);
        let mut closure = closure.with_copied_uses(used.into_iter());
        closure.add_symbol(self.name)?;
        NameSubstitution::with_removal(self.version, places, closure.to_edit())
    }
}

impl<'a> FunctionBody<'a> {
    /// The statements in a body, without the one that is or contains the result.
    fn find(
        version: &'a Version,
        whole: &'a Arc<ProgramNode>,
        result: Option<&Arc<ProgramNode>>,
    ) -> Option<FunctionBody<'a>> {
        let mut parts = walk::preorder(whole);
        let list = parts.find(|node| node.shape.is_list())?;
        let returned = result.and_then(|result| version.path_to(result.id));
        let holds_result = |item: &&Arc<ProgramNode>| {
            let mut nodes = returned.iter().flat_map(|path| &path.nodes);
            nodes.any(|node| node.id == item.id)
        };
        let items = walk::iter_items(list).map(strip_separator);
        let statements = items.filter(|item| item.sums().tokens > 0 && !holds_result(item));
        let statements: Vec<_> = statements.collect();
        let early_values = statements
            .iter()
            .flat_map(|statement| find_returned_values(version, statement))
            .collect();
        Some(FunctionBody {
            list,
            statements,
            early_values,
        })
    }

    /// The innermost element around a call in whose place the statements of the body may stand.
    fn statement_around(&self, version: &'a Version, call: &NodePath<'a>) -> Option<NodePath<'a>> {
        let lists = (0..call.nodes.len()).rev();
        let elements = lists.filter(|&depth| call.nodes[depth].shape.is_list());
        let mut paths = elements.filter_map(|depth| {
            let (_, element) = call.child_below(depth)?;
            version.path_to(strip_separator(element).id)
        });
        paths.find(|path| {
            version.shares_language(path.document, self.list.id)
                && items_fit_place(version, path, self.list)
        })
    }
}

/// The values that `return`s inside of a node have.
fn find_returned_values(version: &Version, statement: &Arc<ProgramNode>) -> Vec<ReturnedValue> {
    let returns = find_returns(version, statement).into_iter();
    let values = returns.filter_map(|node| {
        let leaves: Vec<_> = token_leaves(node).skip(1).collect();
        let end = leaves.iter().rposition(|leaf| leaf.text() != b";")?;
        Some(ReturnedValue {
            first: leaves[0].id,
            last: leaves[end].id,
        })
    });
    values.collect()
}

/// The statements inside of a node that `@return` captures, in the order of the text.
pub(in crate::pass) fn find_returns<'a>(
    version: &Version,
    around: &'a Arc<ProgramNode>,
) -> Vec<&'a Arc<ProgramNode>> {
    let names = version.name_graph();
    let mut known: Option<NodeId> = None;
    let mut found = Vec::new();
    for node in walk::preorder(around) {
        // The outermost node that begins with the word is the statement, but for lists of statements.
        if node.shape.is_list() || node.shape.is_leaf() || node.class.is_none() {
            continue;
        }
        let Some(first) = walk::leaf_at(node, 0) else {
            continue;
        };
        if known != Some(first.id) && first.ids().iter().any(|&token| names.ends_body(token)) {
            known = Some(first.id);
            found.push(node);
        }
    }
    found
}

/// What is around a node inside of a node stands around another value.
fn wrap_value(around: &Arc<ProgramNode>, inner: &Arc<ProgramNode>) -> ValueChange {
    let inside: FxHashSet<NodeId> = token_leaves(inner).map(|leaf| leaf.id).collect();
    let (mut change, mut is_behind) = (ValueChange::default(), false);
    for (at, leaf) in token_leaves(around).enumerate() {
        let trivia = if at == 0 { &[] } else { leaf.trivia() };
        let text = Arc::from([trivia, leaf.text()].concat());
        match (inside.contains(&leaf.id), is_behind) {
            (true, false) => {
                change.gap = trivia.into();
                is_behind = true;
            }
            (true, true) => {}
            (false, false) => change.before.push(text),
            (false, true) => change.after.push(text),
        }
    }
    change
}

/// The calls in which these leaves name the callee; none if one of them names no callee, or if calls are nested.
fn find_calls<'a>(
    version: &'a Version,
    name: NameSymbol,
    uses: &[NodePath<'a>],
) -> Option<Vec<FunctionCall<'a>>> {
    let mut calls = Vec::new();
    // How many uses each node holds.
    let mut below: FxHashMap<NodeId, usize> = FxHashMap::default();
    for node in uses.iter().flat_map(|path| path.nodes.iter()) {
        *below.entry(node.id).or_default() += 1;
    }
    let count_below = |id: NodeId| below.get(&id).copied().unwrap_or_default();
    for (list, arguments) in slot_nodes(version, name, false) {
        let path = version.path_to(list.leaf)?;
        let (call, arguments_at) = call_around(version, &path)?;
        // The list of arguments is a part of the call.
        let callees = count_below(call.node().id) - count_below(arguments_at);
        (callees == 1).then_some(())?;
        calls.push(FunctionCall {
            path: call,
            arguments,
        });
    }
    let ids: FxHashSet<NodeId> = calls.iter().map(|call| call.path.node().id).collect();
    let is_nested = |call: &FunctionCall| call.path.ancestors().any(|node| ids.contains(&node.id));
    (calls.len() == uses.len() && !calls.iter().any(is_nested)).then_some(calls)
}

/// The call whose list of arguments begins with the leaf at the end of a path, and that list.
fn call_around<'a>(version: &'a Version, leaf: &NodePath<'a>) -> Option<(NodePath<'a>, NodeId)> {
    let first = leaf.node().id;
    let begins = |node: &Arc<ProgramNode>| walk::leaf_at(node, 0).is_some_and(|at| at.id == first);
    let around = leaf.nodes.iter().rposition(|node| !begins(node))?;
    let list = leaf.nodes.get(around + 1)?.id;
    let call = leaf.nodes[..=around]
        .iter()
        .rposition(|node| node.class.is_some())?;
    Some((version.path_to(leaf.nodes[call].id)?, list))
}

/// The parameters of a function in their order; none for one that what it does does not use.
fn find_parameters(
    version: &Version,
    name: NameSymbol,
    own: &Arc<ProgramNode>,
) -> Vec<Option<Parameter>> {
    let names = version.name_graph();
    let used: FxHashSet<NameSymbol> = names
        .occurrences_below(own)
        .map(|fact| fact.symbol)
        .collect();
    let used_parameter = |node: Arc<ProgramNode>| {
        let declares = |fact: &NameOccurrence| fact.role == NameRole::Declares;
        let name = names.occurrences_below(&node).find(declares)?.symbol;
        used.contains(&name).then_some(Parameter { name, node })
    };
    let lists = slot_nodes(version, name, true);
    let mut lists = lists.map(|(_, nodes)| Vec::from_iter(nodes.into_iter().map(used_parameter)));
    lists
        .find(|list| list.iter().any(Option::is_some))
        .unwrap_or_default()
}

/// What is copied for a call: arguments stand in the places of parameters.
struct CopiedCall<'a> {
    version: &'a Version,
    arguments: FxHashMap<NameSymbol, TokenTexts>,
    /// The values that `return`s inside of it have, by their first leaf, and what becomes of them.
    changed_values: FxHashMap<NodeId, NodeId>,
    change: ValueChange,
    encloses: bool,
}

impl<'a> CopiedCall<'a> {
    /// None if a parameter that is used has no argument, or one that is no value.
    fn new(
        function: &CalledFunction<'a>,
        call: &FunctionCall,
        form: ArgumentForm,
    ) -> Option<CopiedCall<'a>> {
        let encloses = form == ArgumentForm::Enclosed;
        let mut arguments = FxHashMap::default();
        for (at, parameter) in function.parameters.iter().enumerate() {
            let Some(parameter) = parameter else { continue };
            let argument = call.arguments.get(at)?;
            is_value_of(function.version, parameter.name, argument).then_some(())?;
            if form != ArgumentForm::Variable {
                let texts = copy_texts(argument);
                arguments.insert(parameter.name, enclose(texts, encloses));
            }
        }
        Some(CopiedCall {
            version: function.version,
            arguments,
            changed_values: FxHashMap::default(),
            change: ValueChange::default(),
            encloses,
        })
    }

    /// The values of these `return`s change.
    fn change_values(&mut self, values: &[ReturnedValue], change: ValueChange) {
        let ends = values.iter().map(|value| (value.first, value.last));
        (self.changed_values, self.change) = (ends.collect(), change);
    }

    /// The tokens of a node with the arguments.
    fn expand(&self, node: &Arc<ProgramNode>) -> Vec<Arc<[u8]>> {
        let names = self.version.name_graph();
        let mut texts: Vec<Arc<[u8]>> = Vec::new();
        let mut value_end = None;
        for leaf in token_leaves(node) {
            let mut trivia = match texts.is_empty() {
                true => &[],
                false => leaf.trivia(),
            };
            if let Some(&last) = self.changed_values.get(&leaf.id) {
                value_end = Some(last);
                for (at, text) in self.change.before.iter().enumerate() {
                    let own = if at == 0 { trivia } else { &[] };
                    texts.push(Arc::from([own, text].concat()));
                }
                if !self.change.before.is_empty() {
                    trivia = &self.change.gap;
                }
            }
            let is_end = value_end == Some(leaf.id);
            if value_end.is_some() && self.change.replaces {
                value_end = value_end.filter(|_| !is_end);
                continue;
            }
            let mut used = names.leaf_occurrences(leaf);
            match used.find_map(|fact| self.arguments.get(&fact.symbol)) {
                Some(argument) => {
                    let first = argument.first().map_or(&[][..], |first| &**first);
                    texts.push(Arc::from([trivia, first].concat()));
                    texts.extend(argument.iter().skip(1).cloned());
                }
                None => texts.push(Arc::from([trivia, leaf.text()].concat())),
            }
            if is_end {
                texts.extend(self.change.after.iter().cloned());
                value_end = None;
            }
        }
        texts
    }

    /// The same of a value, in parentheses if that is wanted.
    fn expand_value(&self, node: &Arc<ProgramNode>) -> TokenTexts {
        // One token may stand for a whole argument, which has its own.
        let is_token = token_leaves(node).nth(1).is_none();
        enclose(self.expand(node), self.encloses && !is_token)
    }
}

/// Several tokens in parentheses, if that is wanted.
pub(in crate::pass) fn enclose(texts: Vec<Arc<[u8]>>, encloses: bool) -> TokenTexts {
    if !encloses || texts.len() < 2 {
        return texts.into();
    }
    let mark = |text: &'static [u8]| [Arc::from(text)];
    mark(b"(")
        .into_iter()
        .chain(texts)
        .chain(mark(b")"))
        .collect()
}

/// A new line before a token.
fn begin_line(text: &mut Arc<[u8]>) {
    let word = text.trim_ascii_start();
    *text = Arc::from([b"\n", word].concat());
}

/// Whether a statement is a call and at most one token more.
fn is_call_alone(statement: &Arc<ProgramNode>, call: &Arc<ProgramNode>) -> bool {
    let first = |node| walk::leaf_at(node, 0).map(|leaf| leaf.id);
    first(statement) == first(call) && statement.sums().tokens <= call.sums().tokens + 1
}

/// Whether an argument is of the kind of what names the parameter: not several values, such as `*list`.
pub(in crate::pass) fn is_value_of(
    version: &Version,
    parameter: NameSymbol,
    argument: &Arc<ProgramNode>,
) -> bool {
    let mut sites = version.name_graph().declaration_sites(parameter).iter();
    let Some(path) = sites.find_map(|site| version.path_to(site.leaf)) else {
        return false;
    };
    let language = version.documents()[path.document].language;
    let Some((language, own)) = language.zip(path.node().class) else {
        return false;
    };
    if !version.shares_language(path.document, argument.id) {
        return false;
    }
    let mut parts = walk::preorder(argument);
    parts.any(|part| {
        part.sums().tokens == argument.sums().tokens
            && part
                .class
                .is_some_and(|class| language.grammar().are_related(class, own))
    })
}
