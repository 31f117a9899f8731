import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A server for `lop --serve` (docs/TESTS.md): does javac print a match of the first argument? The other arguments are options of the compiler, which
 * compiles all files of the directory.
 */
class JavacServer {
    public static void main(String[] arguments) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Pattern wanted = Pattern.compile(arguments[0]);
        List<String> options = List.of(arguments).subList(1, arguments.length);
        // Only answers may be written to the standard output.
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader candidates = new BufferedReader(new InputStreamReader(System.in));
        for (String directory; (directory = candidates.readLine()) != null; ) {
            List<String> line = new ArrayList<>(options);
            line.addAll(List.of("-d", directory + "/out"));
            try (Stream<Path> files = Files.walk(Path.of(directory))) {
                files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(line::add);
            }
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            compiler.run(null, printed, printed, line.toArray(new String[0]));
            System.err.print(printed);
            answers.println(wanted.matcher(printed.toString()).find() ? 0 : 1);
        }
    }
}
