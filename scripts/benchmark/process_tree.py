"""What a process and all below it use."""

import os
import subprocess
import threading
import time
from pathlib import Path


def children(pid):
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            listed = Path(f"/proc/{pid}/task/{thread}/children").read_text()
            found += [int(child) for child in listed.split()]
    except OSError:
        pass  # the thread or the process has ended meanwhile
    return found


class Follower(threading.Thread):
    """Follows a process and all below it until it is told to stop.

    `most` is the resident memory of all together, in MB; what they share counts for each of them.
    `cpu_seconds` is what all of them used: boxes are not waited for by whom they were started, so
    that the kernel adds their time to nobody's. What a process used after it was last looked at
    (50 times a second) is missing.
    """

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.ended = pid, 0.0, threading.Event()
        self.used = {}

    @property
    def cpu_seconds(self):
        return sum(self.used.values()) / os.sysconf("SC_CLK_TCK")

    def look(self):
        total, left = 0, [self.pid]
        while left:
            at = left.pop()
            try:
                fields = Path(f"/proc/{at}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            self.used[at, fields[19]] = int(fields[11]) + int(fields[12])
            total += int(fields[21]) * os.sysconf("SC_PAGESIZE")
            left += children(at)
        self.most = max(self.most, total / 2**20)

    def run(self):
        while not self.ended.wait(0.02):
            self.look()


def followed(words):
    """Runs a command quietly; returns its exit code, its seconds on the wall and its Follower."""
    began = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    follower = Follower(process.pid)
    follower.start()
    code = process.wait()
    seconds = time.perf_counter() - began
    follower.ended.set()
    follower.join()
    return code, seconds, follower
