#pragma once

/// Small data sets, solvers and experiments for the tests of runs. The solvers test-plain,
/// test-slow and test-path count their calls in a file.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "harness/records/record_line.h"
#include "harness/runs/run_plan.h"
#include "harness/runs/runner.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/data_folder.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr Index kVariables = 12;
constexpr Index kSamples = 20;
/// At most this number of waits of 10 ms for an event: far more than needed, even on a busy
/// machine.
constexpr int kPatience = 6000;

Dataset random_dataset(std::uint64_t seed) {
  Random random(seed);
  Matrix data(kSamples, kVariables);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  return {.covariance = make_covariance(std::move(data), {}), .variable_names = {}, .truth = {}};
}

Dataset load_generated(const NoOptions&, const DatasetRequest& request) {
  return random_dataset(request.seed);
}
SPCA_DATASET("test-generated", load_generated,
             (DatasetTraits{.summary = "", .shape = "", .source = "", .generated = true}));

Dataset load_fixed(const NoOptions&, const DatasetRequest&) { return random_dataset(7); }
SPCA_DATASET("test-fixed", load_fixed, (DatasetTraits{.summary = "", .shape = "", .source = ""}));

constexpr const char* kMissingFile = "test-missing/data.csv";
Dataset load_missing(const NoOptions&, const DatasetRequest& request) {
  find_data_file(request.data_dir, kMissingFile);
  return random_dataset(7);
}
SPCA_DATASET("test-missing", load_missing,
             (DatasetTraits{.summary = "", .shape = "", .source = "", .files = {kMissingFile}}));

/// Counts the call in a file. From call number SPCA_RUNNER_TEST_KILL_AT on, kills the process of
/// the run, or its whole process group if SPCA_RUNNER_TEST_KILL_GROUP is set.
void count_call() {
  if (const char* file = std::getenv("SPCA_RUNNER_TEST_CALLS")) {
    const int calls = open(file, O_WRONLY | O_CREAT | O_APPEND, 0644);
    [[maybe_unused]] const ssize_t written = write(calls, ".", 1);
    close(calls);
    const char* last = std::getenv("SPCA_RUNNER_TEST_KILL_AT");
    if (last != nullptr && fs::file_size(file) >= std::stoul(last)) {
      const pid_t run = getppid();
      const bool whole_group = std::getenv("SPCA_RUNNER_TEST_KILL_GROUP") != nullptr;
      kill(whole_group ? -getpgid(run) : run, SIGKILL);
    }
  }
}

/// Returns the leading eigenvector of S on the first k variables.
Component answer(const Problem& problem, Index k) {
  Support support(static_cast<std::size_t>(k));
  for (std::size_t i = 0; i < support.size(); ++i) {
    support[i] = static_cast<Index>(i);
  }
  return best_on_support(problem.covariance, support).component;
}

Solution solve_plain(const Problem& problem, const NoOptions&, Budget& budget) {
  count_call();
  return make_solution({answer(problem, problem.cardinality.front())}, budget);
}
SPCA_SOLVER("test-plain", solve_plain, (Traits{.summary = "", .problem = "", .source = ""}));

Solution solve_slow(const Problem& problem, const NoOptions& options, Budget& budget) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return solve_plain(problem, options, budget);
}
SPCA_SOLVER("test-slow", solve_slow, (Traits{.summary = "", .problem = "", .source = ""}));

Solution solve_random(const Problem& problem, const NoOptions&, Budget& budget) {
  Random random(problem.seed);
  Component component{.support = {static_cast<Index>(random.below(kVariables))},
                      .values = Vector::Ones(1)};
  return make_solution({component}, budget);
}
SPCA_SOLVER("test-random", solve_random,
            (Traits{.summary = "", .problem = "", .source = "", .seeded = true}));

constexpr double kSecondsOfAPathPoint = 0.25;
Solution solve_path(const Problem& problem, const NoOptions&, Budget& budget) {
  count_call();
  Solution solution = make_solution({answer(problem, problem.cardinality.front())}, budget);
  for (Index k = 1; k <= problem.cardinality.front(); ++k) {
    solution.path.push_back({.component = answer(problem, k),
                             .seconds = kSecondsOfAPathPoint * static_cast<double>(k)});
  }
  return solution;
}
SPCA_SOLVER("test-path", solve_path,
            (Traits{.summary = "", .problem = "", .source = "", .path = true}));

/// Runs until the budget ends, and then returns an answer.
Solution solve_polite(const Problem& problem, const NoOptions&, Budget& budget) {
  while (budget.next()) {
    usleep(1000);
    budget.begin_loop();
  }
  return make_solution({answer(problem, problem.cardinality.front())}, budget);
}
SPCA_SOLVER("test-polite", solve_polite, (Traits{.summary = "", .problem = "", .source = ""}));

// ---- Experiments for the tests.

struct Plan {
  std::vector<std::string> datasets = {"test-generated"};
  std::vector<std::string> solvers = {"test-plain"};
  std::vector<Index> cardinalities = {3};
  Index repeats = 1;
};

Experiment make_experiment(const Plan& plan) {
  Experiment experiment;
  experiment.name = "test/runner";
  experiment.profile = "full";
  experiment.json = Json::object();
  for (const std::string& dataset : plan.datasets) {
    for (const std::string& solver : plan.solvers) {
      for (const Index cardinality : plan.cardinalities) {
        Variant variant;
        variant.grid = "main";
        variant.dataset = &DatasetRegistry::instance().get(dataset, "test");
        variant.dataset_label = dataset;
        variant.dataset_options = Json::object();
        variant.solver = &SolverRegistry::instance().get(solver, "test");
        variant.solver_label = solver;
        variant.solver_options = Json::object();
        variant.cardinality = {cardinality};
        variant.repeats = plan.repeats;
        variant.metrics = {"explained_variance", "solve_seconds"};
        experiment.variants.push_back(variant);
      }
    }
  }
  return experiment;
}

/// Returns a line without the fields that may differ between two runs of one cell.
std::string answer_bytes(const std::string& line) {
  const Envelope envelope = read_envelope(line);
  return join({envelope.key, envelope.grid, envelope.dataset, envelope.solver,
               std::string(stable_part(answer_of_line(line)))},
              "\n");
}

class Runner : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = (fs::path(testing::TempDir()) / "spca_runner_XXXXXX").string();
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    root_ = path;
    setenv("SPCA_RUNNER_TEST_CALLS", (root_ / "calls").c_str(), 1);
  }
  void TearDown() override { fs::remove_all(root_); }

  RunRequest request(const Experiment& experiment, const std::string& name = "run",
                     int jobs = 1) const {
    RunRequest request;
    request.experiment = &experiment;
    request.directory = root_ / name;
    request.data_dir = root_ / "data";
    request.jobs = jobs;
    request.quiet = true;
    return request;
  }
  fs::path cells_file(const std::string& name = "run") const {
    return root_ / name / "cells.jsonl";
  }
  std::vector<Record> records(const std::string& name = "run") const {
    return read_records(cells_file(name));
  }
  std::vector<std::string> lines(const std::string& name = "run") const {
    std::ifstream file(cells_file(name));
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line) && !file.eof();) {
      all.push_back(line);
    }
    return all;
  }
  std::vector<std::string> answers(const std::string& name = "run") const {
    std::vector<std::string> all = lines(name);
    std::transform(all.begin(), all.end(), all.begin(), answer_bytes);
    return all;
  }
  std::size_t calls() const {
    return fs::exists(root_ / "calls") ? fs::file_size(root_ / "calls") : 0;
  }
  /// Runs the experiment in a child process, whose exit code is that of run_experiment(), or 2
  /// after an InputError.
  template <class Prepare>
  static pid_t run_in_process(const RunRequest& request, Prepare prepare) {
    const pid_t process = fork();
    if (process == 0) {
      prepare();
      try {
        _exit(exit_code(run_experiment(request)));
      } catch (const InputError& error) {
        fmt::print(stderr, "{}\n", error.what());
        _exit(2);
      }
    }
    return process;
  }
  static int end_of(pid_t process) {
    int state = 0;
    waitpid(process, &state, 0);
    return state;
  }
  std::string error_of(const RunRequest& request) const {
    try {
      run_experiment(request);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  fs::path root_;
};

}  // namespace
}  // namespace spca
