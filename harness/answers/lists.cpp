#include "harness/answers/lists.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/answers/descriptions.h"
#include "harness/experiments/experiment.h"
#include "harness/peers/peer.h"
#include "harness/peers/peer_reader.h"
#include "spca/base/error.h"
#include "spca/covariance/deflation.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

/// Returns one object for each solver, "name" and "summary" first, as the lists below do.
Json list_solvers() {
  Json list = Json::array();
  for (const auto& [name, entry] : SolverRegistry::instance().entries()) {
    list.push_back(solver_summary(entry));
  }
  return list;
}

Json list_datasets() {
  Json list = Json::array();
  for (const auto& [name, entry] : DatasetRegistry::instance().entries()) {
    list.push_back({{"name", name},
                    {"summary", entry.traits.summary},
                    {"shape", entry.traits.shape},
                    {"generated", entry.traits.generated},
                    {"source", entry.traits.source}});
  }
  return list;
}

Json list_metrics() {
  Json list = Json::array();
  for (const auto& [name, entry] : MetricRegistry::instance().entries()) {
    list.push_back({{"name", name},
                    {"summary", entry.traits.formula},
                    {"unit", entry.traits.unit},
                    {"direction", direction_name(entry.traits.direction)}});
  }
  return list;
}

Json list_experiments() {
  Json list = Json::array();
  for (const std::string& name : experiment_names()) {
    list.push_back({{"name", name}, {"summary", experiment_title(name)}});
  }
  return list;
}

Json list_deflations() {
  Json list = Json::array();
  for (const auto& [name, entry] : DeflationRegistry::instance().entries()) {
    list.push_back({{"name", name},
                    {"summary", entry.summary},
                    {"formula", entry.formula},
                    {"disjoint", entry.disjoint}});
  }
  return list;
}

/// Runs the checks of each peer, and says in "available" whether the peer can run here.
Json list_peers() {
  Json list = Json::array();
  for (const std::string& name : peer_names()) {
    try {
      const Peer peer = read_peer(find_peer(name));
      const PeerState state = probe_peer(peer);
      const std::string report = state.report.substr(0, state.report.find_last_not_of('\n') + 1);
      list.push_back({{"name", name},
                      {"summary", peer.traits.summary},
                      {"here", state.missing.empty() ? report : state.missing},
                      {"available", state.missing.empty()},
                      {"rule", rule_name(peer.traits.rule)},
                      {"multiple_components", peer.traits.multiple_components},
                      {"source", peer.traits.source}});
    } catch (const InputError& error) {
      list.push_back({{"name", name}, {"summary", error.what()}, {"available", false}});
    }
  }
  return list;
}

const std::vector<std::pair<std::string, Json (*)()>>& lists() {
  static const std::vector<std::pair<std::string, Json (*)()>> all = {
      {"solvers", list_solvers},         {"datasets", list_datasets},     {"metrics", list_metrics},
      {"experiments", list_experiments}, {"deflations", list_deflations}, {"peers", list_peers}};
  return all;
}

}  // namespace

Json solver_summary(const SolverEntry& entry) {
  return {{"name", entry.name},
          {"summary", entry.traits.summary},
          {"rule", rule_name(entry.traits.rule)},
          {"multiple_components", entry.traits.multiple_components},
          {"exact", entry.traits.exact},
          {"source", entry.traits.source}};
}

Json list_of(const std::string& what) {
  std::vector<std::string> names;
  for (const auto& [name, list] : lists()) {
    if (name == what) {
      return list();
    }
    names.push_back(name);
  }
  throw InputError(fmt::format("list: unknown kind \"{}\"{}; accepted: {}", what,
                               did_you_mean(what, names), join(names)));
}

}  // namespace spca
