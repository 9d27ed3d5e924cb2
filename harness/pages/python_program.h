#pragma once

/// Runs the programs in plotting/, which turn data that C++ computed into figures and pages.

#include <string>
#include <string_view>
#include <vector>

namespace spca {

struct PythonOutput {
  int exit_code = 0;  // 2: an error that the user can correct, named in `text` or on stderr
  std::string text;   // standard output of the program
};

/// Runs plotting/`script` without a shell. `input` is its standard input; the script inherits the
/// standard error of this process. The interpreter is that of python_interpreter(). The script is
/// looked for in the folder that SPCA_PLOTTING names, then in the installed folder, then in that of
/// the sources. Throws InputError if the interpreter, the script or the folder that SPCA_PLOTTING
/// names is missing.
PythonOutput run_python(const std::string& script, const std::vector<std::string>& arguments,
                        std::string_view input = {});

}  // namespace spca
