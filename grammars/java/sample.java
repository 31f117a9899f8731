// What lop is shown of Java: a bit of each kind of thing.
package org.example.shapes;

import java.util.ArrayList;
import java.util.List;
import static java.lang.Math.max;

/* An interface with a default. */
interface Shape<T extends Number> extends Comparable<Shape<T>> {
    int SIDES = 4;

    T area();

    default String title() {
        return "shape of " + area();
    }
}

@FunctionalInterface
interface Visitor {
    void visit(int depth, String... names) throws Exception;
}

enum Color {
    RED("r"), GREEN("g") {
        @Override
        int rank() {
            return 2;
        }
    };

    private final String letter;

    Color(String letter) {
        this.letter = letter;
    }

    int rank() {
        return ordinal();
    }
}

record Pair<A, B>(A left, B right) {
    Pair {
        if (left == null) throw new IllegalArgumentException("left");
    }
}

public abstract class Sample<T> implements Runnable {
    private static final int[] TABLE = {1, 2, 0x1f, 1_000};
    protected List<? super Integer> items = new ArrayList<>();
    volatile long count = 0L;

    static {
        System.out.println(TABLE.length);
    }

    public Sample(int n) throws Exception {
        super();
        for (int i = 0, j = n; i < j; i++, j--) {
            items.add(i * j + TABLE[i % 4]);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public <R> int sum(List<Integer> numbers, final R other) {
        int total = 0;
        outer:
        for (int number : numbers) {
            while (number > 10) {
                number >>>= 1;
                if (number == 7) continue outer;
                else if (number < 0) break outer;
            }
            do {
                total += number ^ ~total;
            } while (total < 0 && other != null);
        }
        switch (total) {
            case 1:
            case 2:
                total = max(total, 3);
                break;
            default:
                total--;
        }
        String text = switch (total % 3) {
            case 0 -> "zero";
            case 1, 2 -> { yield "more"; }
            default -> """
                a block of text
                """;
        };
        return text.length() > 3 ? total : -total;
    }

    @Override
    public void run() {
        Visitor visitor = (depth, names) -> System.out.println(names[0] + depth);
        Runnable again = this::run;
        Object object = (Object) new int[][] {{1}, {2, 3}};
        try (AutoCloseable c = () -> {}) {
            visitor.visit(1, "a", "b");
            synchronized (this) {
                count++;
            }
        } catch (IllegalStateException | ArithmeticException e) {
            assert count > 0 : "count";
        } catch (Exception e) {
            throw new RuntimeException(e);
        } finally {
            again = null;
        }
        if (object instanceof String s && !s.isEmpty()) {
            char c = s.charAt(0);
            count = c == 'x' ? 1 : 2;
        }
        new Thread() {
            public void run() {}
        }.start();
    }
}
