"""Checks that the commands of README and of the tutorial print the lines below them, and that the links of all documents
lead to files.
Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/documents_test.py"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))).resolve()
TUTORIAL = SOURCES / "docs/tutorial"


def sessions(text):
    """The commands of a page, in order, with the lines below each: ["spca ...", [line, ...]]. They are in fences, or
    indented."""
    found = []
    block = None
    is_fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            is_fenced, block = not is_fenced, None
            continue
        if not is_fenced and not line.startswith("    "):
            block = block if not line else None
            continue
        content = line if is_fenced else line[4:]
        if content.startswith("$ "):
            block = []
            found.append((content[2:], block))
        elif block is not None and content.strip():
            block.append(content)
    return found


def pattern_of(line):
    """A line of a page as a regular expression: "..." stands for anything, a time for any time, blanks for blanks."""
    parts = [re.escape(part) for part in re.split(r"\.\.\.(?! \+)", line.strip())]
    wanted = re.sub(r"(\\ )+", r"\\s+", ".*".join(parts))
    return re.sub(r"[0-9.e\\-]+\\s\+s(?![a-z])", r"[0-9.e-]+\\s+s", wanted)


class Sessions(unittest.TestCase):
    def check(self, page):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path in TUTORIAL.glob("*.csv"):
                shutil.copy(path, folder)
            environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"),
                           "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
            commands = sessions(page.read_text(encoding="utf-8"))
            self.assertGreater(len(commands), 1)
            for command, expected in commands:
                command = command.replace("build/release/spca", "spca").replace("docs/tutorial/", "")
                with self.subTest(command):
                    finished = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=folder,
                                              env=environment, check=False)
                    self.compare(expected, finished.stderr.splitlines(), finished.stdout.splitlines())

    def compare(self, expected, messages, output):
        """Checks that the expected lines occur in order, among the messages or in the output. A page may leave out any
        message, but a line of the output only where the page has "..."."""
        lines = [(True, line) for line in messages] + [(False, line) for line in output]
        at = 0
        skips = False
        for line in expected:
            if line.strip() == "...":
                skips = True
                continue
            wanted = re.compile(pattern_of(line))
            found = next((i for i in range(at, len(lines)) if wanted.fullmatch(lines[i][1].strip())), None)
            self.assertIsNotNone(found, f"{line!r} is missing after {lines[at:at + 12]}")
            left_out = [text for is_message, text in lines[at:found] if not is_message and text.strip()]
            self.assertTrue(skips or not left_out, f"{left_out} are before {line!r}")
            at, skips = found + 1, False

    def test_the_tutorial_prints_what_it_shows(self):
        self.check(SOURCES / "docs/TUTORIAL.md")

    def test_readme_prints_what_it_shows(self):
        self.check(SOURCES / "README.md")

    def test_a_page_that_shows_something_else_fails(self):
        with self.assertRaises(AssertionError):
            self.compare(["total: 2"], [], ["total: 1"])
        with self.assertRaises(AssertionError):
            self.compare(["first", "third"], [], ["first", "second", "third"])
        self.compare(["first", "...", "third in 0.5 s"], ["note"], ["first", "second", "third in 1e-5 s"])


class Links(unittest.TestCase):
    def test_every_link_between_documents_leads_to_a_file(self):
        pages = [*SOURCES.glob("*.md"), *(SOURCES / "docs").rglob("*.md")]
        self.assertGreater(len(pages), 15)
        for page in pages:
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                if not re.match(r"[a-z]+:", target):
                    with self.subTest(f"{page.name}: {target}"):
                        self.assertTrue((page.parent / target).exists())


class Numbers(unittest.TestCase):
    def test_sums_and_times_are_those_of_the_pages(self):
        checked = subprocess.run(["/usr/bin/python3", SOURCES / "scripts/readme-table", "--check"],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)


if __name__ == "__main__":
    unittest.main()
