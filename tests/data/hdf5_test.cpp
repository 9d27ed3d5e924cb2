/// What a damaged HDF5 file does to the library that reads it. tests/formats_test.py compares whole
/// files with those that h5py writes.

#include <gtest/gtest.h>

#include "spca/data/readers/readers.h"
#include "tests/temporary_files.h"

namespace spca::hdf5_test {
namespace {

TEST(Hdf5, AFileThatCrashesTheLibraryIsAnErrorOfOneLine) {
  // libhdf5 1.10.8 copies from an address that is not mapped.
  const fs::path path = fs::path(SPCA_SOURCE_DIR) / "fuzz/corpus/hdf5/library_crash.h5";
  for (int i = 0; i < 3; ++i) {
    expect_error(path, {"accepted: a file that h5dump reads"});
  }
}

TEST(Hdf5, TheMatrixIsReadWithItsNames) {
  const FileContent content =
      read_file(fs::path(SPCA_SOURCE_DIR) / "fuzz/corpus/hdf5/names.h5ad:X");
  EXPECT_EQ(content.dense, (Matrix(3, 3) << 1, 0, 2, 0, 0, 3.5, 4, 5, 0).finished());
  EXPECT_EQ(content.variable_names, (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace spca::hdf5_test
