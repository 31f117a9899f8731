#!/bin/sh
# lop Bug.java --serve "docs/examples/serve/javac.sh 'REGULAR EXPRESSION' -nowarn"
# A server that is compiled already starts sooner: javac JavacServer.java
here=$(dirname "$0")
server=JavacServer
[ -e "$here/$server.class" ] || server=$here/$server.java
exec java -Xmx500m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$here" "$server" "$@"
