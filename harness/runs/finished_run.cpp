#include "harness/runs/finished_run.h"

#include <nlohmann/json.hpp>

namespace spca {

Json summary_json(const RunSummary& summary) {
  Json by_status = Json::object();
  for (const auto& [status, count] : summary.by_status) {
    by_status[status_name(status)] = count;
  }
  return {{"cells", summary.cells},       {"kept", summary.kept},
          {"reused", summary.reused},     {"run", summary.run},
          {"measured", summary.measured}, {"unmeasured", summary.unmeasured},
          {"by_status", by_status},       {"interrupted", summary.interrupted},
          {"seconds", summary.seconds}};
}

}  // namespace spca
