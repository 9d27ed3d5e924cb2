"""The pages of a site in headless Chromium, read from disk. Run by ctest, or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/site_browser_test.py"""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import browser  # noqa: E402
import report_runs  # noqa: E402
import site_runs  # noqa: E402

PHONE, DESKTOP = (390, 844), (1280, 900)
AXE = report_runs.SOURCES / "build" / "interactive" / "node_modules" / "axe-core" / "axe.min.js"
RULES = """axe.run(document, {resultTypes: ['violations'], preload: false}).then((found) => found.violations.map(
  (one) => one.id + ': ' + one.help + ' ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + ' | ' + node.failureSummary).join(' ; ')))"""


@unittest.skipUnless(browser.PROGRAM, "chromium is missing (Debian: chromium)")
class SiteInBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.folder.name) / "site"
        site_runs.write_site(cls.site, *site_runs.make_runs(pathlib.Path(cls.folder.name)))
        cls.chromium = browser.Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.chromium.__exit__()
        cls.folder.cleanup()

    def open(self, page, fragment=""):
        self.chromium.open((self.site / page).as_uri() + fragment)

    def tearDown(self):
        self.assertEqual(self.chromium.complaints(), [], "the console is silent")
        root = self.site.as_uri()
        outside = [url for url in self.chromium.requests() if not url.startswith((root, "about:"))]
        self.assertEqual(outside, [])

    def test_no_page_is_wider_than_the_window(self):
        for width, height in (PHONE, DESKTOP):
            for dark in (False, True):
                self.chromium.show(width, height, dark, mobile=width < 500)
                for page in site_runs.KINDS:
                    with self.subTest(page=page, width=width, dark=dark):
                        self.open(page)
                        self.assertLessEqual(self.chromium.value("document.documentElement.scrollWidth"), width)

    @unittest.skipUnless(AXE.is_file(), "axe-core is missing (scripts/interactive)")
    def test_no_rule_of_accessibility_is_broken(self):
        for (width, height), dark in ((DESKTOP, False), (PHONE, True)):
            self.chromium.show(width, height, dark, mobile=width < 500)
            for page in site_runs.KINDS:
                with self.subTest(page=page, width=width, dark=dark):
                    self.open(page)
                    self.chromium.value("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
                    self.chromium.value(AXE.read_text(encoding="utf-8") + "; 0")
                    self.assertEqual("\n".join(self.chromium.value(RULES)), "")

    def test_the_style_and_the_script_are_read_from_disk(self):
        self.chromium.show(*DESKTOP, False)
        self.open("solvers/tpower.html")
        self.assertEqual(self.chromium.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertGreater(self.chromium.value("document.querySelectorAll('thead button').length"), 0)
        self.chromium.show(*DESKTOP, True)
        self.open("solvers/tpower.html")
        self.assertEqual(self.chromium.value("getComputedStyle(document.body).backgroundColor"), "rgb(21, 23, 27)")

    def test_words_filter_the_solvers(self):
        self.open("index.html")
        shown = "[...document.getElementById('solver-list').tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[0].textContent)"
        everything = self.chromium.value(shown)
        self.chromium.value(
            "(() => { const input = document.getElementById('solver-list').parentElement.previousElementSibling.querySelector('input');"
            " input.value = 'tpower'; input.dispatchEvent(new Event('input')); })()"
        )
        some = self.chromium.value(shown)
        self.assertEqual(some, [name for name in everything if "tpower" in name])
        self.assertTrue(some)

    def test_two_clicks_lead_to_who_is_best(self):
        self.open("index.html")
        self.chromium.value("document.querySelector('#questions + ul a[href=\"#datasets\"]').click()")
        self.assertEqual(self.chromium.value("location.hash"), "#datasets")
        self.assertEqual(
            self.chromium.value("document.querySelector('a[href=\"datasets/pitprops.html#k5\"]').textContent"), "5"
        )
        self.open("datasets/pitprops.html", "#k5")
        top = self.chromium.value("document.getElementById('k5').getBoundingClientRect().top")
        self.assertTrue(0 <= top < DESKTOP[1], top)
        self.assertIn("branch-bound", self.chromium.value("document.getElementById('k5').textContent"))

    def test_the_skip_link_comes_first(self):
        self.open("proved.html")
        self.chromium.press("Tab", 9)
        self.assertEqual(self.chromium.value("document.activeElement.getAttribute('href')"), "#content")
        self.assertGreaterEqual(self.chromium.value("document.activeElement.getBoundingClientRect().left"), 0)


if __name__ == "__main__":
    report_runs.main()
