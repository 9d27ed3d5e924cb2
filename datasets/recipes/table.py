"""A table of numbers or words: the part of it that is wanted, and the CSV that is written.

Rows and columns are numbered from 1."""

import math
import re

from recipe import RecipeError, found, library, write

HELP_OF_RANGE = "the first and the last, as 2-257; or one, as 58"


def add_options(words):
    """Adds the options that say what of a table is written, and how."""
    words.add_argument("--transpose", action="store_true", help="take the rows as columns")
    words.add_argument("--rows", help=HELP_OF_RANGE)
    words.add_argument("--columns", help=HELP_OF_RANGE)
    words.add_argument("--times", type=float, default=1, help="multiply the numbers")
    words.add_argument("--digits", type=int, help="significant digits; without it, all that a double has")
    words.add_argument("--words", help="words for the numbers 1, 2, ..., as normal,tumor")
    words.add_argument("--numbered", action="store_true", help="write the number of each row first")
    words.add_argument("--header", help="the first line; p# is p1,p2,..., f0# is f0,f1,..., * the names of the columns")


def limits(text, count, what):
    """Returns the slice that `text` names, of `count` rows or columns."""
    if text is None:
        return slice(0, count)
    first, _, last = text.partition("-")
    first, last = int(first), int(last or first)
    if not 1 <= first <= last <= count:
        raise found(f"{count} {what}", f"at least {last}")
    return slice(first - 1, last)


def field(value, digits):
    """Returns a number with the digits asked for, or the shortest text that gives it back; a word
    without blanks around it."""
    if isinstance(value, str):
        return value.strip()
    if value is None or not math.isfinite(value):
        raise found("a value that is missing or not finite", "words and finite numbers")
    if digits is not None:
        return f"{value + 0.0:.{digits}g}"  # -0.0 + 0.0 is 0.0
    return str(int(value)) if value == int(value) else repr(float(value))


def header(text, names, columns):
    """Returns the first line, with its end; nothing if there is none."""
    if text is None:
        return ""
    if text == "*":
        if len(names) != columns:
            raise found(f"{len(names)} names of columns", columns)
        return ",".join(names) + "\n"
    if counted := re.fullmatch(r"(.*?)(\d*)#", text):
        first = int(counted[2] or 1)
        text = ",".join(f"{counted[1]}{number}" for number in range(first, first + columns))
    return text + "\n"


def write_table(arguments, values, names=()):
    """Writes the part of `values`, an array of numbers or words with two dimensions, that the
    arguments name."""
    numpy = library("numpy", "python3-numpy")
    values = numpy.asarray(values)
    if values.ndim != 2:
        raise found(f"an array of {values.ndim} dimensions", "a matrix")
    values = values.T if arguments.transpose else values
    rows = limits(arguments.rows, values.shape[0], "rows")
    columns = limits(arguments.columns, values.shape[1], "columns")
    values, names = values[rows, columns], list(names)[columns]
    if values.dtype.kind in "iufb":
        values = values * arguments.times if arguments.times != 1 else values
    elif values.dtype.kind not in "OU":
        raise found(f"values of type {values.dtype}", "numbers or words")
    lines = values.tolist()
    if arguments.words:
        lines = named(lines, arguments.words.split(","))
    text = [header(arguments.header, names, values.shape[1])]
    for number, line in enumerate(lines, 1):
        fields = [field(value, arguments.digits) for value in line]
        text.append(",".join([str(number)] * arguments.numbered + fields) + "\n")
    write(arguments.output, "".join(text))


def named(lines, words):
    """Returns the words that the numbers 1, 2, ... stand for."""
    for line in lines:
        for value in line:
            if value not in range(1, len(words) + 1):
                raise found(f"the class {value}", f"1 to {len(words)}")
    return [[words[int(value) - 1] for value in line] for line in lines]


def square(values):
    """Checks that a matrix of covariances is one."""
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise RecipeError(f"found a matrix of {' x '.join(map(str, values.shape))}; accepted: a square one")
    return values
