"""Tests of the verdicts on the page of a report: the sentence, and the matrices.
Run by ctest, or: /usr/bin/python3 tests/report_words_test.py"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
import ending  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "plotting"))
import verdict_matrix  # noqa: E402
import verdict_words  # noqa: E402

NUMBERS = tuple(verdict_words.VERDICTS)
CLAIMS = ("holds", "undecided", "fails", "not run")


def verdicts(**given):
    counts = {count: dict.fromkeys(NUMBERS, 0) for count in verdict_words.NOUNS}
    counts.update({count: dict.fromkeys(CLAIMS, 0) for count in verdict_words.CLAIMS})
    for count, values in given.items():
        counts[count].update(zip(CLAIMS if count in verdict_words.CLAIMS else NUMBERS, values))
    return counts


class Sentence(unittest.TestCase):
    def expect(self, words, **given):
        self.assertEqual(verdict_words.sentence(verdicts(**given)), words)

    def test_counts_stand_apart(self):
        self.expect(
            "38 of 41 numbers of the paper's method are reproduced, 2 are higher and 1 is lower; "
            "all 4 numbers of the paper's competitors are reproduced; every claim of the paper holds.",
            own=(38, 2, 1), baseline=(4,), claims=(3,),
        )

    def test_one_of_a_count_is_no_sum(self):
        self.expect("The number that follows from a formula is reproduced.", by_hand=(1,))
        self.expect("The number of another program is lower.", program=(0, 0, 1))
        self.expect("The number of the paper's method has no public data.", own=(0, 0, 0, 0, 0, 0, 1))
        self.expect(
            "The number that follows from a formula was not run; the claim of ours cannot be told.",
            by_hand=(0, 0, 0, 0, 0, 0, 0, 1), our_claims=(0, 1),
        )

    def test_a_count_with_one_reproduced_number_agrees_in_number(self):
        self.expect(
            "1 of 4 numbers of another program is reproduced, 1 is higher, 1 differs and 1 is not comparable.", program=(1, 1, 0, 1, 0, 1)
        )
        self.expect("None of 2 numbers that follow from a formula is reproduced and 2 are lower.", by_hand=(0, 0, 2))

    def test_what_is_too_noisy_is_no_match(self):
        self.expect("4 of 10 numbers of the paper's competitors are reproduced and 6 are too noisy to tell.", baseline=(4, 0, 0, 0, 6))

    def test_what_was_not_run_is_said(self):
        self.expect("None of 12 numbers that follow from a formula was run.", by_hand=(0, 0, 0, 0, 0, 0, 0, 12))
        self.expect("3 of 5 numbers that follow from a formula are reproduced and 2 were not run.", by_hand=(3, 0, 0, 0, 0, 0, 0, 2))

    def test_claims_that_all_hold_are_one_clause(self):
        self.expect("Every claim holds.", claims=(2,), our_claims=(1,))
        self.expect("2 of 4 claims of the paper hold, 1 fails and 1 cannot be told; the claim of ours holds.", claims=(2, 1, 1), our_claims=(1,))

    def test_nothing_judged_is_nothing_said(self):
        self.expect("")


def number(index, solver, dataset="d", k="5", **more):
    base = {"index": index, "verdict": "reproduced", "solver": solver, "data set": dataset, "k": k, "grid": "g", "deflation": "none"}
    return {**base, "metric": "explained_variance", "table": "t", "row": "r", "column": "", **more}


def indices(matrix):
    return {label: [[row["index"] for row in cell] for cell in cells] for label, cells in matrix["rows"]}


class Matrix(unittest.TestCase):
    def test_columns_are_cardinalities_by_size(self):
        rows = [number(i, solver, k=k) for i, (solver, k) in enumerate([("a", "10"), ("a", "2"), ("b", "2")])]
        (matrix,) = verdict_matrix.matrices(rows)
        self.assertEqual(matrix["head"], [[("k = 2", 1), ("k = 10", 1)]])
        self.assertEqual(indices(matrix), {"a": [[1], [0]], "b": [[2], []]})

    def test_columns_are_data_sets_where_these_vary(self):
        (matrix,) = verdict_matrix.matrices([number(0, "a", "x"), number(1, "a", "y")])
        self.assertEqual(matrix["head"], [[("x", 1), ("y", 1)]])

    def test_data_sets_stand_over_their_cardinalities(self):
        rows = [number(i, "a", dataset, k) for i, (dataset, k) in enumerate([("x", "5"), ("x", "10"), ("y", "5"), ("y", "10")])]
        (matrix,) = verdict_matrix.matrices(rows)
        self.assertEqual(matrix["head"], [[("x", 2), ("y", 2)], [("k = 5", 1), ("k = 10", 1), ("k = 5", 1), ("k = 10", 1)]])
        self.assertEqual(indices(matrix), {"a": [[0], [1], [2], [3]]})

    def test_what_is_too_wide_has_a_matrix_a_data_set(self):
        ks = range(2, 2 + verdict_matrix.MOST_COLUMNS)
        rows = [number(f"{dataset}{k}", "a", dataset, str(k)) for dataset in "xy" for k in ks]
        matrices = verdict_matrix.matrices(rows)
        self.assertEqual([matrix["title"] for matrix in matrices], ["explained variance, x", "explained variance, y"])
        self.assertEqual([len(matrix["head"][0]) for matrix in matrices], [len(ks)] * 2)

    def test_grids_are_columns_only_where_nothing_else_tells_them_apart(self):
        rows = [number(0, "a", grid="g"), number(1, "a", grid="h")]
        self.assertEqual(verdict_matrix.matrices(rows)[0]["head"], [[("g", 1), ("h", 1)]])
        rows = [number(0, "a", "x", grid="g"), number(1, "a", "y", grid="h")]
        self.assertEqual(verdict_matrix.matrices(rows)[0]["head"], [[("x", 1), ("y", 1)]])

    def test_what_the_solver_tells_is_no_column(self):
        (matrix,) = verdict_matrix.matrices([number(0, "a", k="3,2"), number(1, "b", k="4,4"), number(2, "no cell", "", "", grid="")])
        self.assertEqual(matrix["head"], [[("d", 1)]])
        self.assertEqual(indices(matrix), {"a, k = 3,2": [[0]], "b, k = 4,4": [[1]]})
        self.assertEqual([row["index"] for row in matrix["without"]], [2])

    def test_deflations_and_numbers_of_one_cell_are_told_apart(self):
        rows = [number(0, "a", deflation="schur"), number(1, "a", deflation="projection")]
        self.assertEqual(list(indices(verdict_matrix.matrices(rows)[0])), ["a, schur", "a, projection"])
        rows = [number(0, "a", row="PathSPCA"), number(1, "a", row="TPower"), number(2, "b", row="TPower")]
        self.assertEqual(indices(verdict_matrix.matrices(rows)[0]), {"a, PathSPCA": [[0]], "a, TPower": [[1]], "b, TPower": [[2]]})

    def test_numbers_that_nothing_tells_apart_share_a_cell(self):
        (matrix,) = verdict_matrix.matrices([number(0, "a"), number(1, "a")])
        self.assertEqual(indices(matrix), {"a": [[0, 1]]})
        self.assertEqual(matrix["head"], [[("d, k = 5", 1)]])

    def test_each_metric_has_its_own_and_no_number_is_lost(self):
        rows = [number(0, "a"), number(1, "a", metric="gap"), number(2, "no cell", "", "", metric="loss")]
        matrices = verdict_matrix.matrices(rows)
        self.assertEqual([matrix["title"] for matrix in matrices], ["explained variance", "gap", "loss"])
        found = [i for matrix in matrices for cells in indices(matrix).values() for cell in cells for i in cell]
        found += [row["index"] for matrix in matrices for row in matrix["without"]]
        self.assertEqual(sorted(found), [0, 1, 2])


if __name__ == "__main__":
    ending.main()
