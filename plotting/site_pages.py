#!/usr/bin/env python3
"""Renders a site: reads the data from `spca site` on stdin as JSON, and writes {path: text} of every file to stdout.

Pages link to each other, to one style sheet and to one script by relative links, so they open from disk as well as from
a server. Their content security policy forbids everything else. A page of an experiment is the report of its run. The
same input gives the same bytes. If jinja2 is missing, the exit code is 2 and the message goes to stdout.
"""

import hashlib
import json
import math
import pathlib
import posixpath
import re
import sys

import report
import verdict_words

HERE = pathlib.Path(__file__).resolve().parent / "site"
SAME = 1e-6  # kSameValue in harness/verdicts/problems.h: values that differ by less count as equal
MOST_SQUARES = 60  # of one table on the first page; a table with more is folded
MOST_CHIPS = 12  # cardinalities of a data set on the first page
MOST_NAMES = 3  # solvers that share a best value, before they are folded away
MOST_COLUMNS = 14  # of a matrix of solvers and cardinalities; a wider one is transposed
ROUND_NUMBERS = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500]
SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
VERDICTS = tuple(report.SIGNS)
CLAIM_VERDICTS = ("holds", "undecided", "fails", "not run")


def file_name(name):
    """Returns the path of a page without its suffix. A part of the name that is unsafe in a file name or an address is
    escaped, with a digest."""
    parts = []
    for part in name.split("/"):
        if not SAFE.fullmatch(part):
            digest = hashlib.sha256(part.encode()).hexdigest()[:8]
            part = "x" + re.sub(r"[^A-Za-z0-9-]", "_", part) + "-" + digest
        parts.append(part)
    return "/".join(parts)


def anchor(text):
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def percent(share):
    """Formats a share in per cent, with enough digits to differ from 100 %."""
    if share is None:
        return "none"
    rest = 1 - share
    if rest <= SAME:
        return "100 %"
    decimals = max(1, min(6, 1 - math.floor(math.log10(100 * rest))))
    return report.minus(f"{100 * share:.{decimals}f} %")


def shortfall(share):
    """Formats how far a value falls short of the best; "" if it does not."""
    if share is None:
        return "none"
    rest = 1 - share
    return "" if rest <= SAME else f"{100 * rest:.2g} %"


def gap(share):
    return "none" if share is None else f"{100 * share:.2g} %"


def duration(seconds):
    """Formats seconds without a unit, so that a column of them sorts."""
    return "none" if seconds is None else f"{seconds:.3g}"


def ratio(value):
    if value is None:
        return "none"
    return f"{value:.0f}×" if value >= 100 else f"{value:.3g}×"


def of(part, whole):
    """Returns "12 of 15", or "none" if `whole` is 0."""
    return f"{part} of {whole}" if whole else "none"


def median(values):
    values = sorted(values)
    if not values:
        return None
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def range_of(cardinalities):
    """Returns "2 to 13 (12)", or the list itself, cut after six, if it is short or has an entry that is not a number."""
    if len(cardinalities) > 3 and all(text.isdigit() for text in cardinalities):
        return f"{cardinalities[0]} to {cardinalities[-1]} ({len(cardinalities)})"
    shown = cardinalities[:6]
    return "; ".join(shown) + (f"; {len(cardinalities) - 6} more" if len(cardinalities) > 6 else "")


def chosen(cardinalities):
    """Returns at most MOST_CHIPS cardinalities, round numbers first in the choice, in their order."""
    if len(cardinalities) <= MOST_CHIPS:
        return cardinalities
    wanted = [text for text in cardinalities if text.isdigit() and int(text) in ROUND_NUMBERS]
    rest = [text for text in cardinalities if text not in wanted]
    kept = set(wanted[:MOST_CHIPS]) | set(rest[: max(0, MOST_CHIPS - len(wanted))])
    return [text for text in cardinalities if text in kept]


def holding(solver):
    """Returns a sort key: solvers with the largest share of best known values first, solvers that were never compared last."""
    standing = solver["overall"]
    share = standing["best"] / standing["shares"] if standing["shares"] else -1
    return (-share, -standing["best"], solver["name"])


def label(entry):
    return entry["solver"] + (f" ({entry['words']})" if entry["words"] else "")


class Site:
    def __init__(self, data):
        self.data = report.cleaned(data)
        self.pages = {}
        self.environment = report.environment(HERE)
        self.environment.filters.update(
            percent=percent,
            gap=gap,
            shortfall=shortfall,
            duration=duration,
            ratio=ratio,
        )
        self.environment.globals.update(of=of, label=label, anchor=anchor)
        standings = self.data["standings"]
        self.solver_pages = {solver["name"]: f"solvers/{file_name(solver['name'])}.html" for solver in standings["solvers"]}
        self.dataset_pages = {entry["name"]: f"datasets/{file_name(entry['name'])}.html" for entry in standings["datasets"]}
        self.experiments = [self.experiment(run) for run in self.data["runs"]]
        self.experiment_pages = {}  # by the experiment's name; the first of several runs
        for experiment in self.experiments:
            self.experiment_pages.setdefault(experiment["name"], experiment["page"])
        self.datasets = [self.dataset(entry) for entry in standings["datasets"]]
        self.environment.globals.update(
            solver_pages=self.solver_pages, dataset_pages=self.dataset_pages, experiment_pages=self.experiment_pages
        )

    # The contents of the pages.

    def experiment(self, run):
        """Returns a run with the name of its page. Each run of an experiment has a page of its own."""
        manifest = run["manifest"]
        name = manifest["experiment"]
        page = f"experiments/{file_name(name)}.html"
        taken = {experiment["page"] for experiment in getattr(self, "experiments", [])} | self.taken()
        for number in range(2, 10**6):
            if page not in taken:
                break
            page = f"experiments/{file_name(name)}--{number}.html"
        self.pages[page] = ""  # reserves the path; filled by render()
        return {
            "name": name,
            "page": page,
            "title": manifest.get("title") or name,
            "profile": manifest.get("profile") or "",
            "began": report.moment(manifest.get("began") or "")[:10],
            "records": run["records"],
            "cells": manifest.get("cells"),
            "run": report.section(run, "run1"),
        }

    def taken(self):
        return set(self.pages)

    def papers(self):
        """Returns [(paper, [table with its squares])], merged over the runs."""
        found = {}
        for experiment in self.experiments:
            for paper, tables in report.papers([experiment["run"]]):
                for table in tables:
                    counts = {}
                    for square in table["squares"]:
                        square["href"] = experiment["page"] + square["href"]
                        counts[square["verdict"]] = counts.get(square["verdict"], 0) + 1
                    order = dict.fromkeys([*VERDICTS, *CLAIM_VERDICTS])
                    found.setdefault(paper, []).append(
                        {
                            **table,
                            "href": experiment["page"] + table["href"],
                            "profile": experiment["profile"],
                            "is_long": len(table["squares"]) > MOST_SQUARES,
                            "counts": [(verdict, counts[verdict]) for verdict in order if verdict in counts],
                        }
                    )
        return sorted((paper, sorted(tables, key=lambda table: table["place"])) for paper, tables in found.items())

    def sums(self):
        """Returns the verdicts over all runs as rows of (words, counts): those of numbers, and those of claims."""

        def rows(names, verdicts):
            totals = []
            for name, words in names.items():
                counts = [sum(run["verdicts"][name].get(verdict, 0) for run in self.data["runs"]) for verdict in verdicts]
                if any(counts):
                    totals.append((words, counts))
            return totals

        return rows(report.COUNTS, VERDICTS), rows(report.CLAIMS, CLAIM_VERDICTS)

    def sentence(self):
        """Returns the result of all runs in one sentence, made from their verdicts."""
        total = {}
        for run in self.data["runs"]:
            for count in [*report.COUNTS, *report.CLAIMS]:
                for verdict, number in run["verdicts"][count].items():
                    of_count = total.setdefault(count, {})
                    of_count[verdict] = of_count.get(verdict, 0) + number
        return verdict_words.sentence(total)

    def dataset(self, entry):
        page = self.dataset_pages[entry["name"]]
        anchors, cardinalities, order = set(), {}, 0
        counts = {"rows": 0, "bounded": 0, "certified": 0, "timed": 0}
        preparations = []
        ordered = sorted(entry["preparations"], key=lambda preparation: preparation["words"] != "")  # the defaults first
        for number, preparation in enumerate(ordered, 1):
            tables = []
            for table in preparation["tables"]:
                order += 1
                rows = [self.row(row, table, anchors) for row in table["rows"]]
                for row in rows:
                    cardinalities.setdefault(row["k"], (table["r"], row["id"]))
                    counts["rows"] += row["problems"]
                    counts["bounded"] += row["bounded"]
                    counts["certified"] += row["certified"]
                matrices = {
                    "shortfall": matrix(rows, lambda cell: None if cell["share"] is None else cell["share"]),
                    "seconds": [(machine, matrix(rows, lambda cell, machine=machine: cell["seconds"].get(machine))) for machine in machines_of(rows)],
                }
                counts["timed"] += len(matrices["seconds"])
                tables.append({**table, "rows": rows, "id": f"table{order}", **matrices})
            preparations.append(
                {
                    **preparation,
                    "id": f"preparation{number}",
                    "tables": tables,
                    "spectrum": spectrum(preparation["spectrum"]),
                }
            )
        least = min((r for r, _ in cardinalities.values()), default=1)
        texts = [text for text, (r, _) in cardinalities.items() if r == least]
        texts.sort(key=lambda text: [int(k) for k in text.split(",")])
        chips = [(text, f"{page}#{cardinalities[text][1]}") for text in chosen(texts)]
        sizes = {(preparation["n"], preparation["p"]) for preparation in preparations}
        return {
            **entry,
            "page": page,
            "preparations": preparations,
            "chips": chips,
            "more_chips": len(texts) - len(chips),
            "counts": counts,
            "size": sizes.pop() if len(sizes) == 1 else None,
        }

    def row(self, row, table, anchors):
        """Returns the row of a cardinality: the solvers with the best value, and how far the others are from it."""
        entries = [entry for entry in row["entries"] if entry["values"]]
        holders = sorted((entry for entry in entries if entry["best"]), key=lambda entry: (-entry["best"], entry["solver"], entry["words"]))
        others = [entry["share"] for entry in entries if not entry["best"] and entry["share"] is not None]
        times = [seconds for entry in holders for seconds in entry["seconds"].values()]
        name = f"k{anchor(row['k'])}"
        if name in anchors:
            name = f"{name}-{len(anchors)}"
        anchors.add(name)
        return {
            **row,
            "id": name,
            "holders": holders,
            "answering": len(entries),
            "others": len(others),
            "median_other": median(others),
            "worst_other": min(others, default=None),
            "is_alone": len({entry["solver"] for entry in entries}) < 2,
            "fastest": min(times, default=None),
        }

    def questions(self):
        """Returns the first questions of a new reader, each with a link and a hint to its answer."""
        asked = [
            ("Which solver is best on a data set at some k?", "#datasets", "choose k in the row of the data set"),
            ("Did Table 1 come out?", "#papers", "choose the table; a square is a number that the paper prints"),
            ("What is proved?", "proved.html", "every certified optimum, and how far the rest is from its bound"),
            ("How long does it take?", "#datasets", "choose “times” in the row of the data set"),
            ("What got worse since last month?", "changes.html", "every run beside its baseline"),
        ]
        if self.data["trust"]:
            asked.insert(0, ("Which solver should I trust?", "#trust", "for each class of instances with proved optima"))
        else:
            asked.append(("Which solver should I trust?", "#solvers", "where each stands, for one component and for several"))
        return asked

    def proved(self):
        """Returns every row of every data set that has a bound or a value above a bound."""
        rows = []
        for dataset in self.datasets:
            for preparation in dataset["preparations"]:
                for table in preparation["tables"]:
                    for row in table["rows"]:
                        if row["bounded"] or row["contradicted"]:
                            rows.append({**row, "dataset": dataset, "preparation": preparation["words"], "table": table})
        return rows

    # Pages.

    def add(self, path, template, **values):
        def link(target):
            place, mark, fragment = target.partition("#")
            return (posixpath.relpath(place, posixpath.dirname(path) or ".") if place else "") + mark + fragment

        self.pages[path] = self.environment.get_template(template).render(link=link, page=path, **values)

    def render(self):
        standings = self.data["standings"]
        number_sums, claim_sums = self.sums()
        self.add(
            "index.html",
            "index.html.jinja",
            papers=self.papers(),
            paper_names=self.data["paper_names"],
            sentence=self.sentence(),
            questions=self.questions(),
            trust=self.data["trust"],
            experiments=self.experiments,
            solvers=standings["solvers"],
            kinds=[{**kind, "solvers": sorted(kind["solvers"], key=holding)} for kind in standings["kinds"]],
            datasets=self.datasets,
            problems=standings["problems"],
            number_sums=number_sums,
            claim_sums=claim_sums,
            verdicts=VERDICTS,
            claim_verdicts=CLAIM_VERDICTS,
            build=self.data["build"],
        )
        for solver in standings["solvers"]:
            groups = [{**group, "range": range_of(group["cardinalities"])} for group in solver["by_group"]]
            self.add(self.solver_pages[solver["name"]], "solver.html.jinja", solver={**solver, "by_group": groups})
        for dataset in self.datasets:
            self.add(dataset["page"], "dataset.html.jinja", dataset=dataset, most_names=MOST_NAMES)
        self.add("proved.html", "proved.html.jinja", rows=self.proved(), problems=standings["problems"])
        self.add("changes.html", "changes.html.jinja", changes=self.data["changes"])
        scripts = dict(report.scripts(report.has_charts([experiment["run"] for experiment in self.experiments])))
        drawing = [name for name in scripts if name != "report.js"]
        for experiment in self.experiments:
            interactive = bool(drawing) and report.has_charts([experiment["run"]])
            values = {"run": experiment["run"], "drawing": drawing if interactive else []}
            self.add(experiment["page"], "experiment.html.jinja", **values)
        style = report.stylesheet() + "".join((HERE / name).read_text(encoding="utf-8") for name in ("bar.css", "site.css"))
        self.pages.update({**scripts, "site.css": style, "site.js": (HERE / "site.js").read_text(encoding="utf-8")})
        return self.pages


def machines_of(rows):
    return sorted({machine for row in rows for entry in row["entries"] for machine in entry["seconds"]})


def matrix(rows, value):
    """Returns a table of solvers by cardinalities: {"turned", "heads", "columns", "cells"}. Each head is {"words", "solver"},
    and its solver may be None."""
    solvers = {}
    for place, row in enumerate(rows):
        for entry in row["entries"]:
            if value(entry) is not None:
                solvers.setdefault((entry["solver"], entry["words"]), {})[place] = entry
    names = sorted(solvers)
    cells = [
        [
            None if place not in solvers[name] else {"value": value(solvers[name][place]), "entry": solvers[name][place]}
            for place in range(len(rows))
        ]
        for name in names
    ]
    solver_heads = [{"words": label({"solver": solver, "words": words}), "solver": solver} for solver, words in names]
    row_heads = [{"words": row["k"], "solver": None} for row in rows]
    if len(rows) > MOST_COLUMNS and len(rows) > len(names):
        return {"turned": True, "heads": row_heads, "columns": solver_heads, "cells": [list(line) for line in zip(*cells)]}
    return {"turned": False, "heads": solver_heads, "columns": row_heads, "cells": cells}


def spectrum(given):
    """Returns the eigenvalues, each with its share and the height of its bar."""
    values = given["values"]
    largest = max(values, default=0)
    running, bars = 0, []
    for place, value in enumerate(values):
        running += value
        bars.append(
            {
                "number": place + 1,
                "value": value,
                "share": value / given["total"] if given["total"] else None,
                "running": running / given["total"] if given["total"] else None,
                "height": round(100 * max(value, 0) / largest, 2) if largest > 0 else 0,
            }
        )
    return {**given, "bars": bars}


def main():
    json.dump(Site(json.load(sys.stdin)).render(), sys.stdout, ensure_ascii=True, sort_keys=True)


if __name__ == "__main__":
    main()
