#include "harness/cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/ranks.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"

namespace spca::cli {

namespace {

/// The stream of write_stdout.
std::FILE*& data_stream() {
  static std::FILE* stream = stdout;
  return stream;
}

void write_bytes(const std::string& text) {
  if (!speaks_for_all()) {
    return;
  }
  std::FILE* const stream = data_stream();
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (written && std::fflush(stream) == 0) {
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

DivertedStdout::DivertedStdout() {
  const int data = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  std::FILE* const stream = data == -1 ? nullptr : ::fdopen(data, "w");
  if (stream == nullptr) {
    ::close(data);
    return;
  }
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  data_stream() = stream;
}

DivertedStdout::~DivertedStdout() {
  std::FILE* const stream = data_stream();
  if (stream == stdout) {
    return;
  }
  std::cout.flush();
  std::fflush(stdout);
  ::dup2(::fileno(stream), STDOUT_FILENO);
  data_stream() = stdout;
  std::fclose(stream);
}

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
