#include "harness/cells/library_check.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/experiments/experiment_identity.h"
#include "harness/instances/instance_data.h"
#include "harness/instances/record_contradiction.h"

namespace spca {

DataOrigin origin_of_cell(const RunContext& context, std::size_t cell) {
  const Variant& variant = context.variant(cell);
  const Json& identity = context.identities[context.cells[cell].variant];
  DataOrigin origin = origin_of(
      *variant.dataset, variant.dataset_options,
      {.data_dir = context.data_dir, .seed = data_seed(context.experiment, context.cells[cell])});
  origin.checksum = [&identity] { return identity.value("data_checksum", ""); };
  return origin;
}

bool lies_beyond_library(const RunContext& context, std::size_t cell, std::string_view line) {
  const InstanceLibrary& library = installed_library();
  // Most data sets have no instances: then no seed is derived, and the record is not parsed.
  if (library.instances_on(context.variant(cell).dataset->name).empty()) {
    return false;
  }
  const std::vector<KnownInstance> known = instances_on(library, origin_of_cell(context, cell));
  return !known.empty() &&
         !contradiction_of_record(known, record_from_line(std::string(line))).empty();
}

}  // namespace spca
