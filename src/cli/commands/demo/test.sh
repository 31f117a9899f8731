#!/bin/sh
# An interestingness test: it tells lop whether a program still shows what we look for.
#
# It looks for: the warning [-Wswitch]
#
# lop writes each smaller program that it wants to try as program.c into an empty directory, and runs this file there. The only
# answer is the exit status: 0 means "interesting, keep it", anything else means "not interesting, try something else".
#
# What we look for would usually be a bug: a compiler that crashes, a wrong result. So that the demo runs wherever there is a C
# compiler, a warning stands in for the bug. One function of program.c has a `switch` over an enumeration that forgets one of its
# values, and both gcc and clang say so with the same name, [-Wswitch].

# Messages in English, without colour, however the machine is set up.
LC_ALL=C
export LC_ALL

# 1. The program must compile. -fsyntax-only checks it and writes no file, which is quick. A fixed language version, and two old
#    liberties forbidden, keep the result a proper program: without them a compiler that forgives a missing type would let lop
#    take the types away. The part after || is for a program that does not compile: it is not interesting.
messages=$(cc -std=c99 -Werror=implicit-int -Werror=implicit-function-declaration -Wall -fsyntax-only program.c 2>&1) || exit 1

# 2. The warning must be there. This is the last line that runs, so its answer is the answer of the test. Asking for the exact
#    name matters: a test that takes any warning would let lop leave the one we care about for another that is easier to keep.
case $messages in
*'[-Wswitch]'*) exit 0 ;;
*) exit 1 ;;
esac
