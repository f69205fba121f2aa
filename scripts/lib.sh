# Shared by the scripts in this folder: where the project is, how to speak, how to build. Sourced.
# shellcheck shell=bash

set -euo pipefail

project=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
readonly project

# For people, on stderr: stdout is for results.
say() { printf '%s\n' "$*" >&2; }

# fail CODE SENTENCE…: 1 usage, 2 the machine.
fail() {
  local code=$1
  shift
  printf '%s\n' "$@" >&2
  exit "$code"
}

# show_progress: passes ninja's lines on, and shows how far it is where somebody is looking.
show_progress() {
  if [ ! -t 2 ]; then
    cat
    return
  fi
  local line
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in \[*/*\]*) printf '\r  %s]' "${line%%]*}" >&2 ;; esac
  done
  printf '\r\033[K' >&2
}

# build PRESET TARGET…: configures where needed and builds, quietly; the log is shown on failure.
# One build of a preset at a time: a second caller waits for the first.
build() {
  local preset=$1
  shift
  local directory="$project/build/$preset"
  if ! mkdir -p -- "$directory" 2>/dev/null || [ ! -w "$directory" ]; then
    fail 2 "Cannot write to $directory." "Use a copy of the project that belongs to you."
  fi
  local log="$directory/build.log"
  exec 9>"$directory/.lock"
  flock 9
  # 9>&-: no background process of the build may keep the lock.
  if [ ! -f "$directory/build.ninja" ]; then
    (cd -- "$project" && cmake --preset "$preset") >"$log" 2>&1 9>&- || build_failed "$log"
  fi
  # The dry run decides whether there is anything to say; a pending re-configuration counts.
  if ! ninja -C "$directory" -n "$@" 2>/dev/null 9>&- | grep -q 'no work to do'; then
    say "Building ($preset; a few minutes the first time) …"
    local began=$SECONDS
    ninja -C "$directory" "$@" 2>&1 9>&- | show_progress >"$log" || build_failed "$log"
    say "Built in $((SECONDS - began)) s."
  fi
  flock -u 9
  exec 9>&-
}

build_failed() {
  tail -n 60 -- "$1" >&2
  fail 2 "The build failed; the whole log is $1."
}
