/// Tests of input from pipes, which can be read only once although readers open it several times.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "spca/base/input_file.h"
#include "spca/base/sha256.h"
#include "spca/data/content/file_content.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/files/write_spca.h"
#include "spca/data/readers/read_file.h"
#include "tests/temporary_files.h"

namespace spca::piped_input_test {
namespace {

class PipedInput : public TemporaryFiles {
 protected:
  /// Calls `read` with the path of a FIFO into which the bytes are written once. Expects no
  /// InputError.
  void with_fifo(const std::string& name, const std::string& bytes,
                 const std::function<void(const fs::path&)>& read) const {
    const fs::path path = folder_ / name;
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
    const std::string error = error_of([&] { read(path); });
    writer.join();
    EXPECT_EQ(error, "no error");
  }
};

std::string column(int first, int last) {
  std::string text = "x\n";
  for (int i = first; i <= last; ++i) {
    text += std::to_string(i) + "\n";
  }
  return text;
}

TEST_F(PipedInput, NoByteIsLost) {
  with_fifo("x.csv", column(100000, 109999), [](const fs::path& path) {
    const Dataset dataset = read_dataset({.path = path, .centered = {}});
    EXPECT_EQ(dataset.covariance->samples(), 10000);
    EXPECT_NEAR(dataset.covariance->diagonal()[0], (1e8 - 1) / 12, 1e-3);
  });
}

TEST_F(PipedInput, EveryFormatOfTheSeedsIsReadAsFromItsFile) {
  const fs::path seeds = fs::path(SPCA_SOURCE_DIR) / "fuzz/corpus";
  std::vector<fs::path> files = {write_gz("x.csv.gz", column(1, 5))};
  for (const char* folder : {"npy", "matrix_market", "docword", "scipy_npz", "hdf5", "spca"}) {
    for (const auto& entry : fs::directory_iterator(seeds / folder)) {
      files.push_back(entry.path());
    }
  }
  int read = 0;
  for (const fs::path& file : files) {
    // The format is found by the content alone, because the name of the pipe does not end in .npy.
    const fs::path plain = write("plain", bytes_of(file));
    FileContent expected;
    if (error_of([&] { expected = read_file(plain); }) != "no error") {
      continue;
    }
    ++read;
    with_fifo("fifo", bytes_of(file), [&](const fs::path& path) {
      const FileContent found = read_file(path);
      EXPECT_EQ(found.dense, expected.dense) << file;
      EXPECT_EQ(found.variable_names, expected.variable_names) << file;
      EXPECT_EQ(found.sparse == nullptr, expected.sparse == nullptr) << file;
      EXPECT_EQ(found.mapped == nullptr, expected.mapped == nullptr) << file;
      if (found.sparse != nullptr && expected.sparse != nullptr) {
        EXPECT_EQ(Matrix(*found.sparse), Matrix(*expected.sparse)) << file;
      }
    });
  }
  EXPECT_GT(read, 10);
}

TEST_F(PipedInput, AMatrixOfAnHdf5PipeIsSelected) {
  const fs::path seed = fs::path(SPCA_SOURCE_DIR) / "fuzz/corpus/hdf5/names.h5ad";
  with_fifo("fifo", bytes_of(seed), [](const fs::path& path) {
    EXPECT_EQ(read_file(path.string() + ":X").dense.rows(), 3);
  });
}

TEST_F(PipedInput, ConvertsAndHasTheChecksumOfItsContent) {
  with_fifo("fifo", column(1, 5), [&](const fs::path& path) {
    const fs::path out = folder_ / "x.spca";
    convert_to_spca({.path = path}, out);
    EXPECT_EQ(read_file(out).mapped->rows.lines, 5);
  });
  with_fifo("fifo", "abc",
            [](const fs::path& path) { EXPECT_EQ(sha256_of_file(path), sha256("abc")); });
}

TEST_F(PipedInput, ReadersShareACopyAndTheNextWriterIsReadAnew) {
  with_fifo("fifo", column(1, 3), [](const fs::path& path) {
    const InputFile kept(path);
    EXPECT_EQ(read_file(path).dense.rows(), 3);
    EXPECT_EQ(read_file(path).dense.rows(), 3);
  });
  with_fifo("fifo", column(1, 4),
            [](const fs::path& path) { EXPECT_EQ(read_file(path).dense.rows(), 4); });
}

TEST_F(PipedInput, MoreThanTheLimitIsRefusedInOneLine) {
  with_fifo("fifo", std::string(100000, '1'), [](const fs::path& path) {
    EXPECT_EQ(error_of([&] { InputFile(path, 100000); }), "no error");
  });
  EXPECT_GT(largest_piped_input(), 100000U);
  // An endless input is refused too.
  const std::string message = error_of([] { InputFile("/dev/zero", 3'000'000); });
  EXPECT_TRUE(message.starts_with("/dev/zero: is not a regular file, and has more than 3 MB"))
      << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST_F(PipedInput, AFileIsOpenedInItsPlace) {
  const fs::path file = write("x.csv", "1\n");
  EXPECT_EQ(InputFile(file).path(), file);
  EXPECT_EQ(InputFile(folder_).path(), folder_);
  EXPECT_EQ(InputFile(folder_ / "none").path(), folder_ / "none");
}

}  // namespace
}  // namespace spca::piped_input_test
