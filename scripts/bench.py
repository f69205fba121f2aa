#!/usr/bin/env python3
"""Measures what scripts/bench promises; run that instead.

Wall times are compared within one round, the grader and the plain compiler one after the other, so
that a busy machine slows both; the ratio of a round is what counts, and its median is reported.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
ACCEPTED = PROJECT / "testcases" / "submissions" / "accepted"
CONTRACT = PROJECT / "student_template" / "include"
STYLES = {"Eigen style": "eigen_expressions", "loop style": "plain_loops"}

LARGEST_RATIO = 1.0
FEWEST_CALLS = 10_000
LONGEST_CRASH_MS = 2.0
LARGEST_GRADER_MB = 200


def fail(sentence):
    print(f"bench: {sentence}", file=sys.stderr)
    sys.exit(2)


class PeakMemory(threading.Thread):
    """Follows the high-water mark of one process (not of its children) until it ends."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process = process
        self.megabytes = 0.0

    def run(self):
        status = Path(f"/proc/{self.process.pid}/status")
        while self.process.poll() is None:
            try:
                found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
            except OSError:
                return
            if found:
                self.megabytes = max(self.megabytes, int(found.group(1)) / 1024)
            time.sleep(0.01)


def grade(grader, source, out):
    """Grades `source`; returns (seconds, peak memory of the grader in MB, scorecard)."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [grader, "grade", source, "--out", out, "--quiet"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    memory = PeakMemory(process)
    memory.start()
    complaint = process.communicate()[1]
    seconds = time.perf_counter() - began
    memory.join()
    if process.returncode != 0:
        fail(f"grading {source} ended with exit code {process.returncode}: {complaint.strip()}")
    scorecard = json.loads((Path(out) / "scorecard.json").read_text())
    if scorecard["score"] != scorecard["max_score"]:
        fail(f"{source} got {scorecard['score']} of {scorecard['max_score']} points.")
    return seconds, memory.megabytes, scorecard


def compile_plainly(source, folder):
    """Seconds of `g++ -std=c++20 -O2 -c` with plain includes."""
    began = time.perf_counter()
    subprocess.run(
        ["g++", "-std=c++20", "-O2", "-c", f"-I{CONTRACT}", "-I/usr/include/eigen3", source, "-o",
         Path(folder) / "plain.o"],
        check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def measure_style(grader, source, rounds, folder):
    grade(grader, source, Path(folder) / "warm")  # prepares the contract, fills the page cache
    results = []
    for number in range(rounds):
        seconds, memory, scorecard = grade(grader, source, Path(folder) / f"round{number}")
        results.append((seconds, compile_plainly(source, folder), memory, scorecard["timing"]))
    return results


def verdict(reached):
    return "reached" if reached else "NOT reached"


def report_styles(grader, rounds, folder):
    reached = True
    memories = []
    for title, name in STYLES.items():
        results = measure_style(grader, ACCEPTED / name / "attention.cpp", rounds, folder)
        ratio = statistics.median(graded / plain for graded, plain, _, _ in results)
        stages = {stage: statistics.median(timing.get(stage, 0.0) for _, _, _, timing in results)
                  for stage in ("build", "checks", "total")}
        memories += [memory for _, _, memory, _ in results]
        print(f"{title}: grade / g++ -O2 -c   {ratio:.2f}"
              f"   (grade {statistics.median(r[0] for r in results):.2f} s:"
              f" build {stages['build']:.2f} s, checks {stages['checks']:.2f} s;"
              f" g++ {statistics.median(r[1] for r in results):.2f} s)")
        if title == "Eigen style":
            print(f"    less than {LARGEST_RATIO}: {verdict(ratio < LARGEST_RATIO)}")
            reached = reached and ratio < LARGEST_RATIO
    peak = max(memories)
    print(f"peak memory of the grader          {peak:.0f} MB")
    print(f"    less than {LARGEST_GRADER_MB} MB: {verdict(peak < LARGEST_GRADER_MB)}")
    return reached and peak < LARGEST_GRADER_MB


def report_calls(benchmark):
    lines = subprocess.run([benchmark], check=True, capture_output=True, text=True).stdout
    calls = re.search(r"^call, 6 x 3 .* (\d+) a second$", lines, re.MULTILINE)
    crash = re.search(r"^call that crashes\s+median\s+([\d.]+) us", lines, re.MULTILINE)
    if not calls or not crash:
        fail(f"host_benchmark said something else than expected:\n{lines}")
    per_second = int(calls.group(1))
    crash_ms = float(crash.group(1)) / 1000
    print(f"sandboxed calls a second           {per_second}")
    print(f"    at least {FEWEST_CALLS}: {verdict(per_second >= FEWEST_CALLS)}")
    print(f"cost of a crashing call            {crash_ms:.2f} ms")
    print(f"    less than {LONGEST_CRASH_MS} ms: {verdict(crash_ms < LONGEST_CRASH_MS)}")
    return per_second >= FEWEST_CALLS and crash_ms < LONGEST_CRASH_MS


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=Path, help="build folder of the grader")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if options.rounds < 1:
        fail("--rounds must be at least 1.")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {options.rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        styles = report_styles(options.build / "attention-grader", options.rounds, folder)
    calls = report_calls(options.build / "grader" / "host" / "host_benchmark")
    sys.exit(0 if styles and calls else 1)


if __name__ == "__main__":
    main()
