"""Which cells an edit of the sources invalidates: cmake/revision.cmake is run on a copy of the tree with one file edited,
and its tables are compared with those of the tree as it is."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CMAKE = os.environ.get("SPCA_CMAKE", "cmake")
FOLDERS = ("spca", "harness", "solvers", "datasets", "metrics", "tests/plugins")
READERS = "spca/data/readers"
ROWS = "datasets/from-files.json"
SOLVER_FILES = {path.stem: str(path.relative_to(ROOT)) for path in (ROOT / "solvers").rglob("*.cpp")}


class Sources:
    """The table of a tree."""

    def __init__(self, tree):
        output = tree / "revision.cpp"
        subprocess.run([CMAKE, f"-DSOURCE_DIR={tree}", f"-DOUTPUT={output}", "-P", ROOT / "cmake/revision.cmake"],
                       check=True)
        text = output.read_text()
        rows = [row.split() for row in re.search(r'R"table\((.*)\)table"', text, re.DOTALL).group(1).splitlines()]
        self.digests = {part: digest for part, digest, *_ in rows}
        self.reach = {part: reached for part, _, *reached in rows}

    def of_solver(self, name):
        """The parts that the keys of a solver's cells cover. C++ composes them in the same way (tested by
        ExperimentIdentity)."""
        parts = {SOLVER_FILES[name], "spca/solving"}
        return parts.union(*(self.reach[part] for part in parts))

    def of_dataset(self, name):
        part = f"{ROWS}/{name}" if f"{ROWS}/{name}" in self.digests else f"datasets/{name}.cpp"
        return {part}.union(self.reach[part])

    def changed(self, other):
        return {part for part in self.digests.keys() | other.digests.keys()
                if self.digests.get(part) != other.digests.get(part)}


class Revision(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tree = pathlib.Path(cls.folder.name)
        for folder in FOLDERS:
            shutil.copytree(ROOT / folder, cls.tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
        cls.before = Sources(cls.tree)
        cls.solvers = set(SOLVER_FILES)
        cls.rows = set(json.loads((ROOT / ROWS).read_text())["datasets"])
        cls.datasets = {path.stem for path in (ROOT / "datasets").glob("*.cpp")} - {"from-files"} | cls.rows

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def edit(self, name, edited=None):
        """The solvers and the data sets whose cells are solved again after an edit, and the parts that changed."""
        file = self.tree / name
        text = file.read_text()
        file.write_text(edited(text) if edited else text + ("\n" if name.endswith(".json") else "// edited\n"))
        try:
            after = Sources(self.tree)
        finally:
            file.write_text(text)
        changed = self.before.changed(after)
        self.assertTrue(changed or name == "spca/plugin.h", name)
        return ({solver for solver in self.solvers if changed & self.before.of_solver(solver)},
                {dataset for dataset in self.datasets if changed & self.before.of_dataset(dataset)}, changed)

    def test_what_no_answer_depends_on(self):
        for name in ("harness/verdicts/result_tables.cpp", "harness/comparisons/gate.cpp", "harness/cli/run.cpp",
                     "harness/runs/runner.cpp", "metrics/gap.cpp", "metrics/explained_variance.cpp",
                     "spca/measure/judge.cpp", "spca/measure/metric_formulas.cpp", "spca/data/fetch/fetch.cpp",
                     "spca/plugin.h"):
            with self.subTest(name):
                self.assertEqual(self.edit(name)[:2], (set(), set()))

    def test_what_every_answer_depends_on(self):
        for name in ("spca/base/types.h", "spca/base/random.cpp", "spca/covariance/covariance.cpp",
                     "spca/covariance/covariance_dense.cpp"):
            with self.subTest(name):
                self.assertEqual(self.edit(name)[:2], (self.solvers, self.datasets))
        self.assertEqual(self.edit("spca/solving/tuning.cpp")[:2], (self.solvers, set()))

    def test_a_family_of_methods(self):
        solvers, datasets, _ = self.edit("spca/methods/encoders/encoder_refit.cpp")
        self.assertEqual(solvers, {name for name in self.solvers if name.startswith("encoder-")})
        self.assertEqual(datasets, set())
        solvers, _, _ = self.edit("spca/methods/bounds/greedy_bound.cpp")
        self.assertIn("branch-bound", solvers)
        self.assertNotIn("tpower", solvers)

    def test_a_plugin(self):
        self.assertEqual(self.edit("solvers/tpower.cpp")[:2], ({"tpower"}, set()))
        self.assertEqual(self.edit("datasets/spiked.cpp")[:2], (set(), {"spiked"}))
        self.assertEqual(self.edit("datasets/pitprops.json")[:2], (set(), {"pitprops"}))

    def test_a_row_of_the_data_sets(self):
        def edited(text):
            document = json.loads(text)
            document["datasets"]["kos"]["file"] += ".zst"
            document["datasets"]["one-more"] = document["datasets"]["nips"]
            return json.dumps(document)

        _, datasets, changed = self.edit(ROWS, edited)
        self.assertEqual((datasets, changed), ({"kos"}, {f"{ROWS}/kos", f"{ROWS}/one-more"}))
        self.assertEqual(self.edit("datasets/from-files.cpp")[:2], (set(), self.rows))

    def test_a_reader(self):
        _, datasets, changed = self.edit(f"{READERS}/npy.cpp")
        # Which data sets need this reader is told from their files (ExperimentIdentity tests that).
        self.assertEqual(changed, {READERS, f"{READERS}/npy.cpp"})
        for generator in ("spiked", "gaussian", "zipf-corpus", "pitprops"):
            self.assertNotIn(generator, datasets)
        self.assertIn("kos", datasets)
        _, datasets, _ = self.edit("spca/data/bag_of_words.cpp")
        self.assertIn("kos", datasets)
        self.assertNotIn("spiked", datasets)

    def test_plugins_reach_no_harness(self):
        for part, reached in self.before.reach.items():
            if not part.startswith("harness/"):
                self.assertFalse([other for other in reached if other.startswith("harness/")], part)


if __name__ == "__main__":
    unittest.main()
