"""The page of a report as readers use it, in headless Chromium: on a desktop and on a phone, light and dark, by mouse
and by keys. axe-core checks the rules of accessibility. Run by ctest (label page), or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/page_test.py"""
# Labels: page slow

import base64
import csv
import json
import pathlib
import re
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
import browser  # noqa: E402
import report_runs  # noqa: E402
from report_runs import SOURCES, spca  # noqa: E402

MODULES = SOURCES / "build" / "interactive"
AXE = MODULES / "node_modules" / "axe-core" / "axe.min.js"
VEGA = MODULES / "vega.js"
SIZES = {"desk": (1300, 900), "phone": (400, 800)}
PAPER = (718, 1047)  # A4 without its margins
MOST_PRINTED = 10  # pages
MOST_BYTES = 1_500_000  # of the bundle, which every page contains
ENTER = 13
CONTROL = 2
SECONDS = 60  # until a figure is drawn

# Scrolls to each figure, because a figure is drawn only when it comes into view, and returns their number.
DRAW_ALL = """(async () => {
  const figures = [...document.querySelectorAll('figure.charted')];
  for (const figure of figures) {
    figure.scrollIntoView();
    while (!figure.querySelector('.chart[data-drawn]')) await new Promise((done) => setTimeout(done, 20));
  }
  scrollTo(0, 0);
  return figures.length;
})()"""
# The labels and positions of the ticks of the first panel's axis 0 (horizontal) or 1 (vertical).
TICKS = """[...(document.querySelector('.view').querySelectorAll('.role-axis-label')[%d]?.children || [])].map(
  (one) => one.textContent + one.getAttribute('transform')).sort().join(' ')"""
RULES = """axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map(
  (one) => one.id + ': ' + one.help + ' ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + ' | ' + node.failureSummary).join(' ; ')))"""


def lacking():
    if not browser.PROGRAM:
        return "chromium is missing (Debian: chromium)"
    if not AXE.is_file() or not VEGA.is_file():
        return "axe-core and the bundle of Vega-Lite are missing (scripts/interactive)"
    return ""


@unittest.skipIf(lacking(), lacking())
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = cls.path = pathlib.Path(cls.folder.name)
        run, odd = report_runs.quickstart(folder), report_runs.odd_run(folder)
        cls.pages = {"one": folder / "one.html", "several": folder / "several.html"}
        spca("report", run, "-o", cls.pages["one"], SPCA_VEGA=VEGA)
        spca("report", run, odd, "-o", cls.pages["several"], SPCA_VEGA=VEGA)
        cls.run_folder = run
        cls.chromium = browser.Browser().__enter__()
        cls.chromium.download_to(folder)

    @classmethod
    def tearDownClass(cls):
        cls.chromium.__exit__()
        cls.folder.cleanup()

    def setUp(self):
        self.show("desk")

    def tearDown(self):
        self.assertEqual(self.chromium.complaints(), [], "the console is silent")
        outside = [url for url in self.chromium.requests() if not url.startswith(("file:", "about:", "blob:"))]
        self.assertEqual(outside, [])

    def show(self, size, dark=False, media=""):
        self.chromium.show(*SIZES[size], dark, media, mobile=size == "phone")

    def open(self, page="one", fragment=""):
        self.chromium.open(self.pages[page].as_uri() + fragment)

    def value(self, expression):
        return self.chromium.value(expression)

    def open_drawn(self, page="one"):
        self.open(page)
        self.assertGreater(self.value(DRAW_ALL), 0)

    def wait_for(self, expression):
        deadline = time.monotonic() + SECONDS
        while not self.value(expression):
            self.assertLess(time.monotonic(), deadline, expression)
            time.sleep(0.02)

    def file(self, name):
        path = self.path / name
        deadline = time.monotonic() + SECONDS
        while not path.exists():
            self.assertLess(time.monotonic(), deadline, name)
            time.sleep(0.02)
        return path.read_text(encoding="utf-8")

    def test_no_rule_of_accessibility_is_broken_and_nothing_is_wider_than_the_window(self):
        cases = [("one", size, dark) for size in SIZES for dark in (False, True)]
        for page, size, dark in [*cases, ("several", "desk", False), ("several", "phone", True)]:
            with self.subTest(page=page, size=size, dark=dark):
                self.show(size, dark)
                self.open_drawn(page)
                self.value("document.querySelector('.verdicts a').click()")
                self.value("document.querySelectorAll('.numbers').forEach((one) => { one.open = true; })")
                self.assertLessEqual(self.value("document.documentElement.scrollWidth"), SIZES[size][0])
                self.value(AXE.read_text(encoding="utf-8") + "; 0")
                self.assertEqual("\n".join(self.value(RULES)), "")

    def test_the_first_screen_has_title_claim_result_and_the_first_figure(self):
        self.open()
        order = self.value("[...document.querySelectorAll('h1, .claim, .sentence, figure, .verdicts')].map((one) => one.className || one.tagName)")
        self.assertEqual(order[:5], ["H1", "sentence", "claim", "charted", "verdicts"])
        self.assertLess(self.value("document.querySelector('figure').getBoundingClientRect().top"), SIZES["desk"][1] / 2)

    def lines(self, figure=0):
        """Returns the number of curves that are drawn in a figure."""
        paths = "[...document.querySelectorAll('figure.charted')][%d].querySelectorAll('.view .mark-line path')" % figure
        return self.value(f"[...{paths}].filter((path) => path.getAttribute('d')).length")

    def lines_of_the_first_legend_entry(self):
        """Returns their number: one in each panel in which that solver has values."""
        return self.value(
            "JSON.parse(document.querySelector('script.chart-data').textContent).concat.filter((panel) => "
            "panel.data.values.some((row) => row.curve === document.querySelector('.legend > button[aria-pressed]').textContent)).length")

    def test_a_click_in_the_legend_hides_a_curve_and_shows_it_again(self):
        self.open_drawn()
        curves = self.lines()
        self.assertGreater(curves, 2)
        entry = "document.querySelector('.legend > button[aria-pressed]')"
        self.value(f"{entry}.click()")
        self.assertEqual(self.value(f"{entry}.getAttribute('aria-pressed')"), "false")
        left = curves - self.lines_of_the_first_legend_entry()
        self.wait_for(f"document.querySelectorAll('figure')[0].querySelectorAll('.view .mark-line path[d]').length === {left}")
        name = self.value(f"{entry}.textContent")
        self.value("document.querySelector('.numbers').open = true")
        self.wait_for("document.querySelector('.numbers td') !== null")
        self.assertNotIn(name, self.value("[...document.querySelectorAll('.numbers td.word')].map((cell) => cell.textContent)"))
        self.value(f"{entry}.focus()")
        self.chromium.press("Enter", ENTER)
        self.assertEqual(self.value(f"{entry}.getAttribute('aria-pressed')"), "true")
        self.wait_for(f"document.querySelectorAll('figure')[0].querySelectorAll('.view .mark-line path[d]').length === {curves}")

    def test_all_curves_can_be_hidden_and_come_back(self):
        self.open_drawn()
        curves = self.lines()
        for words, left in (("Hide all", 0), ("Show all", curves)):
            self.value(f"[...document.querySelectorAll('.legend button')].find((one) => one.textContent === '{words}').click()")
            self.wait_for(f"document.querySelectorAll('figure')[0].querySelectorAll('.view .mark-line path[d]').length === {left}")

    def test_a_cell_of_the_matrix_leads_to_the_row_of_its_number_with_its_words(self):
        self.open()
        for how in ("click", "key"):
            select = "document.querySelector('#run1-published').parentElement.previousElementSibling.querySelector('select')"
            self.value(f"{select}.value = 'reproduced'")
            self.value(f"{select}.dispatchEvent(new Event('change'))")
            cell = "document.querySelector('.verdicts a.wrong')"
            row = self.value(f"{cell}.hash")
            self.assertTrue(self.value(f"document.querySelector('{row}').hidden"), "the filter hides it")
            if how == "click":
                self.value(f"{cell}.click()")
            else:
                self.value(f"{cell}.focus()")
                self.chromium.press("Enter", ENTER)
            self.wait_for(f"document.activeElement === document.querySelector('{row}')")
            self.assertEqual(self.value("location.hash"), row)
            self.assertFalse(self.value(f"document.querySelector('{row}').hidden"))
            self.assertIn("lower", self.value(f"document.querySelector('{row}').textContent"))
            words = self.value(f"document.querySelector('{row}').nextElementSibling.textContent")
            self.assertRegex(words, r"lower: published [\d.]+, ours [\d.]+, difference −")
            box = self.value(f"(({{ top, bottom }}) => [top, bottom])(document.querySelector('{row}').getBoundingClientRect())")
            self.assertTrue(0 <= box[0] <= box[1] <= SIZES["desk"][1], box)
            self.value("document.querySelector('tr.said button').click()")
            self.assertTrue(self.value(f"document.activeElement === {cell}"))

    def test_every_cell_of_a_matrix_has_the_sign_and_the_number_of_its_row(self):
        self.open()
        cells = self.value("[...document.querySelectorAll('.matrices a')].map((a) => [a.textContent.trim(), document.querySelector(a.hash).textContent])")
        rows = self.value("document.querySelectorAll('#run1-published tbody tr').length")
        self.assertEqual(len(cells), rows, "each number is in one cell")
        for words, row in cells:
            sign, verdict = re.fullmatch(r"(\S)\s*[−\d.e*^, ]*\s+([a-z ]+)", words).groups()
            self.assertTrue(row.strip().startswith(f"{sign} {verdict}"), (words, row))

    def test_an_address_of_a_number_opens_with_its_words(self):
        self.open(fragment="#run1-number3")
        self.assertTrue(self.value("document.querySelector('#run1-number3 + tr.said') !== null"))

    def ticks(self, axis):
        return self.value(TICKS % axis)

    def wait_for_ticks(self, axis, same, words):
        self.wait_for(f"({TICKS % axis} === {json.dumps(words)}) === {'true' if same else 'false'}")

    def press_tool(self, words):
        self.value(f"[...document.querySelectorAll('.chart .tools button')].find((one) => one.textContent === '{words}').click()")

    def test_axes_become_logarithmic_and_come_back(self):
        self.open_drawn()
        for axis in (0, 1):
            before = self.ticks(axis)
            for same in (False, True):
                self.value(f"document.querySelectorAll('.chart .tools input')[{axis}].click()")
                self.wait_for_ticks(axis, same, before)

    def test_the_shortfall_is_logarithmic_whatever_the_values_are(self):
        self.open_drawn()
        words = "[...document.querySelectorAll('.chart .view')[1].querySelectorAll('.role-axis-label text')].map((one) => one.textContent)"
        before = self.value(words)
        self.assertLessEqual({"none", "0.01 %", "100 %"}, set(before))
        axis = self.ticks(1)
        self.value("document.querySelectorAll('.chart .tools input')[1].click()")
        self.wait_for_ticks(1, False, axis)
        self.assertEqual(self.value(words), before)

    def test_buttons_zoom_and_show_the_whole_range_again(self):
        self.open_drawn()
        before = self.ticks(1)
        self.press_tool("Zoom in")
        self.wait_for_ticks(1, False, before)
        self.press_tool("Whole range")
        self.wait_for_ticks(1, True, before)

    def test_the_wheel_scrolls_the_page_and_zooms_with_control_alone(self):
        self.open_drawn()
        x, y = self.value("(({ left, top, width, height }) => [left + width / 2, top + height / 2])(document.querySelector('.view').getBoundingClientRect())")
        before = self.ticks(1)
        self.chromium.turn_wheel(x, y, 120)
        self.wait_for("scrollY > 0")
        self.assertEqual(self.ticks(1), before)
        self.value("scrollTo(0, 0)")
        self.chromium.turn_wheel(x, y, -400, CONTROL)
        self.wait_for_ticks(1, False, before)

    def test_the_pointer_names_curve_cardinality_value_and_bound(self):
        self.open_drawn()
        x, y = self.value(
            "(({ left, top, width, height }) => [left + width * 0.6, top + height * 0.3])"
            "(document.querySelector('.view').getBoundingClientRect())"
        )
        self.chromium.move(x, y)
        self.chromium.move(x + 2, y + 2)
        self.wait_for("!document.querySelector('.hint').hidden")
        words = self.value("[...document.querySelectorAll('.hint b')].map((one) => one.textContent)")
        self.assertEqual(words, ["solver", "cardinality k (nonzero loadings)", "explained variance", "upper bound"])

    def test_what_is_shown_can_be_taken_away(self):
        self.open_drawn()
        hidden = self.value("document.querySelector('.legend > button').textContent")
        self.value("document.querySelector('.legend > button').click()")
        names = self.value("[...document.querySelectorAll('.chart')][0].querySelectorAll('.legend > button').length")
        for kind in ("SVG", "CSV"):
            self.press_tool(kind)
        rows = list(csv.reader(self.file("quickstart-value-against-cardinality.csv").splitlines()))
        self.assertEqual(rows[0][:5], ["panel", "curve", "cardinality k (nonzero loadings)", "explained variance", "shortfall"])
        self.assertNotIn(hidden, {row[1] for row in rows})
        self.assertEqual(len({row[1] for row in rows[1:]}), names - 1)
        for panel, _, _, value, shortfall, *_ in rows[1:]:
            self.assertEqual((value == "", shortfall == ""), (panel.endswith("shortfall"), not panel.endswith("shortfall")))
        drawing = ElementTree.fromstring(self.file("quickstart-value-against-cardinality.svg"))
        texts = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("cardinality k (nonzero loadings)", texts)
        self.assertNotIn(hidden, texts)

    def test_numbers_of_a_figure_are_those_of_its_curves(self):
        self.open_drawn()
        self.value("document.querySelector('.numbers').open = true")
        self.wait_for("document.querySelector('.numbers td') !== null")
        shown = self.value(
            "[...document.querySelectorAll('.numbers')[0].querySelectorAll('tbody tr')]"
            ".map((row) => [...row.cells].map((cell) => cell.textContent))"
        )
        chart = self.value("JSON.parse(document.querySelector('script.chart-data').textContent).concat")
        values, below = ([[row["curve"], f"{x:.6g}", y] for row in panel["data"]["values"] for x, y in zip(row["x"], row["y"])] for panel in chart[:2])
        expected = [[*row[:2], f"{row[2]:.6g}", ""] for row in values] + [[*row[:2], "", "0" if row[2] < 1e-6 else f"{row[2]:.6g}"] for row in below]
        self.assertEqual([row[1:5] for row in shown], expected)

    def test_paper_and_browsers_without_scripts_have_the_drawing(self):
        seen = "[document.querySelector('.drawing'), document.querySelector('.chart')].map((one) => Boolean(one && one.getClientRects().length))"
        self.open_drawn()
        self.assertEqual(self.value(seen), [False, True])
        self.show("desk", media="print")
        self.assertEqual(self.value(seen), [True, False])
        self.show("desk")
        self.chromium.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open()
            self.assertEqual(self.value(seen), [True, False])
        finally:
            self.chromium.call("Emulation.setScriptExecutionDisabled", value=False)

    def test_a_print_has_at_most_ten_pages_and_nothing_is_cut(self):
        self.chromium.show(*PAPER, False, "print")
        self.open()
        self.assertLessEqual(self.value("document.documentElement.scrollWidth"), PAPER[0])
        wide = "[...document.querySelectorAll('main *')].filter((one) => one.getClientRects().length && one.getBoundingClientRect().right > %d).length"
        self.assertEqual(self.value(wide % PAPER[0]), 0)
        pdf = base64.b64decode(self.chromium.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
        pages = len(re.findall(rb"/Type /Page\b", pdf))
        self.assertTrue(1 <= pages <= MOST_PRINTED, pages)

    def test_without_the_bundle_figures_stand_still_and_one_line_says_so(self):
        page = self.path / "still.html"
        message = spca("report", self.run_folder, "-o", page, SPCA_VEGA=self.path / "no-such-file").stderr
        self.assertEqual(message.count("\n"), 1, message)
        self.assertIn("scripts/interactive", message)
        self.assertIn("SPCA_VEGA: no file", message)
        self.assertEqual(spca("report", self.run_folder, "-o", page, SPCA_VEGA="none").stderr, "")
        self.pages["still"] = page
        try:
            self.open("still")
        finally:
            del self.pages["still"]
        self.assertEqual(self.value("document.querySelectorAll('.chart').length"), 0)
        self.assertGreater(self.value("document.querySelectorAll('.drawing svg').length"), 0)

    def test_the_bundle_is_small_and_names_its_licences(self):
        bundle = VEGA.read_bytes()
        self.assertLess(len(bundle), MOST_BYTES)
        head = bundle[: bundle.index(b"*/")].decode()
        for name in ("vega ", "vega-lite ", "d3-scale ", "Permission", "University of Washington"):
            self.assertIn(name, head)
        self.assertIn(head, self.pages["one"].read_text(encoding="utf-8"))

    def test_the_same_run_gives_the_same_bytes(self):
        again = self.path / "again.html"
        spca("report", self.run_folder, "-o", again, SPCA_VEGA=VEGA)
        self.assertEqual(again.read_bytes(), self.pages["one"].read_bytes())


if __name__ == "__main__":
    report_runs.main()
