"""Runs the programs that are compared, and measures one process at a time."""

import dataclasses
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SUBMISSIONS = PROJECT / "testcases" / "submissions"
CONTRACT = PROJECT / "student_template" / "include"
INCLUDES = [f"-I{CONTRACT}", f"-I{CONTRACT}/attention", "-I/usr/include/eigen3"]


def fail(sentence):
    print(f"bench: {sentence}", file=sys.stderr)
    sys.exit(2)


@dataclasses.dataclass
class Run:
    seconds: float  # on the wall; the processor time of what runs in boxes is nobody's to ask for
    megabytes: float = 0.0  # most memory of the process itself, without its children
    scorecard: dict | None = None


class PeakMemory(threading.Thread):
    """Follows the high-water mark of one process (not of its children) until it ends."""

    def __init__(self, process_id):
        super().__init__(daemon=True)
        self.status = Path(f"/proc/{process_id}/status")
        self.megabytes = 0.0
        self.is_over = False

    def run(self):
        while not self.is_over:
            try:
                found = re.search(r"VmHWM:\s+(\d+) kB", self.status.read_text())
            except OSError:
                return
            if found:
                self.megabytes = max(self.megabytes, int(found.group(1)) / 1024)
            time.sleep(0.01)


def run(command, expected=(0,)):
    """Runs `command` to its end; fails when its exit code is not an expected one."""
    began = time.perf_counter()
    with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE) as process:
        memory = PeakMemory(process.pid)
        memory.start()
        complaint = process.stderr.read()
        process.wait()
        seconds = time.perf_counter() - began
        memory.is_over = True
        memory.join()
    if process.returncode not in expected:
        fail(f"{' '.join(map(str, command))} ended with exit code {process.returncode}: "
             f"{complaint.decode(errors='replace').strip()[-400:]}")
    return Run(seconds, memory.megabytes)


def grade(grader, source, out, *options):
    result = run([grader, "grade", source, "--out", out, "--quiet", *options])
    result.scorecard = json.loads((Path(out) / "scorecard.json").read_text())
    if result.scorecard["status"] not in ("graded", "not_built"):
        fail(f"{source} was not graded: {result.scorecard['status']}.")
    return result


def sources_of(submission):
    """The C++ files of a bundled submission that a compiler is given."""
    return sorted(submission.rglob("*.cpp"))


def compile_plainly(submission, folder):
    """`g++ -std=c++20 -O2 -c` with plain includes, file by file."""
    runs = [run(["g++", "-std=c++20", "-O2", "-c", *INCLUDES, f"-I{submission}", source, "-o",
                 Path(folder) / f"{index}.o"])
            for index, source in enumerate(sources_of(submission))]
    return Run(sum(r.seconds for r in runs))


def usual_harness(submission, folder):
    """What a course does without this grader: test file and submission, compiled, linked, run."""
    test = PROJECT / "scripts" / "benchmark" / "usual_harness" / "attention_test.cpp"
    program = Path(folder) / "harness"
    objects = Path(folder) / "test.o"
    runs = [
        run(["g++", "-std=c++20", "-O2", "-c", *INCLUDES, test, "-o", objects]),
        compile_plainly(submission, folder),
        run(["g++", objects, *(Path(folder) / f"{index}.o"
                               for index in range(len(sources_of(submission)))),
             "-lrapidcheck", "-lgtest", "-lgtest_main", "-o", program]),
        run([program]),
    ]
    return Run(sum(r.seconds for r in runs))
