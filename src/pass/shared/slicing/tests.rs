//! Programs, lines of them, and what lies outside of their slices.

use std::path::Path;
use std::sync::Arc;

use super::guesses::guess_slices;
use super::{Slice, SliceLevel, SliceTarget};
use crate::program::{
    Constraint, ConstraintRule, ConstraintSet, NodeTarget, Version, View, read_program, tokens_of,
    walk,
};

fn read(name: &str, text: &str) -> Version {
    let text: Arc<[u8]> = text.as_bytes().into();
    read_program(vec![(Path::new(name).into(), text)]).expect("it can be read")
}

/// The program whose place is the line that contains this text.
fn view_at(name: &str, text: &str, at: &str) -> View {
    let line = text.lines().position(|line| line.contains(at));
    let line = line.expect("the line is there") as u32 + 1;
    let mut view = View::new(read(name, text));
    let nodes = NodeTarget::Lines(line, line).find_nodes(&view.version);
    let tokens = nodes
        .expect("a line")
        .iter()
        .flat_map(|node| tokens_of(node, true))
        .collect::<Vec<_>>();
    let mut constraints = ConstraintSet::default();
    constraints.add_constraint(Constraint {
        rule: ConstraintRule::Place,
        tokens: tokens.into(),
        name: "the place".into(),
        line: Some(line),
    });
    view.set_constraints(constraints, &[]);
    view
}

/// The parts outside of a slice, as text with single blanks.
fn parts_of(view: &View, slice: &Slice) -> Vec<String> {
    let nodes = slice.outside.iter().map(|part| {
        let texts = part.nodes.iter().map(|&node| {
            let node = view.version.find_node(node).expect("it is there");
            let text = String::from_utf8(walk::render_text(node)).expect("UTF-8");
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        });
        texts.collect::<Vec<_>>().join(" + ")
    });
    nodes.collect()
}

fn outside(name: &str, text: &str, at: &str, level: SliceLevel) -> Vec<String> {
    let view = view_at(name, text, at);
    let target = SliceTarget::of_place(&view).expect("a place");
    parts_of(&view, &Slice::find(&view, &target, level))
}

#[test]
fn of_the_statements_those_stay_that_the_line_needs() {
    for (name, text, gone) in [
        (
            "a.c",
            "int f(int n, int *q) {\n  int a = n, i;\n  int b = 0;\n  for (i = 0; i < n; i++) {\n    b++;\n    q[i] = a;\n  }\n  g(q);\n  g(b);\n  if (b) { return 1; }\n  *q = 2; // here\n  n = 3;\n  return n;\n}\n",
            &[
                "int b = 0;",
                "b++;",
                "g(b);",
                "if (b) { return 1; }",
                "n = 3;",
                "return n;",
            ][..],
        ),
        (
            "a.cpp",
            "int f(int n) {\n  S s; T t;\n  t.x = n;\n  s.x.y[0] = 1;\n  ++n;\n  s.g(n);\n  return s.h(); // here\n}\n",
            &["T t;", "t.x = n;"],
        ),
        (
            "a.java",
            "class A {\n  int f(int n) {\n    int a = 0, b = 0;\n    int c = 0;\n    while (n > 0) {\n      c += n;\n      n--;\n      a = n;\n    }\n    System.out.println(c);\n    b = a; // here\n    return b;\n  }\n}\n",
            &[
                "int c = 0;",
                "c += n;",
                "System.out.println(c);",
                "return b;",
            ],
        ),
        (
            "a.kt",
            "fun f(n: Int): Int {\n  var a = 0\n  var b = 0\n  for (i in 1..n) {\n    a++\n    b += i\n  }\n  println(b)\n  val c = a // here\n  return c\n}\n",
            &["var b = 0", "b += i", "println(b)", "return c"],
        ),
        (
            "a.rs",
            "fn f(mut n: u8) -> u8 {\n    let mut a = 0;\n    let mut b = vec![0];\n    g(&mut a);\n    b[0] = 1;\n    while n > 0 {\n        n -= 1;\n        b.push(n);\n    }\n    let c = a; // here\n    c + n\n}\n",
            &[
                "let mut b = vec![0];",
                "b[0] = 1;",
                "while n > 0 { n -= 1; b.push(n); }",
                "c + n",
            ],
        ),
        (
            "a.js",
            "function f(n) {\n  let a = 0, b = [];\n  let c = 0;\n  b[0] = n;\n  c += 1;\n  a++;\n  log(c);\n  b.push(1);\n  return [a, b]; // here\n}\n",
            &["let c = 0;", "c += 1;", "log(c);"],
        ),
        (
            "a.ts",
            "function f(n: number) {\n  const o: T = g();\n  let c = 0;\n  o.x = n;\n  --c;\n  h(o); // here\n  throw c;\n}\n",
            &["let c = 0;", "--c;", "throw c;"],
        ),
        (
            "a.tsx",
            "function f(n: number) {\n  const o = g();\n  let c = 0;\n  c -= 1;\n  return <p>{o}</p>; // here\n}\n",
            &["let c = 0;", "c -= 1;"],
        ),
        (
            "a.py",
            "def f(n):\n    a = 0\n    b = []\n    c = 0\n    for i in n:\n        a += i\n        c += 1\n    if c:\n        c = 2\n    b[0] = n\n    g(a) # here\n    return b\n",
            &[
                "c = 0",
                "c += 1",
                "if c: c = 2",
                "b = []",
                "b[0] = n",
                "return b",
            ],
        ),
        (
            "a.go",
            "package p\n\nfunc f(n int) int {\n\ta, b := 0, 0\n\tc := 0\n\tfor i := 0; i < n; i++ {\n\t\tc += i\n\t}\n\ta++\n\tb = n\n\tg(c)\n\treturn a + b // here\n}\n",
            &["c := 0", "for i := 0; i < n; i++ { c += i }", "g(c)"],
        ),
    ] {
        let mut found = outside(name, text, "here", SliceLevel::Statements);
        let mut gone: Vec<String> = gone.iter().map(|part| (*part).to_owned()).collect();
        found.sort();
        gone.sort();
        assert_eq!(found, gone, "{name}");
    }
}

#[test]
fn an_assignment_changes_the_name_behind_a_cast_and_each_part_of_a_pattern() {
    for (name, text, gone) in [
        (
            "a.c",
            "struct s { int x; };\nint f(void *p, void *q) {\n  ((struct s *)p)->x = 1;\n  ((struct s *)q)->x = 2;\n  return g(p); // here\n}\n",
            &["((struct s *)q)->x = 2;"][..],
        ),
        (
            "a.js",
            "function f(y, o) {\n  let v, w, x, z;\n  [z, x] = [y, y];\n  ({ a: z, b: [v] } = y);\n  [w] = [y];\n  [z, o.c] = [y, y];\n  return [x, v, o]; // here\n}\n",
            &["[w] = [y];"],
        ),
        (
            "a.ts",
            "function f(y: T[]) {\n  let w, x, z;\n  for ([z, x] of y) ;\n  for (w of y) ;\n  return x; // here\n}\n",
            &["for (w of y) ;"],
        ),
        (
            "a.rs",
            "struct S { a: u8, b: u8 }\nfn f(y: u8, s: S) -> u8 {\n    let (mut v, mut w, mut x, mut z);\n    (z, x) = (y, y);\n    S { a: z, b: v } = s;\n    [w] = [y];\n    x + v // here\n}\n",
            &["[w] = [y];"],
        ),
        (
            "a.py",
            "def f(y, o, p, q):\n    o.x, p[0] = y\n    q[0], o.z = y\n    return p # here\n",
            &["q[0], o.z = y"],
        ),
        (
            "a.go",
            "package p\n\nfunc f(xs []int) int {\n\tvar i, x, y int\n\tfor i, x = range xs {\n\t}\n\tfor y = range xs {\n\t}\n\treturn x // here\n}\n",
            &["for y = range xs { }"],
        ),
    ] {
        let found = outside(name, text, "here", SliceLevel::Statements);
        assert_eq!(found, gone, "{name}");
    }
}

#[test]
fn a_statement_that_leaves_a_block_goes_although_it_calls_something() {
    for (name, text, gone) in [
        (
            "a.c",
            "int f(int n) {\n  if (n) { return g(n); }\n  raise(n);\n  return n; // here\n}\n",
            &["if (n) { return g(n); }"][..],
        ),
        (
            "a.cpp",
            "task f(int n) {\n  if (n > 1) { co_return g(n); }\n  if (n) { throw g(n); }\n  co_yield g(n);\n  raise(n);\n  h(n); // here\n}\n",
            &[
                "if (n > 1) { co_return g(n); }",
                "if (n) { throw g(n); }",
                "co_yield g(n);",
            ],
        ),
        (
            "a.go",
            "package p\n\nfunc f(n int) int {\n\tif n > 0 {\n\t\treturn g(n)\n\t}\n\traise(n)\n\treturn n // here\n}\n",
            &["if n > 0 { return g(n) }"],
        ),
        (
            "a.java",
            "class A {\n  int f(int n) {\n    if (n > 0) { throw g(n); }\n    raise(n);\n    return n; // here\n  }\n}\n",
            &["if (n > 0) { throw g(n); }"],
        ),
        (
            "a.js",
            "function f(n) {\n  if (n) { throw g(n); }\n  raise(n);\n  return n; // here\n}\n",
            &["if (n) { throw g(n); }"],
        ),
        (
            "a.ts",
            "function f(n: number) {\n  if (n) { return g(n); }\n  raise(n);\n  return n; // here\n}\n",
            &["if (n) { return g(n); }"],
        ),
        (
            "a.tsx",
            "function f(n: number) {\n  if (n) { return g(n); }\n  raise(n);\n  return n; // here\n}\n",
            &["if (n) { return g(n); }"],
        ),
        (
            "a.kt",
            "fun f(n: Int): Int {\n  if (n > 0) { throw g(n) }\n  raise(n)\n  return n // here\n}\n",
            &["if (n > 0) { throw g(n) }"],
        ),
        (
            "a.py",
            "def f(n):\n    if n:\n        raise g(n)\n    yield g(n)\n    log(n)\n    h(n) # here\n",
            &["if n: raise g(n)", "yield g(n)"],
        ),
        (
            "a.rs",
            "fn f(n: u8) -> u8 {\n    if n > 0 {\n        return g(n);\n    }\n    raise(n);\n    n // here\n}\n",
            &["if n > 0 { return g(n); }"],
        ),
    ] {
        let found = outside(name, text, "here", SliceLevel::Statements);
        assert_eq!(found, gone, "{name}");
    }
}

const SHAPES: &str = "class Square {\n  private val a = 1.0\n  fun getPerimeter(): Double { return a * 4 }\n  fun getSquare(): Double { return a * a }\n}\nclass Triangle {\n  private val a = 3.0\n  private val b = 4.0\n  private val c = 5.0\n  fun getPerimeter(): Double { return a + b + c }\n  fun getSquare(): Double {\n    var square = 0.0\n    if (a * a + b * b == c * c) {\n      square = a * b\n    } else {\n      val p = getPerimeter() / 2\n      square = Math.sqrt(p * (p - a) * (p - b) * (p - c))\n    }\n    return square\n  }\n}\n";

#[test]
fn the_paper_s_triangle_keeps_its_first_branch() {
    let found = |level| outside("shapes.kt", SHAPES, "square = a * b", level);
    assert_eq!(
        found(SliceLevel::Statements),
        [
            "val p = getPerimeter() / 2 square = Math.sqrt(p * (p - a) * (p - b) * (p - c))",
            "return square"
        ]
    );
    // The other branch still calls it.
    assert!(found(SliceLevel::Functions).is_empty());
    let square = "class Square { private val a = 1.0 fun getPerimeter(): Double { return a * 4 } fun getSquare(): Double { return a * a } }";
    assert_eq!(found(SliceLevel::Classes), [square]);
}

#[test]
fn what_the_function_calls_stays_and_what_calls_it() {
    let text = "int low(int n) { return n; }\nint far(int n);\nint top(int n) { return far(n); }\nint far(int n) { return low(n); }\nint used(int n) { return n; }\nint f(int n) {\n  return used(n); // here\n}\nint user(void) { return f(1); }\nint main(void) { return 0; }\n";
    assert_eq!(
        outside("a.c", text, "here", SliceLevel::Functions),
        [
            "int low(int n) { return n; }",
            "int far(int n); + int far(int n) { return low(n); }",
            "int top(int n) { return far(n); }"
        ]
    );
}

#[test]
fn a_declaration_of_several_functions_stays_with_one_of_them_and_goes_once() {
    let definitions = "int used(int n) { return n; }\nint unused(int n) { return n; }\nint other(int n) { return n; }\nint f(int n) {\n  return used(n); // here\n}\n";
    let gone = [
        "int unused(int n) { return n; }",
        "int other(int n) { return n; }",
    ];
    for (prototypes, outside_of_it) in [
        ("int used(int), unused(int), other(int);\n", &gone[..]),
        ("int main(void), unused(int);\n", &gone[..]),
        (
            "int unused(int), other(int);\n",
            &[
                "int unused(int), other(int); + int unused(int n) { return n; }",
                "int other(int n) { return n; }",
            ][..],
        ),
    ] {
        let text = format!("{prototypes}{definitions}");
        let found = outside("a.c", &text, "here", SliceLevel::Functions);
        assert_eq!(found, outside_of_it, "{prototypes}");
    }
}

#[test]
fn declarations_and_classes_stay_that_are_named_directly_or_not() {
    let text = "struct inner { int x; };\nstruct outer { struct inner i; };\nstruct other { int x; };\nint step = 1;\nint first = 2, second = 3;\nint unused = 4;\nstruct outer all;\nint f(void) {\n  return all.i.x + step + second; // here\n}\n";
    let found = |level| outside("a.c", text, "here", level);
    assert_eq!(found(SliceLevel::Statements), ["int unused = 4;"]);
    assert_eq!(found(SliceLevel::Classes), ["struct other { int x; };"]);
}

#[test]
fn outside_of_functions_a_line_is_one_of_a_script_or_of_a_declaration() {
    let script = "import os\nimport sys\n\ndef g(n):\n    return n\n\na = sys.argv\nb = 1\nprint(b)\ng(a) # here\nb = 2\n";
    assert_eq!(
        outside("a.py", script, "here", SliceLevel::Statements),
        ["import os", "b = 1", "print(b)", "b = 2"]
    );
    let module =
        "use a::A;\nuse b::B;\nstruct S {\n    a: A, // here\n}\nconst N: u8 = 1;\nfn f(b: B) {}\n";
    assert_eq!(
        outside("a.rs", module, "here", SliceLevel::Statements),
        ["use b::B;", "const N: u8 = 1;"]
    );
    assert_eq!(
        outside("a.rs", module, "here", SliceLevel::Functions),
        ["fn f(b: B) {}"]
    );
}

#[test]
fn an_implementation_goes_with_its_type() {
    let text = "struct A;\nstruct B;\nimpl B {\n    fn g(&self) {}\n}\nfn f(a: A) {\n    h(a); // here\n}\n";
    assert_eq!(
        outside("a.rs", text, "here", SliceLevel::Classes),
        ["struct B;", "impl B { fn g(&self) {} }"]
    );
}

#[test]
fn without_a_line_the_shortest_slices_come_first() {
    let view = View::new(read(
        "a.c",
        "int f(int n) {\n  int a = n;\n  int b = a;\n  int c = b;\n  return c;\n}\n",
    ));
    let guesses = guess_slices(&view);
    let lines: Vec<&str> = guesses.iter().map(|guess| &*guess.slice.line).collect();
    assert_eq!(lines, ["line 2", "line 3", "line 4"]);
    assert_eq!(
        parts_of(&view, &guesses[1].slice),
        ["int c = b;", "return c;"]
    );
}
