"""Ctrl-C in R. Run by ctest, or: /usr/bin/python3 tests/r/interruption_test.py"""

import signal
import subprocess
import threading
import unittest

import rbench

rbench.need("Rcpp", "Matrix")

# Far longer than any interrupted solve, on a machine that does anything at all.
PATIENCE_SECONDS = 300

# Solves that would take hours; after Ctrl-C R goes on.
PROGRAM = """
library(spcabench)
set.seed(1)
x <- matrix(rnorm(400 * 600), 400)
work <- list(
  solve = function() spca_solve(x, 40, solver = "branch-bound"),
  path = function() spca_path(x, 10:60, solver = "branch-bound"),
  certify = function() certify(rep(1:0, c(40, 560)), x, time_limit = NULL)
)[[commandArgs(TRUE)[1]]]
cat("started\\n")
tryCatch(work(), interrupt = function(condition) cat("interrupted\\n"))
cat(spca_solve("pitprops", 3)$status, "\\n", sep = "")
"""


class CtrlC(unittest.TestCase):
    def lines_after_signal(self, what):
        process = subprocess.Popen(
            rbench.command(PROGRAM, what), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=rbench.environment()
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "started\n")
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(process.stdout.read().splitlines()))
        reader.start()
        reader.join(0.5)
        process.send_signal(signal.SIGINT)
        reader.join(PATIENCE_SECONDS)
        self.assertFalse(reader.is_alive(), f"{what}: not ended")
        self.assertEqual(process.wait(), 0, process.stderr.read())
        process.stdout.close()
        process.stderr.close()
        return lines

    def test_it_ends_what_takes_long_and_leaves_r_alive(self):
        for what in ["solve", "path", "certify"]:
            with self.subTest(what):
                self.assertEqual(self.lines_after_signal(what), ["interrupted", "converged"])


if __name__ == "__main__":
    rbench.main()
