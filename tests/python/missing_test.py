"""Tests of missing values and of values that are not numbers: the answers are those of the command, or an error names
the value."""

import json
import os
import pathlib
import subprocess
import tempfile
import types
import unittest
import warnings

import package

np = package.need("numpy", "python3-numpy")
pd = package.need("pandas", "python3-pandas")
package.need("scipy", "python3-scipy")
package.need("sklearn", "python3-sklearn")
import scipy.sparse  # noqa: E402

spca_bench = package.spca_bench()
PROGRAM = os.environ.get("SPCA_PROGRAM", str(package.SOURCES / "build/release/spca"))


def table():
    """20 x 4 numbers, and a copy with a missing value in row 3, column 2."""
    x = np.random.default_rng(1).standard_normal((20, 4))
    holed = x.copy()
    holed[2, 1] = np.nan
    return x, holed


class Missing(unittest.TestCase):
    def test_python_and_the_command_settle_missing_values_alike(self):
        _, holed = table()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.csv"
            pd.DataFrame(holed, columns=list("abcd")).to_csv(path, index=False)
            for missing in ("mean", "low-rank", "drop-rows", "drop-columns"):
                with self.subTest(missing), warnings.catch_warnings(record=True) as warned:
                    warnings.simplefilter("always")
                    answer = spca_bench.solve(holed, 2, missing=missing)
                    self.assertEqual(len(warned), 1)
                    self.assertIn("1 missing value", str(warned[0].message))
                    self.assertEqual(warned[0].filename, __file__)
                    from_file = spca_bench.solve(path, 2, missing=missing)
                command = [PROGRAM, "solve", "--data", path, "--cardinality", "2", "--missing", missing,
                           "--json", "-q"]
                printed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
                value = printed["components"][0]["explained_variance"]
                self.assertEqual(answer.components[0].explained_variance, value)
                self.assertEqual(from_file.components[0].explained_variance, value)

    def test_every_kind_of_missing_value_counts(self):
        x, holed = table()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = spca_bench.solve(holed, 2, missing="mean").explained_variance
            objects = x.astype(object)
            objects[2, 1] = None
            frame = pd.DataFrame(x).astype("Float64")
            frame.iloc[2, 1] = pd.NA
            for given in (np.ma.masked_array(x, mask=np.isnan(holed)), objects, frame):
                self.assertEqual(spca_bench.solve(given, 2, missing="mean").explained_variance, wanted)
                with self.assertRaisesRegex(ValueError, "row 3, column 2.*found NaN, the first of 1 missing value"):
                    spca_bench.solve(given, 2)

    def test_what_is_no_number_is_refused_with_its_place(self):
        x, _ = table()
        frame = pd.DataFrame(x, columns=list("abcd"))
        objects = x.astype(object)
        objects[3, 2] = "abc"
        for given, message in ((np.full((3, 2), "2020-01-01", dtype="M8[D]"), "x: found dates"),
                               (np.ones((3, 2), dtype="m8[s]"), "x: found durations"),
                               (x.astype(complex), "^x: found complex numbers"),
                               (x.astype(str), "x: found text"),
                               (objects, "x: row 4, column 3: found 'abc'"),
                               (frame.assign(b=pd.date_range("2020", periods=20)), r"x: column 2 \(b\): found dates"),
                               (frame.assign(b=pd.Categorical(list("xy") * 10)), r"column 2 \(b\): found categories"),
                               (frame.assign(b="x"), r"x: column 2 \(b\), row 1: found 'x'")):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                spca_bench.solve(given, 2)

    def test_the_estimator_refuses_dates_and_sees_masks(self):
        x, holed = table()
        dates = np.arange(6).astype("M8[D]").reshape(3, 2)
        for given, message in ((dates, "X: found dates"), (dates - dates[0, 0], "X: found durations"),
                               (pd.DataFrame(x).assign(d=pd.date_range("2020", periods=20)), "X: found dates"),
                               (types.SimpleNamespace(X=x, layers={}, var_names=list("abcd")),
                                r"X: found SimpleNamespace; accepted: .*X\.X or X\.layers\[NAME\]$"),
                               (np.ma.masked_array(x, mask=np.isnan(holed)), "NaN")):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                spca_bench.SparsePCA(cardinality=2).fit(given)
        masked = np.ma.masked_array(np.where(np.isnan(holed), 1e6, holed), mask=np.isnan(holed))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = spca_bench.SparsePCA(cardinality=2, missing="mean").fit(holed)
            for given in (masked, list(masked)):
                model = spca_bench.SparsePCA(cardinality=2, missing="mean").fit(given)
                np.testing.assert_array_equal(model.components_, wanted.components_)
                np.testing.assert_array_equal(model.transform(given), wanted.transform(holed))
        with self.assertRaisesRegex(ValueError, "row 3, column 2: found NaN"):
            spca_bench.solve(list(masked), 2)

    def test_an_indefinite_matrix_has_a_way_on(self):
        with self.assertRaisesRegex(ValueError, "semidefinite.*'nearest': True"):
            spca_bench.solve(np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]]), 2, covariance=True)

    def test_guesses_are_warnings(self):
        x, _ = table()
        with self.assertWarnsRegex(UserWarning, "shared names: 'a' .2 times."):
            spca_bench.solve(pd.DataFrame(x, columns=["a", "a", "b", "c"]), 2)
        with self.assertWarnsRegex(UserWarning, "x: shared names: 'a' .2 times. and 1 other$"):
            spca_bench.solve(pd.DataFrame(x, columns=["a", "a", "b", "b"]), 2)
        large = x.astype(np.int64)
        large[2, 1] = 2**53 + 1
        for given in (large, large.astype(np.uint64), pd.DataFrame(large), pd.DataFrame(large).assign(e=x[:, 0])):
            with self.assertWarnsRegex(UserWarning, "x: integers beyond 2\\^53 are rounded to 53 bits"):
                spca_bench.data(given)
        for given in (x.T @ x, scipy.sparse.csr_array(x.T @ x), scipy.sparse.csc_matrix(x.T @ x)):
            with self.assertWarnsRegex(UserWarning, "square and symmetric"):
                spca_bench.solve(given, 2)
        year = np.column_stack([x, 1e6 * np.arange(len(x))])
        for given in (year, scipy.sparse.csr_array(year)):
            with self.assertWarnsRegex(UserWarning, "x: place 5 has more than 99.99 % of the variance"):
                spca_bench.solve(given, 2)
        covariance = pd.DataFrame(x.T @ x, index=list("abcd"), columns=list("abdc"))
        with self.assertRaisesRegex(ValueError, "row 3 is called 'c', and column 3 'd'"):
            spca_bench.solve(covariance, 2, covariance=True)

    def test_frames_of_other_types_are_the_numbers_in_them(self):
        x, _ = table()
        whole = np.round(10 * x)
        wanted = spca_bench.solve(whole, 2).explained_variance
        self.assertEqual(spca_bench.solve(pd.DataFrame(whole).astype("Int64"), 2).explained_variance, wanted)
        sparse = np.where(whole > 5, whole, 0)
        frame = pd.DataFrame(sparse).astype(pd.SparseDtype(float, 0.0))
        self.assertAlmostEqual(spca_bench.solve(frame, 2).explained_variance,
                               spca_bench.solve(sparse, 2).explained_variance, places=12)

    def test_the_estimator_fills_new_samples_with_the_means_of_the_old(self):
        x, holed = table()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = spca_bench.SparsePCA(cardinality=2, missing="mean").fit(holed)
        filled = holed.copy()
        filled[2, 1] = np.nanmean(holed[:, 1])
        np.testing.assert_allclose(model.transform(holed), model.transform(filled), rtol=1e-12)
        with self.assertRaises(ValueError):
            spca_bench.SparsePCA(cardinality=2).fit(holed)


if __name__ == "__main__":
    package.main()
