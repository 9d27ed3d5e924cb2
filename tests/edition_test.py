"""The problems of an edition of the library of instances stay as they are: tests/editions/YEAR.csv has the digest of each.
Run by ctest, or: /usr/bin/python3 tests/edition_test.py

A new instance needs a line, which `/usr/bin/python3 tests/edition_test.py --add` writes. It never changes a line: a problem
that has to change gets another id."""

import csv
import hashlib
import json
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
from ending import main  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent.parent
EDITIONS = SOURCES / "tests/editions"


def digest_of(problem):
    """Returns the digest of what defines a problem: class, data set with options and draw, checksum, p, r and k."""
    return hashlib.sha256(json.dumps(problem, sort_keys=True).encode()).hexdigest()[:16]


def problems():
    """Returns the digest of each problem of the library and the edition of its file, by id."""
    found = {}
    for file in sorted((SOURCES / "results/instances").glob("*.json")):
        library = json.loads(file.read_text())
        for one in library["instances"]:
            data = {key: library["data"][one["data"]][key] for key in ("dataset", "options", "draw", "checksum", "p")}
            digest = digest_of({"class": library["class"], "data": data, "r": one["r"], "k": one["k"]})
            found[one["id"]] = (digest, library["edition"])
    return found


def recorded():
    """Returns the recorded digest of each problem, and the edition that has it first, by id."""
    found = {}
    for file in sorted(EDITIONS.glob("*.csv")):
        with file.open(newline="") as lines:
            found |= {line["id"]: (line["digest"], file.stem) for line in csv.DictReader(lines)}
    return found


def record(known):
    EDITIONS.mkdir(exist_ok=True)
    for year in {edition for _, edition in known.values()}:
        lines = [f"{name},{digest}" for name, (digest, edition) in sorted(known.items()) if edition == year]
        (EDITIONS / f"{year}.csv").write_text("\n".join(["id,digest", *lines]) + "\n")


class FrozenEdition(unittest.TestCase):
    def test_no_problem_has_changed_or_is_gone(self):
        found = problems()
        for name, (digest, edition) in recorded().items():
            self.assertIn(name, found, f"edition {edition} has lost this instance")
            self.assertEqual(found[name][0], digest, f"{name}: the problem is not that of edition {edition}")

    def test_every_problem_is_recorded(self):
        self.assertEqual(problems().keys() - recorded().keys(), set(), "tests/edition_test.py --add records these")

    def test_a_digest_depends_on_each_part_of_the_problem_and_not_on_the_answer(self):
        problem = {"class": "disjoint", "data": {"dataset": "wine", "options": {}, "draw": None, "checksum": "ab", "p": 13}, "r": 2, "k": 3}
        changed = [
            problem | {"class": "orthogonal"},
            problem | {"r": 3},
            problem | {"k": 4},
            *(problem | {"data": problem["data"] | {key: "other"}} for key in problem["data"]),
        ]
        self.assertEqual(len({digest_of(one) for one in [problem, *changed]}), 1 + len(changed))
        self.assertEqual(digest_of(problem), digest_of(dict(reversed(problem.items()))))


if __name__ == "__main__":
    if sys.argv[1:] == ["--add"]:
        record(problems() | recorded())
    else:
        main()
