#!/usr/bin/env python3
"""Proposes to expand macros of a C program, each alone and all, by the C preprocessor: lop bug.c ./test.sh --propose 'python3 macros.py'"""
import json, re, subprocess, sys

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\\\n|.)*\n?", re.MULTILINE)
HIDDEN = re.compile(r"^[ \t]*#(?:\\\n|.)*$", re.MULTILINE)

def expand(text, names):
    shown, lines = "".join(define[0] + "\n" for define in DEFINE.finditer(text) if define[1] in names), []
    text = DEFINE.sub(lambda define: "" if define[1] in names else define[0], text)
    # The preprocessor sees no other directives than these.
    text = HIDDEN.sub(lambda line: lines.append(line[0]) or f"@{len(lines)}@", text)
    done = subprocess.run(["cc", "-E", "-P", "-w", "-x", "c", "-"], input=shown + text, capture_output=True, text=True)
    return re.sub(r"@(\d+)@", lambda mark: "\n" + lines[int(mark[1]) - 1] + "\n", done.stdout)

for line in sys.stdin:
    told = json.loads(line)
    for file in told.get("files", []):
        names = [define[1] for define in DEFINE.finditer(file.get("text", ""))]
        for some in [[name] for name in names] + [names] * bool(names):
            print(json.dumps({"id": some, "version": told["version"], "file": file["name"], "text": expand(file["text"], some)}))
    if told["event"] == "version":
        print(json.dumps({"done": told["version"]}), flush=True)
