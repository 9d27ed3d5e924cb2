"""The pages of a site as text. Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/site_test.py"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
import site_runs  # noqa: E402
from report_runs import SOURCES, spca  # noqa: E402
from site_runs import SitePage, target_of  # noqa: E402

RESOLVED_BY_BROWSER = re.compile(r"url\(\s*['\"]?[^#'\")]|@import")


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.runs = site_runs.make_runs(cls.path)
        cls.site = cls.path / "site"
        cls.written = json.loads(site_runs.write_site(cls.site, *cls.runs, "--json").stdout)
        cls.texts = site_runs.pages(cls.site)
        cls.pages = {path: SitePage(text) for path, text in cls.texts.items()}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def page(self, path):
        return self.pages[path]

    def test_every_kind_of_page_is_there_and_listed(self):
        for path in ("index.html", "proved.html", "changes.html", "experiments/quickstart.html", "solvers/tpower.html", "datasets/pitprops.html"):
            self.assertIn(path, self.texts)
        on_disk = {path.relative_to(self.site).as_posix() for path in self.site.rglob("*") if path.is_file()}
        listed = json.loads((self.site / "site.json").read_text())
        self.assertTrue(listed["is_whole"])
        self.assertEqual(set(listed["files"]), on_disk)
        sizes = {file["path"]: file["bytes"] for file in self.written["files"]}
        self.assertEqual(set(sizes), on_disk - {"site.json"})
        for path, size in sizes.items():
            self.assertEqual((self.site / path).stat().st_size, size, path)
        self.assertEqual(self.written["bytes"], sum(sizes.values()))

    def test_ids_are_unique_and_every_link_leads_somewhere(self):
        ids = {path: page.ids() for path, page in self.pages.items()}
        for path, page in self.pages.items():
            with self.subTest(path):
                self.assertEqual(len(ids[path]), len(set(ids[path])))
                self.assertGreater(len(page.links()), 5)
                for href in page.links():
                    target, fragment = target_of(path, href)
                    self.assertIn(target, self.texts, href)
                    if fragment:
                        self.assertIn(fragment, ids[target], href)

    def test_pages_load_nothing_but_the_style_and_the_script_of_the_site(self):
        for path, page in self.pages.items():
            with self.subTest(path):
                for tag, attributes in page.tags:
                    self.assertNotIn(tag, {"img", "iframe", "object", "embed", "base", "form"})
                    self.assertFalse([key for key in attributes if key.startswith("on")], attributes)
                    for key in ("src", "href"):
                        self.assertNotRegex(attributes.get(key, ""), r"^([a-z]+:|/)")
                    for key in ("src", "href"):
                        if key in attributes and tag in ("script", "link"):
                            self.assertTrue((self.site / pathlib.Path(path).parent / attributes[key]).resolve().is_file())
                self.assertTrue(any(a.get("http-equiv") == "Content-Security-Policy" for _, a in page.tags))
                self.assertFalse(RESOLVED_BY_BROWSER.search(self.texts[path]))

    def test_headings_come_in_order_and_tables_have_heads(self):
        for path, page in self.pages.items():
            with self.subTest(path):
                levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
                self.assertEqual(levels.count(1), 1)
                self.assertEqual(levels[0], 1)
                for before, after in zip(levels, levels[1:]):
                    self.assertLessEqual(after, before + 1)
                self.assertEqual(page.tags[[tag for tag, _ in page.tags].index("a")][1]["href"], "#content")
                self.assertEqual(sum(tag == "main" and a.get("id") == "content" for tag, a in page.tags), 1)
                for tag, attributes in page.tags:
                    if tag == "th":
                        self.assertIn(attributes.get("scope"), ("row", "col", "rowgroup", "colgroup"))

    def test_a_square_stands_for_each_number_and_claim_and_says_what_it_is(self):
        squares = [a for tag, a in self.page("index.html").tags if tag == "a" and "square" in a.get("class", "")]
        copy = self.path / "copy"  # its manifest will name another command
        shutil.copytree(self.runs[0], copy)
        words = ("reproduce", "quickstart", "--profile", "smoke", "-o", copy, "--json")
        judged = json.loads(spca(*words).stdout)["experiments"][0]
        numbers = len(judged["comparisons"]) + len(judged["claims"])
        of_quickstart = [a for a in squares if a["href"].startswith("experiments/quickstart.html")]
        self.assertEqual(len(of_quickstart), numbers)
        verdicts = "reproduced|higher|lower|differs|too noisy to tell|not comparable|no public data|not run|holds|undecided|fails"
        for square in squares:
            self.assertRegex(square["aria-label"], f"({verdicts})$")

    def test_standings_are_those_of_the_records(self):
        records = [json.loads(line) for line in (self.runs[0] / "cells.jsonl").read_text().splitlines()]
        one = [r for r in records if r["dataset_name"] == "pitprops" and r["components"] == 1 and not r["unconstrained"]]
        best = {}
        for r in one:
            value = r["metrics"].get("explained_variance")
            if value is not None:
                k = r["cardinality"][0]
                best[k] = max(best.get(k, 0), value)
        page = self.page("datasets/pitprops.html")
        rows = [word for word in page.words["tr"] if word]
        for k, value in best.items():
            self.assertTrue(any(row.startswith(str(k)) and f"{value:.6g}"[:6] in row for row in rows), (k, value))
        self.assertIn("k5", page.ids())

    def test_failures_are_named_on_the_solvers_page(self):
        page = self.page("solvers/misbehave-crash.html")
        self.assertTrue(any("1 of 1" in text for text in page.words["li"]))
        self.assertIn("failed", page.words["th"])

    def test_markup_in_names_is_shown_and_not_obeyed(self):
        self.assertIn(report_runs.MARKUP, " ".join(self.page("experiments/odd.html").words["h1"]))
        self.assertTrue(any(report_runs.MARKUP in text for text in self.page("index.html").words["td"]))
        for path, page in self.pages.items():
            for tag, attributes in page.tags:
                if tag == "script":
                    self.assertTrue("src" in attributes or attributes["type"] == "application/json", path)

    def test_questions_are_answered_in_two_clicks(self):
        index = self.page("index.html")
        asked = dict(re.findall(r'<li><a href="([^"]*)">([^<]*)</a>', self.texts["index.html"]))
        words = {text: href for href, text in asked.items()}
        # The two that lead to data sets have one address.
        for question in ("Did Table 1 come out?", "What is proved?", "What got worse since last month?"):
            self.assertIn(question, words)
        self.assertIn("datasets/pitprops.html#k5", index.links())
        self.assertIn("datasets/pitprops.html#times", index.links())
        self.assertIn("branch-bound", self.texts["proved.html"])

    def test_the_same_runs_give_the_same_bytes(self):
        again = self.path / "again"
        site_runs.write_site(again, *self.runs)
        for path in self.site.rglob("*"):
            if path.is_file():
                self.assertEqual(path.read_bytes(), (again / path.relative_to(self.site)).read_bytes(), path)

    def test_a_run_beside_its_baseline_shows_what_changed(self):
        baselines = self.path / "baselines"
        baselines.mkdir()
        file = baselines / "quickstart.json"
        spca("baseline", self.runs[0], "--no-times", "-o", file)
        site = self.path / "changes"
        site_runs.write_site(site, self.runs[0], "--baselines", baselines)
        page = SitePage((site / "changes.html").read_text())
        self.assertTrue(any("Nothing, in 1 run" in text for text in page.words["p"]))
        text = file.read_text()
        value = next(v for v in re.findall(r'"explained_variance": ?\[?([0-9.]+)', text))
        file.write_text(text.replace(value, str(2 * float(value)), 1))
        site_runs.write_site(site, self.runs[0], "--baselines", baselines)
        page = SitePage((site / "changes.html").read_text())
        self.assertTrue(any("worse" in text for text in page.words["th"]))
        self.assertTrue(any("explained_variance" in text for text in page.words["td"]))

    def test_a_file_that_is_no_history_is_one_line(self):
        file = self.path / "history.json"
        file.write_text("{}")
        for words in (["--history", file], ["--history", self.path / "missing.sqlite"], ["--since", "yesterday"]):
            finished = spca("site", self.runs[0], "-o", self.path / "no_site", *words, code=2)
            self.assertEqual(len(finished.stderr.splitlines()), 1, finished.stderr)
            self.assertIn(str(words[1]) if words[0] == "--history" else "--since", finished.stderr)


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.failing = report_runs.failing_run(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def expect_usage_error(self, words, fragments, **environment):
        finished = spca("site", *words, code=2, **environment)
        self.assertEqual(finished.stdout, "")
        messages = [line for line in finished.stderr.splitlines() if not line.endswith(" s")]  # without the progress
        self.assertEqual(len(messages), 1, finished.stderr)
        for fragment in fragments:
            self.assertIn(fragment, finished.stderr)

    def test_foreign_folders_are_refused_and_left_alone(self):
        foreign = self.path / "foreign"
        foreign.mkdir()
        (foreign / "thesis.tex").write_text("mine")
        self.expect_usage_error([self.failing, "-o", foreign], ["-o", "thesis.tex", "no site"])
        self.assertEqual([path.name for path in foreign.iterdir()], ["thesis.tex"])
        self.expect_usage_error([self.failing, "-o", foreign / "thesis.tex"], ["accepted: a folder"])

    def test_a_site_is_replaced_and_foreign_files_in_it_stay(self):
        site = self.path / "site"
        site_runs.write_site(site, self.failing)
        (site / "CNAME").write_text("mine")
        listed = json.loads((site / "site.json").read_text())
        (site / "solvers/gone.html").write_text("of an older site")
        (site / "site.json").write_text(json.dumps({**listed, "files": [*listed["files"], "solvers/gone.html", "../outside", "/etc/hostname"]}))
        (self.path / "outside").write_text("mine")
        site_runs.write_site(site, self.failing)
        self.assertEqual((site / "CNAME").read_text(), "mine")
        self.assertEqual((self.path / "outside").read_text(), "mine")
        self.assertFalse((site / "solvers/gone.html").exists())
        self.assertEqual(json.loads((site / "site.json").read_text()), listed)

    def test_a_foreign_file_in_the_way_stops_it_before_anything_is_written(self):
        site = self.path / "in_the_way"
        site_runs.write_site(site, self.failing)
        listed = json.loads((site / "site.json").read_text())
        listed["files"].remove("proved.html")
        (site / "site.json").write_text(json.dumps(listed))
        before = (site / "index.html").read_bytes()
        self.expect_usage_error([self.failing, "-o", site], ["proved.html", "in the way"])
        self.assertEqual((site / "index.html").read_bytes(), before)

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "/dev/full is missing")
    def test_a_full_disk_leaves_no_index_and_the_next_command_finishes(self):
        site = self.path / "full"
        site_runs.write_site(site, self.failing)
        page = site / "proved.html"
        page.unlink()
        page.symlink_to("/dev/full")
        self.expect_usage_error([self.failing, "-o", site], ["proved.html", "No space left"])
        self.assertFalse((site / "index.html").exists())
        self.assertFalse(json.loads((site / "site.json").read_text())["is_whole"])
        page.unlink()
        site_runs.write_site(site, self.failing)
        self.assertTrue((site / "index.html").exists())

    def test_all_takes_the_newest_run_of_every_experiment(self):
        work = self.path / "work"
        for profile, name in (("full", "failing"), ("smoke", "failing")):
            shutil.copytree(self.failing, work / "results/runs" / name / profile)
        os.utime(work / "results/runs/failing/smoke/cells.jsonl", (1, 1))
        (work / "results/runs/empty/full").mkdir(parents=True)
        (work / "results/runs/empty/full/cells.jsonl").touch()
        finished = subprocess.run([report_runs.PROGRAM, "site", "--all", "-o", "site", "--json"], capture_output=True, text=True, check=True, cwd=work)
        self.assertEqual([e["run"] for e in json.loads(finished.stdout)["experiments"]], ["results/runs/failing/full"])
        self.assertIn("results/runs/empty/full: left out", finished.stderr)

    def test_the_first_page_says_which_solver_to_trust(self):
        leaderboard = self.path / "leaderboard.md"
        words = ["benchmark", "threshold", "exhaustive", "--class", "one-component", "-o", self.path / "benchmark", "-j", 2]
        spca(*words, "--leaderboard", leaderboard, SPCA_CACHE_DIR="")
        site = self.path / "with answers"
        site_runs.write_site(site, self.failing, "--leaderboard", leaderboard)
        index = SitePage((site / "index.html").read_text())
        self.assertIn("#trust", index.links())
        (sentence,) = [words for words in index.words["li"] if words.startswith("one-component")]
        self.assertRegex(sentence, r"one-component \(.*\): exhaustive reached \d+ of \d+ proved optima")
        self.assertIn("Solvers on ", "".join(index.words["p"]))
        damaged = self.path / "no leaderboard"
        damaged.write_text("# nothing")
        never = self.path / "never"
        for wrong in (damaged, self.path / "missing.md"):
            self.expect_usage_error([self.failing, "-o", never, "--leaderboard", wrong], [str(wrong), "leaderboard"])

    def test_what_cannot_be_shown_is_one_line(self):
        site = self.path / "never"
        self.expect_usage_error(["no/such/run", "-o", site], ["no/such/run", "accepted: a run folder"])
        self.expect_usage_error(["-o", site], ["RUN", "--all"])
        self.expect_usage_error([self.failing, "--all", "-o", site], ["RUN", "--all"])
        damaged = self.path / "damaged"
        shutil.copytree(self.failing, damaged)
        text = (damaged / "cells.jsonl").read_text()
        (damaged / "cells.jsonl").write_text(text.replace("converged", "convergee", 1))
        self.expect_usage_error([damaged, "-o", site], [str(damaged / "cells.jsonl")])
        self.assertFalse(site.exists())


class Words(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(SOURCES / "plotting"))
        import site_pages

        cls.pages = site_pages

    def test_names_become_files_that_lie_in_the_site_and_differ(self):
        name = self.pages.file_name
        self.assertEqual(name("spannogram/gene"), "spannogram/gene")
        odd = ["..", ".", "../x", "a//b", "a b", "a_b", "a?b", "-o", "", "CON:", "é"]
        made = [name(text) for text in odd]
        self.assertEqual(len(set(made)), len(odd))
        for text in made:
            for part in text.split("/"):
                self.assertRegex(part, r"^[A-Za-z0-9][A-Za-z0-9._-]*$")

    def test_a_share_below_one_never_reads_as_all(self):
        self.assertEqual(self.pages.percent(1), "100 %")
        self.assertEqual(self.pages.percent(1 - 1e-7), "100 %")
        self.assertEqual(self.pages.percent(0.99987), "99.987 %")
        self.assertEqual(self.pages.percent(0.999996), "99.99960 %")
        self.assertEqual(self.pages.percent(0.5), "50.0 %")
        for exponent in range(1, 7):
            self.assertNotIn("100", self.pages.percent(1 - 1.5 * 10**-exponent))

    def test_cardinalities_that_people_ask_for_are_chosen_first(self):
        texts = [str(k) for k in range(1, 501)]
        chosen = self.pages.chosen(texts)
        self.assertLessEqual(len(chosen), self.pages.MOST_CHIPS)
        self.assertIn("20", chosen)
        self.assertEqual(chosen, sorted(chosen, key=int))
        self.assertEqual(self.pages.chosen(texts[:5]), texts[:5])


if __name__ == "__main__":
    if importlib.util.find_spec("jinja2") is None:
        print("skipped: jinja2 is missing (Debian: python3-jinja2)")
        sys.exit(report_runs.SKIPPED)
    report_runs.main()
