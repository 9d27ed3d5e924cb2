"""`spca submit` with Slurm itself: its daemons run here, three nodes on this host, as root. Run by ctest -L slurm, or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/slurm_test.py

Nothing outside a temporary folder is written: slurm.conf, cgroup.conf, the key of munge, sockets, states and logs
are there, and SLURM_CONF names them. The ports are free ones of this host. A guard process
adopts the orphans of the tests (PR_SET_CHILD_SUBREAPER), and kills them when the tests have ended
or were killed.

Files, never times, decide the order of events: the solver of these tests is a peer that waits until
a file exists. Every wait is for a state; its ceiling only ends a test that would hang."""
# Labels: slurm

import contextlib
import ctypes
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))).resolve()
NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
CEILING = 600  # seconds; a state that is not reached by then never is
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
NODES = 3

# A peer with equal loadings on the variables of the k largest variances. It waits until the file of
# its gate exists, and creates GATE.waits meanwhile.
PEER = r'''
import ast, json, pathlib, struct, sys, time

problem = json.load(open(sys.argv[1]))
options = problem["options"]
gates = pathlib.Path(options["gates"])
name = options["gate"]
if name == "fails" and (gates / "broken").exists():
    sys.exit("broken on purpose")
if not (gates / name).exists():
    (gates / (name + ".waits")).touch()
while not (gates / name).exists():
    time.sleep(0.02)
content = open(problem["matrix"]["file"], "rb").read()
end = 10 + struct.unpack("<H", content[8:10])[0]
p = ast.literal_eval(content[10:end].decode())["shape"][0]
matrix = struct.unpack(f"<{p * p}d", content[end:])
components = []
order = sorted(range(p), key=lambda i: -matrix[i * p + i])
for k in problem["cardinality"]:
    support, order = sorted(order[:k]), order[k:]
    components.append({"indices": support, "values": [k**-0.5] * k})
json.dump({"loadings": components}, open(problem["answer"], "w"))
'''


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_until(what, condition):
    end = time.monotonic() + CEILING
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"never happened: {what}")


def has_step(job):
    """Returns true if a process of Slurm on this host still manages this job."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            if (process / "cmdline").read_bytes().startswith(f"slurmstepd: [{job}.".encode()):
                return True
    return False


class Cluster:
    """Slurm in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        host = socket.gethostname()
        control, *nodes = free_ports(1 + NODES)
        (folder / "state").mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        # Never used, but without it slurmd 22.05 looks for a cgroup and ends if there is none.
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        lines = [
            "ClusterName=test",
            f"SlurmctldHost={host}(127.0.0.1)",
            f"SlurmctldPort={control}",
            "SlurmUser=root",
            "SlurmdUser=root",
            "AuthType=auth/munge",
            f"AuthInfo=socket={folder}/munge.socket",
            f"StateSaveLocation={folder}/state",
            f"SlurmdSpoolDir={folder}/spool.%n",
            f"SlurmctldPidFile={folder}/slurmctld.pid",
            f"SlurmdPidFile={folder}/slurmd.%n.pid",
            f"SlurmctldLogFile={folder}/slurmctld.log",
            f"SlurmdLogFile={folder}/slurmd.%n.log",
            f"PlugStackConfig={folder}/plugstack.conf",
            "ProctrackType=proctrack/linuxproc",
            "TaskPlugin=task/none",
            "JobAcctGatherType=jobacct_gather/none",
            "AccountingStorageType=accounting_storage/none",
            "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_Core",
            "SchedulerParameters=batch_sched_delay=0,sched_interval=1,defer",
            "MpiDefault=none",
            "ReturnToService=2",
            "SlurmdParameters=config_overrides",
            "KillWait=5",
            # A node is down only if it says so, not because this machine is busy.
            "SlurmdTimeout=0",
            "MessageTimeout=100",
            # Jobs that have ended are remembered for all of the test.
            "MinJobAge=100000",
        ]
        lines += [
            f"NodeName=n{i} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=1000"
            for i, port in enumerate(nodes, 1)
        ]
        lines.append(f"PartitionName=test Nodes=n[1-{NODES}] Default=YES MaxTime=INFINITE State=UP")
        (folder / "plugstack.conf").write_text("")
        (folder / "slurm.conf").write_text("\n".join(lines) + "\n")
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf"), "SPCA_CACHE_DIR": ""}

    def start(self):
        place = self.folder
        self.daemon(
            "munged", "--foreground", "--force", f"--socket={place}/munge.socket", f"--key-file={place}/munge.key",
            f"--pid-file={place}/munged.pid", f"--log-file={place}/munged.log", f"--seed-file={place}/munged.seed",
        )
        wait_until("munged listens", (place / "munge.socket").exists)
        self.daemon("slurmctld", "-D", "-i", "-c")
        for i in range(1, NODES + 1):
            self.daemon("slurmd", "-D", "-N", f"n{i}")
        try:
            wait_until("all nodes are idle", lambda: self.ask("sinfo", "-h", "-N", "-o", "%T").split() == ["idle"] * NODES)
        except AssertionError as error:
            logs = "\n".join(log.read_text()[-2000:] for log in sorted(place.glob("*.log")))
            raise AssertionError(f"{error}\n{logs}") from error

    def daemon(self, *command):
        with open(self.folder / f"{command[0]}.out", "ab") as output:
            self.daemons.append(
                subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self.environment, cwd=self.folder,
                    preexec_fn=die_with_parent,
                )
            )

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.kill()
            daemon.wait()

    def ask(self, *command):
        """The output of the command; empty while the controller does not answer."""
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=self.environment, timeout=CEILING
        ).stdout

    def state(self, job):
        return self.field(job, "JobState")

    def field(self, job, name):
        words = dict(word.split("=", 1) for word in self.ask("scontrol", "--oneliner", "show", "job", job).split() if "=" in word)
        return words.get(name)


class Submitted(unittest.TestCase):
    """Each test has an experiment of its own: 12 cells of the peer, three for each gate.
    Cells that wait at the gate "first" or "second" go on when the test opens it."""

    root = None  # a folder

    @classmethod
    def setUpClass(cls):
        cls.root.chmod(0o755)
        (cls.root / "cluster").mkdir()
        cls.cluster = Cluster(cls.root / "cluster")
        cls.cluster.start()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.ask("scancel", "--user=root")
        cls.cluster.stop()

    def setUp(self):
        # A path with blanks, quotes, and "%a", which Slurm takes for a field.
        self.folder = self.root / f"{self._testMethodName} it's \"100%a\""
        self.gates = self.folder / "gates"
        self.gates.mkdir(parents=True)
        (self.folder / "peer.py").write_text(PEER)
        (self.folder / "peer.json").write_text(
            json.dumps(
                {
                    "summary": "waits for a gate", "source": "tests of this project", "rule": "cardinality",
                    "multiple_components": True, "matrix": "covariance",
                    "command": [sys.executable, "-B", "{here}/peer.py", "{problem}"],
                    "options": {
                        "gates": {"default": "", "help": "a folder"},
                        "gate": {"default": "open", "help": "a file there"},
                    },
                }
            )
        )
        names = ("open", "first", "second", "fails")
        solvers = [
            {"name": str(self.folder / "peer.json"), "label": name, "options": {"gates": str(self.gates), "gate": name}}
            for name in names
        ]
        (self.folder / "waits.json").write_text(
            json.dumps(
                {
                    "name": "waits", "title": "Waits",
                    "grids": {
                        "one": {
                            "datasets": ["pitprops"], "solvers": solvers, "cardinality": [2, 3, 4],
                            "metrics": ["explained_variance"],
                        }
                    },
                }
            )
        )
        (self.gates / "open").touch()
        (self.gates / "fails").touch()

    def spca(self, *words, code=0):
        finished = subprocess.run(
            [PROGRAM, *words], capture_output=True, text=True, check=False, env=self.cluster.environment, cwd=self.folder,
            timeout=CEILING,
        )
        self.assertEqual(finished.returncode, code, f"{words}\n{finished.stdout}\n{finished.stderr}")
        return finished.stdout

    def submit(self, tasks=4):
        """Submits the experiment; returns the report, and the numbers of the tasks that hold the cells of each solver."""
        submission = json.loads(self.spca("submit", "waits.json", "--tasks", str(tasks), "-o", "run", "--json"))
        place = pathlib.Path(submission["submission"])
        keys = {}
        plan = json.loads(self.spca("run", "waits.json", "--dry-run", "-o", "run", "--json"))
        for cell in plan["cells"]:
            keys[cell["key"]] = cell["solver"]
        tasks = {}
        for i in range(1, len(submission["chunks"]) + 1):
            for key in json.loads((place / f"chunk-{i}.json").read_text())["cells"]:
                tasks.setdefault(keys[key], set()).add(i)
        return submission, tasks

    def status(self):
        return json.loads(self.spca("status", "run", "--json"))

    def open(self, *names):
        for name in names:
            (self.gates / name).touch()

    def waits(self, name):
        return (self.gates / f"{name}.waits").exists()

    def end_of(self, submission):
        """The state of the job that merges, once it has ended."""
        ended = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")
        return wait_until("the job that merges has ended", lambda: (self.cluster.state(submission["merge_job"]) or "") in ended
                          and self.cluster.state(submission["merge_job"]))

    def evidence(self, submission):
        """Queue and logs of a submission, for the message of a test that fails."""
        logs = [f"{log.name}:\n{log.read_text()}" for log in sorted(pathlib.Path(submission["submission"]).glob("*.log"))]
        return "\n".join([self.cluster.ask("scontrol", "--oneliner", "show", "job"), *logs])

    def log(self, submission, name):
        return (pathlib.Path(submission["submission"]) / name).read_text()

    def answers(self, run):
        """Returns the lines without the parts that may differ between two runs of one seed."""
        lines = []
        for line in (self.folder / run / "cells.jsonl").read_text().splitlines():
            record = json.loads(line)
            for field in ("contended", "reused", "timing", "cost", "check"):
                record.pop(field, None)
            lines.append(json.dumps(record))
        return lines

    def assert_unbroken(self):
        """The records are those of a run on one machine."""
        self.open("first", "second")
        (self.gates / "broken").unlink(missing_ok=True)
        self.spca("run", "waits.json", "-o", "unbroken")
        self.assertEqual(len(self.answers("run")), 12)
        self.assertEqual(self.answers("run"), self.answers("unbroken"))
        self.spca("table", "run")  # refuses a run whose seal is broken
        self.assertEqual(sorted(path.name for path in (self.folder / "run/slurm/1").glob("*cache*")), [])

    def test_tasks_run_on_several_nodes_and_are_merged(self):
        submission, tasks = self.submit()
        self.assertEqual(len(submission["chunks"]), 4)
        wait_until("both gates are waited for", lambda: self.waits("first") and self.waits("second"))
        status = self.status()
        self.assertEqual(status["state"], "running")
        self.assertGreater(status["tasks"]["running"], 0)
        self.assertEqual(sum(status["tasks"][name] for name in ("queued", "running", "finished", "failed")), 4)
        merge = [one for one in status["tasks"]["all"] if one["task"] is None]
        self.assertEqual([(one["state"], one["reason"]) for one in merge], [("queued", "Dependency")])
        # Nothing is submitted twice.
        again = json.loads(self.spca("submit", "waits.json", "--tasks", "4", "-o", "run", "--json"))
        self.assertEqual(again["job"], None)
        self.assertGreater(again["on_the_way"], 0)
        self.open("first", "second")
        self.assertEqual(self.end_of(submission), "COMPLETED", self.evidence(submission))
        status = self.status()
        self.assertEqual((status["state"], status["total"]["done"]), ("finished", 12))
        self.assertEqual(status["tasks"]["finished"], 4)
        self.assert_unbroken()

    def test_a_task_that_is_killed_is_submitted_again(self):
        submission, tasks = self.submit()
        wait_until("the gate is waited for", lambda: self.waits("first"))
        self.open("second")
        running = {
            one["task"] for one in self.status()["tasks"]["all"] if one["state"] == "running" and one["task"] is not None
        }
        victims = running & tasks["first"]
        self.assertTrue(victims)
        for task in victims:
            job = f"{submission['job']}_{task}"
            self.cluster.ask("scancel", "--signal=KILL", "--full", job)
            wait_until("it has ended", lambda job=job: self.cluster.state(job) in ("FAILED", "CANCELLED"))
        # Another task may have reached this gate only now.
        self.open("first")
        self.assertEqual(self.end_of(submission), "FAILED")
        self.assertEqual(self.cluster.field(submission["merge_job"], "ExitCode"), "5:0")
        self.assertIn("missing", self.log(submission, "merge.log"))
        status = self.status()
        self.assertEqual(status["state"], "interrupted")
        self.assertEqual(status["tasks"]["failed"], len(victims))
        # All processes of the task were killed. If the peer was killed first, its cell has failed.
        rest = status["total"]["missing"] + status["total"]["failed"]
        self.assertGreater(status["total"]["missing"], 0)
        text = self.spca("status", "run")
        self.assertRegex(text, rf"task {min(victims)}: \w+.*task-{min(victims)}\.log")
        submission, tasks = self.submit()
        self.assertEqual(sum(chunk["cells"] for chunk in submission["chunks"]), rest)
        self.assertEqual(self.end_of(submission), "COMPLETED", self.evidence(submission))
        self.assertEqual(self.status()["state"], "finished")
        self.assert_unbroken()

    def test_a_task_that_is_requeued_resumes(self):
        self.open("second")
        submission, tasks = self.submit(tasks=3)  # of which one has cells of "open" and of "first", in this order
        place = pathlib.Path(submission["submission"])

        def victim():
            """A task that waits at the gate and has finished a cell."""
            for one in self.status()["tasks"]["all"]:
                cells = place / f"task-{one['task']}" / "cells.jsonl"
                if one["state"] == "running" and one["task"] in tasks["first"] and cells.exists() and cells.read_text():
                    return one["task"]
            return None

        task = wait_until("a task at the gate has finished a cell", victim)
        job = f"{submission['job']}_{task}"
        kept = len((place / f"task-{task}/cells.jsonl").read_text().splitlines())
        self.cluster.ask("scontrol", "requeue", job)
        wait_until("it is queued again", lambda: self.cluster.field(job, "Restarts") == "1")
        # Slurm lets a requeued job wait for two minutes, so that nothing of its first try is left
        # on the node. In the second in which the first try ended, a node refuses the job.
        number = self.cluster.field(job, "JobId")
        wait_until("its first try has ended", lambda: self.cluster.state(job) == "PENDING" and not has_step(number))
        self.cluster.ask("scontrol", "update", f"JobId={job}", "StartTime=now+2seconds")
        self.open("first")
        self.assertEqual(self.end_of(submission), "COMPLETED", self.evidence(submission))
        manifest = json.loads((place / f"task-{task}/manifest.json").read_text())
        self.assertGreaterEqual(manifest["kept"], kept)
        self.assertGreater(manifest["run"], 0)
        log = (place / f"task-{task}.log").read_text()
        self.assertIn(f"{manifest['kept']} kept from before", log)
        self.assert_unbroken()

    def test_a_task_that_fails_is_told_and_merged(self):
        self.open("first", "second", "broken")
        submission, tasks = self.submit()
        self.assertEqual(self.end_of(submission), "FAILED")
        self.assertEqual(self.cluster.field(submission["merge_job"], "ExitCode"), "3:0")
        for task in tasks["fails"]:
            self.assertEqual(self.cluster.field(f"{submission['job']}_{task}", "ExitCode"), "3:0")
        status = self.status()
        self.assertEqual(status["tasks"]["failed"], len(tasks["fails"]))
        self.assertEqual((status["total"]["done"], status["total"]["failed"]), (9, 3))
        reasons = {one["reason"] for one in status["tasks"]["all"] if one["state"] == "failed" and one["task"]}
        self.assertEqual(reasons, {"exit code 3: some of its cells failed"})
        self.assertIn("broken on purpose", status["last_failures"][0]["message"])
        (self.gates / "broken").unlink()
        submission, tasks = self.submit()
        self.assertEqual(set(tasks), {"fails"})
        self.assertEqual(self.end_of(submission), "COMPLETED", self.evidence(submission))
        self.assert_unbroken()

    def test_slurm_refuses_in_one_line(self):
        finished = subprocess.run(
            [PROGRAM, "submit", "waits.json", "--tasks", "2", "--partition", "nowhere", "-o", "run"],
            capture_output=True, text=True, check=False, env=self.cluster.environment, cwd=self.folder, timeout=CEILING,
        )
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertRegex(finished.stderr, r"\Aspca: error: sbatch: exit code 1: .*partition.*\n\Z")
        self.assertEqual(list((self.folder / "run/slurm").glob("1")), [])


def children():
    """The children of this process, with the orphans that it has adopted."""
    return [int(word) for word in pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()]


def end_all_children():
    while rest := children():
        for process in rest:
            try:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
            except (ProcessLookupError, ChildProcessError):
                pass


def guard(run, life):
    """Runs `run` in a child process until the child has ended, or until every holder of the other end of the pipe `life`
    has closed it. Then kills all that the child started. Returns the exit code of the child, or 128
    plus the number of the signal that killed it."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    Submitted.root = pathlib.Path(tempfile.mkdtemp(prefix="spca_slurm_"))
    child = os.fork()
    if child == 0:
        die_with_parent()
        os.close(life)
        try:
            run()
        except SystemExit as end:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(int(end.code))
    ended = 0
    while ended == 0:
        ended, state = os.waitpid(child, os.WNOHANG)
        if ended == 0 and select.select([life], [], [], 0.1)[0]:
            os.kill(child, signal.SIGKILL)
            ended, state = os.waitpid(child, 0)
    end_all_children()
    shutil.rmtree(Submitted.root, ignore_errors=True)
    code = os.waitstatus_to_exitcode(state)
    return code if code >= 0 else 128 - code


def guarded(run):
    """Runs guard() in a process that is not a descendant of this one. If ctest kills this process
    with all its descendants, because time is up, the guard survives, and kills all that the tests
    have started. Returns the exit code of guard(), or 1 if there is none."""
    life, alive = os.pipe()
    result, answer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.close(alive)
            os.close(result)
            code = guard(run, life)
            with contextlib.suppress(BrokenPipeError):  # the reader has gone
                os.write(answer, bytes([code]))
        os._exit(0)
    os.wait()
    os.close(answer)
    return (os.read(result, 1) or b"\1")[0]


def main():
    missing = [name for name in NEEDED if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
    if missing:
        print(f"skipped: needs {', '.join(missing)} (scripts/bootstrap --all)")
        return 77
    if os.getuid() != 0:
        print("skipped: needs root, which starts slurmd")
        return 77
    os.environ["PATH"] += ":/usr/sbin"
    return guarded(unittest.main)


if __name__ == "__main__":
    sys.exit(main())
