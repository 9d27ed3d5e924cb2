#include "harness/runs/missing_data.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment_identity.h"
#include "harness/records/run_seal.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"

namespace spca {
namespace {

/// Returns the part of an identity that does not depend on the files of the data set.
std::string text_without_data(Json identity) {
  identity.erase("data_checksum");
  identity.erase("dataset_parts");
  return json_line(identity);
}

/// Returns the digests of the folder's last run, by text_without_data. Only those whose data had a
/// checksum.
std::map<std::string, std::string> digests_by_question(
    const std::filesystem::path& directory, const std::map<std::string, Json>& identities) {
  std::map<std::string, std::string> digests;
  try {
    const Json manifest = read_manifest(directory, Damage::kTolerated);
    for (const Json& digest : manifest.value("identities", Json::array())) {
      const auto identity = identities.find(digest.is_string() ? digest.get<std::string>() : "");
      if (identity != identities.end() && identity->second.value("data_checksum", "") != "") {
        digests[text_without_data(identity->second)] = identity->first;
      }
    }
  } catch (const InputError&) {
    // No run has begun in this folder.
  }
  return digests;
}

bool can_read_data(const RunContext& context, const Variant& variant) {
  const DataFiles files =
      data_files(*variant.dataset, variant.dataset_options,
                 {.data_dir = context.data_dir, .base_dir = context.experiment.folder});
  return !files.formats.empty();
}

}  // namespace

void keep_answers_without_data(const RunRequest& request, RunContext& context) {
  if (request.force) {
    return;
  }
  const std::map<std::string, Json> identities = read_identities(request.directory);
  const std::map<std::string, std::string> digests =
      digests_by_question(request.directory, identities);
  std::set<std::string> kept;
  for (std::size_t i = 0; i < context.digests.size(); ++i) {
    const auto digest = digests.find(text_without_data(context.identities[i]));
    const Variant& variant = context.experiment.variants[i];
    if (digest == digests.end() || digest->second == context.digests[i] ||
        can_read_data(context, variant)) {
      continue;
    }
    context.digests[i] = digest->second;
    context.identities[i] = identities.at(digest->second);
    kept.insert(variant.dataset_label);
  }
  for (const std::string& dataset : kept) {
    say("spca: {}: the data of {} cannot be read now; its finished cells are kept (--force solves "
        "them again)",
        request.directory.string(), dataset);
  }
}

}  // namespace spca
