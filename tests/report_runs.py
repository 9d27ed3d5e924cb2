"""Runs for the tests of reports and tables, and how such a test ends."""

import json
import os
import pathlib
import subprocess

from ending import SKIPPED, main  # noqa: F401  (tests call them here)

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))
MISBEHAVING = os.environ.get("SPCA_MISBEHAVING_PROGRAM", str(SOURCES / "build/release/tests/spca_misbehaving"))

MARKUP = "<script>alert('x')</script>"
# Labels that HTML or TeX would interpret if they were not escaped.
ODD_LABELS = [MARKUP, "a_b 100% & #1 $x^2$ ~", "[in brackets] } \\cmd", "* <é> \"quoted\" | 'it'"]


def spca(*words, program=PROGRAM, code=0, **environment):
    finished = subprocess.run(
        [program, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=SOURCES,
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
    )
    assert finished.returncode == code, f"{words}: exit code {finished.returncode}\n{finished.stderr}"
    return finished


def quickstart(folder):
    run = folder / "quickstart"
    spca("run", "quickstart", "--profile", "smoke", "-o", run)
    return run


def run_experiment(folder, experiment, code=0, program=PROGRAM):
    (folder / "experiments").mkdir(exist_ok=True)
    path = folder / "experiments" / f"{experiment['name']}.json"
    path.write_text(json.dumps(experiment), encoding="utf-8")
    run = folder / experiment["name"]
    spca("run", path, "-o", run, program=program, code=code, SPCA_EXPERIMENTS=folder / "experiments")
    return run


def odd_run(folder):
    """A run whose every text holds markup, with one number of each verdict."""
    solvers = [{"name": "em", "label": label, "options": {"restarts": 1 + i}} for i, label in enumerate(ODD_LABELS)]
    solvers += ["tpower", "pca"]
    published = [
        {
            "name": f"t{i}",
            "where": MARKUP,
            "method": "other",
            "metric": "explained_variance",
            "rows": [{"label": MARKUP, "match": {"solver": solver, "cardinality": 5}, "printed": printed}],
        }
        for i, (solver, printed) in enumerate([("tpower", "3.40615"), ("tpower", "3.1"), ("pc*", "4.2"), ("tpower", "9.9")])
    ]
    known = {"match": {"solver": "tpower", "cardinality": 5}, "metric": "explained_variance", "direction": "worse"}
    claim = {"claim": MARKUP, "left": {"solver": "tpower"}, "is": ">=", "right": {"solver": "pca"}, "metric": "explained_variance"}
    return run_experiment(
        folder,
        {
            "name": "odd",
            "title": MARKUP,
            "source": MARKUP,
            "claim": MARKUP,
            "grids": {"g": {"datasets": ["pitprops"], "solvers": solvers, "cardinality": [5, 7], "metrics": ["explained_variance"]}},
            "published": published,
            "known_differences": [dict(known, range={"absolute": [1, 10]}, why=f"Because {MARKUP}.")],
            "claims": [claim],
            "tables": [{"kind": "bounds", "title": MARKUP}],
        },
    )


def printed_run(folder):
    """A run of a paper that prints a variance of its method for two cardinalities; one agrees with ours."""
    column = {"label": f"Thresholding {MARKUP}", "match": {"solver": "threshold"}}
    rows = [{"label": f"k = {k}", "match": {"cardinality": k}, "printed": [printed]} for k, printed in ((5, "3.41"), (4, "9.9"))]
    table = {"name": "t", "where": "A. Someone, 2020, Table 1", "title": "Table 1: one component", "method": "own", "metric": "explained_variance"}
    grid = {"datasets": ["pitprops"], "solvers": ["threshold", "branch-bound"], "cardinality": [4, 5], "metrics": ["explained_variance", "upper_bound"]}
    figure = {"name": "curve", "kind": "value-against-cardinality", "title": "Variance"}
    document = {"name": "printed", "title": "Printed", "grids": {"g": grid}, "published": [{**table, "columns": [column], "rows": rows}], "figures": [figure]}
    return run_experiment(folder, document)


def failing_run(folder):
    """A run with a solver that crashes, one that throws and one that does not."""
    solvers = ["misbehave-crash", "misbehave-throw", "tpower"]
    grid = {"datasets": ["pitprops"], "solvers": solvers, "cardinality": [5], "metrics": ["explained_variance"]}
    return run_experiment(folder, {"name": "failing", "title": "Failing", "grids": {"g": grid}}, code=3, program=MISBEHAVING)
