#include "harness/pages/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/benchmarks/benchmark_cells.h"
#include "harness/benchmarks/benchmark_table.h"
#include "harness/pages/python_program.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/covariance/deflation.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// Returns the variants whose records the figure draws, in the order and with the labels of the
/// experiment.
Json selected_variants(const Experiment& experiment, const FigureSpec& figure) {
  Json selected = Json::array();
  for (const Variant& variant : experiment.variants) {
    if (figure.where.matches(variant)) {
      selected.push_back({variant.grid, variant.dataset_label, variant.solver_label,
                          variant.deflation == nullptr ? "" : variant.deflation->name,
                          variant.cardinality});
    }
  }
  return selected;
}

/// Maps the labels of data sets in figures with the option "variables" to the names of their
/// variables. Random data have no names. A data set that cannot be loaded is left out, and its
/// variables are shown by number.
Json variable_names(const FigureRequest& request) {
  Json names = Json::object();
  std::set<std::string> tried;
  for (const FigureSpec& figure : request.experiment->figures) {
    for (const Variant& variant : request.experiment->variants) {
      if (figure.options.contains("variables") && !variant.dataset->traits.generated &&
          figure.where.matches(variant) && tried.insert(variant.dataset_label).second) {
        try {
          names[variant.dataset_label] =
              variant.dataset
                  ->load(variant.dataset_options,
                         {.data_dir = request.data_dir, .base_dir = request.experiment->folder})
                  .variable_names;
        } catch (const InputError&) {
          continue;
        }
      }
    }
  }
  return names;
}

/// Returns the numbers that the paper prints, each with a variant whose answer is compared with it.
/// Curves are left out: they have too many numbers to draw each as a cross.
Json printed_numbers(const Experiment& experiment) {
  Json numbers = Json::array();
  for (const PublishedCell& cell : experiment.published) {
    if (cell.origin != Origin::kPaper || cell.is_of_curve || !cell.is_public ||
        !cell.not_comparable.empty() || !std::isfinite(cell.value)) {
      continue;
    }
    for (const Variant& variant : experiment.variants) {
      if (cell.match.is_about(variant)) {
        numbers.push_back(
            {{"dataset", variant.dataset_label},
             {"solver", variant.solver_label},
             {"deflation", variant.deflation == nullptr ? "" : variant.deflation->name},
             {"cardinality", variant.cardinality},
             {"metric", cell.metric},
             {"method", method_name(cell.method)},
             {"printed", cell.printed},
             {"value", cell.value}});
      }
    }
  }
  return numbers;
}

/// The option of the kinds of figures that compare answers with those of the library of instances.
constexpr const char* kOfInstances = "best";

/// Returns each cell of the run that answers an instance. Empty if no figure draws them.
Json cells_on_instances(const FigureRequest& request) {
  const std::vector<FigureSpec>& figures = request.experiment->figures;
  const bool is_wanted = std::any_of(figures.begin(), figures.end(), [](const FigureSpec& figure) {
    return figure.options.contains(kOfInstances);
  });
  if (!is_wanted) {
    return Json::array();
  }
  const std::vector<Record> records = read_records(request.run / "cells.jsonl", Damage::kTolerated);
  return benchmark_cells_json(
      benchmark_cells(*request.experiment, records, installed_library(), request.data_dir));
}

Json described_metrics() {
  Json metrics = Json::object();
  for (const auto& [name, entry] : MetricRegistry::instance().entries()) {
    metrics[name] = {{"unit", entry.traits.unit},
                     {"direction", direction_name(entry.traits.direction)},
                     {"timing", entry.traits.timing}};
  }
  return metrics;
}

Json to_json(const FigureRequest& request) {
  Json figures = Json::array();
  for (const FigureSpec& figure : request.experiment->figures) {
    figures.push_back({{"kind", figure.kind},
                       {"name", figure.name},
                       {"title", figure.title},
                       {"options", figure.options},
                       {"variants", selected_variants(*request.experiment, figure)}});
  }
  return {{"run", request.run.string()},
          {"directory", request.directory.string()},
          {"format", request.format},
          {"small", request.small},
          {"experiment", request.experiment->name},
          {"figures", figures},
          {"published", printed_numbers(*request.experiment)},
          {"instances", cells_on_instances(request)},
          {"metrics", described_metrics()},
          {"variable_names", variable_names(request)}};
}

}  // namespace

std::vector<FigureFile> draw_figures(const FigureRequest& request) {
  const std::vector<std::string> formats = {"svg", "png", "pdf"};
  if (std::find(formats.begin(), formats.end(), request.format) == formats.end()) {
    throw InputError(fmt::format("--format: found \"{}\"{}; accepted: {}", request.format,
                                 did_you_mean(request.format, formats), join(formats)));
  }
  if (request.experiment->figures.empty()) {
    throw InputError(
        fmt::format("{}: declares no \"figures\"; accepted: a run of an experiment "
                    "that does (docs/FIGURES.md)",
                    request.run.string()));
  }
  std::error_code error;
  fs::create_directories(request.directory, error);
  if (error) {
    throw InputError(
        fmt::format("{}: cannot be made: {}", request.directory.string(), error.message()));
  }
  const PythonOutput drawn = run_python("plot.py", {}, json_line(to_json(request)));
  const Json files = parse_json(drawn.text);
  if (files.is_object() && files.contains("error")) {
    throw InputError(files["error"].get<std::string>());
  }
  if (drawn.exit_code != 0 || !files.is_array()) {
    throw InternalError(fmt::format("plot.py ended with exit code {}", drawn.exit_code));
  }
  std::vector<FigureFile> result;
  for (const Json& file : files) {
    result.push_back({.name = file.at("name"),
                      .kind = file.at("kind"),
                      .title = file.at("title"),
                      .notes = file.at("notes"),
                      .path = file.at("path").get<std::string>(),
                      .why_not = file.at("why_not"),
                      .chart = file.value("chart", Json(nullptr))});
  }
  return result;
}

}  // namespace spca
