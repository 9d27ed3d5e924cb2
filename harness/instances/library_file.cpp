#include "harness/instances/library_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <tuple>

#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/data/dataset.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

constexpr double kLeast = std::numeric_limits<double>::lowest();

std::uint64_t read_draw(const JsonNode& node) {
  const std::string word = node.word();
  std::uint64_t draw = 0;
  for (const char digit : word) {
    const bool is_digit = digit >= '0' && digit <= '9';
    const auto next = static_cast<std::uint64_t>(digit - '0');
    if (!is_digit || draw > (std::numeric_limits<std::uint64_t>::max() - next) / 10) {
      node.fail("a whole number from 0 to 2^64 - 1, as text");
    }
    draw = 10 * draw + next;
  }
  return draw;
}

Json read_options(const JsonNode& node) {
  if (!node.json().is_object()) {
    node.fail("an object");
  }
  return node.json();
}

/// Returns the options, with the defaults of those that the data set gained after the file was
/// written. If this program lacks the data set, the options are kept as they are.
Json complete(const std::string& dataset, const JsonNode& node) {
  const DatasetEntry* entry = DatasetRegistry::instance().find(dataset);
  const Json given = read_options(node);
  return entry == nullptr ? given : node.source().located(node.pointer(), [&] {
    return entry->complete_options(given, node.pointer());
  });
}

InstanceData read_data(const std::string& label, const JsonNode& node) {
  node.accept_keys({"dataset", "options", "draw", "checksum", "n", "p", "trace", "fingerprint"});
  InstanceData data;
  data.label = label;
  data.dataset = node.at("dataset").word();
  data.options = complete(data.dataset, node.at("options"));
  if (const JsonNode draw = node.at("draw"); !draw.json().is_null()) {
    data.draw = read_draw(draw);
  }
  const JsonNode checksum = node.at("checksum");
  data.checksum = checksum.json() == "" ? "" : checksum.word();
  data.n = node.at("n").whole(0);
  data.p = node.at("p").whole(1);
  data.trace = node.at("trace").number(0, true);
  if (const auto fingerprint = node.find("fingerprint")) {
    data.fingerprint = fingerprint->number(0);
  }
  return data;
}

std::string word_or_empty(const JsonNode& node) { return node.json() == "" ? "" : node.word(); }

Json options_or_null(const JsonNode& node) {
  return node.json().is_null() ? Json(nullptr) : read_options(node);
}

BestAnswer read_best(const InstanceClass& of, const JsonNode& node, const Instance& instance,
                     Index p) {
  node.accept_keys({"value", "supports", "loadings", "found_by"});
  BestAnswer best;
  best.value = node.at("value").number(kLeast);
  const JsonNode supports = node.at("supports");
  for (const JsonNode& support : supports.elements()) {
    best.supports.push_back(read_support(support, p));
  }
  const InstanceSize size = {.p = p, .r = instance.r, .k = instance.k};
  if (const std::string wrong = find_wrong_supports(of, best.supports, size); !wrong.empty()) {
    node.source().fail(
        supports.pointer(),
        fmt::format("found {}; accepted: {} of at most k = {} "
                    "variables",
                    wrong,
                    of.has_common_support ? "one support" : fmt::format("{} supports", instance.r),
                    instance.k));
  }
  const auto loadings = node.find("loadings");
  if (of.needs_loadings() != loadings.has_value()) {
    node.fail(of.needs_loadings() ? "loadings, which do not follow from the supports"
                                  : "no loadings, because they follow from the supports");
  }
  if (loadings) {
    for (const JsonNode& one : loadings->elements()) {
      best.loadings.push_back(read_loadings(one, p));
    }
  }
  const JsonNode found_by = node.at("found_by");
  found_by.accept_keys({"solver", "version", "options"});
  best.found_by = {.solver = found_by.at("solver").word(),
                   .version = word_or_empty(found_by.at("version")),
                   .options = options_or_null(found_by.at("options"))};
  return best;
}

ProvedBound read_bound(const JsonNode& node) {
  if (node.json().is_null()) {
    return {};
  }
  node.accept_keys(
      {"value", "by", "version", "options", "seconds", "limit", "certificate", "machine"});
  return {.value = node.at("value").number(kLeast),
          .by = node.at("by").word(),
          .version = word_or_empty(node.at("version")),
          .options = options_or_null(node.at("options")),
          .seconds = node.at("seconds").number(0),
          .limit = node.at("limit").number(0, true),
          .certificate = node.at("certificate").choice({"checked", "recomputed"}),
          .machine = word_or_empty(node.at("machine"))};
}

Instance read_instance(const JsonNode& node, const LibraryFile& file) {
  node.accept_keys({"id", "data", "r", "k", "best", "bound", "status", "gap"});
  Instance instance;
  instance.instance_class = file.of->name;
  instance.data = node.at("data").word();
  const InstanceData* data = file.find_data(instance.data);
  if (data == nullptr) {
    node.at("data").fail("a label of \"data\"");
  }
  instance.r = node.at("r").whole(1);
  instance.k = node.at("k").whole(1);
  if (instance.k > data->p) {
    node.at("k").fail(fmt::format("at most p = {}", data->p));
  }
  instance.id = node.at("id").word();
  if (const std::string id = instance_id(*file.of, instance.data, instance.r, instance.k);
      instance.id != id) {
    node.at("id").fail(fmt::format("\"{}\"", id));
  }
  instance.best = read_best(*file.of, node.at("best"), instance, data->p);
  instance.bound = read_bound(node.at("bound"));
  instance.stated_status = node.at("status").choice({"proved", "open"});
  if (const JsonNode gap = node.at("gap"); !gap.json().is_null()) {
    instance.stated_gap = gap.number(0);
  }
  return instance;
}

const InstanceClass& read_class(const JsonNode& node) {
  const InstanceClass* of = InstanceClasses::instance().find(node.word());
  if (of == nullptr) {
    node.fail(join(InstanceClasses::instance().names()));
  }
  return *of;
}

/// Reads the document of a class.
LibraryFile read_library(const std::shared_ptr<const JsonText>& text) {
  const JsonSource source(text);
  const JsonNode document(source, text->json(), "");
  document.accept_keys({"schema", "class", "edition", "data", "instances"});
  if (const JsonNode version = document.at("schema"); version.whole(1) != kInstancesVersion) {
    version.fail(fmt::format("version {}", kInstancesVersion));
  }
  LibraryFile file;
  file.of = &read_class(document.at("class"));
  file.edition = document.at("edition").word();
  for (const auto& [label, node] : document.at("data").members()) {
    file.data.push_back(read_data(label, node));
  }
  std::set<std::string> ids;
  for (const JsonNode& node : document.at("instances").elements()) {
    file.instances.push_back(read_instance(node, file));
    if (!ids.insert(file.instances.back().id).second) {
      node.at("id").fail("each id once");
    }
  }
  return file;
}

/// Removes the data of other data sets and the instances on them. Returns false, and leaves the
/// document in an unspecified state, if a part that is read here is not as the schema says.
bool keep_data_set(Json& document, const std::string& dataset) {
  if (!document.is_object() || !document.contains("data") || !document["data"].is_object() ||
      !document.contains("instances") || !document["instances"].is_array()) {
    return false;
  }
  Json data = Json::object();
  for (const auto& [label, one] : document["data"].items()) {
    if (!one.is_object() || !one.contains("dataset")) {
      return false;
    }
    if (one["dataset"] == dataset) {
      data[label] = one;
    }
  }
  Json instances = Json::array();
  for (Json& one : document["instances"]) {
    if (!one.is_object() || !one.contains("data") || !one["data"].is_string()) {
      return false;
    }
    if (data.contains(one["data"].get<std::string>())) {
      instances.push_back(std::move(one));
    }
  }
  document["data"] = std::move(data);
  document["instances"] = std::move(instances);
  return true;
}

Json found_by_json(const FoundBy& found_by) {
  return {
      {"solver", found_by.solver}, {"version", found_by.version}, {"options", found_by.options}};
}

Json best_json(const InstanceClass& of, const BestAnswer& best) {
  Json json = {{"value", best.value}, {"supports", best.supports}};
  if (of.needs_loadings()) {
    Json& loadings = json["loadings"] = Json::array();
    for (const Component& one : best.loadings) {
      loadings.push_back({{"indices", one.support},
                          {"values", std::vector<double>(one.values.begin(), one.values.end())}});
    }
  }
  json["found_by"] = found_by_json(best.found_by);
  return json;
}

Json bound_json(const ProvedBound& bound) {
  if (!std::isfinite(bound.value)) {
    return nullptr;
  }
  return {{"value", bound.value},
          {"by", bound.by},
          {"version", bound.version},
          {"options", bound.options},
          {"seconds", bound.seconds},
          {"limit", bound.limit},
          {"certificate", bound.certificate},
          {"machine", bound.machine}};
}

}  // namespace

const InstanceData* LibraryFile::find_data(const std::string& label) const {
  const auto found = std::find_if(data.begin(), data.end(),
                                  [&](const InstanceData& one) { return one.label == label; });
  return found == data.end() ? nullptr : &*found;
}

const InstanceData& LibraryFile::data_of(const Instance& instance) const {
  const InstanceData* found = find_data(instance.data);
  SPCA_CHECK(found != nullptr, "an instance without data: " + instance.id);
  return *found;
}

Support read_support(const JsonNode& node, Index p) {
  Support support;
  for (const JsonNode& one : node.elements()) {
    const Index index = one.whole(0);
    if (index >= p || (!support.empty() && index <= support.back())) {
      one.fail(fmt::format("indices of variables that ascend within 0 ... {}", p - 1));
    }
    support.push_back(index);
  }
  return support;
}

Component read_loadings(const JsonNode& node, Index p) {
  node.accept_keys({"indices", "values"});
  Component component;
  component.support = read_support(node.at("indices"), p);
  std::vector<double> values;
  for (const JsonNode& one : node.at("values").elements()) {
    values.push_back(one.number(kLeast));
  }
  if (values.size() != component.support.size()) {
    node.at("values").fail(fmt::format("{} numbers, one for each index", component.support.size()));
  }
  component.values = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  return component;
}

LibraryFile read_library_file(const std::filesystem::path& path) {
  return read_library(std::make_shared<const JsonText>(read_json_file(path)));
}

LibraryFile read_library_part(const std::filesystem::path& path, const std::string& text,
                              const std::string& dataset) {
  Json json = parse_json(text);
  if (!keep_data_set(json, dataset)) {
    return read_library_file(path);
  }
  if (json["instances"].empty()) {
    return {};
  }
  try {
    return read_library(std::make_shared<const JsonText>(json_line(json), path.string()));
  } catch (const InputError&) {
    return read_library_file(path);  // its message has the place in the whole file
  }
}

Json instance_json(const InstanceClass& of, const Instance& instance) {
  const Direction direction = of.direction();
  return {
      {"id", instance.id},
      {"data", instance.data},
      {"r", instance.r},
      {"k", instance.k},
      {"best", best_json(of, instance.best)},
      {"bound", bound_json(instance.bound)},
      {"status", instance_status(direction, instance)},
      {"gap", number_to_json(instance_gap(direction, instance.best.value, instance.bound.value))}};
}

Json data_json(const InstanceData& data) {
  Json json = {{"dataset", data.dataset},
               {"options", data.options},
               {"draw", data.draw ? Json(std::to_string(*data.draw)) : Json(nullptr)},
               {"checksum", data.checksum},
               {"n", data.n},
               {"p", data.p},
               {"trace", data.trace}};
  if (std::isfinite(data.fingerprint)) {
    json["fingerprint"] = data.fingerprint;
  }
  return json;
}

Json library_json(const LibraryFile& file) {
  Json data = Json::object();
  for (const InstanceData& one : file.data) {
    data[one.label] = data_json(one);
  }
  Json instances = Json::array();
  for (const Instance& instance : file.instances) {
    instances.push_back(instance_json(*file.of, instance));
  }
  return {{"schema", kInstancesVersion},
          {"class", file.of->name},
          {"edition", file.edition},
          {"data", data},
          {"instances", instances}};
}

void write_library_file(const std::filesystem::path& path, LibraryFile file) {
  std::sort(file.data.begin(), file.data.end(),
            [](const auto& a, const auto& b) { return a.label < b.label; });
  std::sort(file.instances.begin(), file.instances.end(), [](const auto& a, const auto& b) {
    return std::tie(a.data, a.r, a.k) < std::tie(b.data, b.r, b.k);
  });
  constexpr int kDepth = 3;  // a line for each member of an instance
  write_file_atomically(path, json_lines_to_depth(library_json(file), kDepth));
}

}  // namespace spca
