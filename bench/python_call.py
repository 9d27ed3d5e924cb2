#!/usr/bin/python3
"""What a call from Python costs beside the same call in C++, and what it needs of memory.

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

# Of resident memory beyond what there is when X is there. `data` is kept until its size is known.
MEMORY = """
import resource, sys
import numpy, spca_bench
kind, order = sys.argv[1:]
x = numpy.ones((5000, 5000), dtype="f8" if kind == "csr" else kind, order=order)
x[::2] = 0
if kind == "csr":
    import scipy.sparse
    x = scipy.sparse.csr_matrix(x)
size = x.data.nbytes + x.indices.nbytes + x.indptr.nbytes if kind == "csr" else x.size * 8
spca_bench.solve(numpy.eye(3), 1, bound=False)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
answer = spca_bench.solve(x, 10, solver="diagonal", bound=False)
print(size, peak() - before)
"""


def in_cpp():
    """Milliseconds of processor time by solver."""
    words = ["--benchmark_format=json", "--benchmark_repetitions=9"]
    said = json.loads(subprocess.run([BENCH, *words], check=True, capture_output=True).stdout)
    medians = [one for one in said["benchmarks"] if one.get("aggregate_name") == "median"]
    return {one["run_name"].split("/")[-1]: one["cpu_time"] for one in medians}


def in_python(solver):
    """The same, once from an array and once from data that were read before."""
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


def main():
    if not BENCH.exists():
        sys.exit(f"{BENCH} is missing: cmake --build build/release --target call_bench")
    print(f"{'62 x 2000, k = 10, ms':24}{'C++':>10}{'Python':>10}{'more':>10}{'data(x)':>10}")
    for solver, cpp in in_cpp().items():
        times = in_python(solver)
        row = [cpp, times["an array"], times["an array"] - cpp, times["data(x)"]]
        print(f"{solver:24}" + "".join(f"{value:10.3f}" for value in row))
    print(f"\n{'5000 x 5000':24}{'X, MB':>10}{'more, MB':>10}{'copies':>10}")
    for kind, order in [("f8", "C"), ("f8", "F"), ("f4", "C"), ("csr", "C")]:
        command = [sys.executable, "-B", "-c", MEMORY, kind, order]
        size, more = map(int, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
        print(f"{kind + ' ' + order:24}{size / 1e6:10.0f}{more / 1e6:10.0f}{more / size:10.2f}")


main()
