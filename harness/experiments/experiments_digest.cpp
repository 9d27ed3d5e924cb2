#include "harness/experiments/experiments_digest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/experiments/experiment.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/io/json_file.h"

namespace spca {

std::string experiments_digest(const std::vector<std::string>& names) {
  std::string documents;
  for (const std::string& name : names) {
    documents +=
        fmt::format("{}\n{}\n", name, json_line(read_json_file(find_experiment(name)).json()));
  }
  return sha256(documents);
}

}  // namespace spca
