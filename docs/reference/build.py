"""Makes the reference of the C++ library with Doxygen: the public headers, and a page for each registered solver.

    cmake --build build/release --target reference     # build/release/reference/html/index.html

The public headers are those that docs/CPP.md lists, and what they include. The pages of solvers come from the program
itself and from results/reference, at every build. Any warning of Doxygen is an error. Without Doxygen the exit code is 77.
"""

import argparse
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parents[1]
SAME_VALUE = 1e-6  # of the best: the regression gate's own tolerance of a variance

SETTINGS = """
PROJECT_NAME           = spca-bench
PROJECT_BRIEF          = "Sparse principal component analysis: the C++ library"
USE_MDFILE_AS_MAINPAGE = {main}
FILTER_PATTERNS        = *.h="{python} -B {filter}"
STRIP_FROM_PATH        = {sources} {pages}
STRIP_FROM_INC_PATH    = {sources}
JAVADOC_AUTOBRIEF      = YES
BUILTIN_STL_SUPPORT    = YES
MACRO_EXPANSION        = NO
TOC_INCLUDE_HEADINGS   = 0
HAVE_DOT               = NO
GENERATE_LATEX         = NO
GENERATE_TREEVIEW      = YES
HTML_TIMESTAMP         = NO
QUIET                  = YES
WARN_IF_UNDOCUMENTED   = YES
WARN_IF_DOC_ERROR      = YES
WARN_AS_ERROR          = FAIL_ON_WARNINGS
"""


def public_headers():
    guide = (SOURCES / "docs/CPP.md").read_text(encoding="utf-8")
    headers, open_ones = [], re.findall(r"^\| `(spca/\S+\.h)` ", guide, re.MULTILINE)
    assert open_ones, "docs/CPP.md lists no header"
    while open_ones:
        header = open_ones.pop()
        if header not in headers:
            headers.append(header)
            open_ones += re.findall(r'#include "(spca/[^"]+)"', (SOURCES / header).read_text(encoding="utf-8"))
    return sorted(headers)


# ---- One page for each solver


def program(arguments, *words):
    return json.loads(subprocess.run([arguments.program, *words, "--json"], check=True, capture_output=True).stdout)


def plain(text):
    """Returns text in which Doxygen finds no command, no markup and no table."""
    return re.sub(r"([\\@#%*_`~\[\]])", r"\\\1", html.escape(str(text), quote=False)).replace("|", "&#124;")


def table(titles, rows):
    lines = [titles, ["---"] * len(titles), *([plain(cell) for cell in row] for row in rows)]
    return ["| " + " | ".join(line) + " |" for line in lines]


def admissible(option):
    if "choices" in option:
        return ", ".join(map(str, option["choices"]))
    ends = [("minimum", ">="), ("exclusive_minimum", ">"), ("maximum", "<="), ("exclusive_maximum", "<")]
    return " and ".join(f"{sign} {option[end]:g}" for end, sign in ends if option.get(end) is not None)


def written(value):
    if isinstance(value, list):
        return ", ".join(map(written, value))
    return value if isinstance(value, str) else json.dumps(value)


def loadings_of(cell, cells):
    """Returns the components of each repeat. A number refers to the cell at that index: its components of the same repeat."""
    return [
        cells[components]["loadings"][repeat] if isinstance(components, int) else components
        for repeat, components in enumerate(cell["loadings"])
    ]


def is_comparable(cell, cells):
    """Returns whether the sum of the variances may be compared: overlapping components may count the same variance twice."""
    for components in loadings_of(cell, cells):
        taken = [index for component in components for index in component["indices"]]
        if len(taken) != len(set(taken)):
            return False
    return not cell["unconstrained"]


def standings():
    """Returns solver -> experiment -> its value over the best of all solvers, for each problem that several solvers answered."""
    found = {}
    for file in sorted((SOURCES / "results/reference").rglob("*.json")):
        baseline = json.loads(file.read_text(encoding="utf-8"))
        problems = {}
        for cell in baseline["cells"]:
            values = cell["metrics"].get("explained_variance", [])
            if not is_comparable(cell, baseline["cells"]) or not values or any(value is None for value in values):
                continue
            asked = json.dumps([cell["grid"], cell["dataset"], cell["deflation"], cell["cardinality"], cell["repeats"]])
            # If the experiment has the solver with several options, its best answer counts.
            ours = problems.setdefault(asked, {})
            ours[cell["solver_name"]] = max(ours.get(cell["solver_name"], 0), sum(values) / len(values))
        for values in problems.values():
            best = max(values.values())
            if len(values) > 1 and best > 0:
                for solver, value in values.items():
                    found.setdefault(solver, {}).setdefault(baseline["experiment"], []).append(value / best)
    return found


def standing_rows(shares):
    for experiment, ratios in sorted(shares.items()):
        best = sum(ratio >= 1 - SAME_VALUE for ratio in ratios)
        mean = sum(ratios) / len(ratios)
        yield [experiment, len(ratios), best, f"{mean:.4f}", f"{min(ratios):.4f}"]


def solver_page(entry, shares):
    name = entry["name"]
    lines = [f"# {plain(name)} {{#solver_{name.replace('-', '_')}}}", "", plain(entry["summary"]) + ".", ""]
    if entry["problem"]:
        lines += ["~~~{.unparsed}", entry["problem"], "~~~", ""]
    lines += [f"**Source** {plain(entry['source'] or 'none')}", ""]
    promises = {
        "multiple_components": "finds several components itself",
        "disjoint": "their supports share no variable",
        "orthogonal": "they are orthogonal",
        "path": "has all cardinalities up to k in one run",
        "warm_start": "also begins from a component that is given",
        "seeded": "draws random numbers",
        "exact": "the answer is a certified optimum",
    }
    sparsity = {"cardinality": "takes k", "penalty": "takes a penalty, which is tuned to k", "dense": "is not sparse"}
    statements = [sparsity[entry["rule"]], *(text for key, text in promises.items() if entry[key])]
    lines += [f"- {plain(text)}" for text in statements]
    lines += [f"- skips problems of more than {entry['largest_p']} variables"] if entry["largest_p"] else []
    lines += ["", "## Options", ""]
    rows = [
        [option["name"], option["type"], written(option["default"]), admissible(option), option["help"]]
        for option in entry["options"]
    ]
    lines += table(["option", "type", "default", "accepted", "what it does"], rows) if rows else ["It has none."]
    lines += ["", "## Where it stands", ""]
    if shares:
        lines += [
            "Its explained variance over the best of all solvers on the same problem, from the committed baselines;",
            "several components count if they share no variable. How often it is the best, and the mean and the least",
            "of these ratios:",
            "",
            *table(["experiment", "problems", "best", "mean", "least"], standing_rows(shares)),
        ]
    else:
        lines += ["No committed baseline has it beside another solver."]
    return "\n".join(lines) + "\n"


def write_pages(arguments, folder):
    shares = standings()
    entries = [program(arguments, "describe", "solver", one["name"]) for one in program(arguments, "list", "solvers")]
    links = [f"- @subpage solver_{entry['name'].replace('-', '_')} : {plain(entry['summary'])}" for entry in entries]
    index = ["# Solvers {#solvers}", "", *links, ""]
    (folder / "namespace.dox").write_text("/// @namespace spca\n/// The library, all of it.\n", encoding="utf-8")
    (folder / "solvers.md").write_text("\n".join(index), encoding="utf-8")
    for entry in entries:
        text = solver_page(entry, shares.get(entry["name"], {}))
        (folder / f"solver_{entry['name'].replace('-', '_')}.md").write_text(text, encoding="utf-8")


# ---- Doxygen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="spca")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="a folder of its own: it is emptied first")
    parser.add_argument("--version", default="", help="of the project")
    parser.add_argument("--doxygen", default="doxygen")
    parser.add_argument("--header", action="append", default=[], help="one more header")
    arguments = parser.parse_args()
    if not shutil.which(arguments.doxygen):
        print("skipped: needs doxygen (Debian: doxygen)")
        sys.exit(77)
    output = arguments.output.resolve()
    pages = output / "pages"
    shutil.rmtree(output, ignore_errors=True)
    pages.mkdir(parents=True)
    write_pages(arguments, pages)
    main_page = SOURCES / "docs/CPP.md"
    settings = SETTINGS.format(
        main=main_page, python=sys.executable, filter=HERE / "header_filter.py", sources=SOURCES, pages=pages
    )
    inputs = [main_page, pages, *(SOURCES / header for header in public_headers()), *arguments.header]
    settings += f"PROJECT_NUMBER = {arguments.version}\nOUTPUT_DIRECTORY = {output}\n"
    settings += "INPUT = " + " ".join(f'"{path}"' for path in inputs) + "\n"
    finished = subprocess.run(
        [arguments.doxygen, "-"], input=settings, text=True, cwd=SOURCES, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    sys.exit(1 if finished.returncode else 0)


main()
