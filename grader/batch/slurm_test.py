#!/usr/bin/env python3
"""Grades a class on a real Slurm of two nodes, which it starts on this machine and ends again.

  slurm_test.py PROGRAM ASSIGNMENT RIGHT WRONG

RIGHT and WRONG are submissions. Needs Debian's slurm-wlm and munge, and to be root; exit code 77
(skipped) where they are not there.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM, ASSIGNMENT, RIGHT, WRONG = map(Path, sys.argv[1:5])
NEEDED = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel"]
STUDENTS = 10

CONFIGURATION = """
ClusterName=test
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={place}/munge/socket
CredType=cred/munge
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool-%n
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd-%n.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldPort={port}
SlurmctldTimeout=30
SlurmdTimeout=10
ReturnToService=2
SchedulerParameters=sched_interval=2,batch_sched_delay=0
MpiDefault=none
NodeName=n[1-2] NodeHostname=localhost Port=[{node1}-{node2}] CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def check(condition, message):
    if not condition:
        raise AssertionError(message)


class Cluster:
    """The daemons, each a child of this process."""

    def __init__(self, place):
        self.place = place
        for folder in ("munge", "state", "spool-n1", "spool-n2"):
            (place / folder).mkdir()
        (place / "munge").chmod(0o755)
        port = 20000 + os.getpid() % 20000
        self.file = place / "slurm.conf"
        self.file.write_text(
            CONFIGURATION.format(place=place, port=port, node1=port + 1, node2=port + 2)
        )
        self.environment = dict(os.environ, SLURM_CONF=str(self.file))
        self.daemons = {}

    def start(self):
        munge = self.place / "munge"
        (munge / "key").write_bytes(os.urandom(1024))
        (munge / "key").chmod(0o400)
        self.daemon(
            "munged", "--foreground", "--force", f"--key-file={munge}/key",
            f"--socket={munge}/socket", f"--pid-file={munge}/pid", f"--log-file={munge}/log",
            f"--seed-file={munge}/seed",
        )
        self.daemon("slurmctld", "-D", "-f", self.file)
        for node in ("n1", "n2"):
            self.start_node(node)
        self.await_nodes(2)

    def daemon(self, *words, name=None):
        log = open(self.place / f"{name or words[0]}.out", "ab")
        self.daemons[name or words[0]] = subprocess.Popen(
            [str(word) for word in words], env=self.environment, stdout=log, stderr=log,
            start_new_session=True,
        )
        time.sleep(0.5)

    def start_node(self, node):
        self.daemon("slurmd", "-D", "-f", self.file, "-N", node, name=node)

    def ask(self, *words):
        return subprocess.run(
            words, env=self.environment, capture_output=True, text=True, timeout=60
        ).stdout

    def await_nodes(self, count):
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            states = self.ask("sinfo", "--noheader", "--Node", "--format=%T").split()
            if sum(state.startswith(("idle", "mix", "alloc")) for state in states) == count:
                return
            time.sleep(1)
        raise AssertionError(f"the nodes do not come up: {states}")

    def processes_of(self, node):
        """slurmd of a node and everything below it: its steps are no children of slurmd."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if f"SLURMD_NODENAME={node}\0".encode() in environment:
                found.append(int(entry.name))
        return found

    def kill_node(self, node):
        """The power goes: nothing of the node is left."""
        if node not in self.daemons:
            return
        self.daemons[node].kill()
        self.daemons[node].wait()
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            # The steps first: one that lives when its task dies tells the controller of that.
            victims = self.steps_of(node) + self.processes_of(node)
            if not victims:
                return
            for process in victims:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.1)

    def steps_of(self, node):
        """slurmstepd processes whose spool is the node's."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes()
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if b"slurmstepd" in words and str(self.file).encode() in environment:
                directory = str(self.place / f"spool-{node}")
                try:
                    opened = [os.readlink(link) for link in (entry / "fd").iterdir()]
                except OSError:
                    continue
                if any(name.startswith(directory) or f"slurmd-{node}.log" in name for name in opened):
                    found.append(int(entry.name))
        return found

    def stop(self):
        self.ask("scancel", "--me")
        for node in ("n1", "n2"):
            self.kill_node(node)
        for name in ("slurmctld", "munged"):
            daemon = self.daemons.get(name)
            if daemon is None or daemon.poll() is not None:
                continue
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


class Class:
    def __init__(self, cluster, place):
        self.cluster = cluster
        self.place = place
        (place / "class").mkdir()
        for number in range(STUDENTS):
            source = RIGHT if number % 2 else WRONG
            (place / "class" / f"student{number}.cpp").write_text(
                source.read_text() + f"// {number}\n"
            )

    def words(self, out, *more):
        return [PROGRAM, "batch", "--assignment", ASSIGNMENT, self.place / "class",
                "--out", self.place / out, *more]

    def start(self, out, *more):
        return subprocess.Popen(
            self.words(out, *more), env=self.cluster.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )

    def grade(self, out, *more):
        process = self.start(out, *more)
        output, errors = process.communicate(timeout=900)
        check(process.returncode == 0, f"exit code {process.returncode}: {errors}")
        return output + errors

    def results(self, out):
        """Every scorecard without its timing, and every attempt.json."""
        found = {}
        for file in sorted((self.place / out / "students").rglob("*.json")):
            content = json.loads(file.read_text())
            content.pop("timing", None)
            found[str(file.relative_to(self.place / out))] = content
        return found

    def count(self, out):
        return len(list((self.place / out).glob("students/*/attempt-1/run-*/attempt.json")))

    def await_results(self, process, out, count):
        while self.count(out) < count:
            check(process.poll() is None, "it ended too early")
            time.sleep(0.2)


def test_grades_as_the_local_executor_does(klass, cluster):
    klass.grade("local")
    klass.grade("slurm", "--executor", "slurm", "--partition", "main", "--time", "10")
    check(klass.results("slurm") == klass.results("local"), "other results than without Slurm")
    check("0 submissions to grade" in klass.grade("slurm", "--executor", "slurm"), "graded again")


def test_cancels_its_jobs_and_goes_on(klass, cluster):
    process = klass.start("stopped", "--executor", "slurm", "--jobs", "1")
    klass.await_results(process, "stopped", 2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    check(process.returncode == -signal.SIGINT, f"exit code {process.returncode}: {errors}")
    check(cluster.ask("squeue", "--noheader", "--name=attention-grader") == "", "jobs are left")
    check(klass.count("stopped") < STUDENTS, "it was stopped too late for this test")
    klass.grade("stopped", "--executor", "slurm")
    check(klass.results("stopped") == klass.results("local"), "other results after going on")


def test_survives_the_death_of_a_node(klass, cluster):
    # Long enough that the node dies while it grades.
    klass.grade("local-long", "--cases", "20000")
    process = klass.start("survived", "--executor", "slurm", "--cases", "20000")
    klass.await_results(process, "survived", 1)
    deadline = time.monotonic() + 120
    while not cluster.ask("squeue", "--noheader", "--states=RUNNING", "--nodelist=n2"):
        check(time.monotonic() < deadline and process.poll() is None, "n2 never grades")
        time.sleep(0.05)
    cluster.kill_node("n2")
    _, errors = process.communicate(timeout=900)
    check(process.returncode == 0, errors)
    check("NODE_FAIL" in cluster.ask("scontrol", "show", "job"), "no task was lost with the node")
    check(klass.results("survived") == klass.results("local-long"), "other results: " + errors)
    cluster.start_node("n2")


def test_says_what_slurm_refuses(klass, cluster):
    process = klass.start("refused", "--executor", "slurm", "--partition", "absent")
    _, errors = process.communicate(timeout=120)
    check(process.returncode == 2, f"exit code {process.returncode}")
    check("Slurm takes no job" in errors, errors)


def main():
    if os.geteuid() != 0 or any(shutil.which(name) is None for name in NEEDED):
        print("skipped: needs root, slurm-wlm and munge")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="slurm-test-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        cluster = Cluster(place)
        try:
            cluster.start()
            klass = Class(cluster, place)
            for test in (
                test_grades_as_the_local_executor_does,
                test_cancels_its_jobs_and_goes_on,
                test_survives_the_death_of_a_node,
                test_says_what_slurm_refuses,
            ):
                began = time.monotonic()
                test(klass, cluster)
                print(f"ok  {test.__name__}  {time.monotonic() - began:.1f} s", flush=True)
        except BaseException:
            for log in sorted(place.glob("*.log")):
                print(f"--- {log.name}\n{log.read_text()[-2000:]}", file=sys.stderr)
            raise
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
