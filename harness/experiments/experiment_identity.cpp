/// What a cell is, as JSON; its key and its seeds.

#include <fmt/format.h>

#include <map>

#include "harness/experiments/experiment.h"
#include "spca/algebra/deflation.h"
#include "spca/base/sha256.h"
#include "spca/io/revision.h"

namespace spca {

struct VariantIdentity {
  Json json;         // variant_identity with null for what the run decides
  std::string data;  // what the draw of the data depends on, as canonical JSON
  std::string solve;
};

const std::string& program_digest() {
  static const std::string digest = [] {
    try {
      return sha256_of_file("/proc/self/exe");
    } catch (const InputError&) {
      return std::string();
    }
  }();
  return digest;
}

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

/// The digest of a plugin's file. The source of one that is no part of this project's folders is
/// not known: then any change of the program counts as a change of it.
const std::string& digest_of(const std::string& file) {
  if (const std::string* digest = added_source_digest(file)) {
    return *digest;
  }
  for (const auto& [name, digest] : source_digests()) {
    if (file == name || file.ends_with("/" + name)) {
      return digest;
    }
  }
  return program_digest();
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
               {"dataset", dataset},
               {"dataset_source", digest_of(variant.dataset->file)},
               {"memory_limit", nullptr},
               {"metrics", variant.metrics},
               {"penalty", penalty},
               {"solve", solve},
               {"solver_source", digest_of(variant.solver->file)},
               {"time_limit", nullptr}};
  // Not part of `solve`: a trace changes no draw.
  if (variant.trace) {
    json["trace"] = true;
  }
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

Json variant_identity(const Experiment& experiment, const Variant& variant,
                      const std::string& data_checksum) {
  const auto identity = variant.identity ? variant.identity : identify(variant);
  Json json = identity->json;
  json["data_checksum"] = data_checksum;
  json["memory_limit"] = experiment.memory_limit;
  json["time_limit"] = experiment.time_limit;
  return json;
}

std::string identity_digest(const Json& identity) {
  return sha256(identity.dump()).substr(0, kIdentityDigits);
}

std::string cell_key(std::string_view identity_digest, std::uint64_t seed, Index repeat) {
  std::string key = sha256(fmt::format("{} {} {}", identity_digest, seed, repeat));
  return key.replace(kIdentityDigits, std::string::npos, identity_digest);
}

std::string_view identity_of_key(std::string_view key) { return key.substr(kIdentityDigits); }

}  // namespace spca
