#include "harness/records/stand_in_plugins.h"

#include "harness/peers/peer.h"
#include "harness/records/record.h"
#include "spca/base/error.h"
#include "spca/data/dataset.h"
#include "spca/measure/metrics.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

constexpr const char* kAbsent = "not in this program";

Json as_given(const Json& options, const std::string&) {
  return options.is_null() ? Json::object() : options;
}

/// Returns whether this program has the solver, or the file of the peer.
bool is_known(const std::string& name) {
  if (SolverRegistry::instance().find(name) != nullptr) {
    return true;
  }
  try {
    return is_peer_name(name) && !find_peer(name).empty();
  } catch (const InputError&) {
    return false;
  }
}

bool add_solver(const std::string& name) {
  if (is_known(name)) {
    return false;
  }
  return SolverRegistry::instance().add(
      {.name = name,
       .file = "",
       .traits = {.summary = kAbsent, .multiple_components = true},
       .complete_options = as_given,
       .solve = [](const Problem&, const Json&, Budget&) { return skipped(kAbsent); },
       .describe = [] { return Json::array(); }});
}

bool add_dataset(const std::string& name) {
  if (DatasetRegistry::instance().find(name) != nullptr) {
    return false;
  }
  return DatasetRegistry::instance().add(
      {.name = name,
       .file = "",
       .traits = {.summary = kAbsent, .shape = "", .source = ""},
       .complete_options = as_given,
       .load = [name](const Json&, const DatasetRequest&) -> Dataset {
         throw MissingData(name + ": " + kAbsent);
       },
       .describe = [] { return Json::array(); }});
}

bool add_metric(const std::string& name) {
  if (MetricRegistry::instance().find(name) != nullptr) {
    return false;
  }
  return MetricRegistry::instance().add(
      {.name = name,
       .file = "",
       .measure = [](const MetricContext&) { return std::vector<double>{kNotMeasured}; },
       .traits = {.unit = "", .direction = Direction::kNone, .formula = kAbsent}});
}

}  // namespace

bool register_stand_ins(const std::filesystem::path& cells_file, Damage damage) {
  bool any = false;
  for (const Record& record : read_records(cells_file, damage)) {
    any = add_solver(record.solver_name) || any;
    any = add_dataset(record.dataset_name) || any;
    for (const auto* metrics : {&record.metrics, &record.timing}) {
      for (const auto& [name, values] : *metrics) {
        any = add_metric(name) || any;
      }
    }
  }
  return any;
}

}  // namespace spca
