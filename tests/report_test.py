"""The page of a report as text. Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/report_test.py"""
# Labels: page

import base64
import hashlib
import html.parser
import importlib.util
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import MISBEHAVING, ODD_LABELS, SOURCES, spca  # noqa: E402

sys.path.insert(0, str(SOURCES / "plotting"))
import inline_svg  # noqa: E402

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
READABLE = 4.5  # contrast of text that WCAG 2.1 AA asks for


class Page(html.parser.HTMLParser):
    """Parses a page for the tests. Raises if a tag is not closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.tags = []
        self.words = {}  # tag -> texts
        self.feed(text)
        self.close()
        if self.open:
            raise AssertionError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
            self.words.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            raise AssertionError(f"</{tag}> closes {self.open[-3:]}, line {self.getpos()[0]}")
        self.open.pop()

    def handle_data(self, data):
        for tag in self.open:
            self.words[tag][-1] += data

    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        cls.path = folder
        cls.quickstart = report_runs.quickstart(folder)
        cls.odd = report_runs.odd_run(folder)
        cls.failing = report_runs.failing_run(folder)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def report(self, *runs, program=report_runs.PROGRAM, **environment):
        output = self.path / "report.html"
        finished = spca("report", *runs, "-o", output, program=program, **environment)
        self.assertEqual(finished.stdout, f"{output}\n")
        return output.read_text(encoding="utf-8")

    def every_page(self):
        yield "one run", self.report(self.quickstart)
        yield "markup in every text", self.report(self.odd)
        yield "failures", self.report(self.failing, program=MISBEHAVING)
        yield "several runs", self.report(self.quickstart, self.odd)

    def test_pages_are_balanced_and_refer_to_nothing_but_themselves(self):
        for name, text in self.every_page():
            with self.subTest(name):
                page = Page(text)
                ids = page.ids()
                self.assertEqual(len(ids), len(set(ids)))
                for tag, attributes in page.tags:
                    self.assertNotIn(tag, {"link", "img", "iframe", "object", "embed", "base"})
                    self.assertNotIn("src", attributes)
                    self.assertFalse([key for key in attributes if key.startswith("on")], attributes)
                    for key in ("href", "xlink:href", "aria-labelledby"):
                        if key in attributes:
                            self.assertIn(attributes[key].removeprefix("#"), ids)
                without_scripts = re.sub(r"(<script[^>]*>).*?</script>", r"\1</script>", text, flags=re.DOTALL)
                self.assertFalse(re.search(r"url\(\s*['\"]?[^#'\")]|@import", without_scripts))

    def test_no_script_but_its_own_may_run_and_nothing_may_be_loaded(self):
        for run in (self.odd, self.quickstart):
            page = Page(self.report(run))
            kinds = [attributes.get("type", "") for tag, attributes in page.tags if tag == "script"]
            self.assertLessEqual(set(kinds), {"", "application/json"})
            scripts = [text for text, kind in zip(page.words["script"], kinds) if kind == ""]
            digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
            policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
            self.assertIn("default-src 'none'", policy)
            self.assertIn("script-src " + " ".join(f"'sha256-{digest}'" for digest in digests) + ";", policy)
            self.assertNotIn("unsafe-eval", policy)

    def test_markup_in_names_is_shown_and_not_obeyed(self):
        text = self.report(self.odd)
        page = Page(text)
        self.assertIn(report_runs.MARKUP, page.words["h1"][0])
        heads = page.words["th"]
        for label in ODD_LABELS:
            self.assertTrue(any(label in head for head in heads), label)
        self.assertIn("upper bound", heads)

    def test_verdicts_are_those_of_reproduce_and_stand_before_everything_else(self):
        words = ("reproduce", "quickstart", "--profile", "smoke", "-o", self.quickstart, "--json")
        verdicts = json.loads(spca(*words).stdout)["verdicts"]
        text = self.report(self.quickstart)
        page = Page(text)
        names = ("reproduced", "higher", "lower", "differs", "too noisy to tell", "not comparable", "no public data", "not run")
        expected = [str(verdicts[count][name]) for count in ("other", "certified") for name in names]
        start = [attributes.get("aria-label") for tag, attributes in page.tags if tag == "table"].index("Verdicts on numbers")
        counts = re.findall(r"<td[^>]*>(\d+)</td>", re.findall(r"<table.*?</table>", text, re.DOTALL)[start])
        self.assertEqual(counts, expected)
        self.assertGreater(verdicts["certified"]["lower"], 0)
        self.assertEqual(sum(verdicts["own"].values()), 0, "nothing of quickstart is of a paper's own method")
        self.assertEqual(page.words["h3"][0], "Verdicts")

    def test_the_table_of_the_paper_stands_before_the_figure(self):
        text = self.report(report_runs.printed_run(self.path))
        page = Page(text)
        self.assertEqual(page.words["h3"][:2], ["Table 1: one component", "Verdicts"])
        self.assertLess(text.index("Table 1: one component</h3>"), text.index("<figure"))
        heads, first, second = re.findall(r"<tr>.*?</tr>", text[text.index('<table class="paper"') :], re.DOTALL)[:3]
        self.assertIn("best known, proved gap", heads)
        self.assertRegex(first, r'class="reproduced" href="#run1-number1" title="reproduced">3\.41 = 3\.406<')
        self.assertIn("3.406, optimal", first)
        self.assertRegex(second, r'class="lower wrong"[^>]*>9\.9 v 2\.\d\d')
        self.assertLessEqual({"run1-number1", "run1-number2", "run1-paper1"}, set(page.ids()))

    def test_several_runs_begin_with_a_square_for_each_number_and_claim(self):
        page = Page(self.report(self.quickstart, self.odd))
        links = [attributes for tag, attributes in page.tags if "square" in attributes.get("class", "") and tag == "a"]
        ids = page.ids()
        self.assertEqual([link["href"][1:] for link in links if link["href"][1:] not in ids], [])
        for run in (self.quickstart, self.odd):
            name = json.loads((run / "experiment.json").read_text())["name"]
            self.assertTrue(any(name.split("/")[0] == text for text in page.words["h3"]), name)
        self.assertTrue(any(" fails" in link["title"] for link in links), "the claim of the second run")
        numbers = [link for link in links if "-number" in link["href"]]
        self.assertEqual(len(numbers), len([i for i in ids if "-number" in i]))
        alone = Page(self.report(self.odd))
        self.assertFalse(any("square" in attributes.get("class", "") for tag, attributes in alone.tags if tag == "a"))

    def test_what_is_on_the_wrong_side_has_its_explanation_beside_it(self):
        page = Page(self.report(self.odd))
        self.assertTrue(any(report_runs.MARKUP in text and "1 lower" in text for text in page.words["p"]))

    def test_claims_and_every_verdict_stand_on_the_page(self):
        page = Page(self.report(self.odd))
        self.assertIn("Claims", page.words["h4"])
        sentence = next(text for text in page.words["p"] if "printed numbers that our other solvers are held to" in text)
        self.assertTrue(sentence.startswith("1 of 4 "), sentence)
        self.assertTrue(sentence.endswith("; the claim of ours fails."), sentence)

    def test_failures_stand_with_message_and_count(self):
        page = Page(self.report(self.failing, program=MISBEHAVING))
        records = [json.loads(line) for line in (self.failing / "cells.jsonl").read_text().splitlines()]
        failed = [record for record in records if record["status"] != "converged"]
        self.assertEqual(len(failed), 2)
        cells = page.words["td"]
        for record in failed:
            self.assertIn(record["message"], cells)

    def test_texts_of_old_records_are_shown_as_escapes(self):
        old = self.path / "old"
        shutil.copytree(self.failing, old)
        cells = old / "cells.jsonl"
        records = [json.loads(line) for line in cells.read_text(encoding="utf-8").splitlines()]
        for record in records:  # as an older version wrote them: no check, and any text
            del record["check"]
            record["message"] = "\x1b[31m<b>\x07\x9b\u202e" + 1000000 * "x"
            record["solver"] += "\x1b]0;t\x07\x85"
        cells.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        output = self.path / "old.html"
        spca("report", old, "-o", output, "--force", program=MISBEHAVING)
        text = output.read_text(encoding="utf-8")
        page = Page(text)
        self.assertFalse(re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text))
        self.assertTrue(any("\\u001b[31m<b>\\u0007\\u009b\\u202e" in cell for cell in page.words["td"]))
        self.assertTrue(any("\\u001b]0;t\\u0007\\u0085" in cell for cell in page.words["td"]))
        self.assertLess(max(map(len, page.words["td"])), 2500)

    def test_a_figure_that_no_page_can_hold_is_named_and_the_others_are_shown(self):
        plotting = self.path / "plotting"
        shutil.copytree(SOURCES / "plotting", plotting)
        (plotting / "plot.py").write_text(
            "import json, pathlib, sys\n"
            "request, drawn = json.load(sys.stdin), []\n"
            "for figure in request['figures']:\n"
            "    path = pathlib.Path(request['directory']) / (figure['name'] + '.svg')\n"
            "    path.write_text('<svg>\\1</svg>' if figure['name'] == 'recovery' else '<svg><path/></svg>')\n"
            "    drawn.append({**figure, 'notes': [], 'path': str(path), 'why_not': ''})\n"
            "json.dump(drawn, sys.stdout)\n"
        )
        text = self.report(self.quickstart, SPCA_PLOTTING=plotting)
        page = Page(text)
        declared = json.loads((self.quickstart / "experiment.json").read_text(encoding="utf-8"))["figures"]
        self.assertEqual(sum(tag == "figure" for tag, _ in page.tags), len(declared) - 1)
        named = [item for item in page.words["li"] if "not drawn: recovery.svg: not well-formed" in item]
        self.assertEqual(len(named), 1)
        self.assertEqual(text, self.report(self.quickstart, SPCA_PLOTTING=plotting))

    def test_one_run_beside_itself_agrees_in_every_cell(self):
        text = self.report(self.quickstart, self.quickstart)
        common, agreeing = re.search(r"(\d+) numbers in common, (\d+) of them equal", text).groups()
        self.assertEqual(common, agreeing)
        self.assertGreater(int(common), 0)

    def test_the_same_run_gives_the_same_bytes(self):
        self.assertEqual(self.report(self.quickstart, self.odd), self.report(self.quickstart, self.odd))

    def test_text_can_be_read_on_its_ground(self):
        style = (SOURCES / "plotting/report/report.css").read_text(encoding="utf-8")
        schemes = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
        light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", scheme)) for scheme in schemes[:2])
        for scheme in (light, dark):
            for ground in ("ground", "raised"):
                for ink in ("ink", "quiet", "link", "match", "better", "worse", "unknown"):
                    self.assertGreaterEqual(contrast(scheme[ink], scheme[ground]), READABLE, f"{ink} on {ground}")
            self.assertGreaterEqual(contrast(scheme["ink"], scheme["best"]), READABLE)
            for verdict in ("match", "better", "worse", "unknown"):
                self.assertGreaterEqual(contrast(scheme[verdict], scheme[f"{verdict}-ground"]), READABLE, verdict)

    def expect_usage_error(self, words, fragments, **environment):
        finished = spca("report", *words, code=2, **environment)
        self.assertEqual(finished.stdout, "")
        self.assertEqual(finished.stderr.count("\n"), 1, finished.stderr)
        for fragment in fragments:
            self.assertIn(fragment, finished.stderr)

    def test_what_cannot_be_reported_is_one_line(self):
        empty = self.path / "empty"
        empty.mkdir()
        for name in ("manifest.json", "experiment.json", "identities.jsonl"):
            (empty / name).write_bytes((self.quickstart / name).read_bytes())
        (empty / "cells.jsonl").touch()
        output = self.path / "not_written.html"
        self.expect_usage_error(["no/such/run", "-o", output], ["no/such/run", "accepted: a run folder"])
        self.expect_usage_error([empty, "-o", output], [str(empty / "cells.jsonl"), "not as its run left it"])
        self.expect_usage_error([self.quickstart, "-o", self.path], ["-o", str(self.path), "accepted: a file"])
        absent = self.path / "absent" / "report.html"
        self.expect_usage_error([self.quickstart, "-o", absent], ["-o", str(absent)])
        self.expect_usage_error([self.quickstart, "-o", output], ["SPCA_PYTHON"], SPCA_PYTHON="/no/such/python")
        no_jinja = self.path / "python"
        no_jinja.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        no_jinja.chmod(0o755)
        self.expect_usage_error([self.quickstart, "-o", output], ["jinja2", "python3-jinja2"], SPCA_PYTHON=no_jinja)
        self.expect_usage_error([self.quickstart, "-o", output], ["SPCA_PLOTTING"], SPCA_PLOTTING="/no/such/folder")
        self.assertFalse(output.exists())


class InlineSvg(unittest.TestCase):
    def inline(self, body, prefix="f1"):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "figure.svg"
            path.write_text(
                '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90pt">' + body + "</svg>",
                encoding="utf-8",
            )
            return inline_svg.inline(path, prefix, 'a "label"')

    def test_ids_and_their_uses_are_told_apart_by_figure(self):
        body = '<defs><path id="m" d="M0 0"/><clipPath id="c"><rect/></clipPath></defs><use xlink:href="#m" clip-path="url(#c)"/>'
        text = self.inline(body)
        self.assertIn('<path id="f1-m" d="M0 0">', text)
        self.assertIn('<use href="#f1-m" clip-path="url(#f1-c)">', text)
        self.assertFalse(set(re.findall(r'id="([^"]*)"', text)) & set(re.findall(r'id="([^"]*)"', self.inline(body, "f2"))))

    def test_nothing_runs_and_nothing_is_loaded(self):
        text = self.inline(
            '<script>alert(1)</script><style>* {fill: red}</style><foreignObject><b/></foreignObject><image href="http://a/b.png"/>'
            '<a href="http://a"><path/></a><use href="http://a#b"/><g onclick="alert(1)" style="fill: url(http://a/b)">&lt;i&gt;</g>'
            '<g style="fill: u\\72l(http://a)"/>'
        )
        Page(text)
        for word in ("script", "style>", "foreignObject", "image", "http:", "onclick", "alert", "<i>"):
            self.assertNotIn(word, text)

    def test_what_is_no_svg_is_named(self):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "figure.svg"
            for content in ("<html/>", "not markup"):
                path.write_text(content, encoding="utf-8")
                with self.assertRaisesRegex(inline_svg.NotDrawable, "figure.svg: .*accepted: an SVG file"):
                    inline_svg.inline(path, "f", "")


if __name__ == "__main__":
    if importlib.util.find_spec("jinja2") is None:
        print("skipped: jinja2 is missing (Debian: python3-jinja2)")
        sys.exit(report_runs.SKIPPED)
    report_runs.main()
