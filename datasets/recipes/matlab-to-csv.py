"""Writes a matrix of a MATLAB file as CSV."""

import matlab_file
import recipe
import table


def make(arguments):
    table.write_table(arguments, matlab_file.load(arguments.original[0], arguments.object))


words = recipe.parser(__doc__)
words.add_argument("--object", required=True, help="its name, or its size, as 79x79")
table.add_options(words)
recipe.run(make, words)
