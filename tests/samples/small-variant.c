#include <stdio.h>
#define LIMIT 10
/* A little of everything that C has. */
typedef unsigned long word;
enum color { RED, GREEN = 2, BLUE };
struct point { int x, y; unsigned flag : 1; };
union both { struct point p; char bytes[sizeof(struct point)]; };
static const char *names[] = { "red" " ish", "green", [BLUE] = "blue" };
extern int (*handler)(int, char *);

static int add(int a, int b) { return a + b + LIMIT - 1 + broken; }

// Walks over the points.
int walk(struct point *points, int count, ...) {
    int sum = 0, i;
    for (i = 0; i < count; i++) {
        if (points[i].x > 3 && !points->flag) {
            sum += add(points[i].x, points[i].y);
            continue;
        } else if (points[i].y == -1) {
            break;
        } else if ((word)sum >= 100ul) {
            goto out;
        } else {
            sum <<= 1, sum--;
        }
    }
    do {
        switch (sum & 3) {
        case 7: sum++;
        case 0:
            sum = sum ? sum : count;
            break;
        default:
            sum ^= 'x';
        }
    } while (sum > 999);
    while (*names[0]) { sum = (sum, 1); break; }
out:
    handler(sum, "done");
    return (sum);
}

int main(void) {
    struct point many[3] = { { 1, 2, 0 }, { .x = 4, .y = 5 } };
    return walk(many, sizeof many / sizeof *many, 1.5f, &many[0]) != 0;
}
