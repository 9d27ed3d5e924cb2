#pragma once

/// Finds the interpreter of recipes and of plotting/.

#include <string>

namespace spca {

/// Returns SPCA_PYTHON, if that is set in the environment, or else the interpreter that CMake
/// found. A program from a wheel was built without one: it returns the python3 in its own folder,
/// the interpreter of the environment that the wheel was installed into, or else "python3".
std::string python_interpreter();

}  // namespace spca
