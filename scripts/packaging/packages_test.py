#!/usr/bin/env python3
"""packages_test.py BUILD IN_DEFAULT_CONTAINER [TEST…]: makes the packages and runs them as their hosts do.

The hosts' folders are laid out below a folder of the test's own, and the entry points run with the
system calls, capabilities and user that a default container gives them. What an image would install is
installed here already, so apt-get is a stand-in that only notes what it was asked for.
"""
import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SUBMISSIONS = PROJECT / "testcases" / "submissions"
RIGHT = SUBMISSIONS / "accepted" / "plain_loops"
WRONG = SUBMISSIONS / "wrong_answer" / "mask_after_softmax"
WRONG_SCORE = 70
BUILD = IN_CONTAINER = None
CANNOT_PLAY = 126


def assemble(target, path):
    subprocess.run([PROJECT / "scripts" / "packaging" / target / "assemble", BUILD, path], check=True,
                   stdout=subprocess.DEVNULL)


class HostTest(unittest.TestCase):
    """A host's folders, which every user may read as in an image."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="packages-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.scratch.chmod(0o755)
        cls.root = cls.scratch / "root"
        cls.root.mkdir()
        stand_ins = cls.scratch / "bin"
        stand_ins.mkdir()
        for name, body in (("apt-get", f'echo "$@" >> {cls.scratch}/apt-get.txt'),
                           ("apt-cache", "echo '  Depends: g++-12'")):
            (stand_ins / name).write_text(f"#!/bin/sh\n{body}\n")
            (stand_ins / name).chmod(0o755)
        cls.environment = dict(os.environ, PATH=f"{stand_ins}:/usr/local/bin:/usr/bin:/bin",
                               TMPDIR=tempfile.gettempdir())
        cls.environment.pop("XDG_CACHE_HOME", None)
        cls.lay_out()

    def start(self, *command, stdout=subprocess.PIPE, **variables):
        """Starts a host's command in a default container, in a process group of its own."""
        user = ["--as-nobody"] if self.is_nobody else []
        return subprocess.Popen([IN_CONTAINER, *user, *command], env={**self.environment, **variables},
                                cwd=self.folder, stdout=stdout, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)

    def finish(self, *command, **variables):
        process = self.start(*command, **variables)
        out, err = process.communicate(timeout=600)
        if process.returncode == CANNOT_PLAY:
            self.skipTest("a container cannot be played here")
        self.said = f"exit code {process.returncode}\n{out}\n{err}"
        self.out = out
        return process.returncode

    def kill_when(self, process, holds):
        """As a host does whose time is over, as soon as `holds()`."""
        deadline = time.monotonic() + 300
        while process.poll() is None and not holds() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertIsNone(process.poll(), "it ended before it could be killed")
        self.assertTrue(holds())
        for pid in [process.pid, *self.descendants(process.pid)]:
            with contextlib.suppress(ProcessLookupError):  # ended with its parent
                os.kill(pid, signal.SIGKILL)
        return process.communicate()

    def descendants(self, pid):
        """`timeout` makes a process group of its own."""
        children = []
        with contextlib.suppress(OSError):  # it has ended
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                children += [int(child) for child in (task / "children").read_text().split()]
        return children + [each for child in children for each in self.descendants(child)]

    def assert_found(self, text):
        """What SLOW loses points for is told, and what it did not get to."""
        self.assertRegex(text, r"Failed: [^:]*softmax\.row_sums")
        self.assertIn("Row 0 of the weights sums to 0.5", text)
        self.assertRegex(text, r"Not run: [^:]*assertions\.rows_sum_to_one[^:]*purity\.repeatable")

    def hand_in(self, folder, files):
        """`files`: a folder of sources, or the text of attention.cpp."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if isinstance(files, str):
            (folder / "attention.cpp").write_text(files)
            return
        for file in files.iterdir():
            if file.suffix in (".cpp", ".hpp", ".h"):
                shutil.copy(file, folder)

    is_nobody = False
    folder = "/"

    DOES_NOT_COMPILE = '#include "attention.hpp"\nint broken( {\n'
    # Loses points early, and then takes its time.
    SLOW = (WRONG / "attention.cpp").read_text().replace("#include <cmath>", "#include <chrono>\n#include <cmath>") \
        .replace("bool rows_sum_to_one(const Matrix& weights) {", """bool rows_sum_to_one(const Matrix& weights) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1000);
  while (std::chrono::steady_clock::now() < end) { }""")
    NEVER_ENDS = '#include "attention.hpp"\nstatic const int hang = [] { for (;;) { } return 0; }();\n'


class Gradescope(HostTest):
    @classmethod
    def lay_out(cls):
        package = cls.scratch / "package.zip"
        assemble("gradescope", package)
        for name in ("source", "submission", "results"):
            (cls.root / name).mkdir()
        subprocess.run(["cmake", "-E", "tar", "xf", package], cwd=cls.root / "source", check=True)
        cls.environment["AUTOGRADER_ROOT"] = str(cls.root)
        cls.folder = cls.root
        shutil.copy(cls.root / "source" / "run_autograder", cls.root)
        cls.results = cls.root / "results" / "results.json"
        subprocess.run(["bash", cls.root / "source" / "setup.sh"], env=cls.environment, check=True)

    def setUp(self):
        self.results.unlink(missing_ok=True)

    def grade(self, files, **variables):
        self.hand_in(self.root / "submission", files)
        code = self.finish(str(self.root / "run_autograder"), **variables)
        return code, json.loads(self.results.read_text())

    def test_setup_installs_what_the_program_needs(self):
        asked = (self.scratch / "apt-get.txt").read_text()
        for package in ("g++", "libeigen3-dev", "libarchive13", "libseccomp2"):
            self.assertIn(f" {package}", asked)
        self.assertTrue((self.root / "cache" / "attention-grader").is_dir())

    def test_older_compiler_is_replaced(self):
        # As on Ubuntu 22.04. The link is not made: this is no image.
        stand_ins = self.scratch / "older"
        stand_ins.mkdir()
        for name, body in (("apt-get", f'echo "$@" >> {self.scratch}/older.txt'),
                           ("apt-cache", "echo '  Depends: cpp-11\n  Depends: g++-11\n'"),
                           ("ln", f'echo ln "$@" >> {self.scratch}/older.txt')):
            (stand_ins / name).write_text(f"#!/bin/sh\n{body}\n")
            (stand_ins / name).chmod(0o755)
        path = f"{stand_ins}:{self.environment['PATH']}"
        subprocess.run([self.root / "source" / "attention-grader" / "host" / "install"],
                       env={**self.environment, "PATH": path}, check=True)
        asked = (self.scratch / "older.txt").read_text().split()
        self.assertIn("g++-12", asked)
        self.assertNotIn("g++", asked)
        self.assertEqual(asked[asked.index("ln"):][:4], ["ln", "-sf", "g++-12", "/usr/bin/g++"])

    def test_right_submission_has_all_points(self):
        code, results = self.grade(RIGHT)
        self.assertEqual(code, 0, self.said)
        self.assertEqual(results["score"], 100, self.said)
        self.assertEqual(results["extra_data"]["isolation"], "L2")

    def test_wrong_submission_loses_its_points(self):
        code, results = self.grade(WRONG)
        self.assertEqual(code, 0, self.said)
        self.assertEqual(results["score"], WRONG_SCORE)
        failed = [test["name"] for test in results["tests"] if test["status"] == "failed"]
        self.assertIn("row sums", failed)

    def test_work_that_does_not_compile_has_no_points(self):
        code, results = self.grade(self.DOES_NOT_COMPILE)
        self.assertEqual(code, 0, self.said)
        self.assertEqual(results["score"], 0)
        self.assertIn("attention.cpp:2", json.dumps(results))

    def test_killed_half_way_leaves_what_was_found(self):
        self.hand_in(self.root / "submission", self.SLOW)
        self.kill_when(self.start(str(self.root / "run_autograder")),
                       lambda: self.results.exists() and "softmax.row_sums" in self.told())
        results = json.loads(self.results.read_text())
        self.assertNotIn("score", results)
        self.assertNotIn("tests", results)
        self.assert_found(results["output"])

    def told(self):
        """Of checks that failed."""
        return "".join(re.findall("Failed: [^:]*:", json.loads(self.results.read_text())["output"]))

    def test_killed_at_once_leaves_a_result_without_a_score(self):
        self.hand_in(self.root / "submission", RIGHT)
        self.kill_when(self.start(str(self.root / "run_autograder")), self.results.exists)
        results = json.loads(self.results.read_text())
        self.assertNotIn("score", results)
        self.assertIn("did not", results["output"])

    def test_own_time_limit_leaves_what_was_found(self):
        _, results = self.grade(self.SLOW, GRADER_SECONDS="25")
        self.assertNotIn("score", results)
        self.assertIn("took longer", self.said)
        self.assert_found(results["output"])

    def test_program_that_cannot_run_costs_no_mark(self):
        program = self.root / "source" / "attention-grader" / "bin" / "attention-grader"
        program.chmod(0o644)
        self.addCleanup(program.chmod, 0o755)
        _, results = self.grade(RIGHT)
        self.assertNotIn("score", results)
        self.assertIn("did not begin", results["output"])

    def test_machine_that_cannot_grade_costs_no_mark(self):
        _, results = self.grade(RIGHT, ATTENTION_GRADER_ISOLATION="none")
        self.assertNotIn("score", results, self.said)
        self.assertNotIn("tests", results)

    def test_submission_that_never_ends_is_graded_in_time(self):
        code, results = self.grade(self.NEVER_ENDS)
        self.assertEqual(code, 0, self.said)
        self.assertEqual(results["score"], 0)


class PrairieLearn(HostTest):
    @classmethod
    def lay_out(cls):
        cls.package = cls.scratch / "package"
        assemble("prairielearn", cls.package)
        cls.environment["GRADE_ROOT"] = str(cls.root)
        # As the recipe does.
        image = cls.package / "image"
        cls.environment["XDG_CACHE_HOME"] = str(image / "cache")
        for step in ("install", "prepare"):
            subprocess.run([image / "attention-grader" / "host" / step], env=cls.environment, check=True)

    def grade(self, files, **variables):
        shutil.rmtree(self.root / "results", ignore_errors=True)
        self.hand_in(self.root / "student", files)
        self.assertEqual(self.finish(str(self.package / "image" / "grade"), **variables), 0, self.said)
        return json.loads((self.root / "results" / "results.json").read_text())

    def test_question_names_what_is_there(self):
        question = self.package / "question"
        info = json.loads((question / "info.json").read_text())
        options = info["externalGradingOptions"]
        self.assertEqual(options["image"], "attention-grader")
        self.assertLessEqual(options["timeout"], 600)
        self.assertIn(f'ENTRYPOINT ["{options["entrypoint"]}"]', (self.package / "image" / "Dockerfile").read_text())
        self.assertTrue((question / "attention.cpp").is_file())
        self.assertTrue((question / "clientFilesQuestion" / "attention.hpp").is_file())

    def test_right_submission_has_all_points(self):
        self.assertEqual(self.grade(RIGHT)["score"], 1, self.said)

    def test_wrong_submission_loses_its_points(self):
        results = self.grade(WRONG)
        self.assertAlmostEqual(results["score"], WRONG_SCORE / 100)
        self.assertTrue(results["gradable"])

    def test_work_that_does_not_compile_costs_no_attempt(self):
        results = self.grade(self.DOES_NOT_COMPILE)
        self.assertIs(results["gradable"], False)
        self.assertIn("does not compile", json.dumps(results["format_errors"]))

    def test_machine_that_cannot_grade_costs_no_attempt(self):
        results = self.grade(RIGHT, ATTENTION_GRADER_ISOLATION="none")
        self.assertIs(results["gradable"], False, self.said)
        self.assertNotIn("score", results)

    def test_own_time_limit_shows_what_was_found_and_costs_no_attempt(self):
        # PrairieLearn reads nothing of a container that it has ended itself.
        results = self.grade(self.SLOW, GRADER_SECONDS="25")
        self.assertIs(results["gradable"], False, self.said)
        self.assertNotIn("score", results)
        self.assert_found(results["message"])
        sums = [test for test in results["tests"] if test["name"] == "row sums"]
        self.assertIn("sums to 0.5", sums[0]["message"])
        self.assertEqual(sums[0]["max_points"], 0)


class Autolab(HostTest):
    is_nobody = True

    @classmethod
    def lay_out(cls):
        cls.package = cls.scratch / "package"
        assemble("autolab", cls.package)

    def hand_in_as(self, files, name="attention.cpp"):
        job = self.root / "job"
        shutil.rmtree(job, ignore_errors=True)
        job.mkdir()
        self.folder = job
        shutil.copy(self.package / "autograde.tar", job)
        shutil.copy(self.package / "autograde-Makefile", job / "Makefile")
        if isinstance(files, str):
            (job / name).write_text(files)
        else:
            shutil.copy(files / "attention.cpp", job / name)
        job.chmod(0o777)

    def grade(self, files, name="attention.cpp", **variables):
        self.hand_in_as(files, name)
        self.assertEqual(self.finish("/usr/bin/make", **variables), 0, self.said)
        return json.loads(self.out.splitlines()[-1])["scores"]

    def test_assessment_lists_the_problems_that_are_scored(self):
        listing = subprocess.run(["tar", "tf", self.package / "attention.tar"], capture_output=True, text=True,
                                 check=True).stdout.split()
        self.assertEqual(listing, ["attention/", "attention/attention.yml", "attention/autograde-Makefile",
                                   "attention/autograde.tar"])
        text = subprocess.run(["tar", "xOf", self.package / "attention.tar", "attention/attention.yml"],
                              capture_output=True, text=True, check=True).stdout
        scores = self.grade(RIGHT)
        points = [float(line.split()[1]) for line in text.splitlines() if "max_score" in line]
        self.assertEqual(sum(points), 100)
        self.assertEqual(list(scores.values()), points, self.said)
        for problem in scores:
            self.assertIn(f'- name: "{problem}"\n', text)

    def test_wrong_submission_loses_its_points(self):
        self.assertEqual(sum(self.grade(WRONG).values()), WRONG_SCORE, self.said)

    def test_work_that_does_not_compile_has_no_points(self):
        self.assertEqual(sum(self.grade(self.DOES_NOT_COMPILE).values()), 0)
        self.assertIn("attention.cpp:2", self.out)

    def assert_open(self, scores):
        self.assertTrue(scores)
        self.assertEqual(set(scores.values()), {None})

    def test_machine_that_cannot_grade_leaves_the_scores_open(self):
        self.assert_open(self.grade(RIGHT, ATTENTION_GRADER_ISOLATION="none"))

    def test_own_time_limit_shows_what_was_found_and_leaves_the_scores_open(self):
        self.assert_open(self.grade(self.SLOW, GRADER_SECONDS="25"))
        self.assert_found(self.out)

    def test_killed_half_way_has_printed_what_was_found(self):
        # Tango ends make, and hands on what was printed until then.
        self.hand_in_as(self.SLOW)
        printed = self.scratch / "printed.txt"
        with printed.open("w") as out:
            process = self.start("/usr/bin/make", stdout=out, SHOW_AFTER="1")
        self.kill_when(process, lambda: "softmax.row_sums" in "".join(
            re.findall("Failed: [^:]*:", printed.read_text())))
        self.assert_open(json.loads(printed.read_text().splitlines()[-1])["scores"])
        self.assert_found(printed.read_text())

    def test_one_problem_may_take_all_points(self):
        self.assertEqual(self.grade(WRONG, AUTOLAB_PROBLEM="Code: all"), {"Code: all": WRONG_SCORE})
        self.assertEqual(self.grade(RIGHT, AUTOLAB_PROBLEM="Code", GRADER_SECONDS="0.3"), {"Code": None})


class GithubClassroom(HostTest):
    @classmethod
    def lay_out(cls):
        cls.package = cls.scratch / "package"
        assemble("github-classroom", cls.package)

    def hand_in_to_repository(self, files):
        for file in self.package.glob("*.cpp"):
            file.unlink()
        if isinstance(files, str):
            (self.package / "attention.cpp").write_text(files)
        else:
            for file in files.glob("*.?pp"):
                shutil.copy(file, self.package)

    def read(self, lines):
        """As the workflow's runner sets the variables and the reporter reads them."""
        variables = dict(line.split("=", 1) for line in lines.splitlines())
        runners = variables["ATTENTION_RUNNERS"].split(",")
        self.assertRegex(",".join(runners), "^([a-zA-Z0-9]+,)*[a-zA-Z0-9]+$")
        return [json.loads(base64.b64decode(variables[f"{runner.upper()}_RESULTS"])) for runner in runners]

    def report(self, files, **variables):
        self.hand_in_to_repository(files)
        done = subprocess.run([self.package / ".github" / "classroom" / "report"], capture_output=True, text=True,
                              env={**os.environ, **variables}, timeout=1200, check=True)
        self.said = done.stderr
        return self.read(done.stdout)

    def totals(self, results):
        """What the reporter shows, and what it sends."""
        shown = sum(sum(test["status"] == "pass" for test in result["tests"]) / len(result["tests"]) *
                    result["max_score"] for result in results)
        sent = sum(test["score"] for result in results if result["max_score"] for test in result["tests"])
        return shown, sent

    def test_reports_each_check_with_its_points(self):
        self.assertEqual(self.totals(self.report(RIGHT)), (100, 100), self.said)
        wrong = self.report(WRONG)
        shown, sent = self.totals(wrong)
        self.assertEqual(shown, sent)
        self.assertEqual(sum(result["max_score"] for result in wrong), 100)
        self.assertLess(shown, 100)
        text = "".join(test["test_code"] for result in wrong for test in result["tests"])
        self.assertIn("Row 0 of the weights sums to 0.5", text)
        self.assertTrue(all(line.startswith("| ") for line in text.splitlines()))

        broken = self.report(self.DOES_NOT_COMPILE)
        self.assertEqual([result["status"] for result in broken], ["fail"])
        self.assertEqual(broken[0]["max_score"], 100)
        self.assertIn("attention.cpp:2", broken[0]["tests"][0]["test_code"])

    def assert_found_and_not_sent(self, results):
        self.assertEqual(self.totals(results), (0, 0))
        self.assertEqual([result["max_score"] for result in results], [0] * len(results))
        self.assertEqual(results[0]["tests"][0]["name"], "The checks ran to their end")
        self.assertEqual(results[0]["status"], "error")
        statuses = {result["tests"][0]["name"].split(":")[0]: result["status"] for result in results[1:]}
        self.assertEqual(statuses["softmax.row_sums"], "fail")
        self.assertEqual(statuses["scaling.logits"], "pass")
        self.assertNotIn("assertions.rows_sum_to_one", statuses)
        self.assertIn("sums to 0.5", "".join(result["tests"][0]["test_code"] for result in results))

    def test_killed_half_way_leaves_what_was_found(self):
        self.hand_in_to_repository(self.SLOW)
        lines = self.scratch / "lines.env"
        with lines.open("w") as out:
            process = subprocess.Popen([self.package / ".github" / "classroom" / "report"], stdout=out,
                                       stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.kill_when(process, lambda: "ASSERTIONSOUTPUTSHAPESMATCH_RESULTS=" in lines.read_text())
        self.assert_found_and_not_sent(self.read(lines.read_text()))

    def test_own_time_limit_leaves_what_was_found(self):
        self.assert_found_and_not_sent(self.report(self.SLOW, CHECK_SECONDS="60"))

    def test_nothing_in_it_solves_the_assignment(self):
        self.assertFalse(list(self.package.rglob("judge*")) + list(self.package.rglob("*reference*")))

    def test_workflow_runs_what_is_there(self):
        workflow = (self.package / ".github" / "workflows" / "classroom.yml").read_text()
        self.assertIn("python3 .github/classroom/report", workflow)
        self.assertIn("${{ env.ATTENTION_RUNNERS }}", workflow)
        self.assertIn("if: always()", workflow, "also after a time-out")


if __name__ == "__main__":
    BUILD, IN_CONTAINER = (os.path.abspath(path) for path in sys.argv[1:3])
    if os.geteuid() != 0:
        print("Only root can play a container: skipped.")
        sys.exit(0)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
