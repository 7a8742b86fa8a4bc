#!/bin/sh
# with_preload.sh LIBRARY PROGRAM ARGUMENTS...: runs it with this library loaded first. A rank's command: the launcher, and
# what it is written in, need no preload.
LD_PRELOAD="$1${LD_PRELOAD:+:$LD_PRELOAD}"
export LD_PRELOAD
shift
exec "$@"
