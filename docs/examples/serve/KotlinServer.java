import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/**
 * A server for `lop --serve` (docs/TESTS.md): does the Kotlin compiler print a match of the first argument? The other arguments are options of the
 * compiler, which compiles all files of the directory. With `--run app.MainKt` among them the `main` of that class runs then, and what it prints, the
 * stack trace of its exception included, counts too. A program that calls `System.exit` ends the server: that is no match.
 */
class KotlinServer {
    public static void main(String[] arguments) throws Exception {
        Pattern wanted = Pattern.compile(arguments[0]);
        List<String> options = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
        int at = options.indexOf("--run");
        String main = at < 0 ? null : options.remove(at + 1);
        options.remove("--run");
        // Only answers may be written to the standard output.
        PrintStream answers = System.out;
        System.setOut(System.err);
        System.setProperty("kotlin.environment.keepalive", "true");
        BufferedReader candidates = new BufferedReader(new InputStreamReader(System.in));
        for (String directory; (directory = candidates.readLine()) != null; ) {
            List<String> line = new ArrayList<>(options);
            line.addAll(List.of("-d", directory + "/out", directory));
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            PrintStream print = new PrintStream(printed, true);
            ExitCode end = new K2JVMCompiler().exec(print, line.toArray(new String[0]));
            if (main != null && end == ExitCode.OK) {
                run(main, new File(directory, "out"), print);
            }
            System.err.print(printed);
            answers.println(wanted.matcher(printed.toString()).find() ? 0 : 1);
        }
        // The compiler has threads that would keep the process alive.
        System.exit(0);
    }

    /** Runs the main of a class in a directory. */
    private static void run(String main, File classes, PrintStream print) throws Exception {
        System.setOut(print);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toURI().toURL()})) {
            loader.loadClass(main).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            thrown.getCause().printStackTrace(print);
        } catch (ReflectiveOperationException | LinkageError missing) {
            missing.printStackTrace(print);
        } finally {
            System.setOut(System.err);
        }
    }
}
