#include "harness/experiments/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "spca/base/error.h"
#include "spca/io/embedded.h"
#include "spca/io/file_descriptor.h"

namespace spca::cli {
namespace {

std::function<int()> declare_schema(Declarations& declare, const GlobalOptions&) {
  struct Options {
    std::string kind = "experiment";
    std::string file;
  };
  const auto options = std::make_shared<Options>();
  declare.optional_positional("KIND", options->kind,
                              "Kind of document: experiment (default), result or instances.");
  declare.option("-o,--output FILE", options->file, "Write to FILE instead of standard output.");
  return [options] {
    const std::vector<std::string> kinds = {"experiment", "result", "instances"};
    if (std::find(kinds.begin(), kinds.end(), options->kind) == kinds.end()) {
      throw InputError(fmt::format("KIND: found \"{}\"{}; accepted: {}", options->kind,
                                   did_you_mean(options->kind, kinds), join(kinds)));
    }
    const std::string text = options->kind == kinds.front()
                                 ? experiment_schema_text()
                                 : std::string(embedded_file(options->kind + ".schema.json"));
    options->file.empty() ? write_stdout(text) : write_file_atomically(options->file, text);
    return kExitOk;
  };
}

SPCA_COMMAND("schema", CommandGroup::kProgram,
             "Print the JSON Schema of experiments with all options, of the output of `spca solve "
             "--json`, or of the library of instances",
             "  spca schema -o experiments/schema.json\n  spca schema result\n"
             "  spca schema instances",
             declare_schema);

}  // namespace
}  // namespace spca::cli
