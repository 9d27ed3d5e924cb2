#include "spca/data/fetch/python_interpreter.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace spca {

std::string python_interpreter() {
  namespace fs = std::filesystem;
  const char* named = std::getenv("SPCA_PYTHON");
  if (named != nullptr && *named != '\0') {
    return named;
  }
  const std::string found = SPCA_PYTHON_EXECUTABLE;
  if (!found.empty()) {
    return found;
  }
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path() / "python3";
  return !error && fs::exists(beside, error) ? beside.string() : "python3";
}

}  // namespace spca
