#pragma once

/// A fixture for tests that run the program as a user does: through a shell, each test in a folder
/// of its own.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace spca {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Finished {
  int code = -1;
  std::string out;
  std::string err;
};

inline std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// A test with a temporary folder in which its programs run.
class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "spca_cli_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs the program with `arguments`, which a shell parses.
  Finished run(const std::string& arguments) const { return shell(program() + " " + arguments); }

  static std::string program() { return "'" SPCA_PROGRAM "'"; }

  Finished shell(const std::string& command) const {
    const std::string line = "cd '" + folder_.string() + "' && ( " + command +
                             " ) > stdout.txt 2> stderr.txt < /dev/null";
    const int status = std::system(line.c_str());
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = content(folder_ / "stdout.txt"),
            .err = content(folder_ / "stderr.txt")};
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  /// Expects exit code 2, nothing on stdout, and one line on stderr that begins with "spca" and
  /// contains all `words`.
  void expect_usage_error(const std::string& arguments, const std::vector<std::string>& words) {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.code, 2) << arguments << "\n" << finished.err;
    EXPECT_EQ(finished.out, "") << arguments;
    EXPECT_EQ(line_count(finished.err), 1U) << arguments << "\n" << finished.err;
    EXPECT_EQ(finished.err.rfind("spca", 0), 0U) << finished.err;
    for (const std::string& word : words) {
      EXPECT_NE(finished.err.find(word), std::string::npos)
          << arguments << "\nmessage: " << finished.err << "lacks: " << word;
    }
  }

  Json run_json(const std::string& arguments, int code = 0) {
    const Finished finished = run(arguments + " --json");
    EXPECT_EQ(finished.code, code) << arguments << "\n" << finished.err;
    return Json::parse(finished.out);
  }

  fs::path folder_;
};

}  // namespace spca
