# 0 "hello.c"
# 1 "/usr/include/stdio.h" 1 3 4
typedef long unsigned int size_t;
extern int printf (const char *__restrict __format, ...) __attribute__ ((__format__ (__printf__, 1, 2)));
struct
# 7 "middle.h"
inner {
  int a;
# 9 "middle.h" 3
  int b[3][4];
};
extern __inline __attribute__ ((__gnu_inline__)) int twice (int x)
{
  return __extension__ ({ int y = x; y * 2; });
}
# 3 "hello.c" 2
int main() {
  int a = 1;
  if (a) {
    printf("%d\n", a);
    printf("Hello ");
    printf("world!\n");
    printf("End\n");
  }
  return twice(0);
}
