#include "spca/data/fetch/recipe.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "spca/base/error.h"
#include "spca/data/fetch/python_interpreter.h"
#include "spca/io/embedded.h"
#include "spca/io/external_program.h"
#include "spca/io/file_descriptor.h"
#include "spca/io/progress.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kRecipeMemory = std::uint64_t{1} << 32;
/// Number of bytes that a recipe may write beyond twice the length of its file. The limit ends a
/// wrong recipe; an output that is a little too long stays below it and is reported with its
/// length.
constexpr std::uint64_t kSpareBytes = 1 << 20;
constexpr std::string_view kFolderOfRecipes = "recipes/";

fs::path folder_of_recipes() {
  const char* folder = std::getenv("SPCA_RECIPES");
  return folder != nullptr ? folder : "";
}

/// Writes the recipes of this program to a folder.
void write_recipes(const fs::path& folder) {
  make_directory(folder);
  for (const std::string_view name : embedded_names()) {
    if (name.starts_with(kFolderOfRecipes)) {
      write_file_atomically(folder / name.substr(kFolderOfRecipes.size()), embedded_file(name));
    }
  }
}

fs::path output_in(const fs::path& folder, const SourceFile& file) {
  return folder / fs::path(file.file.name).filename();
}

ProgramCall recipe_call(const SourceFile& file, const fs::path& data_dir, const fs::path& folder) {
  const std::string interpreter = python_interpreter();
  const std::optional<fs::path> python = find_program(interpreter);
  if (!python) {
    throw RecipeError(fmt::format(
        "needs {}, Debian's package python3; SPCA_PYTHON names another interpreter", interpreter));
  }
  fs::path recipes = folder_of_recipes();
  if (recipes.empty()) {
    recipes = folder / "recipes";
    write_recipes(recipes);
  }
  const fs::path program = fs::absolute(recipes / (file.recipe[0] + ".py"));
  if (!fs::exists(program)) {
    throw RecipeError(fmt::format("there is no such recipe in {}", recipes.string()));
  }
  ProgramCall call;
  call.command = {python->string(), "-B", program.string()};
  // The output is the last argument, so that no option in a sources file from elsewhere can name
  // another one.
  call.command.insert(call.command.end(), file.recipe.begin() + 1, file.recipe.end());
  call.command.emplace_back("--");
  for (const Original& original : file.originals) {
    call.command.push_back(fs::absolute(data_dir / original.file.name).string());
  }
  call.command.push_back(output_in(folder, file).string());
  call.largest_file = 2 * file.file.bytes + kSpareBytes;
  call.memory_limit = kRecipeMemory;
  call.without_network = true;
  return call;
}

std::string content_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw RecipeError("it ended without an output");
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

std::string run_recipe(const SourceFile& file, const fs::path& data_dir, long seconds) {
  try {
    ExternalProgram program(
        [&](const fs::path& folder) { return recipe_call(file, data_dir, folder); });
    program.start();
    const double end_of_time = monotonic_seconds() + static_cast<double>(seconds);
    std::optional<ProgramEnd> end;
    while (!(end = program.wait_a_little())) {
      if (monotonic_seconds() > end_of_time) {
        throw RecipeError(fmt::format("it ran for {} s and was stopped", seconds));
      }
    }
    if (end->state != 0) {
      throw RecipeError(end->last_line.empty() ? describe_program_end(end->state) : end->last_line);
    }
    return content_of(output_in(program.folder(), file));
  } catch (const RecipeError& error) {
    throw RecipeError(fmt::format("recipe {}: {}", file.recipe[0], error.what()));
  }
}

}  // namespace spca
