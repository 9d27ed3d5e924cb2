/// What a cell is, as JSON; its key and its seeds.

#include <fmt/format.h>

#include <map>

#include "spca/deflation.h"
#include "spca/experiment.h"
#include "spca/revision.h"
#include "spca/sha256.h"

namespace spca {

struct VariantIdentity {
  Json json;         // cell_identity with null for what differs from cell to cell
  std::string data;  // what the draw of the data depends on, as canonical JSON
  std::string solve;
};

namespace {

/// Objects with their keys in alphabetical order, so that equal content is equal text.
Json sorted(const Json& json) {
  if (json.is_object()) {
    std::map<std::string, Json> members;
    for (const auto& [key, value] : json.items()) {
      members.emplace(key, sorted(value));
    }
    Json result = Json::object();
    for (auto& [key, value] : members) {
      result.emplace(key, std::move(value));
    }
    return result;
  }
  if (json.is_array()) {
    Json result = Json::array();
    for (const Json& element : json) {
      result.push_back(sorted(element));
    }
    return result;
  }
  return json;
}

/// The digest of a plugin's file; "" for one that is no part of this project's folders.
std::string digest_of(const std::string& file) {
  for (const auto& [name, digest] : source_digests()) {
    if (file == name || file.ends_with("/" + name)) {
      return digest;
    }
  }
  return "";
}

Json core_digest() {
  const auto position = source_digests().find("core");
  return position == source_digests().end() ? Json(nullptr) : Json(position->second);
}

}  // namespace

std::shared_ptr<const VariantIdentity> identify(const Variant& variant) {
  const Json dataset =
      sorted({{"name", variant.dataset->name}, {"options", variant.dataset_options}});
  const Json deflation =
      variant.deflation == nullptr ? Json(nullptr) : Json(variant.deflation->name);
  const Json solve = sorted({{"cardinality", variant.cardinality},
                             {"components", variant.components},
                             {"deflation", deflation},
                             {"options", variant.solver_options},
                             {"solver", variant.solver->name},
                             {"tune", variant.tune}});
  const Json penalty = std::isfinite(variant.penalty) ? Json(variant.penalty) : Json(nullptr);
  Json json = {{"core", core_digest()},
               {"data_checksum", nullptr},
               {"data_seed", nullptr},
               {"dataset", dataset},
               {"dataset_source", digest_of(variant.dataset->file)},
               {"memory_limit", nullptr},
               {"metrics", variant.metrics},
               {"penalty", penalty},
               {"repeat", nullptr},
               {"solve", solve},
               {"solver_seed", nullptr},
               {"solver_source", digest_of(variant.solver->file)},
               {"time_limit", nullptr}};
  return std::make_shared<VariantIdentity>(
      VariantIdentity{.json = std::move(json), .data = dataset.dump(), .solve = solve.dump()});
}

namespace {

std::shared_ptr<const VariantIdentity> identity_of(const Experiment& experiment, const Cell& cell) {
  const Variant& variant = experiment.variants.at(cell.variant);
  return variant.identity ? variant.identity : identify(variant);
}

std::uint64_t data_seed(const VariantIdentity& identity, std::uint64_t seed, Index repeat) {
  return hash64(fmt::format("data {} {} {}", seed, repeat, identity.data));
}

std::uint64_t solver_seed(const VariantIdentity& identity, std::uint64_t seed, Index repeat) {
  return hash64(fmt::format("solver {} {} {} {}", seed, repeat, identity.data, identity.solve));
}

}  // namespace

std::uint64_t data_seed(const Experiment& experiment, const Cell& cell) {
  return data_seed(*identity_of(experiment, cell), experiment.seed, cell.repeat);
}

std::uint64_t solver_seed(const Experiment& experiment, const Cell& cell) {
  return solver_seed(*identity_of(experiment, cell), experiment.seed, cell.repeat);
}

Json cell_identity(const Experiment& experiment, const Cell& cell,
                   const std::string& data_checksum) {
  const std::shared_ptr<const VariantIdentity> identity = identity_of(experiment, cell);
  Json json = identity->json;
  json["data_checksum"] = data_checksum;
  // What is read from files or built in is the same for every seed.
  if (experiment.variants[cell.variant].dataset->traits.generated) {
    json["data_seed"] = data_seed(*identity, experiment.seed, cell.repeat);
  }
  json["memory_limit"] = experiment.memory_limit;
  json["repeat"] = cell.repeat;
  json["solver_seed"] = solver_seed(*identity, experiment.seed, cell.repeat);
  json["time_limit"] = experiment.time_limit;
  return json;
}

std::string cell_key(const Json& identity) { return sha256(identity.dump()); }

}  // namespace spca
