#include "harness/experiments/schema.h"

#include <fmt/format.h>

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
                              "Kind of documents: experiment (default) or result.");
  declare.option("-o,--output FILE", options->file, "Write to FILE instead of standard output.");
  return [options] {
    if (options->kind != "experiment" && options->kind != "result") {
      throw InputError(fmt::format("KIND: found \"{}\"{}; accepted: experiment, result",
                                   options->kind,
                                   did_you_mean(options->kind, {"experiment", "result"})));
    }
    const std::string text = options->kind == "result"
                                 ? std::string(embedded_file("result.schema.json"))
                                 : experiment_schema_text();
    options->file.empty() ? write_stdout(text) : write_file_atomically(options->file, text);
    return kExitOk;
  };
}

SPCA_COMMAND("schema", CommandGroup::kProgram,
             "Print the JSON Schema of experiments with all options, or of the output of `spca "
             "solve --json`",
             "  spca schema -o experiments/schema.json\n  spca schema result", declare_schema);

}  // namespace
}  // namespace spca::cli
