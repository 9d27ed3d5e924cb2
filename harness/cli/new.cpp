#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "spca/base/error.h"
#include "spca/data/fetch/python_interpreter.h"
#include "spca/io/embedded.h"
#include "spca/io/external_program.h"
#include "spca/io/file_descriptor.h"
#include "spca/solving/solver.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

/// The kinds of plugins.
constexpr const char* kSolver = "solver";
constexpr const char* kPeer = "peer";

/// Throws InputError unless the name is one that a solver may have and that no solver has. A peer
/// has such a name, too: a benchmark shows it beside the registered solvers.
void check_name(const std::string& kind, const std::string& name) {
  const bool has_letters_only =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  const bool is_name = has_letters_only && !name.empty() && name.front() >= 'a' &&
                       name.back() != '-' && name.find("--") == std::string::npos;
  if (!is_name) {
    throw InputError(
        fmt::format("new {}: found the name \"{}\"; accepted: lower-case letters and digits, "
                    "beginning with a letter, with single dashes between words (spca-l1)",
                    kind, name));
  }
  if (const SolverEntry* taken = SolverRegistry::instance().find(name)) {
    throw InputError(fmt::format("new {}: \"{}\" is taken by {}; accepted: a name beside {}", kind,
                                 name, taken->file, join(SolverRegistry::instance().names())));
  }
}

/// Returns the text with each `mark` replaced.
std::string replaced(std::string_view skeleton, std::string_view mark, const std::string& value) {
  std::string text(skeleton);
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size()) {
    text.replace(at, mark.size(), value);
  }
  return text;
}

/// Returns the text of a skeleton with the name inserted.
std::string filled(std::string_view skeleton, const std::string& name) {
  return replaced(skeleton, "@NAME@", name);
}

bool is_source_tree(const fs::path& folder) {
  return fs::is_regular_file(folder / "spca" / "plugin.h") && fs::is_directory(folder / "solvers");
}

void refuse_existing(const fs::path& path, const std::string& kind) {
  if (fs::exists(path)) {
    throw InputError(
        fmt::format("new {}: {} already exists; accepted: -o another folder", kind, path.string()));
  }
}

/// A file to be written.
struct NewFile {
  fs::path path;
  std::string text;
};

/// Writes the files, and their folder if it is missing. Existing files are never overwritten, and
/// none is written if one of them exists.
void write_new(const std::vector<NewFile>& files, const std::string& kind) {
  for (const NewFile& file : files) {
    refuse_existing(file.path, kind);
  }
  for (const NewFile& file : files) {
    const fs::path folder = file.path.parent_path();
    std::error_code error;
    if (!folder.empty() && !fs::is_directory(folder) && !fs::create_directories(folder, error)) {
      throw InputError(
          fmt::format("new {}: {}: cannot be made: {}", kind, folder.string(), error.message()));
    }
    write_file_atomically(file.path, file.text);
  }
}

std::string new_in_source_tree(const std::string& name) {
  const fs::path file = fs::path("solvers") / (name + ".cpp");
  write_new({{file, filled(embedded_file("solver.cpp.in"), name)}}, kSolver);
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
  write_new({{list, filled(embedded_file("project.cmake.in"), name)},
             {file, filled(embedded_file("solver.cpp.in"), name)}},
            kSolver);
  return fmt::format(
      "{0}\n{1}\n\nNext, with -DCMAKE_PREFIX_PATH=PREFIX where spca is not installed in a place "
      "that "
      "CMake knows:\n"
      "  cmake -S {2} -B {2}/build && cmake --build {2}/build\n"
      "  {2}/build/my-spca solve --dataset pitprops --solver {3} --cardinality 5\n",
      list.string(), file.string(), folder.string(), name);
}

/// A language in which `spca new peer` writes a program.
struct PeerLanguage {
  const char* name;
  const char* ending;      // of the program's file
  const char* program;     // skeleton of the program
  const char* definition;  // skeleton of the peer's file
};
constexpr PeerLanguage kPeerLanguages[] = {
    {"python", ".py", "peer.py.in", "peer-python.json.in"},
    {"r", ".R", "peer.R.in", "peer-r.json.in"},
    {"matlab", ".m", "peer.m.in", "peer-matlab.json.in"},
};

const PeerLanguage& language_named(const std::string& name) {
  std::vector<std::string> accepted;
  for (const PeerLanguage& language : kPeerLanguages) {
    if (language.name == name) {
      return language;
    }
    accepted.emplace_back(language.name);
  }
  throw InputError(fmt::format("--language: found \"{}\"{}; accepted: {}", name,
                               did_you_mean(name, accepted), join(accepted)));
}

/// Returns the words of JSON that start a program of MATLAB's language. MATLAB is chosen only where
/// Octave is missing.
std::string matlab_command() {
  return !find_program("octave") && find_program("matlab")
             ? R"("matlab", "-batch")"
             : R"("octave", "--no-gui", "--quiet", "--no-init-file", "--eval")";
}

/// Returns the interpreter that draws the figures as a word of JSON: the first python3 on the PATH
/// may lack NumPy. Where they are one, the file serves on another machine, too.
std::string python_command() {
  const std::optional<fs::path> python = find_program(python_interpreter());
  const bool is_first = !python || python == find_program("python3");
  return Json(is_first ? "python3" : python->string()).dump();
}

std::string new_peer(const std::string& name, const PeerLanguage& language,
                     const fs::path& folder) {
  // In MATLAB's language a file is named after its function, and a dash would be an operator.
  const bool is_function = std::string_view(language.ending) == ".m";
  const std::string function = replaced(name, "-", "_");
  const std::string file = (is_function ? function : name) + language.ending;
  const auto filled_in = [&](const char* skeleton) {
    std::string text = replaced(embedded_file(skeleton), "@FILE@", file);
    text = replaced(text, "@FUNCTION@", function);
    text = replaced(text, "@PYTHON@", python_command());
    return replaced(text, "@PROGRAM@", matlab_command());
  };
  const fs::path definition = folder / (name + ".json");
  const fs::path program = folder / file;
  write_new({{definition, filled_in(language.definition)}, {program, filled_in(language.program)}},
            kPeer);
  const std::string solver = folder.empty() ? "./" + definition.string() : definition.string();
  return fmt::format(
      "{}\n{}\n\nNext:\n"
      "  spca solve --dataset pitprops --solver {} --cardinality 5\n"
      "  spca benchmark {} tpower\n",
      definition.string(), program.string(), solver, solver);
}

struct NewOptions {
  std::string kind, name, folder, language;
};

int write_plugin(const NewOptions& options) {
  if (options.kind != kSolver && options.kind != kPeer) {
    throw InputError(fmt::format("new: found \"{}\"{}; accepted: {}, {}", options.kind,
                                 did_you_mean(options.kind, {kSolver, kPeer}), kSolver, kPeer));
  }
  check_name(options.kind, options.name);
  const fs::path folder = options.folder;
  if (options.kind == kPeer) {
    write_stdout(new_peer(options.name,
                          language_named(options.language.empty() ? "python" : options.language),
                          folder));
    return kExitOk;
  }
  if (!options.language.empty()) {
    throw InputError("--language: found one for a solver, which is C++; accepted: spca new peer");
  }
  const bool in_tree = folder.empty() && is_source_tree(fs::current_path());
  write_stdout(in_tree
                   ? new_in_source_tree(options.name)
                   : new_project(options.name, folder.empty() ? fs::path(options.name) : folder));
  return kExitOk;
}

std::function<int()> declare_new(Declarations& declare, const GlobalOptions&) {
  const auto options = std::make_shared<NewOptions>();
  declare.positional("KIND", options->kind,
                     "Kind of the plugin: solver (C++), or peer (a program in another language).");
  declare.positional("NAME", options->name,
                     "Name of the plugin, of lower-case letters, digits and dashes.");
  declare.option("--language NAME", options->language,
                 "Language of a peer: python (default), r or matlab (Octave, or MATLAB where "
                 "Octave is missing).");
  declare.option("-o,--output FOLDER", options->folder,
                 "Folder of a separate project (default: solvers/NAME.cpp in the sources of "
                 "spca-bench, and the folder NAME elsewhere); of a peer the folder of its two "
                 "files (default: the working folder).");
  return [options] { return write_plugin(*options); };
}

SPCA_COMMAND("new", CommandGroup::kProgram,
             "Write a solver or a peer that runs, as a start for your own",
             "  spca new solver my-method\n"
             "  spca new solver my-method -o ~/my-spca\n"
             "  spca new peer my-method --language r",
             declare_new);

}  // namespace
}  // namespace spca::cli
