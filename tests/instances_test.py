"""Tests the library of instances from the command line and from Python: `spca instances`, and comparisons of answers.
Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/instances_test.py"""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from ending import main  # noqa: E402
from report_runs import PROGRAM  # noqa: E402

EXPERIMENT = {
    "name": "instances/one-component",
    "title": "Pit props",
    "source": "a test",
    "time_limit": 20,
    "grids": {
        "one": {
            "datasets": ["pitprops"],
            "solvers": ["threshold", "branch-bound"],
            "cardinality": [3, 5],
            "metrics": ["projected_variance", "upper_bound"],
        }
    },
    "profiles": {"smoke": {}, "full": {}},
    "seed": 1,
}


def lower_the_second(document):
    """Gives the second instance a worse best answer, and a bound below its optimum."""
    document["instances"][1]["best"] |= {"value": 2.0, "supports": [[3, 4]]}
    document["instances"][1]["bound"]["value"] = 3.0


class Instances(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_instances_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.library = self.folder / "library"
        self.library.mkdir()

    def spca(self, *words, code=0, **variables):
        """Runs the program in the folder of the test, with its library. Returns the finished process."""
        environment = {**os.environ, "SPCA_INSTANCES": str(self.library), "SPCA_CACHE_DIR": "", **variables}
        finished = subprocess.run(
            [PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, cwd=self.folder, env=environment
        )
        self.assertEqual(finished.returncode, code, f"{words}\n{finished.stdout}{finished.stderr}")
        return finished

    def json(self, *words, code=0):
        return json.loads(self.spca(*words, "--json", code=code).stdout)

    def refused(self, *words, says):
        """Expects exit code 2, and one line on standard error with all words of `says`."""
        error = self.spca(*words, code=2).stderr
        self.assertEqual(error.count("\n"), 1, error)
        for word in says:
            self.assertIn(word, error)

    def made_library(self):
        """Makes the library of a run of two instances. Returns what the program says of it."""
        (self.folder / "one.json").write_text(json.dumps(EXPERIMENT))
        self.spca("run", "one.json", "-o", "run", "-q")
        return self.json("instances", "update", "run", "-q")

    def change(self, change):
        file = self.library / "one-component.json"
        document = json.loads(file.read_text())
        change(document)
        file.write_text(json.dumps(document))

    def test_a_run_fills_the_library_with_proved_optima(self):
        made = self.made_library()["instances"]
        self.assertEqual([one["id"] for one in made], ["pitprops-k3", "pitprops-k5"])
        self.assertTrue(all(one["new"] and one["proved"] for one in made), made)
        self.assertAlmostEqual(made[1]["value"], 3.40615, 5)
        listed = self.spca("instances", "list").stdout
        self.assertIn("one-component: 2 instances, 2 proved, 0 open", listed)
        shown = self.json("instances", "show", "pitprops-k5")
        self.assertEqual(shown["bound"]["by"], "branch-bound")
        self.assertEqual(shown["bound"]["certificate"], "checked")
        self.assertRegex(shown["bound"]["machine"], r"^.+, \d+ cores, \d+ GiB$")
        self.assertGreaterEqual(shown["bound"]["value"], shown["best"]["value"])
        self.assertIn("topdiam", self.spca("instances", "show", "pitprops-k5").stdout)
        self.assertIn("2 ok", self.spca("instances", "check", "--prove", "-q").stdout)
        # The same run offers nothing new, and the file keeps its bytes.
        before = (self.library / "one-component.json").read_bytes()
        again = self.json("instances", "update", "run", "-q")["instances"]
        self.assertFalse(any(one["better_value"] or one["better_bound"] for one in again), again)
        self.assertEqual((self.library / "one-component.json").read_bytes(), before)

    def test_a_value_or_a_bound_is_never_trusted(self):
        self.made_library()

        def lie(document):
            document["instances"][1]["best"]["value"] = 3.9
            document["instances"][0]["bound"]["value"] = 2.4

        self.change(lie)
        checked = self.json("instances", "check", code=3)["instances"]
        self.assertEqual([one["outcome"] for one in checked], ["wrong", "wrong"])
        self.assertIn("3.406", checked[1]["message"])
        self.assertIn("branch-bound", checked[0]["message"])
        # An update changes nothing if the library's numbers contradict each other.
        updated = self.json("instances", "update", "run", "-q", code=3)["instances"]
        self.assertTrue(all(one["contradiction"] and not one["better_value"] for one in updated), updated)

    def test_a_status_is_never_trusted(self):
        self.made_library()

        def lie(document):
            document["instances"][0]["bound"]["value"] *= 1.01

        self.change(lie)
        (checked, _) = self.json("instances", "check", code=3)["instances"]
        self.assertEqual((checked["outcome"], checked["message"]), ("wrong", "the library calls it proved, and by its value and bound it is open"))

    def test_a_gap_is_never_trusted(self):
        self.made_library()

        def lie(document):
            document["instances"][0]["gap"] = 0.02

        self.change(lie)
        (checked, _) = self.json("instances", "check", code=3)["instances"]
        self.assertEqual(checked["outcome"], "wrong")
        self.assertRegex(checked["message"], r"^the library states the gap 0\.02, and by its value and bound it is [0-9.]+e-12$")

    def test_an_update_refuses_what_contradicts_a_bound(self):
        self.made_library()
        self.change(lower_the_second)
        updated = self.json("instances", "update", "run", "-q", code=3)["instances"]
        self.assertTrue(updated[1]["contradiction"], updated)
        self.assertEqual(json.loads((self.library / "one-component.json").read_text())["instances"][1]["best"]["value"], 2.0)

    def test_solvers_say_how_they_compare(self):
        self.made_library()
        solve = ["solve", "--dataset", "pitprops", "--cardinality", "3"]
        self.assertIn("best known 2.47533 (proved): reached (pitprops-k3)", self.spca(*solve, "--solver", "tpower").stdout)
        self.assertIn("best known 2.47533 (proved): 5.9 % below", self.spca(*solve, "--solver", "threshold").stdout)
        worse = self.json(*solve, "--solver", "threshold")["instance"]
        self.assertEqual((worse["id"], worse["standing"], worse["proved"]), ("pitprops-k3", "worse", True))
        self.assertNotIn("instance", self.json("solve", "--dataset", "pitprops", "--cardinality", "4"))
        compared = self.spca("compare-solvers", "--dataset", "pitprops", "--cardinality", "3", "--solvers", "threshold,tpower", "-q")
        self.assertIn("best known 2.47533 (proved): reached by tpower (pitprops-k3)", compared.stdout)

    def test_data_with_the_same_trace_and_values_but_other_entries_are_not_recognised(self):
        self.made_library()
        self.spca("instances", "show", "pitprops-k3", "--matrix", "S.npy")
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual((self.folder / "S.npy").stat().st_mode & 0o777, 0o666 & ~mask)
        library = json.loads((self.library / "one-component.json").read_text())
        used = {i for one in library["instances"] for i in one["best"]["supports"][0]}
        unused = [i for i in range(13) if i not in used]
        matrix = list(struct.unpack("<169d", (self.folder / "S.npy").read_bytes()[-8 * 169 :]))
        i, j = unused[:2]
        for at in (13 * i + j, 13 * j + i):  # in no best support
            matrix[at] += 0.01
        text = "\n".join(",".join(map(repr, matrix[13 * row : 13 * row + 13])) for row in range(13))
        (self.folder / "changed.csv").write_text(text)
        solved = self.json("solve", "--data", "changed.csv", "--kind", "covariance", "--cardinality", "3", "--solver", "tpower")
        self.assertNotIn("instance", solved)
        self.refused(
            "instances", "show", "pitprops-k3", "--matrix", "a.npy", "--answer-matrix", "a.npy", says=["--answer-matrix: found a.npy"]
        )

    def test_a_wrong_fingerprint_is_refused(self):
        self.made_library()

        def wrong(document):
            document["data"]["pitprops"]["fingerprint"] *= 1.001

        self.change(wrong)
        self.assertIn("with the fingerprint 3.298", self.spca("instances", "check", code=3).stdout)

    def test_a_checksum_of_built_in_data_is_refused(self):
        self.made_library()

        def wrong(document):
            document["data"]["pitprops"]["checksum"] = "0" * 64

        self.change(wrong)
        self.assertIn("another checksum than the data, which are built in", self.spca("instances", "check", code=3).stdout)

    def test_a_proof_contradicts_a_bound_that_its_answer_exceeds(self):
        self.made_library()

        def lower(document):
            document["instances"][1]["best"] |= {"value": 2.8593351038826422, "supports": [[0, 1, 6, 8]]}
            document["instances"][1]["bound"]["value"] = 2.86
            document["instances"][1]["status"] = "open"

        self.change(lower)
        said = self.spca("instances", "check", "--prove", "-q", code=3).stdout
        self.assertIn("pitprops-k5: wrong", said)
        self.assertIn("one of the two is wrong", said)

    def test_a_best_value_beyond_its_bound_is_called_wrong(self):
        self.made_library()

        def raise_value(document):
            document["instances"][1]["best"]["value"] = 3.5

        self.change(raise_value)
        self.assertIn("wrong: the best value lies beyond the bound", self.spca("instances", "show", "pitprops-k5").stdout)
        solved = self.spca("solve", "--dataset", "pitprops", "--cardinality", "5").stdout
        self.assertIn("best known 3.5 (wrong: beyond its bound)", solved)

    def test_a_pipe_in_place_of_a_library_file_is_refused(self):
        os.mkfifo(self.library / "one-component.json")
        self.refused("instances", "list", says=["one-component.json: is no regular file"])

    def test_data_of_another_name_are_recognised_by_their_numbers(self):
        self.made_library()
        self.spca("instances", "show", "pitprops-k3", "--matrix", "S.npy")
        shape = ["--cardinality", "3", "--solver", "tpower"]
        own = ["--data", "S.npy", "--kind", "covariance"]
        for data in (["--dataset", "pitprops", "--standardize"], own):
            solved = self.spca("solve", *data, *shape).stdout
            self.assertIn("best known 2.47533 (proved): reached (pitprops-k3, recognised by its numbers)", solved)
            self.assertIs(self.json("solve", *data, *shape)["instance"]["recognised"], True)
        compared = self.spca("compare-solvers", *own, "--cardinality", "3", "--solvers", "threshold,tpower", "-q").stdout
        self.assertIn("proved): reached by tpower (pitprops-k3, recognised by its numbers)", compared)
        self.assertIs(self.json("solve", "--dataset", "pitprops", *shape)["instance"]["recognised"], False)
        # In another order the variables have the same trace, and other values at the best supports.
        matrix = struct.unpack("<169d", (self.folder / "S.npy").read_bytes()[-8 * 169 :])
        order = [*range(2, 13), 0, 1]
        lines = [",".join(repr(matrix[13 * i + j]) for j in order) for i in order]
        (self.folder / "other.csv").write_text("\n".join(lines))
        self.assertNotIn("instance", self.json("solve", "--data", "other.csv", *own[2:], *shape))
        # A bound of the library holds for the same numbers.
        self.change(lambda document: document["instances"][0]["bound"].update(value=2.4))
        refused = self.spca("solve", *own, *shape, code=3)
        self.assertIn("pitprops-k3", refused.stderr)
        self.assertIn("pitprops-k3", self.spca("path", *own, "--cardinality", "3:4", "--solver", "tpower", code=3).stderr)
        compared = self.spca("compare-solvers", *own, "--cardinality", "3", "--solvers", "tpower,fullpath", "-q", code=3)
        self.assertIn("pitprops-k3", compared.stdout + compared.stderr)

    def test_an_answer_above_a_bound_is_caught_everywhere(self):
        self.made_library()

        def lower(document):
            document["instances"][1]["best"] |= {"value": 2.9}
            document["instances"][1]["bound"]["value"] = 3.0

        self.change(lower)
        both = ["3.406", "the bound of instance pitprops-k5, by branch-bound", "one of the two is wrong"]
        solved = self.spca("solve", "--dataset", "pitprops", "--cardinality", "5", code=3)
        run = self.spca("run", "one.json", "-o", "again", code=3)
        self.spca("reproduce", "one.json", "-o", "reproduced", code=3)
        # Cells that were finished before the library had the bound are judged again.
        kept = self.spca("run", "one.json", "-o", "run", code=3)
        self.assertIn("2 invalid", kept.stderr)
        self.assertIn("2 only measured", kept.stderr)
        answers = [json.loads(line) for line in (self.folder / "again/cells.jsonl").read_text().splitlines()]
        invalid = [one for one in answers if one["status"] == "invalid"]
        self.assertTrue(invalid and all(one["cardinality"] == [5] for one in invalid), answers)
        (self.folder / "mine.json").write_text('{"id": "pitprops-k5", "support": [0, 1, 6, 8, 9]}')
        verified = self.spca("instances", "verify", "mine.json", code=3)
        path = self.spca("path", "--dataset", "pitprops", "--cardinality", "4:5", "--solver", "tpower", code=3)
        for text in (solved.stderr, run.stderr, kept.stderr, invalid[0]["message"], verified.stdout, path.stderr):
            for word in both:
                self.assertIn(word, text)
        self.spca("compare-solvers", "--dataset", "pitprops", "--cardinality", "5", "--solvers", "tpower", code=3)

    def test_verify_judges_the_answers_of_others(self):
        self.made_library()
        (self.folder / "mine.csv").write_text(
            "id,component,variable\npitprops-k5,1,topdiam\npitprops-k5,1,length\npitprops-k5,1,6\npitprops-k5,1,8\n"
            "pitprops-k5,1,9\npitprops-k3,1,0\npitprops-k3,1,1\n"
        )
        lines = self.spca("instances", "verify", "mine.csv").stdout.splitlines()
        self.assertIn("pitprops-k5: feasible, 3.40615", lines[0])
        self.assertIn("reaches the optimum", lines[0])
        self.assertIn("from the optimum; ", lines[1])
        (self.folder / "many.json").write_text('[{"id": "pitprops-k3", "support": [0, 1, 2, 3]}]')
        many = self.json("instances", "verify", "many.json", code=3)["answers"][0]
        self.assertEqual((many["verdict"], many["feasible"]), ("infeasible", False))
        self.assertIn("4 nonzeros", many["message"])

        # A file of answers improves a best known answer, and the library stores it with the name of its source.
        def worse(document):
            document["instances"][1]["best"] |= {"value": 2.0, "supports": [[3, 4]]}

        self.change(worse)
        (self.folder / "mine.json").write_text('{"id": "pitprops-k5", "support": [0, 1, 6, 8, 9], "found_by": "A. Author, 2026"}')
        self.assertIn("improves the best known by 1.4", self.spca("instances", "verify", "mine.json").stdout)
        self.spca("instances", "update", "mine.json")
        self.assertEqual(self.json("instances", "show", "pitprops-k5")["best"]["found_by"]["solver"], "A. Author, 2026")

    def test_an_answer_has_the_form_in_which_its_author_has_it(self):
        self.made_library()
        dense = [0.0] * 13
        for variable in (0, 1, 6, 8, 9):
            dense[variable] = 0.4
        for loadings in (dense, [dense]):
            self.assertIn("reaches the optimum", self.verdict({"id": "pitprops-k5", "loadings": loadings}))
        (self.folder / "plain.CSV").write_text("id,variable\n" + "".join(f"pitprops-k5,{variable}\n" for variable in (0, 1, 6, 8, 9)))
        self.assertIn("reaches the optimum", self.spca("instances", "verify", "plain.CSV").stdout)
        for loadings, says in [
            (dense[:-1], ["a.json:1:", "/loadings: found 12 loadings; accepted: 13, one for each variable"]),
            ([dense[:-1]], ["/loadings/0: found 12 loadings"]),
            ([0, 0], ["/loadings", "not all of them 0"]),
            ([[]], ["/loadings/0", "at least one element"]),
            ([0.5, "x"], ["/loadings/1", "a number"]),
            ([dense, 0.5], ["/loadings/1: found 0.5", "indices and values, or a list of the loadings of all variables"]),
        ]:
            (self.folder / "a.json").write_text(json.dumps({"id": "pitprops-k5", "loadings": loadings}))
            self.refused("instances", "verify", "a.json", says=says)
        (self.folder / "a.csv").write_text("id,loading\npitprops-k5,1\n")
        self.refused("instances", "verify", "a.csv", says=["a.csv:1: found no column variable"])

    def verdict(self, answer, code=0):
        """Returns the line that judges one answer of JSON."""
        (self.folder / "one-answer.json").write_text(json.dumps(answer))
        return self.spca("instances", "verify", "one-answer.json", code=code).stdout

    def test_a_claimed_value_is_held_against_the_support(self):
        self.made_library()
        answer = {"id": "pitprops-k5", "support": [0, 1, 2, 3, 4]}
        value = self.json("instances", "verify", self.written(answer))["answers"][0]["value"]
        for claim in (value, round(value, 3), round(value, 6)):
            self.assertIn("feasible", self.verdict({**answer, "value": claim}))
        for claim in (3.9, round(value, 6) + 2e-6, round(value)):
            self.assertIn(f"claims {claim:.9g}, its support has {value:.9g}", self.verdict({**answer, "value": claim}, code=3))
        one = self.json("instances", "verify", self.written({**answer, "value": 3.9}), code=3)["answers"][0]
        self.assertEqual((one["verdict"], one["feasible"], one["value"]), ("other value", True, value))
        (self.folder / "a.csv").write_text("id,component,variable,value\npitprops-k5,1,0,3.9\npitprops-k5,1,1,\n")
        self.assertIn("claims 3.9", self.spca("instances", "verify", "a.csv", code=3).stdout)

    def written(self, answer):
        (self.folder / "written.json").write_text(json.dumps(answer))
        return "written.json"

    def test_loadings_that_are_replaced_are_said(self):
        self.made_library()
        said = "loadings replaced by the best ones on the support"
        answer = {"id": "pitprops-k3", "loadings": [{"indices": [0, 1], "values": [0.6, 0.8]}]}
        self.assertIn(said, self.verdict(answer))
        # The two variables have equal variances, so that their best loadings are equal, with any length and sign.
        answer["loadings"][0]["values"] = [-5, -5]
        self.assertNotIn(said, self.verdict(answer))

    def test_one_wrong_answer_does_not_hide_the_others(self):
        self.made_library()
        answers = [{"id": "nothing", "support": [0]}, {"id": "pitprops-k3", "support": [0, 1]}, {"id": "pitprops-k3", "support": ["oak"]}]
        finished = self.spca("instances", "verify", self.written(answers), code=2)
        self.assertIn("pitprops-k3: feasible", finished.stdout)
        errors = finished.stderr.splitlines()
        self.assertEqual(len(errors), 2, errors)
        self.assertIn('spca: error: written.json:1:2: /0: found "nothing"', errors[0])
        self.assertIn("/2/support/0", errors[1])

    def test_an_infeasible_answer_decides_beside_one_that_cannot_be_judged(self):
        self.made_library()
        answers = [{"id": "nothing", "support": [0]}, {"id": "pitprops-k3", "support": [0, 1, 2, 3]}]
        finished = self.spca("instances", "verify", self.written(answers), code=3)
        self.assertEqual(len(finished.stderr.splitlines()), 1, finished.stderr)

    def test_open_instances_are_proved_again_with_more_time(self):
        self.made_library()

        def loosen(document):
            document["instances"][1]["bound"]["value"] = 3.9
            document["instances"][1]["status"], document["instances"][1]["gap"] = "open", 1 - document["instances"][1]["best"]["value"] / 3.9

        self.change(loosen)
        limit = self.json("instances", "show", "pitprops-k5")["bound"]["limit"]
        (same,) = self.json("instances", "update", "--open", "--time-limit", limit, "-q")["instances"]
        self.assertEqual((same["id"], same["better_bound"], same["proved"]), ("pitprops-k5", False, False))
        self.assertEqual(self.json("instances", "update", "--open", "--class", "disjoint", "-q")["instances"], [])
        (proved,) = self.json("instances", "update", "--open", "--time-limit", limit + 1, "-q")["instances"]
        self.assertEqual((proved["better_bound"], proved["proved"]), (True, True))
        self.assertEqual(self.json("instances", "update", "--open", "-q")["instances"], [])
        self.refused("instances", "update", "run", "--open", says=["accepted: no word"])
        self.refused("instances", "update", "--open", "--library", "none", says=["--library", "is no folder"])
        self.refused("instances", "update", "run", "--class", "disjoint", says=["--class"])

    def test_an_update_takes_up_a_csv_file_with_its_source(self):
        self.made_library()

        def worse(document):
            document["instances"][1]["best"] |= {"value": 2.0, "supports": [[3, 4]]}

        self.change(worse)
        rows = "".join(f"pitprops-k5,1,{variable},\n" for variable in (1, 6, 8, 9))
        (self.folder / "a.csv").write_text('id,component,variable,found_by\npitprops-k5,1,0,"A. Author, 2026"\n' + rows)
        self.assertIn("1 instance of the file: 0 new, 1 with a better value", self.spca("instances", "update", "a.csv", "-q").stdout)
        self.assertEqual(self.json("instances", "show", "pitprops-k5")["best"]["found_by"]["solver"], "A. Author, 2026")
        (self.folder / "a.csv").write_text("id,component,variable\npitprops-k5,1,0\n")
        self.refused("instances", "update", "a.csv", says=["a.csv:2: ", "found_by", "a column in CSV"])
        self.refused("instances", "update", "none.csv", says=["none.csv", "a file of answers (.json or .csv)"])

    def test_an_answer_of_a_file_beyond_a_bound_is_a_contradiction(self):
        self.made_library()
        self.change(lower_the_second)
        before = (self.library / "one-component.json").read_bytes()
        answer = {"id": "pitprops-k5", "support": [0, 1, 6, 8, 9], "found_by": "A. Author, 2026"}
        updated = self.json("instances", "update", self.written(answer), "-q", code=3)["instances"][0]
        self.assertTrue(updated["contradiction"], updated)
        self.assertEqual((self.library / "one-component.json").read_bytes(), before)

    def test_every_wrong_input_is_one_line(self):
        self.made_library()
        self.refused("instances", "lst", says=["ACTION", 'did you mean "list"', "verify"])
        self.refused("instances", "show", "pitprop-k5", says=["ID", 'did you mean "pitprops-k5"'])
        self.refused("instances", "show", says=["found no ID"])
        self.refused("instances", "list", "--class", "disjunct", says=["--class", "disjoint"])
        self.refused("instances", "list", "--size", "tiny", says=["--size", "built-in, small, large, huge, all"])
        self.refused("instances", "list", "--prove", says=["--prove", "not for instances list"])
        self.refused("instances", "verify", "none.json", says=["none.json"])
        self.refused("instances", "verify", "none.json", "--open", says=["--open", "accepted there: no such option"])
        self.refused("instances", "list", "pitprops-k5", says=['"pitprops-k5"', "accepted: no word"])
        (self.folder / "a.json").write_text('[{"id": "pitprops-k5", "support": [0, "oak"]}]')
        self.refused("instances", "verify", "a.json", says=["a.json:1:39: /0/support/1", '"oak"', "0 to 12, or a name"])
        (self.folder / "a.json").write_text('[{"id": "nothing", "support": [0]}]')
        self.refused("instances", "verify", "a.json", says=["a.json:1:2: /0", '"nothing"', "spca instances list"])
        (self.folder / "a.csv").write_text("id,component,variable\npitprops-k5,x,1\n")
        self.refused("instances", "verify", "a.csv", says=["a.csv:2", '"x"'])
        for variable, says in [("oak", '"oak"'), ("1", 'variable "1" twice')]:
            (self.folder / "a.csv").write_text(f"id,component,variable\npitprops-k5,1,1\n\npitprops-k5,1,0\npitprops-k5,1,{variable}\n")
            self.refused("instances", "verify", "a.csv", says=["a.csv:5: ", says])
        for csv, says in [
            ("id,component,variable,walue\npitprops-k5,1,1,2\n", ["a.csv:1: ", '"walue"', 'did you mean "value"', "found_by"]),
            ("id,component,variable,loading\npitprops-k5,1,1,1\npitprops-k5,1,2,0\n", ["a.csv:3: ", "the loading 0"]),
            ("id,component,variable,value\npitprops-k5,1,1,1\npitprops-k5,1,2,2\n", ["a.csv:3: ", '"2"', "one value"]),
        ]:
            (self.folder / "a.csv").write_text(csv)
            self.refused("instances", "verify", "a.csv", says=says)
        for answer, says in [
            ('"support": [0], "valeu": 3.9', ["/valeu", "unknown key", "loadings, value, found_by"]),
            ('"support": [0], "supports": [[1]]', ["a.json:1:1: ", "support, supports", "one of them"]),
            ('"loadings": [{"indices": [0, 1], "values": [0, 0]}]', ["/loadings/0/indices/0", "the loading 0"]),
            ('"support": [0, 1, 1]', ["/support/2", '"1" twice']),
        ]:
            (self.folder / "a.json").write_text('{"id": "pitprops-k5", %s}' % answer)
            self.refused("instances", "verify", "a.json", says=says)
        (self.library / "one-component.json").write_text('{"schema": 1}')
        self.refused("instances", "list", says=["one-component.json:1:1", "class"])

    def test_a_list_counts_each_class(self):
        self.made_library()
        listed = self.json("instances", "list")
        self.assertEqual({name: counts["all"] for name, counts in listed["counts"].items()}, {"one-component": len(listed["instances"])})

    def test_a_folder_that_is_no_library_is_refused(self):
        for words in (["list"], ["show", "pitprops-k5"], ["check"]):
            said = self.spca("instances", *words, "--library", "none", code=2).stderr
            self.assertIn('--library: found "none", which is no folder', said)

    def test_data_that_are_missing_are_named_with_their_command(self):
        self.made_library()

        def without_files(document):
            document["data"]["pitprops"]["dataset"] = "communities"
            document["data"]["pitprops"]["options"] = {}
            document["data"]["pitprops"]["checksum"] = "0" * 64

        self.change(without_files)
        checked = self.spca("instances", "check", "--data-dir", "nowhere", code=5).stdout
        self.assertIn("no data: `spca fetch communities` (2 instances)", checked)

        def without_address(document):
            document["data"]["pitprops"]["dataset"] = "20news"

        self.change(without_address)
        checked = self.spca("instances", "check", "--data-dir", "nowhere", code=5).stdout
        self.assertIn('no data: docs/DATA.md, "Files to get by hand", says how (2 instances)', checked)


if __name__ == "__main__":
    main()
