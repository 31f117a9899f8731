#!/usr/bin/env python3
"""Proposes to expand a macro of a C program, one at a time, by the C preprocessor: lop bug.c ./test.sh --propose 'python3 macros.py'"""
import json, re, subprocess, sys

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\\\n|.)*\n?", re.MULTILINE)
HIDDEN = re.compile(r"^[ \t]*#(?:\\\n|.)*$", re.MULTILINE)

def expand(text, define):
    rest, lines = text[:define.start()] + text[define.end():], []
    # The preprocessor sees no other directive than this one.
    rest = HIDDEN.sub(lambda line: lines.append(line[0]) or f"@{len(lines)}@", rest)
    done = subprocess.run(["cc", "-E", "-P", "-w", "-x", "c", "-"], input=define[0] + "\n" + rest, capture_output=True, text=True)
    return re.sub(r"@(\d+)@", lambda mark: "\n" + lines[int(mark[1]) - 1] + "\n", done.stdout)

for line in sys.stdin:
    told = json.loads(line)
    if told["event"] == "version":
        for file in told["files"]:
            for define in DEFINE.finditer(file.get("text", "")):
                print(json.dumps({"id": define[1], "version": told["version"], "file": file["name"], "text": expand(file["text"], define)}))
        print(json.dumps({"done": told["version"]}), flush=True)
