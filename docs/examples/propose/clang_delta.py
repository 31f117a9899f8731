#!/usr/bin/env python3
"""Proposes what C-Vise's clang_delta does to a C or C++ program.

    lop bug.cpp ./test.sh --propose 'python3 clang_delta.py'

clang_delta comes with C-Vise (https://github.com/marxin/cvise). It has some 70 transformations; each knows how many places of a file it fits, and
rewrites one of them. All of them are tried on each version, one place after the other. CLANG_DELTA is its path.
"""

import json
import os
import subprocess
import sys
import tempfile
from select import select

DELTA = os.environ.get("CLANG_DELTA", "/usr/lib/cvise/clang_delta")


def run(*arguments):
    done = subprocess.run([DELTA, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode(errors="replace")


def say(**line):
    print(json.dumps(line), flush=True)


def candidates(path):
    for name in run("--transformations").split():
        found = run(f"--query-instances={name}", path)
        count = int(found.rsplit(":", 1)[1]) if ":" in found else 0
        # Later places first: what is declared later is used less.
        for counter in range(count, 0, -1):
            new = run(f"--transformation={name}", f"--counter={counter}", path)
            if new:
                yield f"{name} {counter}", new


version, file, places = None, None, None
with tempfile.TemporaryDirectory() as directory:
    while True:
        # What lop says comes first: a newer version makes the old places meaningless.
        while places is None or select([sys.stdin], [], [], 0)[0]:
            line = sys.stdin.readline()
            if not line or json.loads(line)["event"] == "end":
                sys.exit()
            line = json.loads(line)
            if line["event"] == "version":
                version, file = line["version"], line["files"][0]
                path = os.path.join(directory, os.path.basename(file["name"]))
                with open(path, "w") as out:
                    out.write(file.get("text", ""))
                places = candidates(path)
        found = next(places, None)
        if found is None:
            say(done=version)
            places = None
        elif found[1] != file.get("text"):
            say(id=found[0], version=version, file=file["name"], text=found[1])
