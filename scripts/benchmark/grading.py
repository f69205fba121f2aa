"""What grading costs beside compiling: the promised ratios."""

import statistics
from collections import defaultdict
from pathlib import Path

import programs
from figures import Figure

# What decides how long a file takes to compile. The last group is heavy in other standard headers,
# which every compiler has to read and no contract can prepare.
GROUPS = {
    "Eigen expressions": ["column_major", "delayed_normalisation", "eigen_expressions",
                          "fourth_roots", "log_sum_exp", "mask_by_log", "row_views",
                          "scaled_operands", "whole_folder"],
    "loops": ["blocks_of_keys", "c_style", "changes_inputs", "class_style", "crlf_and_bom",
              "header_and_two_sources", "nested_vectors", "online_softmax",
              "pairwise_recursion", "plain_loops", "remembers_correctly"],
    "other standard headers": ["bits_stdcpp", "debug_prints", "functional", "own_main", "threads"],
}
HARNESS = ["eigen_expressions", "plain_loops"]


def check_groups():
    named = sorted(name for names in GROUPS.values() for name in names)
    there = sorted(path.name for path in (programs.SUBMISSIONS / "accepted").iterdir()
                   if path.is_dir())
    if named != there:
        programs.fail("The groups in scripts/benchmark/grading.py do not name every accepted "
                      f"submission: {sorted(set(named) ^ set(there))}.")


def after_link(run):
    """Seconds of a grading run without reading and building the submission."""
    timing = run.scorecard["timing"]
    return run.seconds - timing.get("intake", 0) - timing["build"]


def correct(grader, rounds, folder):
    """Ratios of every accepted submission, and what follows from the same runs."""
    check_groups()
    ratios, rest, memory = {}, [], []
    stages = defaultdict(list)
    for names in GROUPS.values():
        for name in names:
            submission = programs.SUBMISSIONS / "accepted" / name
            programs.grade(grader, submission, Path(folder) / "warm")
            pairs = []
            for number in range(rounds):
                graded = programs.grade(grader, submission, Path(folder) / f"round{number}")
                pairs.append((graded, programs.compile_plainly(submission, folder)))
            for graded, _ in pairs:
                if graded.scorecard["score"] != graded.scorecard["max_score"]:
                    programs.fail(f"{name} got {graded.scorecard['score']} points.")
                rest.append(after_link(graded))
                memory.append(graded.megabytes)
                for stage, seconds in graded.scorecard["timing"].items():
                    stages[stage].append(seconds / graded.seconds)
            ratios[name] = statistics.median(g.seconds / p.seconds for g, p in pairs)
            print(f"    {name:<26} {ratios[name]:.2f}", flush=True)
    yield Figure("grade / g++ -O2 -c, median submission", "", [statistics.median(ratios.values())],
                 at_most=0.7)
    for group, names in GROUPS.items():
        is_promised = group != "other standard headers"
        yield Figure(f"  of these: {group}", "", [statistics.median(ratios[n] for n in names)],
                     at_most=0.9 if is_promised else None)
    yield Figure("everything after the link, correct submission", "s", rest, at_most=0.4)
    yield Figure("peak memory of the grader", "MB", [max(memory)], at_most=100)
    for stage, shares in sorted(stages.items()):
        yield Figure(f"share of the stage {stage}", "", shares)


def harness(grader, rounds, folder):
    for name in HARNESS:
        submission = programs.SUBMISSIONS / "accepted" / name
        ratios = []
        for number in range(rounds):
            graded = programs.grade(grader, submission / "attention.cpp",
                                    Path(folder) / f"round{number}")
            usual = programs.usual_harness(submission, folder)
            ratios.append(graded.seconds / usual.seconds)
        yield Figure(f"grade / usual harness, {name}", "", ratios, at_most=0.3)


def wrong(grader, folder):
    """Every bundled wrong answer once: shrinking and diagnosis included."""
    rest = {}
    for submission in sorted((programs.SUBMISSIONS / "wrong_answer").iterdir()):
        if submission.is_dir():
            rest[submission.name] = after_link(
                programs.grade(grader, submission, Path(folder) / "wrong"))
    slowest = max(rest, key=rest.get)
    yield Figure("everything after the link, median wrong answer", "s",
                 [statistics.median(rest.values())], at_most=1.0)
    yield Figure("everything after the link, slowest wrong answer", "s", [rest[slowest]],
                 detail=f"of {len(rest)}: {slowest}")


def growth(grader, folder):
    source = programs.SUBMISSIONS / "accepted" / "plain_loops" / "attention.cpp"
    for cases in (100, 500, 2000, 8000):
        graded = programs.grade(grader, source, Path(folder) / "growth", "--cases", str(cases))
        yield Figure(f"checks at {cases} cases each", "s", [graded.scorecard["timing"]["checks"]])


def repeat(grader, rounds, folder):
    source = programs.SUBMISSIONS / "accepted" / "plain_loops" / "attention.cpp"
    times = [programs.grade(grader, source, Path(folder) / "repeat", "--reuse").seconds * 1000
             for _ in range(1 + 4 * rounds)]
    yield Figure("a repeat of an unchanged submission, --reuse", "ms", times[1:], at_most=30)


def start(grader, rounds):
    times = [programs.run([grader, "--help"]).seconds * 1000 for _ in range(4 * rounds)]
    yield Figure("attention-grader --help", "ms", times, at_most=20)
