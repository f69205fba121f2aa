#!/usr/bin/env bash
# Gradescope runs this once, as root and with network, while it builds the image.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
program=$root/source/attention-grader
export XDG_CACHE_HOME=$root/cache

chmod -R go-w -- "$program"
chmod +x -- "$program/bin/attention-grader" "$program/lib/attention-grader/attention-grader-host" \
  "$program/host/install" "$program/host/prepare" "$root/source/run_autograder"
"$program/host/install"
"$program/host/prepare"
