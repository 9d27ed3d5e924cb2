#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "spca/base/error.h"
#include "spca/io/embedded.h"
#include "spca/io/file_descriptor.h"
#include "spca/solving/solver.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

void check_name(const std::string& name) {
  const bool has_letters_only =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  const bool is_name = has_letters_only && !name.empty() && name.front() >= 'a' &&
                       name.back() != '-' && name.find("--") == std::string::npos;
  if (!is_name) {
    throw InputError(
        fmt::format("new solver: found the name \"{}\"; accepted: lower-case letters and digits, "
                    "beginning with a letter, with single dashes between words (spca-l1)",
                    name));
  }
  if (const SolverEntry* taken = SolverRegistry::instance().find(name)) {
    throw InputError(fmt::format("new solver: \"{}\" is taken by {}; accepted: a name beside {}",
                                 name, taken->file, join(SolverRegistry::instance().names())));
  }
}

/// Returns the text of a skeleton with the name inserted.
std::string filled(std::string_view skeleton, const std::string& name) {
  constexpr std::string_view kMark = "@NAME@";
  std::string text(skeleton);
  for (std::size_t at = 0; (at = text.find(kMark, at)) != std::string::npos;) {
    text.replace(at, kMark.size(), name);
  }
  return text;
}

bool is_source_tree(const fs::path& folder) {
  return fs::is_regular_file(folder / "spca" / "plugin.h") && fs::is_directory(folder / "solvers");
}

/// Writes a new file. It never overwrites an existing one.
void write_new(const fs::path& path, const std::string& text) {
  if (fs::exists(path)) {
    throw InputError(
        fmt::format("new solver: {} already exists; accepted: -o another folder", path.string()));
  }
  write_file_atomically(path, text);
}

std::string new_in_source_tree(const std::string& name) {
  const fs::path file = fs::path("solvers") / (name + ".cpp");
  write_new(file, filled(embedded_file("solver.cpp.in"), name));
  return fmt::format(
      "{}\n\nNext:\n"
      "  cmake --build --preset release\n"
      "  build/release/spca solve --dataset pitprops --solver {} --cardinality 5\n"
      "  ctest --preset release -R conformance\n",
      file.string(), name);
}

std::string new_project(const std::string& name, const fs::path& folder) {
  const fs::path list = folder / "CMakeLists.txt";
  const fs::path file = folder / (name + ".cpp");
  for (const fs::path& path : {list, file}) {
    if (fs::exists(path)) {
      write_new(path, "");  // says so, before the other one is written
    }
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw InputError(
        fmt::format("new solver: {}: cannot be made: {}", folder.string(), error.message()));
  }
  write_new(list, filled(embedded_file("project.cmake.in"), name));
  write_new(file, filled(embedded_file("solver.cpp.in"), name));
  return fmt::format(
      "{0}\n{1}\n\nNext, with -DCMAKE_PREFIX_PATH=PREFIX where spca is not installed in a place "
      "that "
      "CMake knows:\n"
      "  cmake -S {2} -B {2}/build && cmake --build {2}/build\n"
      "  {2}/build/my-spca solve --dataset pitprops --solver {3} --cardinality 5\n",
      list.string(), file.string(), folder.string(), name);
}

std::function<int()> declare_new(Declarations& declare, const GlobalOptions&) {
  struct Options {
    std::string kind;
    std::string name;
    std::string folder;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("KIND", options->kind, "Kind of the plugin; solver is the only one.");
  declare.positional("NAME", options->name,
                     "Name of the plugin, of lower-case letters, digits and dashes.");
  declare.option("-o,--output FOLDER", options->folder,
                 "Folder of a separate project (default: solvers/NAME.cpp in the sources of "
                 "spca-bench, and the folder NAME elsewhere).");
  return [options] {
    if (options->kind != "solver") {
      throw InputError(fmt::format("new: found \"{}\"; accepted: solver", options->kind));
    }
    check_name(options->name);
    const bool in_tree = options->folder.empty() && is_source_tree(fs::current_path());
    write_stdout(in_tree ? new_in_source_tree(options->name)
                         : new_project(options->name, options->folder.empty()
                                                          ? fs::path(options->name)
                                                          : fs::path(options->folder)));
    return kExitOk;
  };
}

SPCA_COMMAND("new", CommandGroup::kProgram,
             "Write a solver that compiles and runs, as a start for your own",
             "  spca new solver my-method\n"
             "  spca new solver my-method -o ~/my-spca",
             declare_new);

}  // namespace
}  // namespace spca::cli
