/// Tests of JSON files, which are written in full or not at all, and read with the place of every
/// value.

#include "spca/io/json_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "spca/base/error.h"
#include "spca/io/file_descriptor.h"
#include "tests/temporary_files.h"

namespace spca::json_file_test {
namespace {

class JsonFile : public TemporaryFiles {};

TEST_F(JsonFile, AFileIsWrittenInFullOrNotAtAll) {
  const std::filesystem::path path = folder_ / "out.json";
  write_json_file(path, {{"a", 1}});
  EXPECT_EQ(read_json_file(path).json(), (Json{{"a", 1}}));
  EXPECT_THROW(write_file_atomically(folder_ / "no folder" / "out", "x"), InputError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1)
      << "a temporary file was left";
  std::filesystem::create_directory(folder_ / "out.d");
  EXPECT_THROW(write_file_atomically(folder_ / "out.d", "x"), InputError)
      << "a folder cannot be replaced by a file";
}

/// Exits with 0 if a write beyond the limit is refused with the file's name and the old content is
/// kept.
[[noreturn]] void write_beyond_limit(const std::filesystem::path& path) {
  write_file_atomically(path, "old");
  std::signal(SIGXFSZ, SIG_IGN);  // the write then fails with EFBIG, as it does on a full disk
  const rlimit limit{.rlim_cur = 8, .rlim_max = 8};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  try {
    write_file_atomically(path, "much longer than the limit");
  } catch (const InputError& error) {
    const bool is_named = std::string(error.what()).starts_with(path.string() + ": cannot");
    std::ifstream file(path);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    std::_Exit(is_named && content == "old" ? 0 : 1);
  }
  std::_Exit(2);
}

TEST_F(JsonFile, AFullDiskNamesTheFileAndKeepsItsOldContent) {
  EXPECT_EXIT(write_beyond_limit(folder_ / "out.json"), ::testing::ExitedWithCode(0), "");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1)
      << "a temporary file was left";
}

TEST(JsonText, NotANumberIsNullAndBack) {
  EXPECT_TRUE(number_to_json(kNotMeasured).is_null());
  EXPECT_EQ(number_to_json(0.5), Json(0.5));
  EXPECT_TRUE(std::isnan(number_from_json(nullptr, "/x")));
  EXPECT_THROW(number_from_json("1", "/x"), InputError);
}

TEST(JsonText, PlacesEveryValueWithAnyStrings) {
  const JsonText text("{\"a\\\"{\": [1, \"]\\\\\", {}],\n \"b/c\": {\"d\": null}}", "t");
  EXPECT_EQ(text.place("/a\"{/1"), "t:1:14");
  EXPECT_EQ(text.place("/a\"{/2"), "t:1:21");
  EXPECT_EQ(text.place("/b~1c/d"), "t:2:15");
  EXPECT_EQ(text.place("/b~1c/e/f"), "t:2:9") << "the nearest value around it";
}

}  // namespace
}  // namespace spca::json_file_test
