"""A peer for tests, with nothing but Python's own library. `mode` names the function below that answers."""

import ast
import json
import os
import signal
import struct
import subprocess
import sys
import time


def read_npy(path):
    """Rows of numbers."""
    with open(path, "rb") as file:
        content = file.read()
    length = struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10 : 10 + length].decode())
    rows, columns = header["shape"]
    numbers = struct.unpack(f"<{rows * columns}d", content[10 + length :])
    assert header["fortran_order"] and header["descr"] == "<f8"
    return [[numbers[j * rows + i] for j in range(columns)] for i in range(rows)]


def loadings(problem):
    """Equal loadings on the variables of largest variance, which the components share out."""
    matrix = read_npy(problem["matrix"]["file"])
    order = sorted(range(len(matrix)), key=lambda i: -matrix[i][i])
    components = []
    for k in problem["cardinality"]:
        support, order = sorted(order[:k]), order[k:]
        components.append({"indices": support, "values": [k**-0.5] * k})
    return components


def write(problem, components):
    with open(problem["answer"], "w", encoding="utf-8") as file:
        json.dump({"loadings": components}, file)


def ok(problem):
    write(problem, loadings(problem))


def rows(problem):
    """The other form of an answer: p rows of r numbers."""
    table = [[0.0] * problem["components"] for _ in range(problem["matrix"]["rows"])]
    for j, component in enumerate(loadings(problem)):
        for i, value in zip(component["indices"], component["values"]):
            table[i][j] = value
    write(problem, table)


def hang(problem):
    """With a child, and one that has left the process group and lost its parent. All are named in a file."""
    sleep = "import time, os; print(os.getpid(), flush=True); time.sleep(1000)"
    forget = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {sleep!r}], start_new_session=True)"
    with open(problem["options"]["text"], "a", encoding="utf-8") as names:
        print(os.getpid(), file=names, flush=True)
        subprocess.Popen([sys.executable, "-c", sleep], stdout=names)
        subprocess.run([sys.executable, "-c", forget], stdout=names, check=True)
        print(problem["answer"].rsplit("/", 1)[0], file=names, flush=True)
    time.sleep(1000)


def leave_behind(problem):
    """Answers, but a process goes on."""
    with open(problem["options"]["text"], "a", encoding="utf-8") as names:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
        print(child.pid, file=names)
    ok(problem)


def crash(problem):
    print("about to crash", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def exit_three(problem):
    print("first line\nno convergence: é \x1b[31m\n\n", file=sys.stderr)
    sys.exit(3)


def missing(problem):
    print("I forgot", file=sys.stderr)


def garbage(problem):
    with open(problem["answer"], "wb") as file:
        file.write(bytes(range(256)))


def not_a_number(problem):
    components = loadings(problem)
    components[0]["values"][0] = float("nan")
    write(problem, components)


def wrong_length(problem):
    write(problem, loadings(problem)[1:])


def wrong_index(problem):
    components = loadings(problem)
    components[0]["indices"][-1] = problem["matrix"]["rows"]
    write(problem, components)


def too_many(problem):
    p = problem["matrix"]["rows"]
    write(problem, [{"indices": list(range(p)), "values": [p**-0.5] * p}] * problem["components"])


def nearly_unit(problem):
    components = loadings(problem)
    for component in components:
        component["values"] = [value * (1 + 5e-9) for value in component["values"]]
    write(problem, components)


def not_unit(problem):
    components = loadings(problem)
    components[0]["values"] = [2 * value for value in components[0]["values"]]
    write(problem, components)


def chatter(problem):
    """200 MB on each stream."""
    for _ in range(200):
        os.write(1, b"x" * 1_000_000)
        os.write(2, b"y" * 999_999 + b"\n")
    ok(problem)


def huge_answer(problem):
    with open(problem["answer"], "wb") as file:
        for _ in range(1000):
            file.write(b" " * 1_000_000)


def memory(problem):
    bytearray(4_000_000_000)
    ok(problem)


def work(problem):
    """Processor time and memory that the harness must see."""
    block = bytearray(os.urandom(1 << 16)) * 3200  # 200 MB
    end = time.process_time() + 0.5
    while time.process_time() < end:
        block[0] = (block[0] + 1) % 256
    ok(problem)


def environment(problem):
    """Fails unless it is as documented."""
    threads = str(problem["threads"])
    assert os.environ["OMP_NUM_THREADS"] == os.environ["OPENBLAS_NUM_THREADS"] == threads, "threads"
    assert os.environ["LC_ALL"] == "C", "locale"
    assert os.getcwd() == os.environ["TMPDIR"] == os.path.dirname(problem["answer"]), "folder"
    assert sys.argv[2] == problem["options"]["text"], sys.argv[2]
    assert sys.argv[3] == ",".join(map(str, problem["cardinality"])), sys.argv[3]
    assert 0 <= problem["seed"] < 2**31, "seed"
    assert sys.stdin.read() == "", "standard input"
    ok(problem)


with open(sys.argv[1], encoding="utf-8") as problem_file:
    asked = json.load(problem_file)
globals()[asked["options"]["mode"]](asked)
