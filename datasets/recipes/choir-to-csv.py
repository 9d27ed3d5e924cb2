"""Writes the samples or the classes of a .choir_dat file as CSV. The file has two int32, the numbers
of variables and of classes, then for each sample its values as float32 and its class, from 0, as
int32."""

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
        # The first decimals of a float32 are those of the original text; the others are rounding errors.
        table.write_table(arguments, numbers.round(arguments.decimals))


words = recipe.parser(__doc__)
words.add_argument("--classes", action="store_true", help="write the classes, from 1, and not the samples")
words.add_argument("--decimals", type=int, default=4, help="decimals of the original text")
table.add_options(words)
recipe.run(make, words)
