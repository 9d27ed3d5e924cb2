"""Helpers of the tests of spca-mpi: data in several formats, the start of ranks, and the comparison
of answers."""

import gzip
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from ending import SKIPPED

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))
MPI_PROGRAM = os.environ.get("SPCA_MPI_PROGRAM", "")
CEILING = 900  # seconds; a job that has not ended by then hangs
CLOSE = 1e-12
# Solvers that maximise the sum of the values alone; Ranks.compare() says why this matters.
SUM_ALONE = {"orthogonal-ascent"}


def write_npy(path, rows):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header = header.encode().ljust(118 - 1 - 8) + b"\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        for row in rows:
            out.write(struct.pack(f"<{len(row)}d", *row))


def write_docword(path, n, p, draw):
    entries = [(i + 1, j + 1, 1 + draw.randrange(5)) for i in range(n) for j in range(p)
               if draw.random() < (0.3 if j < p // 4 else 0.05)]
    with open(path, "w") as out:
        out.write(f"{n}\n{p}\n{len(entries)}\n")
        out.writelines(f"{i} {j} {count}\n" for i, j, count in entries)
    return n, p, entries


def write_market(path, n, p, entries):
    with open(path, "w") as out:
        out.write(f"%%MatrixMarket matrix coordinate real general\n{n} {p} {len(entries)}\n")
        out.writelines(f"{i} {j} {count}\n" for i, j, count in entries)


def write_plink(path, n, p, draw):
    with open(path, "wb") as out:
        out.write(b"\x6c\x1b\x01")
        for _ in range(p):
            line = bytearray(draw.randrange(256) for _ in range((n + 3) // 4))
            line[-1] &= (1 << 2 * ((n - 1) % 4 + 1)) - 1  # zeros follow the last sample
            out.write(line)
    path.with_suffix(".bim").write_text("".join(f"1 rs{j} 0 {j} A C\n" for j in range(p)))
    path.with_suffix(".fam").write_text("".join(f"f{i} i{i} 0 0 0 -9\n" for i in range(n)))


class Ended:
    def __init__(self, process):
        self.out, self.err = process.communicate(timeout=CEILING)
        self.code = process.returncode


def start(words, **more):
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True, **more)


def in_ranks(count, *words, **more):
    return Ended(start(["mpirun", "-q", "-n", count, MPI_PROGRAM, *words], **more))


def serial(*words):
    return Ended(start([PROGRAM, *words]))


def answer(ended):
    assert ended.code == 0, (ended.code, ended.err)
    return json.loads(ended.out)


def processes_of(group):
    """Returns the pids of the ranks whose parent is the process `group`, which is mpirun."""
    found = []
    for process in pathlib.Path("/proc").iterdir():
        try:
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
            name = (process / "stat").read_text().split("(", 1)[1].rsplit(")", 1)[0]
            parent = int(fields[1])
            if name == "spca-mpi" and parent == group:
                found.append(int(process.name))
        except (OSError, ValueError, IndexError):
            pass
    return sorted(found)


class Ranks(unittest.TestCase):
    """Makes the data; has no test itself."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        draw = random.Random(1)
        latent = [[draw.gauss(0, 1) for _ in range(3)] for _ in range(61)]
        rows = [[(3 * row[j % 3] if j < 12 else 0) + draw.gauss(0, 1) + (50 if j % 5 == 0 else 0) for j in range(24)]
                for row in latent]
        cls.dense = cls.folder / "dense.npy"
        write_npy(cls.dense, rows)
        cls.table = cls.folder / "dense.csv"
        cls.table.write_text(",".join(f"v{j}" for j in range(24)) + "\n" +
                             "".join(",".join(map(repr, row)) + "\n" for row in rows))
        cls.words = cls.folder / "docword.some.txt"
        n, p, entries = write_docword(cls.words, 90, 40, draw)
        (cls.folder / "vocab.some.txt").write_text("".join(f"word{j}\n" for j in range(p)))
        cls.market = cls.folder / "some.mtx"
        write_market(cls.market, n, p, entries)
        cls.packed = cls.folder / "some.mtx.gz"
        cls.packed.write_bytes(gzip.compress(cls.market.read_bytes()))
        cls.genotypes = cls.folder / "some.bed"
        write_plink(cls.genotypes, 37, 30, draw)
        cls.spca = cls.folder / "some.spca"
        assert serial("convert", cls.words, cls.spca).code == 0

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def compare(self, one, other, what):
        self.assertEqual(one["status"], other["status"], what)
        self.assertEqual(len(one["components"]), len(other["components"]), what)
        scale = max([abs(c["explained_variance"]) for c in one["components"]] + [1e-300])
        # If components share variables and only the sum of their values is maximised, a rotation
        # among them by a small angle t changes each value by O(t), but the sum by O(t^2): the sum
        # alone agrees to twelve digits.
        def total(report):
            return sum(c["explained_variance"] for c in report["components"])
        self.assertLessEqual(abs(total(one) - total(other)), CLOSE * scale, what)
        for a, b in zip(one["components"], other["components"]):
            self.assertEqual(a["indices"], b["indices"], what)
            self.assertEqual(a["names"], b["names"], what)
            if one["solver"] in SUM_ALONE:
                continue
            self.assertLessEqual(abs(a["explained_variance"] - b["explained_variance"]), CLOSE * scale, what)
        self.assertEqual([one["n"], one["p"]], [other["n"], other["p"]])

    def stable(self, text):
        """Returns the answer without its cost."""
        report = json.loads(text)
        for key in ("reading_seconds", "solve_seconds", "check_seconds", "phases"):
            report.pop(key)
        for key in ("solve_seconds", "cpu_seconds", "peak_bytes", "reading_seconds", "eigenpairs_seconds"):
            report["metrics"].pop(key, None)
        return report

    def holds(self, data, more, solver, options, counts):
        """Checks that each number of ranks gives the answer of the serial program, and that all
        give the same bytes."""
        words = ["solve", "--data", data, *more, "--solver", solver, *options, "--components", 2, "--json",
                 "--quiet"]  # on a busy machine there may be lines of progress
        if solver != "pca":
            words += ["--cardinality", 4]
        alone = answer(serial(*words))
        first = None
        for ranks in counts:
            what = f"{solver} on {data.name} {more} in {ranks} ranks"
            ended = in_ranks(ranks, *words)
            self.compare(alone, answer(ended), what)
            self.assertEqual(ended.err, "", what)
            first = first or self.stable(ended.out)
            self.assertEqual(first, self.stable(ended.out), what)


def main():
    if not MPI_PROGRAM or not shutil.which("mpirun"):
        print("skipped: needs a build with SPCA_MPI=ON, and mpirun (Debian: libopenmpi-dev, openmpi-bin; "
              "scripts/bootstrap --all)")
        sys.exit(SKIPPED)
    unittest.main()
