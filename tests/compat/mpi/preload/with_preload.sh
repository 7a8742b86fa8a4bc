#!/bin/sh
# with_preload.sh LIBRARY[:LIBRARY] PROGRAM ARGUMENTS...: runs it with these libraries loaded first. A rank's command: the launcher,
# and what it is written in, need no preload.
libraries=$1
shift
case $libraries in
  *\ *)  # separates the names in LD_PRELOAD, too; a file that is open has a name without it
    named=$libraries libraries= number=7
    IFS=:
    for library in $named; do
      number=$((number + 1))
      eval "exec $number< \"\$library\""
      libraries=$libraries${libraries:+:}/proc/self/fd/$number
    done
    unset IFS ;;
esac
LD_PRELOAD="$libraries${LD_PRELOAD:+:$LD_PRELOAD}"
export LD_PRELOAD
exec "$@"
