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

# grade_within SECONDS SUBMISSION FORMAT FILE [OPTION…]: grades. From its first moment on FILE holds, in
# FORMAT, what was found until then, and in the end the result; so it does whatever ends the grading.
# What goes wrong is said on stderr.
grade_within() {
  local status=0 scratch
  scratch=$(mktemp -d)
  timeout --kill-after=10 "$1" "$program/bin/attention-grader" grade "$2" \
    --out "$scratch/graded" --quiet --export "$3=$4" "${@:5}" >&2 || status=$?
  rm -rf -- "$scratch"
  case $status in
    0) ;;
    124 | 137) printf 'Grading took longer than %s s and was stopped.\n' "$1" >&2 ;;
    *) printf 'attention-grader grade ended with code %s.\n' "$status" >&2 ;;
  esac
}
