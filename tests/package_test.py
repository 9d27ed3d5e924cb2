"""Tests of the installed package: a program that finds its own files, and find_package(spca) for a solver in a
repository of its own. Run by ctest, or with SPCA_PROGRAM and SPCA_BUILD_FOLDER set."""
# Labels: slow

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import SOURCES  # noqa: E402

BUILD = os.environ.get("SPCA_BUILD_FOLDER", str(SOURCES / "build/release"))
CMAKE = os.environ.get("SPCA_CMAKE", "cmake")


def run(*words, cwd):
    finished = subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{words}\n{finished.stdout}\n{finished.stderr}"
    return finished.stdout


def names(program, what, cwd):
    return [item["name"] for item in json.loads(run(program, "list", what, "--json", cwd=cwd))]


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_package_"))
        run(CMAKE, "--install", BUILD, "--prefix", cls.folder / "first", cwd=cls.folder)
        # Nothing in it may know where it was put first.
        cls.prefix = cls.folder / "a place with blanks"
        (cls.folder / "first").rename(cls.prefix)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def assert_finds_its_own(self, program):
        experiment = json.loads(run(program, "describe", "experiment", "quickstart", "--json", cwd=self.folder))
        self.assertTrue(experiment["path"].startswith(str(self.prefix)), experiment["path"])
        self.assertIn("peers/r-rsvd", names(program, "peers", self.folder))

    def test_the_installed_program_finds_what_was_installed(self):
        program = self.prefix / "bin/spca"
        self.assert_finds_its_own(program)
        if shutil.which("help2man"):
            self.assertIn("spca solve", (self.prefix / "share/man/man1/spca-solve.1").read_text())
        for file in ["include/spca/plugin.h", "include/spca/data/readers/read_file.h", "share/spca/datasets/sources.json"]:
            self.assertTrue((self.prefix / file).is_file(), file)
        self.assertTrue(list((self.prefix / "share/spca/plotting").glob("*.py")))
        self.assertFalse([path for path in self.prefix.rglob("*") if "__pycache__" in str(path)])

    def test_a_short_list_and_one_file_give_a_program_with_every_solver(self):
        guide = (SOURCES / "CONTRIBUTING.md").read_text(encoding="utf-8")
        list_of_guide = re.search(r"```cmake\n(.*?)```", guide, re.DOTALL).group(1)
        self.assertEqual(len(list_of_guide.splitlines()), 8)
        project = self.folder / "my-spca"
        run(self.prefix / "bin/spca", "new", "solver", "my-method", "-o", project, cwd=self.folder)
        self.assertEqual((project / "CMakeLists.txt").read_text(encoding="utf-8"), list_of_guide)
        self.assertEqual({path.name for path in project.iterdir()}, {"CMakeLists.txt", "my-method.cpp"})

        build = project / "build"
        run(CMAKE, "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", cwd=self.folder)
        run(CMAKE, "--build", build, cwd=self.folder)
        program = build / "my-spca"
        everyone = names(self.prefix / "bin/spca", "solvers", self.folder)
        self.assertEqual(names(program, "solvers", self.folder), sorted([*everyone, "my-method"]))
        for what in ["datasets", "metrics", "deflations", "experiments"]:
            self.assertEqual(names(program, what, self.folder), names(self.prefix / "bin/spca", what, self.folder))
        self.assert_finds_its_own(program)
        only = ["--only", "solver", "my-method", "--only", "dataset", "pitprops", "-o", self.folder / "run"]
        run(program, "run", "quickstart", *only, cwd=self.folder)
        records = [json.loads(line) for line in (self.folder / "run/cells.jsonl").read_text().splitlines()]
        self.assertEqual({record["status"] for record in records}, {"converged"})
        self.assertFalse([record for record in records if "unoptimised" in record])
        self.assert_times_without_optimisation_are_marked(project)
        self.assertEqual(self.refused(program, "my-method", "-o", self.folder / "x").count("my-method.cpp"), 1)

    def assert_times_without_optimisation_are_marked(self, project):
        build = project / "debug"
        words = [f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Debug"]
        run(CMAKE, "-S", project, "-B", build, *words, cwd=self.folder)
        run(CMAKE, "--build", build, cwd=self.folder)
        words = ["benchmark", "my-method", "tpower", "--class", "one-component", "-o", self.folder / "slow", "-q"]
        table = run(build / "my-spca", *words, cwd=self.folder).splitlines()
        times = {line.split()[0]: line.split()[-2] for line in table if line.startswith(("my-method", "tpower"))}
        self.assertTrue(times["my-method"].endswith("!"), table)
        self.assertFalse(times["tpower"].endswith("!"), table)
        self.assertTrue([line for line in table if "without optimisation" in line], table)
        lines = (self.folder / "slow/cells.jsonl").read_text().splitlines()
        marked = {record["solver"] for record in map(json.loads, lines) if record.get("unoptimised")}
        self.assertEqual(marked, {"my-method"})

    def test_the_library_alone_needs_nothing_of_the_program(self):
        project = self.folder / "alone"
        run(self.prefix / "bin/spca", "new", "solver", "my-method", "-o", project, cwd=self.folder)
        method = (project / "my-method.cpp").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"#include.*", method), ['#include "spca/plugin.h"'])
        shutil.copy(SOURCES / "tests/library_alone.cpp", project)
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\n"
            "project(alone LANGUAGES CXX)\n"
            "find_package(spca REQUIRED)\n"
            "if(TARGET spca::program)\n"
            "  message(FATAL_ERROR \"the program is offered, although what it links is missing\")\n"
            "endif()\n"
            "add_executable(alone library_alone.cpp my-method.cpp)\n"
            "target_link_libraries(alone PRIVATE spca::spca)\n"
            f"target_compile_definitions(alone PRIVATE SPCA_SOURCE_DIR=\"{SOURCES}\")\n"
        )
        # As on a system without the development files of the libraries that the program links.
        hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ["ZLIB", "CURL", "SQLite3", "CLI11"]]
        build = project / "build"
        output = run(CMAKE, "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", *hidden, cwd=self.folder)
        self.assertIn("no target spca::program", output)
        run(CMAKE, "--build", build, cwd=self.folder)
        lines = run(build / "alone", "tpower", "my-method", cwd=self.folder).splitlines()
        self.assertEqual(len(lines), 2, lines)
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", build / "alone", cwd=self.folder))
        self.assertTrue([library for library in needed if library.startswith("libfmt")], needed)
        self.assertEqual([library for library in needed if re.match("lib(z|curl|linear|sqlite3)\\b", library)], [])

    # ---- spca new

    def refused(self, program, *words):
        finished = subprocess.run([program, "new", "solver", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertEqual(len(finished.stderr.splitlines()), 1, finished.stderr)
        return finished.stderr

    def test_a_name_that_cannot_be_is_refused(self):
        program = self.prefix / "bin/spca"
        for name in ["Upper", "two words", "9lives", "dash-", "a--b", "under_score", "../up", "é", ""]:
            self.assertIn("lower-case letters", self.refused(program, name))
        self.assertIn('"tpower" is taken by', self.refused(program, "tpower"))
        finished = subprocess.run([program, "new", "dataset", "x"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((finished.returncode, "accepted: solver" in finished.stderr), (2, True))

    def test_nothing_is_written_over(self):
        program = self.prefix / "bin/spca"
        taken = self.folder / "taken"
        taken.mkdir()
        (taken / "CMakeLists.txt").write_text("mine")
        self.assertIn("already exists", self.refused(program, "my-method", "-o", taken))
        self.assertEqual([path.name for path in taken.iterdir()], ["CMakeLists.txt"])
        self.assertEqual((taken / "CMakeLists.txt").read_text(), "mine")

    def test_in_the_sources_one_file_is_written(self):
        sources = self.folder / "sources"
        (sources / "solvers").mkdir(parents=True)
        (sources / "spca").mkdir()
        shutil.copy(SOURCES / "spca/plugin.h", sources / "spca")
        run(self.prefix / "bin/spca", "new", "solver", "my-method", cwd=sources)
        written = (sources / "solvers/my-method.cpp").read_text(encoding="utf-8")
        self.assertIn('SPCA_SOLVER("my-method"', written)
        self.assertNotIn("@", written)


if __name__ == "__main__":
    report_runs.main()
