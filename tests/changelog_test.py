"""CHANGELOG.md, the program and every package have one version. Run by ctest, or with SPCA_PROGRAM set."""

import re
import sys
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import SOURCES, spca  # noqa: E402

KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}  # of Keep a Changelog


def text(name):
    return (SOURCES / name).read_text(encoding="utf-8")


class Changelog(unittest.TestCase):
    def setUp(self):
        self.version = re.search(r"^project\(\S+ VERSION (\S+)", text("CMakeLists.txt"), re.MULTILINE)[1]
        self.headings = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.MULTILINE)

    def test_its_newest_version_is_that_of_cmake(self):
        self.assertEqual(self.headings[0], "[Unreleased]")
        self.assertRegex(self.headings[1], rf"^\[{re.escape(self.version)}\] - \d{{4}}-\d\d-\d\d$")

    def test_versions_fall_and_each_part_has_a_known_kind(self):
        numbers = [tuple(map(int, re.match(r"\[(\d+)\.(\d+)\.(\d+)\] - ", heading).groups())) for heading in self.headings[1:]]
        self.assertEqual(numbers, sorted(set(numbers), reverse=True))
        kinds = re.findall(r"^### (.*)$", text("CHANGELOG.md"), re.MULTILINE)
        self.assertTrue(kinds)
        self.assertLessEqual(set(kinds), KINDS)

    def test_the_program_and_pyproject_say_the_same(self):
        self.assertEqual(spca("--version").stdout, f"spca {self.version}\n")
        self.assertIn(f'\nversion = "{self.version}"\n', text("pyproject.toml"))

    def test_citations_say_the_same(self):
        self.assertIn(f"\nversion: {self.version}\n", text("CITATION.cff"))
        self.assertIn(f"note = {{Version {self.version}}}", text("README.md"))


if __name__ == "__main__":
    report_runs.main()
