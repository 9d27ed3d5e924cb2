"""docs/REGRESSION_GATE.md, "Your own solver": its steps, run as written there, for a method in Python and one in C++.
Run by ctest, or with SPCA_PROGRAM and SPCA_BUILD_FOLDER set."""
# Labels: slow

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import PROGRAM, SOURCES  # noqa: E402

BUILD = os.environ.get("SPCA_BUILD_FOLDER", str(SOURCES / "build/release"))
CMAKE = os.environ.get("SPCA_CMAKE", "cmake")
PAGE = (SOURCES / "docs/REGRESSION_GATE.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## Your own solver\n")[1].split("\n## ")[0]
GATES = [block for block in re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL) if " check run " in block]

# A stub of `gh api` for the calls of the step. The comment is a file; if `read-only` exists, every change is refused.
GH = """#!/bin/sh
case "$*" in
  *--paginate*) cat "$STATE/numbers" 2> /dev/null; exit 0 ;;
esac
[ -e "$STATE/read-only" ] && { echo 'HTTP 403: Resource not accessible by integration' >&2; exit 1; }
case "$*" in
  *PATCH*) cp comment.md "$STATE/comment-7"; echo patched >> "$STATE/log" ;;
  *) cp comment.md "$STATE/comment-7"; echo 7 > "$STATE/numbers"; echo added >> "$STATE/log" ;;
esac
"""


def comment_step():
    """The shell lines of the step `comment`."""
    step = PAGE.split("- name: comment\n")[1].split("run: |\n")[1].split("```")[0]
    return textwrap.dedent(step)


class OwnGate(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_own_gate_"))
        self.addCleanup(shutil.rmtree, self.folder)
        # `spca` is found on PATH, as if installed. So is a python3 with NumPy: that of a wheel is beside `spca`.
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "spca").symlink_to(PROGRAM)
        self.environment = {
            **os.environ,
            "PATH": f"{tools}:{pathlib.Path(PROGRAM).parent}:/usr/bin:{os.environ.get('PATH', '')}",
            "SPCA_CACHE_DIR": str(self.folder / "cache"),
        }
        self.project = self.folder / "project"
        self.project.mkdir()

    def shell(self, text, code=0, **environment):
        finished = subprocess.run(
            ["sh", "-e", "-c", text],
            cwd=self.project,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(finished.returncode, code, f"{text}\n{finished.stdout}\n{finished.stderr}")
        return finished.stdout

    def gate_guards(self, gate, program, file, line, worse):
        """Makes the baseline; the gate must pass, and fail after one line is made worse."""
        run = "\n".join(gate.splitlines()[:-1])
        self.shell(f"{run}\n{program} baseline run --no-times -o baseline.json")
        began = time.monotonic()
        passed = self.shell(gate)
        print(f"the gate took {time.monotonic() - began:.1f} s")
        self.assertRegex(passed, r"(?m)^match: ")
        source = self.project / file
        text = source.read_text(encoding="utf-8")
        self.assertEqual(text.count(line), 1)
        source.write_text(text.replace(line, worse), encoding="utf-8")
        self.assertRegex(self.shell(gate, code=4), r"(?m)^worse: ")
        self.assertIn("worse", (self.project / "gate.md").read_text(encoding="utf-8"))
        self.assertIn("<failure", (self.project / "gate.xml").read_text(encoding="utf-8"))

    def test_the_gate_of_a_peer(self):
        self.assertEqual(len(GATES), 2)
        numpy = subprocess.run(["python3", "-c", "import numpy"], env=self.environment, capture_output=True, check=False)
        if numpy.returncode != 0:
            self.skipTest("needs NumPy (python3-numpy)")
        self.shell("spca new peer my-method --language python")
        self.assertTrue((self.project / "my-method.json").is_file())
        best = "np.linalg.eigh(S[np.ix_(support, support)])[1][:, -1]"
        not_refitted = "leading[support] / np.linalg.norm(leading[support])"
        self.gate_guards(GATES[1], "spca", "my-method.py", best, not_refitted)
        # Answers that are infeasible end `benchmark` with 3; the gate still writes its report.
        program = self.project / "my-method.py"
        text = program.read_text(encoding="utf-8")
        program.write_text(text.replace(not_refitted, "2 * " + not_refitted), encoding="utf-8")
        self.assertRegex(self.shell(GATES[1], code=3), r"(?m)^failed: ")
        self.assertIn("failed", (self.project / "gate.md").read_text(encoding="utf-8"))

    def test_the_gate_of_a_solver(self):
        prefix = self.folder / "prefix"
        installed = subprocess.run([CMAKE, "--install", BUILD, "--prefix", prefix], capture_output=True, text=True, check=False)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        self.environment["CMAKE_PREFIX_PATH"] = str(prefix)
        self.environment["PATH"] = f"{prefix}/bin:{self.environment['PATH']}"
        self.shell(re.search(r"```sh\n(spca new solver .*?)```", SECTION, re.DOTALL).group(1))
        best = "step >= options.smallest_iterations && component.support == previous"
        self.gate_guards(GATES[0], "build/my-spca", "my-method.cpp", best, "step >= 1")

    def test_the_comment_is_written_replaced_and_not_needed(self):
        state = self.folder / "state"
        state.mkdir()
        stub = self.folder / "tools/gh"
        stub.write_text(GH, encoding="utf-8")
        stub.chmod(0o755)
        given = {"STATE": str(state), "GITHUB_STEP_SUMMARY": str(self.folder / "summary")}
        given.update(GITHUB_WORKFLOW=".github/workflows/gate.yml", GITHUB_JOB="gate")
        given.update(COMMENTS="repos/me/mine/issues/3/comments", ONE_COMMENT="repos/me/mine/issues/comments")
        for report in ("first", "second"):
            (self.project / "gate.md").write_text(report + "\n", encoding="utf-8")
            self.assertEqual(self.shell(comment_step(), **given), "")
        self.assertEqual((state / "log").read_text(encoding="utf-8").split(), ["added", "patched"])
        self.assertEqual((state / "comment-7").read_text(encoding="utf-8"), "<!-- spca check: .github/workflows/gate.yml, gate -->\nsecond\n")
        # A report beyond GitHub's limit is cut.
        (self.project / "gate.md").write_text("a row of the table\n" * 9000, encoding="utf-8")
        self.shell(comment_step(), **given)
        long = (state / "comment-7").read_text(encoding="utf-8")
        self.assertLess(len(long), 65536)
        self.assertTrue(long.endswith("\nThe rest is in the summary of the job.\n"), long[-100:])
        (self.project / "gate.md").write_text("second\n", encoding="utf-8")
        (self.folder / "summary").write_text("first\nsecond\n", encoding="utf-8")
        self.shell(comment_step(), **given)
        (self.folder / "summary").write_text("first\nsecond\n", encoding="utf-8")
        (state / "read-only").touch()
        (self.project / "gate.md").write_text("third\n", encoding="utf-8")
        self.assertIn("::notice::", self.shell(comment_step(), **given))
        self.assertEqual((self.folder / "summary").read_text(encoding="utf-8"), "first\nsecond\nthird\n")
        self.assertEqual((state / "comment-7").read_text(encoding="utf-8"), "<!-- spca check: .github/workflows/gate.yml, gate -->\nsecond\n")


if __name__ == "__main__":
    report_runs.main()
