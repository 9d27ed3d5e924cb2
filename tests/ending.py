"""Ends a test program in Python with an exit code that tells ctest whether the program could run."""

import sys
import unittest

SKIPPED = 77  # the code that tests/CMakeLists.txt declares to ctest


def main():
    """Runs the tests of the calling file; the exit code says where none could be run."""
    result = unittest.main(exit=False, verbosity=2).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.testsRun <= len(result.skipped) else 0)
