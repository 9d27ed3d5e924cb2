#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/answers/derived_seed.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/data_arguments.h"
#include "harness/cli/output.h"
#include "spca/base/options_json.h"
#include "spca/data/files/write_docword.h"
#include "spca/data/files/write_spca.h"

namespace spca::cli {
namespace {

/// Writes documents to the file as they are generated.
void write_spca(ZipfCorpus& corpus, const std::string& file) {
  const ZipfCorpusOptions& options = corpus.options();
  const SpcaShape shape = {.n = options.documents,
                           .p = options.words,
                           .entries = options.nonzeros,
                           .is_bag_of_words = true,
                           .variable_names = corpus.vocabulary()};
  spca::write_spca(file, shape, [&corpus, &options](SpcaRows& rows) {
    std::vector<ZipfCorpus::Word> document;
    for (Index d = 0; d < options.documents; ++d) {
      corpus.next(document);
      for (const auto& [word, count] : document) {
        rows.add(word, count);
      }
      rows.end_row();
    }
  });
}

std::function<int()> declare_corpus(Declarations& declare, const GlobalOptions&) {
  struct Options {
    std::string file, seed;
    std::vector<std::string> settings;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("FILE", options->file,
                     "Either docword.NAME.txt or docword.NAME.txt.gz, beside which vocab.NAME.txt "
                     "and topics.NAME.txt are written, or NAME.spca, which contains the words.");
  declare.repeatable("--set OPTION=VALUE", options->settings,
                     "Set an option of the data set zipf-corpus, except weights.");
  declare.option("--seed N", options->seed,
                 "Seed of all random numbers (default 1). The corpus is that of `spca solve "
                 "--dataset zipf-corpus` with the same seed.");
  return [options] {
    Json settings = Json::object();
    for (const std::string& assignment : options->settings) {
      set_option(settings, assignment);
    }
    const std::uint64_t seed = seed_or_one("--seed", options->seed);
    ZipfCorpus corpus(options_from_json<ZipfCorpusOptions>(settings, "--set"),
                      derived_seed(seed, "data"));
    if (options->file.ends_with(".spca")) {
      write_spca(corpus, options->file);
    } else {
      write_docword(corpus, options->file);
    }
    write_stdout(options->file + "\n");
    return kExitOk;
  };
}

SPCA_COMMAND("corpus", CommandGroup::kExperiments,
             "Generate a corpus with planted topics, as docword files or .spca",
             "  spca corpus docword.small.txt.gz\n"
             "  spca corpus docword.large.txt --set documents=300000 --set words=102660 \\\n"
             "      --set nonzeros=69700000",
             declare_corpus);

}  // namespace
}  // namespace spca::cli
