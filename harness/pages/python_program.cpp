#include "harness/pages/python_program.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "spca/base/error.h"
#include "spca/data/fetch/python_interpreter.h"
#include "spca/io/captured_program.h"
#include "spca/io/resources.h"

namespace spca {
namespace {

std::filesystem::path find_script(const std::string& script) {
  const std::vector<std::filesystem::path> folders = resource_folders("plotting", FromHere::kNo);
  for (const std::filesystem::path& folder : folders) {
    if (std::filesystem::exists(folder / script)) {
      return folder / script;
    }
  }
  throw InputError(
      fmt::format("{}: not found; SPCA_PLOTTING names the folder plotting/ of the sources",
                  (folders.front() / script).string()));
}

}  // namespace

PythonOutput run_python(const std::string& script, const std::vector<std::string>& arguments,
                        std::string_view input) {
  const std::string interpreter = python_interpreter();
  const std::filesystem::path file = find_script(script);
  // -B: Python writes no byte code beside the sources.
  std::vector<std::string> words = {interpreter, "-B", file.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  try {
    CapturedOutput output = capture_program(words, input, ProgramErrors::kOurs, ProgramFate::kOurs);
    return {.exit_code = output.exit_code, .text = std::move(output.text)};
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}; SPCA_PYTHON names a Python 3 with matplotlib and jinja2", error.what()));
  }
}

}  // namespace spca
