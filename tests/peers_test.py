"""Programs of other people as solvers. Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/peers_test.py"""
# Labels: slow

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import PROGRAM, SOURCES, spca  # noqa: E402

TOY = SOURCES / "tests/peers/toy.json"
ODD_TEXT = "$HOME `id` 'a' \"b\" ; * {answer} {no such word} é"
GRACE_SECONDS = 600  # the event comes long before, even on a slow machine


def is_running(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # the second if it ends between open() and read()
        return False


def wait_until(holds):
    end = time.monotonic() + GRACE_SECONDS
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


class Peers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_peers_"))
        self.addCleanup(shutil.rmtree, self.folder)
        # Folders of peers go here, so that a test sees whether one is left.
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def solve(self, *words, peer=TOY, code=0, cardinality="3"):
        words = ["solve", "--dataset", "pitprops", "--solver", peer, "--cardinality", cardinality, *words]
        return spca(*words, code=code, TMPDIR=self.temporary)

    def refused(self, *words, peer=TOY):
        """The one line of a run that exits with 2."""
        lines = self.solve(*words, peer=peer, code=2).stderr.splitlines()
        self.assertEqual(len(lines), 1, lines)
        return lines[0]

    def peer_file(self, changes=(), **keys):
        """The toy with other keys; None takes one away."""
        peer = json.loads(TOY.read_text(encoding="utf-8"))
        peer.update({**dict(changes), **keys})
        shutil.copy(TOY.with_name("toy.py"), self.folder)
        path = self.folder / "changed.json"
        path.write_text(json.dumps({key: value for key, value in peer.items() if value is not None}, indent=1))
        return path

    def cells(self, solvers, code=0, jobs=1, **experiment):
        """Records by label, from a run of a grid."""
        grid = {"datasets": ["pitprops"], "solvers": solvers, "components": 2, "cardinality": [3], "deflations": ["projection"]}
        grid["metrics"] = ["explained_variance", "iterations", "products", "cpu_seconds", "peak_bytes"]
        experiment = {"name": "peers", "title": "Peers", "grids": {"g": grid}, **experiment}
        path = self.folder / "peers.json"
        path.write_text(json.dumps(experiment), encoding="utf-8")
        run = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        spca("run", path, "-o", run, "-j", jobs, code=code, TMPDIR=self.temporary, SPCA_PEERS=TOY.parent)
        lines = (run / "cells.jsonl").read_text(encoding="utf-8").splitlines()
        return {record["solver"]: record for record in map(json.loads, lines)}

    def modes(self, *modes, **experiment):
        solvers = [{"name": str(TOY), "label": mode, "options": {"mode": mode}} for mode in modes]
        return self.cells(solvers, **experiment)

    def assert_nothing_left(self, processes=()):
        self.assertTrue(wait_until(lambda: not any(map(is_running, processes))), processes)
        self.assertTrue(wait_until(lambda: not list(self.temporary.iterdir())), list(self.temporary.iterdir()))

    # ---- The input and the answers of a peer.

    def test_answers_are_verified_and_measured_like_those_of_any_solver(self):
        answer = json.loads(self.solve("--json").stdout)
        self.assertEqual(answer["status"], "converged")
        records = self.modes("ok", "rows", "nearly_unit", "too_many", "not_unit", code=3)
        self.assertEqual(records["ok"]["loadings"], records["rows"]["loadings"])
        self.assertEqual([len(c["indices"]) for c in records["ok"]["loadings"]], [3, 3])
        variance = records["ok"]["metrics"]["explained_variance"]
        self.assertGreater(variance, 0)
        # A length that is accepted, but not 1, does not count in the variance.
        self.assertAlmostEqual(records["nearly_unit"]["metrics"]["explained_variance"] / variance, 1, delta=1e-12)
        for label, why in [("too_many", "13 nonzeros, 3 allowed"), ("not_unit", "its length is 2")]:
            self.assertEqual(records[label]["status"], "invalid")
            self.assertIn(why, records[label]["message"])
        self.assert_nothing_left()

    def test_arguments_environment_and_options_are_passed_as_they_are(self):
        self.solve("--set", "mode=environment", "--set", f"text={ODD_TEXT}")
        self.solve("--set", "mode=environment", "--set", f"text={ODD_TEXT}", cardinality="3,2")

    def test_what_cannot_be_counted_is_not_measured_and_the_rest_includes_the_peer(self):
        record = self.modes("work")["work"]
        self.assertIsNone(record["metrics"]["iterations"])
        self.assertIsNone(record["metrics"]["products"])
        self.assertGreater(record["timing"]["cpu_seconds"], 0.5)
        self.assertGreater(record["timing"]["peak_bytes"], 200e6)

    def test_matrix_market_holds_the_same_numbers_as_npy(self):
        program = self.folder / "diagonal.py"
        program.write_text(
            "import sys\n"
            "lines = [l.split() for l in open(sys.argv[1]) if not l.startswith('%')][1:]\n"
            "best = max((float(v), -int(i)) for i, j, v in lines if i == j)\n"
            "p = int(max(int(i) for i, j, v in lines))\n"
            "open(sys.argv[2], 'w').write(''.join('%d\\n' % (i == -best[1]) for i in range(1, p + 1)))\n"
        )
        keys = {"format": "matrix-market", "answer": "loadings.csv", "multiple_components": False}
        command = ["/usr/bin/python3", "{here}/diagonal.py", "{matrix}", "{answer}"]
        answer = json.loads(self.solve("--json", peer=self.peer_file(keys, command=command), cardinality="1").stdout)
        self.assertEqual(answer["status"], "converged")

    # ---- What goes wrong.

    def test_without_their_environment_the_peers_of_pypi_are_skipped_by_name(self):
        environment = {"SPCA_PYPI_PEERS": self.folder / "nowhere"}
        lines = [line for line in spca("list", "peers", **environment).stdout.splitlines() if "peers/pypi-" in line]
        self.assertEqual(len(lines), 6)
        for line in lines:
            self.assertRegex(line, "needs .* of PyPI .*: no environment of PyPI")

    def test_each_way_to_fail_costs_its_cell_and_says_why(self):
        reasons = {
            "crash": "killed by SIGSEGV: about to crash",
            "exit_three": "exit code 3: no convergence: é \\u001b[31m",
            "missing": "loadings.json: was not written; its last words: I forgot",
            "garbage": "loadings.json:1:",
            "not_a_number": "loadings.json:1:",
            "wrong_length": "/loadings: found a list of 1; accepted: a list of 2",
            "wrong_index": "accepted: a whole number from 0 to 12",
            "huge_answer": "exit code 1: OSError: [Errno 27] File too large",
        }
        records = self.modes("ok", *reasons, code=3)
        self.assertEqual(records["ok"]["status"], "converged")
        for mode, reason in reasons.items():
            self.assertEqual(records[mode]["status"], "failed", mode)
            self.assertIn(reason, records[mode]["message"])
            self.assertNotIn(str(self.folder), records[mode]["message"])
            self.assertNotIn("\n", records[mode]["message"])
        self.assert_nothing_left()

    def test_a_peer_that_reaches_the_limit_says_how_long_it_had(self):
        (self.folder / "never.json").write_text(
            json.dumps({"summary": "never", "source": "test", "rule": "cardinality", "matrix": "covariance", "command": ["sleep", "60"]})
        )
        words = ["solve", "--dataset", "pitprops", "--cardinality", "3", "--solver", self.folder / "never.json", "--time-limit", "0.3"]
        self.assertIn("spca: peers/never: time_limit: time limit of 0.3 s", spca(*words, code=3).stderr)
        self.assertIn("peers/never: time_limit, time limit of 0.3 s; p = 13", spca(*words, code=3).stdout)

    def test_a_chatterbox_neither_waits_nor_fills_the_disk(self):
        self.assertEqual(self.modes("chatter")["chatter"]["status"], "converged")

    @unittest.skipIf("no limit of memory in this build" in spca("env").stdout, "a sanitizer reserves terabytes")
    def test_memory_is_limited(self):
        record = self.modes("memory", code=3, memory_limit=1000)["memory"]
        self.assertEqual(record["status"], "failed")
        self.assertIn("MemoryError", record["message"])

    def hanging(self):
        """Returns the numbers of the three processes, once the toy has named them and its folder; until then none."""
        lines = (self.folder / "names").read_text(encoding="utf-8").splitlines() if (self.folder / "names").exists() else []
        numbers = [int(line) for line in lines if line.isdigit()]
        return numbers if len(numbers) == 3 and len(lines) == 4 else []

    def test_a_late_peer_is_killed_with_all_that_it_started(self):
        options = {"mode": "hang", "text": str(self.folder / "names")}
        # How long the peer needs to start its processes depends on the machine.
        for limit in [2, 8, 32, 128, 512]:
            (self.folder / "names").unlink(missing_ok=True)
            record = self.cells([{"name": str(TOY), "options": options}], code=3, time_limit=limit)["peers/toy"]
            self.assertEqual((record["status"], record["message"]), ("time_limit", f"time limit of {limit} s"))
            if self.hanging():
                break
        self.assertEqual(len(self.hanging()), 3)
        self.assert_nothing_left(self.hanging())

    def test_reproduce_fails_at_a_time_limit_unless_the_grid_allows_it(self):
        solvers = ["threshold", {"name": str(TOY), "options": {"mode": "hang", "text": str(self.folder / "names")}}]
        path = self.folder / "late.json"
        for allowed, code in [(False, 3), (True, 0)]:
            grid = {"datasets": ["pitprops"], "solvers": solvers, "cardinality": [3], "may_time_out": allowed}
            claim = {"claim": "An answer", "left": {"solver": "threshold"}, "is": ">", "right": 0}
            claim["metric"] = "explained_variance"
            experiment = {"name": "late", "title": "Late", "time_limit": 1, "grids": {"g": grid}, "claims": [claim]}
            path.write_text(json.dumps(experiment), encoding="utf-8")
            spca("reproduce", path, "-o", self.folder / "run", code=code, TMPDIR=self.temporary)
        # For `spca run` the time limit is a failure even if the grid allows it.
        spca("run", path, "-o", self.folder / "run", code=3, TMPDIR=self.temporary)
        self.assert_nothing_left()

    def test_it_ends_with_the_program_however_that_ends(self):
        for end in [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]:
            (self.folder / "names").unlink(missing_ok=True)
            command = [PROGRAM, "solve", "--dataset", "pitprops", "--solver", TOY, "--cardinality", "3"]
            command += ["--set", "mode=hang", "--set", f"text={self.folder / 'names'}"]
            process = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(self.temporary)})
            self.assertTrue(wait_until(self.hanging))
            process.send_signal(end)
            process.wait()
            self.assert_nothing_left(self.hanging())

    def test_what_it_leaves_behind_is_ended(self):
        self.solve("--set", "mode=leave_behind", "--set", f"text={self.folder / 'names'}")
        self.assert_nothing_left([int((self.folder / "names").read_text())])

    # ---- What is missing.

    def test_a_missing_peer_is_skipped_with_the_reason(self):
        need = {"command": ["/usr/bin/python3", "-c", "import no_such_module"], "message": "no-such-module"}
        # The whole problem is skipped, also if the harness asks for one component at a time.
        for multiple in [True, False]:
            record = self.cells([str(self.peer_file(needs=[need], multiple_components=multiple))])["peers/changed"]
            self.assertEqual(record["status"], "skipped")
            self.assertEqual(
                record["message"], "needs no-such-module: ModuleNotFoundError: No module named 'no_such_module'"
            )
        for program in ["/no/such/program", "no-such-program"]:
            record = self.cells([str(self.peer_file(command=[program]))])["peers/changed"]
            self.assertEqual(record["message"], f"{program}: not found, or not a program")

    def test_a_change_of_the_peer_or_of_what_it_needs_is_another_cell(self):
        say = {"message": "version", "command": ["/usr/bin/python3", "-c", "import sys; sys.exit(print('1.0', file=sys.stderr))"]}
        keys = set()
        for changes in [{}, {"summary": "another"}, {"needs": [say]}]:
            keys.add(self.cells([str(self.peer_file(changes))])["peers/changed"]["key"])
        path = self.peer_file()
        with open(self.folder / "toy.py", "a", encoding="utf-8") as script:
            script.write("# edited\n")
        keys.add(self.cells([str(path)])["peers/changed"]["key"])
        self.assertEqual(len(keys), 4)

    # ---- What the user wrote.

    def test_an_error_of_the_file_names_its_place_and_what_is_accepted(self):
        wrong = {
            "/rule": ({"rule": "cardinalty"}, 'did you mean "cardinality"'),
            "/matrix": ({"matrix": "S"}, "covariance, data"),
            "/command/1": ({"command": ["sh", "{mtrix}"]}, 'did you mean "matrix"'),
            "/command": ({"command": "sh -c x"}, "no shell splits a text"),
            "/command/0": ({"command": ["bin/sh"]}, "an absolute path"),
            "/needs/0": ({"needs": [{"command": ["true"]}]}, "message"),
            "/options/a/default": ({"options": {"a": {"default": [], "help": "h"}}}, "a number, a word"),
            "/options/a": ({"options": {"a": {"default": 3, "minimum": 4, "help": "h"}}}, ">= 4"),
            "/answer": ({"answer": "../x.json"}, "a file name without a folder"),
            "/tuning": ({"tuning": {}}, "unless the rule is penalty"),
            "/files/0": ({"files": ["nothing.R"]}, "a file in"),
            "/sumary": ({"sumary": "s"}, 'did you mean "summary"'),
        }
        for pointer, (changes, accepted) in wrong.items():
            line = self.refused(peer=self.peer_file(changes))
            self.assertIn(f"{self.folder}/changed.json:", line)
            self.assertIn(pointer, line)
            self.assertIn(accepted, line)
        for key in ["summary", "source", "rule", "matrix", "command"]:
            self.assertIn(f'"{key}"', self.refused(peer=self.peer_file({key: None})))

    def test_options_are_checked(self):
        self.assertIn('did you mean "weight"', self.refused("--set", "wieght=1"))
        self.assertIn("<= 2", self.refused("--set", "weight=3"))

    def test_a_peer_is_found_by_name(self):
        self.assertIn('did you mean "peers/r-rsvd"', self.refused(peer="peers/r-rsdv"))
        self.assertIn("no such file", self.refused(peer="nothing.json"))
        self.assertIn("peers/sklearn-sparse-pca", spca("list", "peers").stdout)
        named = spca("list", "peers", "--json", SPCA_PEERS=TOY.parent).stdout
        self.assertIn("peers/toy", [peer["name"] for peer in json.loads(named)])
        spca("solve", "--dataset", "pitprops", "--solver", "peers/toy", "--cardinality", 3, SPCA_PEERS=TOY.parent)
        self.assertIn("of the first loading", spca("describe", "solver", "peers/toy", SPCA_PEERS=TOY.parent).stdout)

    def test_a_pattern_stands_for_no_peer(self):
        self.assertEqual(set(self.cells(["t*"])), {"threshold", "tpower"})

    def test_a_penalty_is_tuned_by_the_harness(self):
        script = self.folder / "threshold.py"
        script.write_text(
            "import json, sys\n"
            "problem = json.load(open(sys.argv[1]))\n"
            "count = max(1, round(13 * (1 - problem['options']['level'])))\n"
            "component = {'indices': list(range(count)), 'values': [count ** -0.5] * count}\n"
            "json.dump({'loadings': [component]}, open(problem['answer'], 'w'))\n"
        )
        peer = self.peer_file(
            rule="penalty",
            multiple_components=False,
            command=["/usr/bin/python3", "{here}/threshold.py", "{problem}"],
            options={"level": {"default": 0.5, "help": "share of loadings that are zero"}},
            tuning={"option": "level", "minimum": 0, "maximum": 1},
        )
        answer = json.loads(self.solve("--json", peer=peer).stdout)
        self.assertTrue(answer["tuned"])
        self.assertEqual(len(answer["components"]), 1)


class ShippedPeers(unittest.TestCase):
    def test_each_answers_or_is_skipped_with_the_reason(self):
        with tempfile.TemporaryDirectory() as name:
            run = pathlib.Path(name) / "run"
            experiment = (SOURCES / "experiments/peers/pitprops.json").read_text(encoding="utf-8")
            others = [word for peer in self.shipped() if f'"{peer}"' not in experiment for word in ("--also", peer)]
            spca("run", "peers/pitprops", *others, "--time-limit", GRACE_SECONDS, "-o", run)
            records = [json.loads(line) for line in (run / "cells.jsonl").read_text(encoding="utf-8").splitlines()]
        peers = [record for record in records if record["solver_name"].startswith("peers/")]
        self.assertEqual({record["solver_name"] for record in peers}, set(self.shipped()))
        for record in peers:
            if record["status"] == "skipped":
                self.assertTrue(record["message"].startswith("needs "), record["message"])
            else:
                self.assertEqual(record["status"], "converged", record)

    def shipped(self):
        # pypi_peers_test.py runs those of PyPI.
        names = [path.stem for path in (SOURCES / "peers").glob("*.json")]
        return [f"peers/{name}" for name in names if not name.startswith("pypi-")]


if __name__ == "__main__":
    report_runs.main()
