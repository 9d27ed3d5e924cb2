"""Recipes of datasets/recipes on small originals, good and malformed, and `spca fetch` with recipes that behave and do
not. Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/recipes_test.py"""

import gzip
import importlib.util
import json
import os
import pathlib
import runpy
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.dont_write_bytecode = True
from fetch_test import PROGRAM, SOURCES, Fetch, sha256  # noqa: E402

RECIPES = SOURCES / "datasets/recipes"


def available(module):
    return importlib.util.find_spec(module) is not None


def r_string(text):
    return struct.pack(">ii", 9 | 64 << 12, len(text)) + text.encode()


def r_strings(*texts):
    return struct.pack(">ii", 16, len(texts)) + b"".join(map(r_string, texts))


def r_integers(*numbers, attributes=b""):
    flags = 13 | (512 if attributes else 0)
    return struct.pack(f">ii{len(numbers)}i", flags, len(numbers), *numbers) + attributes


def r_reals(*numbers, attributes=b""):
    flags = 14 | (512 if attributes else 0)
    return struct.pack(f">ii{len(numbers)}d", flags, len(numbers), *numbers) + attributes


def r_pairs(**members):
    """A list of named values, as R writes objects and attributes."""
    tag = struct.pack(">ii", 2 | 1024, 1)
    return b"".join(tag + r_string(name) + value for name, value in members.items()) + struct.pack(">i", 254)


def r_file(version=2, **objects):
    encoding = struct.pack(">i", 5) + b"UTF-8" if version == 3 else b""
    return b"RDX%d\nX\n" % version + struct.pack(">iii", version, 0, 0) + encoding + r_pairs(**objects)


class RecipeCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, recipe, original, *words, output="out.csv"):
        (self.folder / "original").write_bytes(original)
        return [str(RECIPES / f"{recipe}.py"), *words, "--", str(self.folder / "original"), str(self.folder / output)]

    def run_recipe(self, *words, **named):
        """Returns the message with which the recipe ends; nothing if it succeeds. It runs in this process, so that
        libraries are imported once."""
        command = self.command(*words, **named)
        with unittest.mock.patch.object(sys, "argv", command), unittest.mock.patch.object(sys, "path", [str(RECIPES), *sys.path]):
            try:
                runpy.run_path(command[0], run_name="__main__")
            except SystemExit as end:
                return end.code
        return None

    def makes(self, recipe, original, *words, output="out.csv"):
        self.assertIsNone(self.run_recipe(recipe, original, *words, output=output))
        return (self.folder / output).read_bytes()

    def refuses(self, recipe, original, *words, says):
        (self.folder / "out.csv").unlink(missing_ok=True)
        message = self.run_recipe(recipe, original, *words)
        self.assertEqual(len(message.splitlines()), 1, message)
        self.assertTrue(message.startswith("original: "), message)
        self.assertIn(says, message)
        self.assertFalse((self.folder / "out.csv").exists())


class Packing(RecipeCase):
    def test_a_packed_file_has_neither_time_nor_name(self):
        packed = self.makes("pack", b"word\n" * 1000, output="out.gz")
        self.assertEqual(packed[:10], bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255]))
        self.assertEqual(gzip.decompress(packed), b"word\n" * 1000)

    def test_what_is_no_xz_file_is_refused(self):
        self.refuses("pack", b"1,2\n", "--xz", says="cannot be read as xz")


class Columns(RecipeCase):
    TABLE = b"a,b,class\r\n1.50,,x\r\n3,4e2,y\r\n"

    def test_columns_keep_their_text(self):
        words = ["--skip-header", "--columns", "1-2", "--header", "*", "--empty", "NaN"]
        self.assertEqual(self.makes("split-csv", self.TABLE, *words), b"a,b\n1.50,NaN\n3,4e2\n")
        words = ["--skip-header", "--columns", "3,1", "--header", "v0#"]
        self.assertEqual(self.makes("split-csv", self.TABLE, *words), b"v0,v1\nx,1.50\ny,3\n")

    def test_tables_of_another_form_are_refused(self):
        self.refuses("split-csv", self.TABLE, "--columns", "4", says="found 3 columns; accepted: at least 4")
        self.refuses("split-csv", self.TABLE, "--columns", "1", "--width", "4", says="found 3 columns; accepted: 4")
        self.refuses("split-csv", b"1,2\n1\n", "--columns", "1", says="lines with different numbers of fields")
        self.refuses("split-csv", b"\xff\xfe1", "--columns", "1", says="cannot be read as text")
        self.refuses("split-csv", b"", "--columns", "1", says="found 0 lines")

    def test_blocks_of_rows(self):
        made = self.makes("blocks-of-rows", b"a\nb\nc\nd\n", "--rows", "2", "--header", "label")
        self.assertEqual(made, b"label\n0\n0\n1\n1\n")
        self.refuses("blocks-of-rows", b"a\nb\nc\n", "--rows", "2", "--header", "label", says="found 3 lines")


@unittest.skipUnless(available("numpy"), "needs python3-numpy")
class RData(RecipeCase):
    NAMES = struct.pack(">ii", 19, 2) + struct.pack(">i", 254) + r_strings("u", "v ")
    MATRIX = r_reals(1, -0.0, 0.1, 3e-7, attributes=r_pairs(dim=r_integers(2, 2), dimnames=NAMES))
    FACTOR = r_integers(2, 1, attributes=r_pairs(levels=r_strings("no", "yes")))

    def test_matrices_lists_and_factors(self):
        for version in (2, 3):
            saved = r_file(version, m=self.MATRIX, f=self.FACTOR)
            made = self.makes("r-data-to-csv", saved, "--object", "m", "--digits", "15", "--header", "*")
            self.assertEqual(made, b"u,v \n1,0.1\n0,3e-07\n")
            self.assertEqual(self.makes("r-data-to-csv", gzip.compress(saved), "--object", "f"), b"yes\nno\n")
        members = struct.pack(">ii", 19 | 512, 1) + self.MATRIX + r_pairs(names=r_strings("x"))
        made = self.makes("r-data-to-csv", r_file(all=members), "--object", "all$x", "--columns", "2")
        self.assertEqual(made, b"0.1\n3e-07\n")

    def test_what_is_malformed_is_refused(self):
        saved = r_file(m=self.MATRIX)
        words = ["--object", "m"]
        for length in (0, 5, 20, len(saved) // 2, len(saved) - 9):
            self.refuses("r-data-to-csv", saved[:length], *words, says="")
        self.refuses("r-data-to-csv", gzip.compress(saved)[:-20], *words, says="cannot be read as gzip")
        self.refuses("r-data-to-csv", b"PK\3\4" + bytes(100), *words, says="accepted: the beginning of R's RDX2")
        self.refuses("r-data-to-csv", saved, "--object", "other", says="found the objects m; accepted: other")
        self.refuses("r-data-to-csv", saved, "--object", "m$x", says="accepted: x")
        self.refuses("r-data-to-csv", saved, *words, "--rows", "1-3", says="found 2 rows; accepted: at least 3")
        huge = saved.replace(struct.pack(">ii", 14 | 512, 4), struct.pack(">ii", 14 | 512, 2**31 - 1))
        self.refuses("r-data-to-csv", huge, *words, says="the data of R end early")
        closure = r_file(m=struct.pack(">i", 3))
        self.refuses("r-data-to-csv", closure, *words, says="found an object of type 3")
        deep = r_file(m=struct.pack(">ii", 19, 1) * 1000)
        self.refuses("r-data-to-csv", deep, *words, says="a depth of at most")
        missing = r_file(m=r_reals(float("nan")))
        self.refuses("r-data-to-csv", missing, *words, says="missing or not finite")
        missing = r_file(m=r_integers(1, -(2**31)))
        self.refuses("r-data-to-csv", missing, *words, says="a whole number that is missing")


@unittest.skipUnless(available("numpy") and available("scipy"), "needs python3-scipy")
class Matlab(RecipeCase):
    def saved(self, **objects):
        import scipy.io

        scipy.io.savemat(self.folder / "saved.mat", objects)
        return (self.folder / "saved.mat").read_bytes()

    def test_matrices_and_counts(self):
        import numpy

        saved = self.saved(X=numpy.array([[0, 2.5, 1 / 3]]), Y=numpy.array([[0, 2], [1, 0]]))
        self.assertEqual(self.makes("matlab-to-csv", saved, "--object", "X"), b"0,2.5,0.3333333333333333\n")
        made = self.makes("matlab-to-csv", saved, "--object", "1x3", "--transpose", "--digits", "2")
        self.assertEqual(made, b"0\n2.5\n0.33\n")
        self.assertEqual(self.makes("matlab-to-docword", saved, "--object", "Y"), b"2\n2\n2\n1 2 2\n2 1 1\n")
        self.refuses("matlab-to-docword", saved, "--object", "X", says="accepted: a matrix of counts")
        self.refuses("matlab-to-csv", saved, "--object", "Z", says="accepted: Z")
        self.refuses("matlab-to-csv", saved[:200], "--object", "X", says="cannot be read as a MATLAB file")
        self.refuses("matlab-to-csv", b"1,2\n", "--object", "X", says="cannot be read as a MATLAB file")

    def test_words_for_numbers(self):
        import numpy

        saved = self.saved(Y=numpy.array([[1], [2], [3]]))
        words = ["--object", "Y", "--words", "a,b", "--header", "label"]
        self.refuses("matlab-to-csv", saved, *words, says="found the class 3; accepted: 1 to 2")
        made = self.makes("matlab-to-csv", saved, *words, "--rows", "1-2")
        self.assertEqual(made, b"label\na\nb\n")


@unittest.skipUnless(available("numpy") and available("h5py"), "needs python3-h5py")
class Jld(RecipeCase):
    def test_matrices(self):
        import h5py
        import numpy

        with h5py.File(self.folder / "saved.jld", "w") as file:
            file["a"] = numpy.array([[1.0, 2.0], [3.0, 4.0]])
            file["n"] = numpy.array([[1, numpy.nan, 0.5], [numpy.nan, 1, numpy.nan], [0.5, numpy.nan, 1]])
            file["cube"] = numpy.zeros((2, 2, 2))
        saved = (self.folder / "saved.jld").read_bytes()
        self.assertEqual(self.makes("jld-to-csv", saved, "--object", "a"), b"1,3\n2,4\n")
        self.assertEqual(self.makes("jld-to-csv", saved, "--object", "n", "--drop-undefined"), b"1,0.5\n0.5,1\n")
        self.refuses("jld-to-csv", saved, "--object", "n", says="missing or not finite")
        self.refuses("jld-to-csv", saved, "--object", "cube", says="found an array of 3 dimensions; accepted: a matrix")
        self.refuses("jld-to-csv", saved, "--object", "b", says="found the objects a, cube, n; accepted: b")
        self.refuses("jld-to-csv", saved[:800], "--object", "a", says="cannot be read as HDF5")


@unittest.skipUnless(available("numpy"), "needs python3-numpy")
class Choir(RecipeCase):
    def test_samples_and_classes(self):
        saved = struct.pack("<ii", 2, 3) + struct.pack("<ffi", 0.1, -1, 0) + struct.pack("<ffi", 0.25, 1, 2)
        self.assertEqual(self.makes("choir-to-csv", saved, "--header", "f#"), b"f1,f2\n0.1,-1\n0.25,1\n")
        self.assertEqual(self.makes("choir-to-csv", saved, "--classes", "--words", "a,b,c"), b"a\nc\n")
        self.refuses("choir-to-csv", saved[:-1], says="accepted: whole samples")
        self.refuses("choir-to-csv", b"\0", says="found 1 bytes; accepted: at least 8")


class Libraries(RecipeCase):
    def test_a_missing_library_is_named_with_its_package(self):
        for module, recipe, package in (
            ("numpy", "choir-to-csv", "python3-numpy"),
            ("h5py", "jld-to-csv", "python3-h5py"),
            ("scipy", "matlab-to-csv", "python3-scipy"),
        ):
            place = self.folder / f"without {module}"
            (place / module).mkdir(parents=True)
            (place / module / "__init__.py").write_text("raise ImportError('none')")
            words = [] if recipe == "choir-to-csv" else ["--object", "X"]
            environment = os.environ | {"PYTHONPATH": str(place)}
            command = [sys.executable, "-B", *self.command(recipe, bytes(100), *words)]
            finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
            self.assertEqual(finished.returncode, 1)
            self.assertEqual(len(finished.stderr.splitlines()), 1, finished.stderr)
            self.assertIn(f"Debian's package {package}", finished.stderr)


class Making(Fetch):
    """`spca fetch` of a file that a recipe makes."""

    NAME = "words/words.csv.gz"

    def setUp(self):
        super().setUp()
        self.original = b"b\na\n" * 1000
        self.server.files["one"] = self.original
        self.recipes = self.folder / "recipes"
        self.recipes.mkdir()
        self.recipe("import sys; open(sys.argv[-1], 'wb').write(open(sys.argv[-2], 'rb').read().upper())")
        self.made = self.original.upper()
        self.files = [{"name": self.NAME, "from": "one.txt", "recipe": ["upper"], **self.fingerprint(self.made)}]
        self.originals = {"one.txt": {"url": self.server.url("one"), **self.fingerprint(self.original)}}
        self.write_sources()

    def fingerprint(self, content):
        return {"bytes": len(content), "sha256": sha256(content)}

    def recipe(self, program):
        (self.recipes / "upper.py").write_text(program)

    originals = {}  # while Fetch.setUp() writes files that no recipe makes

    def write_sources(self, **others):
        super().write_sources(**others)
        path = self.folder / "sources.json"
        listed = {"originals": self.originals} if self.originals else {}
        path.write_text(json.dumps(listed | json.loads(path.read_text())))

    def environment(self):
        return super().environment() | {"SPCA_RECIPES": str(self.recipes), "TMPDIR": str(self.folder)}

    def making_fails(self, *words, says):
        finished = self.run_fetch("words", "--retries", "0", *words, code=3)
        self.assertEqual(len(finished.stdout.splitlines()), 1, finished.stdout)
        self.assertIn(f"{self.NAME}: failed: ", finished.stdout)
        self.assertIn(says, finished.stdout)
        self.assertEqual(list((self.data / "words").iterdir()), [])
        self.assertEqual(list(self.folder.glob("spca*")), [], "the folder of the recipe is removed")

    def test_a_file_is_made_and_its_original_is_kept(self):
        self.assertIn("made by recipe upper from " + self.server.url("one"), self.run_fetch("words", "--dry-run").stdout)
        self.assertIn("missing", self.run_fetch("words", "--check", code=3).stdout)
        self.assertEqual(self.run_fetch("words").stdout, f"{self.NAME}: ok, made\n")
        self.assertEqual((self.data / self.NAME).read_bytes(), self.made)
        self.assertEqual((self.data / "originals/one.txt").read_bytes(), self.original)
        self.assertEqual(self.run_fetch("words").stdout, f"{self.NAME}: ok, already present\n")
        (self.data / self.NAME).unlink()
        self.assertEqual(json.loads(self.run_fetch("words", "--json").stdout)["by_status"], {"made": 1})
        self.assertEqual(len(self.server.log), 1)

    def test_two_files_of_one_original_fetch_it_once(self):
        self.files.append(self.files[0] | {"name": "words/second.csv"})
        self.write_sources()
        self.assertEqual(self.run_fetch("words").stdout, f"{self.NAME}: ok, made\nwords/second.csv: ok, made\n")
        self.assertEqual(len(self.server.log), 1)

    def test_an_original_whose_length_is_unknown(self):
        self.originals["one.txt"] = {"url": self.server.url("one"), "unverified": "no copy was at hand"}
        self.write_sources()
        self.server.modes["one"] = "truncates"
        self.server.files["one"] = self.original * 100
        self.making_fails(says="ends after 100000 bytes")
        self.server.modes["one"] = "ok"
        self.making_fails(says="expected: ")  # a whole file, but another one
        self.assertFalse((self.data / "originals/one.txt").exists(), "a wrong original would be used again")
        self.server.files["one"] = self.original
        self.run_fetch("words")
        self.assertEqual((self.data / self.NAME).read_bytes(), self.made)

    def test_an_original_with_other_bytes_is_not_used(self):
        self.server.modes["one"] = "wrong bytes"
        self.making_fails(says="what came was deleted")
        self.assertFalse((self.data / "originals/one.txt").exists())

    def test_a_wrong_result_is_deleted(self):
        self.recipe("import sys; open(sys.argv[-1], 'w').write('x' * 4000)")
        self.making_fails(says=f"recipe upper: found SHA-256 {sha256(b'x' * 4000)}; expected: {sha256(self.made)}")

    def test_a_recipe_that_fails_says_why_in_a_line(self):
        self.recipe("import sys; sys.exit('one.txt: found nothing; accepted: something')")
        self.making_fails(says="recipe upper: one.txt: found nothing; accepted: something")
        self.recipe("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
        self.making_fails(says="recipe upper: killed by SIGSEGV")
        self.recipe("")
        self.making_fails(says="recipe upper: it ended without an output")
        (self.recipes / "upper.py").unlink()
        self.making_fails(says="there is no such recipe")

    def test_one_failure_stops_no_other(self):
        self.files.insert(0, self.files[0] | {"name": "words/first.csv", "recipe": ["lower"]})
        self.write_sources()
        self.run_fetch("words", code=3)
        self.assertEqual((self.data / self.NAME).read_bytes(), self.made)

    def test_a_recipe_that_hangs_is_stopped_with_its_children(self):
        self.recipe(
            "import subprocess, sys, time\n"
            f"child = subprocess.Popen(['sleep', '1000'])\n"
            f"open({str(self.folder / 'child')!r}, 'w').write(str(child.pid))\n"
            "time.sleep(1000)\n")
        self.making_fails("--recipe-limit", "2", says="recipe upper: it ran for 2 s and was stopped")
        child = int((self.folder / "child").read_text())
        self.assertFalse(pathlib.Path(f"/proc/{child}").exists())

    def test_an_output_that_is_too_large_ends_the_recipe(self):
        self.recipe("import sys; open(sys.argv[-1], 'wb').write(bytes(10_000_000))")
        self.making_fails(says="File too large")

    def test_memory_is_limited(self):
        self.recipe("bytearray(5_000_000_000)")
        self.making_fails(says="MemoryError")

    def test_a_recipe_has_no_network(self):
        commands = (["unshare", option, "true"] for option in ("-n", "-rn"))
        if all(subprocess.run(command, capture_output=True, check=False).returncode for command in commands):
            self.skipTest("the system lets no process give up its network")
        self.recipe(
            f"import sys, urllib.request; urllib.request.urlopen({self.server.url('one')!r}, timeout=5)")
        self.making_fails(says="recipe upper: urllib.error.URLError: ")
        self.assertEqual(len(self.server.log), 1)

    def test_ctrl_c_ends_the_recipe_too(self):
        started = self.folder / "started"
        self.recipe(
            f"import os, time; open({str(started)!r}, 'w').write(str(os.getpid())); time.sleep(1000)")
        process = subprocess.Popen(self.command("words"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment())
        self.wait_for(lambda: started.exists() and started.read_text())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        recipe = pathlib.Path(f"/proc/{started.read_text()}")
        self.wait_for(lambda: not recipe.exists())
        self.wait_for(lambda: not list(self.folder.glob("spca*")))
        self.assertFalse((self.data / self.NAME).exists())

    def wait_for(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_a_mirror_has_the_file_itself(self):
        (self.folder / "mirror/words").mkdir(parents=True)
        (self.folder / "mirror" / self.NAME).write_bytes(self.made)
        finished = self.run_fetch("words", "--url-base", (self.folder / "mirror").as_uri())
        self.assertEqual(finished.stdout, f"{self.NAME}: ok, fetched\n")

    def test_an_interpreter_that_is_missing_is_named(self):
        environment = self.environment() | {"SPCA_PYTHON": "python-of-nobody"}
        finished = subprocess.run(self.command("words"), capture_output=True, text=True, check=False, timeout=60,
                                  env=environment)
        self.assertEqual(finished.returncode, 3)
        self.assertIn("needs python-of-nobody, Debian's package python3", finished.stdout)

    def test_the_program_carries_its_recipes(self):
        packed = self.folder / "packed.gz"
        (self.folder / "one.txt").write_bytes(self.original)
        subprocess.run([sys.executable, "-B", RECIPES / "pack.py", self.folder / "one.txt", packed], check=True)
        self.files[0] |= {"recipe": ["pack"], "bytes": packed.stat().st_size, "sha256": sha256(packed.read_bytes())}
        self.write_sources()
        environment = self.environment() | {"SPCA_RECIPES": ""}
        finished = subprocess.run(self.command("words"), capture_output=True, text=True, check=False, timeout=60,
                                  env=environment)
        self.assertEqual(finished.stdout, f"{self.NAME}: ok, made\n", finished.stderr)

    def test_no_option_names_another_output(self):
        other = self.folder / "other"
        for words in (["--columns", "1", str(other)], ["--columns", "1", "--", str(other)], [str(other), "--columns"]):
            self.files[0] |= {"recipe": ["split-csv", *words]}
            self.write_sources()
            environment = self.environment() | {"SPCA_RECIPES": ""}
            finished = subprocess.run(self.command("words"), capture_output=True, text=True, check=False, timeout=60,
                                      env=environment)
            self.assertIn(f"{self.NAME}: failed: recipe split-csv: ", finished.stdout)
            self.assertFalse(other.exists())

    def test_sources_that_are_wrong(self):
        for change, says in (
            ({"from": "two.txt"}, "names of originals"),
            ({"recipe": ["../upper"]}, "the name of a program in datasets/recipes"),
            ({"recipe": []}, "/recipe"),
            ({"unverified": "no copy was at hand"}, "bytes and sha256"),
        ):
            kept = dict(self.files[0])
            self.files[0] |= change
            self.write_sources()
            finished = self.run_fetch("words", code=2)
            self.assertIn(says, finished.stderr)
            self.files[0] = kept
        self.originals["../x"] = self.originals["one.txt"]
        self.write_sources()
        self.assertIn("whose name is that of a file", self.run_fetch("words", code=2).stderr)


def main():
    version = subprocess.run([PROGRAM, "env", "--json"], capture_output=True, text=True, check=True).stdout
    if not json.loads(version)["libraries"].get("curl"):
        print("skipped: the program was built without libcurl")
        return 77
    names = ["Packing", "Columns", "RData", "Matlab", "Jld", "Choir", "Libraries", "Making"]
    return 0 if unittest.main(exit=False, defaultTest=names).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
