"""Judges experiments/schema.json with a validator that is not ours (python3-jsonschema).

Every shipped experiment is valid. Every document of a table of mistakes is refused by the schema
and by the program, and every document of a table of good ones is accepted by both.

    schema_validation.py PROGRAM SOURCE_DIR      exit code 77: jsonschema is missing (skipped)
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: no module jsonschema for", sys.executable, "(Debian: python3-jsonschema)")
    sys.exit(77)

GOOD = {
    "name": "a/test",
    "title": "T",
    "grids": {
        "g": {
            "datasets": ["pitprops", {"name": "spiked", "options": {"samples": 5}}],
            "solvers": ["tpower", {"name": "gpower-l0", "options": {"penalty": 0.5}}],
            "cardinality": [2, {"from": 3, "to": 5}],
            "metrics": ["explained_variance"],
        }
    },
    "published": [
        {
            "name": "table-1",
            "where": "Table 1",
            "method": "own",
            "metric": "explained_variance",
            "columns": [
                {"label": "pit props", "match": {"dataset": "pitprops", "cardinality": 2}},
                {"label": "tweets"},
            ],
            "rows": [{"label": "TPower", "match": {"solver": "tpower"}, "printed": [".98", "1e2*"]}],
        }
    ],
    "known_differences": [
        {
            "match": {"dataset": "pitprops", "solver": "tpower", "cardinality": 2},
            "metric": "explained_variance",
            "direction": "better",
            "range": {"absolute": [0, 1]},
            "why": "w",
        }
    ],
    "claims": [
        {
            "claim": "c",
            "match": {"solver": "tpower"},
            "left": {"cardinality": 3},
            "is": ">=",
            "right": {"cardinality": 2},
            "metric": "explained_variance",
        }
    ],
    "tables": [{"title": "T", "metric": "explained_variance"}],
}

SPIKED = "/grids/g/datasets/1"
GPOWER = "/grids/g/solvers/1"

# Changes of GOOD, as a JSON pointer and its value; None removes the member.
ACCEPTED = [
    {},
    {"/$schema": "../schema.json"},
    {"/maximum_cells": 100, "/seed": 0, "/time_limit": 0.5},
    {"/grids/g/solvers": ["*"], "/grids/g/exclude_solvers": "gpower-*"},
    {SPIKED + "/grid": {"product": {"variables": [30, {"from": 40, "to": 60, "step": 10}]}}},
    {SPIKED + "/grid": {"zip": {"variables": [30, 40], "cardinality": [3, 4]}}},
    {SPIKED + "/grid": {"product": {"variables": [30, 40]}, "exclude": [{"variables": 30}]}},
    {SPIKED + "/grid": {"product": {"variables": [30, 40]}, "exclude": [{"variables": [7, 30]}]}},
    {SPIKED + "/grid": {"product": {"lambda1": [{"from": 1, "to": 8, "factor": 2}]}}},
    {SPIKED + "/label": "{name} n={samples}"},
    {"/grids/g/solvers/0": {"name": "tpower", "options": {"starts": "largest-variance"}},
     "/published": [], "/known_differences": []},
    {"/published/0/rows/0/printed": ["-", "+.5e-3*"], "/known_differences": []},
    {"/published/0/rows/0/method": "baseline", "/published/0/columns/0/metric": "explained_variance"},
    {"/published/0/rows/0/tolerance": {"relative": 0.1, "why": "w"}, "/published/0/rows/0/repeats": 20},
    {"/published/0/columns/0/not_comparable": "other data", "/published/0/title": "T"},
    {"/published/0/method": None, "/published/0/origin": "by hand"},
    {"/published/0/columns": None, "/published/0/rows/0/printed": "7",
     "/published/0/match": {"dataset": "pitprops", "cardinality": 2}},
    {"/known_differences/0/measured_by": {"experiment": "a/test", "grid": "g"}},
    {"/known_differences/0/range": {"relative": [0.1, 0.2]}},
    {"/claims/0/where": "section 1", "/claims/0/slack": 0.1, "/claims/0/factor": 2},
    {"/claims/0/slack": {"relative": 0.1}, "/claims/0/match": {"grid": "g"}},
    {"/claims/0/right": 100, "/claims/0/metric": None, "/claims/0/fact": "variables_left"},
    {"/claims/0/why": "w", "/claims/0/measured_by": {"experiment": "a/test", "grid": "g"}},
    {"/grids/g/exclude": [{"dataset": "spiked", "cardinality": [2, 3]}]},
    {"/exclude": [{"grid": "g", "solver_options": {"penalty": 0.5}}]},
    {"/grids/g/zip": ["datasets", "solvers"]},
    {"/profiles": {"smoke": {"grids": {"g": {"repeats": 2, "penalty": None}}}, "full": {}}},
    {"/profiles": {"smoke": {"/grids/g/cardinality/0": 7, "seed": 3}}},
    {"/profiles": {"smoke": {"published": [], "tables": None, "claims": []}}},
    {"/tables/0": {"kind": "bounds", "title": "T", "where": {"grid": "g"}}},
    {"/tables/0/kind": "metric"},
]

REFUSED = [
    {"/title": None},
    {"/grids": {}},
    {"/tile": "T"},
    {"/name": "Upper Case"},
    {"/seed": -1},
    {"/seed": 1.5},
    {"/maximum_cells": 0},
    {"/time_limit": "1"},
    {"/grids/g/repeats": 0},
    {"/grids/g/repeats": "5"},
    {"/grids/g/repeat": 5},
    {"/grids/g/components": 1.5},
    {"/grids/g/datasets": []},
    {"/grids/g/datasets/0": "pit props"},
    {"/grids/g/solvers/0": "tpowr"},
    {"/grids/g/solvers/0": {"options": {}}},
    {"/grids/g/solvers/0": {"name": "tpower", "option": {}}},
    {GPOWER + "/options/penalti": 0.5},
    {GPOWER + "/options/penalty": "0.5"},
    {GPOWER + "/options/penalty": 1.5},
    {GPOWER + "/options/refit": 1},
    {GPOWER + "/options": [1]},
    {"/grids/g/solvers/0": {"name": "tpower", "options": {"starts": ["middle"]}}},
    {"/grids/g/solvers/0": {"name": "tpower", "options": {"starts": []}}},
    {SPIKED + "/options/samples": 0},
    {SPIKED + "/options/samples": 2.5},
    {SPIKED + "/options/lambda1": 0},
    {SPIKED + "/grid": {}},
    {SPIKED + "/grid": {"exclude": [{"variables": 30}]}},
    {SPIKED + "/grid": {"product": {}}},
    {SPIKED + "/grid": {"product": {"variables": 30}}},
    {SPIKED + "/grid": {"product": {"variables": []}}},
    {SPIKED + "/grid": {"product": {"variable": [30]}}},
    {SPIKED + "/grid": {"product": {"variables": [1]}}},
    {SPIKED + "/grid": {"product": {"variables": ["30"]}}},
    {SPIKED + "/grid": {"product": {"variables": [{"from": 3}]}}},
    {SPIKED + "/grid": {"product": {"variables": [{"from": 3, "to": 9, "step": 2, "factor": 2}]}}},
    {SPIKED + "/grid": {"product": {"variables": [30, 40]}, "exclude": [{}]}},
    {SPIKED + "/grid": {"product": {"variables": [30, 40]}, "exclude": [{"variable": 30}]}},
    {"/grids/g/cardinality": [0]},
    {"/grids/g/cardinality": []},
    {"/grids/g/cardinality": [{"from": 2}]},
    {"/grids/g/metrics": ["explained_varience"]},
    {"/grids/g/metrics": ["explained_variance", "explained_variance"]},
    {"/grids/g/deflations": ["shur"]},
    {"/grids/g/zip": ["datasets"]},
    {"/grids/g/zip": ["datasets", "deflations"]},
    {"/grids/g/exclude": [{}]},
    {"/grids/g/exclude": [{"grid": "g"}]},
    {"/grids/g/exclude": [{"solvers": "tpower"}]},
    {"/exclude": [{"datasets": "pitprops"}]},
    {"/tables/0/kind": "bounds"},
    {"/tables/0/kind": "bound"},
    {"/tables/0": {"kind": "metric", "title": "T"}},
    {"/profiles": {}},
    {"/profiles": {"smoke": {"name": "b"}}},
    {"/profiles": {"smoke": {"grid": {}}}},
    {"/profiles": {"smoke": {"grids": {"g": {"repeats": 0}}}}},
    {"/profiles": {"smoke": {"grids": {"g": {"repeat": 2}}}}},
    {"/published/0": {"match": {}, "metric": "explained_variance", "printed": "1", "where": "w"}},
    {"/published/0/rows/0/printed": [0.98, "1"]},
    {"/published/0/rows/0/printed": ["about 1", "1"]},
    {"/published/0/rows/0/printed": ["*", "1"]},
    {"/published/0/rows/0/printed": None},
    {"/published/0/rows/0/label": None},
    {"/published/0/rows/0/lable": "x"},
    {"/published/0/rows": []},
    {"/published/0/columns": []},
    {"/published/0/columns/0/label": None},
    {"/published/0/columns/0/printed": "1"},
    {"/published/0/name": None},
    {"/published/0/name": "Table 1"},
    {"/published/0/where": None},
    {"/published/0/origin": "a friend"},
    {"/published/0/method": "ours"},
    {"/published/0/select": "all"},
    {"/published/0/repeats": 0},
    {"/published/0/published_repeats": 5},
    {"/published/0/tolerance": {"absolute": 1}},
    {"/published/0/tolerance": {"absolute": 1, "relative": 1, "why": "w"}},
    {"/known_differences/0/metric": None},
    {"/known_differences/0/direction": None},
    {"/known_differences/0/direction": "other"},
    {"/known_differences/0/range": None},
    {"/known_differences/0/range": [0, 1]},
    {"/known_differences/0/range": {"absolute": [0]}},
    {"/known_differences/0/range": {"absolute": [0, 1], "relative": [0, 1]}},
    {"/known_differences/0/range": {"absolute": [-1, 1]}},
    {"/known_differences/0/measured_by": "a/test"},
    {"/known_differences/0/measured_by": {"experiment": "a/test"}},
    {"/claims/0/is": "="},
    {"/claims/0/right": "tpower"},
    {"/claims/0/left": None},
    {"/claims/0/metric": None},
    {"/claims/0/fact": "variables_left"},
    {"/claims/0/slack": -1},
    {"/claims/0/slack": {"absolute": 1}},
    {"/claims/0/factor": 0},
    {"/claims/0/measured_by": {"experiment": "a/test", "grid": "g"}},
    {"/tables/0/rows": "solvers"},
    {"/tables/0/metric": None},
    {"/known_differences": [{"match": {}}]},
]


def changed(changes):
    document = copy.deepcopy(GOOD)
    for pointer, value in changes.items():
        *path, last = pointer.split("/")[1:]
        container = document
        for step in path:
            container = container[int(step) if isinstance(container, list) else step]
        last = int(last) if isinstance(container, list) else last
        if value is None:
            del container[last]
        else:
            container[last] = value
    return document


def program_accepts(program, document, folder):
    file = pathlib.Path(folder) / "document.json"
    file.write_text(json.dumps(document))
    run = subprocess.run([program, "validate", str(file)], capture_output=True, text=True)
    if run.returncode not in (0, 2):
        raise RuntimeError(f"exit code {run.returncode}: {run.stderr}")
    return run.returncode == 0, run.stderr


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((source / "experiments" / "schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    failures = []
    for file in sorted((source / "experiments").rglob("*.json")):
        if file != source / "experiments" / "schema.json":
            for error in validator.iter_errors(json.loads(file.read_text())):
                failures.append(f"{file}: {error.json_path}: {error.message[:200]}")
    with tempfile.TemporaryDirectory() as folder:
        for table, is_good in ((ACCEPTED, True), (REFUSED, False)):
            for changes in table:
                document = changed(changes)
                by_schema = validator.is_valid(document)
                by_program, message = program_accepts(program, document, folder)
                if by_schema != is_good or by_program != is_good:
                    failures.append(
                        f"{json.dumps(changes)}: should be {'accepted' if is_good else 'refused'}; "
                        f"schema {by_schema}, program {by_program} {message.strip()}"
                    )
    print("\n".join(failures) or f"{len(ACCEPTED)} accepted, {len(REFUSED)} refused by both")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
