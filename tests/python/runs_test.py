"""Runs as data frames. Run by ctest, or: /usr/bin/python3 tests/python/runs_test.py"""

import json
import pathlib
import re
import shutil
import tempfile
import unittest

import package

pandas = package.need("pandas", "python3-pandas")
spca_bench = package.spca_bench()
import report_runs  # noqa: E402


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_python_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.run_folder = report_runs.quickstart(cls.folder)

    def test_a_record_is_a_row(self):
        frame = spca_bench.read_run(self.run_folder)
        lines = (self.run_folder / "cells.jsonl").read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        self.assertEqual(frame.solver.tolist(), [record["solver"] for record in records])
        self.assertEqual(frame.dataset.tolist(), [record["dataset"] for record in records])
        ours = frame.explained_variance.astype(float)
        for value, record in zip(ours, records):
            theirs = record["metrics"].get("explained_variance")
            self.assertTrue(value == theirs or (theirs is None and pandas.isna(value)))
        best = frame[frame.status == "converged"].groupby("solver").explained_variance.max()
        self.assertIn("tpower", best.index)

    def test_the_guide_s_table_is_made_of_it(self):
        text = (package.SOURCES / "docs/PYTHON.md").read_text(encoding="utf-8")
        block = re.search(r"```python\n([^`]*read_run[^`]*)```", text).group(1)
        lines = block.strip().replace("results/runs/quickstart/full", str(self.run_folder)).splitlines()
        names = {"spca_bench": spca_bench}
        exec(lines[0], names)  # pylint: disable=exec-used
        table = eval(lines[1], names)  # pylint: disable=eval-used
        self.assertIn("tpower", table.index)
        self.assertIn(5, table.columns)

    def test_verdicts_are_those_of_reproduce(self):
        frame = spca_bench.read_verdicts(self.run_folder)
        self.assertTrue({"published", "ours", "verdict", "solver", "reason"} <= set(frame.columns))
        sums = frame.attrs["verdicts"]
        certified = frame[frame["count"] == "proved optimum"].verdict.value_counts()
        self.assertEqual(certified["reproduced"], sums["certified"]["reproduced"])
        self.assertIsInstance(spca_bench.read_verdicts(self.run_folder, "claims"), pandas.DataFrame)

    def test_what_is_no_run_or_was_changed_is_refused(self):
        with self.assertRaisesRegex(ValueError, "^run: .*nowhere"):
            spca_bench.read_run(self.folder / "nowhere")
        changed = self.folder / "changed"
        shutil.copytree(self.run_folder, changed)
        cells = changed / "cells.jsonl"
        cells.write_text(cells.read_text(encoding="utf-8").replace("tpower", "tpowre", 1), encoding="utf-8")
        with self.assertRaisesRegex(ValueError, "cells.jsonl"):
            spca_bench.read_run(changed)


if __name__ == "__main__":
    package.main()
