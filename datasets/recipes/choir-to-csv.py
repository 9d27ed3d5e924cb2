"""Writes samples or classes of a .choir_dat file as CSV: two int32, the numbers of variables and
classes, then for each sample its float32 and an int32, its class from 0."""

import pathlib

import recipe
import table


def load(path):
    numpy = recipe.library("numpy", "python3-numpy")
    content = pathlib.Path(path).read_bytes()
    if len(content) < 8:
        raise recipe.found(f"{len(content)} bytes", "at least 8")
    variables = int(numpy.frombuffer(content, "<i4", 1)[0])
    if not 0 < variables < len(content) or (len(content) - 8) % (4 * variables + 4) != 0:
        raise recipe.found(f"{len(content)} bytes with {variables} variables", "whole samples")
    samples = numpy.frombuffer(content, [("numbers", "<f4", variables), ("label", "<i4")], offset=8)
    return samples["numbers"].astype(float), samples["label"]


def make(arguments):
    numbers, labels = load(arguments.original[0])
    if arguments.classes:
        table.write_table(arguments, labels.reshape(-1, 1) + 1)
    else:
        # A float32 has the decimals of the text that it was made from, and digits of chance.
        table.write_table(arguments, numbers.round(arguments.decimals))


words = recipe.parser(__doc__)
words.add_argument("--classes", action="store_true", help="write the classes, from 1, and not the samples")
words.add_argument("--decimals", type=int, default=4, help="decimals of the original text")
table.add_options(words)
recipe.run(make, words)
