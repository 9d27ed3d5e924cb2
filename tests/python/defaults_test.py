"""The defaults of the command, of Python and of R are those of docs/DEFAULTS.md.
Run by ctest, or: /usr/bin/python3 tests/python/defaults_test.py"""

import inspect
import json
import re
import shutil
import sys
import tempfile
import unittest

import package

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()
sys.path.insert(0, str(package.SOURCES / "tests/r"))
import rbench  # noqa: E402
from report_runs import spca  # noqa: E402

PAGE = package.SOURCES / "docs/DEFAULTS.md"
# Defaults that a table gives in words instead of a literal.
IN_WORDS = {
    "the number of cardinalities",
    "those of the solver",
    "those of the data",
    "as asked for, else the nonzeros",
    "see below",
    "seven for one component, six for several",
    "by the number of entries",
    "some numbers up to 100",
}
# Defaults that a signature leaves to the program. test_what_a_signature_leaves_open_is_one_answer
# compares them.
LEFT_OPEN = {"deflation"}
# Arguments that have no default to be compared, or none by design ("What differs").
OTHERS = {"x", "object", "cardinality", "cardinalities", "components", "k", "...", "options"}


def tables():
    """For each table: the names of the command and of the functions, and its rows."""
    found = []
    for block in PAGE.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("| ")]
        if not lines or "default" not in lines[0]:
            continue
        head, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        command, python, r = (re.sub(r"^(Python|R): ", "", cell).strip("`") for cell in head[1:4])
        found.append((command.split()[-1], python, r, rows))
    return found


def name_in(cell):
    """The argument that a cell names; None for "-" and for an expression."""
    name = cell.strip("`")
    return name if re.fullmatch(r"[\w.-]*\w", name) else None


def said(value):
    """A default of Python or R in the words of the page."""
    if value is None or value == "NULL":
        return "none"
    return {"True": "yes", "TRUE": "yes", "False": "no", "FALSE": "no", "list()": "none"}.get(str(value), str(value).strip('"').removesuffix(".0"))


def helps(command):
    """The help of each option of a command, in one line."""
    texts = {}
    name = None
    for line in spca(command, "--help").stdout.splitlines():
        started = re.match(r"  (?:-\w, )?(--[\w-]+)(.*)", line)
        if started:
            name = started.group(1)
            texts[name] = started.group(2)
        elif name and line.startswith("      "):
            texts[name] += " " + line.strip()
        else:
            name = None
    return texts


def formals():
    """The defaults of R's functions as R writes them: function -> argument -> text. Empty without R or the package."""
    if not shutil.which("Rscript"):
        return {}
    program = """
    if (!requireNamespace("spcabench", quietly = TRUE)) quit()
    for (name in c("spca_solve", "spca_path", "spca_suggest", "certify.default", "compare_solvers")) {
      all <- formals(get(name, asNamespace("spcabench")))
      for (one in names(all)) cat(name, one, paste(deparse(all[[one]]), collapse = ""), sep = "\\t", fill = FALSE)
    }
    """.replace('fill = FALSE)', 'fill = FALSE, "\\n")')
    found = {}
    for line in rbench.rscript(program):
        parts = line.strip("\t").split("\t")
        found.setdefault(parts[0], {})[parts[1]] = parts[2] if len(parts) > 2 else ""
    return found


class Defaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = tables()
        cls.formals = formals()

    def test_there_are_tables(self):
        self.assertEqual([name for name, *_ in self.tables], ["solve", "path", "path", "solve", "compare-solvers"])
        self.assertGreater(sum(len(rows) for *_, rows in self.tables), 40)

    def test_the_command_says_the_same(self):
        for command, _, _, rows in self.tables:
            texts = helps(command)
            for what, cell, _, _, default in rows:
                name = name_in(cell)
                if name is None:
                    continue
                with self.subTest(command=command, option=name):
                    self.assertIn(name, texts)
                    text = texts[name]
                    if default == "none":
                        self.assertIn("(default: none)", text)
                    elif default.startswith("`"):
                        word = re.escape(default.strip("`"))
                        patterns = rf"default:? {word}\b", rf"default is {word}\b", rf"\b{word} \(default\)"
                        self.assertTrue(any(re.search(pattern, text) for pattern in patterns), text)
                    elif what == "number of components":
                        self.assertIn("(default: the number of Ks)", text)
                    elif what == "means subtracted":
                        self.assertIn("(the default, except for docword files)", text)
                    elif what == "S itself":
                        self.assertIn("data (default)", text)

    def test_python_has_the_same(self):
        for _, function, _, rows in self.tables:
            parameters = inspect.signature(getattr(spca_bench, function)).parameters
            named = {name_in(row[2]) for row in rows}
            self.assertEqual(set(parameters) - OTHERS - {name for name in named if name}, set(), function)
            for _, _, cell, _, default in rows:
                name = name_in(cell)
                if name is not None:
                    with self.subTest(function=function, argument=name):
                        self.assert_default(name, said(parameters[name].default), default)

    def test_r_has_the_same(self):
        if not self.formals:
            self.skipTest("needs R with the package spcabench (scripts/bootstrap --r)")
        for _, _, function, rows in self.tables:
            arguments = self.formals[function]
            named = {name_in(row[3]) for row in rows}
            self.assertEqual(set(arguments) - OTHERS - {name for name in named if name}, set(), function)
            for _, _, _, cell, default in rows:
                name = name_in(cell)
                if name is not None:
                    with self.subTest(function=function, argument=name):
                        self.assert_default(name, said(arguments[name]), default)

    def assert_default(self, name, found, default):
        if default in IN_WORDS:
            # The reason is on the page; a number there is compared below.
            return
        if name in LEFT_OPEN:
            self.assertEqual(found, "none")
            return
        self.assertEqual(found, default.strip("`"))

    def test_the_cardinalities_of_a_path_are_those_of_the_command(self):
        command = json.loads(spca("path", "--dataset", "pitprops", "--json").stdout)
        points = spca_bench.path("pitprops").solvers[0]["points"]
        expected = [point["cardinality"] for point in command["solvers"][0]["points"]]
        self.assertEqual([point["cardinality"] for point in points], expected)

    def test_what_a_signature_leaves_open_is_one_answer(self):
        words = ["--dataset", "pitprops", "--solver", "tpower", "--cardinality", "3,2"]
        command = json.loads(spca("solve", *words, "--json").stdout)
        python = spca_bench.solve("pitprops", [3, 2], solver="tpower")
        self.assertEqual((command["deflation"], command["components_asked"]), ("remove-support", 2))
        self.assertEqual((python.deflation, python.components_asked), ("remove-support", 2))
        self.assertEqual(command["options"], python.options)

    def test_the_expression_for_standardised_data_is_that_of_the_command(self):
        cells = {row[2] for *_, rows in self.tables for row in rows if row[0] == "standardised"}
        self.assertEqual(cells, {"`data(x, standardize=True)`"})
        x = np.random.default_rng(5).standard_normal((30, 6)) * np.arange(1, 7)
        x[:, 1] = x[:, 0] + 0.1 * x[:, 1]
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", x)
            words = ["--data", f"{folder}/x.npy", "--standardize", "--json"]
            command = json.loads(spca("solve", *words, "--cardinality", "3").stdout)
            path = json.loads(spca("path", *words).stdout)
            suggestion = json.loads(spca("path", *words, "--components").stdout)
        data = eval(cells.pop().strip("`"), {"x": x, "data": spca_bench.data})
        answer = spca_bench.solve(data, 3)
        self.assertEqual(answer.components[0].indices.tolist(), command["components"][0]["indices"])
        self.assertEqual(answer.explained_variance, command["components"][0]["explained_variance"])
        measures = ("value", "stability", "reconstruction_error", "repeat_correlation")
        for one, other in zip(spca_bench.path(data).solvers[0]["points"], path["solvers"][0]["points"]):
            self.assertEqual([one[name] for name in measures], [other[name] for name in measures])
        suggested = spca_bench.suggest(data)
        self.assertEqual((suggested.components, suggested.cardinality), (suggestion["components"], suggestion["cardinality"]))
        self.assertEqual(suggested.cross_validation["errors"], suggestion["cross_validation"]["errors"])

    def test_differences_are_as_the_page_says(self):
        text = PAGE.read_text(encoding="utf-8")
        limits = [inspect.signature(spca_bench.certify).parameters["time_limit"].default]
        limits += [float(self.formals["certify.default"]["time_limit"])] if self.formals else []
        for limit in limits:
            self.assertIn(f"`certify` searches for {limit:g} seconds", text)
        if self.formals:
            self.assertEqual(self.formals["spca_solve"]["retx"], "TRUE")
        try:
            parameters = inspect.signature(spca_bench.SparsePCA).parameters
        except ImportError:
            return
        self.assertIn(f"`scale=\"{parameters['scale'].default}\"`", text)
        for name in ("solver", "deflation", "center", "missing", "time_limit", "bound"):
            ours = inspect.signature(spca_bench.solve).parameters[name].default
            self.assertEqual(parameters[name].default, ours, name)
        with self.assertRaisesRegex(ValueError, "^cardinality: "):
            spca_bench.solve("pitprops")


if __name__ == "__main__":
    package.main()
