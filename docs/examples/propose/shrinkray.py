#!/usr/bin/env python3
"""Lets a reducer for Shrink Ray's --reduce-with propose candidates: lop bug.py ./test.sh --propose 'python3 shrinkray.py REDUCER...'

Shrink Ray's protocol (its notes/external-reducers.md) has lines of JSON with texts in base 64: it says {"reduce": TEXT}; the reducer asks
{"content": TEXT}, hears {"content": TEXT, "interesting": true}, and says {"idle": true} when it knows no more.
"""
import base64, json, subprocess, sys, threading

reducer = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
lock = threading.Lock()
version, current = None, None

def tell(**line):
    with lock:
        try:
            print(json.dumps(line), file=reducer.stdin, flush=True)
        except BrokenPipeError:
            pass

def propose():
    for line in reducer.stdout:
        asked = json.loads(line)
        if "content" in asked:
            # The text itself is the name by which the verdict comes back.
            text = base64.b64decode(asked["content"])
            print(json.dumps({"id": asked["content"], "version": version, "hex": text.hex()}), flush=True)
        elif asked.get("idle"):
            print(json.dumps({"done": version}), flush=True)

threading.Thread(target=propose, daemon=True).start()
for line in sys.stdin:
    told = json.loads(line)
    if told["event"] == "version":
        file = told["files"][0]
        text = file["text"].encode() if "text" in file else bytes.fromhex(file["hex"])
        text = base64.b64encode(text).decode()
        version = told["version"]
        # The reducer has adopted what it asked about and was found interesting.
        if text != current:
            tell(reduce=text)
        current = text
    elif told["event"] == "verdict":
        interesting = told["verdict"] == "interesting"
        current = told["id"] if interesting else current
        tell(content=told["id"], interesting=interesting)
reducer.stdin.close()
reducer.wait()
