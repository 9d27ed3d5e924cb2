"""Runs each script of the gallery, which must print and draw.
Run by ctest, or: /usr/bin/python3 tests/python/examples_test.py"""
# Labels: slow

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import package

package.need("matplotlib", "python3-matplotlib")
package.need("sklearn", "python3-sklearn")
package.need("pandas", "python3-pandas")
package.spca_bench()

FOLDER = package.SOURCES / "examples/python"
DATA = {"topics.py": "kos", "genes.py": "colon"}
# A word that each example must print.
SAYS = {
    "pitprops.py": "optimum",
    "topics.py": "bipart-ascent: explained variance",
    "genes.py": "5 components of PCA",
    "choose_k.py": "planted: 8; suggested: cross_validation 8",
    "optimality.py": "(branch-bound): optimal",
    "set_packing.py": "relaxation 3.2000, integral 2.8000",
}


class Gallery(unittest.TestCase):
    def run_script(self, name):
        if name in DATA and not package.has_data(DATA[name]):
            self.skipTest(f"needs the data set {DATA[name]}: spca fetch {DATA[name]}")
        with tempfile.TemporaryDirectory(prefix="spca_gallery_") as folder:
            figure = pathlib.Path(folder) / "figure.png"
            environment = {**os.environ, "PYTHONPATH": package.folder(), "MPLBACKEND": "Agg", "MPLCONFIGDIR": folder}
            command = [sys.executable, "-B", "-W", "error::UserWarning", FOLDER / name, "--figure", figure]
            finished = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
            self.assertEqual(finished.returncode, 0, finished.stderr)
            self.assertIn(SAYS[name], finished.stdout)
            width, height = struct.unpack(">II", figure.read_bytes()[16:24])
            self.assertGreater(min(width, height), 300)

    def test_every_script_is_here(self):
        self.assertEqual({path.name for path in FOLDER.glob("*.py")}, set(SAYS))


for script in SAYS:
    setattr(Gallery, f"test_{script[:-3]}", lambda self, script=script: self.run_script(script))


if __name__ == "__main__":
    package.main()
