//! The name graph: declarations and uses. (program, name, what the graph has on it.)

use std::collections::BTreeMap;

use crate::common::{read, small_program, text};
use lop::program::names::{DeclarationKind, NameRole, NameSymbol, count_losses, removed_places};
use lop::program::{self, Edit, EditOp, Version, walk};
use lop::protocol::IndexRanges;
use proptest::prelude::*;

/// The symbols of that name, each with what declares it and how many tokens declare and use it.
fn symbols(version: &Version, name: &str) -> Vec<(Option<DeclarationKind>, u32, u32)> {
    let names = version.name_graph();
    let of_name = names
        .symbols()
        .filter(|&symbol| &**names.symbol_name(symbol) == name);
    of_name
        .map(|symbol| {
            let count = names.symbol_count(symbol);
            (names.declaration_kind(symbol), count.declares, count.uses)
        })
        .collect()
}

#[test]
fn a_name_means_the_declaration_around_it() {
    let version = read(
        "a.c",
        "int x;\nint f(int x) { return x; }\nint g(void) { { int x = 1; x++; } return x + x; }\n",
    );
    assert_eq!(
        symbols(&version, "x"),
        [
            (Some(DeclarationKind::Var), 1, 2),
            (Some(DeclarationKind::Param), 1, 1),
            (Some(DeclarationKind::Var), 1, 1),
        ]
    );
}

#[test]
fn tags_fields_labels_and_other_names_are_apart() {
    let version = read(
        "a.c",
        "struct a { int a; };\nstruct a b;\nint f(void) { a: goto a; return b.a; }\nint a;\n",
    );
    assert_eq!(
        symbols(&version, "a"),
        [
            (Some(DeclarationKind::Struct), 1, 1),
            (Some(DeclarationKind::Field), 1, 1),
            (Some(DeclarationKind::Label), 1, 1),
            (Some(DeclarationKind::Var), 1, 0),
        ]
    );
}

#[test]
fn a_typedef_of_what_the_parser_takes_for_a_primitive_type_is_a_name() {
    let version = read(
        "a.c",
        "typedef int int32_t;\nint32_t x;\nint32_t f(int32_t a);\n",
    );
    assert_eq!(
        symbols(&version, "int32_t"),
        [(Some(DeclarationKind::Type), 1, 3)]
    );
}

#[test]
fn declarators_nest() {
    let version = read(
        "a.c",
        "int *(*f)(int a), *g[2][3], (h);\nint (k)(void) { return *g[0][1] + h + f(1); }\n",
    );
    for (name, uses) in [("f", 1), ("g", 1), ("h", 1), ("k", 0)] {
        let [(_, declares, found)] = symbols(&version, name)[..] else {
            panic!("{name} is one name: {:?}", symbols(&version, name));
        };
        assert_eq!((declares, found), (1, uses), "{name}");
    }
}

#[test]
fn a_prototype_and_its_definition_declare_one_function() {
    let version = read(
        "a.c",
        "int f(int);\nint main(void) { return f(1); }\nint f(int a) { return a; }\n",
    );
    assert_eq!(symbols(&version, "f"), [(Some(DeclarationKind::Var), 2, 1)]);
}

#[test]
fn a_token_that_the_parser_put_in_declares_nothing() {
    let version = read("a.c", "int f(void) { int ; return }\nint x\n");
    assert_eq!(symbols(&version, ""), []);
}

#[test]
fn without_a_query_every_word_is_a_use() {
    let version = read("a.txt", "one two one\nthree\n");
    assert_eq!(symbols(&version, "one"), [(None, 0, 2)]);
    assert_eq!(symbols(&version, "three"), [(None, 0, 1)]);
}

#[test]
#[ignore = "long"]
fn a_hundred_thousand_nested_parentheses_have_names_too() {
    let depth = 100_000;
    let program = format!("int x = {}y{};\n", "(".repeat(depth), ")".repeat(depth));
    let version = read("a.c", &program);
    assert_eq!(symbols(&version, "x"), [(Some(DeclarationKind::Var), 1, 0)]);
}

/// What each token of a version says: its identity, the name, and its role.
fn facts(version: &Version) -> BTreeMap<u64, (String, bool)> {
    let names = version.name_graph();
    let mut facts = BTreeMap::new();
    for leaf in version
        .documents()
        .iter()
        .flat_map(|document| walk::iter_leaves(&document.root))
    {
        let ids = leaf.ids();
        for fact in names.leaf_occurrences(leaf) {
            let said = (
                names.symbol_name(fact.symbol).to_string(),
                fact.role == NameRole::Declares,
            );
            facts.insert(ids[0].0, said);
        }
    }
    facts
}

/// The counts of the graph, beside those of a walk over the tree.
fn counts(version: &Version) -> [Vec<(NameSymbol, u32, u32)>; 2] {
    let names = version.name_graph();
    let kept = names.symbols().map(|symbol| {
        let count = names.symbol_count(symbol);
        (symbol, count.declares, count.uses)
    });
    let mut found: BTreeMap<NameSymbol, (u32, u32)> = BTreeMap::new();
    for document in version.documents() {
        for fact in names.occurrences_below(&document.root) {
            let count = found.entry(fact.symbol).or_default();
            match fact.role {
                NameRole::Declares => count.0 += 1,
                NameRole::Uses => count.1 += 1,
            }
        }
    }
    let found = names.symbols().map(|symbol| {
        let (declares, uses) = found.get(&symbol).copied().unwrap_or_default();
        (symbol, declares, uses)
    });
    [kept.collect(), found.collect()]
}

/// The symbols that an edit declares and the rest uses, and those that the rest does not declare: as they are found, and by counting
/// all that goes.
fn reaching(version: &Version, edit: &Edit) -> [[Vec<NameSymbol>; 2]; 2] {
    let (names, going) = (version.name_graph(), removed_places(version, edit));
    let found = names.escaping_symbols(version, &going);
    let orphaned = |symbol: &NameSymbol| !names.declared_outside(version, *symbol, &going);
    let of_found = found.iter().copied().filter(orphaned).collect();
    let loss = count_losses(version, edit);
    let mut counted = Vec::new();
    for (symbol, gone) in loss.iter() {
        if gone.declares > 0 && gone.uses < names.symbol_count(symbol).uses {
            counted.push(symbol);
        }
    }
    counted.sort_unstable();
    let last = |symbol: &NameSymbol| {
        loss.count_of(*symbol).declares == names.symbol_count(*symbol).declares
    };
    let of_counted = counted.iter().copied().filter(last).collect();
    [[found, of_found], [counted, of_counted]]
}

/// Takes out some elements of some list.
fn some_deletion(version: &Version, (list, first, many): (u16, u16, u8)) -> Option<Edit> {
    let nodes = version
        .documents()
        .iter()
        .flat_map(|document| walk::preorder(&document.root));
    let lists: Vec<_> = nodes.filter(|node| node.shape.is_list()).collect();
    let list = lists.get(list as usize % lists.len().max(1))?;
    let length = list.len() as u32;
    let first = u32::from(first) % length.max(1);
    let items = IndexRanges::from_range(first..(first + u32::from(many % 4) + 1).min(length));
    Some(
        EditOp::DeleteItems {
            list: list.id,
            items,
        }
        .into(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn after_edits_the_graph_is_that_of_the_text_read_anew(
        choices in proptest::collection::vec(any::<u8>(), 40),
        edits in proptest::collection::vec(any::<(u16, u16, u8)>(), 1..12),
    ) {
        let mut version = read("a.c", &small_program(&choices));
        for edit in edits {
            let edit = some_deletion(&version, edit);
            if let Some(edit) = &edit {
                let [found, counted] = reaching(&version, edit);
                prop_assert_eq!(found, counted, "{:?} of {}", edit, text(&version));
            }
            if let Some((next, _)) = edit.and_then(|edit| program::apply_edit(&version, &edit).ok()) {
                version = next;
            }
            let [kept, found] = counts(&version);
            prop_assert_eq!(kept, found, "{}", text(&version));
        }
        let anew = program::reparse_version(&version).expect("it can be read");
        prop_assert_eq!(facts(&version), facts(&anew), "{}", text(&version));
    }
}
