# What the entry points of all systems do. Sourced; `program` is the folder attention-grader.
# shellcheck shell=bash disable=SC2154

# put FILE: stdin becomes FILE in one step, so that nobody ever reads half of it.
put() {
  local new
  new=$(mktemp -- "$1.XXXXXX")
  cat >"$new"
  chmod 644 -- "$new"
  mv -f -- "$new" "$1"
}

# grade_within SECONDS SUBMISSION DIRECTORY: grades; what goes wrong is said on stderr. Fails when
# there is no scorecard afterwards. A scorecard without a verdict is one too.
grade_within() {
  local status=0
  timeout --kill-after=10 "$1" \
    "$program/bin/attention-grader" grade "$2" --out "$3" --quiet >&2 || status=$?
  case $status in
    0) ;;
    124 | 137) printf 'Grading took longer than %s s and was stopped.\n' "$1" >&2 ;;
    *) printf 'attention-grader grade ended with code %s.\n' "$status" >&2 ;;
  esac
  [ -f "$3/scorecard.json" ]
}
