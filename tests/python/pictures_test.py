"""Pictures and HTML of answers, paths and comparisons. Run by ctest, or: /usr/bin/python3 tests/python/pictures_test.py"""

import dataclasses
import html.parser
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import package

np = package.need("numpy", "python3-numpy")
pd = package.need("pandas", "python3-pandas")
os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp(prefix="spca_pictures_")
matplotlib = package.need("matplotlib", "python3-matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

spca_bench = package.spca_bench()
from report_runs import spca  # noqa: E402

NAMES = ["a<b>", "$cost$", "very " * 20, "\u00e9t\u00e9", "e", "f", "g", "h"]


def grouped(n=40, p=8, seed=0):
    """Two groups of variables that vary together, in noise."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p))
    x[:, : p // 2] += 3 * rng.standard_normal((n, 1))
    x[:, p // 2 :] += 2 * rng.standard_normal((n, 1))
    return x


def frame():
    return pd.DataFrame(grouped(), columns=NAMES)


def names_in(ax):
    """The boxes of the names beside the arrows, in pixels."""
    ax.figure.canvas.figure.draw_without_rendering()
    texts = [one for one in ax.texts if one.get_text() and "more without" not in one.get_text()]
    return {one.get_text(): matplotlib.text.Text.get_window_extent(one) for one in texts}


class Pictures(unittest.TestCase):
    def setUp(self):
        self.addCleanup(plt.close, "all")
        warnings.simplefilter("error", UserWarning)
        self.addCleanup(warnings.resetwarnings)

    def test_each_draws_on_the_given_axes_and_returns_them(self):
        x = frame()
        answer = spca_bench.solve(x, [4, 3])
        path = spca_bench.path(x, range(1, 5), resamples=4, folds=3)
        comparison = spca_bench.compare_solvers(x, 3, solvers=["threshold", "tpower"])
        for draw in (
            answer.plot,
            lambda ax=None: path.plot(ax, show="value"),
            comparison.plot,
            lambda ax=None: spca_bench.plot_components(x, answer, ax=ax),
            lambda ax=None: spca_bench.plot_scree(x, answer, ax=ax),
        ):
            _, ax = plt.subplots()
            self.assertIs(draw(ax=ax), ax)
            before = plt.get_fignums()
            new = draw()
            self.assertIsInstance(new, matplotlib.axes.Axes)
            self.assertEqual(len(plt.get_fignums()), len(before) + 1)
            for drawn in (ax, new):
                drawn.get_figure().canvas.draw()

    def test_loadings_have_their_names_as_they_stand(self):
        answer = spca_bench.solve(frame(), [4, 2])
        ax = answer.plot()
        ax.get_figure().canvas.draw()
        shown = [label.get_text() for label in ax.get_yticklabels()]
        self.assertEqual(len(shown), 6)
        component = answer.components[0]
        order = np.argsort(-np.abs(component.values))
        self.assertEqual(shown[0].replace("\\$", "$")[:5], component.names[order[0]][:5])
        self.assertTrue({"a<b>", r"\$cost\$"} <= set(shown), shown)
        self.assertEqual(len(answer.plot(components=1, most=1).get_yticks()), 1)
        unnamed = spca_bench.solve(grouped(), 2).plot()
        self.assertTrue(all(one.get_text().startswith("variable ") for one in unnamed.get_yticklabels()))
        for wrong in (2, [0, 5], [], "a", -1):
            with self.assertRaisesRegex(ValueError, "^components: "):
                answer.plot(components=wrong)

    def test_an_estimator_keeps_the_names_of_its_data_frame(self):
        package.need("sklearn", "python3-sklearn")
        ax = spca_bench.SparsePCA(cardinality=3).fit(frame()).answer_.plot()
        ax.get_figure().canvas.draw()
        self.assertFalse(any(one.get_text().startswith("variable ") for one in ax.get_yticklabels()))

    def test_an_answer_without_components_says_why(self):
        answer = spca_bench.solve(np.random.RandomState(0).randn(20, 200), 100, solver="exhaustive")
        for draw in (answer.plot, lambda: spca_bench.plot_scree(np.zeros((20, 200)), answer)):
            with self.assertRaisesRegex(ValueError, "^answer: found 0 components.*skipped"):
                draw()

    def test_a_path_has_a_panel_for_what_was_measured(self):
        path = spca_bench.path(frame(), range(1, 6), solver=["tpower", "threshold"], resamples=4, folds=3)
        panels = path.plot()
        self.assertEqual(len(panels), 4)
        self.assertIn("scores", panels[3].get_ylabel())
        self.assertIn("explained variance", panels[0].get_ylabel())
        self.assertIn("stability", panels[1].get_ylabel())
        self.assertIn("left out", panels[2].get_ylabel())
        alone = spca_bench.path("pitprops", range(1, 5), solver="fullpath")
        self.assertIsInstance(alone.plot(), matplotlib.axes.Axes)
        bound, value = alone.plot().get_lines()[:2]
        np.testing.assert_array_equal(bound.get_ydata(), [one["upper_bound"] for one in alone.bounds])
        np.testing.assert_array_equal(value.get_ydata(), [one["value"] for one in alone.solvers[0]["points"]])
        with self.assertRaisesRegex(ValueError, "^show: 'error' was not measured"):
            alone.plot(show="error")
        with self.assertRaisesRegex(ValueError, "^show: found 'x'; accepted"):
            alone.plot(show="x")
        with self.assertRaisesRegex(ValueError, "^ax: "):
            path.plot(plt.subplots()[1], show=["value", "error"])

    def test_an_estimator_in_place_of_an_answer_is_refused(self):
        with self.assertRaisesRegex(ValueError, "^answer: found 'object'; accepted: an Answer; .*answer_"):
            spca_bench.plot_components(frame(), object())

    def test_ticks_and_scales_of_the_caller_stay(self):
        path = spca_bench.path(frame(), range(1, 6), resamples=4, folds=3)
        _, axes = plt.subplots(2, 1)
        axes[0].set_xticks([1, 3])
        axes[1].set_xscale("log")
        path.plot(axes, show=["value", "error"])
        self.assertEqual(axes[0].get_xticks().tolist(), [1, 3])
        self.assertEqual(axes[1].get_xscale(), "log")
        _, grid = plt.subplots(2, 1, squeeze=False)
        self.assertEqual(len(path.plot(grid)), 2)

    def test_what_chose_a_cardinality_is_drawn(self):
        x = np.random.default_rng(3).standard_normal((60, 8))
        x[:, 1:] += x[:, :1]
        found = spca_bench.suggest(spca_bench.data(x, standardize=True), most=2, permutations=19)
        self.assertEqual(found.paths[0]["rule"], "scores")
        samples = found.plot()[2]
        (twin,) = [ax for ax in samples.get_figure().axes if "repeated scores" in ax.get_ylabel()]
        drawn = [line.get_ydata() for line in twin.get_lines()]
        points = found.paths[0]["solvers"][0]["points"]
        np.testing.assert_array_equal(drawn[0], [point["repeat_correlation"] for point in points])
        chosen = [point["cardinality"] for point in points].index(found.paths[0]["chosen"])
        self.assertEqual(drawn[1].tolist(), [drawn[0][chosen]])

    def test_a_suggestion_takes_three_axes(self):
        found = spca_bench.suggest(frame(), most=3, permutations=19)
        _, given = plt.subplots(1, 3)
        for ax in (given, list(given)):
            self.assertEqual(list(found.plot(ax=ax)), list(given))
        for wrong in (given[0], given[:2]):
            with self.assertRaisesRegex(ValueError, "^ax: .*accepted: axes for 3 panels"):
                found.plot(ax=wrong)

    def test_a_suggestion_of_none_says_so_and_counts_in_whole_numbers(self):
        found = spca_bench.suggest(np.random.RandomState(0).randn(40, 10), most=3, permutations=19)
        self.assertEqual(found.why, "no component stands out from chance")
        full = spca_bench.suggest(frame(), most=3, permutations=19).to_frame()
        self.assertEqual((len(found.to_frame()), list(found.to_frame().columns)), (0, list(full.columns)))
        self.assertEqual((found.components, repr(found)), (0, "<Suggestion: 0 components; n = 40, p = 10>"))
        scree, error, samples = found.plot()
        self.assertEqual(samples.texts[0].get_text(), "no component stands out\nfrom chance")
        for ax in (scree, error):
            self.assertTrue(all(tick == int(tick) for tick in ax.get_xticks()), ax.get_xticks())

    def test_a_suggestion_of_none_above_chance_has_its_own_reason(self):
        rng = np.random.default_rng(4)
        x = np.column_stack([rng.standard_normal((40, 12)) + rng.standard_normal((40, 1)), np.arange(40)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = spca_bench.suggest(x, most=3, permutations=19)
        self.assertEqual(found.components, 0)
        self.assertGreater(found.parallel_analysis["suggested"], 0)
        self.assertRegex(found.why, "^no component lowers the error on entries left out; [0-9] eigenvalue")
        self.assertEqual(" ".join(found.plot()[2].texts[0].get_text().split()), found.why)

    def test_long_names_are_shortened_in_the_middle(self):
        long = [f"a long name of a variable with the number {i}" for i in range(8)]
        ax = spca_bench.solve(frame().set_axis(long, axis=1), 3).plot()
        shown = [label.get_text() for label in ax.get_yticklabels()]
        self.assertEqual(len(set(shown)), 3)
        for name in shown:
            self.assertRegex(name, "^a long name of\u2026 the number [0-9]$")

    def test_names_of_a_biplot_overlap_no_other(self):
        many = pd.DataFrame(grouped(60, 40, 2), columns=[f"variable {i}" for i in range(40)])
        cases = [
            ("wine", spca_bench.solve("wine", [6, 6])),
            ("wine", spca_bench.solve("wine", [7, 7], deflation="projection")),
            ("pitprops", spca_bench.solve("pitprops", [6, 6], deflation="projection")),
            (many, spca_bench.solve(many, [12, 12])),
        ]
        for x, answer in cases:
            boxes = names_in(spca_bench.plot_components(x, answer))
            used = len(np.unique(np.concatenate(answer.supports)))
            self.assertGreaterEqual(len(boxes), min(used, 12))
            for (one, a), (other, b) in itertools.combinations(boxes.items(), 2):
                apart = a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0
                self.assertTrue(apart, f"{one} and {other} overlap")

    def test_a_biplot_is_drawn_by_every_program_and_in_part_of_a_figure(self):
        answer = spca_bench.solve("wine", [5, 5])
        for form in ("svg", "pdf", "agg"):
            plt.switch_backend(form)
            whole = plt.figure(layout="constrained")
            ax = whole.subfigures(1, 2)[1].subplots()
            self.assertIs(spca_bench.plot_components("wine", answer, ax=ax), ax)
            self.assertGreater(len(names_in(ax)), 8)

    def test_scores_are_those_of_the_answer_in_every_form_of_the_data(self):
        scipy = package.need("scipy.sparse", "python3-scipy")
        x = grouped()
        answer = spca_bench.solve(x, [4, 3], deflation="projection")
        scores = (x - x.mean(axis=0)) @ answer.loadings
        for form in (x, frame(), scipy.csr_matrix(x), spca_bench.data(x), x.tolist()):
            ax = spca_bench.plot_components(form, answer, groups=np.arange(len(x)) % 2)
            drawn = np.vstack([one.get_offsets() for one in ax.collections])
            expected = np.vstack([scores[0::2], scores[1::2]])
            np.testing.assert_allclose(drawn, expected, atol=1e-9)
        named = spca_bench.solve(frame(), [4, 3], deflation="projection")
        ax = spca_bench.plot_components(frame()[NAMES[::-1]], named)
        np.testing.assert_allclose(ax.collections[0].get_offsets(), scores, atol=1e-9)
        single = spca_bench.plot_components(x.astype(np.float32), answer)
        np.testing.assert_allclose(single.collections[0].get_offsets(), scores, atol=1e-5)
        with self.assertRaisesRegex(ValueError, "^x: found 5 variables; accepted: the 8"):
            spca_bench.plot_components(x[:, :5], answer)
        with self.assertRaisesRegex(ValueError, "^groups: found 3"):
            spca_bench.plot_components(x, answer, groups=[1, 2, 3])
        alone = spca_bench.plot_components(x, spca_bench.solve(x, 3))
        self.assertEqual(alone.get_xlabel(), "sample")

    def test_missing_values_are_settled_as_in_the_answer_or_refused(self):
        scipy = package.need("scipy.sparse", "python3-scipy")
        holed = frame()
        holed.iloc[2, 1] = np.nan
        filled = holed.fillna(holed.mean())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = spca_bench.solve(holed, [4, 3], missing="mean")
            for x in (holed, holed.to_numpy(), spca_bench.data(holed, missing="mean")):
                ax = spca_bench.plot_components(x, answer, missing="mean")
                scores = (filled - filled.mean()).to_numpy() @ answer.loadings
                np.testing.assert_allclose(ax.collections[0].get_offsets(), scores, atol=1e-9)
            rows = spca_bench.plot_components(holed, answer, missing="drop-rows").collections[0]
            self.assertEqual(len(rows.get_offsets()), 39)
            narrow = spca_bench.solve(holed, [3, 3], missing="drop-columns")
            ax = spca_bench.plot_components(holed, narrow, missing="drop-columns")
            scores = (filled - filled.mean()).drop(columns="$cost$").to_numpy() @ narrow.loadings
            np.testing.assert_allclose(ax.collections[0].get_offsets(), scores, atol=1e-9)
        for x in (holed, holed.to_numpy().tolist(), scipy.csr_matrix(holed.to_numpy())):
            with self.assertRaisesRegex(ValueError, "^x: .*row 3, column 2"):
                spca_bench.plot_components(x, answer)
        with self.assertRaisesRegex(ValueError, "^missing: "):
            spca_bench.plot_components(filled, answer, missing=3)

    def test_a_scree_has_the_eigenvalues_and_what_components_add(self):
        x = grouped()
        answer = spca_bench.solve(x, [4, 3], deflation="projection")
        ax = spca_bench.plot_scree(x, answer, components=5)
        values = np.linalg.eigvalsh(np.cov(x.T))[::-1]
        pca, sparse = ([bar.get_height() for bar in bars] for bars in ax.containers)
        np.testing.assert_allclose(pca, values[:5] / values.sum(), rtol=1e-8)
        self.assertAlmostEqual(sum(sparse), answer.metrics["projected_variance_share"], places=10)
        self.assertFalse(any("$" in one.get_text() for one in ax.get_legend().get_texts()))
        self.assertTrue(np.all(np.cumsum(sparse) <= np.cumsum(pca)[:2] * (1 + 1e-12)))
        self.assertEqual(len(spca_bench.plot_scree("pitprops").containers), 1)

    def test_without_matplotlib_there_is_one_clear_error(self):
        program = (
            "import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.pyplot'] = None\n"
            "import spca_bench\n"
            "answer = spca_bench.solve('pitprops', [3, 2])\n"
            "answer._repr_html_()\n"
            "for draw in (answer.plot, lambda: spca_bench.plot_scree('pitprops'), spca_bench.path('pitprops', [2]).plot,\n"
            "             spca_bench.suggest('wine', most=1, permutations=19).plot):\n"
            "    try:\n        draw()\n    except ImportError as error:\n        print(error)\n"
        )
        environment = {**os.environ, "PYTHONPATH": package.folder()}
        command = [sys.executable, "-B", "-c", program]
        lines = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual(len(set(lines)), 1)
        self.assertRegex(lines[0], "^pictures need matplotlib.*python3-matplotlib")

    def test_the_package_imports_matplotlib_only_to_draw(self):
        program = "import sys, spca_bench; spca_bench.solve('pitprops', 3)._repr_html_(); print('matplotlib' in sys.modules)"
        environment = {**os.environ, "PYTHONPATH": package.folder()}
        command = [sys.executable, "-B", "-c", program]
        self.assertEqual(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout, "False\n")


class Text(html.parser.HTMLParser):
    """The texts of a page, and its tags, each of which must be closed."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.open, self.tags = [], [], set()
        self.feed(page)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


class Pages(unittest.TestCase):
    def test_an_answer_begins_with_its_value_and_is_escaped(self):
        answer = spca_bench.solve(frame(), [4, 2])
        page = answer._repr_html_()
        text = Text(page)
        self.assertRegex(text.texts[0], f"^explained variance {answer.value:.6g}, .* % of the total$")
        self.assertIn(f"{answer.upper_bound:.6g}", text.texts[1])
        self.assertIn("gap", text.texts[1])
        self.assertLessEqual(text.tags, {"div", "b", "table", "thead", "tbody", "tr", "th", "td"})
        self.assertIn("a&lt;b&gt;", page)
        self.assertNotIn("a<b>", page)
        self.assertIn(" ".join(text.texts).count("a<b>"), (1, 2))

    def test_answers_of_several_components_share_the_bound_that_holds_for_them(self):
        comparison = spca_bench.compare_solvers("pitprops", [4, 3, 3], solvers=["branch-price", "tpower"])
        of = {answer.solver: answer for answer in comparison.answers}
        self.assertLess(comparison.gap(of["tpower"]), 1e-6)
        self.assertGreater(of["tpower"].gap, 0.01)
        # Supports that overlap are no answer to the problem of branch-price.
        comparison = spca_bench.compare_solvers("pitprops", [7, 7], solvers=["branch-price", "orthogonal-ascent"])
        disjoint, overlapping = sorted(comparison.answers, key=lambda answer: answer.solver)
        self.assertGreater(overlapping.value, disjoint.upper_bound)
        self.assertEqual(comparison.bound(overlapping), overlapping.upper_bound)

    def test_a_suggestion_has_one(self):
        suggestion = spca_bench.suggest("wine", most=3, permutations=19)
        texts = Text(suggestion._repr_html_()).texts
        self.assertEqual(texts[0], f"suggested: {suggestion.components} components, nonzeros "
                         + ", ".join(map(str, suggestion.cardinality)))
        self.assertIn("Flavanoids", " ".join(texts))
        noise = spca_bench.suggest(np.random.default_rng(1).normal(size=(60, 20)), permutations=19)
        texts = Text(noise._repr_html_()).texts
        self.assertEqual(texts[:2], ["no component is suggested", noise.why])
        self.assertIn("limit of chance", texts)

    def test_paths_certificates_and_comparisons_have_one(self):
        x = frame()
        path = Text(spca_bench.path(x, range(1, 5), resamples=4, folds=3)._repr_html_())
        self.assertIn("a<b>", " ".join(path.texts))
        self.assertIn("suggested for search", " ".join(path.texts))
        certificate = spca_bench.certify(x, spca_bench.solve(x, 3))
        self.assertRegex(Text(certificate._repr_html_()).texts[0], "^explained variance .*: optimal$")
        unbounded = dataclasses.replace(certificate, upper_bound=float("nan"), gap=float("nan"))
        self.assertEqual(Text(unbounded._repr_html_()).texts[1], "no bound was measured")
        comparison = spca_bench.compare_solvers(x, 3)
        texts = Text(comparison._repr_html_()).texts
        self.assertEqual(texts[:5], ["value", "solver", "variables", "upper bound", "gap"])
        self.assertEqual(texts[6], f"{comparison.best.value:.6g}")
        failed = spca_bench.solve(np.random.RandomState(0).randn(20, 200), 100, solver="exhaustive")
        self.assertIn("skipped", Text(failed._repr_html_()).texts[0])


class Frames(unittest.TestCase):
    def test_loadings_by_name(self):
        answer = spca_bench.solve(frame(), [4, 2], deflation="projection")
        loadings = answer.to_frame()
        self.assertEqual(list(loadings.columns), ["PC1", "PC2"])
        used = np.flatnonzero(answer.loadings.any(axis=1))
        self.assertEqual(list(loadings.index), [NAMES[i] for i in used])
        np.testing.assert_array_equal(loadings.to_numpy(), answer.loadings[used])
        unnamed = spca_bench.solve(grouped(), [4, 2]).to_frame()
        self.assertEqual(unnamed.index.tolist(), sorted(unnamed.index))


class Comparisons(unittest.TestCase):
    def test_the_default_solvers_are_those_of_the_command(self):
        for cardinality in ([3], [3, 2]):
            words = ["--dataset", "pitprops", "--cardinality", ",".join(map(str, cardinality)), "--json"]
            command = json.loads(spca("compare-solvers", *words).stdout)
            theirs = set(command["experiment"]["grids"]["comparison"]["solvers"])
            ours = spca_bench.compare_solvers("pitprops", cardinality)
            self.assertEqual({answer.solver for answer in ours.answers}, theirs)

    def test_the_best_is_first_and_gaps_are_to_the_least_bound(self):
        comparison = spca_bench.compare_solvers("pitprops", 3, solvers=["threshold", "pmd", "branch-bound"])
        values = comparison.to_frame().value.to_list()
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertEqual(comparison.gap(comparison.best), 0)
        self.assertAlmostEqual(comparison.upper_bound, comparison.best.value, places=6)
        self.assertTrue(np.isnan(spca_bench.compare_solvers("pitprops", [3, 2], solvers="tpower").upper_bound))
        for name, wrong in (("cardinality", {"cardinality": None}), ("solvers", {"solvers": []}), ("solvers", {"solvers": ["x"]})):
            with self.assertRaisesRegex(ValueError, f"^{name}: "):
                spca_bench.compare_solvers("pitprops", **{"cardinality": 3, **wrong})


class Notes(unittest.TestCase):
    def test_an_answer_that_is_hardly_sparse_says_so(self):
        (note,) = spca_bench.solve("pitprops", 8).notes
        self.assertIn("k = 8 is more than half of the 13 variables", note)
        self.assertIn(note, repr(spca_bench.solve("pitprops", 8)))
        self.assertIn(note, " ".join(Text(spca_bench.solve("pitprops", 8)._repr_html_()).texts))
        self.assertEqual(spca_bench.solve("pitprops", [7, 2]).notes, [])
        self.assertEqual(spca_bench.solve("pitprops", 6).notes, [])
        self.assertEqual(spca_bench.solve("pitprops", components=2, solver="pca").notes, [])

    def test_components_of_one_variable_say_so(self):
        self.assertIn("the one with the largest variance", spca_bench.solve("pitprops", 1).notes[0])
        self.assertIn("larger k", spca_bench.solve("pitprops", [1, 1]).notes[0])
        alone = spca_bench.solve(np.diag([3.0, 2, 1]), [2, 1], solver="tpower", covariance=True)
        self.assertIn("although more were allowed", alone.notes[0])

    def test_two_variables_with_nearly_all_of_the_variance_are_named(self):
        x = grouped()
        x[:, :2] *= 20
        names = {"names": NAMES}
        with self.assertWarnsRegex(UserWarning, r'"a<b>" and ".cost." have 99.\d\d % of the variance; .*one scale'):
            spca_bench.solve(x, 2, **names)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            spca_bench.solve(x / x.std(axis=0), 2, **names)


if __name__ == "__main__":
    package.main()
