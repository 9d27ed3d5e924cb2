"""Writes a class for each line of a text file, where the first lines have class 0, the next as
many lines class 1, and so on."""

import pathlib

import recipe


def make(arguments):
    count = len(pathlib.Path(arguments.original[0]).read_bytes().splitlines())
    if count == 0 or count % arguments.rows != 0:
        raise recipe.found(f"{count} lines", f"a multiple of {arguments.rows}")
    lines = [arguments.header, *(str(line // arguments.rows) for line in range(count))]
    recipe.write(arguments.output, "\n".join(lines) + "\n")


words = recipe.parser(__doc__)
words.add_argument("--rows", type=int, required=True, help="number of lines of each class")
words.add_argument("--header", required=True, help="the first line")
recipe.run(make, words)
