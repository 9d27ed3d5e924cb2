"""Examples in docstrings, their form, and the stubs. Run by ctest, or: /usr/bin/python3 tests/python/doctests_test.py"""

import ast
import doctest
import importlib
import inspect
import pathlib
import re
import unittest

import package

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()
package.need("pandas", "python3-pandas")
package.need("sklearn", "python3-sklearn")
from spca_bench import _core  # noqa: E402

MODULES = ["spca_bench", "spca_bench._data", "spca_bench._functions", "spca_bench._pictures", "spca_bench._solvers", "spca_bench._estimator"]
SECTIONS = ["Parameters", "Attributes", "Returns", "Raises", "See Also", "Notes", "Examples"]


class Docstrings(unittest.TestCase):
    def test_examples_are_as_printed(self):
        tried = 0
        for name in MODULES:
            result = doctest.testmod(importlib.import_module(name))
            self.assertEqual(result.failed, 0, name)
            tried += result.attempted
        self.assertGreater(tried, 20)

    def test_everything_public_has_one_in_numpydoc_s_form(self):
        for name in spca_bench.__all__:
            thing = getattr(spca_bench, name)
            text = inspect.getdoc(thing)
            self.assertTrue(text, name)
            found = re.findall(r"^(\w[\w ]*)\n-{3,}$", text, flags=re.MULTILINE)
            self.assertEqual(found, [section for section in SECTIONS if section in found], name)
            if inspect.isfunction(thing):
                documented = re.findall(r"^(\w[\w, ]*) :", text, flags=re.MULTILINE)
                words = {word.strip() for line in documented for word in line.split(",")}
                words |= {word.strip() for word in re.findall(r"^(\w+(?:, \w+)*)$", text, flags=re.MULTILINE) for word in word.split(",")}
                missing = set(inspect.signature(thing).parameters) - words
                self.assertTrue(not missing or not found, (name, missing))


class Guide(unittest.TestCase):
    def test_its_code_runs(self):
        text = (package.SOURCES / "docs/PYTHON.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
        x = np.random.RandomState(0).randn(60, 50)
        x[:, :15] += 2 * np.random.RandomState(1).randn(60, 1)
        names = {"X": x}
        for block in blocks:
            if "read_run" not in block:  # tests/python/runs_test.py
                exec(block, names)  # pylint: disable=exec-used
                names["loadings"] = names["answer"].loadings.T
        self.assertGreater(len(blocks), 3)
        y = x[:, 0] > 0
        self.assertGreater(names["model"].fit(x, y).score(x, y), 0.5)
        spca_bench.forget("mine")


class Stubs(unittest.TestCase):
    def test_they_name_what_the_core_has(self):
        tree = ast.parse(pathlib.Path(_core.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))
        stubbed = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        public = {name for name in vars(_core) if not name.startswith("_")}
        self.assertEqual(set(stubbed), public)
        for name, node in stubbed.items():
            if isinstance(node, ast.ClassDef):
                members = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                own = {member for member in vars(getattr(_core, name)) if not member.startswith("_")}
                self.assertEqual(members, own, name)

    def test_types_are_announced(self):
        self.assertTrue(pathlib.Path(_core.__file__).with_name("py.typed").is_file())


if __name__ == "__main__":
    package.main()
