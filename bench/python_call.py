#!/usr/bin/python3
"""Measures how much more time a call from Python takes than the same call in C++, and how much memory.

    cmake --build build/release --target call_bench spca_python -j 2
    PYTHONPATH=build/release/python bench/python_call.py

Times are processor time of one thread, medians: a busy machine changes them little.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import time

CALLS = 201
SOURCES = pathlib.Path(__file__).resolve().parents[1]
BENCH = SOURCES / "build/release/bench/call_bench"

# Prints the bytes of X as float64 or CSR, then by how much the peak of resident memory grew while X
# was read and while it was solved.
MEMORY = """
import resource, sys
import numpy, spca_bench
kind, order = sys.argv[1:]
if kind == "csr":
    import scipy.sparse
    rows = numpy.arange(0, 12_500_001, 2500, dtype="i4")
    columns = numpy.tile(numpy.arange(0, 5000, 2, dtype="i4"), 5000)
    x = scipy.sparse.csr_matrix((numpy.ones(12_500_000), columns, rows), shape=(5000, 5000))
    size = x.data.nbytes + x.indices.nbytes + x.indptr.nbytes
else:
    x = numpy.ones((5000, 5000), dtype=kind, order=order)
    x[::2] = 0
    size = 8 * x.size
spca_bench.solve(numpy.eye(3), 1, bound=False)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
data = spca_bench.data(x)
read = peak()
spca_bench.solve(data, 10, solver="diagonal", bound=False)
print(size, read - before, peak() - read)
"""


def in_cpp():
    """Returns the milliseconds of processor time by solver."""
    words = ["--benchmark_format=json", "--benchmark_repetitions=9"]
    output = json.loads(subprocess.run([BENCH, *words], check=True, capture_output=True).stdout)
    medians = [one for one in output["benchmarks"] if one.get("aggregate_name") == "median"]
    return {one["run_name"].split("/")[-1]: one["cpu_time"] for one in medians}


def in_python(solver):
    """Returns the milliseconds of processor time from an array, and from data that were read before."""
    import numpy

    import spca_bench

    x = numpy.random.default_rng(1).standard_normal((62, 2000))
    times = {}
    for name, what in [("an array", x), ("data(x)", spca_bench.data(x))]:
        taken = []
        for _ in range(CALLS):
            begin = time.process_time()
            spca_bench.solve(what, 10, solver=solver, bound=False)
            taken.append(1e3 * (time.process_time() - begin))
        times[name] = statistics.median(taken)
    return times


def print_times():
    print(f"{'62 x 2000, k = 10, ms':24}{'C++':>10}{'Python':>10}{'more':>10}{'data(x)':>10}")
    for solver, cpp in in_cpp().items():
        times = in_python(solver)
        row = [cpp, times["an array"], times["an array"] - cpp, times["data(x)"]]
        print(f"{solver:24}" + "".join(f"{value:10.3f}" for value in row))


def print_memory():
    print(f"{'5000 x 5000, MB':24}{'X':>10}{'reading':>10}{'copies':>10}{'solving':>10}")
    for kind, order in [("f8", "C"), ("f8", "F"), ("f4", "C"), ("csr", "C")]:
        command = [sys.executable, "-B", "-c", MEMORY, kind, order]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        size, reading, solving = map(int, output.split())
        row = f"{size / 1e6:10.0f}{reading / 1e6:10.0f}{reading / size:10.2f}{solving / 1e6:10.0f}"
        print(f"{kind + ' ' + order:24}{row}")


def main():
    if not BENCH.exists():
        sys.exit(f"{BENCH} is missing: cmake --build build/release --target call_bench")
    print_times()
    print_memory()


if __name__ == "__main__":
    main()
