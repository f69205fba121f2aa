#!/usr/bin/env python3
"""Holds scorecards to the schema.

Usage: check_schema.py SCHEMA SCORECARD...
Prints what is wrong where; exit code 1 when any scorecard is not valid.
"""
import json
import sys

import jsonschema


def refuse_constant(word):
    raise ValueError(f"{word} is not JSON")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    faults = 0
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            scorecard = json.load(file, parse_constant=refuse_constant)
        for error in validator.iter_errors(scorecard):
            place = "/".join(str(part) for part in error.absolute_path)
            print(f"{name}: {place}: {error.message[:400]}")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
