"""spca-mpi: one solve in several ranks. Run by ctest -L mpi, or with OpenMPI's settings of docs/SCALE_OUT.md:
SPCA_PROGRAM=build/release/spca SPCA_MPI_PROGRAM=build/release/spca-mpi /usr/bin/python3 tests/mpi_test.py"""
# Labels: mpi

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from ranks import CEILING, MPI_PROGRAM, PROGRAM, Ended, Ranks, answer, in_ranks, main, processes_of, serial, start, write_market, write_npy


class Behaviour(Ranks):
    def test_the_answer_is_the_serial_one_with_the_same_bytes_for_all_numbers_of_ranks(self):
        self.holds(self.dense, ["--scale", "n-1"], "tpower", [], (1, 2, 3, 4))
        self.holds(self.words, ["--center"], "spannogram", ["--set", "rank=2"], (2, 4))

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
            # One thread never uses more processor time than passes; the two clocks may differ by a tick.
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
                                 capture_output=True, text=True, timeout=CEILING,
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
    main()
