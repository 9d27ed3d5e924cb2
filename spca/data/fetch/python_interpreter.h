#pragma once

/// Finds the interpreter of recipes and of plotting/.

#include <string>

namespace spca {

/// Returns SPCA_PYTHON, if it is set and not empty in the environment, or else the interpreter that
/// CMake found. A program from a wheel was built without one: then the result is the python3 in the
/// program's own folder, the interpreter of the environment that the wheel was installed into, or
/// else "python3".
std::string python_interpreter();

}  // namespace spca
