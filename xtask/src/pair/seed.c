struct Len { unsigned int len; };
struct Box { struct Len len; int tags[4]; };

static int level = 3;

static int
scale(int by)
{
    return by * level;
}

static struct Len
len_bar(struct Len x)
{
    struct Len a = x;
    return a;
}

int
main(void)
{
    struct Box box = { { 2 }, { 1, 2, 3, 4 } };
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += scale(box.tags[i]);
    box.len = len_bar(box.len);
    return sum + box.len.len;
}
