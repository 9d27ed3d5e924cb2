#pragma once

/// Experiment documents for tests. tests/experiments/experiment_test.cpp registers the solvers,
/// data sets and metrics that they name.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/experiments/experiment.h"
#include "spca/base/error.h"

namespace spca {

class ExperimentTest : public ::testing::Test {
 protected:
  ExperimentTest() {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  ~ExperimentTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& text, const std::string& name = "test.json") {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  Experiment load(const std::string& text, const ExperimentOverrides& overrides = {}) {
    return load_experiment(write(text), overrides, folder_);
  }

  /// Returns the error message without the folder; "" if the text is accepted.
  std::string error_of(const std::string& text, const ExperimentOverrides& overrides = {}) {
    try {
      load(text, overrides);
      return "";
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string folder = folder_.string() + "/";
      for (std::size_t at = message.find(folder); at != std::string::npos;
           at = message.find(folder)) {
        message.erase(at, folder.size());
      }
      return message;
    }
  }

  std::filesystem::path folder_;
};

/// Returns a document with one grid. `grid` holds further keys of the grid, and `rest` of the
/// document.
inline std::string document(const std::string& grid, const std::string& rest = "") {
  return R"({"name": "test", "title": "T", )" + rest + R"("grids": {"g": {"datasets": ["test-draw"],
)" + grid +
         R"(}}})";
}

inline const std::string kOneSolver = R"("solvers": ["test-one"], "cardinality": [2])";

}  // namespace spca
