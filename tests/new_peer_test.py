"""`spca new peer`: the program that it writes runs in each language, and nothing is written over. Run by ctest, or with
SPCA_PROGRAM set."""
# Labels: slow

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

import report_runs
from report_runs import PROGRAM

# The program of each language, and a command that says whether its requirements are met.
LANGUAGES = {
    "python": ("my-method.py", ["/usr/bin/python3", "-c", "import numpy"]),
    "r": ("my-method.R", ["Rscript", "--version"]),
    "matlab": ("my_method.m", ["octave", "--version"]),
}


def is_here(command):
    return shutil.which(command[0]) and subprocess.run(command, capture_output=True, check=False).returncode == 0


class NewPeer(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_new_peer_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def spca(self, *words, code=0):
        environment = {**os.environ, "SPCA_CACHE_DIR": str(self.folder / "cache")}
        environment["PATH"] = "/usr/bin:" + environment.get("PATH", "")  # the Python that Debian gives NumPy
        words = [PROGRAM, *map(str, words)]
        finished = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, env=environment, check=False)
        self.assertEqual(finished.returncode, code, f"{words}\n{finished.stderr}")
        return finished

    def refused(self, *words):
        finished = self.spca("new", "peer", *words, code=2)
        self.assertEqual((finished.stdout, len(finished.stderr.splitlines())), ("", 1), finished.stderr)
        return finished.stderr

    def written(self, language):
        """Checks the output, and returns the names of the two files."""
        printed = self.spca("new", "peer", "my-method", "--language", language).stdout.splitlines()
        files = [printed[0], printed[1]]
        self.assertEqual(files, ["my-method.json", LANGUAGES[language][0]])
        self.assertIn("  spca solve --dataset pitprops --solver ./my-method.json --cardinality 5", printed)
        return files

    def test_the_files_name_each_other_and_have_no_mark_left(self):
        for language, (program, _) in LANGUAGES.items():
            with self.subTest(language):
                for file in self.written(language):
                    text = (self.folder / file).read_text(encoding="utf-8")
                    self.assertNotRegex(text, "@[A-Z]+@")
                    (self.folder / file).unlink() if file == program else None
                peer = json.loads((self.folder / "my-method.json").read_text(encoding="utf-8"))
                self.assertIn(program, " ".join([*peer["command"], *peer.get("files", [])]))
                (self.folder / "my-method.json").unlink()

    def test_the_interpreter_is_the_one_that_draws_the_figures(self):
        other = self.folder / "other/python3"
        other.parent.mkdir()
        other.write_text("#!/bin/sh\n")
        other.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"SPCA_PYTHON": "other/python3"}):
            self.written("python")
        peer = json.loads((self.folder / "my-method.json").read_text(encoding="utf-8"))
        self.assertEqual([peer["command"][0], peer["needs"][0]["command"][0]], [str(other)] * 2)

    def test_the_program_solves_and_is_benchmarked_beside_ours(self):
        for language, (program, needed) in LANGUAGES.items():
            with self.subTest(language):
                if not is_here(needed):
                    print(f"not tested: {language}, which needs {needed[0]}")
                    continue
                self.written(language)
                words = ["--dataset", "pitprops", "--cardinality", 5, "--json"]
                ours = json.loads(self.spca("solve", *words, "--solver", "threshold").stdout)
                answer = json.loads(self.spca("solve", *words, "--solver", "./my-method.json").stdout)
                self.assertEqual(answer["status"], "converged")
                # The written program thresholds: it takes the k largest loadings of the leading eigenvector, refitted.
                variance = [one["metrics"]["explained_variance"] for one in (answer, ours)]
                self.assertAlmostEqual(variance[0], variance[1], places=6)
                names = ["./my-method.json", "threshold"]
                run = ["--class", "one-component", "-o", "run", "--json", "--time-limit", 30, "-q"]
                scores = json.loads(self.spca("benchmark", *names, *run).stdout)["solvers"]
                by_name = {score["solver"]: score for score in scores}
                self.assertEqual(by_name["my-method"]["failures"], 0)
                self.assertGreater(by_name["my-method"]["instances"], 5)
                for file in ["my-method.json", program]:
                    (self.folder / file).unlink()
                shutil.rmtree(self.folder / "run")

    def test_python_is_the_language_if_none_is_named(self):
        self.spca("new", "peer", "mine", "-o", "a/b")
        self.assertEqual({path.name for path in (self.folder / "a/b").iterdir()}, {"mine.json", "mine.py"})

    def test_a_mistake_is_one_line(self):
        self.assertIn('"python", "r"'.replace('"', ""), self.refused("mine", "--language", "perl"))
        self.assertIn('did you mean "python"', self.refused("mine", "--language", "pyton"))
        self.assertIn("lower-case letters", self.refused("My Method"))
        self.assertIn('"tpower" is taken by', self.refused("tpower"))
        self.assertEqual(list(self.folder.iterdir()), [])
        language = self.spca("new", "solver", "mine", "--language", "r", code=2).stderr
        self.assertIn("accepted: spca new peer", language)
        self.assertIn('did you mean "peer"', self.spca("new", "peeer", "mine", code=2).stderr)

    def test_nothing_is_written_over(self):
        (self.folder / "mine.py").write_text("mine", encoding="utf-8")
        self.assertIn("mine.py already exists", self.refused("mine"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["mine.py"])
        self.assertEqual((self.folder / "mine.py").read_text(encoding="utf-8"), "mine")


if __name__ == "__main__":
    report_runs.main()
