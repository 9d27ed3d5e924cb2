/// Tests of HDF5 files: a damaged one that crashes the library, and the matrices and names of small
/// ones. tests/formats_test.py reads files that h5py writes.

#include <gtest/gtest.h>

#include "spca/data/content/file_content.h"
#include "spca/data/readers/read_file.h"
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

const Matrix kSeed = (Matrix(3, 3) << 1, 0, 2, 0, 0, 3.5, 4, 5, 0).finished();

TEST(Hdf5, GenesByCellsAreReadWithTheCellsAsSamples) {
  for (const char* name : {"ten_x.h5", "x.loom"}) {
    const FileContent content = read_file(fs::path(SPCA_SOURCE_DIR) / "fuzz/corpus/hdf5" / name);
    EXPECT_EQ(content.sparse != nullptr ? Matrix(*content.sparse) : content.dense, kSeed) << name;
    EXPECT_EQ(content.variable_names, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(content.sample_names, (std::vector<std::string>{"x", "y", "z"}));
    ASSERT_EQ(content.notes.size(), 1U);
    EXPECT_NE(content.notes[0].find("genes x cells"), std::string::npos);
  }
}

TEST(Hdf5, MatlabHasTheRowsThatItShows) {
  for (const char* name : {"matlab.mat", "matlab_sparse.mat"}) {
    const FileContent content = read_file(fs::path(SPCA_SOURCE_DIR) / "fuzz/corpus/hdf5" / name);
    EXPECT_EQ(content.sparse != nullptr ? Matrix(*content.sparse) : content.dense, kSeed) << name;
  }
}

TEST(Hdf5, NamesThatAreCategoriesAreRead) {
  EXPECT_EQ(
      read_file(fs::path(SPCA_SOURCE_DIR) / "fuzz/corpus/hdf5/categories.h5ad").variable_names,
      (std::vector<std::string>{"c", "a", "b"}));
}

}  // namespace
}  // namespace spca::hdf5_test
