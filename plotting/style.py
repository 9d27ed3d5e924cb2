"""One look for every figure, and where its words stand.

Legible in print at the width of a text page: the colours of Okabe and Ito, which colour-blind readers tell apart;
dashes and markers for those who print in grey; curves named at their ends where that is clear, in a legend beside the
axes where it is not. Text becomes outlines: a figure looks the same everywhere and needs no font.
"""

import math
import textwrap
import re
import unicodedata
import warnings

import matplotlib

matplotlib.use("Agg")
matplotlib.rcdefaults()  # what the user has set would change the bytes
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
from matplotlib.figure import Figure  # noqa: E402  (after the settings)
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.font_manager import FontProperties, findfont, get_font  # noqa: E402
from matplotlib.text import Text  # noqa: E402
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter, ScalarFormatter  # noqa: E402
from matplotlib.transforms import Bbox, ScaledTranslation  # noqa: E402

warnings.filterwarnings("ignore", message="Glyph .* missing from")  # matplotlib warns once for each letter; see missing_shapes()

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES = ["-", (0, (5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (1, 1)), (0, (3, 1, 1, 1, 1, 1))]
MARKERS = ["o", "s", "^", "D", "v", "<", ">", "p"]
BOUND = {"color": "#bbbbbb", "linewidth": 5, "linestyle": "-"}  # seen behind a curve that reaches it
BOUND_OF_ONE = {"marker": "_", "markersize": 24, "markeredgewidth": 5}  # a line of one point is none

PAGE_WIDTH = 7.2  # inches
GAP = 0.18  # inches between panels, and around them
STACK_GAP = 0.1  # inches between a panel and the one that belongs below it
LABEL_WIDTH = 26  # letters of a curve's name on one line
POINTS_AN_INCH = 72
DPI = 200
LINE_HEIGHT = 1.25  # of the font size
MANY_POINTS = 25  # of a curve that has no room for as many markers
CLEAR_ENDS = 5  # points between the ends of two curves that labels can tell apart
FARTHEST_LABEL = 22  # points between the end of a curve and its label
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")



def make_svg_small():
    """Words in the reader's own fonts instead of the outlines of their letters, hundredths of a point, no indentation."""
    matplotlib.rcParams["svg.fonttype"] = "none"


def _in_hundredths(tag):
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", tag[0])


def printable(value):
    """Text, also within lists and dictionaries, as a figure can hold it: with U+FFFD in place of what is no letter
    (controls, halves of a pair, noncharacters), which no SVG may hold, and with blanks for breaks of lines."""
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
    """Letters that stand in the figure as an empty box: those that the font does not have."""
    missing = []
    for text in figure.findobj(Text):
        shapes = get_font(findfont(text.get_fontproperties())).get_charmap()
        missing += [letter for letter in text.get_text() if letter != "\n" and ord(letter) not in shapes]
    return list(dict.fromkeys(missing))


def look(number):
    """Colour, dash and marker of the curve of this number: no two of the first 35 share colour and dash."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number % len(DASHES)],
        "marker": MARKERS[number % len(MARKERS)],
    }


def metric_words(name, metrics):
    """ "explained variance ratio", with the unit where there is one."""
    unit = metrics[name]["unit"]
    words = {
        "solve_seconds": "solve time",
        "cpu_seconds": "processor time",
        "peak_bytes": "peak memory",
        "products": "products with S",
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


def panel_size(panel, count):
    """Inches of a panel of curves: one fills a column of text, several stand side by side."""
    return (4.4, 2.9) if count == 1 else (2.3, 2.2)


def marked(points, style_number):
    """The points of a curve that have a marker, as (first, step)."""
    if points <= MANY_POINTS:
        return 0, 1
    # Markers of different curves stand at different places, or the last drawn would hide the others.
    every = points // 10
    return (0 if style_number == "bound" else style_number * every // 5 % every), every


def draw_curves(axes, curves, **more):
    """Draws {"name", "style", "x", "y"}; the style "bound" is an outer line. Returns what name_curves needs. What is
    drawn later is thinner: a curve that lies on another leaves its edges to be seen."""
    drawn = []
    for i, curve in enumerate(curves):
        width = 2.3 - 1.3 * i / max(len(curves) - 1, 3)
        kind = dict(BOUND, zorder=1) if curve["style"] == "bound" else dict(look(curve["style"]), linewidth=width)
        kind.update(markevery=marked(len(curve["x"]), curve["style"]), markeredgewidth=0.8, markerfacecolor="none")
        if curve["style"] == "bound" and len(curve["x"]) == 1:
            kind.update(BOUND_OF_ONE)
        (line,) = axes.plot(curve["x"], curve["y"], **kind, **more)
        end = (curve["x"][-1], curve["y"][-1])
        drawn.append({"line": line, "color": line.get_color(), "name": curve["name"], "end": end})
    return drawn


def counting(axis):
    """Ticks at whole numbers alone."""
    axis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))


def power_of_ten(value, _place=None):
    """ "10⁻³", for a tick. matplotlib's own words would need text to be parsed as math."""
    return "10" + str(round(math.log10(value))).translate(SUPERSCRIPTS)


def logarithmic(axis, low, high):
    """Makes the axis logarithmic, with ticks that can be read off, too, where it spans little more than one power of
    ten."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    narrow = high < 30 * low
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if narrow else (1,)))
    axis.set_major_formatter(ScalarFormatter() if narrow else power_of_ten)
    axis.set_minor_formatter(NullFormatter())


def cost_axis(axis, low, high):
    """Logarithmic from low to high, or farther, so that two powers of ten stand on it, and no other words, for which a
    narrow panel has no room."""
    logarithmic(axis, 1, 100)
    if math.floor(math.log10(high)) - math.ceil(math.log10(low)) < 1:
        low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
    axis.axes.set(**{f"{axis.axis_name}lim": (low, high)})


def shortfall_axis(axis, floor):
    """Logarithmic, in per cent, from `floor`, where those stand who fall short by nothing, to 1."""
    percent = {floor: "none", 1e-6: "0.0001 %", 1e-4: "0.01 %", 1e-2: "1 %", 1.0: "100 %"}
    axis.axes.set(**{f"{axis.axis_name}scale": "log", f"{axis.axis_name}lim": (floor / 2.5, 1.3)})
    axis.set_major_locator(FixedLocator(list(percent)))
    axis.set_major_formatter(lambda value, _: next(words for at, words in percent.items() if value < 1.01 * at))
    axis.set_minor_locator(FixedLocator([1e-5, 1e-3, 1e-1]))
    axis.set_minor_formatter(NullFormatter())
    # Below this line no distance is drawn.
    edge = {"x": axis.axes.axvline, "y": axis.axes.axhline}[axis.axis_name]
    edge((floor * 1e-6) ** 0.5, color="#999999", linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)


def wrapped(name):
    """Lines of a curve's name, which break behind the = that joins names, and within a name only where it is long."""
    names = [one if len(one) > LABEL_WIDTH else one.replace(" ", "\u00a0") for one in name.split(" = ")]
    joined = "\u00a0= ".join(names)
    return "\n".join(textwrap.wrap(joined, LABEL_WIDTH, break_long_words=False, break_on_hyphens=False))


def spread(centres, heights, low, high):
    """The positions of labels of these heights, without overlaps: in the order of their centres, each as near to it
    as the ones beside it allow, within low..high if they fit."""
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
    """For each curve, the height of its end and of its label, in points from the axes' lower left corner."""
    axes.get_ylim()  # matplotlib computes the limits when they are first read
    scale = POINTS_AN_INCH / axes.figure.dpi
    corner = axes.get_window_extent().y0
    centres = [(axes.transData.transform(curve["end"])[1] - corner) * scale for curve in drawn]
    size = matplotlib.rcParams["legend.fontsize"]
    heights = [size * LINE_HEIGHT * (wrapped(curve["name"]).count("\n") + 1) for curve in drawn]
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
    centres, heights, height = _ends(axes, drawn)
    placed = spread(centres, heights, -heights[0], height + heights[0])
    label_gap = ScaledTranslation(6 / POINTS_AN_INCH, 0, axes.figure.dpi_scale_trans)
    for curve, place in zip(drawn, placed):
        axes.annotate(
            wrapped(curve["name"]),
            xy=curve["end"],
            xytext=(1, place / height),
            textcoords=axes.transAxes + label_gap,
            va="center",
            color=curve["color"],
            fontsize=matplotlib.rcParams["legend.fontsize"],
            linespacing=1.1,
            arrowprops={"arrowstyle": "-", "color": "#aaaaaa", "linewidth": 0.6, "shrinkA": 1, "shrinkB": 4},
        )


def add_legend(axes, drawn):
    """Beside the axes, highest curve first."""
    ordered = sorted(drawn, key=lambda curve: -curve["end"][1])
    legend = axes.legend(
        [curve["line"] for curve in ordered],
        ["name"] * len(ordered),
        loc="upper left",
        bbox_to_anchor=(1.02, 1.02),
        borderaxespad=0,
    )
    # Afterwards: a legend leaves out whom it hears called by a name that begins with an underscore.
    for text, curve in zip(legend.get_texts(), ordered):
        text.set_text(wrapped(curve["name"]))


def name_curves(panels):
    """`panels`: (axes, what draw_curves gave). One legend serves all panels that have the same curves. A panel that gave
    nothing names none. Returns the panel that has the legend of all, or None."""
    panels = [(axes, drawn) for axes, drawn in panels if drawn]
    directly = [can_label(axes, drawn) for axes, drawn in panels]
    names = [sorted((curve["name"], curve["color"]) for curve in drawn) for _, drawn in panels]
    if not all(directly) and len(panels) > 1 and all(some == names[0] for some in names):
        last_of_first_row = min(len(panels), 2) - 1
        add_legend(*panels[last_of_first_row])
        return panels[last_of_first_row]
    for (axes, drawn), fits in zip(panels, directly):
        if drawn:
            label_ends(axes, drawn) if fits else add_legend(axes, drawn)
    return None


def compose(title, notes, sizes, draw, below=()):
    """The figure: panels of these sizes (inches, of their axes), at most two beside each other. `draw(i, axes)` draws
    one and returns what draw_curves gave. A panel whose number is in `below` stands close below the one before it, as
    one with it: the upper one should have no words below its axis. Margins are measured, so that no words overlap,
    whatever they are."""
    figure = Figure(figsize=(PAGE_WIDTH, PAGE_WIDTH), dpi=100)
    FigureCanvasAgg(figure)
    stacks = []  # of the numbers of panels
    for i in range(len(sizes)):
        stacks[-1].append(i) if i in below else stacks.append([i])
    panels = []
    for i, (width, height) in enumerate(sizes):
        axes = figure.add_axes((0, 0, width / PAGE_WIDTH, height / PAGE_WIDTH), label=f"panel {i}")
        panels.append((axes, draw(i, axes)))
    for stack in stacks:
        _place(figure, panels, sizes, stack, (0, sizes[stack[0]][1]), (PAGE_WIDTH, PAGE_WIDTH))
    legend_of_all = name_curves(panels)
    figure.draw_without_rendering()  # ticks are settled now
    whole = [
        (max(sizes[i][0] for i in stack), sum(sizes[i][1] for i in stack) + STACK_GAP * (len(stack) - 1))
        for stack in stacks
    ]
    unlabelled = []
    for pair in [stacks[i : i + 2] for i in range(0, len(stacks), 2)]:  # the second need not repeat what the first says
        for first, second in zip(*pair) if len(pair) == 2 else ():
            label = panels[second][0].get_ylabel()
            if label and panels[first][0].get_ylabel() == label:
                unlabelled.append((panels[second][0], label))
                panels[second][0].set_ylabel("")
                if panels[first][0].get_ylim() == panels[second][0].get_ylim():
                    panels[second][0].tick_params(axis="y", labelleft=False)

    def margins_of_all():
        return [_margins([panels[i][0] for i in stack]) for stack in stacks]

    margins = margins_of_all()
    rows = [list(range(i, min(i + 2, len(stacks)))) for i in range(0, len(stacks), 2)]
    if any(_row_width([whole[i] for i in row], [margins[i] for i in row]) > PAGE_WIDTH for row in rows):
        rows = [[i] for i in range(len(stacks))]
        for axes, label in unlabelled:
            axes.set_ylabel(label)
            axes.tick_params(axis="y", labelleft=True)
        if legend_of_all:  # it stands beside the first row, which has one panel now
            legend_of_all[0].get_legend().remove()
            add_legend(*next(panel for panel in panels if panel[1]))
        margins = margins_of_all()
    content = max(_row_width([whole[i] for i in row], [margins[i] for i in row]) for row in rows)
    width = max(content, 4.0)
    renderer = figure.canvas.get_renderer()
    head = _lines(renderer, title, width - 2 * GAP, 9.5, "bold")
    foot = [line for note in notes for line in _lines(renderer, note, width - 2 * GAP, 7, "normal")]
    head_height = len(head) * 9.5 * LINE_HEIGHT / POINTS_AN_INCH + GAP
    foot_height = len(foot) * 7 * LINE_HEIGHT / POINTS_AN_INCH + GAP / 2
    row_heights = [
        max(margins[i]["top"] for i in row) + max(whole[i][1] + margins[i]["bottom"] for i in row) + GAP for row in rows
    ]
    height = head_height + sum(row_heights) + foot_height
    figure.set_size_inches(width, height)
    top = height - head_height
    left = max(margins[row[0]]["left"] for row in rows)  # the first axes of all rows stand below each other
    for row, row_height in zip(rows, row_heights):
        x = GAP
        upper = top - max(margins[i]["top"] for i in row)
        for i in row:
            x += left if i == row[0] else margins[i]["left"]
            _place(figure, panels, sizes, stacks[i], (x, upper), (width, height))
            x += whole[i][0] + margins[i]["right"] + GAP
        top -= row_height
    figure.text(GAP / width, 1 - 0.6 * GAP / height, "\n".join(head), va="top", fontsize=9.5, fontweight="bold")
    if foot:
        figure.text(GAP / width, 0.6 * GAP / height, "\n".join(foot), va="bottom", fontsize=7, color="#444444")
    return figure


def _place(figure, panels, sizes, stack, corner, page):
    """The panels of a stack below each other, the upper left corner of the first here; all in inches."""
    x, upper = corner
    for i in stack:
        upper -= sizes[i][1]
        panels[i][0].set_position((x / page[0], upper / page[1], sizes[i][0] / page[0], sizes[i][1] / page[1]))
        upper -= STACK_GAP


def _margins(stack):
    """Inches that words take on each side of these axes."""
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


def _row_width(sizes, margins):
    return GAP + sum(size[0] + margin["left"] + margin["right"] + GAP for size, margin in zip(sizes, margins))


def _lines(renderer, text, width, size, weight):
    """The text in lines of at most `width` inches, where a word is not longer than that."""
    font = FontProperties(family="DejaVu Sans", weight=weight, size=size)
    room = width * renderer.dpi * 0.98  # a vector format lays letters a hair farther apart
    lines = [""]
    for word in text.split():
        longer = (lines[-1] + " " + word).strip()
        if not lines[-1] or renderer.get_text_width_height_descent(longer, font, ismath=False)[0] <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def save(figure, path):
    """Nothing that differs from one call to the next: no date, and identifiers from a fixed salt."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    form = path.suffix.removeprefix(".")
    figure.savefig(path, format=form, dpi=DPI, metadata=metadata[form])
    if form == "svg" and matplotlib.rcParams["svg.fonttype"] == "none":
        flush_left = re.sub(r"\n\s+", "\n", path.read_text("utf-8"))
        path.write_text(re.sub(r"<[^>]*>", _in_hundredths, flush_left), "utf-8")
