#!/usr/bin/env python3
"""Measures what scripts/bench promises; run that instead.

Times are compared within one round, the grader and the plain compiler one after the other, so that
a busy machine slows both; the ratio of a round is what counts, and its median is reported.
"""

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

import calls
import figures
import grading

PARTS = ("correct", "harness", "wrong", "calls", "growth", "start", "repeat")


def measure(options, folder):
    grader = options.build / "attention-grader"
    makers = {
        "correct": lambda: grading.correct(grader, options.rounds, folder),
        "harness": lambda: grading.harness(grader, options.rounds, folder),
        "wrong": lambda: grading.wrong(grader, folder),
        "calls": lambda: calls.calls(options.build / "grader" / "host" / "host_benchmark"),
        "growth": lambda: grading.growth(grader, folder),
        "repeat": lambda: grading.repeat(grader, options.rounds, folder),
        "start": lambda: grading.start(grader, options.rounds),
    }
    for part in options.parts or PARTS:
        for figure in makers[part]():
            print(figure.line(), flush=True)
            yield figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, help="build folder of the grader")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--compare", type=Path, nargs=2)
    parser.add_argument("parts", nargs="*", metavar="PART")
    options = parser.parse_args()
    if options.compare:
        for line in figures.compare(*options.compare):
            print(line)
        return
    if options.rounds < 1:
        parser.error("--rounds must be at least 1.")
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"no part is called {part}; there are {', '.join(PARTS)}.")
    machine = {"processors": os.cpu_count(), "load": os.getloadavg()[0],
               "kernel": platform.release(), "rounds": options.rounds}
    print(f"{machine['processors']} processors, load {machine['load']:.1f}, "
          f"{options.rounds} rounds; ratios and medians, lowest to highest in brackets")
    with tempfile.TemporaryDirectory() as folder:
        results = list(measure(options, folder))
    if options.json:
        figures.write(options.json, machine, results)
    sys.exit(0 if all(figure.is_reached for figure in results) else 1)


if __name__ == "__main__":
    main()
