#include "spca/io/captured_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "spca/base/error.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Files without a name instead of pipes, so that neither side ever waits for the other to read.
File unnamed_file(std::string_view content = {}) {
  File file(std::tmpfile());
  const int error = file == nullptr ? errno : try_write_all(fileno(file.get()), content);
  if (error != 0) {
    throw InputError(fmt::format("temporary folder: {}", std::strerror(error)));
  }
  std::rewind(file.get());
  return file;
}

std::string content_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[1 << 16];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
    text.append(buffer, count);
  }
  return text;
}

int exit_code_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    SPCA_CHECK(errno == EINTR, "the process that was started can be waited for");
  }
  constexpr int kKilled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kKilled + WTERMSIG(status);
}

}  // namespace

CapturedOutput capture_program(std::vector<std::string> command, std::string_view input,
                               ProgramErrors errors) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (std::string& word : command) {
    words.push_back(word.data());
  }
  words.push_back(nullptr);

  const File given = unnamed_file(input);
  const File taken = unnamed_file();
  const File complaints = unnamed_file();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(given.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(taken.get()), STDOUT_FILENO);
  if (errors == ProgramErrors::kKept) {
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints.get()), STDERR_FILENO);
  }
  pid_t process = 0;
  const int error = posix_spawnp(&process, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw InputError(fmt::format("{}: {}", command.front(), std::strerror(error)));
  }
  const int exit_code = exit_code_of(process);
  return {.exit_code = exit_code,
          .text = content_of(taken.get()),
          .errors = content_of(complaints.get())};
}

}  // namespace spca
