#!/usr/bin/env python3
"""Reads JUnit XML by the rules of Artemis's parser of test results.

Usage: artemis_reads.py REPORT...
Prints for each report one line of JSON: the failed tests with their messages and the names of those
that passed. The rules: characters that XML does not have are taken out first; the name of a single
suite is left out and those of several come before their tests'; skipped tests do not count; a failure
says its message, else its text, cut at 20,000 characters.
"""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

MESSAGE_LIMIT = 20_000


def collect(suite, prefix, results):
    for case in suite.findall("testcase"):
        if case.find("skipped") is not None:
            continue
        name = prefix + case.get("name")
        failure = case.find("failure")
        if failure is None:
            failure = case.find("error")
        if failure is None:
            results["passed"].append(name)
        else:
            message = failure.get("message", failure.text or "")
            results["failed"][name] = message[:MESSAGE_LIMIT]
    for inner in suite.findall("testsuite"):
        collect(inner, prefix + (inner.get("name") + "." if inner.get("name") else ""), results)


def main():
    for file in sys.argv[1:]:
        with open(file, encoding="utf-8", newline="") as report:
            text = report.read()
        shown = re.sub("[^\t\r\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)
        if shown != text:
            sys.exit(f"{file}: other readers stop at characters that XML does not have")
        root = ElementTree.fromstring(text)
        results = {"passed": [], "failed": {}}
        if root.tag == "testsuites" and len(root.findall("testsuite")) == 1:
            root = root.find("testsuite")
        collect(root, "", results)
        print(json.dumps(results))


if __name__ == "__main__":
    main()
