#pragma once

/// Conversions between JSON and Python values. The caller must hold the GIL.

#include <pybind11/pybind11.h>

#include "spca/base/types.h"

namespace spca::python {

/// Returns a Python value: an object becomes a dict in the same order, an array a list, null None.
/// A number that was not measured is NaN inside the program and becomes float("nan").
pybind11::object to_python(const Json& value);

/// Returns JSON for None, bool, int, float, str, a list or tuple, a dict whose keys are str, a path
/// (with __fspath__), and a NumPy number or array (with tolist). Throws InputError for anything
/// else, and for an int that does not fit int64. The message begins with `where`.
Json to_json(const pybind11::handle& value, const std::string& where);

}  // namespace spca::python
