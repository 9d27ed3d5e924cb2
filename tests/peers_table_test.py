"""Checks that the tables in docs/PEERS.md have the numbers of the baselines in results/peers, and that these files have every
cell of their experiments."""

import json
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import SOURCES  # noqa: E402

NAMES = sorted(file.stem for file in (SOURCES / "results/peers").glob("*.json"))


def solvers_of(grid):
    """Returns label, name and given options of each solver."""
    for solver in grid["solvers"]:
        given = solver if isinstance(solver, dict) else {"name": solver}
        yield given.get("label", given["name"]), given["name"], given.get("options", {})


class PeersTable(unittest.TestCase):
    def test_there_are_tables(self):
        self.assertEqual(NAMES, ["pypi", "python"])

    def test_the_page_has_their_rows(self):
        page = (SOURCES / "docs/PEERS.md").read_text(encoding="utf-8")
        for name in NAMES:
            command = [sys.executable, "-B", SOURCES / "bench/peers_table.py", SOURCES / f"results/peers/{name}.json"]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            with self.subTest(name):
                self.assertGreater(output.count("\n"), 5)
                self.assertTrue(f"\n{output}" in page, f"docs/PEERS.md has other rows than\n{output}")

    def test_they_have_every_cell_of_the_experiment(self):
        for name in NAMES:
            grids = json.loads((SOURCES / f"experiments/peers/{name}.json").read_text(encoding="utf-8"))["grids"]
            wanted = {(grid, *solver[:2]): solver[2] for grid in grids for solver in solvers_of(grids[grid])}
            found = set()
            for cell in json.loads((SOURCES / f"results/peers/{name}.json").read_text(encoding="utf-8"))["cells"]:
                key = (cell["grid"], cell["solver"], cell["solver_name"])
                with self.subTest(key):
                    options = wanted[key]
                    self.assertEqual(options, {option: cell["solver_options"][option] for option in options})
                    self.assertEqual(set(cell["cardinality"]), set(grids[cell["grid"]]["cardinality"]))
                found.add(key)
            self.assertEqual(found, set(wanted))


if __name__ == "__main__":
    report_runs.main()
