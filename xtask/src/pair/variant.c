struct Len { unsigned int len; };
struct Box { struct Len len; int tags[4]; };

static int level = 3;
static unsigned seen;

static int
scale(int by)
{
    if (by > 7)
        return level;
    return by * level;
}

static struct Len
len_bar(struct Len x)
{
    ({ struct Len a = x; a; });
}

int
main(void)
{
    struct Box box = { { 2 }, { 1, 2, 3 } };
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += scale(box.tags[i] - 1);
    box.len = len_bar(box.len);
    return sum + box.len.len;
}
