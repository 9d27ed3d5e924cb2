"""The page of a report in headless Chromium, read from disk. Run by ctest, or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/report_browser_test.py"""
# Labels: page

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import browser  # noqa: E402
import report_runs  # noqa: E402
from report_runs import spca  # noqa: E402

ENTER, TAB = 13, 9
PHONE, DESKTOP = (390, 844), (1280, 900)
TABLE = "document.getElementById('run1-published')"
COLUMN = "[...%s.tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[%d].textContent.trim())"


@unittest.skipUnless(browser.PROGRAM, "chromium is missing (Debian: chromium)")
class ReportInBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        cls.quickstart = folder / "quickstart.html"
        cls.odd = folder / "odd.html"
        spca("report", report_runs.quickstart(folder), "-o", cls.quickstart)
        spca("report", report_runs.odd_run(folder), folder / "quickstart", "-o", cls.odd)
        cls.chromium = browser.Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.chromium.__exit__()
        cls.folder.cleanup()

    def open(self, page, fragment=""):
        self.chromium.open(page.as_uri() + fragment)

    def column(self, name, table=TABLE):
        heads = self.chromium.value(f"[...{table}.tHead.rows[0].cells].map((head) => head.textContent.trim())")
        return self.chromium.value(COLUMN % (table, heads.index(name))), heads.index(name)

    def numbers(self, name):
        """Without the interval of a share after its number."""
        return [float(text.replace("−", "-").split(" [")[0].rstrip("*")) for text in self.column(name)[0] if text != "none"]

    def sort_state(self, column):
        return self.chromium.value(f"{TABLE}.tHead.rows[0].cells[{column}].getAttribute('aria-sort')")

    def tearDown(self):
        self.assertEqual(self.chromium.complaints(), [], "the console is silent")
        outside = [url for url in self.chromium.requests() if not url.startswith(("file:", "about:"))]
        self.assertEqual(outside, [])
        self.assertLessEqual(len(self.chromium.requests()), 1, "nothing but the page is read")

    def test_a_click_on_a_head_sorts_up_then_down_then_as_it_was(self):
        self.open(self.quickstart)
        before, index = self.column("ours")
        click = f"{TABLE}.tHead.rows[0].cells[{index}].querySelector('button').click()"
        self.chromium.value(click)
        upwards = self.numbers("ours")
        self.assertEqual(upwards, sorted(upwards))
        self.assertNotEqual(upwards[0], upwards[-1])
        self.assertEqual(self.sort_state(index), "ascending")
        self.chromium.value(click)
        self.assertEqual(self.numbers("ours"), sorted(upwards, reverse=True))
        self.assertEqual(self.sort_state(index), "descending")
        self.chromium.value(click)
        self.assertEqual(self.column("ours")[0], before)
        self.assertEqual(self.sort_state(index), "none")

    def test_the_keyboard_sorts(self):
        self.open(self.quickstart)
        _, index = self.column("ours − published")
        self.chromium.value(f"{TABLE}.tHead.rows[0].cells[{index - 1}].querySelector('button').focus()")
        self.chromium.press("Tab", TAB)
        self.chromium.press("Enter", ENTER)
        self.assertEqual(self.sort_state(index), "ascending")
        differences = self.numbers("ours − published")
        self.assertEqual(differences, sorted(differences))

    def test_words_and_choices_filter_and_the_address_brings_them_back(self):
        self.open(self.quickstart)
        tools = f"{TABLE}.parentElement.previousElementSibling"
        everything = len(self.column("verdict")[0])
        self.chromium.value(
            f"(() => {{ const input = {tools}.querySelector('input'); input.value = 'tpower pitprops';"
            " input.dispatchEvent(new Event('input')); })()"
        )
        rows = self.column("solver")[0]
        self.assertEqual(set(rows), {"tpower", "restarted-tpower"})
        self.assertLess(len(rows), everything)
        self.assertIn(f"{len(rows)} of {everything} rows", self.chromium.value(f"{tools}.textContent"))
        self.chromium.value(
            f"(() => {{ const input = {tools}.querySelector('input'); input.value = ''; input.dispatchEvent(new Event('input'));"
            f" const select = {tools}.querySelector('select'); select.value = 'lower'; select.dispatchEvent(new Event('change')); }})()"
        )
        lower = self.column("verdict")[0]
        self.assertGreater(len(lower), 0)
        self.assertTrue(all("lower" in verdict for verdict in lower))
        fragment = self.chromium.value("location.hash")
        self.open(self.quickstart, fragment)
        self.assertEqual(self.column("verdict")[0], lower)

    def test_an_address_with_an_order_opens_the_table_so(self):
        self.open(self.quickstart, "#run1-published?sort=ours,descending")
        ours = self.numbers("ours")
        self.assertEqual(ours, sorted(ours, reverse=True))
        self.open(self.quickstart, "#run1-published?sort=no such column,ascending&filter=%22%3Cb%3E")
        self.assertEqual(self.column("ours")[0], [])

    def test_markup_in_names_is_not_obeyed(self):
        self.open(self.odd)
        self.assertEqual(self.chromium.value("document.scripts.length"), self.odd.read_text(encoding="utf-8").count("</script>"))
        heads = self.chromium.value("[...document.querySelectorAll('th')].map((head) => head.textContent)")
        self.assertTrue(any(report_runs.MARKUP in head for head in heads))

    def test_nothing_is_wider_than_the_window(self):
        for width, height in (PHONE, DESKTOP):
            for page in (self.quickstart, self.odd):
                for dark in (False, True):
                    self.chromium.show(width, height, dark, mobile=width < 500)
                    self.open(page)
                    self.assertLessEqual(self.chromium.value("document.documentElement.scrollWidth"), width)

    def test_dark_and_light_follow_the_reader(self):
        grounds = []
        for dark in (False, True):
            self.chromium.show(*DESKTOP, dark)
            self.open(self.quickstart)
            grounds.append(self.chromium.value("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(grounds, ["rgb(255, 255, 255)", "rgb(21, 23, 27)"])

    def test_without_scripts_every_row_is_there(self):
        self.open(self.quickstart)
        everything = self.chromium.value(f"{TABLE}.tBodies[0].rows.length")
        self.chromium.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open(self.quickstart)
            self.assertEqual(self.chromium.value(f"{TABLE}.innerText.trim().split('\\n').length") - 1, everything)
            self.assertEqual(self.chromium.value("document.querySelectorAll('button, input').length"), 0)
        finally:
            self.chromium.call("Emulation.setScriptExecutionDisabled", value=False)


if __name__ == "__main__":
    report_runs.main()
