"""The products of dense matrices with AVX2 and FMA: their object file shares no function with other files. The linker
keeps one of several functions of a name, and that of this file fails on other processors."""

import os
import pathlib
import platform
import shutil
import subprocess
import sys
import unittest

BUILD = pathlib.Path(os.environ["SPCA_BUILD_FOLDER"])
FILE = "product_kernels_fma.cpp.o"


def names_for_others(objects):
    """The names that the linker may take for those of another file: weak ones and global ones."""
    lines = subprocess.run(["nm", "--demangle", objects], capture_output=True, text=True, check=True).stdout.splitlines()
    named = [line.split(maxsplit=2) for line in lines if not line.startswith(" ")]
    return [name for _, kind, name in named if kind in "WVuTDB"]


class Instructions(unittest.TestCase):
    def test_functions_with_fma_have_names_of_their_own(self):
        found = sorted(BUILD.rglob(FILE))
        self.assertTrue(found, f"no {FILE} below {BUILD}")
        names = [name for name in names_for_others(found[0]) if "EigenWithFma" not in name]
        self.assertEqual([name for name in names if not name.startswith("DW.ref.")], ["spca::detail::kernels_with_fma()"])

    def environment(self, instructions):
        """Runs `spca env` with these instructions asked for."""
        environment = os.environ | {"SPCA_INSTRUCTIONS": instructions}
        return subprocess.run([os.environ["SPCA_PROGRAM"], "env"], env=environment, capture_output=True, text=True, check=False)

    def test_the_variable_chooses_the_instructions(self):
        asked = self.environment("baseline")
        self.assertEqual(asked.returncode, 0, asked.stderr)
        self.assertRegex(asked.stdout, r"machine instructions +baseline\n")

    def test_unknown_instructions_are_refused_in_one_line(self):
        asked = self.environment("fast")
        line = 'spca: error: SPCA_INSTRUCTIONS: found "fast"; accepted: baseline, or nothing\n'
        self.assertEqual((asked.returncode, asked.stderr), (2, line))


if __name__ == "__main__":
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    if platform.machine() != "x86_64" or "CMAKE_BUILD_TYPE:STRING=Release" not in cache or not shutil.which("nm"):
        print("skipped: needs nm, and a build of type Release for x86-64")
        sys.exit(77)
    unittest.main()
