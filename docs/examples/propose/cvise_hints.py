#!/usr/bin/env python3
"""Proposes hints in C-Vise's format: lop bug.c ./test.sh --propose 'python3 cvise_hints.py COMMAND...'

COMMAND is run with the path of a file behind it, and prints hints as lines of JSON: {"p": [{"l": 10, "r": 25}]} are the characters that go, and "v"
in a patch is what comes in their place. All hints are proposed at once, then halves of them, and so on: the search of C-Vise.
"""
import json, os, subprocess, sys, tempfile

def find_hints(file):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, os.path.basename(file["name"]))
        with open(path, "w") as out:
            out.write(file.get("text", ""))
        done = subprocess.run([*sys.argv[1:], path], stdout=subprocess.PIPE, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    # A preamble has no patches; one with a vocabulary is not understood here.
    return [line["p"] for line in lines if "p" in line and all(isinstance(patch.get("v", ""), str) for patch in line["p"])]

def merge(patches):
    merged = []
    for patch in sorted(patches, key=lambda patch: (patch["l"], patch["r"])):
        if merged and patch["l"] < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], patch["r"]), merged[-1][2])
        else:
            merged.append((patch["l"], patch["r"], patch.get("v", "")))
    return merged

for line in sys.stdin:
    told = json.loads(line)
    if told["event"] != "version":
        continue
    for file in told["files"]:
        # C-Vise counts characters, lop bytes.
        text = file.get("text", "")
        at = lambda place: len(text[:place].encode())
        hints = find_hints(file)
        size = len(hints)
        while size:
            for start in range(0, len(hints), size):
                ranges = merge([patch for hint in hints[start:start + size] for patch in hint])
                replace = [[at(left), at(right), new] for left, right, new in ranges]
                print(json.dumps({"version": told["version"], "file": file["name"], "replace": replace}))
            size //= 2
    print(json.dumps({"done": told["version"]}), flush=True)
