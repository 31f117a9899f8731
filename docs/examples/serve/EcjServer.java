import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/**
 * A server for `lop --serve` (docs/TESTS.md): does the Eclipse compiler print a match of the first argument? The other arguments are options of the
 * compiler, which compiles all files of the directory.
 */
class EcjServer {
    public static void main(String[] arguments) throws Exception {
        Pattern wanted = Pattern.compile(arguments[0]);
        List<String> options = List.of(arguments).subList(1, arguments.length);
        // Only answers may be written to the standard output.
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader candidates = new BufferedReader(new InputStreamReader(System.in));
        for (String directory; (directory = candidates.readLine()) != null; ) {
            List<String> line = new ArrayList<>(options);
            line.addAll(List.of("-d", directory + "/out", directory));
            StringWriter printed = new StringWriter();
            PrintWriter writer = new PrintWriter(printed);
            try {
                BatchCompiler.compile(line.toArray(new String[0]), writer, writer, null);
            } catch (RuntimeException | StackOverflowError crash) {
                crash.printStackTrace(writer);
            }
            System.err.print(printed);
            answers.println(wanted.matcher(printed.toString()).find() ? 0 : 1);
        }
    }
}
