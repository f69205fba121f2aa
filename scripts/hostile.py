#!/usr/bin/env python3
"""Runs the tests with hostile submissions level by level; run scripts/hostile instead."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# "R01_exit: graded 0 / 100 at "L4": exit, 1.5 s"
LINE = re.compile(r'^(\w+): (\w+) (\S+) / \S+ at "?(\w*)"?.*, ([\d.e+-]+) s$', re.MULTILINE)
STATUSES = ("graded", "not_built", "refused")


def failed_tests(results):
    """Names of the attacks that did not end as they should."""
    return [
        test["name"].split("/")[-1]
        for suite in results["testsuites"]
        for test in suite["testsuite"]
        if test.get("failures")
    ]


def run(test, level, folder):
    """(the attacks' lines, names of failed ones) of one test program at `level`."""
    output = Path(folder) / "results.json"
    output.unlink(missing_ok=True)
    printed = subprocess.run(
        [test, "--gtest_brief=1", f"--gtest_output=json:{output}", "--gtest_filter=All/*"],
        env={**os.environ, "ATTENTION_GRADER_ISOLATION": level},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        check=False).stdout
    if not output.exists():
        print(f"hostile: {test} ended early:\n{printed}", file=sys.stderr)
        sys.exit(2)
    failed = failed_tests(json.loads(output.read_text()))
    if failed:
        print(printed, file=sys.stderr)
    return LINE.findall(printed), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", nargs="+", required=True)
    parser.add_argument("--tests", nargs="+", required=True)
    options = parser.parse_args()
    print(f"{'level':8}{'attacks':>8}{'as expected':>12}"
          + "".join(f"{status:>10}" for status in STATUSES) + f"{'longest':>30}")
    everything_held = True
    with tempfile.TemporaryDirectory() as folder:
        for level in options.levels:
            lines, failed = [], []
            for test in options.tests:
                more_lines, more_failed = run(test, level, folder)
                lines += more_lines
                failed += more_failed
            statuses = [line[1] for line in lines]
            reached = max((line[3] for line in lines if line[1] == "graded"), default="")
            longest = max(lines, key=lambda line: float(line[4]), default=("", "", "", "", "0"))
            held = len({line[0] for line in lines} - set(failed))
            print(f"{reached or level:8}{len(lines):>8}{held:>12}"
                  + "".join(f"{statuses.count(status):>10}" for status in STATUSES)
                  + f"{longest[0] + f' {float(longest[4]):.0f} s':>30}", flush=True)
            for name in failed:
                print(f"        not as expected: {name}", flush=True)
            everything_held = everything_held and bool(lines) and not failed
    sys.exit(0 if everything_held else 1)


if __name__ == "__main__":
    main()
