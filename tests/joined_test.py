"""`--also`: a peer beside the solvers of any experiment. Run by ctest, or with SPCA_PROGRAM set."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import report_runs
from report_runs import PROGRAM, SOURCES

EXPERIMENT = {
    "name": "mine",
    "title": "Two solvers on pit props",
    "grids": {
        "g": {
            "datasets": ["pitprops"],
            "solvers": ["threshold", "tpower"],
            "cardinality": [4, 5],
            "metrics": ["explained_variance"],
        }
    },
    "tables": [{"title": "T", "metric": "explained_variance", "rows": "solver", "columns": "cardinality"}],
    "published": [
        {
            "name": "t",
            "where": "table 1",
            "method": "own",
            "metric": "explained_variance",
            "rows": [{"label": "TPower", "match": {"solver": "t*power", "cardinality": 5}, "printed": "3.406"}],
        }
    ],
    "claims": [
        {
            "claim": "TPower is below none",
            "where": "page 1",
            "left": {"solver": "tpower"},
            "is": ">=",
            "right": {"solver": "t*"},
            "metric": "explained_variance",
            "slack": 1e-9,
        }
    ],
}


class Joined(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_joined_"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "mine.json").write_text(json.dumps(EXPERIMENT), encoding="utf-8")
        for name in ("toy.json", "toy.py"):
            shutil.copy(SOURCES / "tests/peers" / name, self.folder)

    def spca(self, *words, code=0):
        environment = {**os.environ, "SPCA_CACHE_DIR": str(self.folder / "cache")}
        words = [PROGRAM, *map(str, words)]
        finished = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, env=environment, check=False)
        self.assertEqual(finished.returncode, code, f"{words}\n{finished.stdout}\n{finished.stderr}")
        return finished

    def records(self, run):
        lines = (self.folder / run / "cells.jsonl").read_text(encoding="utf-8").splitlines()
        return {(record["solver"], record["cardinality"][0]): record for record in map(json.loads, lines)}

    def test_it_is_in_every_grid_and_the_keys_of_the_others_stay(self):
        plain = self.spca("run", "mine.json").stdout.strip()
        run = self.spca("run", "mine.json", "--also", "./toy.json")
        joined = run.stdout.strip()
        self.assertRegex(joined, r"^results/runs/mine/full-also-[0-9a-f]{8}$")
        self.assertIn("6 cells, 0 kept from before, 4 from the cache, 2 run", run.stderr)
        before, after = self.records(plain), self.records(joined)
        self.assertEqual({key: one["key"] for key, one in after.items() if key in before}, {k: r["key"] for k, r in before.items()})
        self.assertEqual(set(after) - set(before), {("toy", 4), ("toy", 5)})
        self.assertEqual(after["toy", 5]["status"], "converged")
        # The same command finds the run again, and its tables are read from another folder.
        self.assertIn("6 kept from before", self.spca("run", "mine.json", "--also", "toy.json").stderr)
        self.assertIn("toy", self.spca("table", joined).stdout)
        self.assertNotIn("toy", self.spca("table", plain).stdout)

    def test_published_numbers_and_claims_are_about_the_file_alone(self):
        # toy matches "t*", and its answer is worse than that of the others.
        judged = json.loads(self.spca("reproduce", "mine.json", "--also", "./toy.json", "--json").stdout)["experiments"][0]
        self.assertEqual(judged["claims"][0]["verdict"], "holds")
        self.assertNotIn("toy", json.dumps(judged))

    def test_a_baseline_of_it_is_checked_with_it(self):
        run = self.spca("run", "mine.json", "--also", "./toy.json").stdout.strip()
        self.spca("baseline", run, "--no-times", "-o", "b.json")
        checked = self.spca("check", "mine.json", "--baseline", "b.json").stdout
        self.assertRegex(checked, "^match: .* 6 cells")

    def test_a_registered_solver_and_several_may_join(self):
        self.spca("run", "mine.json", "--also", "./toy.json", "--also", "em", "-o", "run")
        self.assertEqual({solver for solver, _ in self.records("run")}, {"threshold", "tpower", "toy", "em"})
        self.spca("run", "mine.json", "--also", "em", "--only", "solver", "em", "-o", "only")
        self.assertEqual({solver for solver, _ in self.records("only")}, {"em"})
        self.spca("run", "mine.json", "--only", "solver", "tpower", "--also", "./toy.json", "-o", "beside")
        self.assertEqual({solver for solver, _ in self.records("beside")}, {"tpower", "toy"})

    def test_options_of_a_joining_solver_follow_in_brackets(self):
        words = ["run", "mine.json", "--also", "search[rounds=3,starts=2]", "--also", "./toy.json[mode=rows]", "-o", "run"]
        self.spca(*words)
        self.assertEqual(
            {solver for solver, _ in self.records("run")},
            {"threshold", "tpower", "search rounds=3 starts=2", "toy mode=rows"},
        )
        self.assertIn("8 kept from before", self.spca(*words).stderr)
        wrong = self.spca("run", "mine.json", "--also", "search[strats=2]", code=2).stderr
        self.assertIn("--also: search[strats=2]/strats: unknown option", wrong)

    def test_what_cannot_join_is_refused_in_a_line(self):
        for word, why in [
            ("none.json", "--also: "),
            ("tpwer", 'did you mean "tpower"'),
            ("tpower", "--also: found tpower, which no grid takes"),
        ]:
            lines = self.spca("run", "mine.json", "--also", word, code=2).stderr.splitlines()
            self.assertEqual(len(lines), 1, lines)
            self.assertIn(why, lines[0])
        (self.folder / "tpower.json").write_text((self.folder / "toy.json").read_text(encoding="utf-8"), encoding="utf-8")
        self.assertIn("a label that grid g has already", self.spca("run", "mine.json", "--also", "./tpower.json", code=2).stderr)


if __name__ == "__main__":
    report_runs.main()
