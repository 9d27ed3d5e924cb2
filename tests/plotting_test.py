"""From records to the numbers that are drawn, kind by kind.
Run by ctest, or: /usr/bin/python3 tests/plotting_test.py"""

import itertools
import json
import math
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.text import Text  # noqa: E402

from plotting_cells import CONTEXT, KINDS, PLOTTING, TITLE, chart_of, curves_of, data_of, figure_of, options_of, record, variance, variants_of  # noqa: E402

# isort: split
import plot  # noqa: E402
import problems  # noqa: E402
import records  # noqa: E402
import style  # noqa: E402
import vega_lite  # noqa: E402


class Records(unittest.TestCase):
    def test_torn_last_line_is_dropped_and_the_later_record_of_a_cell_counts(self):
        first, second, other = variance("a", 2, 1.0), variance("a", 2, 2.0), variance("b", 2, 3.0)
        with tempfile.TemporaryDirectory() as run:
            lines = "\n".join(json.dumps(one) for one in (first, other, second))
            (pathlib.Path(run) / "cells.jsonl").write_text(lines + '\n{"key": "torn', encoding="utf-8")
            read = records.read(run)
        self.assertEqual([one["metrics"]["explained_variance"] for one in read], [2.0, 3.0])

    def test_whether_a_trace_was_asked_for_stands_beside_the_records(self):
        digests = {"a" * 32: {"trace": True}, "b" * 32: {}}
        cells = [record("x", 2, key="0" * 32 + digest) for digest in [*digests, "c" * 32]]
        with tempfile.TemporaryDirectory() as name:
            run = pathlib.Path(name)
            (run / "cells.jsonl").write_text("".join(json.dumps(cell) + "\n" for cell in cells), encoding="utf-8")
            told = "".join(json.dumps({"identity": digest, "of": of}) + "\n" for digest, of in digests.items())
            (run / "identities.jsonl").write_text(told + '{"identity": "torn', encoding="utf-8")
            read = records.read(run)
        self.assertEqual([one["trace_asked"] for one in read], [True, False, True])

    def test_a_label_may_hold_what_ends_a_line_elsewhere(self):
        with tempfile.TemporaryDirectory() as run:
            line = json.dumps(record("a\u0085b\u2028c", 2), ensure_ascii=False)
            (pathlib.Path(run) / "cells.jsonl").write_text(line + "\n", encoding="utf-8")
            self.assertEqual(len(records.read(run)), 1)

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
        # A bound at k = 4 also holds at k = 3.
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

    def test_curves_on_each_other_in_one_panel_alone_stay_two(self):
        values = {("a", "d"): 1.0, ("b", "d"): 1.0, ("c", "d"): 2.0, ("a", "e"): 1.0, ("b", "e"): 1.5, ("c", "e"): 2.0}
        cells = [variance(solver, 2, value, dataset=name) for (solver, name), value in values.items()]
        panels = [panel for panel in data_of("value-against-cardinality", cells)["panels"] if not panel.get("below")]
        self.assertEqual([list(curves_of(panel)) for panel in panels], [["a", "b", "c", "upper bound"]] * 2)

    def test_a_curve_of_many_names_is_named_below_the_figure(self):
        cells = [variance(name, k, 1.0) for name in "abcdefgh" for k in (2, 3)]
        spec = {"kind": "value-against-cardinality", "title": "", "options": options_of("value-against-cardinality"),
                "variants": variants_of(cells)}
        figure, notes, _ = plot.compose(spec, cells, CONTEXT)
        words = [text.get_text().replace("\u00a0", " ") for text in figure.findobj(Text)]
        self.assertIn("a and 7 more", words)
        self.assertIn("a and 7 more, which lie on each other: a, b, c, d, e, f, g, h.", notes)

    def test_the_label_of_a_solver_may_hold_what_joins_the_names_of_a_curve(self):
        values = {"epsilon = 0.1": 1.0, "epsilon = 0.2": 1.0, "epsilon = 0.3": 0.5}
        cells = [variance(solver, k, k * value) for solver, value in values.items() for k in (2, 3)]
        kind = plot.kind_named("value-against-cardinality")
        context = {**CONTEXT, "published": [self.printed(solver, [2], 3.0 - value) for solver, value in values.items()]}
        upper, lower = kind.data(cells, options_of("value-against-cardinality"), context)["panels"]
        both = "epsilon = 0.1 = epsilon = 0.2"
        self.assertEqual(list(curves_of(upper)), [both, "epsilon = 0.3", "upper bound"])
        self.assertEqual(curves_of(lower), {both: ([2, 3], [problems.FLOOR] * 2), "epsilon = 0.3": ([2, 3], [0.5] * 2)})
        self.assertEqual([(one["y"], one["style"]) for one in upper["crosses"]], [(2.0, 0), (2.5, 2)])
        few = [{"curves": [{"name": f"epsilon = 0.{i}", "style": i, "x": [1], "y": [2.0]} for i in range(1, 5)]}]
        joined = records.with_merged(few)
        self.assertEqual(records.shorten(joined), [], "four names are no more than a legend has room for")
        words = style.wrapped(joined[0]["curves"][0]["names"]).split("\n")
        self.assertEqual([line.replace("\u00a0", " ") for line in words],
                         ["epsilon = 0.1 =", "epsilon = 0.2 =", "epsilon = 0.3 =", "epsilon = 0.4"])

    def test_a_cross_has_the_colour_of_the_curve_with_which_its_own_was_merged(self):
        cells = [record(solver, [2, 2], metrics={"cumulative_variance": [1.0, 2.0]}) for solver in "ab"]
        dense = record("pca", [2, 2], metrics={"cumulative_variance": [2.0, 3.0]}, solver_name="pca", unconstrained=True)
        context = {**CONTEXT, "published": [self.printed("b", [2, 2], 2.5), self.printed("pca", [2, 2], 3.5)]}
        spec = {"kind": "cumulative-variance", "title": "", "options": options_of("cumulative-variance"),
                "variants": variants_of([*cells, dense])}
        figure, _, _ = plot.compose(spec, [*cells, dense], context)
        marks = [line for line in figure.axes[0].lines if line.get_marker() == "x"]
        self.assertEqual([line.get_color() for line in marks], [style.COLOURS[0], style.BOUND["color"]])

    def test_a_small_figure_leaves_its_notes_to_the_page(self):
        cells = [variance(name, k, 1.0) for name in "ab" for k in (2, 3)]
        spec = {"kind": "gap-to-optimum", "title": "T", "options": {}, "variants": variants_of(cells)}
        cells = [{**cell, "metrics": {"explained_variance": 5.0, "upper_bound": 5.0}} for cell in cells]
        for small in (False, True):
            figure, notes, _ = plot.compose(spec, cells, {**CONTEXT, "small": small})
            words = " ".join(text.get_text() for text in figure.findobj(Text)).replace("\n", " ")
            self.assertEqual(("A dot: an answer." in words), not small)
            self.assertTrue(notes[0].startswith("A dot: an answer."))

    def test_above_the_best_of_what_should_be_small_is_an_excess(self):
        cells = [record(solver, k, metrics={"products": value}) for solver, value in (("a", 2.0), ("b", 3.0)) for k in (2, 3)]
        data = data_of("value-against-cardinality", cells, metric="products")
        self.assertEqual(curves_of(data["panels"][1])["b"][1], [0.5, 0.5])
        self.assertTrue(data["panels"][1]["title"].endswith(": excess"))
        self.assertTrue(data["notes"][0].startswith("Excess: from the best value of this run"), data["notes"])

    def test_the_page_knows_the_panels_that_stand_below_another(self):
        script = (PLOTTING / "report" / "charts.js").read_text("utf-8")
        (words,) = re.findall(r"const BELOW = \[(.*?)\]", script)
        missing = plot.kind_named("value-against-cardinality").MISSING
        self.assertEqual([word.strip(" '") for word in words.split(",")], list(missing.values()))

    def test_cardinalities_that_no_penalty_gives_are_one_note_for_solvers_that_share_them(self):
        cells = [variance(solver, k, 1.0, cardinality_missed=k == 4) for solver in "abc" for k in (3, 4)]
        cells += [variance("d", k, 1.0, cardinality_missed=True) for k in (3, 4)]
        notes = data_of("value-against-cardinality", cells)["notes"]
        said = "no penalty gives so many nonzeros, the nearest from below is shown."
        self.assertEqual(notes[-2:], [f"a, b, c at k = 4: {said}", f"d at k = 3, 4: {said}"])

    def test_of_many_cardinalities_a_point_is_the_largest_shortfall_among_neighbours(self):
        cells = [variance("a", k, 4.0) for k in range(1, 501)]
        cells += [variance("b", k, 4.0 * (1 - 0.1 * (k in (3, 250)))) for k in range(1, 501)]
        data = data_of("value-against-cardinality", cells)
        lower = data["panels"][1]
        x, y = curves_of(lower)["b"]
        self.assertLessEqual(len(x), 20)
        self.assertEqual([k for k, share in zip(x, y) if share > problems.FLOOR], [3, 250])
        self.assertIn("A point of the shortfall: the largest among neighbouring k.", data["notes"])
        below = figure_of("value-against-cardinality", cells).axes[1]
        self.assertEqual({line.get_linestyle() for line in below.lines if line.get_marker() in style.MARKERS}, {"None"})
        chart = chart_of("value-against-cardinality", cells)["concat"][1]
        self.assertEqual(next(layer for layer in chart["layer"] if "strokeDash" in layer["encoding"])["mark"]["strokeWidth"], 0)

    def test_below_the_values_stands_what_is_missing_from_the_best(self):
        values = {("a", 2): 4.0, ("b", 2): 3.0, ("a", 3): 4.5, ("b", 3): 4.5 * (1 - 1e-4), ("a", 4): 5.0, ("b", 4): 5.0 - 1e-6}
        cells = [variance(solver, k, value) for (solver, k), value in values.items()]
        upper, lower = data_of("value-against-cardinality", cells)["panels"]
        self.assertTrue(upper["above"] and lower["below"])
        self.assertEqual(list(curves_of(lower)), ["a", "b"])
        self.assertEqual(curves_of(lower)["a"], ([2, 3, 4], [problems.FLOOR] * 3))
        x, y = curves_of(lower)["b"]
        self.assertEqual((x, y[0], y[2]), ([2, 3, 4], 0.25, problems.FLOOR))  # 2e-7 is none
        self.assertAlmostEqual(y[1], 1e-4, delta=1e-12)
        self.assertEqual([one["style"] for one in lower["curves"]], [one["style"] for one in upper["curves"][:2]])

    def test_what_is_missing_is_the_mean_over_repeats_each_with_its_own_best(self):
        cells = [variance(solver, 2, value, repeat) for solver, row in (("a", (1.0, 4.0)), ("b", (2.0, 2.0))) for repeat, value in enumerate(row)]
        lower = data_of("value-against-cardinality", cells)["panels"][1]
        self.assertEqual(curves_of(lower), {"a": ([2], [0.25]), "b": ([2], [0.25])})

    def test_what_is_missing_of_a_cost_lies_above_the_best(self):
        cells = [record(solver, 2, metrics={"products": value}) for solver, value in (("a", 10), ("b", 12))]
        lower = data_of("value-against-cardinality", cells, metric="products")["panels"][1]
        self.assertEqual(curves_of(lower)["b"], ([2], [0.2]))
        one = data_of("value-against-cardinality", cells[:1], metric="products")["panels"]
        self.assertEqual(len(one), 1)  # nothing to compare with

    def test_it_is_said_of_which_cardinalities_the_best_is_proven(self):
        def cells(bounds):
            return [
                record(solver, k, metrics={"explained_variance": 2.0, "upper_bound": bound})
                for solver in "ab"
                for k, bound in bounds.items()
            ]

        for bounds, words in (
            ({2: 2.0, 3: 2.0 + 1e-6}, "from the certified optimum."),
            ({2: 2.0, 3: 2.1}, "from the certified optimum at k = 2, else the best value of this run."),
            ({2: 2.1, 3: 2.1}, "from the best value of this run, which nothing here proves."),
            ({2: 1.9, 3: 1.9}, "from the best value of this run, which nothing here proves."),  # another problem's bound
        ):
            notes = data_of("value-against-cardinality", cells(bounds))["notes"]
            self.assertIn(f"Shortfall: {words} None: less than 0.0001 %.", notes)

    def timed(self, solver, k, value, seconds, **more):
        metrics = {"explained_variance": value, "products": 100 * seconds, **more.pop("metrics", {})}
        return record(solver, k, metrics=metrics, timing={"solve_seconds": seconds}, **more)

    def test_value_against_time_takes_geometric_means_and_draws_the_front(self):
        rows = {"fast": ((3.6, 0.1), (4.0, 0.4)), "slow": ((4.0, 2.0), (5.0, 8.0)), "beaten": ((3.6, 3.0), (4.0, 3.0))}
        cells = [self.timed(solver, k, *row) for solver, both in rows.items() for k, row in zip((2, 3), both)]
        (panel,) = data_of("value-against-time", cells)["panels"]
        self.assertEqual(panel["title"], "woods, 2 problems")
        curves = curves_of(panel)
        self.assertEqual(list(curves), ["slow", "fast", "beaten", "Pareto front"])  # the best first
        for found, expected in zip((*curves["fast"][0], *curves["fast"][1]), (0.2, 1 - 0.72**0.5)):
            self.assertAlmostEqual(found, expected, places=12)
        self.assertAlmostEqual(curves["slow"][0][0], 4.0, places=12)
        self.assertEqual(curves["slow"][1], [problems.FLOOR])
        self.assertEqual(curves["Pareto front"], (curves["fast"][0] + curves["slow"][0], curves["fast"][1] + curves["slow"][1]))

    def test_value_against_time_leaves_out_who_lacks_an_answer_or_a_time_and_says_so(self):
        cells = [
            *[self.timed("whole", k, 2.0, 1.0) for k in (2, 3)],
            self.timed("half", 2, 2.0, 1.0),
            record("half", 3, status="failed", loadings=[]),
            *[self.timed("beside", k, 2.0, 1.0, contended=k == 3) for k in (2, 3)],
            self.timed("pca", 2, 9.0, 1.0, unconstrained=True),
        ]
        data = data_of("value-against-time", cells)
        drawn = {name: points for name, points in curves_of(data["panels"][0]).items() if points[0]}
        self.assertEqual(list(drawn), ["whole", "Pareto front"])
        for words in (
            "Not drawn: half, beside (a problem without an answer, or without its cost).",
            "1 cell of 6 ran beside others: those times are left out.",
            "Not drawn: pca (the cardinality does not bind).",
            "On the front of woods, from the cheapest: whole.",
        ):
            self.assertIn(words, data["notes"])
        elsewhere = record("half", 2, dataset="colon", status="failed", loadings=[])
        notes = data_of("value-against-time", [*cells, elsewhere, self.timed("late", 2, 1.0, 1.0, dataset="colon", contended=True)])["notes"]
        self.assertIn("No panel of colon, all data sets: no solver answered every problem at a known cost.", notes)
        self.assertEqual(data_of("value-against-time", [{**cell, "contended": True} for cell in cells])["panels"], [])
        by_products = data_of("value-against-time", cells, against="products")["panels"][0]
        self.assertAlmostEqual(curves_of(by_products)["beside"][0][0], 100.0, places=9)

    def test_value_against_time_has_a_panel_each_and_one_of_all_and_options_as_points(self):
        cells = [
            self.timed(label, 2, value, seconds, solver_name="gpower-l0", dataset=dataset)
            for dataset in ("woods", "colon")
            for label, value, seconds in (("gpower-l0 (0.8)", 2.0, 1.0), ("gpower-l0", 4.0, 2.0))
        ]
        panels = data_of("value-against-time", cells)["panels"]
        titles = ["woods, 1 problem", "colon, 1 problem", "all data sets, 2 problems"]
        self.assertEqual([panel["title"] for panel in panels], titles)
        self.assertEqual(curves_of(panels[0])["gpower-l0: 0.8, default"], ([1.0, 2.0], [0.5, problems.FLOOR]))
        alone = data_of("value-against-time", cells, panels="all")["panels"]
        self.assertEqual([panel["title"] for panel in alone], titles[2:])

    def solved(self, cells, **options):
        data = data_of("solved-against-time", cells, **options)
        return [curves_of(panel) for panel in data["panels"]], data["notes"]

    def test_solved_against_time_counts_from_when_the_trace_was_near_the_bound(self):
        trace = {"iterations": [0, 1, 2], "products": [1, 3, 9], "objective": [0.5, 1.985, 1.99]}
        metrics = {"upper_bound": 2.0}
        traced = {"trace": trace, "trace_seconds": [0.1, 0.2, 0.4]}
        cells = [
            self.timed("traced", 2, 1.99, 0.8, metrics=metrics, **traced),
            self.timed("traced", 3, 2.0, 0.5, metrics=metrics, trace_seconds=[0.1, 0.2, 0.4], trace={**trace, "objective": [7, 8, 9]}),
            self.timed("ends", 2, 1.9999, 1.6, metrics=metrics),
            record("ends", 3, status="failed", loadings=[], metrics={}),
        ]
        panels, notes = self.solved(cells)
        # 1.985 is within 1 %. A trace of another objective than the variance shows only the end.
        self.assertEqual([(x[1:-1], y[1:-1]) for x, y in [panels[0]["traced"]]], [([0.2, 0.5], [0.5, 1.0])])
        self.assertEqual((panels[0]["ends"][0][1], panels[0]["ends"][1][-1]), (1.6, 0.5))
        self.assertEqual([panel["traced"][1][-1] for panel in panels], [1.0, 0.5, 0.5])
        self.assertEqual([panel["ends"][1][-1] for panel in panels], [0.5, 0.5, 0.5])
        self.assertIn("Held against the best upper bound of each problem. What no solver reaches counts as not solved.", notes)
        self.assertIn("Counted when they end, having no trace of the variance: ends.", notes)
        self.assertEqual(self.solved(cells, against="products")[0][0]["traced"][0][1:-1], [3, 50.0])

    def test_solved_against_time_says_what_answers_are_held_against(self):
        cells = [self.timed("a", k, 2.0, 1.0) for k in (2, 3)]
        self.assertTrue(any("the best value of this run, since no bound is known" in note for note in self.solved(cells)[1]))
        cells.append(self.timed("b", 2, 1.0, 1.0, metrics={"upper_bound": 2.1}))
        panels, notes = self.solved(cells)
        self.assertTrue(any("which 1 of 2 problems have" in note for note in notes), notes)
        self.assertEqual(panels[0]["a"][1][-1], 0.5)  # 2.0 is not within 1 % of 2.1
        self.assertIn("Not once within 1 %: b.", notes)
        beside, notes = self.solved([*cells, self.timed("c", 3, 2.0, 1.0, contended=True)])
        self.assertNotIn("c", beside[0])
        self.assertIn("Not drawn: c (no cost of its own).", notes)

    def test_solved_against_time_leaves_out_problems_without_times_and_says_so(self):
        cells = [self.timed(solver, k, 2.0, 1.0, contended=(solver, k) == ("b", 3)) for solver in "ab" for k in (2, 3)]
        panels, notes = self.solved(cells)
        self.assertEqual([panel["b"][1][-1] for panel in panels], [1.0] * 3)
        self.assertEqual(data_of("solved-against-time", cells)["panels"][0]["title"], "within 1 %, 1 problem")
        words = "Left out: 1 of 2 problems, in which an answer has no time of its own, because its cell ran beside others."
        self.assertIn(words, notes)
        failed = record("b", 2, repeat=1, status="failed", loadings=[])  # a problem without an answer is not solved
        panels, _ = self.solved([*cells, failed, self.timed("a", 2, 2.0, 1.0, repeat=1)])
        self.assertEqual((panels[0]["a"][1][-1], panels[0]["b"][1][-1]), (1.0, 0.5))

    def test_gap_to_optimum_has_a_row_a_solver_of_certified_problems_alone(self):
        answers = {("a", 2): 2.0, ("b", 2): 1.5, ("a", 3): 2.7, ("b", 3): 3.0, ("a", 4): 3.0, ("b", 4): 3.0}
        bounds = {2: 2.0, 3: 3.0 + 1e-6, 4: 3.1}
        cells = [
            record(solver, k, metrics={"explained_variance": value, "upper_bound": bounds[k]})
            for (solver, k), value in answers.items()
        ]
        cells += [record("c", 2, status="failed", loadings=[]), variance("c", 3, 3.0), variance("d", 4, 3.0)]
        data = data_of("gap-to-optimum", cells)
        (panel,) = data["panels"]
        self.assertEqual(panel["title"], "2 certified problems")
        floor = problems.FLOOR
        self.assertEqual([one["name"] for one in panel["curves"]], ["a", "b", "c"])
        self.assertEqual([one["x"][0] for one in panel["curves"]], [floor] * 3)
        self.assertAlmostEqual(panel["curves"][0]["x"][1], 0.1, delta=1e-6)
        self.assertAlmostEqual(panel["curves"][1]["x"][1], 0.25, delta=1e-6)
        self.assertEqual(panel["met"], ["1 of 2", "1 of 2", "1 of 2"])
        self.assertIn("Left out: 1 problem that nothing here certifies.", data["notes"])
        self.assertIn("Not drawn: d (no answer to a certified problem).", data["notes"])
        for row, one in enumerate(panel["curves"]):
            self.assertTrue(all(abs(y - row) < 0.5 for y in one["y"]))
        self.assertEqual(data, data_of("gap-to-optimum", cells))

    def planted(self, solver, n, k, found, **more):
        cells = [record(solver, k, i, n=n, p=100, metrics={"support_recovery": value}, **more) for i, value in enumerate(found)]
        return [{**cell, "key": f"{cell['key']} {n}"} for cell in cells]

    def test_phase_diagram_is_a_square_of_shares_with_the_two_thresholds(self):
        cells = [cell for n, k, found in ((50, 2, (1, 1)), (50, 4, (0, 1)), (200, 2, (1, 1))) for cell in self.planted("a", n, k, found)]
        cells.append({**cells[0], "repeat": 2, "status": "failed", "loadings": []})
        data = data_of("phase-diagram", cells)
        (panel,) = data["panels"]
        self.assertEqual((panel["title"], panel["samples"], panel["cardinalities"]), ("a", [50, 200], [2, 4]))
        self.assertEqual(panel["shares"], [[2 / 3, 1.0], [0.5, None]])
        scale = math.log(100)
        root, ratio = panel["curves"]
        for one, k_of in ((root, lambda n: math.sqrt(n / scale)), (ratio, lambda n: n / scale)):
            for n, k in zip(one["x"], one["y"]):
                self.assertAlmostEqual(k, k_of(n), places=9)
                self.assertTrue(24.9 < n < 400.1 and 1.41 < k < 5.66)  # within the squares
        one_square = self.planted("a", 50, 2, (1, 1))
        self.assertEqual(data_of("phase-diagram", one_square)["panels"], [])
        notes = data_of("phase-diagram", [*cells, *[{**cell, "p": 13} for cell in one_square]])["notes"]
        self.assertIn("Not drawn: p = 13, r = 1 (less than two n or two k).", notes)

    def test_phase_diagram_marks_where_a_solver_with_bounds_did_not_prove_all(self):
        cells = [
            cell
            for solver in ("certified", "heuristic")
            for n in (50, 200)
            for k in (2, 4)
            for cell in self.planted(solver, n, k, (1,))
        ]
        for cell in cells:
            cell["metrics"]["explained_variance"] = 2.0
            if cell["solver"] == "certified":
                cell["metrics"]["upper_bound"] = 2.0 if cell["n"] == 200 else 2.5
        data = data_of("phase-diagram", cells)
        self.assertEqual(data["panels"][0]["open"], [[True, False]] * 2)
        self.assertEqual(data["panels"][1]["open"], [[False, False]] * 2)
        self.assertIn("Hatched: of an answer at least it is not proven that it is the optimum.", data["notes"])

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

    def test_anytime_is_the_best_so_far_and_a_point_for_one_component_after_the_other(self):
        trace = {"iterations": [0, 1, 2, 3], "products": [1, 2, 4, 9], "objective": [1.0, 3.0, 2.0, 3.0]}
        metrics = {"explained_variance": 2.5, "products": 7}
        cells = [
            record("joint", [2, 2], trace=trace, trace_seconds=[0, 0.5, 1, 2], metrics=metrics),
            record("single", [2, 2], deflation="schur", trace=trace, trace_seconds=[0, 1, 2, 3], metrics=metrics,
                   timing={"solve_seconds": 0.25}),
        ]
        for against, x, end in (("seconds", [1e-4, 0.5, 2], 0.25), ("products", [1, 2, 9], 7)):
            curves = curves_of(data_of("anytime", cells, against=against)["panels"][0])
            self.assertEqual(curves["joint"], (x, [1.0, 3.0, 3.0]))
            self.assertEqual(curves["single, schur" if "single, schur" in curves else "single"], ([end], [2.5]))
        self.assertEqual(data_of("anytime", cells[1:])["panels"], [])

    def test_anytime_has_the_bound_of_a_solver_that_knows_one_where_it_falls_and_at_the_end(self):
        trace = {"iterations": [0, 1, 2, 3, 4], "products": [1, 2, 4, 9, 9], "objective": [1.0, 3.0, 3.0, 3.0, 3.0],
                 "bound": [None, 5.0, 4.0, 4.0, 4.0]}
        panel = data_of("anytime", [record("joint", [2, 2], trace=trace, trace_seconds=[0, 1, 2, 3, 4])])["panels"][0]
        self.assertEqual(curves_of(panel)["upper bound of joint"], ([1, 2, 4], [5.0, 4.0, 4.0]))

    def test_topics_are_words_by_their_loadings_and_go_on_below_where_they_do_not_fit(self):
        loadings = [{"indices": [0, 3], "values": [0.6, -0.8]}, {"indices": [1, 2], "values": [0.8, 0.6]}]
        panel = data_of("topics", [record("a", [2, 2], loadings=loadings)], variables=2)["panels"][0]
        self.assertEqual(panel["topics"], [["dry", "top"], ["length", "moist"]])
        self.assertEqual(data_of("topics", [record("a", [2, 2], loadings=loadings)], variables=1)["panels"][0]["topics"],
                         [["dry"], ["length"]])
        kind = plot.kind_named("topics")
        wide = ["w" * kind.LONGEST]
        rows = kind.rows_of([wide] * 20)
        self.assertEqual([number for row in rows for number, _ in row], list(range(1, 21)))
        self.assertGreater(len(rows), 1)

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

    def test_convergence_says_of_each_solver_why_it_is_not_drawn(self):
        trace = {"iterations": [0, 1], "products": [0, 1], "objective": [1.0, 2.0]}
        cells = [
            record("no-loop", 2, trace_asked=True),
            record("no-trace", 2),
            record("deflated", [2, 2], trace=trace, trace_asked=True),
        ]
        data = data_of("convergence", cells)
        self.assertEqual(
            data["notes"],
            [
                "Not drawn: no-loop (no trace: it has no loop of its own).",
                'Not drawn: no-trace (no trace: its grid lacks "trace": true).',
                "Not drawn: deflated (several components: as many objectives).",
            ],
        )

    def test_a_performance_profile_of_times_speaks_of_time(self):
        cells = [record(s, 2, timing={"solve_seconds": t}, metrics={"products": t}) for s, t in (("a", 1.0), ("b", 3.0))]
        for metric, words in (("solve_seconds", "slower than the fastest"), ("products", "worse than the best")):
            data = data_of("performance-profile", cells, metric=metric)
            self.assertEqual(data["panels"][0]["title"], "1 problem")
            self.assertTrue(any(words in note for note in data["notes"]), data["notes"])

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
        self.assertEqual(x[:3], [problems.FLOOR, 1.0, 3.0])  # tau - 1
        self.assertEqual(y, [0.25, 0.5, 0.75, 0.75])  # the failed problem is never solved
        self.assertEqual(curves_of(panel)["a"][1], [1.0, 1.0])

    def test_performance_profile_of_many_solvers_is_a_row_of_dots_each(self):
        names = [f"solver {i:02}" for i in range(14)]
        cells = [variance(name, k, 4.0 if i < 5 else 4.0 / (1 + 0.01 * i)) for i, name in enumerate(names) for k in (2, 3)]
        cells += [record("late", 2, status="failed", loadings=[]), variance("late", 3, 4.0)]
        cells += [record("rare", 2, status="skipped", loadings=[]), variance("rare", 3, 2.0)]
        cells += [record(name, 2, timing={"solve_seconds": 1.0 + i}) for i, name in enumerate(names)]
        data = data_of("performance-profile", cells[:-14])
        (panel,) = data["panels"]
        self.assertEqual([one["name"] for one in panel["curves"]], ["5 solvers, named below", "late", *names[5:], "rare"])
        self.assertIn("In the first row: solver 00, solver 01, solver 02, solver 03, solver 04.", data["notes"])
        self.assertEqual((panel["met"][:3], panel["met"][-1]), (["2 of 2", "1 of 2", "0 of 2"], "0 of 1"))
        self.assertEqual(panel["curves"][0]["x"], [problems.FLOOR] * 2)
        for x in panel["curves"][2]["x"]:
            self.assertAlmostEqual(x, 0.05, delta=1e-12)
        times = data_of("performance-profile", cells[-14:], metric="solve_seconds")["panels"][0]
        self.assertEqual([one["x"] for one in times["curves"]], [[1.0 + i] for i in range(14)])
        self.assertIsNone(chart_of("performance-profile", cells[:-14]))

    def test_rows_of_dots_that_met_all_are_one_row_if_they_are_many(self):
        cells = [variance(name, 2, 5.0) for name in "abcd"] + [variance("e", 2, 4.0)]
        data = data_of("gap-to-optimum", cells)
        self.assertEqual([one["name"] for one in data["panels"][0]["curves"]], ["4 solvers, named below", "e"])
        self.assertIn("In the first row: a, b, c, d.", data["notes"])

    def test_performance_profile_of_a_cost_has_its_best_below(self):
        cells = [record(s, 2, timing={"solve_seconds": t}) for s, t in (("a", 1.0), ("b", 3.0))]
        panel = data_of("performance-profile", cells, metric="solve_seconds")["panels"][0]
        self.assertEqual(curves_of(panel)["a"][1][0], 1.0)
        self.assertEqual((curves_of(panel)["b"][0][:2], curves_of(panel)["b"][1][:2]), ([1.0, 3.0], [0.0, 1.0]))

    def test_performance_profile_of_a_time_leaves_out_problems_without_times_and_says_so(self):
        cells = [self.timed(solver, k, 2.0, k * (1 + (solver == "b")), contended=(solver, k) == ("b", 3))
                 for solver in "ab" for k in (2, 3, 4)]
        cells += [self.timed("c", k, 2.0, 1.0, contended=True) for k in (2, 3, 4)]
        data = data_of("performance-profile", cells, metric="solve_seconds")
        self.assertEqual(data["panels"][0]["title"], "2 problems")
        curves = curves_of(data["panels"][0])
        self.assertEqual({name: y[-1] for name, (_, y) in curves.items()}, {"a": 1.0, "b": 1.0})
        words = "Left out: 1 of 3 problems, in which an answer has no time of its own, because its cell ran beside others."
        self.assertIn(words, data["notes"])
        self.assertIn("Not drawn: c (no cost of its own).", data["notes"])
        alone = [{**cell, "contended": True} for cell in cells]
        self.assertEqual(data_of("performance-profile", alone, metric="solve_seconds")["panels"], [])

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

    def test_recovery_at_few_n_is_dots_in_rows_and_no_line(self):
        def axes_of(samples):
            cells = [record(name, [5, 5], repeat=i, n=n, dataset=str(n), metrics={"support_recovery": i % 2})
                     for name in ("a", "b") for n in samples for i in range(2)]
            return figure_of("recovery", cells).axes[0]

        axes = axes_of((5, 50))
        self.assertEqual([word.get_text() for word in axes.get_yticklabels()], ["a", "b"])
        self.assertEqual([word.get_text().split()[-1] for word in axes.get_legend().get_texts()], ["5", "50"])
        dots = [line for line in axes.lines if line.get_marker() in style.MARKERS]
        self.assertEqual({line.get_linestyle() for line in dots}, {"None"})
        for line in dots:
            self.assertEqual([round(y) for y in line.get_ydata()], [0, 1])
        self.assertEqual(axes_of((5, 10, 20, 50)).get_xlabel(), "samples n")
        alone = axes_of((5,))
        self.assertEqual((alone.get_legend(), alone.get_title(loc="left")), (None, "p = 13, r = 2, k = 5, n = 5"))

    def printed(self, solver, k, value, method="own", metric="explained_variance", **more):
        one = {"dataset": "woods", "solver": solver, "deflation": "", "cardinality": k, "metric": metric, "method": method}
        return {**one, "printed": str(value), "value": value, **more}

    def test_printed_numbers_are_crosses_in_the_colour_of_their_curve(self):
        numbers = [
            self.printed("b", [2], 3.5), self.printed("c", [3], 3.0, "baseline"), self.printed("a", [2], 3.5, "other"),
            self.printed("a", [2], 9.0, dataset="elsewhere"), self.printed("a", [2], 9.0, metric="products"),
        ]
        cells = [variance(solver, k, k + (solver == "b")) for solver in "ab" for k in (2, 3)]
        kind = plot.kind_named("value-against-cardinality")
        context = {**CONTEXT, "published": numbers}
        data = kind.data(cells, options_of("value-against-cardinality"), context)
        style_of_b = data["panels"][0]["curves"][1]["style"]
        found = [(one["x"], one["y"], one["style"]) for one in data["panels"][0]["crosses"]]
        # The number of method "other" is that of b, which is printed once.
        self.assertEqual(found, [(2, 3.5, style_of_b), (3, 3.0, None)])
        self.assertIn("Crosses: printed in the paper, in the colour of the curve; black: of no curve here.", data["notes"])
        spec = {"kind": "value-against-cardinality", "title": "", "options": options_of("value-against-cardinality"),
                "variants": variants_of(cells)}
        figure, _, chart = plot.compose(spec, cells, context)
        marks = [line for line in figure.axes[0].lines if line.get_marker() == "x"]
        self.assertEqual([line.get_color() for line in marks], [style.look(1)["color"], "black"])
        layer = chart["concat"][0]["layer"][-1]
        self.assertEqual([(one["x"], one["y"]) for one in layer["data"]["values"]], [(2, 3.5), (3, 3)])

    def test_printed_sums_of_components_stand_at_the_last_and_shares_in_their_row(self):
        sums = [record("a", [2, 2], metrics={"cumulative_variance": [1.0, 2.0]})]
        found = [record("a", [2, 2], i, n=50, metrics={"support_recovery": 1}) for i in range(2)]
        context = {**CONTEXT, "published": [
            self.printed("a", [2, 2], 2.5), self.printed("a", [2, 2], 0.98, metric="support_recovery")]}
        panel = plot.kind_named("cumulative-variance").data(sums, options_of("cumulative-variance"), context)["panels"][0]
        self.assertEqual([(one["x"], one["y"], one["style"]) for one in panel["crosses"]], [(2, 2.5, 0)])
        data = plot.kind_named("recovery").data(found, options_of("recovery"), context)
        self.assertEqual(data["panels"][0]["curves"][0]["printed"], {50: 0.98})
        self.assertIn("Crosses: printed in the paper.", data["notes"])

    def test_a_printed_share_of_a_solver_that_was_not_run_is_a_black_cross(self):
        for samples in ((25, 50), (25, 50, 75, 100)):
            run = [*(("a", n) for n in samples), ("b", 25)]
            cells = [record(solver, 2, i, n=n, dataset=f"n{n}", metrics={"support_recovery": i})
                     for solver, n in run for i in range(2)]
            numbers = {("a", 25): 0.6, ("b", 50): 0.7, ("c", 25): 0.8, ("c", 50): 0.9}
            context = {**CONTEXT, "published": [
                self.printed(solver, [2], value, metric="support_recovery", dataset=f"n{n}")
                for (solver, n), value in numbers.items()]}
            spec = {"kind": "recovery", "title": "", "options": options_of("recovery"), "variants": variants_of(cells)}
            figure, notes, chart = plot.compose(spec, cells, context)
            axes = figure.axes[0]
            self.assertIn("Crosses: printed in the paper; black: of no solver here.", notes)
            marks = [line for line in axes.lines if line.get_marker() == "x"]
            crosses = [(line.get_color(), line.get_xdata()[0], line.get_ydata()[0]) for line in marks]
            if len(samples) == 2:
                self.assertEqual([word.get_text() for word in axes.get_yticklabels()], ["a", "b", "c"])
                found = {(value, color, round(y)) for color, value, y in crosses}
                first, second = style.COLOURS[:2]  # one for each n
                self.assertEqual(found, {(0.6, first, 0), (0.7, second, 1), (0.8, "black", 2), (0.9, "black", 2)})
                self.assertIsNone(chart)
            else:
                self.assertEqual({(x, y) for color, x, y in crosses if color == "black"}, {(0, 0.8), (1, 0.9)})
                values = chart["concat"][0]["layer"][-1]["data"]["values"]
                printed = [(one["curve"], one["x"], one["y"], one["fill"]) for one in values]
                self.assertEqual(printed[-2:], [("printed: c", 25, 0.8, "#000000"), ("printed: c", 50, 0.9, "#000000")])

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

    def test_a_heat_map_of_several_answers_shows_the_same_variables_in_each_panel(self):
        cells = [
            record("a", [2], dataset="other", loadings=[{"indices": [1, 4], "values": [0.6, 0.8]}]),
            record("b", [2], dataset="other", loadings=[{"indices": [0, 4], "values": [0.8, 0.6]}]),
        ]
        drawn = data_of("loadings-heatmap", cells)
        for panel, expected in zip(drawn["panels"], ([[None], [0.6], [0.8]], [[0.8], [None], [0.6]])):
            self.assertEqual(panel["variables"], ["variable 1", "variable 2", "variable 5"])
            self.assertEqual(panel["loadings"], expected)
        narrow = data_of("loadings-heatmap", cells, variables=2)
        self.assertEqual(narrow["panels"][0]["variables"], ["variable 5", "variable 2"])

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

    def test_spectrum_has_the_exponent_of_each_data_set(self):
        cells = [
            record("pca", [9] * 4, dataset=name, metrics={"component_variance_ratio": [j**-a for j in range(1, 5)]})
            for name, a in (("steep", 2.0), ("flat", 0.25))
        ]
        cells.append(record("pca", [9] * 4, dataset="of rank 1", metrics={"component_variance_ratio": [1, 0, 0, 0]}))
        panel = data_of("spectrum", cells)["panels"][0]
        self.assertEqual([curve["name"] for curve in panel["curves"]], ["steep (j^−2.00)", "flat (j^−0.25)"])
        self.assertEqual(panel["curves"][0]["y"], [1, 1 / 4, 1 / 9, 1 / 16])

    def test_metric_against_metric_takes_means_over_repeats_and_sorts_data_sets(self):
        points = {("steep", 0): (3.0, 0.9), ("steep", 1): (3.2, 0.7), ("flat", 0): (1.0, 0.5), ("flat", 1): (1.0, 0.3)}
        cells = [
            record("a", 2, repeat, dataset=name, metrics={"decay_exponent": x, "explained_variance_ratio": y})
            for (name, repeat), (x, y) in points.items()
        ]
        filled = data_of("metric-against-metric", cells)
        x, y = curves_of(filled["panels"][0])["a"]
        for found, expected in zip(x + y, [1.0, 3.1, 0.4, 0.8]):
            self.assertAlmostEqual(found, expected, places=12)
        self.assertEqual(filled["panels"][0]["title"], "p = 13, k = 2")
        self.assertEqual(filled["notes"], ["Means over 2 repeats."])
        cells.append(record("b", 2, 0, dataset="flat", metrics={"decay_exponent": 1.0, "explained_variance_ratio": 1.0}))
        over_best = data_of("metric-against-metric", cells, over="best")["panels"][0]
        self.assertEqual(curves_of(over_best), {"a": ([1.0, 3.1], [0.75, 1.0]), "b": ([1.0], [1.0])})

    def spannogram(self, answers=()):
        """Returns the panels for V = [[2, 0], [0, 1], [1, 1]]. No test needs its columns to be orthogonal."""
        lengths = [5**0.5, 2**0.5]
        loadings = [
            {"indices": [0, 2], "values": [2 / lengths[0], 1 / lengths[0]]},
            {"indices": [1, 2], "values": [1 / lengths[1], 1 / lengths[1]]},
        ]
        sums = {"cumulative_variance": [5.0, 7.0]}
        pca = record("pca", [3, 3], p=3, loadings=loadings, metrics=sums, unconstrained=True)
        return data_of("spannogram", [pca, *answers])["panels"]

    def test_spannogram_has_every_crossing_and_every_region(self):
        answer = record("a", 1, p=3, loadings=[{"indices": [0], "values": [1.0]}])
        panels = self.spannogram([answer, record("a", 2, p=3)])
        self.assertEqual([panel["title"] for panel in panels], ["woods, k = 1", "woods, k = 2"])
        self.assertEqual(len(panels[0]["meetings"]), 6)  # 2 C(3, 2)
        # |2 sin| is larger than |cos| and |sin + cos| unless |sin| is small. Then |cos| is largest for
        # sin < 0, and |sin + cos| for sin > 0.
        regions = [(round(low, 4), round(high, 4), support) for low, high, support in panels[0]["bands"]]
        angles = [-1.5708, -0.4636, 0, 0.7854, 1.5708]
        self.assertEqual(regions, list(zip(angles, angles[1:], ([0], [1], [2], [0]))))
        self.assertAlmostEqual(panels[0]["best"], math.pi / 2)  # V'e_1 = (2, 0)
        for phi, height, _ in panels[0]["meetings"]:
            values = sorted(abs(a * math.sin(phi) + b * math.cos(phi)) for a, b in ((2, 0), (0, 1), (1, 1)))
            self.assertTrue(any(abs(value - height) < 1e-12 for value in values))
            self.assertLess(min(b - a for a, b in zip(values, values[1:])), 1e-12)

    def test_spannogram_without_an_answer_is_that_of_single_variables(self):
        (panel,) = self.spannogram()
        self.assertEqual(panel["title"], "woods, k = 1")
        self.assertIsNone(panel["best"])

    def test_every_kind_says_what_it_needs_where_records_do_not_fill_it(self):
        for kind in KINDS:
            figure, why, chart = plot.compose(
                {"kind": kind, "title": "t", "options": options_of(kind), "variants": []}, [], CONTEXT
            )
            self.assertIsNone(figure, kind)
            self.assertIn(plot.kind_named(kind).NEEDS, why)


class OfInstances(unittest.TestCase):
    """Kinds that compare answers with the library of instances, as `spca benchmark` judges them."""

    def setUp(self):
        def judged(solver, k, outcome, shortfall=None, seconds=None):
            return {
                "id": f"woods-k{k}", "grid": "g", "dataset": "woods", "solver": solver, "cardinality": [k],
                "outcome": outcome, "shortfall": shortfall, "solve_seconds": seconds, "products": 10,
            }

        self.cells = [variance(solver, k, 1) for solver in ("good", "quick", "dense") for k in (2, 3)]
        self.context = {
            **CONTEXT,
            "instances": [
                judged("good", 2, "reached", 0, 0.1), judged("good", 3, "better", 0, 0.1),
                judged("quick", 2, "worse", 0.02, 0.001), judged("quick", 3, "worse", 0.04, 0.001),
                judged("dense", 2, "not applicable"), judged("dense", 3, "not applicable"),
            ],
        }

    def composed(self, kind):
        spec = {"kind": kind, "title": "t", "options": options_of(kind), "variants": variants_of(self.cells)}
        return plot.compose(spec, self.cells, self.context)

    def test_answers_to_other_questions_are_left_out(self):
        kind = plot.kind_named("shortfall-against-time")
        answered = plot.instances.answering(self.cells, self.context)
        panel = kind.data(answered, options_of("shortfall-against-time"), self.context)["panels"][0]
        points = {curve["name"]: (curve["x"], curve["y"]) for curve in panel["curves"]}
        self.assertEqual(points["quick"][1], [0.03])
        self.assertEqual(set(points), {"good", "quick", "Pareto front"})
        notes = kind.data(answered, options_of("shortfall-against-time"), self.context)["notes"]
        self.assertIn("the mean is not shifted", notes[0])
        # The label of a switch of the page is the first line of an axis's title.
        axis = self.composed("shortfall-against-time")[2]["concat"][0]["encoding"]["y"]
        self.assertEqual(axis["title"][0], "shortfall")
        figure, notes, _ = self.composed("performance-profile")
        self.assertIsNotNone(figure)
        self.assertNotIn("dense", " ".join(notes))

    def test_the_matrix_has_a_row_for_each_instance(self):
        panel = plot.kind_named("instance-matrix").data(self.cells[:4], {}, self.context)["panels"][0]
        self.assertEqual((panel["rows"], panel["solvers"]), (["woods-k2", "woods-k3"], ["good", "quick"]))
        self.assertEqual(panel["signs"], [["•", ""], ["+", ""]])
        self.assertEqual(len({colour for row in panel["colours"] for colour in row}), 3)
        for kind in ("instance-matrix", "shortfall-against-time"):
            self.assertIsNotNone(self.composed(kind)[0])


class Chart(unittest.TestCase):
    def test_kinds_of_curves_have_a_chart_of_their_panels_and_others_none(self):
        for kind in ("homotopy-evolution", "loadings-heatmap", "recovery", "spannogram", "topics"):
            self.assertIsNone(chart_of(kind), kind)
        charts = {kind: chart for kind in KINDS if (chart := chart_of(kind))}
        self.assertLessEqual({"anytime", "convergence", "cumulative-variance", "performance-profile", "spectrum"}, set(charts))
        for kind, chart in charts.items():
            with self.subTest(kind):
                self.assertEqual(chart["title"], TITLE)
                self.assertEqual(json.loads(json.dumps(chart, allow_nan=False)), chart)
                for panel in chart["concat"]:
                    for row in panel["data"]["values"]:
                        lists = [value for value in row.values() if isinstance(value, list)]
                        self.assertEqual({len(values) for values in lists}, {len(row["x"])}, "they are laid out flat together")
                        self.assertEqual(set(panel["transform"][0]["flatten"]), {key for key in row if isinstance(row[key], list)})

    def value_chart(self, **more):
        bound = {"explained_variance": 2.0, "upper_bound": 2.5}
        cells = [record("a", k, metrics=bound) for k in (2, 3)] + [variance("b", k, 1.0 / k) for k in (2, 3)]
        return chart_of("value-against-cardinality", cells)

    def test_a_curve_has_the_numbers_the_look_and_the_bound_of_the_drawing(self):
        chart = self.value_chart()
        panel, _ = chart["concat"]  # and its shortfall
        rows = {row["curve"]: row for row in panel["data"]["values"]}
        self.assertEqual((rows["b"]["x"], rows["b"]["y"]), ([2, 3], [0.5, 0.333333333333]))
        self.assertEqual(rows["b"]["bound"], [2.5, 2.5])
        self.assertEqual([row["kind"] for row in panel["data"]["values"]], ["bound", "curve", "curve"])
        lines = next(layer for layer in panel["layer"] if "strokeDash" in layer["encoding"])["encoding"]
        looks = dict(zip(lines["color"]["scale"]["domain"], zip(lines["color"]["scale"]["range"], lines["strokeDash"]["scale"]["range"])))
        self.assertEqual(looks["a"], (style.COLOURS[0], [1, 0]))
        self.assertEqual(looks["b"][0], style.COLOURS[1])
        self.assertEqual(looks["b"][1], vega_lite.dash(style.DASHES[1]))
        self.assertEqual(looks["upper bound"][0], style.BOUND["color"])

    def test_axes_are_those_of_the_drawing(self):
        panel = self.value_chart()["concat"][0]
        self.assertEqual(panel["encoding"]["x"]["title"], "cardinality k (nonzero loadings)")
        self.assertEqual(panel["encoding"]["x"]["axis"], {"tickMinStep": 1})
        self.assertEqual(panel["encoding"]["y"]["title"], ["explained variance", "tr(V'SV)"])
        self.assertEqual({axis: panel["encoding"][axis]["scale"]["type"] for axis in "xy"}, {"x": "linear", "y": "linear"})
        below = self.value_chart()["concat"][1]["encoding"]
        self.assertEqual((below["x"]["scale"]["type"], below["y"]["scale"]["type"]), ("linear", "log"))
        low, high = below["y"]["scale"]["domain"]
        self.assertTrue(low < below["y"]["axis"]["values"][0] and high > 1, "from none to everything")
        self.assertEqual({axis: chart_of("scaling")["concat"][0]["encoding"][axis]["scale"]["type"] for axis in "xy"}, {"x": "log", "y": "log"})

    def test_every_style_has_a_shape_and_what_has_no_place_is_left_out(self):
        self.assertEqual(set(style.MARKERS), set(vega_lite.SHAPES))
        axes = {"x": {"title": "x", "scale": "linear"}, "y": {"title": "y", "scale": "log"}, "steps": True, "points": False}
        curve = {"name": "a", "style": 0, "x": [1, 2, 3], "y": [0, math.inf, 2.5]}
        chart = vega_lite.specification([{"title": "t", "curves": [curve], "axes": axes}])
        self.assertEqual(chart["concat"][0]["data"]["values"][0]["y"], [None, None, 2.5])
        lines = next(layer for layer in chart["concat"][0]["layer"] if "strokeDash" in layer["encoding"])
        self.assertEqual(lines["mark"]["interpolate"], "step-after")

    def test_an_answer_without_shortfall_is_named_on_a_logarithmic_axis(self):
        for shortfall, other in (("y", "x"), ("x", "y")):
            for scale, names_none in (("log", True), ("linear", False)):
                facts = {shortfall: {"title": "shortfall", "scale": scale}, other: {"title": "other", "scale": "log"}}
                curve = {"name": "a", "style": 0, shortfall: [problems.FLOOR, 0.1], other: [1, 2]}
                panel = {"title": "t", "curves": [curve], "axes": {**facts, "steps": False, "points": True}, "shortfall": shortfall}
                view = vega_lite.specification([panel])["concat"][0]
                self.assertEqual("'none'" in json.dumps(view["encoding"][shortfall]), names_none)
                self.assertNotIn("'none'", json.dumps(view["encoding"][other]))

    def test_recovery_at_several_n_has_its_intervals(self):
        cells = [
            record("a", 2, repeat=i, n=n, dataset=f"{n} samples", metrics={"support_recovery": i % 2})
            for n in (25, 50, 100)
            for i in range(3)
        ]
        row = chart_of("recovery", cells)["concat"][0]["data"]["values"][0]
        self.assertEqual(row["x"], [25, 50, 100])
        self.assertTrue(all(low <= y <= high for low, y, high in zip(row["low"], row["y"], row["high"])))

    def test_points_that_no_line_joins_are_joined_by_none(self):
        axes = Figure().add_subplot()
        looks = {"line": {}, "points": {"linestyle": "None", "marker": "o"}}
        drawn = {name: {"line": axes.plot([1, 2], [1, 2], **look)[0]} for name, look in looks.items()}
        drawn["scattered"] = {"line": axes.scatter([1], [1])}
        facts = {name: vega_lite.axes_facts(axes, [one])["points"] for name, one in drawn.items()}
        self.assertEqual(facts, {"line": False, "points": True, "scattered": True})

    def test_a_curve_of_many_points_has_few_marks(self):
        curve = {"name": "a", "style": 3, "x": list(range(100)), "y": list(range(100))}
        _, (row,) = vega_lite.rows({"curves": [curve]})
        self.assertEqual(sum(row["mark"]), 10)


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


if __name__ == "__main__":
    unittest.main()
