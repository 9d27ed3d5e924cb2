"""Writes a matrix of a Julia file (JLD, which is HDF5) as CSV. JLD has the columns of a matrix as
rows."""

import recipe
import table


def load(path, name):
    h5py = recipe.library("h5py", "python3-h5py")
    with recipe.reading("HDF5"), h5py.File(path, "r") as file:
        if name not in file or not isinstance(file[name], h5py.Dataset):
            raise recipe.found(f"the objects {', '.join(file)}", name)
        return file[name][()].T


def make(arguments):
    numpy = recipe.library("numpy", "python3-numpy")
    values = load(arguments.original[0], arguments.object)
    if arguments.drop_undefined:
        # The correlations of a constant variable with all others are 0/0.
        kept = numpy.isnan(table.square(values)).mean(axis=0) < 0.5
        values = values[kept][:, kept]
    table.write_table(arguments, values)


words = recipe.parser(__doc__)
words.add_argument("--object", required=True, help="its name")
words.add_argument("--drop-undefined", action="store_true", help="leave out variables whose correlations are NaN")
table.add_options(words)
recipe.run(make, words)
