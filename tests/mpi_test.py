"""spca-mpi: one solve in several ranks. Run by ctest -L mpi, or with OpenMPI's settings of docs/SCALE_OUT.md:
SPCA_PROGRAM=build/release/spca SPCA_MPI_PROGRAM=build/release/spca-mpi /usr/bin/python3 tests/mpi_test.py"""
# Labels: mpi

import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import gzip
import random

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))
MPI_PROGRAM = os.environ.get("SPCA_MPI_PROGRAM", "")
MISBEHAVING = os.environ.get("SPCA_MISBEHAVING_PROGRAM", "")
CEILING = 900  # seconds; a job that has not ended by then hangs
CLOSE = 1e-12

# Solvers of several families: one component and several, penalties, spans, joint, orthogonal, and with deflation.
SOLVERS = {
    "tpower": [],
    "gpower-l1": [],
    "gpower-block-l0": [],
    "spannogram": ["--set", "rank=2"],
    "span-spca": [],
    "fullpath": [],
    "threshold": [],
    "local-search": [],
    "em": [],
    "nsprcomp": [],
    "pmd": [],
    "bipart-ascent": [],
    "mspca": [],
    "row-sparse": [],
    "orthogonal-ascent": [],
    "pca": [],
}


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
            line[-1] &= (1 << 2 * ((n - 1) % 4 + 1)) - 1  # behind the last sample stand zeros
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
    """The pids of a session's ranks."""
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
        # Where components share variables and only their sum is maximised, a small rotation among them changes each
        # value by its first power, and the sum by its second: the sum alone has twelve digits.
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
        """The answer without what it cost."""
        report = json.loads(text)
        for key in ("reading_seconds", "solve_seconds", "check_seconds", "phases"):
            report.pop(key)
        for key in ("solve_seconds", "cpu_seconds", "peak_bytes", "reading_seconds", "eigenpairs_seconds"):
            report["metrics"].pop(key, None)
        return report

    def test_solvers_give_the_serial_answer_and_the_same_bytes_for_all_numbers_of_ranks(self):
        for data, more in ((self.dense, []), (self.dense, ["--no-center", "--scale", "n-1"]), (self.words, []),
                           (self.words, ["--center"])):
            # All solvers on one, some on the others: what differs is S, which all ask in the same way.
            chosen = SOLVERS if data == self.words and more else ("tpower", "spannogram", "gpower-l1")
            for solver in chosen:
                words = ["solve", "--data", data, *more, "--solver", solver, *SOLVERS[solver], "--components", 2,
                         "--json", "--quiet"]  # on a busy machine there may be lines of progress
                if solver != "pca":
                    words += ["--cardinality", 4]
                alone = answer(serial(*words))
                first = None
                for ranks in (1, 2, 3, 4) if solver in ("tpower", "spannogram") else (3,):
                    what = f"{solver} on {data.name} {more} in {ranks} ranks"
                    ended = in_ranks(ranks, *words)
                    together = answer(ended)
                    self.compare(alone, together, what)
                    self.assertEqual(ended.err, "", what)
                    first = first or self.stable(ended.out)
                    self.assertEqual(first, self.stable(ended.out), what)

    def test_every_format_is_read_by_rows(self):
        files = [(self.table, []), (self.market, []), (self.packed, []), (self.genotypes, []), (self.spca, []),
                 (self.words, ["--set", "dataset.weights=tf-idf"]), (self.words, [])]
        try:
            import numpy
            import scipy.sparse

            sparse = scipy.sparse.csr_matrix(numpy.load(self.dense) * (numpy.load(self.dense) > 1))
            for name in ("csr", "csc", "coo"):
                scipy.sparse.save_npz(self.folder / f"{name}.npz", sparse.asformat(name))
                files.append((self.folder / f"{name}.npz", []))
            numpy.save(self.folder / "columns.npy", numpy.asfortranarray(numpy.load(self.dense)))
            files.append((self.folder / "columns.npy", []))
            import h5py

            with h5py.File(self.folder / "some.h5ad", "w") as h5:
                h5["X"] = numpy.load(self.dense)
                for name in ("csr", "csc"):
                    group = h5.create_group(f"layers/{name}")
                    matrix = sparse.asformat(name)
                    group.attrs["encoding-type"] = f"{name}_matrix"
                    group.attrs["shape"] = matrix.shape
                    group["data"], group["indices"], group["indptr"] = matrix.data, matrix.indices, matrix.indptr
            files += [(self.folder / "some.h5ad", []), (f"{self.folder}/some.h5ad:layers/csr", []),
                      (f"{self.folder}/some.h5ad:layers/csc", [])]
        except ImportError as error:
            print(f"not compared: {error.name} is not installed")
        for file, more in files:
            words = ["solve", "--data", file, *more, "--solver", "tpower", "--cardinality", 5, "--components", 2, "--json"]
            self.compare(answer(serial(*words)), answer(in_ranks(3, *words)), str(file))

    def test_large_means_cost_no_digits(self):
        large = self.folder / "large.mtx"
        draw = random.Random(8)
        rows = [[1e8 + draw.gauss(0, 1) for _ in range(6)] for _ in range(60)]
        rows[41][3] = 0
        write_market(large, 60, 6, [(i, j, value) for i, row in enumerate(rows, 1) for j, value in enumerate(row, 1) if value])
        table = self.folder / "large.csv"
        table.write_text("".join(",".join(map(repr, row)) + "\n" for row in rows))
        mapped = self.folder / "large.spca"
        assert serial("convert", large, mapped).code == 0
        for more in ([], ["--no-center"]):
            words = [*more, "--kind", "data", "--solver", "tpower", "--cardinality", 3, "--json"]
            expected = answer(serial("solve", "--data", table, *words))
            for file in (large, table, mapped):
                self.compare(expected, answer(in_ranks(3, "solve", "--data", file, *words)), f"{file} {more}")

    def test_data_sets_are_spread(self):
        words = ["solve", "--dataset", "spiked", "--solver", "tpower", "--cardinality", 5, "--json"]
        self.compare(answer(serial(*words)), answer(in_ranks(2, *words)), "spiked")

    def test_more_ranks_than_rows(self):
        small = self.folder / "small.csv"
        small.write_text("1,3,2\n2,1,4\n0,5,1\n")
        words = ["solve", "--data", small, "--solver", "tpower", "--cardinality", 2, "--json"]
        self.compare(answer(serial(*words)), answer(in_ranks(4, *words)), "small")

    def test_the_table_is_printed_once(self):
        ended = in_ranks(3, "solve", "--data", self.dense, "--solver", "tpower", "--cardinality", 3)
        self.assertEqual(ended.code, 0, ended.err)
        self.assertEqual(ended.out.count("component 1:"), 1)

    def refused(self, code, line, *words, ranks=3):
        ended = in_ranks(ranks, *words)
        self.assertEqual(ended.code, code, ended.err)
        self.assertEqual(ended.out, "")
        self.assertEqual(len(ended.err.splitlines()), 1, ended.err)
        self.assertIn(line, ended.err)

    def test_bad_input_is_one_line(self):
        solve = ["solve", "--solver", "tpower", "--cardinality", 2]
        broken = self.folder / "broken.csv"
        broken.write_text("1,2\n3,x\n5,6\n")
        infinite = self.folder / "infinite.npy"
        write_npy(infinite, [[1.0, 2.0]] * 20 + [[float("nan"), 2.0]] + [[3.0, 1.0]] * 3)
        self.refused(2, "broken.csv:2", *solve, "--data", broken)
        self.refused(2, "row 21, column 1", *solve, "--data", infinite)
        self.refused(2, "No such file", *solve, "--data", self.folder / "absent.npy")
        self.refused(2, "--kind covariance", *solve, "--data", self.dense, "--kind", "covariance")
        self.refused(2, "S itself is given", *solve, "--dataset", "pitprops")
        self.refused(2, "--threads", *solve, "--data", self.dense, "--threads", 2)
        self.refused(2, "unknown solver", "solve", "--data", self.dense, "--solver", "tpowr", "--cardinality", 2)
        self.refused(2, "--cardinality: found 99", "solve", "--data", self.dense, "--solver", "tpower", "--cardinality",
                     99)
        self.refused(2, "accepted in spca-mpi: solve", "list", "solvers")
        missing = self.folder / "missing.csv"
        missing.write_text("1,2\n3,NA\n5,6\n")
        symmetric = self.folder / "symmetric.mtx"
        symmetric.write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n")
        self.refused(2, "missing.csv:2", *solve, "--data", missing)
        self.refused(2, "--kind data", *solve, "--data", symmetric)
        self.refused(2, "not standardised in ranks", *solve, "--data", self.market, "--standardize")
        self.refused(2, "--certify", *solve, "--data", self.dense, "--certify", 1)
        self.refused(2, "--scores", *solve, "--data", self.dense, "--scores", self.folder / "scores.csv")
        self.refused(2, "no --cardinality", "solve", "--data", self.dense, "--solver", "tpower")

    def long_solve(self):
        """A search that only its time limit would end."""
        return ["solve", "--data", self.long_data(), "--solver", "branch-bound", "--cardinality", 12, "--json"]

    def long_data(self):
        path = self.folder / "long.npy"
        if not path.exists():
            draw = random.Random(2)
            write_npy(path, [[draw.gauss(0, 1) for _ in range(120)] for _ in range(60)])
        return path

    def test_the_time_of_a_solve_holds_its_processor_time(self):
        for count in (1, 2):
            report = answer(in_ranks(count, "solve", "--dataset", "zipf-corpus", "--solver", "pca", "--components", 4,
                                     "--cardinality", 5, "--json"))
            # One thread never has more of a processor than time passes; what the two clocks differ by is a tick.
            self.assertGreater(report["metrics"]["solve_seconds"], report["metrics"]["cpu_seconds"] - 0.02, count)

    def test_a_time_limit_ends_all_ranks_together(self):
        ended = in_ranks(3, *self.long_solve(), "--time-limit", 1, "--quiet")
        report = answer(ended)
        self.assertEqual(report["status"], "time_limit")
        self.assertEqual(ended.err, "")

    def test_a_killed_rank_ends_the_job(self):
        process = start(["mpirun", "-q", "-n", 3, MPI_PROGRAM, *self.long_solve()])
        ranks = []
        end = time.monotonic() + CEILING
        while len(ranks) < 3 and time.monotonic() < end and process.poll() is None:
            ranks = processes_of(process.pid)
            time.sleep(0.02)
        self.assertEqual(len(ranks), 3)
        os.kill(ranks[1], signal.SIGKILL)
        ended = Ended(process)
        self.assertEqual(ended.code, 128 + signal.SIGKILL)
        self.assertEqual(ended.out, "")
        while any(pathlib.Path(f"/proc/{rank}").exists() for rank in ranks):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def experiment(self, grids):
        path = self.folder / "ranks.json"
        path.write_text(json.dumps({
            "name": "ranks", "title": "The same cells in ranks", "source": "none", "claim": "none", "seed": 1,
            "grids": grids, "profiles": {"full": {}}}))
        return path

    def run_cells(self, name, path, program=PROGRAM, environment=None):
        directory = self.folder / name
        process = subprocess.run([program, "run", str(path), "-o", str(directory), "--no-cache"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=CEILING,
                                 env={**os.environ, **(environment or {})})
        records = [json.loads(line) for line in (directory / "cells.jsonl").read_text().splitlines()]
        return process, records

    def test_cells_of_an_experiment_run_in_ranks(self):
        grid = {"datasets": [{"name": "spiked"}], "solvers": ["tpower", "spannogram", "fullpath"],
                "cardinality": [2, 5], "repeats": 2}
        path = self.experiment({"alone": grid, "together": {**grid, "ranks": 2}})
        process, records = self.run_cells("both", path)
        self.assertEqual(process.returncode, 0, process.stderr)
        alone = [record for record in records if record["grid"] == "alone"]
        together = [record for record in records if record["grid"] == "together"]
        self.assertEqual(len(alone), 12)
        self.assertEqual(len(together), 12)
        for a, b in zip(alone, together):
            self.assertNotEqual(a["key"], b["key"])
            for field in ("dataset", "solver", "cardinality", "status", "seed", "n", "p", "options", "message"):
                self.assertEqual(a[field], b[field], field)
            self.assertEqual([c["indices"] for c in a["loadings"]], [c["indices"] for c in b["loadings"]])
            self.assertEqual(a["metrics"].keys(), b["metrics"].keys())
            for name, value in a["metrics"].items():
                if isinstance(value, float):
                    self.assertAlmostEqual(value, b["metrics"][name], delta=1e-9 * (1 + abs(value)), msg=name)

    def test_without_the_program_cells_are_skipped(self):
        path = self.experiment({"together": {"datasets": ["spiked"], "solvers": ["tpower"], "cardinality": [2],
                                             "ranks": 2}})
        process, records = self.run_cells("none", path, environment={"SPCA_MPIRUN": "no-such-mpirun -q"})
        self.assertEqual(records[0]["status"], "skipped")
        self.assertIn("no-such-mpirun", records[0]["message"])

    def test_a_killed_rank_costs_one_cell(self):
        launcher = self.folder / "launcher"
        # Kills a rank of the cells of one cardinality.
        launcher.write_text(
            "#!/bin/sh\n"
            'for word; do request=$word; done\n'
            'if grep -q \'"variant": *1\' "$request"; then exec mpirun -q -n 2 sh -c '
            '\'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then kill -9 $$; fi; sleep 600\'; fi\n'
            'exec mpirun "$@"\n')
        launcher.chmod(0o755)
        path = self.experiment({"together": {"datasets": ["spiked"], "solvers": ["tpower"], "cardinality": [2, 3, 4],
                                             "ranks": 2}})
        process, records = self.run_cells("killed", path, environment={"SPCA_MPIRUN": f"{launcher} -q"})
        self.assertEqual(process.returncode, 3, process.stderr)
        self.assertEqual([record["status"] for record in records], ["converged", "failed", "converged"])
        self.assertIn("a rank was killed by SIGKILL", records[1]["message"])


if __name__ == "__main__":
    if not MPI_PROGRAM or not shutil.which("mpirun"):
        print("skipped: needs a build with SPCA_MPI=ON, and mpirun (Debian: libopenmpi-dev, openmpi-bin; "
              "scripts/bootstrap --all)")
        sys.exit(77)
    unittest.main()
