#!/bin/sh
# with_preload.sh LIBRARY PROGRAM ARGUMENTS...: runs it with this library loaded first. A rank's command: the launcher, and
# what it is written in, need no preload.
library=$1
shift
case $library in
  *[\ :]*)  # these separate the names in LD_PRELOAD; a file that is open has a name without them
    exec 9< "$library"
    library=/proc/self/fd/9 ;;
esac
LD_PRELOAD="$library${LD_PRELOAD:+:$LD_PRELOAD}"
export LD_PRELOAD
exec "$@"
