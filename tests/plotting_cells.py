"""Records, and what plotting/ makes of them, for the tests of plotting/."""

import itertools
import json
import os
import pathlib
import subprocess
import sys

from matplotlib.text import Text

PLOTTING = pathlib.Path(__file__).resolve().parent.parent / "plotting"
sys.path.insert(0, str(PLOTTING))

import plot  # noqa: E402
import records  # noqa: E402

KINDS = sorted(file.stem.replace("_", "-") for file in (PLOTTING / "figures").glob("*.py"))
METRICS = {
    name: {"unit": unit, "direction": direction, "timing": timing}
    for name, unit, direction, timing in [
        ("explained_variance", "variance", "higher", False),
        ("explained_variance_ratio", "", "higher", False),
        ("cumulative_variance", "variance", "higher", False),
        ("support_recovery", "", "higher", False),
        ("upper_bound", "variance", "lower", False),
        ("component_variance_ratio", "", "higher", False),
        ("decay_exponent", "", "none", False),
        ("products", "", "lower", False),
        ("solve_seconds", "s", "lower", True),
    ]
}
CONTEXT = {"metrics": METRICS, "variable_names": {"woods": ["top", "length", "moist", "dry"]}}


def record(solver, k, repeat=0, **more):
    """Returns a record on 13 variables, with one component for each cardinality in `k`."""
    cardinality = k if isinstance(k, list) else [k]
    base = {
        "key": f"{solver} {k} {repeat} {more.get('dataset')} {more.get('grid')}",
        "grid": "g",
        "dataset": "woods",
        "solver": solver,
        "deflation": "",
        "solver_name": solver,
        "components": len(cardinality),
        "cardinality": cardinality,
        "repeat": repeat,
        "n": 0,
        "p": 13,
        "status": "converged",
        "message": "",
        "tuned": False,
        "cardinality_missed": False,
        "unconstrained": False,
        "metrics": {},
        "loadings": [{"indices": [0], "values": [1.0]} for _ in cardinality],
        "contended": False,
        "timing": {},
        "trace_asked": False,  # what records.read() adds
    }
    return {**base, **more}


def options_of(kind):
    return {
        name: value[0] if isinstance(value, list) else value
        for name, value in plot.kind_named(kind).OPTIONS.items()
    }


def data_of(kind, cells, **options):
    return plot.kind_named(kind).data(cells, {**options_of(kind), **options}, CONTEXT)


def curves_of(panel):
    return {curve["name"]: (curve["x"], curve["y"]) for curve in panel["curves"]}


def variance(solver, k, value, repeat=0, **more):
    return record(solver, k, repeat, metrics={"explained_variance": value, "upper_bound": 5.0}, **more)


def crowded(kind):
    """Records that give a kind two panels, many curves near each other, and long names."""
    names = ["tpower", "gpower-block-l1 (a long label)", "em", "fullpath", "threshold", "spca-l1", "pmd"]
    cells = []
    datasets = ("colon with a long name", "woods")
    for dataset, i, k, repeat in itertools.product(datasets, range(len(names)), (2, 5), (0, 1)):
        value = k + 0.01 * i
        cells.append(
            record(
                names[i],
                [k, k],
                repeat,
                dataset=dataset,
                n=50,
                metrics={
                    "explained_variance": value,
                    "cumulative_variance": [value, 1.5 * value],
                    "upper_bound": 9.0,
                    "support_recovery": i % 2,
                },
                loadings=[{"indices": [0, 3], "values": [0.6, -0.8]}, {"indices": [1, 2], "values": [0.8, 0.6]}],
            )
        )
    if kind == "convergence":
        trace = {"iterations": [0, 1, 2, 3], "products": [1, 3, 5, 9], "objective": [0.1, 0.5, 0.9, 1.0]}
        cells = [
            {**cell, "components": 1, "cardinality": k[:1], "trace": trace, "trace_seconds": [1, 2, 3, 4]}
            for cell in cells
            for k in [cell["cardinality"]]
        ]
    if kind == "bounds-against-cardinality":
        cells = [{**cell, "components": 1, "cardinality": cell["cardinality"][:1]} for cell in cells]
    if kind == "spannogram":
        cells = [
            {**cell, "p": 4, "solver_name": "pca"}
            if cell["solver"] == names[0]
            else {**cell, "p": 4, "components": 1, **{key: cell[key][:1] for key in ("cardinality", "loadings")}}
            for cell in cells
        ]
    if kind == "spectrum":
        for cell in cells:
            cell["metrics"]["component_variance_ratio"] = [1, 0.5 + 0.01 * names.index(cell["solver"])]
    if kind == "metric-against-metric":
        for cell in cells:
            cell["metrics"].update(explained_variance_ratio=0.5, decay_exponent=len(cell["dataset"]))
    if kind == "homotopy-evolution":
        evolution = {
            "mu": [0, 0, 0, 0, 0.5, 1],
            "rank": [1, 2, 4, 4, 3, 1],
            "f_ccv": [3.0, 3.5, 4.0, 4.5, 4.0, 3.4],
            "f_EVD": [3.0, 2.6, 2.0, 1.5, 2.5, 3.4],
            "lambda_max": [1, 0.8, 0.5, 0.2, 0.6, 1],
        }
        facts = {f"evolution_{key}": column for key, column in evolution.items()}
        cells = [{**cell, "components": 1, "cardinality": cell["cardinality"][:1], "facts": facts} for cell in cells[:4]]
    if kind == "anytime":
        trace = {"iterations": [0, 1, 2, 3], "products": [1, 3, 5, 9], "objective": [1.1, 1.5, 1.9, 2.0]}
        times = {"timing": {"solve_seconds": 2.0}}
        cells = [
            {**cell, **times, **({"trace": trace, "trace_seconds": [1, 2, 3, 4]} if i % 3 else {"deflation": "schur"})}
            for i, cell in enumerate(cells)
        ]
    if kind in ("value-against-time", "solved-against-time", "gap-to-optimum"):
        cells = [
            {
                **cell,
                "metrics": {**cell["metrics"], "upper_bound": cell["cardinality"][0] + 0.06},
                "timing": {"solve_seconds": 10.0 ** -names.index(cell["solver"])},
            }
            for cell in cells
        ]
    if kind == "phase-diagram":
        cells = [
            {**cell, "n": n, "cardinality": [k], "components": 1, "key": f"{cell['key']} {n} {k}"}
            for cell in cells
            if cell["cardinality"][0] == 2
            for n in (10, 20, 40, 80, 160, 320, 640, 1280)
            for k in (2, 3, 4, 6, 9, 12)
        ]
    if kind == "scaling":
        cells = [
            {**cell, "p": p, "key": f"{cell['key']} {p}", "timing": {"solve_seconds": p * (1 + cell["repeat"])}}
            for cell in cells
            for p in (100, 1000)
        ]
    return cells


def variants_of(cells):
    return [list(one[:4]) + [list(one[4])] for one in records.grouped(cells, records.identity)]


TITLE = "A long title that says what is claimed, of which data with how many samples and variables, and by which paper"


def context_of(kind, cells):
    """CONTEXT; for the kinds that compare answers with instances of the library, with the answers judged."""
    if kind not in ("instance-matrix", "shortfall-against-time"):
        return CONTEXT
    solvers = list(records.grouped(cells, lambda cell: cell["solver"]))
    instances = []
    for cell in cells:
        place = solvers.index(cell["solver"])
        one = {key: cell[key] for key in ("grid", "dataset", "solver", "cardinality")}
        one["id"] = f"{cell['dataset'].replace(' ', '-')}-disjoint-r2-k{cell['cardinality'][0]}"
        outcome = "reached" if place == 0 else "worse"
        instances.append({**one, "outcome": outcome, "shortfall": 0.03 * place, "solve_seconds": 10.0**-place, "products": 10})
    return {**CONTEXT, "instances": instances}


def figure_of(kind, cells=None, title=TITLE):
    cells = cells or crowded(kind)
    spec = {"kind": kind, "title": title, "options": options_of(kind), "variants": variants_of(cells)}
    return plot.compose(spec, cells, context_of(kind, cells))[0]


def chart_of(kind, cells=None):
    cells = cells or crowded(kind)
    spec = {"kind": kind, "title": TITLE, "options": options_of(kind), "variants": variants_of(cells)}
    return plot.compose(spec, cells, context_of(kind, cells))[2]


def boxes_of(figure):
    """[(words, box in pixels)] of everything written."""
    renderer = figure.canvas.get_renderer()
    figure.draw(renderer)
    found = []
    # Ticks beyond the end of an axis exist and are not drawn.
    ticks = {text for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for text in axis.findobj(Text)}
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            ticks -= {axis.label, *(tick.label1 for tick in axis._update_ticks())}
    for text in figure.findobj(Text):
        if text not in ticks and text.get_visible() and text.get_text().strip():
            # Only the words of an annotation count: its leader may cross the gap to its curve.
            found.append((text.get_text(), Text.get_window_extent(text, renderer)))
    return found


def plot_run(cells, kinds, folder, form="svg", title=TITLE, hash_seed="1"):
    """Files that plot.py makes of a run of these records, {name: bytes}, and what it says on stderr."""
    run = pathlib.Path(folder) / "run"
    out = pathlib.Path(folder) / f"{form}{hash_seed}"
    run.mkdir(exist_ok=True)
    out.mkdir()
    lines = "".join(json.dumps(cell, ensure_ascii=False) + "\n" for cell in cells)
    (run / "cells.jsonl").write_text(lines, encoding="utf-8")
    figures = [
        {"kind": kind, "name": kind, "title": title, "options": options_of(kind), "variants": variants_of(cells)}
        for kind in kinds
    ]
    request = {"run": str(run), "directory": str(out), "format": form, "figures": figures, **CONTEXT}
    done = subprocess.run(
        [sys.executable, "-B", str(PLOTTING / "plot.py")],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    assert [file["name"] for file in json.loads(done.stdout)] == kinds
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}, done.stderr
