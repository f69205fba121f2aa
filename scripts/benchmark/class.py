#!/usr/bin/env python3
"""Measures what grading a class costs; run `scripts/bench --class N` instead.

Grades each of the bundled submissions alone and counts its processor time, then a class of N made
of them, each made different by a comment, and compares. What counts: wall time of the batch against
the processor time of the single gradings divided by the processors, peak memory of the process that
coordinates, and the time of a run that finds nothing to do.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SUBMISSIONS = PROJECT / "testcases" / "submissions"
KINDS = ("accepted", "wrong_answer", "wrong_shapes", "not_a_number", "throws", "compile_error", "crashed")

LARGEST_RATIO = 1.1
LARGEST_COORDINATOR_MB = 100
LONGEST_RERUN_S = 2.0


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
            time.sleep(0.02)


def run(words):
    """Runs a command; returns (wall seconds, processor seconds, peak memory in MB)."""
    before = os.times()
    began = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    memory = PeakMemory(process)
    memory.start()
    _, errors = process.communicate()
    wall = time.perf_counter() - began
    after = os.times()
    memory.join()
    if process.returncode != 0:
        fail(f"{' '.join(map(str, words))} ended with {process.returncode}: {errors}")
    cpu = (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )
    return wall, cpu, memory.megabytes


def sources():
    """The bundled submissions that are one file."""
    found = []
    for kind in KINDS:
        for folder in sorted((SUBMISSIONS / kind).glob("*")):
            file = folder / "attention.cpp"
            if file.exists() and len(list(folder.glob("*.[ch]pp"))) == 1:
                found.append(file)
    if not found:
        fail(f"no submissions in {SUBMISSIONS}")
    return found


def hand_in(files, count, folder):
    """`count` submissions made of `files` in turn, no two alike."""
    folder.mkdir()
    for number in range(count):
        text = files[number % len(files)].read_bytes()
        name = folder / f"student{number:05}.cpp"
        name.write_bytes(text + f"\n// handed in by student {number}\n".encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--json", type=Path, help="also write the figures there")
    arguments = parser.parse_args()
    grader = arguments.build / "attention-grader"
    cores = len(os.sched_getaffinity(0))
    files = sources()[: arguments.count]
    with tempfile.TemporaryDirectory(prefix="bench-class-") as place:
        place = Path(place)
        run([grader, "grade", files[0], "--out", place / "first", "--quiet"])  # fills the cache
        single = {}
        for file in files:
            shutil.rmtree(place / "one", ignore_errors=True)
            _, single[file], _ = run([grader, "grade", file, "--out", place / "one", "--quiet"])
        hand_in(files, arguments.count, place / "class")
        alone = sum(single[files[number % len(files)]] for number in range(arguments.count))
        batch = [grader, "batch", place / "class", "--out", place / "results", "--quiet"]
        wall, cpu, megabytes = run(batch)
        rerun, _, _ = run(batch)
        disk = sum(file.stat().st_size for file in (place / "results").rglob("*") if file.is_file())
    figures = {
        "submissions": arguments.count,
        "processors": cores,
        "cpu_seconds_alone": alone,
        "cpu_seconds_batch": cpu,
        "wall_seconds": wall,
        "wall_ratio": wall / (alone / cores),
        "cpu_ratio": cpu / alone,
        "coordinator_mb": megabytes,
        "rerun_seconds": rerun,
        "disk_bytes_each": disk / arguments.count,
    }
    reached = {
        "wall_ratio": figures["wall_ratio"] <= LARGEST_RATIO,
        "coordinator_mb": megabytes < LARGEST_COORDINATOR_MB,
        "rerun_seconds": rerun < LONGEST_RERUN_S,
    }
    for name, value in figures.items():
        mark = {True: "reached", False: "NOT REACHED"}.get(reached.get(name), "")
        print(f"{name:20} {value:12.4g}  {mark}".rstrip())
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    sys.exit(0 if all(reached.values()) else 1)


if __name__ == "__main__":
    main()
