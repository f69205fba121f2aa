#!/usr/bin/env python3
"""Counts the instructions of the grading stage, so that a slowdown is seen on a busy machine.

    instructions.py PROGRAM COUNTS [--accept]

PROGRAM is attention-grader, COUNTS the file with the accepted counts, which --accept rewrites. Runs
the checks on models of the self-test in process, under callgrind. Exit code 0: within the tolerance;
1: slower, or so much faster that the file is out of date; 77: this toolchain is not the one of the
file, so that nothing can be said.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

# Processors differ a little in what the C library chooses for them.
TOLERANCE = 0.1
# A correct style (no failure, nothing to shrink) and a mistake that three checks have to shrink.
MODELS = ["loops", "M02"]
CASES = "200"


def toolchain():
    def first_line(*command):
        return subprocess.run(command, check=True, capture_output=True,
                              text=True).stdout.splitlines()[0]
    return [first_line("g++", "--version"), first_line("ldd", "--version"),
            first_line("valgrind", "--version")]


def count(program, model):
    said = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "selftest",
         "--filter", model, "--cases", CASES, "--format", "json"],
        check=False, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", said.stderr)
    if said.returncode != 0 or not found:
        print(f"callgrind did not count {model}:\n{said.stderr[-2000:]}", file=sys.stderr)
        sys.exit(1)
    return int(found.group(1))


def main():
    program, counts = Path(sys.argv[1]), Path(sys.argv[2])
    is_accepting = sys.argv[3:] == ["--accept"]
    accepted = json.loads(counts.read_text()) if counts.exists() else {}
    here = toolchain()
    if accepted.get("toolchain") != here and not is_accepting:
        print(f"counted with {accepted.get('toolchain')}, here is {here}: nothing to compare")
        sys.exit(77)
    counted = {model: count(program, model) for model in MODELS}
    if is_accepting:
        counts.write_text(json.dumps({"toolchain": here, "instructions": counted}, indent=1) + "\n")
        return
    status = 0
    for model, number in counted.items():
        ratio = number / accepted["instructions"][model]
        print(f"{model:<20} {number:>14} instructions, {ratio:.3f} of the accepted")
        if not abs(ratio - 1) <= TOLERANCE:
            status = 1
    if status:
        print(f"More than {TOLERANCE:.0%} off. If that is meant: scripts/bench --accept-instructions",
              file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
