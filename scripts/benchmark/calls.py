"""What one sandboxed call costs; measured by the grader's own benchmark program."""

import json
import subprocess

from figures import Figure

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6}


def calls(benchmark):
    document = json.loads(subprocess.run(
        [benchmark, "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout)
    nanoseconds = {entry["name"].split("/")[0]: entry["real_time"] * UNITS[entry["time_unit"]]
                   for entry in document["benchmarks"]}
    yield Figure("sandboxed calls a second, 6 tokens of 3 features", "",
                 [1e9 / nanoseconds["call_6_by_3"]], at_least=30_000)
    yield Figure("sandboxed calls a second, 64 tokens of 128 features", "",
                 [1e9 / nanoseconds["call_64_by_128"]])
    yield Figure("a call that crashes", "ms", [nanoseconds["call_that_crashes"] / 1e6],
                 at_most=2)
    yield Figure("a call in a fresh process", "ms", [nanoseconds["call_in_a_fresh_process"] / 1e6])
    yield Figure("a sandbox, from start to end", "ms",
                 [nanoseconds["start_first_answer_end"] / 1e6])
