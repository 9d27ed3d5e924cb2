"""The peers of PyPI on pit props, in their environment. Run by ctest, or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/pypi_peers_test.py"""
# Labels: pypi slow

import json
import sys
import unittest

sys.dont_write_bytecode = True
import pypi_environment  # noqa: E402
import report_runs  # noqa: E402
from report_runs import SOURCES, spca  # noqa: E402

pypi_environment.python(with_package=False)
PEERS = sorted(f"peers/{file.stem}" for file in (SOURCES / "peers").glob("pypi-*.json"))


def solve(peer, *words):
    return json.loads(spca("solve", "--dataset", "pitprops", "--solver", peer, "--json", *words).stdout)


class PypiPeers(unittest.TestCase):
    def test_each_answers_within_its_cardinality_and_below_the_optimum(self):
        self.assertEqual(len(PEERS), 6)
        best = solve("exhaustive", "--cardinality", "5")["metrics"]["explained_variance"]
        for peer in PEERS:
            with self.subTest(peer):
                answer = solve(peer, "--cardinality", "5", "--set", "refit=true")
                self.assertEqual(answer["status"], "converged")
                self.assertLessEqual(answer["metrics"]["explained_variance"], best * (1 + 1e-12))
                self.assertEqual(answer["metrics"]["cardinality"], [5])

    def test_each_finds_several_components(self):
        for peer in PEERS:
            with self.subTest(peer):
                answer = solve(peer, "--cardinality", "4", "--components", "3")
                self.assertEqual(answer["status"], "converged")

    def test_the_versions_are_those_that_are_pinned(self):
        pinned = (SOURCES / "peers/requirements.txt").read_text(encoding="utf-8").split()
        listed = spca("list", "peers").stdout
        for package in ["abess", "nnpcapy", "scikit-learn", "sparsepca"]:
            (version,) = [word.partition("==")[2] for word in pinned if word.startswith(package + "==")]
            self.assertIn(f"{package} {version}", listed)


if __name__ == "__main__":
    report_runs.main()
