"""The common look of all figures, and the placement of their words.

Legible in print at the width of a text page: the colours of Okabe and Ito, which colour-blind readers tell apart;
dashes and markers for those who print in grey; curves named at their ends where that is clear, in a
legend where it is not. Text becomes outlines in SVG (but see make_svg_small()), and a PDF holds its
font: a figure looks the same everywhere and needs no font.
"""

import math
import re
import textwrap
import unicodedata
import warnings

import matplotlib

import small_svg
from records import names_of

matplotlib.use("Agg")
matplotlib.rcdefaults()  # the user's settings would change the bytes
matplotlib.rcParams.update(
    {
        "font.family": "DejaVu Sans",  # comes with matplotlib
        "font.size": 8,
        "axes.titlesize": 8,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#dddddd",
        "grid.linewidth": 0.5,
        "legend.frameon": False,
        "legend.fontsize": 7.5,
        "legend.handlelength": 3.2,
        "lines.linewidth": 1.3,
        "lines.markersize": 4,
        "text.parse_math": False,  # a dollar sign in a label is a dollar sign
        "svg.fonttype": "path",
        "svg.hashsalt": "spca-bench",
        "pdf.fonttype": 42,
    }
)
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402  (after the settings)
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.font_manager import FontProperties, findfont, get_font  # noqa: E402
from matplotlib.patheffects import withStroke  # noqa: E402
from matplotlib.text import Text  # noqa: E402
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter, ScalarFormatter  # noqa: E402
from matplotlib.transforms import Bbox, ScaledTranslation  # noqa: E402

warnings.filterwarnings("ignore", message="Glyph .* missing from")  # matplotlib warns once for each letter; see missing_shapes()

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES = ["-", (0, (5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (1, 1)), (0, (3, 1, 1, 1, 1, 1))]
MARKERS = ["o", "s", "^", "D", "v", "<", ">", "p"]
BOUND = {"color": "#bbbbbb", "linewidth": 5, "linestyle": "-"}  # seen behind a curve that reaches it
BOUND_OF_ONE = {"marker": "_", "markersize": 24, "markeredgewidth": 5}  # a line of one point would not be seen

PAGE_WIDTH = 7.2  # inches
GAP = 0.18  # inches between panels, and around them
STACK_GAP = 0.1  # inches between a panel and the one that belongs below it
LABEL_WIDTH = 26  # letters of a curve's name on one line
POINTS_AN_INCH = 72
DPI = 200
LINE_HEIGHT = 1.25  # of the font size
MANY_POINTS = 25  # a curve of at most this number of points has a marker at each
MOST_COLUMNS = 3  # of panels
MOST_LEGEND_COLUMNS = 6
TITLE_OVERHANG = 0.15  # inches by which a panel's title may be wider than its axes
CROSS_WIDTH = 1.5  # points
CLEAR_ENDS = 5  # points between the ends of two curves that labels can tell apart
FARTHEST_LABEL = 22  # points between the end of a curve and its label
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def make_svg_small():
    """Makes save() write SVG with words in the reader's own fonts instead of outlines, and without
    invisible elements."""
    matplotlib.rcParams["svg.fonttype"] = "none"


def printable(value):
    """Returns text, also within lists and dictionaries, as a figure can hold it: with U+FFFD for
    controls, halves of a pair and unassigned code points, not all of which an SVG may hold, and
    with blanks for breaks of lines."""
    if isinstance(value, str):
        strange = {"Cc", "Cs", "Cn"}
        letters = (" " if letter.isspace() and letter != "\u00a0" else letter for letter in value)
        return "".join("\ufffd" if unicodedata.category(letter) in strange else letter for letter in letters)
    if isinstance(value, list):
        return [printable(item) for item in value]
    if isinstance(value, dict):
        return {key: printable(item) for key, item in value.items()}
    return value


def missing_shapes(figure):
    """Returns the letters that are drawn as an empty box because the font does not have them."""
    missing = []
    for text in figure.findobj(Text):
        shapes = get_font(findfont(text.get_fontproperties())).get_charmap()
        missing += [letter for letter in text.get_text() if letter != "\n" and ord(letter) not in shapes]
    return list(dict.fromkeys(missing))


def look(number):
    """Returns colour, dash and marker of the curve of this number: no two of the first 35 share colour and dash."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number % len(DASHES)],
        "marker": MARKERS[number % len(MARKERS)],
    }


def colour_of(number):
    """The colour of the curve of this style, which may be "bound"."""
    return BOUND["color"] if number == "bound" else look(number)["color"]


def metric_words(name, metrics):
    """Returns the words of a metric, "explained variance ratio", with its unit if that is s or
    bytes, else with its formula on a second line if one is known here."""
    unit = metrics[name]["unit"]
    words = {
        "solve_seconds": "solve time",
        "cpu_seconds": "processor time",
        "peak_bytes": "peak memory",
        "products": "products with S",
        "loss_bound_theorem5": "loss that Theorem 5 allows",
        "loss_bound_theorem6": "loss that Theorem 6 allows",
    }.get(name, name.replace("_", " "))
    formula = {
        "explained_variance": "tr(V'SV)",
        "explained_variance_ratio": "tr(V'SV) / (λ₁ + … + λᵣ)",
        "cumulative_variance": "v₁'Sv₁ + … + vⱼ'Svⱼ",
        "variance_share": "tr(V'SV) / tr(S)",
        "component_variance_ratio": "vⱼ'Svⱼ / λ₁",
        "certified_ratio": "v'Sv / upper bound",
        "error_bound_by_eigenvalue": "(p/k) λ(d+1) / λ₁",
        "error_bound_by_variance": "λ(d+1) / maxⱼ Sⱼⱼ",
        "error_bound_by_value": "λ(d+1) / v'Sv",
        "decay_exponent": "a of λᵢ ≈ C i⁻ᵃ",
    }.get(name, "")
    if unit in ("s", "bytes"):
        return f"{words} ({unit})"
    return f"{words}\n{formula}" if formula else words


def columns_of(count):
    """The number of columns in which `count` panels are legible, and do not need a long page."""
    return 2 if count == 4 else min(count, MOST_COLUMNS)


def panel_size(panel, count):
    """Inches of a panel of curves: one fills a column of text, several are side by side."""
    return {1: (4.4, 2.9), 2: (2.5, 2.1), 3: (1.65, 1.6)}[columns_of(count)]


def marked(points, style_number, most=MANY_POINTS):
    """The points of a curve that have a marker, as (first, step): all of them, if they are no more than `most`."""
    if points <= most:
        return 0, 1
    # Markers of different curves are at different places, or the last drawn would hide the others.
    every = max(points // min(most, 10), 1)
    return (0 if style_number == "bound" else style_number * every // 5 % every), every


def draw_curves(axes, curves, most_markers=MANY_POINTS, **more):
    """Draws {"name", "style", "x", "y"}; the style "bound" is an outer line. Returns what name_curves needs. What is
    drawn later is thinner: a curve that lies on another leaves its edges to be seen."""
    drawn = []
    for i, curve in enumerate(curves):
        width = 2.3 - 1.3 * i / max(len(curves) - 1, 3)
        kind = dict(BOUND, zorder=1) if curve["style"] == "bound" else dict(look(curve["style"]), linewidth=width)
        places = marked(len(curve["x"]), curve["style"], most_markers)
        kind.update(markevery=places, markeredgewidth=0.8, markerfacecolor="none")
        if curve["style"] == "bound" and len(curve["x"]) == 1:
            kind.update(BOUND_OF_ONE)
        (line,) = axes.plot(curve["x"], curve["y"], **{**kind, **more})
        end = (curve["x"][-1], curve["y"][-1])
        names = {"name": curve["name"], "names": names_of(curve)}
        drawn.append({"line": line, "color": line.get_color(), "look": curve["style"], "end": end, **names})
    return drawn


def draw_crosses(axes, crosses, zorder=6):
    """Draws points {"x", "y", "style"} that the paper prints, in the colour of their curve, or black without one."""
    for one in crosses:
        colour = "black" if one["style"] is None else colour_of(one["style"])
        under = [withStroke(linewidth=CROSS_WIDTH + 1.6, foreground="white")]
        axes.plot([one["x"]], [one["y"]], marker="x", markersize=6, markeredgewidth=CROSS_WIDTH, color=colour,
                  linestyle="", zorder=zorder, path_effects=under)


def counting(axis):
    """Sets ticks at whole numbers alone."""
    axis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))


def power_of_ten(value, _place=None):
    """ "10⁻³", for a tick. matplotlib's own words would need text to be parsed as math."""
    return "10" + str(round(math.log10(value))).translate(SUPERSCRIPTS)


class PlainFormatter(ScalarFormatter):
    """Writes the common power of ten of an axis as "×10⁷", for which matplotlib has "1e7"."""

    def get_offset(self):
        def power(found):
            return "×10" + found[1].replace("\u2212", "-").translate(SUPERSCRIPTS)

        return re.sub(r"1e([-\u2212]?\d+)", power, super().get_offset())


def plain_offsets(axes):
    for axis in (axes.xaxis, axes.yaxis):
        if type(axis.get_major_formatter()) is ScalarFormatter and axis.get_scale() == "linear":
            axis.set_major_formatter(PlainFormatter())


def logarithmic(axis, low, high):
    """Makes the axis logarithmic, with ticks that can be read off, too, if it spans little more than one power of
    ten."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    narrow = high < 30 * low
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if narrow else (1,)))
    axis.set_major_formatter(ScalarFormatter() if narrow else power_of_ten)
    axis.set_minor_formatter(NullFormatter())


def cost_axis(axis, low, high):
    """Makes the axis logarithmic from low to high, or farther, so that two powers of ten are on it.
    Only powers of ten have words, because a narrow panel has no room for others."""
    logarithmic(axis, 1, 100)
    if math.floor(math.log10(high)) - math.ceil(math.log10(low)) < 1:
        low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
    axis.axes.set(**{f"{axis.axis_name}lim": (low, high)})


def shortfall_axis(axis, floor, high=1.0):
    """Makes the axis logarithmic, in per cent, from `floor`, the place of a shortfall of zero, to `high`, at least 1."""
    percent = {floor: "none", 1e-6: "0.0001 %", 1e-4: "0.01 %", 1e-2: "1 %", 1.0: "100 %"}
    percent.update({10.0**i: f"10{str(i + 2).translate(SUPERSCRIPTS)} %" for i in range(2, 1 + int(math.log10(max(high, 1))), 2)})
    axis.axes.set(**{f"{axis.axis_name}scale": "log", f"{axis.axis_name}lim": (floor / 2.5, 1.3 * max(high, 1.0))})
    axis.set_major_locator(FixedLocator(list(percent)))
    axis.set_major_formatter(lambda value, _: next(words for at, words in percent.items() if value < 1.01 * at))
    axis.set_minor_locator(FixedLocator([1e-5, 1e-3, 1e-1]))
    axis.set_minor_formatter(NullFormatter())
    # Below this line no distance is drawn.
    edge = {"x": axis.axes.axvline, "y": axis.axes.axhline}[axis.axis_name]
    edge((floor * 1e-6) ** 0.5, color="#999999", linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)


def wrapped(names):
    """The lines of a curve's names, which break behind the = that joins names, and within a name only if it is long."""
    names = [one if len(one) > LABEL_WIDTH else one.replace(" ", "\u00a0") for one in names]
    joined = "\u00a0= ".join(names)
    return "\n".join(textwrap.wrap(joined, LABEL_WIDTH, break_long_words=False, break_on_hyphens=False))


def spread(centres, heights, low, high):
    """Returns positions of labels of these heights, without overlaps, in the order of their
    centres. Each label is as near to its centre as its neighbours allow, and all are within
    low..high if they fit."""
    order = sorted(range(len(centres)), key=lambda i: (centres[i], i))
    blocks = []  # members, height, and where each member wishes the bottom of the block
    for i in order:
        block = [[i], heights[i], [centres[i] - heights[i] / 2]]
        while blocks and _bottom(blocks[-1], low, high) + blocks[-1][1] > _bottom(block, low, high):
            members, height, wishes = blocks.pop()
            block = [members + block[0], height + block[1], wishes + [wish - height for wish in block[2]]]
        blocks.append(block)
    placed = [0.0] * len(centres)
    for block in blocks:
        bottom = _bottom(block, low, high)
        for i in block[0]:
            placed[i] = bottom + heights[i] / 2
            bottom += heights[i]
    return placed


def _bottom(block, low, high):
    return max(low, min(high - block[1], sum(block[2]) / len(block[2])))


def _ends(axes, drawn):
    """Returns the heights of the curves' ends above the lower edge of the axes, the heights of
    their labels, and the height of the axes, all in points."""
    axes.get_ylim()  # matplotlib computes the limits when they are first read
    scale = POINTS_AN_INCH / axes.figure.dpi
    corner = axes.get_window_extent().y0
    centres = [(axes.transData.transform(curve["end"])[1] - corner) * scale for curve in drawn]
    size = matplotlib.rcParams["legend.fontsize"]
    heights = [size * LINE_HEIGHT * (wrapped(names_of(curve)).count("\n") + 1) for curve in drawn]
    return centres, heights, axes.get_window_extent().height * scale


def can_label(axes, drawn):
    """Returns true if each curve's name fits at its right end and cannot be mistaken for another's."""
    if len({curve["end"][0] for curve in drawn}) != 1:
        return not drawn
    centres, heights, height = _ends(axes, drawn)
    apart = sorted(centres)
    if any(b - a < CLEAR_ENDS for a, b in zip(apart, apart[1:])):
        return False
    placed = spread(centres, heights, -heights[0], height + heights[0])
    return all(abs(a - b) <= FARTHEST_LABEL for a, b in zip(centres, placed))


def label_ends(axes, drawn):
    """Writes each curve's name beside its end. Returns the texts."""
    centres, heights, height = _ends(axes, drawn)
    placed = spread(centres, heights, -heights[0], height + heights[0])
    label_gap = ScaledTranslation(6 / POINTS_AN_INCH, 0, axes.figure.dpi_scale_trans)
    words = []
    for curve, place in zip(drawn, placed):
        words.append(axes.annotate(
            wrapped(names_of(curve)),
            xy=curve["end"],
            xytext=(1, place / height),
            textcoords=axes.transAxes + label_gap,
            va="center",
            color=curve["color"],
            fontsize=matplotlib.rcParams["legend.fontsize"],
            linespacing=1.1,
            arrowprops={"arrowstyle": "-", "color": "#aaaaaa", "linewidth": 0.6, "shrinkA": 1, "shrinkB": 4},
        ))
    return words


def in_order(drawn):
    """Curves as a legend names them: the highest first."""
    return sorted(drawn, key=lambda curve: -curve["end"][1])


def _legend(owner, curves, **place):
    legend = owner.legend([curve["line"] for curve in curves], ["name"] * len(curves), borderaxespad=0, **place)
    # Set the texts afterwards: matplotlib omits labels that begin with an underscore.
    for text, curve in zip(legend.get_texts(), curves):
        text.set_text(wrapped(names_of(curve)))
    return legend


def add_legend(axes, drawn):
    """Adds a legend beside the axes, highest curve first."""
    _legend(axes, in_order(drawn), loc="upper left", bbox_to_anchor=(1.02, 1.02))


def shared_curves(named):
    """Returns the curves of one legend for all panels, or None if a name or a look has two
    meanings. `named`: for each panel the result of draw_curves()."""
    known = {}
    for drawn in sorted(named, key=len, reverse=True):
        for curve in in_order(drawn):
            known.setdefault(curve["name"], curve)
    if any(known[curve["name"]]["look"] != curve["look"] for drawn in named for curve in drawn if "look" in curve):
        return None
    looks = [curve["look"] for curve in known.values() if curve.get("look", "bound") != "bound"]
    return list(known.values()) if len(looks) == len(set(looks)) else None


def legend_above(figure, curves, width):
    """Adds one legend of all panels, in as many columns as fit into `width` inches. Returns it; compose() places it."""
    for columns in range(min(len(curves), MOST_LEGEND_COLUMNS), 0, -1):
        legend = _legend(figure, curves, loc="upper left", ncol=columns, columnspacing=1.4, handlelength=2.6)
        legend.set_in_layout(False)
        box = legend.get_window_extent(figure.canvas.get_renderer())
        if box.width <= width * figure.dpi or columns == 1:
            return legend
        legend.remove()
    return None


def _fitted_ylabel(axes, height):
    """The label of the y axis in lines that are no longer than an axis of `height` inches."""
    label = axes.yaxis.label
    lines = label.get_text().split("\n")
    length = label.get_window_extent(axes.figure.canvas.get_renderer()).height / axes.figure.dpi
    if length <= height:
        return label.get_text()
    letters = int(max(map(len, lines)) * height / length)
    return "\n".join(textwrap.fill(line, letters, break_long_words=False) for line in lines)


class Layout:
    """The panels of a figure on its page: stacks of panels in rows and columns, with the axes of a
    column aligned."""

    def __init__(self, figure, panels, sizes, stacks):
        self.figure, self.panels, self.sizes, self.stacks = figure, panels, sizes, stacks
        self.whole = [
            (max(sizes[i][0] for i in stack), sum(sizes[i][1] for i in stack) + STACK_GAP * (len(stack) - 1))
            for stack in stacks
        ]
        self.labels = [_fitted_ylabel(axes, height) for (axes, _), (_, height) in zip(panels, sizes)]
        self.columns = 1

    def arrange(self):
        """Chooses the fewest rows with which the figure fits the page, and for that number of rows
        the fewest columns."""
        rows = {columns: math.ceil(len(self.stacks) / columns) for columns in range(1, MOST_COLUMNS + 1)}
        for columns in sorted(rows, key=lambda columns: (rows[columns], columns)):
            bare = max(sum(width for width, _ in self.whole[i : i + columns]) for i in range(0, len(self.stacks), columns))
            if columns == 1 or bare < PAGE_WIDTH:
                self._take(columns)
                if columns == 1 or self.width() <= PAGE_WIDTH:
                    return

    def _take(self, columns):
        self.columns = columns
        for (axes, _), label in zip(self.panels, self.labels):
            axes.set_ylabel(label)
            axes.tick_params(axis="y", labelleft=True)
        for row in self.rows():
            for first, stack in zip([self.stacks[row[0]]] * len(row[1:]), (self.stacks[i] for i in row[1:])):
                self._drop_repeated(first, stack)
        self.margins = [_margins([self.panels[i][0] for i in stack]) for stack in self.stacks]

    def _drop_repeated(self, first, stack):
        """Removes the words of `stack` that the first panel of its row has."""
        for one, other in zip(first, stack):
            if self.labels[other] and self.labels[one] == self.labels[other]:
                self.panels[other][0].set_ylabel("")
                if self.panels[one][0].get_ylim() == self.panels[other][0].get_ylim():
                    self.panels[other][0].tick_params(axis="y", labelleft=False)

    def rows(self):
        return [
            list(range(i, min(i + self.columns, len(self.stacks)))) for i in range(0, len(self.stacks), self.columns)
        ]

    def most(self, column, of_stack):
        """The largest of `of_stack` in a column."""
        return max(of_stack(i) for i in range(column, len(self.stacks), self.columns))

    def column_widths(self):
        """Returns (left margin, axes, axes with the right margin) of each column, in inches."""
        return [
            (
                self.most(column, lambda i: self.margins[i]["left"]),
                self.most(column, lambda i: self.whole[i][0]),
                self.most(column, lambda i: self.whole[i][0] + self.margins[i]["right"]),
            )
            for column in range(min(self.columns, len(self.stacks)))
        ]

    def width(self):
        return GAP + sum(left + right + GAP for left, _, right in self.column_widths())

    def row_heights(self):
        return [
            max(self.margins[i]["top"] for i in row)
            + max(self.whole[i][1] + self.margins[i]["bottom"] for i in row)
            + GAP
            for row in self.rows()
        ]

    def place(self, top, page):
        """Places the rows from `top` downwards."""
        for row, height in zip(self.rows(), self.row_heights()):
            x = GAP
            upper = top - max(self.margins[i]["top"] for i in row)
            for i, (left, _, right) in zip(row, self.column_widths()):
                _place(self.figure, self.panels, self.sizes, self.stacks[i], (x + left, upper), page)
                x += left + right + GAP
            top -= height


def name_curves(panels, layout):
    """Names the curves of `panels`, (axes, the result of draw_curves()), and arranges the panels.
    Names stand at the ends of the curves if that is clear in all panels and leaves room for
    columns; else in one legend of all panels, if a curve looks the same in all; else each panel has
    names at the ends or a legend beside it. Returns the curves of the legend of all panels, or
    None."""
    named = [(axes, drawn) for axes, drawn in panels if drawn]
    shared = shared_curves([drawn for _, drawn in named]) if named and len(layout.stacks) > 1 else None
    directly = [can_label(axes, drawn) for axes, drawn in named]
    if shared and not all(directly):
        layout.arrange()
        return shared
    words = []
    for (axes, drawn), fits in zip(named, directly):
        if fits:
            words += label_ends(axes, drawn)
        else:
            add_legend(axes, drawn)
    layout.arrange()
    if shared and layout.columns == 1:
        for word in words:
            word.remove()
        layout.arrange()
        if layout.columns > 1:
            return shared
        for axes, drawn in named:
            label_ends(axes, drawn)
        layout.arrange()
    return None


def compose(title, notes, sizes, draw, below=()):
    """Returns the figure: panels of these sizes (inches, of their axes), in up to MOST_COLUMNS
    columns. `draw(i, axes)` draws a panel and returns the result of draw_curves(). A panel whose
    number is in `below` is close below the one before it, as one with it: the upper one should have
    no words below its axis. Margins are measured, so that no words overlap."""
    figure = Figure(figsize=(PAGE_WIDTH, PAGE_WIDTH), dpi=100)
    FigureCanvasAgg(figure)
    renderer = figure.canvas.get_renderer()
    stacks = []  # of the numbers of panels
    for i in range(len(sizes)):
        stacks[-1].append(i) if i in below else stacks.append([i])
    panels = []
    for i, (width, height) in enumerate(sizes):
        axes = figure.add_axes((0, 0, width / PAGE_WIDTH, height / PAGE_WIDTH), label=f"panel {i}")
        panels.append((axes, draw(i, axes)))
        plain_offsets(axes)
        words = "\n".join(_title_lines(renderer, axes.get_title(loc="left"), width))
        if len(stacks) > 1 and "\n" in words:
            axes.set_title(words)
    for stack in stacks:
        _place(figure, panels, sizes, stack, (0, sizes[stack[0]][1]), (PAGE_WIDTH, PAGE_WIDTH))
    figure.draw_without_rendering()  # ticks are settled now
    layout = Layout(figure, panels, sizes, stacks)
    in_legend = name_curves(panels, layout)
    width = max(layout.width(), 4.0)
    legend = legend_above(figure, in_legend, width - 2 * GAP) if in_legend else None
    legend_box = legend.get_window_extent(renderer) if legend else None
    width = max(width, legend_box.width / figure.dpi + 2 * GAP if legend else 0)
    head = _lines(renderer, title, width - 2 * GAP, 9.5, "bold")
    foot = [line for note in notes for line in _lines(renderer, note, width - 2 * GAP, 7, "normal")]
    head_height = len(head) * 9.5 * LINE_HEIGHT / POINTS_AN_INCH + GAP
    legend_height = legend_box.height / figure.dpi + GAP if legend else 0
    foot_height = len(foot) * 7 * LINE_HEIGHT / POINTS_AN_INCH + GAP / 2
    height = head_height + legend_height + sum(layout.row_heights()) + foot_height
    figure.set_size_inches(width, height)
    layout.place(height - head_height - legend_height, (width, height))
    if legend:
        legend.set_bbox_to_anchor((GAP / width, 1 - head_height / height), figure.transFigure)
    figure.text(GAP / width, 1 - 0.6 * GAP / height, "\n".join(head), va="top", fontsize=9.5, fontweight="bold")
    if foot:
        figure.text(GAP / width, 0.6 * GAP / height, "\n".join(foot), va="bottom", fontsize=7, color="#444444")
    return figure


def _place(figure, panels, sizes, stack, corner, page):
    """Places the panels of a stack below each other, the upper left corner of the first at
    `corner`; all in inches."""
    x, upper = corner
    for i in stack:
        upper -= sizes[i][1]
        panels[i][0].set_position((x / page[0], upper / page[1], sizes[i][0] / page[0], sizes[i][1] / page[1]))
        upper -= STACK_GAP


def _margins(stack):
    """Returns the inches that words take on each side of the axes of a stack."""
    renderer = stack[0].figure.canvas.get_renderer()
    # If a label is longer than its axis, get_tightbbox() counts only the part beside the axis.
    named = [axis.label for axes in stack for axis in (axes.xaxis, axes.yaxis)]
    labels = [label.get_window_extent(renderer) for label in named if label.get_text() and label.get_visible()]
    words = Bbox.union([*(axes.get_tightbbox(renderer) for axes in stack), *labels])
    box = Bbox.union([axes.get_window_extent() for axes in stack])
    inch = stack[0].figure.dpi
    return {
        "left": (box.x0 - words.x0) / inch,
        "right": (words.x1 - box.x1) / inch,
        "top": (words.y1 - box.y1) / inch,
        "bottom": (box.y0 - words.y0) / inch,
    }


def _lines(renderer, text, width, size, weight):
    """The text in lines of at most `width` inches, unless a word is longer."""
    font = FontProperties(family="DejaVu Sans", weight=weight, size=size)
    room = width * renderer.dpi * 0.98  # a vector format lays letters a hair farther apart
    lines = [""]
    # A number and its sign stay on one line: only blanks separate words, not what must not break.
    for word in filter(None, text.replace(" %", "\u00a0%").split(" ")):
        longer = (lines[-1] + " " + word).strip()
        if not lines[-1] or renderer.get_text_width_height_descent(longer, font, ismath=False)[0] <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _title_lines(renderer, title, width):
    """The title of a panel in lines that end at its commas, each not much wider than the axes if it can be."""
    font = FontProperties(family="DejaVu Sans", size=matplotlib.rcParams["axes.titlesize"])
    lines = []
    for part in title.split(", "):
        longer = f"{lines[-1]}, {part}" if lines else part
        wide = renderer.get_text_width_height_descent(longer, font, ismath=False)[0]
        if lines and wide <= (width + TITLE_OVERHANG) * renderer.dpi:
            lines[-1] = longer
        else:
            lines += [part]
    return [line + "," for line in lines[:-1]] + lines[-1:]


def save(figure, path):
    """Saves the figure with the same bytes in every call: no date, and identifiers from a fixed salt."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    form = path.suffix.removeprefix(".")
    try:
        figure.savefig(path, format=form, dpi=DPI, metadata=metadata[form])
    except OSError as error:
        error.filename = error.filename or path  # a full disk names no file
        raise
    if form == "svg" and matplotlib.rcParams["svg.fonttype"] == "none":
        path.write_text(small_svg.shrunk(path.read_text("utf-8")), "utf-8")
