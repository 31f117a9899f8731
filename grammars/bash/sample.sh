#!/bin/bash
# What lop is shown of the shell's language: a bit of each kind of thing.
set -eu -o pipefail
name=world
readonly limit=10
declare -a list=(one "two 2" 'three')
export PATH="$HOME/bin:$PATH" EMPTY=

greet() {
    local who="${1:-nobody}" n=0
    echo "hello $who, ${#who} letters" >&2
    return 0
}

function sum {
    total=0
    for n in "$@"; do
        if [ "$n" -gt "$limit" ]; then
            continue
        elif [[ $n == -* || ! -n $n ]]; then
            break
        else
            total=$((total + n * 2))
        fi
    done
    echo "$total"
}

while read -r line; do
    case "$line" in
        a|b*) echo "ab" ;;
        [0-9]) echo digit
            ;;
        *)
            echo 'other'
            ;;
    esac
done < input.txt

until false; do break; done
for ((i = 0; i < 3; i++)); do
    echo $i
done

cat file | grep -v "^#" | sort -u > out.txt 2>&1 || exit 1
[ -f out.txt ] && rm -f out.txt
result=$(sum 1 2 3 | tail -n 1)
old=`date`
list+=(four)
echo "${list[@]}" "${list[0]}" "${result%.*}" "${old//a/b}"
(cd /tmp && ls) &
{ echo one; echo two; } >> log
cat <<EOF
text $name
EOF
diff <(echo a) <(echo b) || true
test -d "$HOME" && greet "$name"; unset name
if ((total > 3)); then echo big; fi
