#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "spca/record.h"
#include "spca/revision.h"

namespace spca {
namespace {

/// What follows "name : " in /proc/cpuinfo or /proc/meminfo; "unknown" where there is none.
std::string proc_field(const char* file, const std::string& name) {
  std::ifstream lines(file);
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t colon = line.find(':');
    if (line.starts_with(name) && colon != std::string::npos) {
      const std::size_t start = line.find_first_not_of(" \t", colon + 1);
      return start == std::string::npos ? "unknown" : line.substr(start);
    }
  }
  return "unknown";
}

}  // namespace

Json build_information() {
  Json sources = Json::object();
  for (const auto& [file, digest] : source_digests()) {
    sources[file] = digest;
  }
  return {{"version", SPCA_VERSION},
          {"compiler", SPCA_COMPILER},
          {"flags", SPCA_COMPILE_FLAGS},
          {"build_type", SPCA_BUILD_TYPE},
          {"sources", sources}};
}

Json machine_information() {
  utsname system{};
  uname(&system);
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
  return {{"processor", proc_field("/proc/cpuinfo", "model name")},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"memory_bytes", pages * static_cast<double>(sysconf(_SC_PAGESIZE))},
          {"operating_system", fmt::format("{} {}", system.sysname, system.release)},
          {"architecture", system.machine}};
}

Json make_manifest(const Experiment& experiment, const Json& invocation) {
  return {{"experiment", experiment.name},
          {"path", experiment.path.string()},
          {"title", experiment.title},
          {"source", experiment.source},
          {"profile", experiment.profile},
          {"seed", experiment.seed},
          {"time_limit_seconds", experiment.time_limit},
          {"memory_limit_mb", experiment.memory_limit},
          {"cells", experiment.cells().size()},
          {"invocation", invocation},
          {"build", build_information()},
          {"machine", machine_information()},
          {"definition", experiment.json}};
}

}  // namespace spca
