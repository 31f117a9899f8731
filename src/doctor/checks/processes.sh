# The test, and then a look for whoever has its TMPDIR still. A process that is only about to end has a second.
list=${TMPDIR%/*}/processes
look() {
    grep -lsaF "TMPDIR=$TMPDIR" /proc/[0-9]*/environ >"$list"
    found=
    while read -r file; do
        pid=${file#/proc/}
        pid=${pid%/environ}
        if [ "$pid" != $$ ] && [ -d "/proc/$pid" ]; then
            found="$found $pid"
        fi
    done <"$list"
}
look
if [ -n "$found" ]; then
    sleep 1
    look
fi
for pid in $found; do
    printf '\nlop-doctor-left %s\n' "$(tr '\0' ' ' <"/proc/$pid/cmdline")"
done
rm -f "$list"
