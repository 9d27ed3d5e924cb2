"""Writes some columns of CSV files, one file after the other, with the text of each number as it
is."""

import recipe
import table


def rows_of(path, has_header):
    """Returns the names of the columns and the rows of a file."""
    with recipe.reading("text"), open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")  # lines that end in \r\n were read as \n
    rows = [line.split(",") for line in lines if line]
    if len(rows) <= has_header:
        raise recipe.found(f"{len(rows)} lines", "a table")
    if len({len(row) for row in rows}) != 1:
        raise recipe.found("lines with different numbers of fields", "a table")
    return (rows[0], rows[1:]) if has_header else ([], rows)


def make(arguments):
    names, rows = [], []
    for original in arguments.original:
        names, more = rows_of(original, arguments.skip_header)
        if rows and len(rows[0]) != len(more[0]):
            raise recipe.found(f"files of {len(rows[0])} and {len(more[0])} columns", "the same number")
        rows += more
    width = len(rows[0])
    if arguments.width is not None and width != arguments.width:
        raise recipe.found(f"{width} columns", arguments.width)
    places = []
    for part in arguments.columns.split(","):
        places += range(width)[table.limits(part, width, "columns")]
    names = [names[place] for place in places] if names else []
    text = [table.header(arguments.header, names, len(places))]
    for row in rows:
        text.append(",".join(row[place] or arguments.empty for place in places) + "\n")
    recipe.write(arguments.output, "".join(text))


words = recipe.parser(__doc__, originals=None)
words.add_argument("--columns", required=True, help="as 1-13, or 1,5")
words.add_argument("--width", type=int, help="the number of columns that the files must have")
words.add_argument("--skip-header", action="store_true", help="the first line of each file has names")
words.add_argument("--header", help="the first line; p# is p1,p2,..., f0# is f0,f1,..., * the names of the columns")
words.add_argument("--empty", default="", help="what is written for an empty field")
recipe.run(make, words)
