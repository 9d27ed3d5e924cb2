"""Checks that the table in docs/PEERS.md has the numbers of results/peers/python.json, and that this file has every cell of
the experiment."""

import json
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import SOURCES  # noqa: E402

COMMITTED = SOURCES / "results/peers/python.json"


class PeersTable(unittest.TestCase):
    def test_the_page_has_its_rows(self):
        command = [sys.executable, "-B", SOURCES / "bench/peers_table.py"]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.assertGreater(output.count("\n"), 5)
        self.assertIn(f"\n{output}\n", (SOURCES / "docs/PEERS.md").read_text(encoding="utf-8"))
        self.assertLessEqual(max(map(len, output.splitlines())), 100)

    def test_it_has_every_cell_of_the_experiment(self):
        described = json.loads((SOURCES / "experiments/peers/python.json").read_text(encoding="utf-8"))
        wanted = set()
        for name, grid in described["grids"].items():
            for solver in grid["solvers"]:
                given = solver if isinstance(solver, dict) else {"name": solver}
                wanted.add((name, given.get("label", given["name"]), given["name"], json.dumps(given.get("options", {}))))
        found = set()
        for cell in json.loads(COMMITTED.read_text(encoding="utf-8"))["cells"]:
            match = [one for one in wanted if one[:2] == (cell["grid"], cell["solver"])]
            self.assertEqual(len(match), 1, cell["solver"])
            options = json.loads(match[0][3])
            self.assertEqual(options, {name: cell["solver_options"][name] for name in options})
            self.assertEqual(cell["cardinality"], described["grids"][cell["grid"]]["cardinality"])
            found.add(match[0])
        self.assertEqual(found, wanted)


if __name__ == "__main__":
    report_runs.main()
