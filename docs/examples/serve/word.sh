#!/bin/sh
# lop bug.c --serve 'docs/examples/serve/word.sh bug'
# The smallest server: is there a file with this word?
while read -r directory; do
  if grep -qr -- "$1" "$directory"; then echo 0; else echo 1; fi
done
