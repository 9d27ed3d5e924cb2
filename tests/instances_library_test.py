"""The committed library of instances: its files, its built-in values, and the script of docs/BENCHMARK.md. Run by ctest, or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/instances_library_test.py"""
# Labels: slow

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from ending import main  # noqa: E402
from report_runs import PROGRAM, SOURCES  # noqa: E402

LIBRARY = SOURCES / "results/instances"
CLASSES = {"one-component", "disjoint", "orthogonal", "common-support", "encoders"}


class CommittedLibrary(unittest.TestCase):
    """The files of results/instances."""

    def files(self):
        return sorted(LIBRARY.glob("*.json"))

    def test_there_is_a_file_for_each_class_and_they_are_small(self):
        self.assertEqual({file.stem for file in self.files()}, CLASSES)
        self.assertLess(sum(file.stat().st_size for file in self.files()), 600_000)

    def test_each_file_is_as_the_schema_says(self):
        try:
            from jsonschema import Draft202012Validator
        except ImportError:
            self.skipTest("no module jsonschema (Debian: python3-jsonschema)")
        schema = json.loads(subprocess.run([PROGRAM, "schema", "instances"], capture_output=True, text=True, check=True).stdout)
        Draft202012Validator.check_schema(schema)
        for file in self.files():
            errors = [error.message for error in Draft202012Validator(schema).iter_errors(json.loads(file.read_text()))]
            self.assertEqual(errors, [], file.name)

    def test_each_status_and_gap_follows_from_value_and_bound(self):
        for file in self.files():
            for one in json.loads(file.read_text())["instances"]:
                value, bound = one["best"]["value"], one["bound"]["value"]
                larger = max(abs(value), abs(bound))
                gap = (value - bound if file.stem == "encoders" else bound - value) / larger
                self.assertGreaterEqual(gap, 0, one["id"])
                self.assertAlmostEqual(one["gap"], gap, 11, one["id"])
                self.assertEqual(one["status"], "proved" if gap <= 1e-6 else "open", one["id"])

    def check(self, *words):
        environment = {**os.environ, "SPCA_INSTANCES": str(LIBRARY)}
        checked = subprocess.run([PROGRAM, "instances", "check", *words], capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        return checked.stdout

    def test_every_built_in_instance_is_right(self):
        self.assertNotIn("no data", self.check("--size", "built-in", "--data-dir", "/nowhere"))

    def test_every_instance_whose_data_are_here_is_right(self):
        every = sum(len(json.loads(file.read_text())["instances"]) for file in self.files())
        self.assertRegex(self.check(), rf"^{every} instances: \d+ ok")

    def test_the_command_that_an_instance_shows_reaches_its_best_value(self):
        environment = {**os.environ, "SPCA_INSTANCES": str(LIBRARY)}
        for name in ["pitprops-k5", "pitprops-disjoint-r2-k4", "pitprops-orthogonal-r3-k4", "pitprops-encoder-r2-k3", "mtcars-common-r3-k4", "gaussian-p50-k5"]:
            shown = subprocess.run([PROGRAM, "instances", "show", name], capture_output=True, text=True, check=True, env=environment)
            command = re.search(r"^solve it +spca (.*)$", shown.stdout, re.MULTILINE).group(1)
            solved = subprocess.run([PROGRAM, *command.split()], capture_output=True, text=True, check=True, env=environment)
            self.assertIn(f"(proved): reached ({name})", solved.stdout, command)

    def test_an_answer_of_two_instances_names_both(self):
        environment = {**os.environ, "SPCA_INSTANCES": str(LIBRARY)}
        words = ["--dataset", "pitprops", "--cardinality", "3", "--components", "2", "--solver", "orthogonal-ascent"]
        solved = subprocess.run([PROGRAM, "solve", *words], capture_output=True, text=True, check=True, env=environment)
        self.assertIn("reached (pitprops-disjoint-r2-k3); also that of pitprops-orthogonal-r2-k3\n", solved.stdout)

    def test_a_bound_on_disjoint_components_is_none_on_orthogonal_ones(self):
        # The library has these data with r and k for orthogonal components alone, which explain more.
        environment = {**os.environ, "SPCA_INSTANCES": str(LIBRARY)}
        self.assertNotIn("pitprops-disjoint-r2-k7", (LIBRARY / "disjoint.json").read_text())
        command = ["solve", "--dataset", "pitprops", "--solver", "exhaustive-disjoint", "--cardinality", "7,7"]
        solved = subprocess.run([PROGRAM, *command], capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(solved.returncode, 0, solved.stderr)
        self.assertIn("3.18 % below (pitprops-orthogonal-r2-k7)", solved.stdout)

    def test_data_that_the_program_carries_are_built_in(self):
        listed = subprocess.run(
            [PROGRAM, "instances", "list", "--size", "built-in", "--json"],
            capture_output=True, text=True, check=True, env={**os.environ, "SPCA_INSTANCES": str(LIBRARY)},
        )
        names = [one["id"] for one in json.loads(listed.stdout)["instances"]]
        self.assertLessEqual({"pitprops-k5", "wine-k5", "mtcars-k5"}, set(names))
        self.assertNotIn("eisen1-k5", names)

    def test_a_matrix_that_is_too_large_is_refused_by_its_size(self):
        with tempfile.TemporaryDirectory(prefix="spca_instances_") as folder:
            refused = subprocess.run(
                [PROGRAM, "instances", "show", "zipf-p102660-k20", "--matrix", f"{folder}/S.npy"],
                capture_output=True, text=True, check=False, env={**os.environ, "SPCA_INSTANCES": str(LIBRARY)},
            )
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual(refused.returncode, 2)
        self.assertIn("102660 x 102660 entries; accepted: at most 25000000", refused.stderr)

    def test_five_open_instances_of_each_class_are_named_as_challenges(self):
        section = (SOURCES / "docs/BENCHMARK.md").read_text().split("## Challenges\n")[1].split("\n## ")[0]
        for file in self.files():
            (row,) = [line for line in section.splitlines() if line.startswith(f"| `{file.stem}` |")]
            named = re.findall(r"`([^`]+)`", row)[1:]
            self.assertGreaterEqual(len(named), 5, file.stem)
            status = {one["id"]: one["status"] for one in json.loads(file.read_text())["instances"]}
            self.assertEqual({status[name] for name in named}, {"open"}, file.stem)

    def test_the_ten_lines_of_the_document_compute_every_value(self):
        try:
            import numpy  # noqa: F401
        except ImportError:
            self.skipTest("no module numpy (Debian: python3-numpy)")
        text = (SOURCES / "docs/BENCHMARK.md").read_text()
        script = re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)
        self.assertLessEqual(len(script.splitlines()), 10)
        listed = subprocess.run([PROGRAM, "instances", "list", "--size", "built-in", "--json"], capture_output=True, check=True).stdout
        built_in = {one["id"] for one in json.loads(listed)["instances"]}
        with tempfile.TemporaryDirectory(prefix="spca_instances_") as folder:
            root = pathlib.Path(folder)
            (root / "results/instances").mkdir(parents=True)
            for file in self.files():
                library = json.loads(file.read_text())
                # Each instance reads or generates its data anew, for up to half a minute: the first one of each data set is enough.
                first = {one["data"]: one for one in reversed(library["instances"])}
                library["instances"] = [one for one in library["instances"] if one["id"] in built_in or one is first[one["data"]]]
                (root / "results/instances" / file.name).write_text(json.dumps(library))
            (root / "bin").mkdir()
            (root / "bin/spca").symlink_to(PROGRAM)
            environment = {**os.environ, "PATH": f"{root / 'bin'}:{os.environ['PATH']}"}
            finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=root, env=environment)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        lines = [line.split() for line in finished.stdout.splitlines()]
        self.assertLessEqual(built_in | {"zipf-p102660-k5"}, {name for name, _ in lines})
        for name, difference in lines:
            self.assertLess(abs(float(difference)), 1e-9, name)


if __name__ == "__main__":
    main()
