"""The help of every subcommand, tables of documents, and `spca env`. Run by ctest, or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/help_test.py"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from terminal import shown_on_terminal  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))).resolve()


def spca(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True, cwd=SOURCES).stdout


class Help(unittest.TestCase):
    def test_every_subcommand_says_how_it_is_used(self):
        commands = spca("completion", "words", "--", "").splitlines()
        self.assertGreater(len(commands), 8)
        for command in (line.split("\t")[0] for line in commands):
            with self.subTest(command):
                text = spca(command, "--help")
                self.assertRegex(text, rf"Usage: spca {command} \[OPTIONS\]")
                self.assertIn("examples:\n  ", text)
                self.assertIn(f"spca {command}", text.split("examples:")[1])
                self.assertIn("exit codes: 0 done", text)

    def test_every_argument_has_a_description_and_a_named_type_within_100_columns(self):
        commands = [line.split("\t")[0] for line in spca("completion", "words", "--", "").splitlines()]
        for words in ([], *([command] for command in commands)):
            with self.subTest(words):
                text = spca(*words, "--help")
                self.assertEqual([line for line in text.splitlines() if len(line) > 100], [])
                self.assertNotIn("TEXT", text)
                self.assertNotIn("REQUIRED", text)
                for title in ("Positionals", "Options"):
                    section = re.search(rf"(?m)^{title}:\n((?:  .*\n)+)", text)
                    if section is None:
                        self.assertEqual(title, "Positionals")
                        continue
                    # A row begins at column 2; a description follows two blanks or is on the next line.
                    rows = re.split(r"(?m)^  (?! )", section[1])[1:]
                    self.assertGreaterEqual(len(rows), 1)
                    for row in rows:
                        self.assertRegex(row, r"\A\S.*?(?:  |\n {6,})\S")

    def test_every_command_stands_once_in_a_group(self):
        text = spca("--help")
        groups = dict(re.findall(r"(?m)^(Your data|Experiments|Results|Plugins and the program):\n((?:  .*\n)+)", text))
        self.assertEqual(list(groups), ["Your data", "Experiments", "Results", "Plugins and the program"])
        shown = re.findall(r"(?m)^  ([a-z][a-z-]*)  ", "".join(groups.values()))
        commands = [line.split("\t")[0] for line in spca("completion", "words", "--", "").splitlines()]
        self.assertEqual(sorted(shown), sorted(commands))
        self.assertIn("  solve ", groups["Your data"])

    def test_help_fits_a_narrow_terminal(self):
        for columns in (60, 80):
            text, code = shown_on_terminal([PROGRAM, "merge", "--help"], "stdout", columns)
            self.assertEqual(code, 0)
            lines = text.splitlines()
            self.assertTrue(any("--data-dir FOLDER" in line for line in lines))
            self.assertLessEqual(max(map(len, lines)), columns)
            self.assertGreater(max(map(len, lines)), columns - 20)

    def test_what_is_missing_is_told_with_what_is_accepted(self):
        for words, message in ((["list"], "spca list: WHAT is required; accepted: solvers, datasets, "),
                               (["baseline", "quickstart"], "spca baseline: --output is required; accepted: FILE: "),
                               (["run", "quickstart", "--only", "solver"],
                                "spca run: --only: found no value, or too few; accepted: KIND GLOB: "),
                               (["solve", "--cardinality"], "--cardinality: found no value, or too few; accepted: K[,K...]: "),
                               (["describe", "tpower"], "accepted: spca describe solver tpower"),
                               (["describe", "tpow"], 'unknown kind "tpow"; accepted: solver, dataset, '),
                               (["describe", "metric"], "accepted: a name from `spca list metrics`")):
            finished = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
            self.assertEqual((finished.returncode, finished.stdout), (2, ""))
            self.assertIn(message, finished.stderr)
            self.assertEqual(finished.stderr.count("\n"), 1)

    def test_the_program_lists_its_exit_codes(self):
        text = spca("--help")
        for code in (0, 1, 2, 3, 4, 5, 6, 130):
            self.assertRegex(text, rf"(?m)^  {code} ")


class Tables(unittest.TestCase):
    """The tables of the documents name the registered plugins, and no others."""

    def test_the_page_of_solvers_is_what_the_registry_says(self):
        output = subprocess.run([sys.executable, "-B", SOURCES / "scripts/solver-table"], capture_output=True, text=True,
                              check=True, env={**os.environ, "SPCA_PROGRAM": str(PROGRAM)}).stdout
        self.assertGreater(output.count("\n| `"), 40)
        self.assertTrue((SOURCES / "docs/SOLVERS.md").read_text(encoding="utf-8").endswith(output))

    def test_the_page_of_experiments_has_every_experiment(self):
        section = (SOURCES / "docs/EXPERIMENTS.md").read_text(encoding="utf-8").split("\n## The experiments\n")[1]
        names = []
        for cell in re.findall(r"(?m)^\| (`.*?) \|", section):
            folder = ""  # of the previous name: a name without a folder is in the same one
            for name in re.findall(r"`([^`]+)`", cell):
                folder = name[:name.rfind("/") + 1] or folder
                names.append(name if "/" in name else folder + name)
        listed = [entry["name"] for entry in json.loads(spca("list", "experiments", "--json"))]
        self.assertEqual(sorted(names), sorted(listed))


class Environment(unittest.TestCase):
    def test_json_holds_what_a_report_of_an_error_needs(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "kos").mkdir()
            (pathlib.Path(folder) / "kos/docword.kos.txt").write_text("1\n1\n0\n")
            all_of_it = json.loads(spca("env", "--json", "--data-dir", folder))
            text = spca("env", "--data-dir", folder)
            self.assertIn(folder, text)
        self.assertEqual(set(all_of_it), {"build", "machine", "libraries", "python", "data", "cells"})
        build = all_of_it["build"]
        self.assertEqual(spca("--version").strip(), "spca " + build["version"])
        self.assertRegex(build["revision"], r"^[0-9a-f]{64}$")
        for key in ("compiler", "flags", "build_type"):
            self.assertIn(key, build)
        self.assertEqual(all_of_it["machine"]["cores"], os.cpu_count())
        for library in ("eigen", "spectra", "nlohmann_json", "fmt", "cli11", "zlib", "hdf5", "sqlite", "clp"):
            self.assertRegex(all_of_it["libraries"][library], r"^\d+\.\d+")
        self.assertIn("curl", all_of_it["libraries"])
        for library in ("liblinear", "libsvm"):
            self.assertIn(all_of_it["libraries"][library], ("linked", None))
        self.assertTrue(all_of_it["data"]["exists"])
        kos = all_of_it["data"]["datasets"]["kos"]
        self.assertEqual((kos["files"], kos["missing"]), (2, ["kos/vocab.kos.txt.gz"]))
        self.assertEqual(all_of_it["data"]["datasets"]["spiked"]["files"], 0)
        self.assertRegex(text, r"(?m)^data set kos +in part; missing: kos/vocab\.kos\.txt\.gz$")
        self.assertRegex(text, r"(?m)^data set spiked +needs no file$")

    def test_python_is_described_or_missed_by_name(self):
        python = json.loads(spca("env", "--json"))["python"]
        self.assertEqual(set(python), {"python", "interpreter", "matplotlib", "numpy", "jinja2"})
        environment = {**os.environ, "SPCA_PYTHON": "/nonexistent/python3"}
        finished = subprocess.run([PROGRAM, "env", "--json"], capture_output=True, text=True, check=True,
                                  env=environment)
        self.assertIn("/nonexistent/python3", json.loads(finished.stdout)["python"]["error"])
        self.assertEqual(finished.stderr, "")


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False).result.wasSuccessful() else 1)
