#!/usr/bin/env python3
"""Renders a report: reads the data from `spca report` on stdin as JSON, and writes the page to stdout as HTML.

One file without any reference to another: figures, style and scripts are inside, and its content security policy
forbids the browser to load anything or to run another script. The same input gives the same bytes.
If jinja2 is missing, the exit code is 2 and the message goes to stdout.

site_pages.py makes pages of its own with environment(), section(), stylesheet() and scripts(): its
templates use the macros of report/run.html.jinja, and its pages share the files of the scripts.
"""

import base64
import hashlib
import json
import math
import os
import pathlib
import shlex
import sys

try:
    import jinja2
    import markupsafe
except ImportError as error:
    sys.stdout.write(
        f"{sys.executable}: no module named {error.name}; accepted: a Python with jinja2 (Debian: python3-jinja2), "
        "which SPCA_PYTHON may name"
    )
    sys.exit(2)

import inline_svg
import verdict_matrix
import verdict_words

HERE = pathlib.Path(__file__).resolve().parent / "report"
SIGNS = {
    "reproduced": "✓",
    "higher": "▲",
    "lower": "▼",
    "differs": "≠",
    "too noisy to tell": "~",
    "not comparable": "?",
    "no public data": "–",
    "not run": "…",
}
CLAIM_SIGNS = {"holds": "✓", "undecided": "?", "fails": "▼"}
# The kinds of published numbers. Their verdicts are counted apart, and the counts are never summed.
COUNTS = {
    "own": "the paper's method",
    "baseline": "the paper's competitors",
    "other": "our other solvers at its numbers",
    "check": "check of the set-up",
    "by_hand": "follows from a formula",
    "program": "another program",
    "certified": "proved optimum",
}
CLAIMS = {"claims": "claims of the paper", "our_claims": "claims of ours"}
# The bundle of plotting/interactive/: as installed, or where scripts/interactive makes it from the sources.
VEGA = (HERE / "vega.js", HERE.parent.parent / "build" / "interactive" / "vega.js")
WIDEST = 14  # columns that a reader can survey; a wider table with fewer rows is transposed
LONG = 40  # rows above which a table scrolls in its own box
ROUNDING = 1e-12  # relative: doubles around the same decimal, as the verdicts take them
# Escapes for the control characters that a terminal or a browser obeys (printable_lines in spca/base/text.h).
CONTROLS = {
    code: f"\\u{code:04x}"
    for code in [*range(9), *range(11, 32), *range(127, 160), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
}


def cleaned(value):
    if isinstance(value, str):
        return value.translate(CONTROLS)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {cleaned(key): cleaned(item) for key, item in value.items()}
    return value


def minus(text):
    return text.replace("-", "−", 1) if text.startswith("-") else text


def number(value, digits=6):
    return "none" if value is None else minus(f"{value:.{digits}g}")


def significant_digits(printed):
    mantissa = printed.lower().split("e")[0].replace(".", "").lstrip("-+0")
    return sum(letter.isdigit() for letter in mantissa) or 1


def plural(count, word):
    return f"{count:,} {word}{'' if count == 1 else 's'}".replace(",", "\u202f")


def moment(text):
    return text.replace("T", " ").replace("Z", " UTC")


def cardinality(values):
    if not values:
        return ""  # no cell of this run
    return str(values[0]) if len(set(values)) == 1 else ",".join(map(str, values))


class Footnotes:
    """Numbered notes, each text once."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.texts = []

    def number(self, text):
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text) + 1


def interval(comparison):
    """Returns " [0.87, 0.99]", the interval of a share of few draws; "" if none is shown."""
    if not comparison["shows_interval"]:
        return ""
    return " [" + ", ".join(number(end, 3) for end in comparison["interval"]) + "]"


def verdict_style(comparison):
    """Returns the classes of the verdict in the style sheet. A number on the wrong side has the
    class "wrong", too."""
    return comparison["verdict"].replace(" ", "-") + (" wrong" if comparison["on_wrong_side"] else "")


def comparison_row(comparison, notes):
    printed = comparison["printed"] or number(comparison["published"], 12)
    digits = min(12, max(4, significant_digits(printed) + 2))
    difference = None
    if comparison["ours"] is not None and comparison["published"] is not None:
        difference = comparison["ours"] - comparison["published"]
        if abs(difference) <= ROUNDING * abs(comparison["published"]):
            difference = 0
    marks = ("*" if comparison["cardinality_missed"] else "") + ("^" if comparison.get("truncated") else "")
    verdict = comparison["verdict"]
    reasons = [comparison["reason"]] if comparison["reason"] else comparison["explanations"]
    return {
        "verdict": verdict,
        "style": verdict_style(comparison),
        "wrong": comparison["on_wrong_side"],
        "reasons": reasons,
        "notes": [notes.number(reason) for reason in reasons],
        "count": comparison["count"],
        "table": comparison["table"],
        "title": comparison["title"],
        "place": comparison["place"],
        "row": comparison["row"],
        "column": comparison["column"],
        "solver": comparison["solver"] or "no cell",
        "data set": comparison["dataset"],
        "grid": comparison["grid"],
        "deflation": comparison["deflation"] or "none",
        "k": cardinality(comparison["cardinality"]),
        "metric": comparison["metric"],
        "published": printed,
        "ours": number(comparison["ours"], digits) + marks + interval(comparison),
        "short": "" if comparison["ours"] is None else number(comparison["ours"], min(4, digits)) + marks,
        "ours − published": "none" if difference is None else number(difference, 2),
        "s.e.": "" if comparison["standard_error"] is None else number(comparison["standard_error"], 2),
        "tolerance": number(comparison["tolerance"], 2),
        "where": comparison["where"],
    }


COLUMNS = ["count", "row", "column", "k", "published", "ours", "ours − published", "s.e.", "tolerance", "data set", "grid", "deflation", "metric", "where"]
DROPPABLE = {"count", "row", "column", "data set", "grid", "deflation", "metric", "s.e.", "where"}  # where the same in every row


def groups_by_reason(rows, is_of_group):
    """Returns [(reason, rows)] of the rows in the group; the reason is "" if none is known."""
    groups = {}
    for row in rows:
        if is_of_group(row):
            groups.setdefault(" ".join(row["reasons"]), []).append(row)
    return list(groups.items())


def published(run, prefix):
    notes = Footnotes(prefix)
    rows = [
        {"index": index + 1, **comparison_row(comparison, notes)} for index, comparison in enumerate(run["comparisons"])
    ]
    same = {column: rows[0][column] for column in DROPPABLE if rows and len({row[column] for row in rows}) == 1}
    return {
        "rows": rows,
        "matrices": verdict_matrix.matrices(rows),
        "columns": [column for column in COLUMNS if column not in same],
        "same": [(column, same[column]) for column in COLUMNS if same.get(column, "none") not in ("none", "")],
        "notes": notes.texts,
        "rules": list(dict.fromkeys(comparison["tolerance_rule"] for comparison in run["comparisons"])),
        "missed": any("*" in row["ours"] for row in rows),
        "truncated": any("^" in row["ours"] for row in rows),
        "wrong": groups_by_reason(rows, lambda row: row["wrong"]),
        "beyond": groups_by_reason(rows, lambda row: row["verdict"] in ("higher", "lower") and not row["wrong"]),
        "too_noisy": groups_by_reason(rows, lambda row: row["verdict"] == "too noisy to tell"),
        "not_comparable": groups_by_reason(rows, lambda row: row["verdict"] in ("not comparable", "no public data")),
        "not_run": groups_by_reason(rows, lambda row: row["verdict"] == "not run"),
        "intervals": any("[" in row["ours"] for row in rows),
        "sums": [(COUNTS[count], run["verdicts"][count]) for count in COUNTS if any(run["verdicts"][count].values())],
        "claim_sums": [(CLAIMS[count], run["verdicts"][count]) for count in CLAIMS if any(run["verdicts"][count].values())],
    }


def result_table(table):
    """Returns the table in rows of cells, transposed if it has more than WIDEST columns and fewer
    rows than columns."""
    rows, columns = table["header"][0].split(" \\ ")
    heads = [row[0] for row in table["rows"]]
    cells = [
        [
            {"text": text, "error": "" if numbers[1] is None else number(numbers[1], 2), "best": numbers[3]}
            for text, numbers in zip(row[1:], line)
        ]
        for row, line in zip(table["rows"], table["numbers"])
    ]
    header = table["header"][1:]
    if len(header) > WIDEST and len(heads) < len(header):
        rows, columns, heads, header = columns, rows, header, heads
        cells = [list(line) for line in zip(*cells)]
    return {
        **{key: table[key] for key in ("title", "metric", "formula", "direction", "notes")},
        "row_name": rows,
        "column_name": columns,
        "header": header,
        "rows": list(zip(heads, cells)),
        "long": len(heads) > LONG,
        "has_best": any(cell["best"] for line in cells for cell in line),
        "has_error": any(cell["error"] for line in cells for cell in line),
    }


def topics(run):
    """The answers of each data set, those of one solver and deflation together."""
    shown = []
    for topic in run["topics"]:
        methods = {}
        for answer in topic["answers"]:
            method = answer["solver"] + (f", {answer['deflation']}" if answer["deflation"] else "")
            methods.setdefault(method, []).append(answer)
        shown.append({**topic, "methods": list(methods.items())})
    return shown


def size(count):
    return f"{count / 2**30:.1f} GiB"


def facts(manifest):
    """The facts of the manifest that a reader looks for first. A field that an older program did not write is left out."""
    build, machine = manifest.get("build", {}), manifest.get("machine", {})
    limits = [
        f"{manifest[key]:g} {unit}" for key, unit in (("time_limit_seconds", "s"), ("memory_limit_mb", "MB")) if manifest.get(key)
    ]
    memory = machine.get("memory_bytes")
    rows = [
        ("Experiment", manifest.get("experiment")),
        ("Source", manifest.get("source")),
        ("Profile", manifest.get("profile")),
        ("Seed", manifest.get("seed")),
        ("Command line", shlex.join(["spca", *manifest.get("invocation", {}).get("arguments", [])])),
        ("Begun", moment(manifest.get("began") or "")),
        ("Ended", moment(manifest.get("ended") or "not ended")),
        ("Cells at once, threads of one", f"{manifest.get('jobs', '?')}, {manifest.get('threads', '?')}"),
        ("Limits of one cell", ", ".join(limits) or "none"),
        ("Version", build.get("version")),
        ("Sources (SHA-256)", build.get("revision")),
        ("Compiler", " ".join(filter(None, [build.get("compiler"), build.get("build_type"), (build.get("flags") or "").strip()]))),
        ("Processor", machine.get("processor")),
        ("Cores", machine.get("cores")),
        ("Memory", size(memory) if memory else None),
        ("Operating system", " ".join(filter(None, [machine.get("operating_system"), machine.get("architecture")]))),
    ]
    return [(name, value) for name, value in rows if value not in (None, "")]


def markup_of(figure, prefix):
    """Returns the SVG of one figure. Raises NotDrawable with the reason if the figure is missing,
    or if no page can hold it; the other figures are still shown."""
    if figure["why_not"]:
        raise inline_svg.NotDrawable(figure["why_not"])
    label = " ".join([figure["title"], *figure["notes"]])
    return markupsafe.Markup(inline_svg.inline(pathlib.Path(figure["path"]), prefix, label))


def chart_of(figure):
    """Returns the figure's specification as text that cannot end a script element; None without
    one."""
    if not figure.get("chart"):
        return None
    text = json.dumps(figure["chart"], ensure_ascii=False, separators=(",", ":"))
    return markupsafe.Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def figures_of(run, prefix):
    """The figures that a page can hold; and the others, each with the reason."""
    shown, not_drawn = [], []
    for figure in run["figures"]:
        number = len(shown) + 1
        own = f"{prefix}-figure{number}"
        try:
            svg = markup_of(figure, own)
            shown.append({**figure, "number": number, "prefix": own, "svg": svg, "chart": chart_of(figure)})
        except inline_svg.NotDrawable as error:
            not_drawn.append({**figure, "why_not": str(error)})
    return shown, not_drawn


def outcome_of(run):
    """Returns the outcome in one sentence; for a run without verdicts, the number of its answers."""
    sentence = verdict_words.sentence(run["verdicts"])
    if sentence and run["answer"]:
        sentence = f"Does it come out? {run['answer']} {sentence}"
    converged = run["by_status"].get("converged", 0)
    return sentence or f"{converged} of {plural(run['records'], 'cell')} converged."


def parts_of(shown):
    """Returns [(id, words)] of the parts that the section has."""
    parts = [
        ("first1", "The table", shown["first_tables"]),
        ("paper1", "The paper's tables", shown["paper_tables"]),
        ("verdicts", "Verdicts", shown["is_judged"]),
        ("figures", "Further figures", len(shown["figures"]) > 1 or shown["not_drawn"]),
        ("results", "Results", not shown["first_tables"]),
        ("published-head", "Every published number", shown["published"]["rows"]),
        ("topics", "Components in words", shown["topics"]),
        ("failures", "Failures and limits", True),
        ("manifest", "Manifest", True),
    ]
    return [(part, words) for part, words, there in parts if there]


def section(run, prefix, name=""):
    """Returns the values of one run that the macros of report/run.html.jinja show. `run`: the run
    as `spca report` writes it, its texts cleaned(). Every id of the macros begins with `prefix`."""
    manifest = run["manifest"]
    figures, not_drawn = figures_of(run, prefix)
    shown = {
        **run,
        "prefix": prefix,
        "name": name,
        "label": f"{name}: " if name else "",
        "title": manifest.get("title") or manifest.get("experiment"),
        "sentence": outcome_of(run),
        "facts": facts(manifest),
        "manifest_text": json.dumps(manifest, indent=2, ensure_ascii=False),
        "published": published(run, prefix),
        "is_judged": bool(run["comparisons"] or run["claims"]),
        "tables": [result_table(table) for table in run["tables"]],
        "figures": figures,
        "not_drawn": not_drawn,
        "topics": topics(run),
    }
    return {**shown, "parts": parts_of(shown)}


def has_charts(sections):
    return any(figure["chart"] for shown in sections for figure in shown["figures"])


def square_of(row, run):
    """The contents of a square: its verdict, and words that identify its number."""
    where = ", ".join(filter(None, [row["row"], row["column"], row["solver"], row["k"] and f"k = {row['k']}"]))
    return {
        "verdict": row["verdict"],
        "style": row["style"],
        "words": f"{where}: published {row['published']}, ours {row['ours']}, {row['verdict']}",
        "href": f"#{run['prefix']}-number{row['index']}",
    }


def papers(runs):
    """[(paper, [{"title", "experiment", "href", "squares", "place"}])]: the tables of each paper in its order, with a square
    for each number, and its claims."""
    found = {}
    for run in runs:
        tables = {}
        for row in run["published"]["rows"]:
            tables.setdefault(row["table"], []).append(row)
        experiment = run["manifest"]["experiment"]
        rows = [
            {
                "title": numbers[0]["title"],
                "experiment": experiment,
                "href": f"#{run['prefix']}-published-head",
                "squares": [square_of(row, run) for row in numbers],
                "place": numbers[0]["place"],
            }
            for numbers in tables.values()
        ]
        claims = [
            {
                "verdict": claim["verdict"],
                "style": claim["verdict"].replace(" ", "-"),
                "words": f"{claim['claim']}: {claim['verdict']}",
                "href": f"#{run['prefix']}-claims",
            }
            for claim in run["claims"]
        ]
        if claims:
            rows.append({"title": "Claims", "experiment": experiment, "href": f"#{run['prefix']}-claims", "squares": claims, "place": [math.inf]})
        found.setdefault(experiment.split("/")[0], []).extend(rows)
    return [(paper, sorted(rows, key=lambda row: row["place"])) for paper, rows in found.items() if rows]


def environment(*folders):
    """Templates of these folders, and then those of a report."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, HERE]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(number=number, minus=minus, plural=plural, moment=moment)
    made.globals.update(signs={**SIGNS, **CLAIM_SIGNS}, number_verdicts=list(SIGNS), long=LONG)
    return made


def stylesheet():
    return (HERE / "report.css").read_text(encoding="utf-8")


def vega():
    """The bundle of Vega-Lite, or None. SPCA_VEGA names another file, or is "none"."""
    named = os.environ.get("SPCA_VEGA")
    places = [pathlib.Path(named)] if named else VEGA
    found = next((place for place in places if place.is_file()), None)
    return found.read_text(encoding="utf-8") if found else None


def scripts(interactive):
    """Returns [(name of a file, its text)], in the order in which a page runs them. If the bundle
    is missing, figures are static, and one line on stderr says so, unless SPCA_VEGA is "none"."""
    texts = [("report.js", (HERE / "report.js").read_text(encoding="utf-8"))]
    bundle = vega() if interactive else None
    if bundle:
        texts += [("vega.js", bundle), ("charts.js", (HERE / "charts.js").read_text(encoding="utf-8"))]
    elif interactive and os.environ.get("SPCA_VEGA") != "none":
        named = os.environ.get("SPCA_VEGA")
        missing = f"SPCA_VEGA: no file {named}" if named else "no build/interactive/vega.js"
        print(f"report: figures stand still: {missing}; scripts/interactive makes it with npm", file=sys.stderr)
    return texts


def script_policy(texts):
    """The value of script-src with which these scripts, and no others, run within the page."""
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
    return " ".join(f"'sha256-{digest}'" for digest in digests)


def render(data):
    """Returns the page for the data from `spca report`."""
    data = cleaned(data)
    alone = len(data["runs"]) == 1
    runs = [section(run, f"run{i + 1}", "" if alone else f"Run {i + 1}") for i, run in enumerate(data["runs"])]
    texts = [text for _, text in scripts(has_charts(runs))]
    return environment().get_template("report.html.jinja").render(
        runs=runs,
        papers=papers(runs),
        paper_names=data["paper_names"],
        common=data["common"],
        style=markupsafe.Markup(stylesheet()),
        scripts=[markupsafe.Markup(text) for text in texts],
        script_policy=markupsafe.Markup(script_policy(texts)),
        interactive=len(texts) > 1,
    )


def main():
    page = render(json.load(sys.stdin))
    sys.stdout.buffer.write(page.encode())


if __name__ == "__main__":
    main()
