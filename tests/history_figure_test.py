"""Tests of the figure of `spca history show`: from the JSON of the program to curves, and to files."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))
sys.path.insert(0, str(SOURCES / "plotting"))
SKIPPED = 77  # the code that tests/CMakeLists.txt declares to ctest

try:
    import history_figure
except SystemExit:
    print("skipped: no matplotlib")
    sys.exit(SKIPPED)
from matplotlib.figure import Figure  # noqa: E402

RUNS = 24
SLOWER_FROM = 16


def benchmark(run):
    """One run of two kernels; the first becomes slower."""
    times = {"dense/64": (1 if run < SLOWER_FROM else 1.5) + 0.01 * (run * 7 % 5), "sparse/64": 2 + 0.01 * (run * 3 % 7)}
    results = [
        {"name": name, "run_name": name, "run_type": "iteration", "real_time": time, "cpu_time": time, "time_unit": "ms"}
        for name, time in times.items()
    ]
    context = {"date": f"2026-01-{run + 1:02}T00:00:00Z", "host_name": "h", "executable": "kernels"}
    return json.dumps({"context": context, "benchmarks": results})


def spca(folder, *words):
    return subprocess.run([PROGRAM, "history", *words, "--file", "h.sqlite"], capture_output=True, text=True, cwd=folder)


class HistoryFigure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        for run in range(RUNS):
            (cls.folder / "b.json").write_text(benchmark(run))
            spca(cls.folder, "import", "b.json", "--commit", f"commit{run}").check_returncode()
        cls.report = json.loads(spca(cls.folder, "show", "kernels", "--json", "--metric", "real_seconds").stdout)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_the_change_stands_first_with_its_commit(self):
        first, second = history_figure.data(self.report)
        self.assertEqual(first["group"], "dense/64")
        self.assertEqual(first["changes"], {SLOWER_FROM: (f"commit{SLOWER_FROM}", ["slower"])})
        self.assertEqual(second["changes"], {})
        (begin, end, before), (again, last, after) = history_figure.levels(first["trends"][0])
        self.assertEqual((begin, end, again, last), (0, SLOWER_FROM - 1, SLOWER_FROM, RUNS - 1))
        self.assertAlmostEqual(after - before, 0.0005, delta=0.0001)

    def test_the_same_history_gives_the_same_bytes_in_every_format(self):
        for form in ("svg", "png", "pdf"):
            files = [self.folder / f"{i}.{form}" for i in range(2)]
            for file in files:
                shown = spca(self.folder, "show", "kernels", "-o", str(file))
                self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

    def test_only_what_changed_is_drawn_with_its_date(self):
        panels = history_figure.data(self.report)
        shown, notes = history_figure.changed(panels)
        self.assertEqual([panel["group"] for panel in shown], ["dense/64"])
        self.assertEqual(notes, ["Without a change, not drawn: sparse/64."])
        axes = Figure().add_subplot()
        history_figure.draw(axes, {**shown[0], "one_machine": True}, self.report["runs"])
        self.assertEqual([word.get_text() for word in axes.texts], ["2026-01-17, commit16: slower"])
        self.assertEqual([word.get_text() for word in axes.get_xticklabels()], ["2026-01-01", "2026-01-24"])
        self.assertEqual(history_figure.short("0123456789abcdef0123"), "012345678")
        still = [panel for panel in panels if not panel["changes"]]
        self.assertEqual(history_figure.changed(still), (still, ["Nothing changed."]))

    def test_a_group_is_not_said_to_be_missing_if_one_of_its_panels_is_drawn(self):
        def panel(group, metric, machine, *changes):
            return {"group": group, "metric": metric, "machine": machine, "changes": changes}

        panels = [panel("a", "products", None, "worse"), panel("b", "solve_seconds", 0, "slower"),
                  panel("a", "explained_variance", None), panel("b", "solve_seconds", 1),
                  panel("c", "products", None), panel("c", "solve_seconds", 0)]
        shown, notes = history_figure.changed(panels)
        self.assertEqual(shown, panels[:2])
        self.assertEqual(
            notes, ["Without a change, not drawn: a, explained_variance; b, solve_seconds, machine 1; c."])
        many = [*panels[:1], *(panel("a", f"metric {i}", None) for i in range(history_figure.MOST_NAMED + 1))]
        self.assertEqual(history_figure.changed(many)[1], ["Without a change, not drawn: 13 of 14 panels."])

    def test_the_dates_of_few_runs_do_not_overlap(self):
        for count in (1, 2, 3, 4):
            runs = self.report["runs"][:count]
            points = [{"run": run, "value": 1.0} for run in range(count)]
            trend = {"points": points, "changes": [], "cardinality": None, "metric": "seconds"}
            panel = {"group": "g", "metric": "real_seconds", "machine": None, "one_machine": True, "trends": [trend], "changes": {}}
            figure = Figure(figsize=history_figure.SIZE)
            axes = figure.add_axes((0, 0.3, 1, 0.6))
            history_figure.draw(axes, panel, runs)
            figure.canvas.draw()
            boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
            for left, right in zip(boxes, boxes[1:]):
                self.assertLess(left.x1, right.x0, count)
            self.assertGreaterEqual(min(box.x0 for box in boxes), 0, count)

    def test_an_unwritable_file_is_one_line(self):
        shown = spca(self.folder, "show", "kernels", "-o", "/no/such/folder/x.svg")
        self.assertEqual(shown.returncode, 2)
        self.assertEqual(len(shown.stderr.splitlines()), 1)
        self.assertIn("/no/such/folder/x.svg", shown.stderr)

    def test_exact_numbers_are_curves_of_one_panel(self):
        def trend(k):
            return {
                "cell": f"g / k = {k}", "group": "g", "metric": "products", "machine": 0, "of_machine": False,
                "cardinality": [k], "points": [{"run": i, "value": k + (i > 3)} for i in range(6)],
                "changes": [{"run": 4, "commit": "c4", "verdict": "worse"}],
            }

        runs = [{"commit": f"c{i}", "date": "2026-01-01T00:00:00Z"} for i in range(6)]
        report = {"experiment": "e", "level": 0, "contended": 0, "machines": [{}], "runs": runs,
                  "trends": [trend(2), trend(3)]}
        (panel,) = history_figure.data(report)
        self.assertEqual(panel["changes"], {4: ("c4", ["worse"])})
        file = self.folder / "exact.svg"
        finished = subprocess.run([sys.executable, "-B", str(SOURCES / "plotting/history_figure.py"), str(file)],
                                  input=json.dumps(report), text=True, capture_output=True, check=False)
        self.assertEqual(finished.stderr, "")
        self.assertTrue(file.exists())


if __name__ == "__main__":
    unittest.main()
