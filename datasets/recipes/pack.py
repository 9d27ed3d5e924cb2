"""Packs a file by gzip, after it was unpacked if it is an xz file."""

import lzma
import pathlib

import recipe


def make(arguments):
    content = pathlib.Path(arguments.original[0]).read_bytes()
    if arguments.xz:
        with recipe.reading("xz"):
            content = lzma.decompress(content)
    recipe.write(arguments.output, content, arguments.as_program)


words = recipe.parser(__doc__)
words.add_argument("--xz", action="store_true", help="the original is an xz file")
words.add_argument("--as-program", action="store_true", help="pack as the program gzip -9 does, not as Python's gzip")
recipe.run(make, words)
