/* Lists of all kinds, and what may be in them. */
#include <stdio.h>
#include "lists.h"
#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#pragma pack(1)

struct point {
    int x, y;
    unsigned flags : 3, rest : 2;
    union { long l; double d; } u;
};

enum color { RED, GREEN = 2, BLUE, };
typedef struct point point_t, *point_p;
typedef unsigned long long int word;
static const volatile char *const names[] = {"red", "green" " and " "blue", [2] = "x",};

int none(void);
int add(int a, int b) { return a + b; }
int old(a, b) int a; char b; { return a; }
int many(int count, ...);
int (*table[2])(int, int) = {add, add};

#ifdef LIMIT
static int guarded = LIMIT;
#else
static int guarded = 0;
#endif

#if LIMIT > 3 && defined(LIMIT)
int more;
#elif LIMIT
int less;
#endif

// a comment to the end of the line
int main(int argc, char **argv) {
    struct point p = {.x = 1, .y = 2}, q;
    int i, j = 0, *k = &j;
    long sum = 0L;
    for (i = 0, j = 1; i < LIMIT; i++, j--) sum += i * j;
    for (;;) break;
    for (int n = 3; n; --n) continue;
    if (argc > 1) { puts(argv[1]); } else if (argc) ; else return 2;
    while (sum --> 0) { do sum /= 2; while (sum > 10); }
    switch (argc) {
    case 0:
    case 1: q = p; break;
    default: goto end;
    }
    sum = (long) sizeof(int) + sizeof p + sizeof (p), sum++;
    p.x = -(*k) ? ~j : !i;
    printf("%d %c\n", MAX(p.x, (q.y)), 'c');
    (void) ((struct point){1, 2});
    asm volatile ("nop" : "=r"(i) : "r"(j) : "memory");
end:
    return sum == 3 && argc || argv == NULL;
}
