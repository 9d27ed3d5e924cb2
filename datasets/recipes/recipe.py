"""The frame of a recipe: its arguments, its errors, and its output.

A recipe makes one file of the data folder from one published file:

    python3 RECIPE.py [OPTIONS] -- ORIGINAL... OUTPUT

It writes OUTPUT when all of it is known, and not before. Every error is one line on standard error
and exit code 1. `spca fetch` runs recipes and compares the SHA-256 of what they write."""

import argparse
import contextlib
import importlib
import os
import pathlib
import sys
import zlib


class RecipeError(Exception):
    """An error that the user can act on. Its message is one line."""


def found(what, accepted):
    """Returns the error of an original that is not as the recipe expects it."""
    return RecipeError(f"found {what}; accepted: {accepted}")


def library(name, package):
    """Imports a library; names the package of Debian that has it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise RecipeError(f"needs {name} of Python, Debian's package {package}") from None


@contextlib.contextmanager
def reading(form):
    """Turns any error of a library that reads `form` into a RecipeError."""
    try:
        yield
    except (RecipeError, MemoryError):
        raise
    except Exception as error:  # libraries raise what they like on damaged files
        reason = " ".join(str(error).split()) or type(error).__name__
        raise RecipeError(f"cannot be read as {form}: {reason}") from None


def gzipped(content, as_program=False):
    """Packs bytes without a time and without a name, so that equal contents are equal files: as
    Python's module gzip does, or as the program gzip -9 does."""
    memory, system = (9, 3) if as_program else (8, 255)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, memory)
    header = bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, system])
    body = packer.compress(content) + packer.flush()
    return header + body + zlib.crc32(content).to_bytes(4, "little") + (len(content) % 2**32).to_bytes(4, "little")


def write(output, content, as_program=False):
    """Writes bytes, or text, as a new file; gzipped if its name ends in .gz."""
    content = content.encode() if isinstance(content, str) else content
    try:
        pathlib.Path(output).write_bytes(gzipped(content, as_program) if output.endswith(".gz") else content)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(output)
        raise RecipeError(f"the output cannot be written: {error.strerror}") from None


def parser(description, originals=1):
    """Returns the parser of a recipe's command line, to which the recipe adds its options."""
    words = argparse.ArgumentParser(description=description, allow_abbrev=False)
    words.add_argument("original", nargs="+" if originals is None else originals)
    words.add_argument("output")
    return words


def run(make, words):
    """Calls make(arguments), and prints an error as one line."""
    arguments = words.parse_args()
    original = pathlib.Path(arguments.original[0]).name
    try:
        make(arguments)
    except RecipeError as error:
        sys.exit(f"{original}: {error}")
    except MemoryError:
        sys.exit(f"{original}: needs more memory than the recipe may have")
    except Exception as error:
        sys.exit(f"{original}: cannot be converted: {' '.join(str(error).split()) or type(error).__name__}")
