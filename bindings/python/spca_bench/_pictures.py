"""Pictures. matplotlib is imported only when one is drawn."""

from __future__ import annotations

import math
import textwrap
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arguments, _core
from ._data import (
    _MISSING,
    _dense,
    _is_sparse,
    _is_sparse_frame,
    _is_table,
    _names,
    _refuse_annotated,
    _settled,
    _table,
    data,
)
from ._places import check_width, placed, placed_loadings

if TYPE_CHECKING:
    from ._answers import Answer, Path, Suggestion

_LONGEST_NAME = 28
_GREY = "0.55"
# Inches for each row of bars, and for the margins around them.
_ROW, _AROUND = 0.23, 0.9
# Distances of a label from the tip of its arrow, in points, in the order in which they are tried.
_DISTANCES = (3, 9, 16, 24, 33, 43, 54, 66, 80, 96, 114)
_TURNS = (0, 20, -20, 40, -40, 60, -60, 85, -85, 110, -110, 135, -135, 160, -160, 180)
# A name further from its tip than this, in points, is joined to the tip by a line.
_LINE_FROM = 4


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "pictures need matplotlib, which is not installed: `pip install matplotlib`, or "
            "`apt install python3-matplotlib`"
        ) from error
    return plt


def plain(name: str) -> str:
    """Return a name that matplotlib prints unchanged; a long one is shortened in the middle.

    Names often differ at one of their ends.
    """
    name = " ".join(str(name).split())
    if len(name) > _LONGEST_NAME:
        kept = _LONGEST_NAME - 1
        name = name[: kept - kept // 2] + "\u2026" + name[-(kept // 2) :]
    return name.replace("$", r"\$")


def names_of(component: Any) -> list[str]:
    """Return the names of a component's variables, or their places if the data have no names."""
    return list(component.names) or [f"variable {index}" for index in component.indices]


def _chosen(answer: Answer, components: Any, least: int = 1) -> list[int]:
    """Return the components to be drawn, counted from zero."""
    count = len(answer.components)
    if count < least:
        why = f"; {answer.status}: {answer.message}" if answer.message else ""
        raise ValueError(f"answer: found {count} components; accepted: at least {least}{why}")
    if components is None:
        return list(range(count))
    accepted = f"whole numbers from 0 to {count - 1}"
    if isinstance(components, str) or not isinstance(components, Iterable):
        components = [components]
    chosen = [_arguments.whole("components", one, 0, accepted) for one in components]
    if not chosen or max(chosen) >= count:
        raise _arguments.refuse("components", chosen, accepted)
    return chosen


def plot_loadings(answer: Answer, ax: Any, components: Any, most: int) -> Any:
    """Draw `Answer.plot`."""
    chosen = _chosen(answer, components)
    most = _arguments.whole("most", most, 1)
    plt = _pyplot()
    rows: list[tuple[float, str, float, int]] = []  # place, name, loading, component
    texts: list[tuple[float, str, bool]] = []  # place, text, whether it is a title
    at = 0.0
    for j in chosen:
        component = answer.components[j]
        title = f"component {j + 1}: variance {component.explained_variance:.4g}"
        texts.append((at, title, True))
        names = names_of(component)
        order = np.argsort(-np.abs(component.values), kind="stable")
        for place in order[:most]:
            at += 1
            rows.append((at, plain(names[place]), float(component.values[place]), j))
        hidden = len(order) - most
        if hidden > 0:
            at += 1
            texts.append((at, f"and {hidden} smaller", False))
        at += 1.4
    if ax is None:
        size = (6.4, max(2.0, _ROW * at + _AROUND))
        _, ax = plt.subplots(figsize=size, layout="constrained")
    places = [row[0] for row in rows]
    ax.barh(places, [row[2] for row in rows], height=0.7, color=[f"C{row[3] % 10}" for row in rows])
    ax.axvline(0, color=_GREY, linewidth=0.8)
    ax.set_yticks(places, [row[1] for row in rows])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(at - 0.8, -0.8)
    for place, text, is_title in texts:
        ax.text(
            0.01,
            place,
            text,
            transform=ax.get_yaxis_transform(),
            verticalalignment="center",
            fontweight="bold" if is_title else "normal",
            color="black" if is_title else _GREY,
            fontsize="medium" if is_title else "small",
        )
    values = [row[2] for row in rows]
    low, high = min(0.0, *values), max(0.0, *values)
    ax.set_xlim(low - 0.05 * (high - low) if low < 0 else 0, high + 0.05 * (high - low))
    ax.set_xlabel("loading")
    _without_frame(ax)
    return ax


def _without_frame(ax: Any) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


_PANELS = {
    "value": "explained variance v'Sv",
    "stability": "stability of the support\n1: always the same, 0: chance",
    "error": "error on samples left out\n\u2016X \u2212 Xvv'\u2016\u00b2 / \u2016X\u2016\u00b2",
    "scores": "correlation of repeated scores\nof samples left out",
}
_KEYS = {
    "value": "value",
    "stability": "stability",
    "error": "reconstruction_error",
    "scores": "repeat_correlation",
}
_RULES = {
    "knee": ("value", "knee"),
    "scores": ("scores", "scores"),
    "cross_validation": ("error", "least error"),
    "one_standard_error": ("error", "one standard error"),
}
_MARKS = {"knee": "D", "scores": "^", "cross_validation": "v", "one_standard_error": "s"}


def plot_path(path: Path, ax: Any, show: Any) -> Any:
    """Draw `Path.plot`."""
    measured = [
        name
        for name, key in _KEYS.items()
        if any(_is_number(point[key]) for one in path.solvers for point in one["points"])
    ]
    given = None if ax is None else list(np.atleast_1d(np.asarray(ax, dtype=object)).ravel())
    if show is None:
        panels = measured if given is None else measured[: len(given)]
    else:
        panels = [show] if isinstance(show, str) else list(show)
        for name in panels:
            if name not in _PANELS:
                raise _arguments.refuse("show", name, ", ".join(map(repr, _PANELS)))
            if name not in measured:
                reasons = {
                    "error": path.without_cross_validation,
                    "stability": path.without_stability,
                    "scores": path.without_cross_validation,
                }
                why = reasons.get(name) or "no answer"
                raise ValueError(f"show: {name!r} was not measured: {why}")
    if not panels:
        raise ValueError("nothing to draw: no cardinality has an answer")
    if given is not None and len(given) != len(panels):
        raise _arguments.refuse("ax", ax, f"axes for {len(panels)} panels: {', '.join(panels)}")
    plt = _pyplot()
    if given is None:
        rows = 1 if len(panels) < 4 else 2
        columns = -(-len(panels) // rows)
        size = (4.6 * columns + 0.4, 3.6 * rows)
        _, made = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
        given = list(made.ravel())
    for panel, name in zip(given, panels):
        _draw_path_panel(panel, path, name)
    return given[0] if len(given) == 1 else np.array(given, dtype=object)


def _is_number(value: Any) -> bool:
    return value is not None and math.isfinite(value)


def _tick_whole_numbers(ax: Any) -> None:
    """Leave ticks that the caller has set, and those of a logarithmic scale, as they are."""
    from matplotlib.ticker import MaxNLocator

    locator = ax.xaxis.get_major_locator()
    if isinstance(locator, MaxNLocator):
        locator.set_params(integer=True)


def _draw_path_panel(ax: Any, path: Path, name: str) -> None:
    key = _KEYS[name]
    if name == "value":
        bounds = [one for one in path.bounds if _is_number(one["upper_bound"])]
        k = [one["cardinality"] for one in bounds]
        ax.plot(k, [one["upper_bound"] for one in bounds], "--", color=_GREY, label="upper bound")
    for j, one in enumerate(path.solvers):
        points = [point for point in one["points"] if _is_number(point[key])]
        k = [point["cardinality"] for point in points]
        values = [point[key] for point in points]
        color = f"C{j % 10}"
        ax.plot(k, values, "o-", markersize=3.5, color=color, label=plain(one["solver"]))
        if name == "error":
            spread = [point["reconstruction_standard_error"] or 0.0 for point in points]
            low, high = np.subtract(values, spread), np.add(values, spread)
            ax.fill_between(k, low, high, color=color, alpha=0.15, linewidth=0)
        for rule, (panel, words) in _RULES.items():
            chosen = one["suggested"].get(rule)
            if panel == name and chosen in k:
                ax.plot(
                    chosen,
                    values[k.index(chosen)],
                    _MARKS[rule],
                    markersize=8,
                    markerfacecolor="none",
                    color=color,
                    label=f"{words}: k = {chosen}",
                    linestyle="none",
                )
    ax.set_xlabel("cardinality k")
    ax.set_ylabel(_PANELS[name])
    _tick_whole_numbers(ax)
    if name != "error":
        ax.set_ylim(min(0.0, ax.get_ylim()[0]), None)
    _without_frame(ax)
    ax.legend(frameon=False, fontsize="small")


def plot_suggestion(found: Suggestion, ax: Any) -> Any:
    """Draw `Suggestion.plot`."""
    given = None if ax is None else np.atleast_1d(np.asarray(ax, dtype=object)).ravel()
    if given is not None and len(given) != 3:
        accepted = "axes for 3 panels: eigenvalues, error on entries, error on samples"
        raise _arguments.refuse("ax", len(given), accepted)
    plt = _pyplot()
    if given is None:
        _, given = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    scree, error, samples = given
    chance, validated = found.parallel_analysis, found.cross_validation
    numbers = range(1, len(chance["eigenvalues"]) + 1)
    scree.plot(numbers, chance["eigenvalues"], "o-", label="data")
    if chance["limits"]:
        scree.plot(numbers, chance["limits"], "s--", label="95 % of permuted columns")
    scree.set(xlabel="component", ylabel="eigenvalue")
    error.errorbar(
        range(len(validated["errors"])),
        validated["errors"],
        validated["standard_errors"],
        marker="o",
        capsize=2,
    )
    error.set(xlabel="number of components", ylabel="error on entries left out")
    scores: Any = None
    if any(one["rule"] == "scores" for one in found.paths):
        scores = samples.twinx()
    for i, path in enumerate(found.paths):
        points = path["solvers"][0]["points"]
        sizes = [point["cardinality"] for point in points]
        values = [point["reconstruction_error"] for point in points]
        errors = [point["reconstruction_standard_error"] for point in points]
        name = f"component {i + 1}"
        line = samples.errorbar(sizes, values, errors, marker=".", capsize=2, label=name)[0]
        color = line.get_color()
        panel = samples
        if path["rule"] == "scores":
            panel, values = scores, [point["repeat_correlation"] for point in points]
            panel.plot(sizes, values, "--", marker=".", color=color)
        if path["chosen"] is not None:
            place = sizes.index(path["chosen"])
            panel.plot(sizes[place], values[place], "o", ms=9, mfc="none", c=color)
    samples.set(xlabel="nonzeros k (ring: suggested)", ylabel="error on samples left out")
    if scores is not None:
        scores.set_ylabel("correlation of repeated scores (dashed)")
    for one in (scree, error):
        between = 0.5 if one is scree else 0
        one.axvline(found.components + between, color="gray", lw=0.8, ls=":")
    if not found.paths:
        samples.set(xlabel="", ylabel="", xticks=[], yticks=[])
        text = textwrap.fill(found.why, 24)
        samples.text(0.5, 0.5, text, transform=samples.transAxes, ha="center", va="center")
    for one in (scree, error):
        _tick_whole_numbers(one)
    for one, top in ((scree, scree), (samples, scores or samples)):
        handles, labels = one.get_legend_handles_labels()
        if handles:
            top.legend(handles, labels, fontsize="small")
    return given


def plot_components(
    x: Any,
    answer: Answer,
    *,
    ax: Any = None,
    components: Any = (0, 1),
    groups: Any = None,
    most: int = 20,
    covariance: bool = False,
    center: bool = True,
    missing: str = "error",
) -> Any:
    """Draw the scores of the samples on two components, with the loadings as named arrows.

    Arrows and scores have different units: the title says by which number the loadings were
    multiplied. No two names overlap. Names without room are left out, and a note counts them. An
    answer with one component is drawn as its scores in the order of the samples.

    Parameters
    ----------
    x : array, data frame, sparse matrix, Data or str
        The data of the answer. Without samples (`covariance`, or a data set that is S) only the
        arrows are drawn.
    answer : Answer
    ax : matplotlib axes, optional
        By default a new figure has one.
    components : pair of int, default=(0, 1)
        The components on the axes, counted from zero.
    groups : sequence, optional
        One group for each sample; the samples of a group have one colour.
    most : int, default=20
        Largest number of names; the variables with the longest arrows have theirs written.
    covariance, center, missing
        As in `data`.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError
        If matplotlib is missing.

    Examples
    --------
    >>> import spca_bench
    >>> answer = spca_bench.solve("wine", [4, 4])
    >>> ax = spca_bench.plot_components("wine", answer)  # doctest: +SKIP
    """
    if not hasattr(answer, "components"):
        accepted = "an Answer; that of a fitted estimator is its answer_"
        raise _arguments.refuse("answer", type(answer).__name__, accepted)
    count = len(answer.components)
    pair = [0] if count == 1 else _chosen(answer, components)
    if count > 1 and len(pair) != 2:
        raise _arguments.refuse("components", components, "two components")
    _chosen(answer, pair)
    most = _arguments.whole("most", most, 0)
    missing = _arguments.word("missing", missing, _MISSING)
    scores = _scores(x, answer, pair, covariance, center, missing)
    if scores is None and count == 1:
        raise ValueError("x: has no samples; accepted: two components, or data with samples")
    if groups is not None and (scores is None or len(groups) != len(scores)):
        found = 0 if scores is None else len(scores)
        raise _arguments.refuse("groups", len(groups), f"one for each of {found} samples")
    plt = _pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=(6.8, 5.6), layout="constrained")
    ax.axhline(0, color="0.85", linewidth=0.8, zorder=0)
    if count > 1:
        ax.axvline(0, color="0.85", linewidth=0.8, zorder=0)
    if count == 1:
        _scatter(ax, np.column_stack([np.arange(len(scores)), scores[:, 0]]), groups)
        ax.set(xlabel="sample", ylabel=_score_label(answer, 0))
    else:
        if scores is not None:
            _scatter(ax, scores, groups)
        _draw_arrows(ax, answer, pair, scores, most)
    if groups is not None:
        ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def _score_label(answer: Answer, j: int) -> str:
    count = len(answer.components[j])
    return f"score of component {j + 1} ({count} variable{'s' if count != 1 else ''})"


def _scores(
    x: Any, answer: Answer, pair: list[int], covariance: bool, center: bool, missing: str
) -> Any:
    """Return the scores on these components, or None if there are no samples."""
    if covariance:
        return None
    if isinstance(x, (str, _core.Data)) or hasattr(x, "__fspath__"):
        read = data(x, center=center, missing=missing)
        check_width(read.p, answer)
        if read.n == 0:
            return None
        # samples() returns B with S = B'B; scores have the variances of the components.
        return math.sqrt(read.n) * (read.samples() @ placed_loadings(answer, read.names)[:, pair])
    _refuse_annotated(x, "x")
    names = _names(x, None)
    if _is_table(x):
        matrix = _table(x, "x")
    elif _is_sparse_frame(x):
        matrix = x.sparse.to_coo().tocsr()
    else:
        matrix = x.tocsr() if _is_sparse(x) else _dense(x, "x")
    is_sparse = _is_sparse(matrix)
    if not is_sparse:
        matrix, names = _settled(matrix, missing, names, "x")
    if not np.isfinite(matrix.data if is_sparse else matrix).all():
        data(x, center=center, missing=missing, copy=False)  # raises an error with the place
    check_width(matrix.shape[1], answer)
    loadings = placed_loadings(answer, names)[:, pair]
    if is_sparse:
        scores = np.asarray(matrix @ loadings)
        return scores - np.asarray(matrix.mean(axis=0)).ravel() @ loadings if center else scores
    used = np.flatnonzero(np.any(loadings != 0, axis=1))
    columns = matrix[:, used].astype(np.float64)
    return (columns - (columns.mean(axis=0) if center else 0.0)) @ loadings[used]


def _scatter(ax: Any, points: np.ndarray, groups: Any) -> None:
    size = 22 if len(points) < 500 else 6
    if groups is None:
        ax.scatter(points[:, 0], points[:, 1], s=size, color="0.6", alpha=0.7, linewidths=0)
        return
    labels = np.asarray([str(one) for one in groups])
    for j, label in enumerate(sorted(set(labels))):
        chosen = points[labels == label]
        ax.scatter(
            chosen[:, 0],
            chosen[:, 1],
            s=size,
            color=f"C{j % 10}",
            alpha=0.6,
            linewidths=0,
            label=plain(label),
        )


def _draw_arrows(ax: Any, answer: Answer, pair: list[int], scores: Any, most: int) -> None:
    loadings = answer.loadings[:, pair]
    used = np.flatnonzero(np.any(loadings != 0, axis=1))
    names: dict[int, str] = {}
    for j in pair:
        component = answer.components[j]
        names.update(zip(component.indices.tolist(), names_of(component)))
    tips = loadings[used]
    factor = 1.0
    if scores is not None:
        extent = np.abs(scores).max(axis=0)
        length = np.abs(tips).max(axis=0)
        ratios = [e / t for e, t in zip(extent, length) if e > 0 and t > 0]
        factor = float(f"{0.9 * min(ratios):.2g}") if ratios else 1.0
        ax.set_title(f"scores, and loadings times {factor:g}", fontsize="medium")
    tips = tips * factor
    labels = [
        f"loading of component {j + 1}" if scores is None else _score_label(answer, j) for j in pair
    ]
    ax.set(xlabel=labels[0], ylabel=labels[1])
    _widen(ax, tips if scores is None else np.vstack([tips, scores]))
    order = np.argsort(-np.linalg.norm(tips, axis=1), kind="stable")
    arrow = {"arrowstyle": "-|>", "color": "tab:red", "linewidth": 1, "shrinkA": 0, "shrinkB": 0}
    for tip in tips:
        ax.annotate("", xy=tip, xytext=(0, 0), arrowprops=arrow, zorder=3)
    wanted = order[:most]
    placed = place_labels(ax, tips[wanted], [plain(names[int(used[i])]) for i in wanted])
    if placed < len(used):
        ax.annotate(
            f"{len(used) - placed} more without a name",
            xy=(1, 0),
            xycoords="axes fraction",
            xytext=(-4, 4),
            textcoords="offset points",
            horizontalalignment="right",
            fontsize="x-small",
            color=_GREY,
        )


def _widen(ax: Any, points: np.ndarray) -> None:
    """Make room for the points and the names around them."""
    for axis, setter in ((0, ax.set_xlim), (1, ax.set_ylim)):
        low, high = min(0.0, points[:, axis].min()), max(0.0, points[:, axis].max())
        room = 0.16 * (high - low) or 1.0
        setter(low - room, high + room)


def place_labels(ax: Any, tips: np.ndarray, names: Sequence[str]) -> int:
    """Write each name beside its point so that no two overlap. Return how many found room.

    A name begins beyond its point, as seen from the origin. It moves around the point, then further
    away, until it is free. A line joins a name that is far away to its point.
    """
    from matplotlib.patheffects import withStroke

    figure = ax.figure.canvas.figure  # the whole figure, if the axes are in a part of it
    figure.draw_without_rendering()  # the layout sets the size of the axes
    pixels = figure.dpi / 72
    inside = ax.get_window_extent()
    points = ax.transData.transform(tips)
    origin = ax.transData.transform((0.0, 0.0))
    # A name should not cross an arrow, so points along the arrows are obstacles too.
    lines = np.vstack([origin + part * (points - origin) for part in np.linspace(0.1, 1, 19)])
    boxes: list[tuple[float, float, float, float]] = []
    for point, name in zip(points, names):
        text = ax.annotate(
            name,
            xy=ax.transData.inverted().transform(point),
            xytext=(0, 0),
            textcoords="offset points",
            horizontalalignment="center",
            verticalalignment="center",
            fontsize="small",
            zorder=4,
        )
        extent = text.get_window_extent()
        half = np.array([extent.width / 2 + 3 * pixels, extent.height / 2])
        angle = math.atan2(point[1] - origin[1], point[0] - origin[0])
        place = _free_place(point, angle, half, pixels, inside, boxes, lines)
        text.remove()
        if place is None:
            continue
        center, distance = place
        boxes.append((*(center - half), *(center + half)))
        line = {"arrowstyle": "-", "color": _GREY, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 1}
        ax.annotate(
            name,
            xy=ax.transData.inverted().transform(point),
            xytext=tuple((center - point) / pixels),
            textcoords="offset points",
            horizontalalignment="center",
            verticalalignment="center",
            fontsize="small",
            arrowprops=line if distance > _LINE_FROM else None,
            path_effects=[withStroke(linewidth=2, foreground="white")],
            zorder=4,
        )
    return len(boxes)


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether two boxes (left, bottom, right, top) share a point."""
    return all(one[i] < other[i + 2] and other[i] < one[i + 2] for i in (0, 1))


def _free_place(
    point: np.ndarray,
    angle: float,
    half: np.ndarray,
    pixels: float,
    inside: Any,
    boxes: list[tuple[float, float, float, float]],
    lines: np.ndarray,
) -> tuple[np.ndarray, float] | None:
    """Return the centre of a free place for a name near the point, and its distance in points.

    A place that crosses no arrow is preferred. None if no place is free.
    """
    crossing = None
    for distance in _DISTANCES:
        for turn in _TURNS:
            direction = np.array(
                [math.cos(angle + math.radians(turn)), math.sin(angle + math.radians(turn))]
            )
            # The nearest place in this direction at which the box leaves the point free.
            reach = min(
                half[axis] / abs(direction[axis]) if abs(direction[axis]) > 1e-9 else math.inf
                for axis in (0, 1)
            )
            center = point + direction * (reach + distance * pixels)
            low, high = center - half, center + half
            if np.any(low < inside.min) or np.any(high > inside.max):
                continue
            if any(_overlap((*low, *high), box) for box in boxes):
                continue
            covers = np.any(np.all((lines > low) & (lines < high), axis=1))
            if not covers:
                return center, distance
            if crossing is None:
                crossing = (center, distance)
    return crossing


def plot_scree(
    x: Any,
    answer: Answer | None = None,
    *,
    ax: Any = None,
    components: int | None = None,
    covariance: bool = False,
    center: bool = True,
    scale: str = "n",
    missing: str = "error",
) -> Any:
    """Draw the variances of the principal components and their sums, beside those of an answer.

    Bars are shares of the total variance, lines their cumulative sums. The share of a sparse
    component is what it adds to the variance of the data on the span of the components before it
    (docs/VARIANCE.md), so that no sum exceeds that of PCA.

    Parameters
    ----------
    x : array, data frame, sparse matrix, Data or str
        The data of the answer.
    answer : Answer, optional
        Without it only PCA is drawn.
    ax : matplotlib axes, optional
        By default a new figure has one.
    components : int, optional
        Number of principal components. By default ten, or as many as the answer has if it has more.
    covariance, center, scale, missing
        As in `data`.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError
        If matplotlib is missing.

    Examples
    --------
    >>> import spca_bench
    >>> answer = spca_bench.solve("pitprops", [5, 4])
    >>> ax = spca_bench.plot_scree("pitprops", answer)  # doctest: +SKIP
    """
    read = data(x, covariance=covariance, center=center, scale=scale, missing=missing, copy=False)
    sparse = np.zeros(0)
    if answer is not None:
        check_width(read.p, answer)
        _chosen(answer, None)
        found = placed(answer.components, read.names)
        loadings = [(places.tolist(), values.tolist()) for places, values in found]
        sums = np.asarray(_core.projected_variances(read, loadings))
        sparse = np.diff(sums, prepend=0.0) / read.total_variance
    most = read.p if read.n == 0 else min(read.p, max(read.n - 1, 1))
    wanted = _arguments.optional_whole("components", components)
    dense = _eigenvalues(read, min(wanted or max(10, len(sparse)), most)) / read.total_variance
    plt = _pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=(6.8, 4.2), layout="constrained")
    series = [("PCA", dense, _GREY)]
    if len(sparse):
        nonzeros = ", ".join(str(len(one)) for one in answer.components[:6]) if answer else ""
        more = ", \u2026" if len(sparse) > 6 else ""
        solver = plain(answer.solver) if answer else ""
        series.append((f"{solver}, k = {nonzeros}{more}", sparse, "C0"))
    width = 0.8 / len(series)
    for j, (label, shares, color) in enumerate(series):
        places = np.arange(1, len(shares) + 1)
        shift = (j - (len(series) - 1) / 2) * width
        look = {"width": 0.92 * width, "color": color, "alpha": 0.55}
        ax.bar(places + shift, shares, label=label, **look)
        ax.plot(places, np.cumsum(shares), "o-", color=color, markersize=4, label=f"{label}: sum")
    ax.set(xlabel="component", ylabel="share of the total variance")
    ax.set_ylim(0, 1.02 * max(1e-12, float(np.sum(dense)), float(np.sum(sparse))) + 0.02)
    if len(dense) <= 15:
        ax.set_xticks(range(1, len(dense) + 1))
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g} %")
    _without_frame(ax)
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def _eigenvalues(read: Any, count: int) -> np.ndarray:
    from ._functions import solve

    with warnings.catch_warnings():
        # Data of a small rank have fewer components than asked for.
        warnings.simplefilter("ignore", UserWarning)
        answer = solve(read, components=count, solver="pca", bound=False)
    return np.array([one.explained_variance for one in answer.components])


def plot_comparison(comparison: Any, ax: Any) -> Any:
    """Draw `Comparison.plot`."""
    answers = [answer for answer in comparison.answers if answer.has_answer]
    if not answers:
        raise ValueError("nothing to draw: no solver has an answer")
    plt = _pyplot()
    if ax is None:
        size = (6.4, max(1.8, 1.3 * _ROW * len(answers) + _AROUND))
        _, ax = plt.subplots(figsize=size, layout="constrained")
    places = np.arange(len(answers))
    values = [answer.value for answer in answers]
    ax.plot(values, places, "o", color="C0", label="explained variance")
    bounds = [answer.upper_bound for answer in answers]
    if math.isfinite(comparison.upper_bound):
        ax.axvline(comparison.upper_bound, color=_GREY, linestyle="--", label="upper bound")
    else:
        ax.plot(bounds, places, "|", color=_GREY, markersize=12, label="upper bound of its problem")
    ax.set_yticks(places, [plain(answer.solver) for answer in answers])
    ax.set_ylim(len(answers) - 0.5, -0.5)
    ax.grid(axis="y", color="0.9")
    ax.set_axisbelow(True)
    ax.set_xlabel("explained variance")
    _without_frame(ax)
    ax.legend(frameon=False, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1), ncol=2)
    return ax
