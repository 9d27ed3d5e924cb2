#pragma once

/// JSON and Python's own values, each turned into the other. Call with the GIL.

#include <pybind11/pybind11.h>

#include "spca/base/types.h"

namespace spca::python {

/// Objects become dict, in their order; arrays list; null None. A number that was not measured is
/// NaN inside the program, and stays so: float("nan").
pybind11::object to_python(const Json& value);

/// None, bool, int, float, str, list or tuple, and dict with names. Throws InputError for anything
/// else; `where` opens the message.
Json to_json(const pybind11::handle& value, const std::string& where);

}  // namespace spca::python
