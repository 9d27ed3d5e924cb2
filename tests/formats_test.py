"""Files that SciPy and h5py write are read as what they are, and damaged ones end in one line. Each file is converted to
.spca and compared, byte for byte, with the same matrix from a CSV file.
Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/formats_test.py"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROGRAM = os.environ["SPCA_PROGRAM"]
SKIPPED = 77  # the code that tests/CMakeLists.txt declares to ctest

try:
    import numpy
    import scipy.sparse
except ImportError as error:
    print(f"needs scipy (Debian: python3-scipy): {error}")
    sys.exit(SKIPPED)
try:
    import h5py
except ImportError:
    h5py = None

NAMES = ["gene-a", "gène-b", "c", "d", "e"]


def matrix(seed=1, rows=7):
    """Numbers of which half are zero, with an empty row and an empty column."""
    random = numpy.random.default_rng(seed)
    values = numpy.round(random.normal(size=(rows, 5)), 3) * (random.random((rows, 5)) < 0.5)
    values[2, :] = 0
    values[:, 3] = 0
    return values


class Files(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def converted(self, name):
        out = self.folder / "out.spca"
        finished = subprocess.run([PROGRAM, "convert", name, out], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return out.read_bytes()

    def expect(self, name, values, names=()):
        lines = [",".join(f'"{word}"' for word in names)] if names else []
        lines += [",".join(repr(float(value)) for value in row) for row in values]
        (self.folder / "same.csv").write_text("\n".join(lines) + "\n")
        self.assertEqual(self.converted(name), self.converted("same.csv"), name)

    def expect_error(self, name, *parts):
        """Exit code 2 and one line with the file's name and every part."""
        command = [PROGRAM, "solve", "--data", name, "--solver", "tpower", "--cardinality", "1"]
        finished = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(finished.returncode, 2, finished.stderr)
        self.assertEqual(finished.stdout, "")
        self.assertEqual(finished.stderr.count("\n"), 1, finished.stderr)
        for part in (name.split(":")[0], *parts):
            self.assertIn(part, finished.stderr)


class Npz(Files):
    def save(self, values, **options):
        scipy.sparse.save_npz(self.folder / "x.npz", values, **options)

    def rewrite(self, **arrays):
        """x.npz again, with some arrays replaced; None leaves one out."""
        with numpy.load(self.folder / "x.npz") as old:
            kept = {name: old[name] for name in old.files}
        kept.update(arrays)
        numpy.savez(self.folder / "y.npz", **{name: array for name, array in kept.items() if array is not None})

    def test_every_layout_type_and_packing_is_read(self):
        values = matrix()
        for form in (scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix):
            for compressed in (True, False):
                self.save(form(values), compressed=compressed)
                self.expect("x.npz", values)
        for kind in ("int8", "uint16", "int64", "float32", "bool", ">f8"):
            whole = (matrix(2) > 0).astype(kind)
            self.save(scipy.sparse.csr_matrix(whole))
            self.expect("x.npz", whole)

    def test_wide_indices_and_indices_in_any_order_are_read(self):
        values = matrix(3)
        sparse = scipy.sparse.csr_matrix(values)
        self.save(sparse)
        self.rewrite(indices=sparse.indices.astype("int64"), indptr=sparse.indptr.astype(">i8"))
        self.expect("y.npz", values)
        backwards = scipy.sparse.csr_matrix(
            (sparse.data[::-1], sparse.indices[::-1], sparse.nnz - sparse.indptr[::-1]), shape=sparse.shape
        )
        self.save(backwards)
        self.expect("x.npz", values[::-1])

    def test_large_means_keep_the_digits_of_dense_data(self):
        random = numpy.random.default_rng(6)
        noise = 2 * random.normal(size=(200, 1)) + random.normal(size=(200, 6))
        for mean in (1.0, 1e7, 1e12):
            values = noise + mean
            values[11, 2] = 0
            numpy.save(self.folder / "d.npy", values)
            files = ["d.npy"]
            for form in ("csr", "csc", "coo"):
                scipy.sparse.save_npz(self.folder / f"{form}.npz", scipy.sparse.csr_matrix(values).asformat(form))
                files.append(f"{form}.npz")
            if h5py is not None:
                with h5py.File(self.folder / "x.h5ad", "w") as file:
                    for form in ("csr", "csc"):
                        sparse = scipy.sparse.csr_matrix(values).asformat(form)
                        group = file.create_group(form)
                        group.attrs["encoding-type"] = f"{form}_matrix"
                        group.attrs["shape"] = sparse.shape
                        group["data"], group["indices"], group["indptr"] = sparse.data, sparse.indices, sparse.indptr
                        files.append(f"x.h5ad:{form}")
            for more in ((), ("--standardize",)):
                bounds = {}
                for name in files:
                    command = [PROGRAM, "solve", "--json", "--data", name, "--solver", "branch-bound", "--cardinality", "3", *more]
                    finished = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
                    bounds[name] = json.loads(finished.stdout)["upper_bound"]
                for name, bound in bounds.items():
                    self.assertLessEqual(abs(bound - bounds["d.npy"]), 1e-12 * bound, (mean, name, more))

    def test_a_large_matrix_is_read(self):
        random = numpy.random.default_rng(5)
        values = scipy.sparse.random(3000, 400, 0.05, "csr", random_state=random)
        self.save(values)
        self.expect("x.npz", values.toarray())

    def test_wrong_arrays_end_in_one_line(self):
        sparse = scipy.sparse.csr_matrix(matrix())
        self.save(sparse)
        self.rewrite(indices=numpy.full_like(sparse.indices, 5))
        self.expect_error("y.npz", "found column 5 in entry 0", "accepted: 0 to 4")
        self.rewrite(indices=-sparse.indices - 1)
        self.expect_error("y.npz", "found column -")
        self.rewrite(indices=numpy.full(sparse.nnz, 2**62))
        self.expect_error("y.npz", "accepted: 0 to 4")
        self.rewrite(indices=numpy.zeros_like(sparse.indices))
        self.expect_error("y.npz", "column 0 a second time")
        self.rewrite(indices=sparse.indices[:-1])
        self.expect_error("y.npz", "as many indices as values")
        self.rewrite(indptr=sparse.indptr[::-1])
        self.expect_error("y.npz", "do not ascend from 0")
        self.rewrite(indptr=sparse.indptr[:-1])
        self.expect_error("y.npz", "starts", "one more than rows")
        self.rewrite(indices=sparse.indices.astype(float))
        self.expect_error("y.npz", "indices.npy", "found no integers")
        self.rewrite(data=sparse.data.astype(complex))
        self.expect_error("y.npz", "data.npy", "found data of type")
        self.rewrite(data=numpy.where(numpy.arange(sparse.nnz) == 1, numpy.nan, sparse.data))
        self.expect_error("y.npz", "nan in row", "accepted: finite numbers")
        self.rewrite(shape=numpy.array([7, 5, 1]))
        self.expect_error("y.npz", "3 dimensions")
        self.rewrite(shape=numpy.array([2**40, 5]))
        self.expect_error("y.npz", "rows")
        self.rewrite(format=numpy.array(b"bsr"))
        self.expect_error("y.npz", '"bsr"', "csr, csc, coo")
        self.rewrite(indptr=None)
        self.expect_error("y.npz", "has no member indptr.npy")

    def test_dense_arrays_are_read_and_chosen_by_name(self):
        values = matrix(11)
        numpy.savez(self.folder / "x.npz", values)
        self.expect("x.npz", values)
        numpy.savez_compressed(self.folder / "x.npz", X=numpy.asfortranarray(values), names=numpy.array(NAMES), y=numpy.arange(7))
        self.expect("x.npz", values)
        self.expect("x.npz:X", values)
        self.expect_error("x.npz:y", "x.npz:y.npy: found an array of shape (7,)")
        numpy.savez(self.folder / "x.npz", a=values, b=2 * values, objects=numpy.array([{}], dtype=object))
        self.expect_error("x.npz", "2 matrices", "FILE:ARRAY", "a, b")
        self.expect("x.npz:b", 2 * values)
        self.expect_error("x.npz:c", 'no array "c"', "a (7, 5), b (7, 5), objects")
        numpy.savez(self.folder / "x.npz", y=numpy.arange(7), z=numpy.zeros((2, 3, 4)))
        self.expect_error("x.npz", "has the arrays y (7,), z (2, 3, 4)", "save_npz")
        numpy.savez(self.folder / "x.npz", y=values + 1j)
        self.expect_error("x.npz", "x.npz:y.npy: found data of type", "c16")

    def test_other_archives_are_named(self):
        for members, parts in (
            (["x.csv"], ("zip archive of x.csv", "unzip -p x.zip 'x.csv' | spca solve --data -")),
            (["a.csv", "b.csv"], ("zip archive of a.csv, b.csv", "unzip x.zip")),
            (["xl/workbook.xml", "[Content_Types].xml"], ("Excel", "read_excel")),
            (["word/document.xml"], ("Word",)),
            (["mimetype", "content.xml"], ("LibreOffice", "CSV")),
            (["archive/data.pkl", "archive/data/0"], ("PyTorch", "torch.load")),
        ):
            with zipfile.ZipFile(self.folder / "x.zip", "w") as archive:
                for member in members:
                    archive.writestr(member, "1,2\n3,4\n")
            self.expect_error("x.zip", *parts)

    def test_damaged_archives_end_in_one_line(self):
        self.save(scipy.sparse.csr_matrix(matrix()))
        good = (self.folder / "x.npz").read_bytes()
        (self.folder / "short.npz").write_bytes(good[: len(good) // 2])
        self.expect_error("short.npz", "truncated or no zip file")
        self.save(scipy.sparse.csr_matrix(matrix()), compressed=False)
        good = (self.folder / "x.npz").read_bytes()
        at = good.index(scipy.sparse.csr_matrix(matrix()).data.tobytes())
        (self.folder / "bad.npz").write_bytes(good[:at] + bytes([good[at] ^ 255]) + good[at + 1 :])
        self.expect_error("bad.npz", "data.npy", "unzip -t")
        with zipfile.ZipFile(self.folder / "lzma.npz", "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("format.npy", b"x")
        self.expect_error("lzma.npz", "packed by method 14")


@unittest.skipUnless(h5py, "needs h5py (Debian: python3-h5py)")
class Hdf5(Files):
    def anndata(self, values, form="csr", text=None):
        """As AnnData lays it out: X, layers/counts, and var with the names."""
        with h5py.File(self.folder / "x.h5ad", "w") as file:
            for place, numbers in (("X", values), ("layers/counts", 2 * values)):
                if form == "dense":
                    file.create_dataset(place, data=numbers, chunks=(3, 2), compression="gzip", shuffle=True)
                    continue
                sparse = scipy.sparse.csr_matrix(numbers) if form == "csr" else scipy.sparse.csc_matrix(numbers)
                group = file.create_group(place)
                group.attrs["encoding-type"] = f"{form}_matrix"
                group.attrs["encoding-version"] = "0.1.0"
                group.attrs["shape"] = numbers.shape
                for part in ("data", "indices", "indptr"):
                    group.create_dataset(part, data=getattr(sparse, part), compression="gzip")
            var = file.create_group("var")
            var.attrs["_index"] = "gene_ids"
            var.create_dataset("gene_ids", data=numpy.array(NAMES, dtype=text or h5py.string_dtype()))

    def change(self, action):
        with h5py.File(self.folder / "x.h5ad", "r+") as file:
            action(file)

    def test_anndata_is_read_with_its_names(self):
        values = matrix()
        for form in ("csr", "csc", "dense"):
            self.anndata(values, form)
            self.expect("x.h5ad", values, NAMES)
            self.expect("x.h5ad:X", values, NAMES)
            self.expect("x.h5ad:/layers/counts", 2 * values, NAMES)

    def test_names_of_fixed_length_and_older_attributes_are_read(self):
        self.anndata(matrix())
        self.change(lambda file: file["var"].pop("gene_ids"))
        self.change(lambda file: file["var"].create_dataset("gene_ids", data=[b"a", b"bb", b"c", b"d", b"e"]))

        def make_older(file):
            del file["X"].attrs["encoding-type"]
            del file["X"].attrs["shape"]
            file["X"].attrs["h5sparse_format"] = numpy.bytes_("csr")
            file["X"].attrs["h5sparse_shape"] = (7, 5)

        self.change(make_older)
        self.expect("x.h5ad", matrix(), ["a", "bb", "c", "d", "e"])

    def test_names_that_are_categories_or_may_be_missing_are_read(self):
        for make in (self.categories, self.nullable):
            self.anndata(matrix())
            self.change(lambda file, make=make: (file["var"].pop("gene_ids"), make(file["var"].create_group("gene_ids"))))
            self.expect("x.h5ad", matrix(), NAMES)
        self.change(lambda file: (file["var"]["gene_ids"].pop("values"), file["var"]["gene_ids"].create_dataset("values", data=[1.5] * 5)))
        self.assertIn("names at /var/gene_ids", self.solved("x.h5ad")[1])

    def test_names_in_records_are_read(self):
        self.anndata(matrix())
        for text in ("S7", h5py.string_dtype()):
            records = numpy.zeros(5, dtype=[("count", "i4"), ("index", text)])
            records["index"] = [name.encode() for name in NAMES]
            self.change(lambda file, records=records: (file.pop("var"), file.create_dataset("var", data=records)))
            self.expect("x.h5ad", matrix(), NAMES)

    @staticmethod
    def categories(group):
        group.attrs["encoding-type"] = "categorical"
        group.create_dataset("categories", data=numpy.array(NAMES[::-1], dtype=h5py.string_dtype()))
        group.create_dataset("codes", data=numpy.arange(4, -1, -1, dtype="int8"))

    @staticmethod
    def nullable(group):
        group.attrs["encoding-type"] = "nullable-string-array"
        group.create_dataset("values", data=numpy.array(NAMES, dtype=h5py.string_dtype()))
        group.create_dataset("mask", data=numpy.zeros(5, dtype=bool))

    def solved(self, name, *more):
        """The scores' first column, and standard error."""
        command = [PROGRAM, "solve", "--data", name, "--solver", "tpower", "--cardinality", "1", "--scores", "s.csv", *more]
        finished = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return [line.split(",")[0] for line in (self.folder / "s.csv").read_text().splitlines()[1:]], finished.stderr

    def ten_x(self, file, values, group="matrix", older=False):
        """Cells x genes, written as Cell Ranger does: genes x cells by columns."""
        sparse = scipy.sparse.csc_matrix(values.T)
        matrix_group = file.create_group(group)
        for part in ("data", "indices", "indptr"):
            matrix_group.create_dataset(part, data=getattr(sparse, part), compression="gzip")
        matrix_group["shape"] = numpy.array(sparse.shape, dtype="int32")
        matrix_group["barcodes"] = [f"CELL-{i}".encode() for i in range(values.shape[0])]
        names = numpy.array([name.encode() for name in NAMES])
        if older:
            matrix_group["gene_names"] = names
            matrix_group["genes"] = [f"ENSG{i}".encode() for i in range(5)]
        else:
            matrix_group["features/name"] = names
            matrix_group["features/id"] = [f"ENSG{i}".encode() for i in range(5)]
            matrix_group["features/feature_type"] = [b"Gene Expression"] * 3 + [b"Antibody Capture"] * 2

    def test_cells_of_ten_x_are_samples(self):
        values = matrix(8, rows=9)
        for older in (False, True):
            with h5py.File(self.folder / "filtered.h5", "w") as file:
                self.ten_x(file, values, "GRCh38" if older else "matrix", older)
            self.expect("filtered.h5", values, NAMES)
            samples, output = self.solved("filtered.h5")
            self.assertEqual(samples, [f"CELL-{i}" for i in range(9)])
            self.assertIn("genes x cells", output)
            self.assertEqual("features of 2 types: Antibody Capture, Gene Expression" in output, not older)
        with h5py.File(self.folder / "filtered.h5", "a") as file:
            self.ten_x(file, 2 * values, "mm10", True)
        self.expect_error("filtered.h5", "2 matrices", "MATRIX is one of GRCh38, mm10")
        self.expect("filtered.h5:mm10", 2 * values, NAMES)

    def test_molecules_of_ten_x_are_named(self):
        with h5py.File(self.folder / "molecule_info.h5", "w") as file:
            file["barcode_idx"], file["count"], file["umi"] = numpy.arange(5), numpy.arange(5), numpy.arange(5)
        self.expect_error("molecule_info.h5", "lists molecules", "filtered_feature_bc_matrix.h5")

    def test_loom_has_genes_as_rows(self):
        values = matrix(9)
        with h5py.File(self.folder / "x.loom", "w") as file:
            file["matrix"] = values.T
            file["layers/spliced"] = 2 * values.T
            file["row_attrs/Gene"] = numpy.array(NAMES, dtype=h5py.string_dtype())
            file["col_attrs/CellID"] = [f"c{i}".encode() for i in range(7)]
        self.expect("x.loom", values, NAMES)
        self.expect("x.loom:layers/spliced", 2 * values, NAMES)
        self.assertEqual(self.solved("x.loom")[0], [f"c{i}" for i in range(7)])

    def matlab(self, name, variables):
        """As MATLAB saves with -v7.3: a block of 512 bytes first, and arrays by columns."""
        with h5py.File(self.folder / name, "w", userblock_size=512) as file:
            for variable, (kind, numbers) in variables.items():
                if scipy.sparse.issparse(numbers):
                    sparse = scipy.sparse.csc_matrix(numbers)
                    place = file.create_group(variable)
                    place.attrs["MATLAB_sparse"] = numpy.uint64(sparse.shape[0])
                    place["data"], place["ir"], place["jc"] = sparse.data, sparse.indices.astype("uint64"), sparse.indptr.astype("uint64")
                else:
                    place = file.create_dataset(variable, data=numpy.asarray(numbers).T)
                place.attrs["MATLAB_class"] = numpy.bytes_(kind)
        with open(self.folder / name, "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Thu Nov 26 2026 HDF5 schema 1.00 .")

    def test_matlab_files_have_the_rows_that_matlab_shows(self):
        values = matrix(10)
        scalar, word = ("double", [[3.0]]), ("char", numpy.array([[104, 105]], dtype="uint16"))
        self.matlab("x.mat", {"A": ("double", values), "n": scalar, "label": word})
        self.expect("x.mat", values)
        self.expect("x.mat:A", values)
        self.expect_error("x.mat:label", 'class "char"', "MATRIX is one of A")
        self.matlab("x.mat", {"S": ("double", scipy.sparse.csc_matrix(values)), "n": scalar})
        self.expect("x.mat", values)
        self.matlab("x.mat", {"I": ("int8", numpy.round(values * 9).astype("int8"))})
        self.expect("x.mat", numpy.round(values * 9))
        self.matlab("x.mat", {"A": ("double", values), "B": ("double", values)})
        self.expect_error("x.mat", "2 matrices", "MATRIX is one of A, B")
        self.matlab("renamed", {"A": ("double", values)})
        self.expect("renamed", values)
        self.matlab("c.mat", {"C": ("double", values + 1j)})
        self.expect_error("c.mat", "complex numbers")
        self.matlab("v.mat", {"v": ("double", values[:, :1])})
        self.expect_error("v.mat", "MATRIX is one of v")

    def test_what_is_offered_can_be_read(self):
        with h5py.File(self.folder / "x.h5", "w") as file:
            for part in ("data", "indices", "indptr"):
                file[f"matrix/{part}"] = numpy.arange(3)
        self.expect_error("x.h5", "accepted: a file with a matrix of numbers")
        self.expect_error("x.h5:matrix", "encoding-type", "10x Genomics", "a file with a matrix")

    def test_data_sets_of_every_type_are_read(self):
        for kind in ("int8", "uint32", "int64", "float32", ">f8", "float16"):
            values = numpy.round(matrix(4) * 4).clip(0).astype(kind)
            with h5py.File(self.folder / "x.h5", "w") as file:
                file["numbers"] = values
            self.expect("x.h5", values)
            self.expect("x.h5:numbers", values)

    def test_more_than_a_message_of_numbers_is_read(self):
        random = numpy.random.default_rng(6)
        values = random.integers(0, 3, size=(1500, 1000))
        with h5py.File(self.folder / "x.h5", "w") as file:
            file.create_dataset("a/b", data=values, chunks=(700, 900), compression="gzip", compression_opts=1)
        self.expect("x.h5:a/b", values)

    def test_a_matrix_that_is_not_there_is_told_with_those_that_are(self):
        self.anndata(matrix())
        self.expect_error("x.h5ad:layers/none", "is not in the file", "X", "layers/counts")
        self.expect_error("x.h5ad:var/none/none", "is not in the file")
        self.expect_error("x.h5ad:var", "is a group with the encoding-type")
        self.expect_error("x.h5ad:var/gene_ids", "holds text")
        with h5py.File(self.folder / "two.h5", "w") as file:
            file["a"] = matrix()
            file["b"] = matrix()
        self.expect_error("two.h5", "has no X and 2 matrices", "a, b")
        with h5py.File(self.folder / "deep.h5", "w") as file:
            file["labels"] = numpy.zeros(7)
            file["runs/first/scores"] = matrix()
            file["runs/again"] = h5py.SoftLink("/runs")
        for name in ("deep.h5", "deep.h5:none", "deep.h5:runs/first"):
            self.expect_error(name, "MATRIX is one of", "runs/first/scores")

    def test_labels_beside_a_matrix_are_no_choice(self):
        with h5py.File(self.folder / "x.h5", "w") as file:
            file["labels"] = numpy.zeros(7)
            file["numbers"] = matrix()
        self.expect("x.h5", matrix())
        (self.folder / "t.csv").write_text("1,2\n3,4\n")
        self.expect_error("t.csv:X", "holds one matrix")

    def test_wrong_matrices_end_in_one_line(self):
        def replaced(part, array):
            self.anndata(matrix())
            self.change(lambda file: (file["X"].pop(part), file["X"].create_dataset(part, data=array)))

        sparse = scipy.sparse.csr_matrix(matrix())
        replaced("indices", numpy.full_like(sparse.indices, 7))
        self.expect_error("x.h5ad", "found column 7")
        replaced("indices", numpy.zeros_like(sparse.indices))
        self.expect_error("x.h5ad", "a second time")
        replaced("indices", sparse.indices[:-1])
        self.expect_error("x.h5ad", "as many indices as values")
        replaced("indices", sparse.indices.astype(float))
        self.expect_error("x.h5ad", "floating point numbers; accepted: integers")
        replaced("indptr", sparse.indptr[::-1])
        self.expect_error("x.h5ad", "do not ascend")
        replaced("data", numpy.where(numpy.arange(sparse.nnz) == 0, numpy.inf, sparse.data))
        self.expect_error("x.h5ad", "inf in row")
        replaced("data", [b"x"] * sparse.nnz)
        self.expect_error("x.h5ad", "holds text")
        self.anndata(matrix())
        self.change(lambda file: file["X"].attrs.modify("shape", (2**40, 5)))
        self.expect_error("x.h5ad", "rows")
        self.change(lambda file: file["X"].attrs.pop("shape"))
        self.expect_error("x.h5ad", "no attribute shape")
        with h5py.File(self.folder / "y.h5", "w") as file:
            file["a"] = numpy.zeros((2, 3, 4))
        self.expect_error("y.h5", "3 dimensions")
        with h5py.File(self.folder / "y.h5", "w") as file:
            file["a"] = numpy.array([[True, False], [True, True]])
        self.expect_error("y.h5", "booleans")
        with h5py.File(self.folder / "y.h5", "w") as file:
            file.create_dataset("a", shape=(10**6, 10**6), chunks=(100, 100))
        self.expect_error("y.h5", "announces 1000000 x 1000000 numbers", "every part was written")
        with h5py.File(self.folder / "y.h5", "w") as file:
            file.create_dataset("a", data=matrix(), compression="lzf")
        self.expect_error("y.h5", "lzf", "accepted: gzip")

    def test_damaged_files_end_in_one_line(self):
        self.anndata(matrix())
        good = (self.folder / "x.h5ad").read_bytes()
        (self.folder / "short.h5").write_bytes(good[: len(good) // 2])
        self.expect_error("short.h5", "h5dump")
        (self.folder / "text.h5").write_text("1,2\n3,4\n")
        self.expect_error("text.h5", "h5dump")
        # Whatever is changed: an answer or one line, and never a crash.
        random = numpy.random.default_rng(9)
        for _ in range(60):
            bad = bytearray(good)
            for at in random.integers(0, len(good), 8):
                bad[at] = random.integers(0, 256)
            (self.folder / "bad.h5").write_bytes(bytes(bad))
            command = [PROGRAM, "convert", "bad.h5", "out.spca"]
            finished = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertIn(finished.returncode, (0, 2), finished.stderr)


if __name__ == "__main__":
    unittest.main()
