#include "harness/cli/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "harness/cli/ranks.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"

namespace spca::cli {

namespace {

void write_bytes(const std::string& text) {
  if (!speaks_for_all()) {
    return;
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) {
    return;
  }
  const int error = errno;
  if (error == EPIPE) {
    // If this process inherited an ignored SIGPIPE, the write returns with EPIPE. SIGPIPE is raised
    // here, so that the process ends as it does elsewhere.
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw OutputError(fmt::format("standard output: {}", std::strerror(error)));
}

}  // namespace

void write_stdout(const std::string& text) { write_bytes(printable_lines(text)); }

void write_json(const Json& json) {
  // JSON need not escape the control characters above 0x7e. They occur only in strings, in which
  // the escapes of write_stdout have the same meaning.
  write_stdout(json_lines(json, 2));
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const std::string& line : align_columns(rows)) {
    text += line + "\n";
  }
  return text;
}

}  // namespace spca::cli
