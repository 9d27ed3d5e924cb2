"""Solvers of several families in several ranks. Run like mpi_test.py."""
# Labels: mpi slow

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from ranks import Ranks, main

# Solvers of several families: one component and several, penalties, spans, joint, orthogonal, and with deflation.
SOLVERS = {
    "tpower": [],
    "gpower-l1": [],
    "gpower-block-l0": [],
    "spannogram": ["--set", "rank=2"],
    "span-spca": [],
    "fullpath": [],
    "threshold": [],
    "local-search": [],
    "em": [],
    "nsprcomp": [],
    "pmd": [],
    "bipart-ascent": [],
    "mspca": [],
    "row-sparse": [],
    "orthogonal-ascent": [],
    "pca": [],
}


class Solvers(Ranks):
    def test_they_give_the_serial_answer_and_the_same_bytes_for_all_numbers_of_ranks(self):
        for data, more in ((self.dense, []), (self.dense, ["--no-center", "--scale", "n-1"]), (self.words, []),
                           (self.words, ["--center"])):
            # All solvers run on the last data, three on the others: only S differs, and all use it in the same way.
            chosen = SOLVERS if data == self.words and more else ("tpower", "spannogram", "gpower-l1")
            for solver in chosen:
                counts = (1, 2, 3, 4) if solver in ("tpower", "spannogram") else (3,)
                self.holds(data, more, solver, SOLVERS[solver], counts)


if __name__ == "__main__":
    main()
