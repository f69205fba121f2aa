#!/usr/bin/env python3
"""What Canvas and Moodle would make of a file that we exported, as JSON.

Restates the rules by which they read (canvas-lms: lib/gradebook_importer.rb and the re-upload of
submissions in its assignments; moodle: mod/assign/feedback/offline, mod/assign/feedback/file and
grade/import/csv), with Python's own readers of CSV and zip archives.

    platforms_read.py canvas-gradebook FILE
    platforms_read.py moodle-worksheet FILE IDENTIFIER GRADE MODIFIED PREFIX DECIMAL_POINT MAXIMUM
    platforms_read.py moodle-gradebook FILE KNOWN_USER...
    platforms_read.py moodle-zip FILE PARTICIPANT...
    platforms_read.py canvas-zip FILE USER=ATTACHMENT...
"""
import csv
import io
import json
import re
import sys
import zipfile


def text_of(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8")


def rows_of(text, separator):
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))


# Canvas -----------------------------------------------------------------------------------------

def canvas_separator(text):
    """Guessed from the first three lines: the one that gives all the same number of fields, more
    of them than the other."""
    lines = text.splitlines(keepends=True)[:3]
    counts = {}
    for separator in ";,":
        try:
            fields = [len(next(csv.reader([line], delimiter=separator, strict=True), []))
                      for line in lines]
        except csv.Error:
            fields = [0, 1]
        counts[separator] = fields[0] if len(set(fields)) == 1 else 0
    return ";" if counts[";"] > counts[","] else ","


def canvas_number(field):
    """Only the last comma or point is a decimal one; the others are dropped."""
    if not re.fullmatch(r"-?[0-9.,]+%?", field):
        return field
    parts = re.split(r"[,.]", field)
    return parts[0] if len(parts) == 1 else "".join(parts[:-1]) + "." + parts[-1]


def canvas_header(header):
    """Where the columns of the students end; None for a header that Canvas refuses."""
    if len(header) > 3 and "Student" in header[0] and "ID" in header[1]:
        names = 1
    elif len(header) > 4 and "LastName" in header[0] and "FirstName" in header[1] \
            and "ID" in header[2]:
        names = 2
    else:
        return None
    at = names + 1
    if re.search(r"SIS\s+Login\s+ID", header[at]):
        at += 1
    elif re.search(r"SIS\s+User\s+ID", header[at]) and \
            re.search(r"SIS\s+Login\s+ID", header[at + 1]):
        at += 2
        at += 1 if re.search(r"Integration\s+ID", header[at]) else 0
        at += 1 if re.search(r"Root\s+Account", header[at]) else 0
    return (names, at + 1) if "Section" in header[at] else None


def canvas_gradebook(path):
    text = text_of(path)
    rows = [row for row in rows_of(text, canvas_separator(text))
            if row and not all(field.strip(" ;,") == "" for field in row)]
    header, rows = rows[0], rows[1:]
    columns = canvas_header(header)
    if columns is None:
        return {"error": "Invalid header row"}
    names, first = columns
    not_assignments = re.compile(
        "(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
    assignments = {}
    for title in header[first:]:
        match = re.fullmatch(r"(.+) \((\d+)\)", title)
        if match and not not_assignments.search(title):
            assignments[match.group(2)] = header.index(title)  # the first of that name
    result = {"points": {}, "grades": {}, "read_only": []}
    for row in rows:
        if "Points Possible" in row[0]:
            for assignment, column in assignments.items():
                result["points"][assignment] = canvas_number(row[column])
                if "read only" in row[column]:
                    result["read_only"].append(assignment)
            continue
        if all(re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", field, re.I) for field in row):
            continue
        result["grades"][row[names]] = {
            assignment: canvas_number(row[column]).strip()
            for assignment, column in assignments.items()}
    return result


def canvas_zip(path, *attachments):
    """`attachments`: USER=ATTACHMENT of each submission, USER the anonymous id where it has one."""
    known = dict(pair.split("=") for pair in attachments)
    result = {"comments": {}, "ignored": []}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            base = name.rsplit("/", 1)[-1]
            parts = [part for part in base.split("_") if part != "LATE"]
            if parts[0] == "anon":
                ids = parts[1:3]
            else:
                ids = [part for part in parts if re.fullmatch(r"\d+", part)][:2]
            is_typed = parts[-1].startswith("link") or base.startswith("._")
            if len(ids) < 2 or is_typed or known.get(ids[0]) != ids[1]:
                result["ignored"].append(name)
                continue
            result["comments"].setdefault(ids[0], []).append(len(archive.read(name)))
    return result


# Moodle -----------------------------------------------------------------------------------------

def moodle_number(text, decimal_point, strict):
    text = text.strip().replace(" ", "").replace(decimal_point, ".")
    if text == "":
        return None
    if strict:
        try:
            return float(text)
        except ValueError:
            return False
    match = re.match(r"[+-]?(\d+\.?\d*|\.\d+)", text)  # a cast takes what it can
    return float(match.group()) if match else 0.0


def moodle_rows(path):
    text = text_of(path)
    text = text[1:] if text.startswith("\ufeff") else text
    rows = [row for row in rows_of(text, ",") if row]
    if any(len(row) != len(rows[0]) for row in rows):
        raise SystemExit("csvweirdcolumns")
    return rows[0], rows[1:]


def moodle_worksheet(path, identifier, grade, modified, prefix, decimal_point, maximum):
    header, rows = moodle_rows(path)
    if not all(name in header for name in (identifier, grade, modified)):
        return {"error": "invalidgradeimport"}
    grades = {}
    for row in rows:
        participant = row[header.index(identifier)][len(prefix):]
        value = moodle_number(row[header.index(grade)], decimal_point, strict=False)
        if value is None or value < 0 or value > float(maximum):
            continue
        grades[participant] = value
    return {"grades": grades}


def moodle_gradebook(path, *known):
    """All or nothing. The key, the score and the feedback are the first three columns."""
    header, rows = moodle_rows(path)
    grades = {}
    for row in rows:
        user, value, feedback = (field.strip() for field in row)
        if user not in known:
            return {"error": "usermappingerror " + user}
        score = moodle_number(value, ",", strict=True)
        if score is False:
            return {"error": "badgrade"}
        if score is not None and score > 100:
            return {"error": "gradevaluetoobig"}
        grades[user] = [score, feedback]
    return {"header": header, "grades": grades}


def moodle_zip(path, *participants):
    result = {"files": {}, "ignored": []}
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            is_utf8 = bool(info.flag_bits & 0x800) or info.filename.isascii()
            if not is_utf8 or info.filename.rsplit("/", 1)[-1].startswith((".", "~")):
                result["ignored"].append(info.filename)
                continue
            parts = info.filename.split("/")
            while parts:
                part = parts.pop(0).split("_", 4)
                if len(part) < 4 or not part[1].isdigit() or part[1] not in participants:
                    continue
                if part[2:4] != ["assignfeedback", "file"]:
                    continue
                name = "/".join((part[4:] or [""]) + parts).lstrip("/")
                result["files"].setdefault(part[1], {})[name] = archive.read(info).decode("utf-8")
                break
            else:
                result["ignored"].append(info.filename)
    return result


if __name__ == "__main__":
    READERS = {"canvas-gradebook": canvas_gradebook, "canvas-zip": canvas_zip,
               "moodle-worksheet": moodle_worksheet, "moodle-gradebook": moodle_gradebook,
               "moodle-zip": moodle_zip}
    json.dump(READERS[sys.argv[1]](*sys.argv[2:]), sys.stdout)
