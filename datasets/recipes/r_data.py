"""Reads the values that R saved by save(): a file of type RDX2 or RDX3, in the portable (XDR)
form, with vectors, lists, factors and data frames. Packed by gzip, bzip2 or xz.

The form is described in "R Internals", section "Serialization Formats". A value is an R object:
its content, and its attributes by name."""

import bz2
import dataclasses
import gzip
import lzma
import struct

from recipe import RecipeError, found, library, reading

PACKERS = {b"\x1f\x8b": gzip, b"BZh": bz2, b"\xfd7zXZ": lzma}

NIL, REFERENCE, SYMBOL, PAIRS = 254, 255, 1, 2
CHARACTERS, LOGICAL, INTEGER, REAL, STRINGS, LIST = 9, 10, 13, 14, 16, 19
MOST_NESTED = 50


@dataclasses.dataclass
class Value:
    """An object of R."""

    content: object  # numpy vector, list of texts, list of values, or dict of a pairlist
    attributes: dict


def unpacked(path):
    """Returns the content of a file that may be packed."""
    with open(path, "rb") as file:
        content = file.read()
    for magic, packer in PACKERS.items():
        if content.startswith(magic):
            with reading(packer.__name__):
                return packer.decompress(content)
    return content


class Reader:
    """A place in the bytes of a file."""

    def __init__(self, content):
        self.numpy = library("numpy", "python3-numpy")
        self.content, self.place, self.symbols, self.depth = content, 0, [], 0
        self.within_attributes = False  # the names of rows of a data frame are c(NA, -n)

    def take(self, count):
        """Returns the next bytes."""
        begin, self.place = self.place, self.place + count
        if count < 0 or self.place > len(self.content):
            raise RecipeError("the data of R end early")
        return self.content[begin : self.place]

    def whole(self):
        return struct.unpack(">i", self.take(4))[0]

    def vector(self, kind):
        """Returns a vector of numbers."""
        length = self.whole()
        if length < 0:
            raise found("a vector of more than 2^31 numbers", "a shorter one")
        numbers = self.numpy.frombuffer(self.take(length * int(kind[-1])), dtype=kind)
        if kind == ">i4" and (numbers == -(2**31)).any() and not self.within_attributes:
            raise found("a whole number that is missing", "numbers")
        return numbers.astype(kind.replace(">", "="))

    def start(self):
        """Reads the header of the file."""
        magic = self.take(5)
        if magic not in (b"RDX2\n", b"RDX3\n") or self.take(2) != b"X\n":
            raise found(f"the beginning {magic!r}", "the beginning of R's RDX2 or RDX3")
        version = self.whole()
        self.take(8)  # the versions of R that wrote the file, and that can read it
        if version == 3:
            self.take(self.whole())  # the encoding

    def text(self):
        """Reads one string; None means a missing string."""
        kind = self.whole() & 255
        if kind != CHARACTERS:
            raise found(f"an object of type {kind}", "a string")
        length = self.whole()
        return None if length < 0 else self.take(length).decode("utf-8", "replace")

    def pairs(self, flags):
        """Reads a list of named values, as attributes are."""
        members = {}
        while flags & 255 == PAIRS:
            if flags & 512:
                self.value()
            name = self.value().content if flags & 1024 else ""
            members[name] = self.value()
            flags = self.whole()
        if flags & 255 != NIL:
            raise found(f"an object of type {flags & 255}", "the end of a list")
        return members

    def value(self):
        """Reads one object."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise found("objects within objects", f"a depth of at most {MOST_NESTED}")
        flags = self.whole()
        value = self.object_of(flags, flags & 255)
        # The flags of a reference are its number.
        if flags & 512 and flags & 255 in (INTEGER, LOGICAL, REAL, STRINGS, LIST):
            outer, self.within_attributes = self.within_attributes, True
            value.attributes = self.pairs(self.whole())
            self.within_attributes = outer
        self.depth -= 1
        return value

    def object_of(self, flags, kind):
        if kind == NIL:
            return Value(None, {})
        if kind == SYMBOL:
            self.symbols.append(Value(self.text(), {}))
            return self.symbols[-1]
        if kind == REFERENCE:
            number = flags >> 8 or self.whole()
            if not 1 <= number <= len(self.symbols):
                raise found(f"a reference to symbol {number}", f"1 to {len(self.symbols)}")
            return self.symbols[number - 1]
        if kind == PAIRS:
            return Value(self.pairs(flags), {})
        if kind == REAL:
            return Value(self.vector(">f8"), {})
        if kind in (INTEGER, LOGICAL):
            return Value(self.vector(">i4"), {})
        if kind == STRINGS:
            return Value([self.text() for _ in range(self.whole())], {})
        if kind == LIST:
            return Value([self.value() for _ in range(self.whole())], {})
        raise found(f"an object of type {kind}", "vectors, lists, factors and data frames")


def load(path):
    """Returns the saved objects by name."""
    reader = Reader(unpacked(path))
    reader.start()
    objects = reader.value().content
    if not isinstance(objects, dict):
        raise found("a single object", "named objects, as save() writes them")
    return objects


def names_of(value):
    """Returns the names of a vector's or list's members."""
    names = value.attributes.get("names")
    return names.content if names is not None else []


def member(objects, path):
    """Returns the object "Colon", or a member of a list, "Colon$X"."""
    name, _, part = path.partition("$")
    if name not in objects:
        raise found(f"the objects {', '.join(objects)}", name)
    value = objects[name]
    if not part:
        return value
    if part not in names_of(value) or not isinstance(value.content, list):
        raise found(f"{name} with the members {', '.join(names_of(value))}", part)
    return value.content[names_of(value).index(part)]


def column(value):
    """Returns a vector as a list; the words of a factor."""
    levels = value.attributes.get("levels")
    if levels is None:
        return value.content if isinstance(value.content, list) else value.content.tolist()
    if any(not 1 <= code <= len(levels.content) for code in value.content):
        raise found("a class without a name", "factors without gaps")
    return [levels.content[code - 1] for code in value.content]


def matrix(value):
    """Returns a matrix, a data frame or a vector as an array of two dimensions, and the names of
    its columns."""
    numpy = library("numpy", "python3-numpy")
    size = value.attributes.get("dim")
    if size is not None:
        names = value.attributes.get("dimnames")
        of_columns = names.content[1].content if names is not None and len(names.content) == 2 else None
        if len(size.content) != 2 or size.content.prod() != len(value.content):
            raise found(f"{len(value.content)} numbers with the size {size.content.tolist()}", "a matrix")
        return numpy.reshape(value.content, size.content, order="F"), of_columns or []
    if "row.names" in value.attributes:
        columns = [column(one) for one in value.content]
        if len({len(one) for one in columns}) != 1:
            raise found("columns of unequal length", "a data frame")
        return numpy.array(columns, dtype=object).T, names_of(value)
    return numpy.array(column(value), dtype=object).reshape(-1, 1), []
