//! Name resolution in each language that has a query for it, in difficult cases; and the passes that depend on it. (program, name, what
//! declares it, and the number of tokens that declare and use it.)

use crate::common::candidates_of_pass::{self, Asked};
use crate::common::read;
use lop::pass::{self, FeatureSet};
use lop::program::names::DeclarationKind;

/// The symbols of a name, as they are declared: `kind declarations/uses`; `-` for a name from outside.
fn symbols(file: &str, program: &str, name: &str) -> Vec<String> {
    let version = read(file, program);
    let names = version.name_graph();
    let of_name = names
        .symbols()
        .filter(|&symbol| &**names.symbol_name(symbol) == name);
    let said = of_name.map(|symbol| {
        let count = names.symbol_count(symbol);
        let kind = names
            .declaration_kind(symbol)
            .map_or("-".to_owned(), |kind| format!("{kind:?}"));
        format!("{kind} {}/{}", count.declares, count.uses)
    });
    said.collect()
}

/// Has a pass run alone, with all that names tell it.
fn pass(kind: &pass::PassKind, file: &str, program: &str, keeps: &[&str]) -> (Vec<Asked>, String) {
    candidates_of_pass::pass(kind, (file, program), FeatureSet::default(), |text| {
        keeps.iter().all(|part| text.contains(part))
    })
}

/// The questions of gc.
fn gc(asked: &[Asked]) -> Vec<&Asked> {
    let of_gc = |asked: &&Asked| asked.sentence.contains("any more");
    asked.iter().filter(of_gc).collect()
}

#[test]
fn a_java_member_is_known_before_its_declaration_and_apart_from_locals() {
    let program = "class A {\n  int f() { int n = 1; return n + m() + this.n; }\n  int m() { return n; }\n  int n;\n}\n";
    assert_eq!(symbols("A.java", program, "m"), ["Member 1/1"]);
    assert_eq!(
        symbols("A.java", program, "n"),
        ["Var 1/1", "Member 1/2"],
        "the local hides the member from `n`, not from `this.n`"
    );
}

#[test]
fn java_classes_of_one_name_in_two_classes_are_two() {
    let program =
        "class A { class Node {} Node a; }\nclass B { class Node {} Node b; A.Node c; }\n";
    assert_eq!(
        symbols("A.java", program, "Node"),
        ["Type 1/1", "Type 1/1", "- 0/1"]
    );
}

#[test]
fn a_java_import_goes_with_the_last_method_that_needs_it() {
    let program = "import java.util.ArrayList;\nimport java.util.List;\nclass A {\n  void f() { g(new ArrayList()); }\n  void g(List l) { }\n  void keep() { }\n}\n";
    let (asked, left) = pass(&pass::HEAVIEST, "A.java", program, &["keep", "class A"]);
    assert!(gc(&asked).iter().any(|asked| asked.yes), "{asked:#?}");
    assert!(!left.contains("import"), "{left}");
}

#[test]
fn a_rust_item_belongs_to_its_module_and_is_reached_by_a_path() {
    let program = "mod a { pub fn f() {} fn g() { f() } }\nmod b { pub fn g() { super::a::f(); } }\nuse b::g;\nfn main() { g(); b::g(); }\n";
    assert_eq!(symbols("a.rs", program, "f"), ["Function 1/2"]);
    assert_eq!(
        symbols("a.rs", program, "g"),
        ["Function 1/0", "Function 1/0", "Import 1/1", "- 0/1"],
        "two modules have a `g`, so nobody knows which one the path means"
    );
}

#[test]
fn a_rust_import_of_the_programs_own_is_a_use_and_any_other_declares() {
    let program = "mod a { pub struct S; }\nmod b { use super::a::S; use std::fmt::Debug; fn f<T: Debug>(s: S) {} }\n";
    assert_eq!(symbols("a.rs", program, "S"), ["Type 1/2"]);
    assert_eq!(symbols("a.rs", program, "Debug"), ["Import 1/1"]);
}

#[test]
fn rust_patterns_declare_small_words_and_macros_use_what_is_in_them() {
    let program = "const X: i32 = 1;\nfn f(o: Option<(i32, i32)>) -> i32 {\n  match o { Some((a, X)) => a, Some((b, _)) if b > 0 => { println!(\"{}\", b); 0 } _ => 0 }\n}\n";
    assert_eq!(symbols("a.rs", program, "X"), ["Var 1/1"]);
    assert_eq!(symbols("a.rs", program, "a"), ["Var 1/1"]);
    assert_eq!(symbols("a.rs", program, "b"), ["Var 1/2"]);
}

#[test]
fn a_rust_type_goes_with_its_impls_and_the_same_method_elsewhere_holds_nothing_back() {
    let program = "struct A;\nimpl A { fn new() -> A { A } }\nimpl Clone for A { fn clone(&self) -> A { A } }\nstruct B;\nimpl B { fn new() -> B { B } }\nfn f() { let _ = A::new(); }\nfn main() { let _ = B::new(); }\n";
    let (asked, left) = pass(
        &pass::TOP_LEVEL,
        "a.rs",
        program,
        &["main", "B::new", "struct B", "-> B"],
    );
    assert!(
        !left.contains('A') && !left.contains("Clone"),
        "{left}\n{asked:#?}"
    );
}

#[test]
fn a_member_holds_itself_back_but_not_what_it_is_a_member_of() {
    let program = "struct Stack(Vec<u8>);\nimpl Stack {\n  fn push(&mut self) {}\n}\nfn main() { Vec::new().push(1u8); }\n";
    let (_, left) = pass(&pass::TOP_LEVEL, "a.rs", program, &["main", "push(1u8)"]);
    assert!(!left.contains("Stack"), "{left}");
}

#[test]
fn a_javascript_var_belongs_to_the_function_and_let_to_the_block() {
    let program = "function f(p) {\n  if (p) { var v = 1; let l = 2; }\n  return v + l + h();\n  function h() { return p; }\n}\n";
    assert_eq!(symbols("a.js", program, "v"), ["Binding 1/1"]);
    assert_eq!(symbols("a.js", program, "l"), ["Var 1/0", "- 0/1"]);
    assert_eq!(symbols("a.js", program, "h"), ["Function 1/1"]);
    assert_eq!(symbols("a.js", program, "p"), ["Param 1/2"]);
}

#[test]
fn a_javascript_property_is_no_variable_and_a_pattern_without_a_declaration_assigns() {
    let program = "import { log, max as m } from 'x';\nlet a = 1, b = 2;\n[a, b] = [b, a];\nconst { log: l } = { log };\nexport class C { log() { m(); return this.log; } }\n";
    assert_eq!(symbols("a.js", program, "a"), ["Var 1/2"]);
    assert_eq!(
        symbols("a.js", program, "log"),
        ["Member 1/2", "Import 1/1"],
        "the key of a pattern is a property, the short form of an object a variable"
    );
    assert_eq!(symbols("a.js", program, "m"), ["Import 1/1"]);
    assert_eq!(symbols("a.js", program, "max"), ["- 0/1"]);
}

#[test]
fn typescript_knows_what_javascript_knows_and_its_types() {
    let program = "interface P { x: number }\ntype Q<T> = T | P;\nfunction f<T>(p: P, q?: Q<T>): number { var v = p.x; return v; }\n";
    for file in ["a.ts", "a.tsx"] {
        assert_eq!(symbols(file, program, "P"), ["Type 1/2"], "{file}");
        assert_eq!(symbols(file, program, "T"), ["Param 1/1", "Param 1/1"]);
        assert_eq!(symbols(file, program, "x"), ["Member 1/1"]);
        assert_eq!(symbols(file, program, "p"), ["Param 1/1"]);
        assert_eq!(symbols(file, program, "v"), ["Binding 1/1"]);
    }
}

#[test]
fn a_kotlin_extension_is_a_member_and_a_lambda_has_parameters_of_its_own() {
    let program = "import kotlin.math.max\nfun String.twice() = this + this\nfun f(x: Int): Int {\n  val s = \"a\".twice()\n  listOf(1).forEach { x -> println(x) }\n  return max(x, s.length)\n}\nclass A(val p: Int, q: Int) { fun g() = p + f(1) }\n";
    assert_eq!(symbols("a.kt", program, "twice"), ["Member 1/1"]);
    assert_eq!(symbols("a.kt", program, "max"), ["Import 1/1"]);
    assert_eq!(symbols("a.kt", program, "x"), ["Param 1/1", "Param 1/1"]);
    assert_eq!(symbols("a.kt", program, "p"), ["Member 1/1"]);
    assert_eq!(symbols("a.kt", program, "q"), ["Param 1/0"]);
    assert_eq!(symbols("a.kt", program, "f"), ["Function 1/1"]);
}

#[test]
fn a_python_variable_belongs_to_the_function_unless_it_says_otherwise() {
    let program = "import os.path\nx = 1\ndef f(a):\n    global x\n    x = 2\n    y = [a for a in os.sep]\n    if a:\n        y = a\n    return y\nclass C:\n    x = 3\n    def m(self):\n        return x + self.x\n";
    assert_eq!(
        symbols("a.py", program, "x"),
        ["Binding 1/3", "Member 1/1"],
        "the global: what the function says and assigns, and what the method returns"
    );
    assert_eq!(symbols("a.py", program, "y"), ["Binding 2/1"]);
    assert_eq!(symbols("a.py", program, "a"), ["Param 1/2", "Var 1/1"]);
    assert_eq!(symbols("a.py", program, "os"), ["Import 1/1"]);
}

#[test]
fn a_go_import_declares_the_last_word_of_its_path_and_methods_go_with_their_type() {
    let program = "package main\n\nimport (\n\t\"fmt\"\n\t\"math/rand\"\n)\n\ntype T struct{ n int }\n\nfunc (t *T) Get() int { return t.n }\n\nfunc f() { fmt.Println(rand.Int(), T{n: 1}) }\n\nfunc main() { f() }\n";
    assert_eq!(symbols("a.go", program, "fmt"), ["Import 1/1"]);
    assert_eq!(symbols("a.go", program, "rand"), ["Import 1/1"]);
    assert_eq!(symbols("a.go", program, "n"), ["Member 1/2"]);
    let (asked, left) = pass(&pass::HEAVIEST, "a.go", program, &["func main"]);
    let questions = gc(&asked);
    assert!(questions.iter().any(|asked| asked.yes), "{asked:#?}");
    assert!(!left.contains("Get") && !left.contains("fmt"), "{left}");
}

#[test]
fn a_cpp_member_outside_of_its_class_is_a_member_and_a_template_has_parameters() {
    let program = "namespace n { struct A { A(); int f(); template <class T> T g(T x); }; int h(); }\nn::A::A() {}\nint n::A::f() { return n::h(); }\nint main() { n::A a; return a.f(); }\n";
    assert_eq!(symbols("a.cpp", program, "f"), ["Member 1/2"]);
    assert_eq!(symbols("a.cpp", program, "h"), ["Var 1/1"]);
    assert_eq!(symbols("a.cpp", program, "T"), ["Param 1/2"]);
    let [a] = &symbols("a.cpp", program, "A")[..] else {
        panic!("{:?}", symbols("a.cpp", program, "A"))
    };
    assert!(a.starts_with("Type 1/"), "{a}");
}

#[test]
fn a_parameter_goes_with_what_every_call_gives_for_it() {
    let program = "int f(int a, int b);\nint f(int a, int b) { return b; }\nint g(int b) { return f(b, f(2, 3)); }\n";
    // `f` has two parameters and two arguments everywhere, or one; and nothing else is to go.
    let fits = |text: &str| {
        let [pairs, names] = [",", "int a"].map(|part| text.matches(part).count());
        text.contains("int g(int b) { return f(") && [(4, 2), (0, 0)].contains(&(pairs, names))
    };
    let whole = |text: &str| text.matches("f(").count() == 4 && text.contains("{ return b; }");
    let interesting = |text: &str| fits(text) && whole(text);
    let file = ("a.c", program);
    let (asked, left) =
        candidates_of_pass::pass(&pass::HEAVIEST, file, FeatureSet::default(), interesting);
    assert!(!left.contains("int a"), "{left}\n{asked:#?}");
    let with = "parameter `a` with its argument in 2 calls";
    let told = asked.iter().find(|asked| asked.sentence.contains(with));
    assert!(told.is_some_and(|told| told.yes), "{asked:#?}");
}

#[test]
fn arguments_are_not_asked_about_alone_once_the_compiler_counts_them() {
    let function = |at: u32| format!("fn f{at}(a: i32, b: i32) -> i32 {{ b }}\n");
    let calls: String = (0..4).map(|at| format!("f{at}({at}, 7); ")).collect();
    let program: String =
        (0..4).map(function).collect::<String>() + &format!("fn main() {{ {calls}}}\n");
    let whole = |text: &str| {
        let of = |at: u32| {
            let [declared, called] = [format!("f{at}(a: i32, "), format!("f{at}({at}, ")];
            let there = text.contains(&format!("fn f{at}("));
            there && text.contains(&declared) == text.contains(&called) && text.contains("7); ")
        };
        (0..4).all(of)
            && text.matches("b: i32) -> i32 { b }").count() == 4
            && text.matches("7)").count() == 4
    };
    let file = ("a.rs", &*program);
    let (asked, left) =
        candidates_of_pass::pass(&pass::HEAVIEST, file, FeatureSet::default(), whole);
    assert!(!left.contains("a: i32"), "{left}\n{asked:#?}");
    let alone = asked
        .iter()
        .filter(|asked| asked.sentence.contains("of arguments"));
    assert!(alone.count() <= 4, "{asked:#?}");
}

#[test]
fn the_words_of_a_java_path_are_no_members_and_an_import_that_nothing_uses_goes_at_once() {
    let program = "package util.tools;\nimport java.util.List;\nimport java.util.*;\nimport java.io.File;\nclass A {\n  int util;\n  File f;\n}\n";
    assert_eq!(symbols("A.java", program, "util")[0], "Member 1/0");
    assert_eq!(symbols("A.java", program, "List"), ["Import 1/0"]);
    let (asked, left) = pass(&pass::TOP_LEVEL, "A.java", program, &["class A", "File f"]);
    assert!(
        !left.contains("List") && !left.contains('*'),
        "{left}\n{asked:#?}"
    );
    assert!(left.contains("java.io.File"), "{left}");
    let orphan = asked
        .iter()
        .find(|asked| asked.candidate.contains("File f") && !asked.candidate.contains("io.File"));
    assert!(orphan.is_none(), "{asked:#?}");
}

#[test]
fn a_kotlin_setter_has_a_parameter_and_the_words_of_a_path_are_no_members() {
    let program = "package a.math\nimport kotlin.math.max\nvar x = 1\n  set(value) { field = max(value, 2) }\nclass A { val math = 1; val value = 2 }\n";
    assert_eq!(
        symbols("a.kt", program, "value"),
        ["Param 1/1", "Member 1/0"]
    );
    assert_eq!(symbols("a.kt", program, "math")[0], "Member 1/0");
}

#[test]
fn a_word_alone_in_a_python_case_is_a_new_variable() {
    let program = "RED = 0\ndef f(p):\n    match p:\n        case Color.RED: return RED\n        case [x, *rest]: return x + rest\n        case Point(x=0, y=up): return up\n        case {'k': v} as w: return v + w\n        case other: return other\n";
    for name in ["x", "rest", "up", "v", "w", "other"] {
        let found = symbols("a.py", program, name);
        assert!(
            found.contains(&"Binding 1/1".to_owned()),
            "{name}: {found:?}"
        );
    }
    assert_eq!(symbols("a.py", program, "RED"), ["Binding 1/1", "- 0/1"]);
}

#[test]
fn a_cpp_namespace_stays_as_long_as_one_of_its_name_is_used() {
    let program = "namespace n { int f(); }\nnamespace m { int g(); }\nnamespace n { int h(); }\nusing namespace n;\nusing m::g;\nint main() { return h() + n::h() + g(); }\n";
    assert_eq!(symbols("a.cpp", program, "n"), ["Import 2/2"]);
    assert_eq!(symbols("a.cpp", program, "m"), ["Import 1/1"]);
    assert_eq!(symbols("a.cpp", program, "g"), ["Var 1/2"]);
    let needs = ["int main() { return n::h(); }", "h();"];
    let program = program.replace("h() + n::h() + g()", "n::h()");
    let (asked, left) = pass(&pass::TOP_LEVEL, "a.cpp", &program, &needs);
    assert!(left.contains("namespace n { int h(); }"), "{left}");
    assert!(
        !left.contains("using") && !left.contains("m {"),
        "{left}\n{asked:#?}"
    );
}

/// What goes along is an element of the list that galloping is at: its stretch ends sooner than it thought.
#[test]
fn a_go_variable_goes_with_its_last_use_in_the_same_list() {
    let declare = |at| format!("\tx{at} := {at}\n");
    let print = |at| format!("\tprintln(x{at})\n");
    let pairs: String = (2..7).map(|at| declare(at) + &print(at)).collect();
    let body = "\tkeep()\n".to_owned() + &declare(1) + "\tbug()\n" + &print(1) + &pairs;
    let program = format!("package main\n\nfunc main() {{\n{body}}}\n");
    let used = |text: &str, at| text.matches(&format!("x{at}")).count() != 1;
    let needs = |text: &str| text.contains("keep()") && text.contains("bug()");
    let compiles = |text: &str| needs(text) && (1..7).all(|at| used(text, at));
    let file = ("a.go", program.as_str());
    let (asked, left) =
        candidates_of_pass::pass(&pass::HEAVIEST, file, FeatureSet::default(), compiles);
    assert!(!left.contains("println"), "{left}\n{asked:#?}");
}

#[test]
fn what_go_refuses_without_a_use_goes_with_the_last_use() {
    let program = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() int {\n\tx := len(os.Args)\n\tfmt.Println(x)\n\treturn 1\n}\n\nfunc main() { f() }\n";
    // As the compiler does it.
    let compiles = |text: &str| {
        let uses = |name: &str, declared: &str, used: &str| {
            text.contains(declared) == text.contains(used) && !name.is_empty()
        };
        uses("fmt", "\"fmt\"", "fmt.P") && uses("os", "\"os\"", "os.A") && uses("x", "x :=", "(x)")
    };
    let file = ("a.go", program);
    let (asked, left) =
        candidates_of_pass::pass(&pass::HEAVIEST, file, FeatureSet::default(), |text| {
            compiles(text) && text.contains("func main() { f() }") && text.contains("return 1")
        });
    assert!(
        !left.contains("import") && !left.contains("x"),
        "{left}\n{asked:#?}"
    );
    let with = "must go with the last use";
    assert!(
        asked
            .iter()
            .any(|asked| asked.yes && asked.sentence.contains(with)),
        "{asked:#?}"
    );
}

/// A program in which `main` or its like uses one thing, and two others hang together; (file, program, what the bug needs).
const STORIES: [(&str, &str, &[&str]); 9] = [
    (
        "A.java",
        "class Used { }\nclass Gone { Other o; }\nclass Other { }\nclass Main { Used u; }\n",
        &["class Main", "Used u"],
    ),
    (
        "a.rs",
        "struct Used;\nstruct Gone(Other);\nstruct Other;\nfn main() { let u = Used; }\n",
        &["fn main", "Used; }"],
    ),
    (
        "a.js",
        "function used() { }\nfunction gone() { other(); }\nfunction other() { }\nused();\n",
        &["\nused();"],
    ),
    (
        "a.ts",
        "function used() { }\nfunction gone() { other(); }\nfunction other() { }\nused();\n",
        &["\nused();"],
    ),
    (
        "a.tsx",
        "function used() { }\nfunction gone() { other(); }\nfunction other() { }\nused();\n",
        &["\nused();"],
    ),
    (
        "a.kt",
        "fun used() { }\nfun gone() { other() }\nfun other() { }\nfun main() { used() }\n",
        &["fun main", "used() }"],
    ),
    (
        "a.py",
        "def used(): pass\ndef gone(): other()\ndef other(): pass\nprint(used())\n",
        &["print(used())"],
    ),
    (
        "a.go",
        "package main\nfunc used() { }\nfunc gone() { other() }\nfunc other() { }\nfunc main() { used() }\n",
        &["package", "func main", "used() }"],
    ),
    (
        "a.cpp",
        "struct used { };\nstruct gone { other *o; };\nstruct other { };\nused u;\n",
        &["used u"],
    ),
];

#[test]
fn what_is_used_is_not_asked_about_and_what_is_not_goes_with_its_own() {
    for (file, program, needs) in STORIES {
        let (asked, left) = pass(&pass::TOP_LEVEL, file, program, needs);
        let declared = |text: &str| text.to_lowercase().matches("used").count() > 1;
        let orphan = asked.iter().find(|asked| {
            needs.iter().all(|part| asked.candidate.contains(part)) && !declared(&asked.candidate)
        });
        assert!(orphan.is_none(), "{file}: `used` is closed: {asked:#?}");
        assert!(!left.to_lowercase().contains("other"), "{file}: {left}");
        assert!(declared(&left), "{file}: {left}");
    }
}

#[test]
fn every_query_is_about_kinds_that_there_are() {
    let with = |name: &str| lop::language::by_name(name).is_some_and(|l| l.has_names());
    for name in [
        "c",
        "cpp",
        "java",
        "rust",
        "javascript",
        "typescript",
        "tsx",
        "python",
        "go",
        "kotlin",
    ] {
        assert!(with(name), "{name}");
    }
    assert!(
        DeclarationKind::Member.any_declaration_suffices()
            && !DeclarationKind::Function.any_declaration_suffices()
    );
}
