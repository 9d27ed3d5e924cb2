"""R's answers are the program's. Run by ctest, or: /usr/bin/python3 tests/r/answers_test.py"""
# Labels: slow

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import rbench

rbench.need("Rcpp", "Matrix")
from report_runs import PROGRAM, spca  # noqa: E402

# Prints a line for each fit: its name, status and upper bound, and for each component the indices
# from zero and the exact loadings, in hexadecimal.
EMIT = """
suppressMessages({ library(spcabench); library(Matrix) })
emit <- function(name, fit) cat(name, fit$status, sprintf("%a", fit$upper_bound), vapply(seq_along(fit$supports), function(j)
  paste0(paste(fit$supports[[j]] - 1, collapse = ","), ":", paste(sprintf("%a", fit$rotation[fit$supports[[j]], j]), collapse = ",")), ""), "\\n")
words <- commandArgs(TRUE)
"""
EVERY_SOLVER = EMIT + """
for (solver in list_solvers()$name) emit(solver, suppressWarnings(spca_solve("pitprops", c(3, 2), solver = solver, seed = 7)))
"""
VARIANTS = EMIT + """
emit("projection", spca_solve("pitprops", c(7, 2, 4), solver = "tpower", deflation = "projection"))
emit("options", spca_solve("pitprops", 4, ncomp = 2, solver = "tpower", starts = "columns"))
emit("penalty", spca_solve("pitprops", solver = "gpower-l1", penalty = 0.4))
emit("tuned", spca_solve("pitprops", 5, solver = "gpower-l1"))
emit("threads", spca_solve("pitprops", 5, solver = "branch-bound", threads = 2))
set.seed(3)
x <- matrix(rnorm(240), 30)
write.table(format(x, digits = 17), words[1], sep = ",", quote = FALSE, row.names = FALSE, col.names = FALSE)
x <- as.matrix(read.csv(words[1], header = FALSE))
emit("matrix", spca_solve(x, c(3, 3), divisor = "n-1"))
emit("uncentred", spca_solve(as.data.frame(x), c(3, 3), center = FALSE))
"""
# Reads the word counts of a UCI file as a dgCMatrix, and writes them to a file for the program.
SPARSE = EMIT + """
shape <- scan(words[1], n = 3, quiet = TRUE)
counts <- scan(words[1], skip = 3, what = list(0L, 0L, 0), quiet = TRUE)
x <- sparseMatrix(counts[[1]], counts[[2]], x = counts[[3]], dims = shape[1:2])
stopifnot(is(x, "dgCMatrix"))
invisible(writeMM(x, words[2]))
for (solver in strsplit(words[3], ",")[[1]]) emit(solver, spca_solve(x, c(10, 5), solver = solver))
"""
# Numbers near 2^30. Their S is that of the same numbers near 0, because differences are exact.
LARGE_MEANS = EMIT + """
set.seed(4)
x <- round(matrix(rnorm(600), 100) * 1024) / 1024
x <- x - rep(x[1, ], each = 100)
large <- x + 2^30
large[7, 1] <- 0
for (name in c("dense", "sparse")) {
  data <- if (name == "sparse") as(large, "CsparseMatrix") else large
  for (scale in c(FALSE, TRUE)) {
    fit <- spca_solve(data, 3, solver = "exhaustive", scale = scale)
    other <- spca_solve(large[, -1], 3, solver = "exhaustive", scale = scale)
    small <- spca_solve(x[, -1], 3, solver = "exhaustive", scale = scale)
    ranges <- apply(abs(predict(other, data[, -1]) - small$x), 2, max)
    cat(name, scale, abs(other$upper_bound - small$upper_bound) / small$upper_bound, max(ranges),
        sprintf("%.17g", fit$upper_bound), "\\n")
  }
}
"""
SPARSE_SOLVERS = ["tpower", "threshold", "fullpath", "em", "gpower-l1", "pmd", "spca-l1", "orthogonal-ascent"]
FILE = "kos/docword.kos.txt.gz"


def answers(lines):
    """(status, upper bound, components) by name."""
    read = {}
    for line in lines:
        name, status, bound, *components = line.split()
        pairs = [component.split(":") for component in components]
        read[name] = (
            status,
            None if bound in ("NA", "NaN") else float.fromhex(bound),
            [([int(i) for i in indices.split(",")], [float.fromhex(v) for v in values.split(",")]) for indices, values in pairs],
        )
    return read


def of_the_program(*words):
    # Exit code 3: there is no answer, and the JSON says why.
    finished = subprocess.run([PROGRAM, "solve", *map(str, words), "--json"], capture_output=True, text=True, check=False)
    assert finished.returncode in (0, 3), f"{words}: {finished.stderr}"
    answer = json.loads(finished.stdout)
    return answer["status"], answer["upper_bound"], [(c["indices"], c["values"]) for c in answer["components"]]


class SameAnswers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_r_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def test_every_solver_answers_as_spca_solve_does(self):
        ours = answers(rbench.rscript(EVERY_SOLVER))
        names = [solver["name"] for solver in json.loads(spca("list", "solvers", "--json").stdout)]
        self.assertEqual(set(ours), set(names))
        compared = 0
        for name in names:
            with self.subTest(name):
                words = ["--dataset", "pitprops", "--solver", name, "--cardinality", "3,2", "--seed", "7"]
                self.assertEqual(ours[name], of_the_program(*words))
                compared += len(ours[name][2]) > 0
        self.assertGreater(compared, 30)

    def test_arguments_are_those_of_the_program(self):
        file = self.folder / "x.csv"
        ours = answers(rbench.rscript(VARIANTS, file))
        pitprops = ["--dataset", "pitprops"]
        words = {
            "projection": [*pitprops, "--solver", "tpower", "--cardinality", "7,2,4", "--deflation", "projection"],
            "options": [*pitprops, "--solver", "tpower", "--cardinality", "4", "--components", "2", "--set", "starts=columns"],
            "penalty": [*pitprops, "--solver", "gpower-l1", "--set", "penalty=0.4"],
            "tuned": [*pitprops, "--solver", "gpower-l1", "--cardinality", "5"],
            "threads": [*pitprops, "--solver", "branch-bound", "--cardinality", "5"],
            "matrix": ["--data", file, "--cardinality", "3,3", "--scale", "n-1"],
            "uncentred": ["--data", file, "--cardinality", "3,3", "--no-center"],
        }
        self.assertEqual(set(ours), set(words))
        for name, of_it in words.items():
            with self.subTest(name):
                self.assertEqual(ours[name], of_the_program(*of_it))

    def test_a_dgCMatrix_has_the_answer_of_its_file(self):
        counts = pathlib.Path(os.environ.get("SPCA_DATA_DIR", "/nowhere")) / FILE
        if not counts.is_file():
            self.skipTest(f"{FILE} is missing")
        file = self.folder / "kos.mtx"
        ours = answers(rbench.rscript(SPARSE, counts, file, ",".join(SPARSE_SOLVERS)))
        for name in SPARSE_SOLVERS:
            with self.subTest(name):
                self.assertEqual(ours[name], of_the_program("--data", file, "--solver", name, "--cardinality", "10,5", "--center"))

    def test_large_means_cost_no_digits(self):
        bounds = {}
        for line in rbench.rscript(LARGE_MEANS):
            name, scale, of_bound, of_scores, bound = line.split()
            self.assertLessEqual(float(of_bound), 1e-12, line)
            self.assertLessEqual(float(of_scores), 1e-6, line)  # the means are rounded to 2^-23
            bounds[name, scale] = float(bound)
        for scale in ("FALSE", "TRUE"):
            dense, sparse = bounds["dense", scale], bounds["sparse", scale]
            self.assertLessEqual(abs(dense - sparse), 1e-12 * dense)

    def test_a_path_has_the_numbers_of_the_program(self):
        program = EMIT + """
        table <- spca_path("mtcars", 2:5, solver = c("tpower", "threshold"), resamples = 4, folds = 3, seed = 5)$table
        for (i in seq_len(nrow(table))) cat(table$solver[i], table$k[i], sprintf("%a", unlist(table[i,
          c("value", "upper_bound", "stability", "error", "error_se")])), "\\n")
        """
        ours = [line.split() for line in rbench.rscript(program)]
        words = ["path", "--dataset", "mtcars", "--cardinality", "2:5", "--resamples", "4", "--folds", "3", "--seed", "5", "--json"]
        theirs = []
        for solver in ["tpower", "threshold"]:
            path = json.loads(spca(*words, "--solver", solver).stdout)
            for bound, point in zip(path["bounds"], path["solvers"][0]["points"]):
                numbers = [point["value"], bound["upper_bound"], point["stability"], point["reconstruction_error"], point["reconstruction_standard_error"]]
                theirs.append((solver, point["cardinality"], numbers))
        self.assertEqual([(solver, int(k), [None if n in ("NA", "NaN") else float.fromhex(n) for n in numbers]) for solver, k, *numbers in ours], theirs)


class Memory(unittest.TestCase):
    def growth(self, make, sizes, more=""):
        """Bytes by which the peak grows in a solve, and the bytes of x."""
        program = EMIT + f"""
        peak <- function() 1024 * as.numeric(gsub("[^0-9]", "", grep("VmHWM", readLines("/proc/self/status"), value = TRUE)))
        # The first solve of a session loads libraries, which must not count as a copy of x.
        small <- matrix(c(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8), 4)
        for (first in list(small, as(small, "dgCMatrix"))) {{
          invisible(spca_solve(first, 2, solver = "diagonal", bound = FALSE, scale = TRUE))
        }}
        x <- {make}
        invisible(gc())
        writeLines("5", "/proc/self/clear_refs")
        before <- peak()
        fit <- spca_solve(x, 3, solver = "diagonal", bound = FALSE, retx = FALSE{more})
        cat(peak() - before, {sizes}, "\\n")
        """
        return [float(number) for number in rbench.rscript(program)[-1].split()]

    @unittest.skipUnless(os.access("/proc/self/clear_refs", os.W_OK), "the peak of memory cannot be reset here")
    def test_dense_data_are_copied_once_and_sparse_data_are_not_filled(self):
        for more in ["", ", scale = TRUE"]:
            grown, size = self.growth("matrix(as.double(seq_len(2e7) %% 1009), 20000)", "8 * length(x)", more)
            self.assertLess(grown, 1.1 * size)
        grown, size = self.growth("rsparsematrix(20000, 10000, nnz = 1e6)", "12 * length(x@x)")
        # The copies by rows and by columns. A dense copy would take 1600 MB.
        self.assertLess(grown, 4 * size)


if __name__ == "__main__":
    rbench.main()
