"""Tests of the text in figures: no words overlap or leave the page, labels are drawn unchanged, and the bytes repeat.
Run by ctest, or: /usr/bin/python3 tests/figure_words_test.py"""
# Labels: slow

import io
import itertools
import re
import sys
import tempfile
import unittest
import warnings
import xml.etree.ElementTree as ElementTree

import matplotlib
from matplotlib.text import Text

sys.dont_write_bytecode = True
from plotting_cells import KINDS, boxes_of, crowded, figure_of, plot_run, record, variance  # noqa: E402  (makes plotting/ known)

# isort: split
import small_svg  # noqa: E402
import style  # noqa: E402


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
            figure = style.compose("", [], [(0.4, 0.4)] * 4, lambda i, axes, words=words: axes.set(**words)[:0])
            self.expect_legible(figure, side)
        figure = style.compose("", [], [(1, 1)] * 2, lambda i, axes: axes.set_ylabel("longer than its axis is") and [], [1])
        self.expect_legible(figure, "a panel below another")

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


    def test_times_that_are_nearly_the_same_have_ticks_that_can_be_told_apart(self):
        for kind in ("value-against-time", "solved-against-time"):
            for times in ((2e-5, 2.1e-5), (0.9, 1.1), (3.0, 3.0), (1e-5, 1e4)):
                cells = [
                    variance(solver, 2, 1.0, dataset=name, timing={"solve_seconds": seconds})
                    for solver, seconds in zip("ab", times)
                    for name in "de"
                ]
                figure = figure_of(kind, cells)
                self.expect_legible(figure, f"{kind} {times}")
                low, high = figure.axes[0].get_xlim()
                # Powers of ten differ in their last digit between processors, but the figures do not.
                inside = [low * (1 - 1e-9) <= tick <= high * (1 + 1e-9) for tick in figure.axes[0].get_xticks()]
                self.assertGreater(sum(inside), 1, f"{kind} {times}")

    def test_a_panel_below_another_has_its_edges_and_its_axis(self):
        solvers = [("a", 1.0), ("b", 0.9)]
        cells = [variance(solver, k, k * value, dataset=name) for solver, value in solvers for k in (2, 5) for name in "de"]
        axes = figure_of("value-against-cardinality", cells).axes
        for upper, lower in (axes[:2], axes[2:]):
            above, below = upper.get_position(), lower.get_position()
            self.assertEqual((above.x0, above.x1), (below.x0, below.x1))
            self.assertLess(below.y1, above.y0)
            self.assertEqual(upper.get_xlim(), lower.get_xlim())
        self.assertEqual(axes[0].get_position().y0, axes[2].get_position().y0)
        self.assertEqual([one.get_legend() for one in axes], [None] * 4)
        self.assertEqual(len(axes[0].figure.legends), 1)


    def test_panels_stand_in_columns_below_one_legend(self):
        solvers = [f"solver {i}, with a name of some length" for i in range(7)]
        for panels, columns in ((2, 2), (3, 3), (4, 2), (6, 3), (9, 3)):
            cells = [
                variance(solver, k, k + 0.01 * i, dataset=f"data set {j}, n = 1000", n=100)
                for i, solver in enumerate(solvers)
                for k in (2, 5)
                for j in range(panels)
            ]
            figure = figure_of("value-against-cardinality", cells)
            self.expect_legible(figure, f"{panels} panels")
            self.assertEqual(len({round(axes.get_position().x0, 6) for axes in figure.axes}), columns, panels)
            (legend,) = figure.legends
            self.assertEqual(len(legend.get_texts()), 8)
            words = legend.get_window_extent()
            self.assertFalse(any(words.overlaps(axes.get_window_extent()) for axes in figure.axes))


    def test_curves_are_named_at_their_ends_where_a_legend_would_save_no_row(self):
        curves = [{"name": name, "style": i, "x": [0, 1], "y": [0, i + 1]} for i, name in enumerate("ab")]
        for width, columns in ((2.0, 2), (5.0, 1)):
            figure = style.compose("", [], [(width, 2.0)] * 2, lambda i, axes: style.draw_curves(axes, curves))
            self.assertEqual((figure.legends, figure.axes[0].get_legend()), ([], None))
            self.assertEqual([text.get_text() for text in figure.axes[1].texts], ["a", "b"])
            self.assertEqual(len({axes.get_position().x0 for axes in figure.axes}), columns)
        long = [{**one, "name": f"{one['name']}, with a name of some length"} for one in curves]
        figure = style.compose("", [], [(2.5, 2.0)] * 2, lambda i, axes: style.draw_curves(axes, long))
        self.assertEqual((len(figure.legends), len({axes.get_position().x0 for axes in figure.axes})), (1, 2))


class Labels(unittest.TestCase):
    """Labels are the user's: their text is drawn unchanged."""

    def words_of(self, label):
        """Returns all text in figures of two solvers, one of them with this label, with and without a legend."""
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
                self.assertNotIn("$", text.get_text(), f"{kind}: text that would be drawn unchanged")

    def test_a_name_that_begins_with_an_underscore_stands_in_the_legend(self):
        curves = [variance(name, k, 1.0 + 1e-6 * (name == "_b")) for name in ("a", "_b") for k in (2, 3)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            axes = figure_of("value-against-cardinality", curves).axes[0]
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["upper\u00a0bound", "_b", "a"])

    def test_what_the_font_lacks_is_said_in_one_line_and_the_file_is_well_formed(self):
        # Some of these control characters end a line in Python, and XML allows none of them.
        label, title = "\u4e2d\U0001f98a a\u0001b\u0085\u2028c\ufffe \u03bb\u2081", "T \u6587 \u0002"
        cells = [variance(name, k, 1.0) for name in ("other", label) for k in (2, 3)]
        for form in ("svg", "png", "pdf"):
            with tempfile.TemporaryDirectory() as folder:
                files, output = plot_run(cells, ["value-against-cardinality", "loadings-heatmap"], folder, form, title)
            self.assertEqual(
                output, "figures: not in the font, drawn as a box: 中 (U+4E2D), 🦊 (U+1F98A), 文 (U+6587)\n"
            )
            self.assertEqual(len(files), 2)
            for content in files.values() if form == "svg" else []:
                ElementTree.fromstring(content)

    def test_labels_that_differ_in_a_control_character_alone_are_two_curves(self):
        cells = [record(f"a{end}", 2, metrics={"explained_variance": value}) for end, value in (("\u0001", 1), ("\u0002", 2))]
        self.assertEqual(len(figure_of("value-against-cardinality", cells).axes[0].lines), 2)

    def test_the_common_power_of_an_axis_is_written_out(self):
        for value, words in ((2e7, "×10⁷"), (2e-9, "×10⁻⁹"), (2.0, "")):
            cells = [record("a", k, metrics={"explained_variance": value * k}) for k in (2, 3)]
            figure = figure_of("value-against-cardinality", cells)
            figure.draw_without_rendering()
            self.assertEqual(figure.axes[0].yaxis.get_offset_text().get_text(), words)

    def test_powers_of_ten_are_written_out(self):
        self.assertEqual([style.power_of_ten(value) for value in (1e-12, 1, 1e30)], ["10⁻¹²", "10⁰", "10³⁰"])


class SmallSvg(unittest.TestCase):
    """A small SVG shows the shapes of the full one, each within a tenth of a point of its place."""

    def shapes(self, text):
        """Returns [(tag, lengths, words, properties)] in the order of drawing, with references and classes resolved."""
        root = ElementTree.fromstring(text)
        by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
        rules = dict(re.findall(r"\.(\w+)\{([^}]*)\}", "".join(root.itertext())))
        found = []

        def style_of(element):
            words = element.get("style") or rules.get(element.get("class", ""), "")
            words = re.sub(r"url\(#[^)]*\)", "url", words)  # identifiers differ
            return dict(part.replace(": ", ":").strip().split(":", 1) for part in words.split(";") if part.strip())

        def walk(element, inherited):
            tag = element.tag.split("}")[-1]
            if tag in ("defs", "metadata"):
                return
            own = {**inherited, **style_of(element)}
            if tag == "use":
                target = element.get("href") or element.get("{http://www.w3.org/1999/xlink}href")
                shape = by_id[target[1:]]
                own = {**own, **style_of(shape)}
                lengths = numbers(shape.get("d")) + numbers(f"{element.get('x')} {element.get('y')}")
                found.append((tag, lengths, "", own))
            elif tag in ("path", "text", "rect"):
                lengths = [number for key in ("d", "x", "y", "width", "height") for number in numbers(element.get(key, ""))]
                found.append((tag, lengths, "".join(element.itertext()).strip(), own))
            else:
                for child in element:
                    walk(child, own)

        def numbers(words):
            return [float(one) for one in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", words)]

        walk(root, {})
        return found

    def test_every_shape_stays_at_its_place_in_less_than_half_of_the_bytes(self):
        for kind in ("value-against-cardinality", "phase-diagram", "loadings-heatmap", "gap-to-optimum", "recovery", "topics"):
            with matplotlib.rc_context({"svg.fonttype": "none"}):
                stream = io.StringIO()
                figure_of(kind).savefig(stream, format="svg", metadata={"Date": None})
            whole = stream.getvalue()
            small = small_svg.shrunk(whole)
            before, after = self.shapes(whole), self.shapes(small)
            self.assertEqual(len(before), len(after), kind)
            for (tag, lengths, words, look), (other, places, others, looks) in zip(before, after):
                self.assertEqual((tag, words, look), (other, others, looks), kind)
                self.assertEqual(len(lengths), len(places), kind)
                self.assertTrue(all(abs(a - b) < 0.0501 for a, b in zip(lengths, places)), kind)
            self.assertLess(len(small), 0.5 * len(whole), kind)


class Bytes(unittest.TestCase):
    def draw(self, folder, form, hash_seed):
        kinds = ["recovery", "cumulative-variance", "loadings-heatmap", "gap-to-optimum"]
        return plot_run(crowded("gap-to-optimum"), kinds, folder, form, hash_seed=hash_seed)[0]

    def test_the_same_records_give_the_same_bytes_in_every_format(self):
        with tempfile.TemporaryDirectory() as folder:
            for form in ("svg", "png", "pdf"):
                first, second = self.draw(folder, form, "1"), self.draw(folder, form, "2")
                self.assertEqual(first, second)
                self.assertEqual(len(first), 4)
                for name, content in first.items():
                    self.assertGreater(len(content), 1000, name)
                    self.assertNotIn(b"dc:date", content, name)
                    self.assertNotIn(b"CreationDate", content, name)


if __name__ == "__main__":
    unittest.main()
