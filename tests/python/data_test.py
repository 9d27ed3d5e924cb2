"""Every form of data. Run by ctest, or: /usr/bin/python3 tests/python/data_test.py"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import package

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()


def loadings(x, **arguments):
    answer = spca_bench.solve(x, 3, **arguments)
    return [(c.indices.tolist(), c.values.tolist()) for c in answer.components]


def copies_of_data(made):
    """Returns the growth of the peak of resident memory as x is read, as a multiple of `size`. The
    code `made` defines x and `size`."""
    program = f"""
import resource, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import spca_bench
{made}
spca_bench.data(np.eye(3))
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
d = spca_bench.data(x)
print((peak() - before) / size)
"""
    command = [sys.executable, "-c", program, package.folder()]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


class Column:
    def __init__(self, values):
        self.values = values

    def to_numpy(self):
        return self.values


class Table:
    """A stand-in for a table of polars or pyarrow, which Debian does not have; tests/wheel_check.py
    tests the packages themselves."""

    def __init__(self, names, x):
        self.names, self.shape = names, x.shape
        self.columns_of_numbers = [Column(column) for column in x.T]

    def __arrow_c_stream__(self, requested_schema=None):
        raise NotImplementedError


class PolarsLike(Table):
    @property
    def columns(self):
        return self.names

    def get_columns(self):
        return self.columns_of_numbers


class ArrowLike(Table):
    @property
    def columns(self):
        return self.columns_of_numbers

    @property
    def column_names(self):
        return self.names


class AnnData:
    """A stand-in for the class of the package anndata."""

    def __init__(self, x):
        self.X, self.layers, self.var_names = x, {"counts": x}, [f"g{j}" for j in range(x.shape[1])]


class Dense(unittest.TestCase):
    def setUp(self):
        self.x = np.random.RandomState(1).randint(-50, 50, (40, 9)).astype(np.float64)

    def test_layout_type_and_permissions_do_not_matter(self):
        x = self.x
        read_only = x.copy()
        read_only.flags.writeable = False
        wide = np.zeros((80, 27))
        wide[::2, ::3] = x
        unaligned = np.frombuffer(b"\0" + x.tobytes(), dtype=np.float64, offset=1, count=x.size).reshape(x.shape)
        forms = {
            "fortran": np.asfortranarray(x),
            "read only": read_only,
            "strided": wide[::2, ::3],
            "reversed": x[::-1, ::-1].copy()[::-1, ::-1],
            "unaligned": unaligned,
            "big endian": x.astype(">f8"),
            "list": x.tolist(),
            **{str(np.dtype(kind)): x.astype(kind) for kind in (np.float32, np.float16, np.int8, np.int64, object)},
        }
        for name, form in forms.items():
            with self.subTest(name):
                before = np.array(form, copy=True)
                self.assertEqual(loadings(form), loadings(x))
                np.testing.assert_array_equal(np.asarray(form), before)

    def test_a_data_frame_gives_its_names(self):
        pandas = package.need("pandas", "python3-pandas")
        names = [f"v{i}" for i in range(9)]
        frame = pandas.DataFrame(self.x, columns=names)
        self.assertEqual(loadings(frame), loadings(self.x))
        component = spca_bench.solve(frame, 3).components[0]
        self.assertEqual(component.names, [names[i] for i in component.indices])
        self.assertEqual(spca_bench.data(pandas.DataFrame(self.x)).names, [])

    def test_labels_of_every_type_become_names(self):
        pandas = package.need("pandas", "python3-pandas")
        levels = pandas.MultiIndex.from_product([["a", "b", "c"], [1, 2, 3]])
        for labels, names in [
            (range(2001, 2010), [str(year) for year in range(2001, 2010)]),
            (range(1, 10), [str(place) for place in range(1, 10)]),
            (["a", 1, 2.5, None, *"efghi"], ["a", "1", "2.5", "None", *"efghi"]),
            (levels, [f"{letter}, {number}" for letter, number in levels]),
        ]:
            with self.subTest(names[0]):
                frame = pandas.DataFrame(self.x, columns=labels)
                answer = spca_bench.solve(frame, 3)
                expected = [names[i] for i in answer.components[0].indices]
                self.assertEqual(answer.to_frame().index.tolist(), expected)
                self.assertIn(f"{expected[0]} ", answer._repr_html_())
        covariance = pandas.DataFrame(self.x).set_axis(range(2001, 2010), axis=1).cov()
        names = spca_bench.solve(covariance, 3, covariance=True).components[0].names
        self.assertTrue(set(names) <= {str(year) for year in covariance.columns}, names)
        with self.assertRaisesRegex(ValueError, "^x: row 1 is called '2009', and column 1 '2001'; accepted"):
            spca_bench.solve(covariance.loc[::-1], 3, covariance=True)

    def test_a_table_of_polars_or_arrow_gives_its_names(self):
        names = [f"v{i}" for i in range(9)]
        for table in [PolarsLike(names, self.x), ArrowLike(names, self.x)]:
            with self.subTest(type(table).__name__):
                self.assertEqual(loadings(table), loadings(self.x))
                component = spca_bench.solve(table, 3).components[0]
                self.assertEqual(component.names, [names[i] for i in component.indices])
                table.columns_of_numbers[4] = Column(np.array(["text"] * len(self.x), dtype=object))
                with self.assertRaisesRegex(ValueError, r"column 5 \(v4\), row 1: found 'text'; accepted: a number"):
                    spca_bench.solve(table, 3)

    def test_a_covariance_has_the_answer_of_its_data(self):
        s = np.cov(self.x.T, bias=True)
        ours, data = spca_bench.solve(s, 3, covariance=True), spca_bench.solve(self.x, 3)
        self.assertEqual(ours.supports[0].tolist(), data.supports[0].tolist())
        self.assertAlmostEqual(ours.explained_variance, data.explained_variance, places=9)

    def test_what_is_no_data_is_refused_by_name(self):
        wrong = {
            "row 2, column 3": np.where(np.arange(360).reshape(40, 9) == 11, np.nan, self.x),
            "dimensions": self.x[0],
            "complex": self.x.astype(complex),
            "found text": [["a", "b"], ["c", "d"]],
            "0 columns": np.zeros((3, 0)),
            "1 row": self.x[:1],
        }
        for why, x in wrong.items():
            with self.subTest(why), self.assertRaisesRegex(ValueError, f"^x: .*{why}.*accepted"):
                spca_bench.data(x)
        for why, s in {"square": self.x, "symmetric": np.tri(3), "semidefinite": -np.eye(3)}.items():
            with self.subTest(why), self.assertRaisesRegex(ValueError, f"^x: .*{why}.*"):
                spca_bench.data(s, covariance=True)

    def test_an_anndata_is_refused_with_what_to_pass(self):
        adata = AnnData(self.x)
        answer = spca_bench.solve(spca_bench.data(adata.X, names=adata.var_names), 3)
        self.assertEqual(answer.components[0].names[0][0], "g")
        calls = [
            lambda: spca_bench.solve(adata, 3),
            lambda: spca_bench.certify(adata, answer),
            lambda: spca_bench.plot_components(adata, answer),
        ]
        for call in calls:
            with self.assertRaisesRegex(ValueError, r"^x: found AnnData; accepted: .*x\.X or .*names=list\(x.var_names"):
                call()

    def test_one_copy_of_the_data_is_made(self):
        # A copy of x takes 200 MB. The peak would show a second one, even for a moment.
        for kind, order in [("f8", "C"), ("f8", "F"), ("f4", "C")]:
            copies = copies_of_data(
                f"x = np.ones((5000, 5000), dtype={kind!r}, order={order!r})\nx[::2] = 0\nsize = 8 * x.size"
            )
            # Beside the copy, the means and variances take less than a thousandth of X.
            self.assertLess(copies, 1.1, (kind, order))
            self.assertGreater(copies, 0.9, (kind, order))


class Sparse(unittest.TestCase):
    def setUp(self):
        self.scipy = package.need("scipy.sparse", "python3-scipy")
        rng = np.random.RandomState(2)
        self.x = np.where(rng.rand(50, 12) < 0.2, rng.randint(1, 9, (50, 12)), 0).astype(np.float64)

    def test_rows_and_columns_are_copied_once(self):
        copies = copies_of_data("""import scipy.sparse
rows, columns = np.arange(0, 5_000_001, 1000, dtype="i4"), np.tile(np.arange(0, 5000, 5, dtype="i4"), 5000)
x = scipy.sparse.csr_matrix((np.ones(5_000_000), columns, rows), shape=(5000, 5000))
size = x.data.nbytes + x.indices.nbytes + x.indptr.nbytes""")
        self.assertLess(copies, 2.2)
        self.assertGreater(copies, 1.8)

    def test_every_format_has_one_answer(self):
        rows = self.scipy.csr_matrix(self.x)
        expected = loadings(rows)
        long = rows.copy()
        long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
        long_columns = self.scipy.csc_matrix(self.x)
        long_columns.indices, long_columns.indptr = long_columns.indices.astype(np.int64), long_columns.indptr.astype(np.int64)
        doubled = self.scipy.coo_matrix(self.x)
        doubled = self.scipy.coo_matrix(
            (np.tile(doubled.data / 2, 2), (np.tile(doubled.row, 2), np.tile(doubled.col, 2))), shape=self.x.shape
        )
        unsorted = self.scipy.csr_matrix(self.x[:, ::-1])
        unsorted = self.scipy.csr_matrix((unsorted.data, 11 - unsorted.indices, unsorted.indptr), shape=self.x.shape)
        zeros = rows.copy()
        forms = {
            "csc": self.scipy.csc_matrix(self.x),
            "int64 rows": long,
            "int64 columns": long_columns,
            "coo with duplicates": doubled,
            "unsorted": unsorted,
            "float32": rows.astype(np.float32),
            "int": rows.astype(np.int32),
            "array": self.scipy.csr_array(self.x),
            "lil": zeros.tolil(),
        }
        for name, form in forms.items():
            with self.subTest(name):
                self.assertEqual(loadings(form), expected)

    def test_standardised_data_are_those_of_dense_data(self):
        x = np.random.default_rng(1).poisson(0.4, (60, 8)) * np.arange(1.0, 9)
        x[:, 3] = 2
        expected = spca_bench.data(x, standardize=True)
        np.testing.assert_allclose(expected.diagonal, [1, 1, 1, 0, 1, 1, 1, 1], atol=1e-12)
        for form in (self.scipy.csr_matrix, self.scipy.csc_matrix):
            for copy in (True, False):
                found = spca_bench.data(form(x), standardize=True, copy=copy)
                np.testing.assert_allclose(found.diagonal, expected.diagonal, atol=1e-12)
                np.testing.assert_allclose(found.samples(), expected.samples(), atol=1e-12)
        for refused in ({"center": False}, {"scale": "n-1"}):
            with self.assertRaisesRegex(ValueError, "standardised data are centred, and their scale is n"):
                spca_bench.data(x, standardize=True, **refused)
        with self.assertRaisesRegex(ValueError, "^standardize: found True; accepted: False for a covariance"):
            spca_bench.data(np.eye(3), covariance=True, standardize=True)

    def test_rows_that_are_not_copied_are_the_same_and_live_as_long_as_the_data(self):
        rows = self.scipy.csr_matrix(self.x)
        expected = loadings(spca_bench.data(rows))
        held = sys.getrefcount(rows.indices)
        used = spca_bench.data(rows, copy=False)
        self.assertGreater(sys.getrefcount(rows.indices), held)
        self.assertEqual(loadings(used), expected)
        # Memory that was freed would be given out again.
        del rows
        others = [np.full(len(self.x), 7.0) for _ in range(1000)]
        self.assertEqual(loadings(used), expected)
        self.assertEqual(len(others), 1000)
        rows = self.scipy.csr_matrix(self.x)
        held = sys.getrefcount(rows.indices)
        spca_bench.data(rows, copy=False)
        self.assertEqual(sys.getrefcount(rows.indices), held)

    def test_centring_is_that_of_dense_data(self):
        for center in (True, False):
            dense, sparse = (spca_bench.data(x, center=center) for x in (self.x, self.scipy.csr_matrix(self.x)))
            np.testing.assert_allclose(sparse.diagonal, dense.diagonal, rtol=1e-12)

    def test_large_means_keep_the_digits_of_dense_data(self):
        random = np.random.default_rng(3)
        noise = 2 * random.normal(size=(200, 1)) + random.normal(size=(200, 6))
        for mean in (1, 1e6, 1e8, 1e12):
            x = noise + mean
            x[7, 0] = 0
            expected = spca_bench.solve(x, 3, solver="exhaustive").upper_bound
            for form in (self.scipy.csr_matrix, self.scipy.csc_matrix):
                for copy in (True, False):
                    data = spca_bench.data(form(x), copy=copy)
                    for solver in ("exhaustive", "branch-bound"):
                        answer = spca_bench.solve(data, 3, solver=solver)
                        self.assertLessEqual(abs(answer.upper_bound - expected), 1e-12 * expected, (mean, solver))
                    np.testing.assert_array_equal(form(x).toarray(), x)

    def test_malformed_ones_are_refused(self):
        good = self.scipy.csr_matrix(self.x)
        broken = good.copy()
        broken.indices = broken.indices.copy()
        broken.indices[3] = 99
        broken.has_canonical_format = True
        with self.assertRaisesRegex(ValueError, "^x: .*index 99"):
            spca_bench.data(broken)
        short = good.copy()
        short.indptr = short.indptr.copy()
        short.indptr[-1] -= 1
        short.has_canonical_format = True
        with self.assertRaisesRegex(ValueError, "^x: .*indptr"):
            spca_bench.data(short)
        # These matrices are not marked as sorted, so SciPy would sort their entries, and crash.
        for place, start in ((2, 10**6), (2, -5), (0, 1), (-1, 10**6)):
            for form in ("csr", "csc"):
                torn = good.asformat(form).copy()
                torn.indptr = torn.indptr.copy()
                torn.indptr[place] = start
                with self.subTest(place=place, start=start, form=form):
                    with self.assertRaisesRegex(ValueError, "^x: .*indptr.*accepted"):
                        spca_bench.data(torn)
        infinite = good.copy()
        infinite.data[0] = np.inf
        with self.assertRaisesRegex(ValueError, "^x: .*inf.*accepted: finite"):
            spca_bench.data(infinite)
        with self.assertRaisesRegex(ValueError, "^x: .*sparse"):
            spca_bench.data(self.scipy.identity(3), covariance=True)


class Named(unittest.TestCase):
    def test_a_file_is_read_as_the_data_set_of_that_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "x.csv")
            pathlib.Path(path).write_text("a;b\n1,5;2\n3;4,5\n2;2\n")
            read = spca_bench.load_dataset("file", options={"path": path, "decimal": "comma"})
            self.assertEqual((read.n, read.names), (3, ["a", "b"]))
            with self.assertRaisesRegex(ValueError, r'^x: .*x\.csv.*load_dataset\("file", options='):
                spca_bench.solve(path, 1)

    def test_a_path_that_is_wrong_names_what_can_be_said(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.csv"
            with self.assertRaisesRegex(FileNotFoundError, r"x\.csv: cannot be opened"):
                spca_bench.solve(path, 1)
            path.write_text("a,b\n1,2\n3,text\n2,2\n")
            with self.assertRaisesRegex(ValueError, r'`drop`.*load_dataset\("file", options='):
                spca_bench.solve(path, 1)

    def test_a_data_set_has_names_truth_and_options(self):
        self.assertEqual(spca_bench.load_dataset("pitprops").names[0], "topdiam")
        spiked = spca_bench.load_dataset("spiked", seed=3)
        self.assertTrue(spiked.truth)
        self.assertNotEqual(spiked.diagonal.tolist(), spca_bench.load_dataset("spiked", seed=4).diagonal.tolist())

    def test_samples_are_those_of_which_s_is_the_covariance(self):
        x = np.random.RandomState(0).randn(20, 6)
        samples = spca_bench.data(x, scale="n-1").samples()
        np.testing.assert_allclose(samples, (x - x.mean(axis=0)) / np.sqrt(19), rtol=1e-12, atol=1e-14)
        with self.assertRaisesRegex(ValueError, "^samples: "):
            spca_bench.load_dataset("pitprops").samples()

    def test_read_data_serve_many_solves(self):
        read = spca_bench.data(np.random.RandomState(0).randn(20, 6))
        self.assertEqual(loadings(read), loadings(read))
        self.assertIs(spca_bench.data(read), read)


if __name__ == "__main__":
    package.main()
