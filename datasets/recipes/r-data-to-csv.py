"""Writes an object that R saved as CSV."""

import r_data
import recipe
import table


def make(arguments):
    values, names = r_data.matrix(r_data.member(r_data.load(arguments.original[0]), arguments.object))
    table.write_table(arguments, values, names)


words = recipe.parser(__doc__)
words.add_argument("--object", required=True, help="its name, or LIST$MEMBER")
table.add_options(words)
recipe.run(make, words)
