#include <fmt/format.h>

#include <memory>

#include "harness/cli/data_arguments.h"
#include "harness/cli/output.h"
#include "spca/base/error.h"
#include "spca/base/standard_error.h"
#include "spca/data/files/write_spca.h"
#include "spca/data/readers/read_spca.h"

namespace spca::cli {
namespace {

struct ConvertOptions {
  std::string in, out;
  DataArguments table;
  bool check = false;
};

void convert(const ConvertOptions& options) {
  DataArguments table = options.table;
  table.data = options.in;
  const FileRequest request = table_reading(table);
  try {
    for (const std::string& note : convert_to_spca(request, options.out)) {
      say("spca: {}", in_words_of_the_command_line(note));
    }
  } catch (const InputError& error) {
    throw InputError(in_words_of_the_command_line(error.what()));
  }
}

int run_convert(const ConvertOptions& options) {
  if (options.check) {
    if (!options.out.empty()) {
      throw InputError("OUT: not with --check, which writes nothing; accepted: one file");
    }
    check_spca(input_path(options.in));
    write_stdout(options.in + ": ok\n");
    return kExitOk;
  }
  if (!options.out.ends_with(".spca")) {
    throw InputError(
        fmt::format("OUT: found \"{}\"; accepted: a name that ends in .spca", options.out));
  }
  convert(options);
  write_stdout(options.out + "\n");
  return kExitOk;
}

std::function<int()> declare_convert(Declarations& declare, const GlobalOptions&) {
  const auto options = std::make_shared<ConvertOptions>();
  declare.positional("IN", options->in,
                     "File that --data of `spca solve` accepts, or - for standard input.");
  declare.optional_positional(
      "OUT", options->out,
      "Name of the new file, which ends in .spca. An existing file is replaced.");
  declare_table_arguments(declare, options->table);
  declare.flag("--check", options->check,
               "Read IN, a .spca file, completely and compare it with its checksums.");
  return [options] { return run_convert(*options); };
}

SPCA_COMMAND("convert", CommandGroup::kYourData,
             "Convert data to a file that is mapped, not read, for data larger than memory",
             "  spca convert docword.pubmed.txt.gz pubmed.spca\n"
             "  spca solve --data pubmed.spca --solver tpower --cardinality 10\n"
             "  spca convert cells.h5ad:layers/counts cells.spca\n"
             "  spca convert people.bed people.spca\n"
             "  spca convert --missing mean --decimal comma measurements.csv measurements.spca\n"
             "  spca convert --transpose --drop total genes.csv genes.spca\n"
             "  spca convert --check pubmed.spca",
             declare_convert);

}  // namespace
}  // namespace spca::cli
