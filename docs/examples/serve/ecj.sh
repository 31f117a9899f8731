#!/bin/sh
# lop Bug.java --serve "docs/examples/serve/ecj.sh 'REGULAR EXPRESSION' -17 -nowarn -proc:none"
# ECJ is the compiler's jar. A server that is compiled already starts sooner: javac -cp /usr/share/java/eclipse-jdt-core.jar EcjServer.java
: "${ECJ:=/usr/share/java/eclipse-jdt-core.jar}"
here=$(dirname "$0")
server=EcjServer
[ -e "$here/$server.class" ] || server=$here/$server.java
exec java -Xmx500m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$ECJ:$here" "$server" "$@"
