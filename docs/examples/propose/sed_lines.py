#!/usr/bin/env python3
"""Proposes what each line of a sed script does to a program: lop bug.c ./test.sh --propose 'python3 sed_lines.py ideas.sed'

Each line of the script is a candidate of its own, such as `s/unsigned long/int/g`, or `/^static_assert/d`.
"""
import json, subprocess, sys

with open(sys.argv[1]) as script:
    ideas = [line for line in script.read().splitlines() if line and not line.startswith("#")]

for line in sys.stdin:
    told = json.loads(line)
    if told["event"] == "version":
        for file in told["files"]:
            for idea in ideas:
                done = subprocess.run(["sed", "-E", idea], input=file.get("text", ""), capture_output=True, text=True)
                if done.returncode == 0 and done.stdout != file.get("text"):
                    print(json.dumps({"id": idea, "version": told["version"], "file": file["name"], "text": done.stdout}))
        print(json.dumps({"done": told["version"]}), flush=True)
