#!/usr/bin/env python3
"""Measures what grading a class costs; run `scripts/bench --class N` instead.

Grades each of the bundled submissions alone and counts its processor time, then a class of N made
of them, each made different by a comment, and compares. What counts: wall time of the batch against
the processor time of the single gradings divided by the processors, peak memory of the process that
coordinates, and the time of a run that finds nothing to do.

The processor time is what the whole machine was busy for, because the kernel charges what runs in
boxes to nobody who could be asked: on a machine with other work the figures mean nothing.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import programs
from programs import SUBMISSIONS, fail

KINDS = ("accepted", "wrong_answer", "wrong_shapes", "not_a_number", "throws", "compile_error", "crashed")

LARGEST_RATIO = 1.1
LARGEST_COORDINATOR_MB = 100
LONGEST_RERUN_S = 2.0


def busy_seconds():
    """For how long the processors of this machine have worked since it was started."""
    user, nice, system, _, _, interrupts, soft_interrupts = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:8])
    ticks = user + nice + system + interrupts + soft_interrupts
    return ticks / os.sysconf("SC_CLK_TCK")


def processor_seconds(words):
    """What a command and all that it starts use."""
    before = busy_seconds()
    programs.run(words)
    return busy_seconds() - before


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
        programs.run([grader, "grade", files[0], "--out", place / "first", "--quiet"])  # the cache
        single = {}
        for file in files:
            shutil.rmtree(place / "one", ignore_errors=True)
            single[file] = processor_seconds(
                [grader, "grade", file, "--out", place / "one", "--quiet"])
        hand_in(files, arguments.count, place / "class")
        alone = sum(single[files[number % len(files)]] for number in range(arguments.count))
        batch = [grader, "batch", place / "class", "--out", place / "results", "--quiet"]
        whole = programs.run(batch)
        rerun = programs.run(batch)
        disk = sum(file.stat().st_size for file in (place / "results").rglob("*") if file.is_file())
    figures = {
        "submissions": arguments.count,
        "processors": cores,
        "cpu_seconds_alone": alone,
        "wall_seconds": whole.seconds,
        "wall_ratio": whole.seconds / (alone / cores),
        "coordinator_mb": whole.megabytes,
        "rerun_seconds": rerun.seconds,
        "disk_bytes_each": disk / arguments.count,
    }
    reached = {
        "wall_ratio": figures["wall_ratio"] <= LARGEST_RATIO,
        "coordinator_mb": whole.megabytes < LARGEST_COORDINATOR_MB,
        "rerun_seconds": rerun.seconds < LONGEST_RERUN_S,
    }
    for name, value in figures.items():
        mark = {True: "reached", False: "NOT REACHED"}.get(reached.get(name), "")
        print(f"{name:20} {value:12.4g}  {mark}".rstrip())
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    sys.exit(0 if all(reached.values()) else 1)


if __name__ == "__main__":
    main()
