#!/usr/bin/env python3
"""What lop is shown of Python: a bit of each kind of thing."""
from __future__ import annotations
import os, sys as system
from typing import (
    Any,
    Generic as G,
)

LIMIT: int = 0x10
names = ["one", 'two', r"three\n", f"four {1 + 1!r:>{10}} {{x}}"]
table = {"a": 1, **{"b": 2}, 'c': (1, 2.5e3, 3j), "d": {1, 2}}


@decorate(1, key=None)
@staticmethod
def add(first, /, second: int = 2, *rest: Any, flag=False, **options) -> int:
    """Adds."""
    total = first + second
    for index, item in enumerate(rest):
        if item > LIMIT:
            continue
        elif item < 0:
            break
        else:
            total += item ** 2 // 3
    else:
        total -= 1
    while total and not flag:
        total >>= 1; flag = total == 3
    return total if flag else -total


class Shape(object, metaclass=type):
    sides = 4

    def __init__(self, name=None):
        self.name, self.size = name, [0] * 3
        self.size[1:2] = ()

    @property
    def area(self):
        yield self.name
        yield from (x for x in self.size if x)

    class Inner: pass


async def run(path):
    global LIMIT
    try:
        async with open(path) as file, other() as (a, b):
            text = await file.read()
            assert text != "", "empty"
    except (OSError, ValueError) as error:
        raise RuntimeError("bad") from error
    except KeyError:
        pass
    else:
        del table["a"], names[0]
    finally:
        LIMIT = ~LIMIT
    with (open(path)) as f:
        print(f, end="", sep='\t')


def match_it(command):
    match command.split():
        case ["go", direction] if direction in names:
            return direction
        case {"x": 1, **rest}:
            return rest
        case Shape(name="s") | None:
            return None
        case _:
            pass


square = lambda x, *y: x * x
pairs = {k: v for k, v in table.items() if k is not None and v not in names}
evens = [x for x in range(10) if x % 2 == 0 for y in "ab"]
text = "one " "two " \
    'three'
if (n := len(names)) > 3: print(n)
if __name__ == "__main__":
    nested = [
        [1, 2],
        {
            "key": add(1, 2, *names, **table)[0].real,
        },
    ]
    if nested:
        for row in nested:
            # A comment in a block.
            print(row)
        if LIMIT:
            system.exit(0)
    print(os.path.join("a", "b"), square(2) @ 3, ..., True or False)
