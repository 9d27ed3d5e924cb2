#include "harness/cli/python_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "spca/base/error.h"
#include "spca/io/file_descriptor.h"
#include "spca/io/resources.h"

namespace spca::cli {
namespace {

std::string from_environment(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::filesystem::path find_script(const std::string& script) {
  const std::vector<std::filesystem::path> folders = resource_folders("plotting", FromHere::kNo);
  for (const std::filesystem::path& folder : folders) {
    if (std::filesystem::exists(folder / script)) {
      return folder / script;
    }
  }
  throw InputError(
      fmt::format("{}: not found; SPCA_PLOTTING names the folder plotting/ of the sources",
                  (folders.front() / script).string()));
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Files without a name instead of pipes, so that neither side ever waits for the other to read.
File temporary_file(std::string_view content = {}) {
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

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    SPCA_CHECK(errno == EINTR, "the process that was started can be waited for");
  }
  constexpr int kKilled = 128;  // as a shell says it
  return WIFEXITED(status) ? WEXITSTATUS(status) : kKilled + WTERMSIG(status);
}

}  // namespace

PythonOutput run_python(const std::string& script, const std::vector<std::string>& arguments,
                        std::string_view input) {
  const std::string interpreter = from_environment("SPCA_PYTHON", SPCA_PYTHON_EXECUTABLE);
  const std::filesystem::path file = find_script(script);
  // -B: nothing is written beside the sources.
  std::vector<std::string> words = {interpreter, "-B", file.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);

  const File given = temporary_file(input);
  const File taken = temporary_file();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(given.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(taken.get()), STDOUT_FILENO);
  pid_t process = 0;
  const int error =
      posix_spawnp(&process, interpreter.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw InputError(fmt::format("{}: {}; SPCA_PYTHON names a Python 3 with matplotlib and jinja2",
                                 interpreter, std::strerror(error)));
  }
  const int exit_code = wait_for(process);
  return {.exit_code = exit_code, .text = content_of(taken.get())};
}

}  // namespace spca::cli
