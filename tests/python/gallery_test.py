"""Runs the notebooks of examples/gallery cell by cell, as jupytext reads them, and draws their pictures.
Run by ctest, or: /usr/bin/python3 tests/python/gallery_test.py. With SPCA_GALLERY_FOLDER=DIR the pictures are kept there."""
# Labels: slow

import ast
import importlib.util
import os
import pathlib
import re
import shutil
import tempfile
import unittest
import warnings

import package

package.need("numpy", "python3-numpy")
package.need("pandas", "python3-pandas")
os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp(prefix="spca_gallery_")
package.need("matplotlib", "python3-matplotlib").use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

spca_bench = package.spca_bench()

FOLDER = package.SOURCES / "examples/gallery"
# Data and modules that a notebook needs, the number of its pictures, and a text that it shows.
NOTEBOOKS = {
    "optimal": {"pictures": 3, "shows": "gap 0.112 %"},
    "topics": {"data": "kos", "pictures": 3, "shows": "november"},
    "genes": {"data": "colon", "modules": ["sklearn"], "pictures": 3, "shows": "score of component 2"},
    "stocks": {"data": "snp500", "pictures": 2, "shows": "AVB"},
    "genotypes": {"pictures": 2, "shows": "rs2"},
    "spectra": {"pictures": 2, "shows": "nm"},
    "cells": {"modules": ["scipy", "anndata"], "pictures": 2, "shows": "T-marker"},
}


def cells(text):
    """The cells of a notebook in percent format: (kind, source)."""
    found = []
    for part in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        head, _, source = part.partition("\n")
        found.append((head.strip() or "code", source))
    return found


def shown(value):
    """Returns the text that a notebook shows for the value of a cell."""
    as_page = getattr(value, "_repr_html_", None)
    return (as_page and as_page()) or repr(value)


class Gallery(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(os.environ.get("SPCA_GALLERY_FOLDER", "") or tempfile.mkdtemp(prefix="spca_gallery_"))
        if not os.environ.get("SPCA_GALLERY_FOLDER"):
            self.addCleanup(shutil.rmtree, self.kept)
        self.addCleanup(plt.close, "all")

    def run_notebook(self, name):
        needs = NOTEBOOKS[name]
        for module in needs.get("modules", []):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"needs the module {module}")
        if "data" in needs and not package.has_data(needs["data"]):
            self.skipTest(f"needs the data set {needs['data']}: spca fetch {needs['data']}")
        text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        names, output, pictures = {"__name__": "__main__"}, [], 0
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            for kind, source in cells(text):
                if kind != "code":
                    continue
                tree = ast.parse(source)
                last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
                exec(compile(tree, name, "exec"), names)  # pylint: disable=exec-used
                if last is not None:
                    value = eval(compile(ast.Expression(last.value), name, "eval"), names)  # pylint: disable=eval-used
                    output += [shown(value)] if value is not None else []
                for number in plt.get_fignums():
                    pictures += 1
                    picture = self.kept / f"{name}{pictures}.png"
                    plt.figure(number).savefig(picture, dpi=80)
                    self.assertGreater(picture.stat().st_size, 5000)
                plt.close("all")
        self.assertEqual(pictures, needs["pictures"])
        self.assertIn(needs["shows"], "\n".join(output))

    def test_every_notebook_is_tested_and_has_the_header_of_jupytext(self):
        self.assertEqual({path.stem for path in FOLDER.glob("*.py")}, set(NOTEBOOKS))
        for name in NOTEBOOKS:
            text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
            self.assertIn("format_name: percent", text.split("# %%")[0])
            kinds = [kind for kind, _ in cells(text)]
            self.assertEqual(kinds[0], "[markdown]")
            self.assertLessEqual(set(kinds), {"[markdown]", "code"})
            for kind, source in cells(text):
                if kind == "[markdown]":
                    self.assertTrue(all(line.startswith("#") or not line for line in source.splitlines()), source)


for notebook in NOTEBOOKS:
    setattr(Gallery, f"test_{notebook}", lambda self, notebook=notebook: self.run_notebook(notebook))


if __name__ == "__main__":
    package.main()
