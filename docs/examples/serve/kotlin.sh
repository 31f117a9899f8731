#!/bin/sh
# lop bug.kt --serve "docs/examples/serve/kotlin.sh 'REGULAR EXPRESSION' -nowarn"
# lop src --serve "docs/examples/serve/kotlin.sh 'REGULAR EXPRESSION' --run app.MainKt -nowarn" for what the compiled program prints
# KOTLIN_HOME is the directory of the compiler, which has its jars in lib/. A server that is compiled already starts sooner:
# javac -cp "$KOTLIN_HOME/lib/*" KotlinServer.java
: "${KOTLIN_HOME:=/usr/share/kotlin/kotlinc}"
here=$(dirname "$0")
server=KotlinServer
[ -e "$here/$server.class" ] || server=$here/$server.java
regex=$1
shift
exec java -Xmx700m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$KOTLIN_HOME/lib/*:$here" "$server" "$regex" \
  -kotlin-home "$KOTLIN_HOME" "$@"
