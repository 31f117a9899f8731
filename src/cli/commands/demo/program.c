/*
 * pantry: keeps a list of what is in the pantry, how much of it is left, and what should be eaten first.
 *
 * It reads commands from the standard input, one a line:
 *
 *     add rice grain 500 2.40 10     a name, a kind, an amount in grams, a price, the day it was bought
 *     use rice 120                   take some of it out
 *     drop rice                      throw all of it away
 *     list [name|left|price|day]     everything, in that order
 *     soon 14                        what goes off before that day
 *     plan soup                      what a recipe needs, and what is missing
 *     cook soup                      the same, and takes it out
 *     stats                          sums for each kind
 *     undo                           take the last change back
 *     help                           this list
 *     quit                           the end
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 24
#define MAX_ITEMS 64
#define MAX_WORDS 8
#define MAX_LINE 256
#define MAX_PARTS 5
#define MAX_UNDO 16
#define BAR_WIDTH 20

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What something is; this decides where it is kept and how long it stays good. */
typedef enum {
    GRAIN,
    FRUIT,
    VEGETABLE,
    DAIRY,
    TIN,
    SPICE,
    KIND_COUNT
} Kind;

/* What a command answers. */
typedef enum {
    OK,
    NOT_FOUND,
    BAD_NUMBER,
    BAD_KIND,
    TOO_FEW_WORDS,
    TOO_MANY_ITEMS,
    TOO_LITTLE,
    NOTHING_TO_UNDO,
    STOP
} Result;

/* One thing on a shelf. Weights are in grams, prices in cents, times in days. */
typedef struct item {
    char name[MAX_NAME];
    Kind kind;
    long left;
    long bought;
    int price;
    int day;
} Item;

/* A part of a recipe: a name and a weight. */
typedef struct part {
    const char *name;
    long grams;
} Part;

typedef struct recipe {
    const char *name;
    int serves;
    Part parts[MAX_PARTS];
    int count;
} Recipe;

/* Enough to take one change back. */
typedef struct change {
    enum { ADDED, USED, DROPPED } what;
    Item before;
} Change;

typedef struct pantry {
    Item items[MAX_ITEMS];
    int count;
    Change changes[MAX_UNDO];
    int change_count;
    int today;
} Pantry;

/* A line, cut into words. The words point into the line. */
typedef struct words {
    char *at[MAX_WORDS];
    int count;
} Words;

typedef Result (*Action)(Pantry *pantry, const Words *words);
typedef int (*Order)(const void *left, const void *right);

struct command {
    const char *name;
    int words;
    Action run;
    const char *help;
};

static const char *const kind_names[KIND_COUNT] = {"grain", "fruit", "vegetable", "dairy", "tin", "spice"};

static const Recipe recipes[] = {
    {"soup", 4, {{"carrot", 400}, {"potato", 300}, {"cream", 100}, {"pepper", 2}}, 4},
    {"porridge", 2, {{"oats", 120}, {"milk", 500}, {"apple", 150}}, 3},
    {"curry", 3, {{"rice", 300}, {"lentils", 200}, {"tomatoes", 400}, {"cumin", 4}, {"pepper", 1}}, 5},
    {"salad", 2, {{"cucumber", 300}, {"tomatoes", 250}, {"cheese", 100}}, 3},
};

/* ---- words and numbers ---- */

/* Cuts a line at its blanks, in place. Words past the last place are left out. */
static void split(char *line, Words *words)
{
    char *next = line;

    words->count = 0;
    while (*next != '\0' && words->count < MAX_WORDS) {
        while (isspace((unsigned char)*next)) {
            next++;
        }
        if (*next == '\0' || *next == '#') {
            break;
        }
        words->at[words->count] = next;
        words->count++;
        while (*next != '\0' && !isspace((unsigned char)*next)) {
            next++;
        }
        if (*next != '\0') {
            *next = '\0';
            next++;
        }
    }
}

/* Reads a whole number that is not negative. Returns 0 if the text is not one. */
static int read_number(const char *text, long *number)
{
    long sum = 0;

    if (*text == '\0') {
        return 0;
    }
    for (; *text != '\0'; text++) {
        if (!isdigit((unsigned char)*text) || sum > 100000000L) {
            return 0;
        }
        sum = sum * 10 + (*text - '0');
    }
    *number = sum;
    return 1;
}

/* Reads a price such as "3", "3.5" or "3.50", in cents. Returns 0 if the text is not one. */
static int read_price(const char *text, int *cents)
{
    int whole = 0;
    int part = 0;
    int digits = 0;

    while (isdigit((unsigned char)*text) && whole < 100000) {
        whole = whole * 10 + (*text - '0');
        text++;
    }
    if (*text == '.') {
        text++;
        while (isdigit((unsigned char)*text) && digits < 2) {
            part = part * 10 + (*text - '0');
            digits++;
            text++;
        }
        if (digits == 0) {
            return 0;
        }
        if (digits == 1) {
            part *= 10;
        }
    }
    *cents = whole * 100 + part;
    return *text == '\0';
}

static int same_word(const char *left, const char *right)
{
    while (*left != '\0' && tolower((unsigned char)*left) == tolower((unsigned char)*right)) {
        left++;
        right++;
    }
    return *left == '\0' && *right == '\0';
}

/* Copies a name and cuts it off where the place ends. */
static void copy_name(char *to, const char *from)
{
    int i;

    for (i = 0; i < MAX_NAME - 1 && from[i] != '\0'; i++) {
        to[i] = (char)tolower((unsigned char)from[i]);
    }
    to[i] = '\0';
}

static int read_kind(const char *text, Kind *kind)
{
    int i;

    for (i = 0; i < KIND_COUNT; i++) {
        if (same_word(text, kind_names[i])) {
            *kind = (Kind)i;
            return 1;
        }
    }
    return 0;
}

/* ---- what we know about an item ---- */

/* How many days an item of this kind stays good after it was bought. */
static int days_good(const Item *item)
{
    int days = 0;

    switch (item->kind) {
    case GRAIN:
        days = 365;
        break;
    case FRUIT:
        days = 6;
        if (item->left > 2000) {
            /* A full crate presses on the fruit below. */
            days -= 2;
        }
        break;
    case VEGETABLE:
        days = 9;
        break;
    case DAIRY:
        days = item->left < item->bought ? 4 : 12;
        break;
    case TIN:
        days = 1000;
        break;
    case KIND_COUNT:
        break;
    }
    return days;
}

static int last_day(const Item *item)
{
    return item->day + days_good(item);
}

/* What the rest of it is worth, in cents. */
static long worth(const Item *item)
{
    if (item->bought == 0) {
        return 0;
    }
    return item->left * item->price / item->bought;
}

static const char *shelf(const Item *item)
{
    static const char *const shelves[] = {"jar", "bowl", "cellar", "fridge", "rack"};

    if ((size_t)item->kind >= COUNT_OF(shelves)) {
        return "drawer";
    }
    return shelves[item->kind];
}

/* ---- the list ---- */

static int find(const Pantry *pantry, const char *name)
{
    int i;

    for (i = 0; i < pantry->count; i++) {
        if (same_word(pantry->items[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static void take_out(Pantry *pantry, int place)
{
    int i;

    for (i = place; i + 1 < pantry->count; i++) {
        pantry->items[i] = pantry->items[i + 1];
    }
    pantry->count--;
}

/* Remembers an item as it was before a change; the oldest change is forgotten when there is no room. */
static void remember(Pantry *pantry, int what, const Item *before)
{
    Change *change;

    if (pantry->change_count == MAX_UNDO) {
        memmove(&pantry->changes[0], &pantry->changes[1], (MAX_UNDO - 1) * sizeof(Change));
        pantry->change_count--;
    }
    change = &pantry->changes[pantry->change_count];
    change->what = what;
    change->before = *before;
    pantry->change_count++;
}

static Result use_some(Pantry *pantry, const char *name, long grams)
{
    int place = find(pantry, name);

    if (place < 0) {
        return NOT_FOUND;
    }
    if (pantry->items[place].left < grams) {
        return TOO_LITTLE;
    }
    remember(pantry, USED, &pantry->items[place]);
    pantry->items[place].left -= grams;
    return OK;
}

/* ---- orders for lists ---- */

static int by_name(const void *left, const void *right)
{
    const Item *a = left;
    const Item *b = right;

    return strcmp(a->name, b->name);
}

static int by_left(const void *left, const void *right)
{
    const Item *a = left;
    const Item *b = right;

    if (a->left != b->left) {
        return a->left < b->left ? 1 : -1;
    }
    return by_name(left, right);
}

static int by_price(const void *left, const void *right)
{
    long a = worth(left);
    long b = worth(right);

    if (a != b) {
        return a < b ? 1 : -1;
    }
    return by_name(left, right);
}

static int by_last_day(const void *left, const void *right)
{
    int a = last_day(left);
    int b = last_day(right);

    return a != b ? a - b : by_name(left, right);
}

static Order order_named(const char *name)
{
    static const struct {
        const char *name;
        Order order;
    } orders[] = {
        {"name", by_name},
        {"left", by_left},
        {"price", by_price},
        {"day", by_last_day},
    };
    size_t i;

    for (i = 0; i < COUNT_OF(orders); i++) {
        if (same_word(orders[i].name, name)) {
            return orders[i].order;
        }
    }
    return NULL;
}

/* ---- writing ---- */

/* Draws how much is left as a bar such as [######....]. */
static void draw_bar(long left, long bought)
{
    char bar[BAR_WIDTH + 1];
    int full = bought > 0 ? (int)(left * BAR_WIDTH / bought) : 0;
    int i;

    for (i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < full ? '#' : '.';
    }
    bar[BAR_WIDTH] = '\0';
    printf("[%s]", bar);
}

static void write_item(const Item *item)
{
    long cents = worth(item);

    printf("  %-24s %-8s %6ld g ", item->name, shelf(item), item->left);
    draw_bar(item->left, item->bought);
    printf(" %4ld.%02ld  day %d\n", cents / 100, cents % 100, last_day(item));
}

static const char *explain(Result result)
{
    static const char *const texts[] = {
        "done",
        "there is no such thing in the pantry",
        "that is not a number",
        "that is not a kind of food",
        "there are too few words",
        "the pantry is full",
        "there is not enough of it",
        "there is nothing to undo",
        "good bye",
    };

    return texts[result];
}

/* ---- recipes ---- */

static const Recipe *recipe_named(const char *name)
{
    const Recipe *recipe = recipes;
    const Recipe *end = recipes + COUNT_OF(recipes);

    while (recipe != end) {
        if (same_word(recipe->name, name)) {
            return recipe;
        }
        recipe++;
    }
    return NULL;
}

/* Writes what a recipe needs; returns how many of its parts are missing. */
static int write_missing(const Pantry *pantry, const Recipe *recipe)
{
    int missing = 0;
    int i;

    printf("%s, for %d:\n", recipe->name, recipe->serves);
    for (i = 0; i < recipe->count; i++) {
        const Part *part = &recipe->parts[i];
        int place = find(pantry, part->name);
        long left = place < 0 ? 0 : pantry->items[place].left;

        printf("  %-24s %6ld g", part->name, part->grams);
        if (left >= part->grams) {
            printf("  have it\n");
        } else if (left > 0) {
            printf("  only %ld g\n", left);
            missing++;
        } else {
            printf("  missing\n");
            missing++;
        }
    }
    return missing;
}

/* ---- commands ---- */

static Result run_add(Pantry *pantry, const Words *words)
{
    Item item;
    long number;
    int place;

    memset(&item, 0, sizeof(item));
    copy_name(item.name, words->at[1]);
    if (!read_kind(words->at[2], &item.kind)) {
        return BAD_KIND;
    }
    if (!read_number(words->at[3], &item.bought) || !read_price(words->at[4], &item.price)) {
        return BAD_NUMBER;
    }
    if (!read_number(words->at[5], &number)) {
        return BAD_NUMBER;
    }
    item.day = (int)number;
    item.left = item.bought;
    place = find(pantry, item.name);
    if (place >= 0) {
        /* More of the same: the older day counts. */
        Item *old = &pantry->items[place];

        remember(pantry, USED, old);
        old->left += item.left;
        old->bought += item.bought;
        old->price += item.price;
        return OK;
    }
    if (pantry->count == MAX_ITEMS) {
        return TOO_MANY_ITEMS;
    }
    remember(pantry, ADDED, &item);
    pantry->items[pantry->count] = item;
    pantry->count++;
    return OK;
}

static Result run_use(Pantry *pantry, const Words *words)
{
    long grams;

    if (!read_number(words->at[2], &grams)) {
        return BAD_NUMBER;
    }
    return use_some(pantry, words->at[1], grams);
}

static Result run_drop(Pantry *pantry, const Words *words)
{
    int place = find(pantry, words->at[1]);

    if (place < 0) {
        return NOT_FOUND;
    }
    remember(pantry, DROPPED, &pantry->items[place]);
    take_out(pantry, place);
    return OK;
}

static Result run_list(Pantry *pantry, const Words *words)
{
    Order order = by_name;
    int i;

    if (words->count > 1) {
        order = order_named(words->at[1]);
        if (order == NULL) {
            return NOT_FOUND;
        }
    }
    qsort(pantry->items, (size_t)pantry->count, sizeof(Item), order);
    for (i = 0; i < pantry->count; i++) {
        write_item(&pantry->items[i]);
    }
    return OK;
}

static Result run_soon(Pantry *pantry, const Words *words)
{
    long day;
    int found = 0;
    int i;

    if (!read_number(words->at[1], &day)) {
        return BAD_NUMBER;
    }
    pantry->today = (int)day;
    qsort(pantry->items, (size_t)pantry->count, sizeof(Item), by_last_day);
    for (i = 0; i < pantry->count; i++) {
        const Item *item = &pantry->items[i];

        if (item->left == 0) {
            continue;
        }
        if (last_day(item) > pantry->today) {
            break;
        }
        write_item(item);
        found++;
    }
    if (found == 0) {
        printf("  nothing goes off before day %d\n", pantry->today);
    }
    return OK;
}

static Result run_plan(Pantry *pantry, const Words *words)
{
    const Recipe *recipe = recipe_named(words->at[1]);

    if (recipe == NULL) {
        return NOT_FOUND;
    }
    if (write_missing(pantry, recipe) > 0) {
        return TOO_LITTLE;
    }
    return OK;
}

static Result run_cook(Pantry *pantry, const Words *words)
{
    Result result = run_plan(pantry, words);
    const Recipe *recipe;
    int i;

    if (result != OK) {
        return result;
    }
    recipe = recipe_named(words->at[1]);
    for (i = 0; i < recipe->count && result == OK; i++) {
        result = use_some(pantry, recipe->parts[i].name, recipe->parts[i].grams);
    }
    return result;
}

static Result run_stats(Pantry *pantry, const Words *words)
{
    long grams[KIND_COUNT] = {0};
    long cents[KIND_COUNT] = {0};
    long all = 0;
    int i;

    (void)words;
    for (i = 0; i < pantry->count; i++) {
        const Item *item = &pantry->items[i];

        grams[item->kind] += item->left;
        cents[item->kind] += worth(item);
        all += item->left;
    }
    for (i = 0; i < KIND_COUNT; i++) {
        printf("  %-10s %6ld g %4ld.%02ld ", kind_names[i], grams[i], cents[i] / 100, cents[i] % 100);
        draw_bar(grams[i], all);
        putchar('\n');
    }
    return OK;
}

static Result run_undo(Pantry *pantry, const Words *words)
{
    Change *change;
    int place;

    (void)words;
    if (pantry->change_count == 0) {
        return NOTHING_TO_UNDO;
    }
    pantry->change_count--;
    change = &pantry->changes[pantry->change_count];
    place = find(pantry, change->before.name);
    if (change->what == ADDED) {
        take_out(pantry, place);
    } else if (change->what == USED) {
        pantry->items[place] = change->before;
    } else {
        pantry->items[pantry->count] = change->before;
        pantry->count++;
    }
    return OK;
}

static Result run_quit(Pantry *pantry, const Words *words)
{
    (void)pantry;
    (void)words;
    return STOP;
}

static Result run_help(Pantry *pantry, const Words *words);

static const struct command commands[] = {
    {"add", 6, run_add, "add NAME KIND GRAMS PRICE DAY"},
    {"use", 3, run_use, "use NAME GRAMS"},
    {"drop", 2, run_drop, "drop NAME"},
    {"list", 1, run_list, "list [name|left|price|day]"},
    {"soon", 2, run_soon, "soon DAY"},
    {"plan", 2, run_plan, "plan RECIPE"},
    {"cook", 2, run_cook, "cook RECIPE"},
    {"stats", 1, run_stats, "stats"},
    {"undo", 1, run_undo, "undo"},
    {"help", 1, run_help, "help"},
    {"quit", 1, run_quit, "quit"},
};

static Result run_help(Pantry *pantry, const Words *words)
{
    size_t i;

    (void)pantry;
    (void)words;
    for (i = 0; i < COUNT_OF(commands); i++) {
        printf("  %s\n", commands[i].help);
    }
    return OK;
}

static Result run_line(Pantry *pantry, char *line)
{
    Words words;
    size_t i;

    split(line, &words);
    if (words.count == 0) {
        return OK;
    }
    for (i = 0; i < COUNT_OF(commands); i++) {
        if (same_word(commands[i].name, words.at[0])) {
            if (words.count < commands[i].words) {
                return TOO_FEW_WORDS;
            }
            return commands[i].run(pantry, &words);
        }
    }
    return NOT_FOUND;
}

int main(void)
{
    static Pantry pantry;
    char line[MAX_LINE];
    int number = 0;
    int faults = 0;

    while (fgets(line, sizeof(line), stdin) != NULL) {
        Result result;

        number++;
        result = run_line(&pantry, line);
        if (result == STOP) {
            break;
        }
        if (result != OK) {
            fprintf(stderr, "line %d: %s\n", number, explain(result));
            faults++;
        }
    }
    return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
