/* What lop is shown of C: a bit of each kind of thing. */
#include <stddef.h>
#include "local.h"

#define LIMIT 16
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef DEBUG
#define TRACE(x) puts(x)
#else
#define TRACE(x) ((void)0)
#endif

typedef unsigned long word;
typedef int (*callback)(const char *name, size_t length);

enum color { RED, GREEN = 4, BLUE };

struct point {
    int x, y;
    unsigned flags : 3;
    struct { double re, im; } z;
};

union value {
    int number;
    char *text;
};

static const char *const names[] = {"red", "green", [2] = "blue"};
extern int printf(const char *format, ...);

static inline word mix(word a, word b)
{
    word c = a ^ (b << 3);
    c += a * 31u - b / 7 % 5;
    return c >= 10 && !(c & 1) ? c : ~c;
}

static int walk(struct point *p, int n, callback call)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (p[i].x > LIMIT)
            continue;
        else if (p[i].y == -1)
            break;
        sum += p[i].x * (p + i)->y;
    }
    while (n-- > 0) {
        do {
            sum ^= n;
            n -= 2;
        } while (n > 8);
    }
    switch (sum) {
    case 0:
    case RED + 1:
        call("zero", sizeof(struct point));
        break;
    case 'a':
        goto done;
    default:
        sum = MAX(sum, 3);
    }
done:
    return call ? call(names[0], sizeof names) : sum;
}

int main(int argc, char **argv)
{
    struct point here = {.x = 1, .y = 2, .z = {0.5, 1e-3f}};
    union value v = {0x10};
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    char *text = "one " "two\n";
    for (;;) {
        if (argc > 1 || *argv[0] == '\0') break;
        grid[1][argc]++;
        --here.flags;
    }
    TRACE(text);
    printf("%d %lu\n", walk(&here, 1, NULL), (unsigned long)mix(v.number, (word)here.x));
    return here.x == 0, grid[0][1];
}
