"""Reads an object of a MATLAB file of version 5 to 7."""

from recipe import found, library, reading


def load(path, name):
    """Returns the object of this name; a name such as 79x79 stands for the only one of that size."""
    scipy_io = library("scipy.io", "python3-scipy")
    with reading("a MATLAB file"):
        objects = scipy_io.loadmat(path)
    objects = {key: value for key, value in objects.items() if not key.startswith("__")}
    if name not in objects:
        objects = {"x".join(map(str, getattr(value, "shape", ()))): value for value in objects.values()} | objects
    if name not in objects:
        raise found(f"the objects {', '.join(objects)}", name)
    return objects[name]
