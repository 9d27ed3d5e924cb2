"""Writes the counts of a MATLAB file, documents x words, as UCI's docword: numbers of documents,
words and entries, then a line for each entry, numbered from 1."""

import matlab_file
import recipe


def make(arguments):
    numpy = recipe.library("numpy", "python3-numpy")
    counts = matlab_file.load(arguments.original[0], arguments.object)
    counts = numpy.asarray(counts.todense() if hasattr(counts, "todense") else counts)
    if counts.ndim != 2 or counts.dtype.kind not in "iuf" or (counts < 0).any() or (counts % 1 != 0).any():
        raise recipe.found(f"an array of {counts.dtype} with {counts.ndim} dimensions", "a matrix of counts")
    documents, words_of = counts.nonzero()
    lines = [f"{size}\n" for size in (*counts.shape, len(documents))]
    for document, word, count in zip(documents.tolist(), words_of.tolist(), counts[documents, words_of].tolist()):
        lines.append(f"{document + 1} {word + 1} {int(count)}\n")
    recipe.write(arguments.output, "".join(lines))


words = recipe.parser(__doc__)
words.add_argument("--object", required=True, help="its name")
recipe.run(make, words)
