#include "harness/history/benchmark_import.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "harness/history/dates.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/io/json_file.h"
#include "spca/io/json_node.h"

namespace spca {
namespace {

/// The members of a result that are not counters.
const std::set<std::string> kNoCounters = {"name",
                                           "family_index",
                                           "per_family_instance_index",
                                           "run_name",
                                           "run_type",
                                           "repetitions",
                                           "repetition_index",
                                           "threads",
                                           "iterations",
                                           "real_time",
                                           "cpu_time",
                                           "time_unit",
                                           "aggregate_name",
                                           "aggregate_unit",
                                           "label",
                                           "error_occurred",
                                           "error_message",
                                           "skipped",
                                           "skip_message",
                                           "cpu_coefficient",
                                           "real_coefficient",
                                           "big_o",
                                           "rms"};

/// The members of "context" that distinguish machines. The clock (mhz_per_cpu) does not: it differs
/// between runs on one machine.
constexpr std::array kMachineMembers = {"host_name", "num_cpus", "caches", "library_build_type"};

/// The numbers of one benchmark: metric -> one number for each repetition.
struct Kernel {
  std::map<std::string, std::vector<double>> numbers;
  std::set<Index> repetitions;
};

/// Kernels in the order of the file.
struct Kernels {
  std::vector<std::string> names;
  std::map<std::string, Kernel> repeats, medians, means;

  void add_name(const std::string& name) {
    if (!repeats.contains(name) && !medians.contains(name) && !means.contains(name)) {
      names.push_back(name);
    }
  }
  const Kernel& best(const std::string& name) const {
    const auto found = repeats.find(name);
    if (found != repeats.end()) {
      return found->second;
    }
    const auto median = medians.find(name);
    return median != medians.end() ? median->second : means.at(name);
  }
};

double seconds_of_unit(const JsonNode& result) {
  const auto unit = result.find("time_unit");
  const std::string word = unit ? unit->choice({"ns", "us", "ms", "s"}) : "ns";
  return word == "ns" ? 1e-9 : word == "us" ? 1e-6 : word == "ms" ? 1e-3 : 1;
}

bool is_true(const JsonNode& result, const char* key) {
  const auto member = result.find(key);
  return member && member->json().is_boolean() && member->json().get<bool>();
}

/// Adds the times and the finite counters of a result.
void add_numbers(const JsonNode& result, Kernel& kernel) {
  const double unit = seconds_of_unit(result);
  kernel.numbers["real_seconds"].push_back(unit * result.at("real_time").number(0));
  kernel.numbers["cpu_seconds"].push_back(unit * result.at("cpu_time").number(0));
  for (const auto& [name, member] : result.members()) {
    if (!kNoCounters.contains(name) && member.json().is_number() &&
        std::isfinite(member.json().get<double>())) {
      kernel.numbers[name].push_back(member.json().get<double>());
    }
  }
}

void add_result(const JsonNode& result, Kernels& kernels, std::vector<std::string>& left_out) {
  const std::string name =
      result.find("run_name") ? result.at("run_name").word() : result.at("name").word();
  if (is_true(result, "error_occurred") || is_true(result, "skipped")) {
    left_out.push_back(fmt::format("{}: it reports an error or was skipped", name));
    return;
  }
  const std::string type = result.word_or("run_type", "iteration");
  if (type == "iteration") {
    const auto index = result.find("repetition_index");
    kernels.add_name(name);
    Kernel& kernel = kernels.repeats[name];
    if (!kernel.repetitions.insert(index ? index->whole(0) : 0).second) {
      result.fail("each repetition of a benchmark once; this one occurs above");
    }
    add_numbers(result, kernel);
    return;
  }
  const std::string aggregate = result.word_or("aggregate_name", "");
  if (aggregate == "median" || aggregate == "mean") {
    kernels.add_name(name);
    Kernel& kernel = (aggregate == "median" ? kernels.medians : kernels.means)[name];
    if (!kernel.repetitions.insert(0).second) {
      result.fail("each aggregate of a benchmark once; this one occurs above");
    }
    add_numbers(result, kernel);
  }
}

/// Returns the points of a benchmark: the geometric mean of each metric over the repetitions, as
/// for every metric that depends on the machine. Numbers <= 0 are left out, because they have no
/// geometric mean.
std::vector<EntryPoint> points_of_kernel(const Kernel& kernel) {
  std::vector<EntryPoint> points;
  for (const auto& [metric, numbers] : kernel.numbers) {
    EntryPoint point{.metric = metric, .by_repeat = json_line(Json(numbers))};
    double logarithms = 0;
    for (const double number : numbers) {
      if (number > 0) {
        logarithms += std::log(number);
        ++point.count;
      }
    }
    if (point.count > 0) {
      point.mean = std::exp(logarithms / static_cast<double>(point.count));
      points.push_back(std::move(point));
    }
  }
  return points;
}

Json machine_of_context(const JsonNode& context, const std::string& machine) {
  if (!machine.empty()) {
    return {{"name", machine}};
  }
  Json known = Json::object();
  for (const char* member : kMachineMembers) {
    known[member] = context.json().contains(member) ? context.json().at(member) : Json(nullptr);
  }
  return known;
}

/// Extracts the name of the program: "./build/release/bench/products_bench" -> "products_bench".
std::string program_of(const JsonNode& context) {
  const std::string path = context.word_or("executable", "benchmark");
  return std::filesystem::path(path).filename().string();
}

/// Refuses a missing or malformed commit before anything is read.
void require_commit(const EntryWords& words) {
  if (words.commit.empty()) {
    throw InputError(
        "--commit: found none; accepted: the measured commit, which Google Benchmark does not "
        "store");
  }
  checked_commit(words.commit);
}

HistoryEntry entry_of(std::shared_ptr<const JsonText> text, const EntryWords& words) {
  const JsonSource source(text);
  const JsonNode document(source, source.text().json(), "");
  if (!document.json().is_object() || !document.find("context") || !document.find("benchmarks")) {
    document.fail("the output of Google Benchmark with --benchmark_format=json");
  }
  const JsonNode context = document.at("context");
  HistoryEntry entry;
  entry.kind = "benchmark";
  entry.experiment = program_of(context);
  entry.commit = words.commit;
  const JsonNode date = context.at("date");
  entry.date = words.date.empty() ? utc_moment(date.word(), text->name() + ": /context/date")
                                  : utc_moment(words.date, "--date");
  entry.machine = machine_of_context(context, words.machine);
  Kernels kernels;
  for (const JsonNode& result : document.at("benchmarks").elements()) {
    add_result(result, kernels, entry.left_out);
  }
  for (const std::string& kernel : kernels.names) {
    entry.cells.push_back({.question = {{"experiment", entry.experiment}, {"benchmark", kernel}},
                           .answer = "",
                           .points = points_of_kernel(kernels.best(kernel))});
  }
  if (entry.cells.empty()) {
    document.at("benchmarks").fail("a benchmark with a result");
  }
  entry.digest = sha256(json_line(document.json()));
  return entry;
}

}  // namespace

HistoryEntry entry_of_benchmark(const std::string& text, const std::string& name,
                                const EntryWords& words) {
  require_commit(words);
  return entry_of(std::make_shared<const JsonText>(text, name), words);
}

HistoryEntry read_benchmark(const std::filesystem::path& path, const EntryWords& words) {
  require_commit(words);
  return entry_of(std::make_shared<const JsonText>(read_json_file(path)), words);
}

}  // namespace spca
