#include "harness/experiments/experiment_identity.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "harness/experiments/experiment.h"
#include "harness/peers/peer.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/covariance/deflation.h"
#include "spca/data/built_in_files.h"
#include "spca/data/data_folder.h"
#include "spca/io/revision.h"
#include "spca/measure/judge.h"
#include "spca/measure/metrics.h"
#include "spca/solving/tuning.h"

namespace spca {

struct VariantIdentity {
  Json json;         // variant_identity, with null for the members that the run determines
  std::string data;  // input of the data's seed, as canonical JSON
  std::string solve;
  std::string metrics;  // metrics_digest
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

/// Returns the JSON with the keys of objects in alphabetical order, so that equal content gives
/// equal text.
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

/// The parts of the sources (spca/io/revision.h) with their digests, ascending.
using Parts = std::map<std::string, std::string>;

/// Returns the part that is a plugin's file, its path below the root, or "" for a file outside this
/// project's folders.
const std::string& part_of(const std::string& file) {
  // Cached, because an experiment asks for each file about a thousand times.
  static std::map<std::string, std::string> known;
  const auto [part, is_new] = known.try_emplace(file);
  if (is_new) {
    for (const auto& [name, digest] : source_digests()) {
      if (file == name || file.ends_with("/" + name)) {
        part->second = name;
      }
    }
  }
  return part->second;
}

/// Returns the digest of a plugin's file. The sources of a plugin outside this project's folders
/// are unknown: any change of the program then counts as a change of the plugin.
const std::string& digest_of(const std::string& file) {
  if (const std::string* digest = added_source_digest(file)) {
    return *digest;
  }
  const auto part = source_digests().find(part_of(file));
  return part == source_digests().end() ? program_digest() : part->second;
}

void add_part(const std::string& name, Parts& parts) {
  // Number of digits that distinguish two versions of a part. Each identity names about ten parts,
  // so that full digests would be long.
  constexpr std::size_t kDigits = 16;
  const auto part = source_digests().find(name);
  if (part != source_digests().end()) {
    parts[name] = part->second.substr(0, kDigits);
  }
}

void add_reach(const std::string& part, Parts& parts) {
  for (const std::string& reached : source_reach(part)) {
    add_part(reached, parts);
  }
}

void add_with_reach(const std::string& part, Parts& parts) {
  add_part(part, parts);
  add_reach(part, parts);
}

constexpr const char* kReaders = "spca/data/readers";

/// Returns the part that reads a format.
std::string reader_part(FileFormat format) {
  const auto named = [](const char* reader) { return fmt::format("{}/{}.cpp", kReaders, reader); };
  switch (format) {
    case FileFormat::kCsv:
      return named("csv");
    case FileFormat::kNpy:
      return named("npy");
    case FileFormat::kMatrixMarket:
      return named("matrix_market");
    case FileFormat::kDocword:
      return named("docword");
    case FileFormat::kScipyNpz:
      return named("scipy_npz");
    case FileFormat::kHdf5:
      return named("hdf5");
    case FileFormat::kPlink:
      return named("plink");
    case FileFormat::kSpca:
      return named("read_spca");
    case FileFormat::kSvmlight:
      return named("svmlight");
    case FileFormat::kGct:
      return named("gct");
  }
  SPCA_CHECK(false, "a format without a reader");
}

constexpr FileFormat kFormats[] = {
    FileFormat::kCsv,      FileFormat::kNpy,  FileFormat::kMatrixMarket, FileFormat::kDocword,
    FileFormat::kScipyNpz, FileFormat::kHdf5, FileFormat::kPlink,        FileFormat::kSpca,
    FileFormat::kSvmlight, FileFormat::kGct};

/// Returns the parts that the code of a data set reaches. The readers among them are those of its
/// files' formats and the code that all readers share.
Parts dataset_parts(const DatasetEntry& dataset, const std::set<FileFormat>& formats) {
  Parts parts;
  add_reach(part_of(dataset.file), parts);
  if (parts.erase(kReaders) > 0) {
    for (const auto& [name, digest] : source_digests()) {
      if (name.starts_with(std::string(kReaders) + "/")) {
        add_part(name, parts);
      }
    }
    for (const FileFormat format : kFormats) {
      if (!formats.contains(format)) {
        parts.erase(reader_part(format));
      }
    }
  }
  return parts;
}

void add_words(const Json& json, std::set<std::string>& words) {
  if (json.is_string()) {
    words.insert(json.get<std::string>());
  } else if (json.is_structured()) {
    for (const Json& element : json) {
      add_words(element, words);
    }
  }
}

void add_solver(const SolverEntry& solver, const Json& options, std::set<std::string>& seen,
                Parts& parts);

/// Adds the solvers that the options of a solver or their defaults name, because the solver may
/// call them (spca/solving/nested_solver.h).
void add_nested_solvers(const SolverEntry& solver, const Json& options, std::set<std::string>& seen,
                        Parts& parts) {
  std::set<std::string> words;
  add_words(options, words);
  for (const Json& option : solver.describe()) {
    if (option.contains("default")) {
      add_words(option["default"], words);
    }
  }
  for (const std::string& word : words) {
    const SolverEntry* nested = SolverRegistry::instance().find(word);
    if (nested != nullptr && seen.insert(word).second) {
      add_solver(*nested, Json::object(), seen, parts);
      parts["solver " + word] = digest_of(nested->file);
    }
  }
}

void add_solver(const SolverEntry& solver, const Json& options, std::set<std::string>& seen,
                Parts& parts) {
  add_reach(part_of(solver.file), parts);
  if (added_source_digest(solver.file) != nullptr) {
    add_with_reach("harness/peers", parts);  // writes the problem and reads the answer
  }
  add_nested_solvers(solver, options, seen, parts);
}

/// The options that change no random draw. An additional start leaves the earlier random starts
/// unchanged, so it makes no answer worse.
constexpr const char* kDrawless[] = {kTruncateOption, "starts"};

/// Returns the part of a variant's solve that its solver's seed depends on, as canonical JSON.
std::string drawn_text(Json solve) {
  for (const char* option : kDrawless) {
    solve["options"].erase(option);
  }
  return json_line(solve);
}

/// Returns the parts that the code of a solver reaches, and the parts that call the solver.
Parts solver_parts(const Variant& variant) {
  Parts parts;
  add_with_reach("spca/solving", parts);
  if (variant.ranks > 0) {
    add_with_reach("spca/ranks", parts);
  }
  std::set<std::string> seen = {variant.solver->name};
  add_solver(*variant.solver, variant.solver_options, seen, parts);
  return parts;
}

/// Returns a digest of everything that determines the metrics of a variant's records.
std::string digest_of_metrics(const std::vector<std::string>& measured,
                              const std::set<std::string>& judged, const Json& penalty) {
  Parts parts;
  add_with_reach("spca/measure", parts);
  for (const std::string& name : judged) {
    if (const MetricEntry* metric = MetricRegistry::instance().find(name)) {
      parts["metric " + name] = digest_of(metric->file);
      add_reach(part_of(metric->file), parts);
    }
  }
  constexpr std::size_t kDigits = 16;
  return sha256(json_line(Json{measured, parts, penalty})).substr(0, kDigits);
}

std::string metrics_digest(const Variant& variant) {
  std::vector<std::string> measured;
  std::set<std::string> judged(variant.solver->traits.laws.begin(),
                               variant.solver->traits.laws.end());
  for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
    if (wants_metric(variant.metrics, name)) {
      measured.push_back(name);
      judged.insert(name);
    }
  }
  const Json penalty = std::isfinite(variant.penalty) ? Json(variant.penalty) : Json(nullptr);
  // Most variants of an experiment share one digest.
  static std::map<std::string, std::string> known;
  const auto [digest, is_new] = known.try_emplace(json_line(Json{measured, judged, penalty}));
  if (is_new) {
    digest->second = digest_of_metrics(measured, judged, penalty);
  }
  return digest->second;
}

/// Names the measurements that are kept with an answer because a metric needs them and only the
/// solve can make them.
Json kept_with_answer(const Variant& variant) {
  Json kept = Json::array();
  if (any_metric(variant.metrics, &MetricTraits::needs_bound)) {
    kept.push_back("upper_bound");
  }
  if (any_metric(variant.metrics, &MetricTraits::needs_peak)) {
    kept.push_back("peak_bytes");
  }
  if (any_metric(variant.metrics, &MetricTraits::needs_instructions)) {
    kept.push_back("instructions");
  }
  return kept;
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
  Json json = {{"data_checksum", nullptr},
               {"dataset", dataset},
               {"dataset_parts", nullptr},
               {"dataset_source", digest_of(variant.dataset->file)},
               {"format", kRecordFormat},
               {"keeps", kept_with_answer(variant)},
               {"memory_limit", nullptr},
               {"solve", solve},
               {"solver_parts", solver_parts(variant)},
               {"solver_source", digest_of(variant.solver->file)},
               {"time_limit", nullptr}};
  // Not part of `solve`: a trace changes no draw.
  if (variant.trace) {
    json["trace"] = true;
  }
  // Ranks change no draw either, but they change the rounding of sums over rows.
  if (variant.ranks > 0) {
    json["ranks"] = variant.ranks;
  }
  return std::make_shared<VariantIdentity>(VariantIdentity{.json = std::move(json),
                                                           .data = json_line(dataset),
                                                           .solve = drawn_text(solve),
                                                           .metrics = metrics_digest(variant)});
}

namespace {

std::shared_ptr<const VariantIdentity> identity_of(const Experiment& experiment, const Cell& cell) {
  const Variant& variant = experiment.variants.at(cell.variant);
  return variant.identity ? variant.identity : identify(variant);
}

std::uint64_t data_seed(const VariantIdentity& identity, std::uint64_t seed, Index repeat) {
  return hash64(fmt::format("data {} {} {}", seed, repeat, identity.data));
}

std::uint64_t solver_seed(std::uint64_t seed, Index repeat, const std::string& data,
                          const std::string& solve) {
  return hash64(fmt::format("solver {} {} {} {}", seed, repeat, data, solve));
}

}  // namespace

std::uint64_t data_seed(const Experiment& experiment, const Cell& cell) {
  return data_seed(*identity_of(experiment, cell), experiment.seed, cell.repeat);
}

std::uint64_t solver_seed(const Experiment& experiment, const Cell& cell) {
  const auto identity = identity_of(experiment, cell);
  return solver_seed(experiment.seed, cell.repeat, identity->data, identity->solve);
}

std::uint64_t solver_seed(const Json& identity, std::uint64_t seed, Index repeat) {
  return solver_seed(seed, repeat, json_line(sorted(identity.at("dataset"))),
                     drawn_text(sorted(identity.at("solve"))));
}

DataFiles data_files(const DatasetEntry& dataset, const std::filesystem::path& data_dir) {
  return data_files(dataset, Json::object(), {.data_dir = data_dir});
}

DataFiles data_files(const DatasetEntry& dataset, const Json& options,
                     const DatasetRequest& request) {
  DataFiles files;
  std::string digests;
  const auto add = [&](const auto& find) {
    try {
      const std::filesystem::path path = find();
      const std::optional<std::string_view> built_in = built_in_content(path);
      digests += (built_in ? sha256(*built_in) : sha256_of_file(path)) + "\n";
      // The vocabulary lies beside a bag of words, and the same reader reads both.
      const bool is_words = path.filename().string().starts_with("vocab.");
      files.formats.insert(is_words ? FileFormat::kDocword : format_of(path));
    } catch (const MissingData&) {
      digests += "missing\n";
    } catch (const InputError&) {
      // The file cannot be read, or no reader accepts it. Loading the data set reports that.
    }
  };
  for (const std::string& file : dataset.traits.files) {
    add([&] { return find_data_file(request.data_dir, file); });
  }
  for (const std::string& option : dataset.traits.path_options) {
    const std::string path = options.value(option, "");
    if (!path.empty()) {
      for (const std::filesystem::path& file : files_of(request.base_dir / path)) {
        add([&] { return file; });
      }
    }
  }
  files.checksum = digests.empty() ? "" : sha256(digests);
  return files;
}

Json variant_identity(const Experiment& experiment, const Variant& variant,
                      const DataFiles& files) {
  const auto identity = variant.identity ? variant.identity : identify(variant);
  Json json = identity->json;
  json["data_checksum"] = files.checksum;
  json["dataset_parts"] = dataset_parts(*variant.dataset, files.formats);
  json["memory_limit"] = experiment.memory_limit;
  json["time_limit"] = experiment.time_limit_of(variant);
  return json;
}

std::string metrics_source(const Variant& variant) {
  return (variant.identity ? variant.identity : identify(variant))->metrics;
}

namespace {

/// Returns the four members of an identity that hold digests of sources, or null if one is missing.
Json sources_of(const Json& identity) {
  Json sources = Json::object();
  for (const char* member : {"solver_source", "dataset_source", "solver_parts", "dataset_parts"}) {
    if (!identity.is_object() || !identity.contains(member)) {
      return nullptr;
    }
    sources[member] = identity[member];
  }
  return sources;
}

bool is_known_source(const Json& digest) {
  static const std::set<std::string> known = [] {
    std::set<std::string> digests = {program_digest()};
    for (const auto& [part, of_part] : source_digests()) {
      digests.insert(of_part);
    }
    return digests;
  }();
  return digest.is_string() && known.contains(digest.get<std::string>());
}

}  // namespace

bool matches_current_sources(const Json& identity) {
  const Json sources = sources_of(identity);
  if (sources.is_null() || !is_known_source(sources["dataset_source"])) {
    return false;
  }
  const bool is_of_peer = is_peer_name(identity.value("/solve/solver"_json_pointer, ""));
  if (!is_of_peer && !is_known_source(sources["solver_source"])) {
    return false;
  }
  for (const char* member : {"solver_parts", "dataset_parts"}) {
    for (const auto& [part, digest] : sources[member].items()) {
      const auto here = source_digests().find(part);
      const bool is_nested_solver = here == source_digests().end();
      if (is_nested_solver ? !is_known_source(digest)
                           : !here->second.starts_with(digest.get<std::string>())) {
        return false;
      }
    }
  }
  return true;
}

std::string identity_digest(const Json& identity) {
  return sha256(json_line(identity)).substr(0, kIdentityDigits);
}

std::string cell_key(std::string_view identity_digest, std::uint64_t seed, Index repeat) {
  std::string key = sha256(fmt::format("{} {} {}", identity_digest, seed, repeat));
  return key.replace(kIdentityDigits, std::string::npos, identity_digest);
}

std::string_view identity_of_key(std::string_view key) { return key.substr(kIdentityDigits); }

}  // namespace spca
