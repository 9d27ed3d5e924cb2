#pragma once

/// Conversions between JSON and Python values. The caller must hold the GIL.

#include <pybind11/pybind11.h>

#include "spca/base/types.h"

namespace spca::python {

/// Returns a Python value: an object becomes a dict in the same order, an array a list, null None.
/// A number that was not measured is NaN inside the program and becomes float("nan").
pybind11::object to_python(const Json& value);

/// Returns JSON for None, bool, int, float, str, list or tuple, dict with strings as keys, paths,
/// and NumPy's numbers and arrays. Throws InputError for anything else; the message begins with
/// `where`.
Json to_json(const pybind11::handle& value, const std::string& where);

}  // namespace spca::python
