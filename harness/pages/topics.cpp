#include "harness/pages/topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/records/record_index.h"
#include "harness/tables/number_text.h"
#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// At most this number of words in a list, so that a list stays readable.
constexpr std::size_t kMostWords = 15;
constexpr std::size_t kMostCardinalities = 4;

Index largest(const Variant& variant) {
  return *std::max_element(variant.cardinality.begin(), variant.cardinality.end());
}

/// Returns at most kMostCardinalities of the variants, spread evenly over those whose words are all
/// shown, or the variant with the smallest cardinality if there are none.
std::vector<const Variant*> chosen(std::vector<const Variant*> variants) {
  std::stable_sort(variants.begin(), variants.end(),
                   [](const Variant* a, const Variant* b) { return largest(*a) < largest(*b); });
  const auto end = std::find_if(variants.begin(), variants.end(), [](const Variant* variant) {
    return largest(*variant) > static_cast<Index>(kMostWords);
  });
  const auto readable = std::max<std::size_t>(1, static_cast<std::size_t>(end - variants.begin()));
  const std::size_t count = std::min(readable, kMostCardinalities);
  std::vector<const Variant*> some;
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(variants[count == 1 ? readable - 1 : i * (readable - 1) / (count - 1)]);
  }
  return some;
}

Json words_of(const Component& component, const std::vector<std::string>& names) {
  std::vector<std::size_t> order(component.support.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto value = [&](std::size_t i) { return component.values[static_cast<Index>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(value(a)) > std::abs(value(b));
  });
  const double sign = !order.empty() && value(order.front()) < 0 ? -1 : 1;
  Json words = Json::array();
  for (std::size_t i = 0; i < std::min(order.size(), kMostWords); ++i) {
    const auto variable = static_cast<std::size_t>(component.support[order[i]]);
    words.push_back(
        {variable < names.size() ? names[variable] : fmt::format("variable {}", variable + 1),
         sign * value(order[i])});
  }
  return {{"more", order.size() - words.size()}, {"words", words}};
}

Json answer_of(const Variant& variant, const Record& record,
               const std::vector<std::string>& names) {
  Json components = Json::array();
  for (const Component& component : record.loadings) {
    components.push_back(words_of(component, names));
  }
  return {{"grid", variant.grid},
          {"solver", variant.solver_label},
          {"deflation", deflation_name(variant)},
          {"k", cardinality_text(variant.cardinality)},
          {"components", components}};
}

/// Groups the variants of one data set that differ in cardinality alone.
std::vector<std::vector<const Variant*>> by_method(const std::vector<const Variant*>& variants) {
  std::vector<std::string> methods;
  std::vector<std::vector<const Variant*>> groups;
  for (const Variant* variant : variants) {
    const std::string method =
        join({variant->grid, variant->solver_label, deflation_name(*variant)}, "\n");
    add_once(methods, method);
    groups.resize(methods.size());
    const auto at = std::find(methods.begin(), methods.end(), method) - methods.begin();
    groups[static_cast<std::size_t>(at)].push_back(variant);
  }
  return groups;
}

}  // namespace

Json topics_of_run(const ReportedRun& run, const std::filesystem::path& data_dir) {
  const RecordIndex index(run.records);
  const auto has_answer = [&](const Variant& variant) {
    const std::vector<const Record*>& records = index.of(variant);
    return !records.empty() && is_usable(records.front()->status) &&
           !records.front()->loadings.empty();
  };
  std::vector<std::string> labels;
  std::map<std::string, std::vector<const Variant*>> datasets;
  for (const Variant& variant : run.experiment.variants) {
    if (!variant.dataset->traits.generated && has_answer(variant)) {
      add_once(labels, variant.dataset_label);
      datasets[variant.dataset_label].push_back(&variant);
    }
  }
  Json topics = Json::array();
  for (const std::string& label : labels) {
    const std::vector<const Variant*>& variants = datasets.at(label);
    Json topic = {{"dataset", label}, {"variants", variants.size()}, {"note", ""}};
    Json answers = Json::array();
    try {
      const DatasetRequest request = {.data_dir = data_dir, .base_dir = run.experiment.folder};
      const Dataset dataset =
          variants.front()->dataset->load(variants.front()->dataset_options, request);
      if (dataset.variable_names.empty()) {
        continue;
      }
      for (const std::vector<const Variant*>& group : by_method(variants)) {
        for (const Variant* variant : chosen(group)) {
          answers.push_back(
              answer_of(*variant, *index.of(*variant).front(), dataset.variable_names));
        }
      }
    } catch (const MissingData& missing) {
      topic["note"] = missing.what();
    }
    topic["answers"] = answers;
    topics.push_back(topic);
  }
  return topics;
}

}  // namespace spca
