"""From records to the numbers that are drawn, kind by kind; that no words of a figure overlap; the same bytes twice.
Run by ctest, or: /usr/bin/python3 tests/plotting_test.py"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

from matplotlib.text import Text

PLOTTING = pathlib.Path(__file__).resolve().parent.parent / "plotting"
sys.path.insert(0, str(PLOTTING))
sys.dont_write_bytecode = True

import plot  # noqa: E402
import records  # noqa: E402
import style  # noqa: E402

KINDS = sorted(file.stem.replace("_", "-") for file in (PLOTTING / "figures").glob("*.py"))
METRICS = {
    name: {"unit": unit, "direction": direction, "timing": timing}
    for name, unit, direction, timing in [
        ("explained_variance", "variance", "higher", False),
        ("explained_variance_ratio", "", "higher", False),
        ("cumulative_variance", "variance", "higher", False),
        ("support_recovery", "", "higher", False),
        ("upper_bound", "variance", "lower", False),
        ("products", "", "lower", False),
        ("solve_seconds", "s", "lower", True),
    ]
}
CONTEXT = {"metrics": METRICS, "variable_names": {"woods": ["top", "length", "moist", "dry"]}}


def record(solver, k, repeat=0, **more):
    """One component of 13 variables unless `more` says otherwise."""
    cardinality = k if isinstance(k, list) else [k]
    base = {
        "key": f"{solver} {k} {repeat} {more.get('dataset')} {more.get('grid')}",
        "grid": "g",
        "dataset": "woods",
        "solver": solver,
        "deflation": "",
        "solver_name": solver,
        "components": len(cardinality),
        "cardinality": cardinality,
        "repeat": repeat,
        "n": 0,
        "p": 13,
        "status": "converged",
        "message": "",
        "tuned": False,
        "cardinality_missed": False,
        "unconstrained": False,
        "metrics": {},
        "loadings": [{"indices": [0], "values": [1.0]} for _ in cardinality],
        "contended": False,
        "timing": {},
    }
    return {**base, **more}


def options_of(kind):
    return {
        name: value[0] if isinstance(value, list) else value
        for name, value in plot.kind_named(kind).OPTIONS.items()
    }


def data_of(kind, cells, **options):
    return plot.kind_named(kind).data(cells, {**options_of(kind), **options}, CONTEXT)


def curves_of(panel):
    return {curve["name"]: (curve["x"], curve["y"]) for curve in panel["curves"]}


def variance(solver, k, value, repeat=0, **more):
    return record(solver, k, repeat, metrics={"explained_variance": value, "upper_bound": 5.0}, **more)


class Records(unittest.TestCase):
    def test_torn_last_line_is_dropped_and_the_later_record_of_a_cell_counts(self):
        first, second, other = variance("a", 2, 1.0), variance("a", 2, 2.0), variance("b", 2, 3.0)
        with tempfile.TemporaryDirectory() as run:
            lines = "\n".join(json.dumps(one) for one in (first, other, second))
            (pathlib.Path(run) / "cells.jsonl").write_text(lines + '\n{"key": "torn', encoding="utf-8")
            read = records.read(run)
        self.assertEqual([one["metrics"]["explained_variance"] for one in read], [2.0, 3.0])

    def test_chosen_records_stand_in_the_order_of_the_experiment(self):
        cells = [variance("b", 2, 1.0), variance("a", 2, 2.0, repeat=1), variance("a", 2, 3.0), variance("c", 2, 4.0)]
        chosen = records.choose(cells, [["g", "woods", "a", "", [2]], ["g", "woods", "b", "", [2]]])
        self.assertEqual([one["metrics"]["explained_variance"] for one in chosen], [3.0, 2.0, 1.0])

    def test_wilson_interval_is_that_of_the_published_formula(self):
        # R. Newcombe, Statistics in Medicine 17:857, 1998, Table I, printed to four decimals.
        printed = 0.00005
        for successes, trials, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)]:
            interval = records.wilson(successes, trials)
            self.assertAlmostEqual(interval[0], low, delta=printed)
            self.assertAlmostEqual(interval[1], high, delta=printed)

    def test_a_time_taken_beside_other_cells_is_not_measured(self):
        alone = record("a", 2, timing={"solve_seconds": 0.5})
        self.assertEqual(records.scalar(alone, "solve_seconds"), 0.5)
        self.assertIsNone(records.scalar({**alone, "contended": True}, "solve_seconds"))


class Data(unittest.TestCase):
    def test_value_against_cardinality_is_the_mean_over_repeats(self):
        cells = [variance("a", 3, 3.0), variance("a", 2, 1.0), variance("a", 2, 2.0, repeat=1), variance("b", 2, 1.0)]
        panel = data_of("value-against-cardinality", cells)["panels"][0]
        self.assertEqual(panel["title"], "woods, p = 13")
        self.assertEqual(curves_of(panel)["a"], ([2, 3], [1.5, 3.0]))
        self.assertEqual(curves_of(panel)["b"], ([2], [1.0]))

    def test_outer_line_is_the_least_bound_that_holds(self):
        bound = {(2, "a"): 5.0, (2, "b"): 2.0, (3, "a"): 5.0, (3, "b"): 4.0, (4, "a"): 3.0}
        cells = [
            record(solver, k, metrics={"explained_variance": 1.0 * k / 4, "upper_bound": value})
            for (k, solver), value in bound.items()
        ]
        panel = data_of("value-against-cardinality", cells)["panels"][0]
        # What bounds k = 4 bounds k = 3 as well.
        self.assertEqual(curves_of(panel)["upper bound"], ([2, 3, 4], [2.0, 3.0, 3.0]))

    def test_outer_line_of_a_ratio_is_over_the_same_eigenvalue(self):
        metrics = {"explained_variance": 2.0, "explained_variance_ratio": 0.5, "upper_bound": 3.0}  # lambda_1 = 4
        panel = data_of(
            "value-against-cardinality", [record("a", 2, metrics=metrics)], metric="explained_variance_ratio"
        )["panels"][0]
        self.assertEqual(curves_of(panel)["upper bound"], ([2], [0.75]))

    def test_what_does_not_keep_to_k_is_left_out_and_named(self):
        dense = variance("pca", 2, 4.0, unconstrained=True)
        data = data_of("value-against-cardinality", [variance("a", 2, 1.0), dense])
        self.assertEqual(list(curves_of(data["panels"][0])), ["a", "upper bound"])
        self.assertIn("Not drawn: pca (the cardinality does not bind).", data["notes"])

    def test_failed_cells_are_named(self):
        failed = record("b", 2, status="failed", loadings=[])
        data = data_of("value-against-cardinality", [variance("a", 2, 1.0), failed])
        self.assertIn("No answer: b (failed) 1 times.", data["notes"])

    def test_curves_on_each_other_become_one_with_all_names(self):
        rounding = 1e-12
        cells = [variance("a", 2, 1.0), variance("b", 2, 1.0 + rounding), variance("c", 2, 1.001)]
        panel = data_of("value-against-cardinality", cells)["panels"][0]
        self.assertEqual(list(curves_of(panel)), ["a = b", "c", "upper bound"])

    def test_cumulative_variance_against_components(self):
        cells = [
            record("a", [3, 2], repeat=i, metrics={"cumulative_variance": sums})
            for i, sums in enumerate([[1, 2], [3, 6]])
        ]
        panel = data_of("cumulative-variance", cells)["panels"][0]
        self.assertEqual(panel["title"], "woods, p = 13, k = 3, 2")
        self.assertEqual(curves_of(panel), {"a": ([1, 2], [2, 4])})

    def test_cumulative_variance_against_r_takes_the_last_sum_of_each_r(self):
        cells = [
            record("a", [3, 3], metrics={"cumulative_variance": [1, 2]}),
            record("a", [3, 3, 3], grid="h", metrics={"cumulative_variance": [1, 2, 2.5]}),
            record("a", [3, 2], grid="i", metrics={"cumulative_variance": [7, 8]}),  # another k: not comparable
        ]
        panels = data_of("cumulative-variance", cells, against="r")["panels"]
        self.assertEqual([curves_of(panel) for panel in panels], [{"a": ([2, 3], [2, 2.5])}])

    def test_convergence_is_the_distance_to_the_last_best_objective(self):
        trace = {"iterations": [0, 1, 2, 3, 4], "products": [1, 2, 4, 6, 8], "objective": [None, 2.0, 1.0, 3.0, 4.0]}
        cell = record("a", 2, trace=trace, trace_seconds=[0.0, 0.1, 0.2, 0.3, 0.4])
        for against, x in [("products", [2, 6]), ("seconds", [0.1, 0.3]), ("iterations", [1, 3])]:
            panel = data_of("convergence", [cell], against=against)["panels"][0]
            self.assertEqual(curves_of(panel)["a"], (x, [0.5, 0.25]))

    def test_convergence_leaves_a_tuned_solver_out_and_says_so(self):
        trace = {"iterations": [0, 1], "products": [0, 1], "objective": [1.0, 2.0]}
        data = data_of("convergence", [record("a", 2, trace=trace, trace_seconds=[0, 1], tuned=True)])
        self.assertEqual(data["panels"], [])
        self.assertIn("Not drawn: a (tuned: the objective changes with the penalty).", data["notes"])

    def test_performance_profile_counts_problems_within_a_factor(self):
        values = {"a": [4.0, 4.0, 4.0, 4.0], "b": [4.0, 2.0, 1.0, None]}
        cells = [
            variance(solver, k, value) if value else record(solver, k, status="failed", loadings=[])
            for solver, row in values.items()
            for k, value in enumerate(row, start=1)
        ]
        panel = data_of("performance-profile", cells)["panels"][0]
        self.assertEqual(panel["title"], "4 problems")
        x, y = curves_of(panel)["b"]
        self.assertEqual(x[:3], [1.0, 2.0, 4.0])
        self.assertEqual(y, [0.25, 0.5, 0.75, 0.75])  # the failed problem is never solved
        self.assertEqual(curves_of(panel)["a"][1], [1.0, 1.0])

    def test_performance_profile_of_a_cost_has_its_best_below(self):
        cells = [record(s, 2, timing={"solve_seconds": t}) for s, t in (("a", 1.0), ("b", 3.0))]
        panel = data_of("performance-profile", cells, metric="solve_seconds")["panels"][0]
        self.assertEqual(curves_of(panel)["a"][1][0], 1.0)
        self.assertEqual((curves_of(panel)["b"][0][:2], curves_of(panel)["b"][1][:2]), ([1.0, 3.0], [0.0, 1.0]))

    def test_recovery_is_a_share_with_its_interval_and_a_failure_is_no_recovery(self):
        found = [
            record("a", [5, 5], repeat=i, n=50, metrics={"support_recovery": value})
            for i, value in enumerate([1, 1, 0])
        ]
        failed = record("a", [5, 5], repeat=3, n=50, status="failed", loadings=[])
        panel = data_of("recovery", [*found, failed])["panels"][0]
        (point,) = panel["curves"][0]["points"]
        self.assertEqual((point["n"], point["repeats"], point["share"]), (50, 4, 0.5))
        self.assertEqual((point["low"], point["high"]), records.wilson(2, 4))
        self.assertEqual(panel["title"], "p = 13, r = 2, k = 5")

    def test_heat_map_names_the_largest_loadings_component_by_component(self):
        loadings = [
            {"indices": [0, 1, 3], "values": [0.6, 0.1, -0.79]},
            {"indices": [1, 2, 3], "values": [0.6, 0.8, 0.001]},
        ]
        panel = data_of("loadings-heatmap", [record("a", [3, 3], loadings=loadings)], variables=2)["panels"][0]
        self.assertEqual(panel["variables"], ["dry", "top", "moist", "length"])
        self.assertEqual(panel["loadings"], [[-0.79, 0.001], [0.6, None], [None, 0.8], [0.1, 0.6]])

    def test_heat_map_numbers_variables_without_names(self):
        cell = record("a", 1, dataset="other", loadings=[{"indices": [6], "values": [1.0]}])
        self.assertEqual(data_of("loadings-heatmap", [cell])["panels"][0]["variables"], ["variable 7"])

    def test_scaling_finds_the_exponent_of_a_power(self):
        cells = [
            record("a", 2, repeat=i, dataset=f"p{p}", p=p, n=50, timing={"solve_seconds": noise * 1e-6 * p**1.5})
            for p in (100, 200, 400)
            for i, noise in enumerate((1, 1, 9))
        ]
        panel = data_of("scaling", cells)["panels"][0]
        self.assertEqual(panel["title"], "n = 50, r = 1, k = 2")
        rounding = 1e-12
        self.assertAlmostEqual(panel["curves"][0]["exponent"], 1.5, delta=rounding)
        self.assertEqual(panel["curves"][0]["x"], [100, 200, 400])
        self.assertAlmostEqual(panel["curves"][0]["y"][0], 1e-3, delta=rounding)  # the median, not the mean

    def test_every_kind_says_what_it_needs_where_records_do_not_fill_it(self):
        for kind in KINDS:
            figure, why = plot.compose(
                {"kind": kind, "title": "t", "options": options_of(kind), "variants": []}, [], CONTEXT
            )
            self.assertIsNone(figure, kind)
            self.assertIn(plot.kind_named(kind).NEEDS, why)


class Style(unittest.TestCase):
    def test_styles_count_on_over_those_in_use_and_stay_the_same_in_all_panels(self):
        panels = [{"curves": [{"style": 5}, {"style": 0}, {"style": "bound"}]}, {"curves": [{"style": 9}, {"style": 5}]}]
        plot.number_styles(panels)
        numbers = [[curve["style"] for curve in panel["curves"]] for panel in panels]
        self.assertEqual(numbers, [[1, 0, "bound"], [2, 1]])

    def test_spread_labels_keep_their_order_and_do_not_overlap(self):
        centres, heights = [10.0, 11.0, 10.5, 40.0], [8.0, 8.0, 16.0, 8.0]
        placed = style.spread(centres, heights, 0, 60)
        order = sorted(range(4), key=lambda i: centres[i])
        self.assertEqual(order, sorted(range(4), key=lambda i: placed[i]))
        for a, b in itertools.pairwise(order):
            self.assertGreaterEqual(placed[b] - placed[a], (heights[a] + heights[b]) / 2 - 1e-9)
        self.assertEqual(placed[3], 40.0)

    def test_looks_differ_in_colour_or_dash_and_neighbours_in_marker(self):
        looks = [style.look(i) for i in range(35)]
        self.assertEqual(len({(one["color"], str(one["linestyle"])) for one in looks}), 35)
        self.assertTrue(all(a["marker"] != b["marker"] for a, b in itertools.pairwise(looks)))


def crowded(kind):
    """Records that give a kind two panels, many curves near each other, and long names."""
    names = ["tpower", "gpower-block-l1 (a long label)", "em", "fullpath", "threshold", "spca-l1", "pmd"]
    cells = []
    datasets = ("colon with a long name", "woods")
    for dataset, i, k, repeat in itertools.product(datasets, range(len(names)), (2, 5), (0, 1)):
        value = k + 0.01 * i
        cells.append(
            record(
                names[i],
                [k, k],
                repeat,
                dataset=dataset,
                n=50,
                metrics={
                    "explained_variance": value,
                    "cumulative_variance": [value, 1.5 * value],
                    "upper_bound": 9.0,
                    "support_recovery": i % 2,
                },
                loadings=[{"indices": [0, 3], "values": [0.6, -0.8]}, {"indices": [1, 2], "values": [0.8, 0.6]}],
            )
        )
    if kind == "convergence":
        trace = {"iterations": [0, 1, 2, 3], "products": [1, 3, 5, 9], "objective": [0.1, 0.5, 0.9, 1.0]}
        cells = [
            {**cell, "components": 1, "cardinality": k[:1], "trace": trace, "trace_seconds": [1, 2, 3, 4]}
            for cell in cells
            for k in [cell["cardinality"]]
        ]
    if kind == "scaling":
        cells = [
            {**cell, "p": p, "key": f"{cell['key']} {p}", "timing": {"solve_seconds": p * (1 + cell["repeat"])}}
            for cell in cells
            for p in (100, 1000)
        ]
    return cells


def variants_of(cells):
    return [list(one[:4]) + [list(one[4])] for one in records.grouped(cells, records.identity)]


TITLE = "A long title that says what is claimed, of which data with how many samples and variables, and by which paper"


def figure_of(kind, cells=None, title=TITLE):
    cells = cells or crowded(kind)
    spec = {"kind": kind, "title": title, "options": options_of(kind), "variants": variants_of(cells)}
    return plot.compose(spec, cells, CONTEXT)[0]


def boxes_of(figure):
    """[(words, box in pixels)] of everything written."""
    renderer = figure.canvas.get_renderer()
    figure.draw(renderer)
    found = []
    # Ticks beyond the end of an axis exist and are not drawn.
    ticks = {text for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for text in axis.findobj(Text)}
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            ticks -= {axis.label, *(tick.label1 for tick in axis._update_ticks())}
    for text in figure.findobj(Text):
        if text not in ticks and text.get_visible() and text.get_text().strip():
            # Of an annotation the words alone: its leader may cross the gap to its curve.
            found.append((text.get_text(), Text.get_window_extent(text, renderer)))
    return found


class Legibility(unittest.TestCase):
    def expect_legible(self, figure, name):
        hair = 1.0  # pixel, of antialiasing
        page = figure.bbox
        self.assertLessEqual(figure.get_size_inches()[0], style.PAGE_WIDTH + 0.01, name)
        boxes = boxes_of(figure)
        self.assertGreater(len(boxes), 5, name)
        for words, box in boxes:
            self.assertTrue(
                box.x0 >= -hair and box.y0 >= -hair and box.x1 <= page.x1 + hair and box.y1 <= page.y1 + hair,
                f"{name}: {words!r} leaves the page",
            )
        for (words, a), (others, b) in itertools.combinations(boxes, 2):
            across = min(a.x1, b.x1) - max(a.x0, b.x0)
            down = min(a.y1, b.y1) - max(a.y0, b.y0)
            self.assertFalse(across > hair and down > hair, f"{name}: {words!r} overlaps {others!r}")

    def test_no_words_overlap_or_leave_the_page(self):
        for kind in KINDS:
            self.expect_legible(figure_of(kind), kind)

    def test_words_of_a_panel_narrower_than_they_are_have_room(self):
        for components in (1, 2, 5):
            cells = [record(solver, [1] * components) for solver in "abc"]
            self.expect_legible(figure_of("loadings-heatmap", cells), f"{components} components")
        for side in ("xlabel", "ylabel"):
            words = {side: "longer than its axis, as no kind has it"}
            figure = style.compose("", [], [(0.4, 0.4)] * 4, lambda i, axes: axes.set(**words)[:0])
            self.expect_legible(figure, side)

    def test_many_components_have_ticks_that_can_be_told_apart(self):
        sums = list(range(1, 61))
        cells = [record("a", [2] * 60, dataset=name, metrics={"cumulative_variance": sums}) for name in "de"]
        self.expect_legible(figure_of("cumulative-variance", cells), "60 components")

    def test_axes_that_count_have_ticks_at_whole_numbers(self):
        for ks in ((5,), (3, 5), (3, 4, 5), (10, 300)):
            axes = figure_of("value-against-cardinality", [variance("a", k, 1.0) for k in ks]).axes[0]
            low, high = axes.get_xlim()
            ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
            self.assertTrue(ticks)
            self.assertEqual(ticks, [round(tick) for tick in ticks], ks)

    def test_a_bound_at_a_single_cardinality_is_seen(self):
        cells = [variance("a", 5, 1.0)]
        with_bound = figure_of("value-against-cardinality", cells)
        without = figure_of("value-against-cardinality", [record("a", 5, metrics={"explained_variance": 1.0})])
        (line,) = [line for line in with_bound.axes[0].lines if line.get_color() == style.BOUND["color"]]
        self.assertEqual(line.get_marker(), "_")
        self.assertEqual(len(without.axes[0].lines), 1)


class Labels(unittest.TestCase):
    """Labels are the user's: what they hold is drawn as it stands."""

    def words_of(self, label):
        """Everything written in figures of two solvers, one of them of this label, with and without a legend."""
        written = []
        for kind in ("value-against-cardinality", "loadings-heatmap"):
            for value in (1.0, 1.0 + 1e-6):
                cells = [variance("other", 2, 1.0), variance(label, 2, value), variance(label, 3, value)]
                written += [words for words, _ in boxes_of(figure_of(kind, cells, f"Title {label}"))]
        return " ".join(written)

    def test_a_dollar_sign_is_no_mathematics(self):
        for label in ("\\foo{$ d", "costs $5 or $6"):
            self.assertIn(label, self.words_of(label).replace("\u00a0", " "))
        for kind in KINDS:
            for text in figure_of(kind).findobj(Text):
                self.assertFalse(text.get_parse_math())
                self.assertNotIn("$", text.get_text(), f"{kind}: what would be drawn as it stands")

    def test_a_name_that_begins_with_an_underscore_stands_in_the_legend(self):
        curves = [variance(name, k, 1.0 + 1e-6 * (name == "_b")) for name in ("a", "_b") for k in (2, 3)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            axes = figure_of("value-against-cardinality", curves).axes[0]
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["upper\u00a0bound", "_b", "a"])

    def test_powers_of_ten_are_written_out(self):
        self.assertEqual([style.power_of_ten(value) for value in (1e-12, 1, 1e30)], ["10⁻¹²", "10⁰", "10³⁰"])


class Bytes(unittest.TestCase):
    def draw(self, folder, form, hash_seed):
        cells = crowded("recovery")
        run = pathlib.Path(folder) / "run"
        out = pathlib.Path(folder) / f"{form}{hash_seed}"
        run.mkdir(exist_ok=True)
        out.mkdir()
        (run / "cells.jsonl").write_text("".join(json.dumps(cell) + "\n" for cell in cells), encoding="utf-8")
        kinds = ["recovery", "cumulative-variance", "loadings-heatmap"]
        figures = [
            {"kind": kind, "name": kind, "title": TITLE, "options": options_of(kind), "variants": variants_of(cells)}
            for kind in kinds
        ]
        request = {"run": str(run), "directory": str(out), "format": form, "figures": figures, **CONTEXT}
        done = subprocess.run(
            [sys.executable, "-B", str(PLOTTING / "plot.py")],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        self.assertEqual([file["name"] for file in json.loads(done.stdout)], kinds)
        return {file.name: file.read_bytes() for file in sorted(out.iterdir())}

    def test_the_same_records_give_the_same_bytes_in_every_format(self):
        with tempfile.TemporaryDirectory() as folder:
            for form in ("svg", "png", "pdf"):
                first, second = self.draw(folder, form, "1"), self.draw(folder, form, "2")
                self.assertEqual(first, second)
                self.assertEqual(len(first), 3)
                for name, content in first.items():
                    self.assertGreater(len(content), 1000, name)
                    self.assertNotIn(b"dc:date", content, name)
                    self.assertNotIn(b"CreationDate", content, name)


if __name__ == "__main__":
    unittest.main()
