//! Exceptions of the Java virtual machine: javac, ecj, kotlinc and any other program on it.

use super::MessageWeight::{Counts, Listed};
use super::{FailureSignature, StackFormat};

pub(super) static SIGNATURE: FailureSignature = FailureSignature {
    name: "an exception on the Java machine",
    precondition: r"(?:[a-z_]\w*\.)+[A-Z][\w$]*(?:Exception|Error|Failure|Throwable)\b",
    messages: &[
        (
            Counts,
            r"(?m)((?:Internal compiler error: )?(?:[a-z_]\w*\.)+[A-Z][\w$]*(?:Exception|Error|Failure|Throwable)\b.*?)\s*$",
        ),
        (Counts, r"(?m)^\s*(Cause: .+)$"),
        (Counts, r"(?m)^(The root cause .*was thrown at: .+)$"),
        (Listed, r"(?m)^Caused by: (.+)$"),
    ],
    loose: Some(LOOSE),
    absent: None,
    stack: Some(StackFormat {
        frame: r"(?m)^\s+at (?:[\w.]+/)?([\w.$<>]+)\(",
        context: None,
        system_frames: None,
        nameless_frame: None,
        ignored_frames: r"^(?:java|jdk|sun|com\.sun\.proxy|kotlin)\.",
        counted_frames: 1,
        enough: Some(r" at (?:[\w$<>]+\.)+[\w$<>]+\(|root cause"),
        innermost_last: false,
    }),
};

/// Groups in braces, and where the classes of a failed cast come from.
const LOOSE: &str = r"\{[^{}]*\}|\([\w.$]+ (?:and [\w.$]+ are|is) in (?:unnamed )?module[^()]*\)";

#[cfg(test)]
mod tests {
    use super::super::tests::detected;

    #[test]
    fn the_exception_and_where_it_was_thrown_count() {
        let text = "An exception has occurred in the compiler (17.0.1).\njava.lang.AssertionError: Cannot read \"x\" of 12\n\tat java.base/java.util.Objects.requireNonNull(Objects.java:208)\n\tat jdk.compiler/com.sun.tools.javac.comp.Attr.visit(Attr.java:99)\n\tat jdk.compiler/com.sun.tools.javac.comp.Attr.more(Attr.java:3)\n";
        assert_eq!(
            detected(text).1,
            [
                "java.lang.AssertionError: Cannot read '…' of N",
                "in com.sun.tools.javac.comp.Attr.visit"
            ]
        );
    }

    #[test]
    fn a_line_that_holds_both_is_enough() {
        let text = "1. ERROR in /tmp/a/X.java (at line 1)\nInternal compiler error: java.lang.NullPointerException: \"a\" is null at org.x.Scope.find(Scope.java:12)\n\tat org.x.Scope.find(Scope.java:12)\n";
        assert_eq!(
            detected(text).1,
            [
                "Internal compiler error: java.lang.NullPointerException: '…' is null at org.x.Scope.find(Scope.java)"
            ]
        );
    }

    #[test]
    fn neither_the_identity_of_an_object_nor_the_loader_of_a_class_counts() {
        let text = "Exception in thread \"main\" java.lang.ClassCastException: class app.S cannot be cast to class java.lang.String (app.S is in unnamed module of loader java.net.URLClassLoader @3cd1a2f1; java.lang.String is in module java.base of loader 'bootstrap')\n\tat app.BKt.main(b.kt:9)\n";
        assert_eq!(
            detected(text).1,
            [
                "java.lang.ClassCastException: class app.S cannot be cast to class java.lang.String …",
                "in app.BKt.main"
            ]
        );
        assert_eq!(
            detected("java.lang.IllegalStateException: app.Store@1b6d3586 is closed\n\tat app.BKt.main(b.kt:9)\n").1[0],
            "java.lang.IllegalStateException: app.Store@… is closed"
        );
    }

    #[test]
    fn of_kotlin_the_cause_counts() {
        let text = "exception: org.x.CompilationException: Back-end (JVM) Internal error: wrong code\nCause: after steps: element is unknown\nThe root cause java.lang.E was thrown at: Verifier.kt:28\n\tat org.x.Codegen.gen(Codegen.kt:1)\n";
        assert_eq!(
            detected(text).1,
            [
                "org.x.CompilationException: Back-end (JVM) Internal error: wrong code",
                "Cause: after steps: element is unknown",
                "The root cause java.lang.E was thrown at: Verifier.kt"
            ]
        );
    }
}
