"""Ctrl-C, other threads, and processes. Run by ctest, or: /usr/bin/python3 tests/python/interruption_test.py"""

import os
import signal
import sys
import threading
import time
import unittest

import package
import signalled

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()

# A program whose solve would take hours or never end. After Ctrl-C it solves a small problem.
PROGRAM = """
import signal, sys, time
import numpy as np
sys.path.insert(0, sys.argv[1])
import spca_bench
x = np.random.RandomState(0).randn(400, 600)
def mine(S, k, endless=True):
    while endless:
        S.diagonal()
spca_bench.solver("mine")(mine)
if sys.argv[2] == "estimator":
    spca_bench.SparsePCA  # it imports scikit-learn, which may take longer than the signal waits
solve = {
    "branch-bound": lambda: spca_bench.solve(x, 40, solver="branch-bound"),
    "path": lambda: spca_bench.path(x, range(10, 60), solver="branch-bound"),
    "mine": lambda: spca_bench.solve(x, 3, solver="mine"),
    "estimator": lambda: spca_bench.SparsePCA(cardinality=40, solver="branch-bound").fit(x),
}[sys.argv[2]]
if sys.argv[3] == "own handler":
    signal.signal(signal.SIGINT, lambda *_: print("handled", flush=True))
print("started", flush=True)
try:
    solve()
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(spca_bench.solve("pitprops", 3).status, flush=True)
"""


class CtrlC(unittest.TestCase):
    def lines_after_signal(self, what, handler="python's"):
        command = [sys.executable, "-c", PROGRAM, package.folder(), what, handler]
        return signalled.lines_after_signal(self, command)

    def test_it_ends_a_solve_and_leaves_python_alive(self):
        for what in ["branch-bound", "path", "mine"]:
            with self.subTest(what):
                self.assertEqual(self.lines_after_signal(what), ["interrupted", "converged"])

    def test_it_ends_a_fit(self):
        package.need("sklearn", "python3-sklearn")
        self.assertEqual(self.lines_after_signal("estimator"), ["interrupted", "converged"])

    def test_a_handler_of_the_user_is_called(self):
        self.assertEqual(self.lines_after_signal("branch-bound", "own handler"), ["handled", "converged"])

    def test_the_handler_is_put_back(self):
        before = signal.getsignal(signal.SIGINT)
        spca_bench.solve("pitprops", 3)
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        with self.assertRaises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(10**6):
                pass


class Threads(unittest.TestCase):
    def test_others_run_while_a_solve_does(self):
        x = np.random.RandomState(0).randn(400, 600)

        def work_and_stop():
            time.sleep(0.3)
            # If the solve held the lock, this thread would wait for its end, hours away.
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=work_and_stop)
        with self.assertRaises(KeyboardInterrupt):
            thread.start()
            spca_bench.solve(x, 40, solver="branch-bound")
        thread.join()

    def test_two_solves_at_once_have_the_answers_of_one_after_the_other(self):
        x = np.random.RandomState(0).randn(60, 40)
        names = ["tpower", "fullpath", "spca-l1", "branch-bound"] * 3
        alone = [spca_bench.solve(x, 4, solver=name).loadings for name in names]
        together = [None] * len(names)

        def run(i):
            together[i] = spca_bench.solve(x, 4, solver=names[i]).loadings

        threads = [threading.Thread(target=run, args=(i,)) for i in range(len(names))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for a, b in zip(alone, together):
            np.testing.assert_array_equal(a, b)


if __name__ == "__main__":
    package.main()
