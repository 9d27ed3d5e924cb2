#include <fmt/format.h>

#include <memory>

#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "spca/base/error.h"
#include "spca/data/readers/spca_file.h"

namespace spca::cli {
namespace {

struct ConvertOptions {
  std::string in, out;
  bool check = false;
};

int run_convert(const ConvertOptions& options) {
  if (options.check) {
    if (!options.out.empty()) {
      throw InputError("OUT: not with --check, which writes nothing; accepted: one file");
    }
    check_spca(options.in);
    write_stdout(options.in + ": ok\n");
    return kExitOk;
  }
  if (!options.out.ends_with(".spca")) {
    throw InputError(
        fmt::format("OUT: found \"{}\"; accepted: a name that ends in .spca", options.out));
  }
  convert_to_spca(options.in, options.out);
  write_stdout(options.out + "\n");
  return kExitOk;
}

std::function<int()> declare_convert(Declarations& declare, const GlobalOptions&) {
  const auto options = std::make_shared<ConvertOptions>();
  declare.positional("IN", options->in, "a file that --data takes");
  declare.optional_positional("OUT", options->out,
                              "a name that ends in .spca; a file of that name is replaced");
  declare.flag("--check", options->check,
               "read IN, a .spca file, as a whole and compare it with its checksums");
  return [options] { return run_convert(*options); };
}

SPCA_COMMAND("convert", "A file that is mapped and not read, for data larger than memory",
             "  spca convert docword.pubmed.txt.gz pubmed.spca\n"
             "  spca solve --data pubmed.spca --solver tpower --cardinality 10\n"
             "  spca convert cells.h5ad:layers/counts cells.spca\n"
             "  spca convert people.bed people.spca\n"
             "  spca convert --check pubmed.spca",
             declare_convert);

}  // namespace
}  // namespace spca::cli
