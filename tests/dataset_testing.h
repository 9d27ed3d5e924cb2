#pragma once

/// Functions that the tests of data sets share.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "spca/base/error.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_selections.h"

namespace spca::trial {

inline Dataset load_from(const std::filesystem::path& folder, const std::string& name,
                         const Json& options = Json::object(), std::uint64_t seed = 1) {
  const DatasetEntry* entry = DatasetRegistry::instance().find(name);
  SPCA_CHECK(entry != nullptr, name);
  return entry->load(entry->complete_options(options, "/options"),
                     {.data_dir = folder, .seed = seed});
}

inline Dataset load(const std::string& name, const Json& options = Json::object(),
                    std::uint64_t seed = 1) {
  return load_from(data_directory(""), name, options, seed);
}

/// Skips the test with a message that names the file if a file of the data set is missing.
#define NEED_FILE(file)                         \
  do {                                          \
    try {                                       \
      find_data_file(data_directory(""), file); \
    } catch (const MissingData& error) {        \
      GTEST_SKIP() << error.what();             \
    }                                           \
  } while (false)

inline Matrix whole_matrix(const Dataset& dataset) {
  return dataset.covariance->submatrix(all_variables(dataset.covariance->variables()));
}

}  // namespace spca::trial
