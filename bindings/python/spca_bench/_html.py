"""Answers, paths, suggestions and comparisons as HTML, which a notebook shows. Every text is escaped."""

from __future__ import annotations

import html
import math
from typing import Any

import numpy as np

from ._pictures import names_of

# At most this number of variables of a component, of rows of a path.
_MOST_NAMES = 25
_MOST_ROWS = 40


def counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _number(value: Any) -> str:
    return "\u2013" if value is None or not math.isfinite(value) else f"{value:.6g}"


def _percent(value: Any) -> str:
    return "\u2013" if value is None or not math.isfinite(value) else f"{100 * value:.3g} %"


def _table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table of texts. Cells are escaped here, and nowhere before."""
    lines = ["<table><thead><tr>"]
    lines += [f"<th>{html.escape(cell)}</th>" for cell in head]
    lines.append("</tr></thead><tbody>")
    for row in rows:
        cells = "".join(f'<td style="text-align:left">{html.escape(cell)}</td>' for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    lines.append("</tbody></table>")
    return "".join(lines)


def _line(text: str, is_first: bool = False) -> str:
    escaped = html.escape(text)
    return f"<div><b>{escaped}</b></div>" if is_first else f"<div>{escaped}</div>"


def _support(component: Any) -> str:
    """Return the variables of a component with their loadings, the largest first."""
    names = names_of(component)
    order = np.argsort(-np.abs(component.values), kind="stable")
    words = [f"{names[i]} {component.values[i]:+.3f}" for i in order[:_MOST_NAMES]]
    hidden = len(order) - len(words)
    return ", ".join(words) + (f", and {hidden} more" if hidden > 0 else "")


def _verdict(value: float, bound: float, gap: float) -> str:
    if not math.isfinite(bound):
        return "no bound was measured"
    return f"no answer of this kind exceeds {_number(bound)} (gap {_percent(gap)})"


def answer_html(answer: Any) -> str:
    shape = f"n = {answer.n}, p = {answer.p}" if answer.n else f"p = {answer.p}"
    about = f"{answer.solver}: {answer.status}"
    about += f", {answer.message}" if answer.message else ""
    about += f"; {shape}"
    if not answer.has_answer:
        return f"<div>{_line(about, True)}</div>"
    share = answer.metrics.get("projected_variance_share")
    first = f"explained variance {_number(answer.value)}"
    first += f", {_percent(share)} of the total" if share is not None else ""
    rows = [
        [str(j + 1), _number(one.explained_variance), str(len(one)), _support(one)]
        for j, one in enumerate(answer.components)
    ]
    lines = [
        _line(first, True),
        _line(_verdict(answer.value, answer.upper_bound, answer.gap)),
        _table(["component", "variance", "nonzeros", "variables with loadings"], rows),
        _line(about),
    ]
    lines += [_line(f"note: {note}") for note in answer.notes]
    return f"<div>{''.join(lines)}</div>"


def _variables(point: dict[str, Any]) -> str:
    """Return the first variables of a point of a path, by name or by place."""
    names = point.get("names") or [f"variable {index}" for index in point["indices"]]
    return ", ".join(names[:_MOST_NAMES])


def path_html(path: Any) -> str:
    bounds = {one["cardinality"]: one["upper_bound"] for one in path.bounds}
    rows = []
    for one in path.solvers:
        for point in one["points"]:
            rows.append(
                [
                    one["solver"],
                    str(point["cardinality"]),
                    _number(point["value"]),
                    _number(bounds.get(point["cardinality"])),
                    _percent(point["gap"]),
                    _number(point["stability"]),
                    _number(point["reconstruction_error"]),
                    _variables(point),
                ]
            )
    head = ["solver", "k", "value", "upper bound", "gap", "stability", "left-out error"]
    head.append("variables")
    lines = [_line("explained variance of one component for each cardinality k", True)]
    lines.append(_table(head, rows[:_MOST_ROWS]))
    if len(rows) > _MOST_ROWS:
        lines.append(_line(f"and {len(rows) - _MOST_ROWS} more rows: to_frame() has all"))
    for one in path.solvers:
        rules = [f"{name.replace('_', ' ')} {k}" for name, k in one["suggested"].items() if k]
        if rules:
            lines.append(_line(f"suggested for {one['solver']}: {', '.join(rules)}"))
    for why in (path.without_stability, path.without_cross_validation):
        if why:
            lines.append(_line(f"not measured: {why}"))
    return f"<div>{''.join(lines)}</div>"


def _chosen_row(number: int, path: dict[str, Any]) -> list[str]:
    """Return the number, k, variance, variables and reason of a component."""
    for point in path["solvers"][0]["points"]:
        if point["cardinality"] == path["chosen"]:
            value = _number(point["value"])
            return [str(number), str(path["chosen"]), value, _variables(point), path["why"]]
    return [str(number), "\u2013", "\u2013", "", path["why"]]


def suggestion_html(suggestion: Any) -> str:
    parallel, entries = suggestion.parallel_analysis, suggestion.cross_validation
    eigenvalues, limits = parallel["eigenvalues"], parallel["limits"]
    errors = entries["errors"][1:]  # the first is that of no component
    counts = [
        [str(i + 1), *(_number(of[i] if i < len(of) else None) for of in (eigenvalues, limits, errors))]
        for i in range(max(len(eigenvalues), len(errors)))
    ]
    sizes = ", ".join(map(str, suggestion.cardinality))
    number = counted(suggestion.components, "component", "components")
    first = f"suggested: {number}, nonzeros {sizes}" if sizes else "no component is suggested"
    rules = {
        "parallel analysis": parallel["suggested"],
        "least error on entries left out": entries["suggested"],
        "one standard error": entries["one_standard_error"],
    }
    by_rule = [f"{name} {count}" for name, count in rules.items() if count is not None]
    lines = [
        _line(first, True),
        _line(suggestion.why),
        _line(f"components by rule: {', '.join(by_rule)}"),
        _table(["component", "eigenvalue", "limit of chance", "error on entries left out"], counts),
    ]
    if suggestion.paths:
        head = ["component", "nonzeros", "variance", "variables", "rule"]
        lines.append(_table(head, [_chosen_row(i + 1, path) for i, path in enumerate(suggestion.paths)]))
    return f"<div>{''.join(lines)}</div>"


def _bound(certificate: Any) -> str:
    if not math.isfinite(certificate.upper_bound):
        return "no bound was measured"
    return f"no answer exceeds {_number(certificate.upper_bound)} ({certificate.source})"


def certificate_html(certificate: Any) -> str:
    sizes = ", ".join(str(k) for k in certificate.cardinality)
    found = ", as found" if certificate.cardinality_source == "nonzeros" else ""
    verdict = "optimal" if certificate.is_optimal else f"gap {_percent(certificate.gap)}"
    lines = [
        _line(f"explained variance {_number(certificate.value)}: {verdict}", True),
        _line(_bound(certificate)),
        _line(f"{certificate.problem}; nonzeros {sizes}{found}"),
    ]
    return f"<div>{''.join(lines)}</div>"


def comparison_html(comparison: Any) -> str:
    rows = []
    for answer in comparison.answers:
        supports = " | ".join(
            ", ".join(names_of(one)[:_MOST_NAMES]) + (", \u2026" if len(one) > _MOST_NAMES else "")
            for one in answer.components
        )
        rows.append(
            [
                _number(answer.value),
                answer.solver,
                supports or f"{answer.status}: {answer.message}",
                _number(answer.upper_bound),
                _percent(comparison.gap(answer)),
                f"{answer.solve_seconds:.3g} s",
            ]
        )
    lines = [_table(["value", "solver", "variables", "upper bound", "gap", "time"], rows)]
    if math.isfinite(comparison.upper_bound):
        lines.append(_line(f"gaps are to the least bound, {_number(comparison.upper_bound)}"))
    else:
        lines.append(_line("gaps are to the least bound of any solver that holds for such an answer"))
    return f"<div>{''.join(lines)}</div>"
