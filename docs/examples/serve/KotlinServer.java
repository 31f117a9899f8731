import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/**
 * A server for `lop --serve` (docs/TESTS.md): does the Kotlin compiler print a match of the first argument? The other arguments are options of the
 * compiler, which compiles all files of the directory.
 */
class KotlinServer {
    public static void main(String[] arguments) throws Exception {
        Pattern wanted = Pattern.compile(arguments[0]);
        List<String> options = List.of(arguments).subList(1, arguments.length);
        // Only answers may be written to the standard output.
        PrintStream answers = System.out;
        System.setOut(System.err);
        System.setProperty("kotlin.environment.keepalive", "true");
        BufferedReader candidates = new BufferedReader(new InputStreamReader(System.in));
        for (String directory; (directory = candidates.readLine()) != null; ) {
            List<String> line = new ArrayList<>(options);
            line.addAll(List.of("-d", directory + "/out", directory));
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            new K2JVMCompiler().exec(new PrintStream(printed, true), line.toArray(new String[0]));
            System.err.print(printed);
            answers.println(wanted.matcher(printed.toString()).find() ? 0 : 1);
        }
        // The compiler has threads that would keep the process alive.
        System.exit(0);
    }
}
