"""Ctrl-C in R. Run by ctest, or: /usr/bin/python3 tests/r/interruption_test.py"""

import unittest

import rbench
import signalled

rbench.need("Rcpp", "Matrix")

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
        return signalled.lines_after_signal(self, rbench.command(PROGRAM, what), env=rbench.environment())

    def test_it_ends_what_takes_long_and_leaves_r_alive(self):
        for what in ["solve", "path", "certify"]:
            with self.subTest(what):
                self.assertEqual(self.lines_after_signal(what), ["interrupted", "converged"])


if __name__ == "__main__":
    rbench.main()
