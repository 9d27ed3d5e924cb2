#include "harness/experiments/option_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/base/json_text.h"

namespace spca {
namespace {

/// At most this rounding error is accepted in the number of steps of a range, so that 0.1 to 0.3 by
/// 0.1 includes 0.3.
constexpr double kCountSlack = 1e-9;

struct NumberRange {
  Json from;
  double to = 0;
  Json step;  // step or factor
  bool is_geometric = false;

  bool is_whole() const {
    return from.is_number_integer() && step.is_number_integer() && !is_geometric;
  }
  double steps() const {
    const double first = from.get<double>();
    const double by = step.get<double>();
    return std::floor((is_geometric ? std::log(to / first) / std::log(by) : (to - first) / by) +
                      kCountSlack);
  }
  Json value(Index i) const {
    if (is_whole()) {
      return from.get<Index>() + i * step.get<Index>();
    }
    const double first = from.get<double>();
    const double by = step.get<double>();
    const double exact = is_geometric ? first * std::pow(by, static_cast<double>(i))
                                      : first + by * static_cast<double>(i);
    return parse_json(fmt::format("{:.15g}", exact));
  }
};

NumberRange read_number_range(const JsonNode& node) {
  node.accept_keys({"from", "to", "step", "factor"});
  const JsonNode from = node.at("from");
  const std::optional<JsonNode> step = node.find("step");
  const std::optional<JsonNode> factor = node.find("factor");
  NumberRange range;
  range.is_geometric = factor.has_value();
  if (step && factor) {
    node.fail("one of \"step\" and \"factor\"");
  }
  const double least = -std::numeric_limits<double>::infinity();
  const double first = range.is_geometric ? from.number(0, true) : from.number(least);
  range.from = from.json();
  range.to = node.at("to").number(first);
  range.step = 1;
  if (step) {
    step->number(0, true);
    range.step = step->json();
  } else if (factor) {
    factor->number(1, true);
    range.step = factor->json();
  }
  return range;
}

Index count_of(const NumberRange& range) {
  const double count = range.steps() + 1;
  return count < 9e18 ? static_cast<Index>(count) : kCountless;
}

}  // namespace

Index saturated_product(Index a, Index b) {
  Index product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kCountless : product;
}

Index saturated_sum(Index a, Index b) {
  Index sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kCountless : sum;
}

std::string count_text(Index count) {
  return count == kCountless ? "more than 9e18" : fmt::format("{}", count);
}

namespace {

bool option_matches(const Json& wanted, const Json& value) {
  const auto is_it = [&](const Json& one) {
    return one == value || (value.is_array() && value.size() == 1 && value[0] == one);
  };
  return is_it(wanted) || (wanted.is_array() && std::any_of(wanted.begin(), wanted.end(), is_it));
}

}  // namespace

bool options_match(const Json& wanted, const Json& options) {
  for (const auto& [option, value] : wanted.items()) {
    if (!options.contains(option) || !option_matches(value, options[option])) {
      return false;
    }
  }
  return true;
}

Index range_count(const JsonNode& node) { return count_of(read_number_range(node)); }

std::vector<Json> range_values(const JsonNode& node) {
  const NumberRange range = read_number_range(node);
  std::vector<Json> values;
  for (Index i = 0; i < count_of(range); ++i) {
    values.push_back(range.value(i));
  }
  return values;
}

OptionGrid::OptionGrid(const JsonNode& node, Index accepted_most) {
  node.accept_keys({"product", "zip", "exclude"});
  if (const std::optional<JsonNode> zip = node.find("zip")) {
    read_axes(*zip, true, accepted_most);
    zip_length_ = static_cast<Index>(axes_.front().values.size());
  }
  if (const std::optional<JsonNode> product = node.find("product")) {
    read_axes(*product, false, accepted_most);
  }
  if (axes_.empty()) {
    node.fail("\"product\", \"zip\" or both");
  }
  if (const std::optional<JsonNode> exclude = node.find("exclude")) {
    for (const JsonNode& exclusion : exclude->elements()) {
      exclusion.members();  // an empty exclusion would exclude everything
      exclusions_.push_back({.node = exclusion});
    }
  }
}

void OptionGrid::read_axes(const JsonNode& node, bool is_zipped, Index accepted_most) {
  for (const auto& [option, list] : node.members()) {
    if (std::any_of(axes_.begin(), axes_.end(),
                    [&, name = option](const Axis& axis) { return axis.option == name; })) {
      list.source().fail(list.pointer(),
                         "found in \"zip\" and in \"product\"; accepted: each option in one");
    }
    Axis axis{.option = option,
              .node = list,
              .elements = list.elements(),
              .values = {},
              .is_zipped = is_zipped};
    for (std::size_t i = 0; i < axis.elements.size(); ++i) {
      const JsonNode& element = axis.elements[i];
      const Index count = element.json().is_object() ? range_count(element) : 1;
      if (saturated_sum(count, std::ssize(axis.values)) > accepted_most) {
        element.source().fail(element.pointer(),
                              fmt::format("found {} values; accepted: at most {} in a list",
                                          count_text(count), accepted_most));
      }
      if (element.json().is_object()) {
        for (Json& value : range_values(element)) {
          axis.values.push_back({.element = i, .value = std::move(value)});
        }
      } else {
        axis.values.push_back({.element = i, .value = element.json()});
      }
    }
    if (is_zipped && !axes_.empty() && axis.values.size() != axes_.front().values.size()) {
      list.source().fail(
          list.pointer(),
          fmt::format("found {} values, and \"{}\" has {}; accepted in a zip: lists of one length",
                      axis.values.size(), axes_.front().option, axes_.front().values.size()));
    }
    axes_.push_back(std::move(axis));
  }
}

Index OptionGrid::count() const {
  Index count = zip_length_;
  for (const Axis& axis : axes_) {
    if (!axis.is_zipped) {
      count = saturated_product(count, std::ssize(axis.values));
    }
  }
  return count;
}

std::string OptionGrid::factors() const {
  std::vector<std::string> words;
  if (axes_.front().is_zipped) {
    words.push_back(fmt::format("zip {}", zip_length_));
  }
  for (const Axis& axis : axes_) {
    if (!axis.is_zipped) {
      words.push_back(fmt::format("{} {}", axis.option, axis.values.size()));
    }
  }
  return join(words, " x ");
}

void OptionGrid::for_each(const std::function<bool(const Json& options)>& visit) const {
  const Index combinations = count();
  for (Index combination = 0; combination < combinations; ++combination) {
    // The number of the combination in mixed radix: each list gives a digit, the last list the
    // lowest. The zipped lists share the highest digit.
    std::vector<std::size_t> chosen(axes_.size());
    Index rest = combination;
    for (std::size_t i = axes_.size(); i-- > 0;) {
      if (!axes_[i].is_zipped) {
        const Index length = std::ssize(axes_[i].values);
        chosen[i] = static_cast<std::size_t>(rest % length);
        rest /= length;
      }
    }
    Json options = Json::object();
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const std::size_t at = axes_[i].is_zipped ? static_cast<std::size_t>(rest) : chosen[i];
      options[axes_[i].option] = axes_[i].values[at].value;
    }
    if (!visit(options)) {
      return;
    }
  }
}

}  // namespace spca
