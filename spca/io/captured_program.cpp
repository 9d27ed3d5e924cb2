#include "spca/io/captured_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>

#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Opens a file without a name, used instead of a pipe so that neither side waits for the other to
/// read.
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
  return WIFEXITED(status) ? WEXITSTATUS(status) : kKilledExitCode + WTERMSIG(status);
}

/// Runs in the new process: becomes the program, or returns the errno of the failure. Allocates
/// nothing, because another thread may have held the allocator at the fork.
int become_program(char* const* words, int in, int out, int errors, ProgramFate fate,
                   pid_t parent) {
  if (fate == ProgramFate::kOurs) {
    std::signal(SIGINT, SIG_IGN);  // otherwise an interpreter prints a traceback on Ctrl-C
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
      ::_exit(0);  // the parent ended before prctl() took effect
    }
  }
  const bool is_connected = ::dup2(in, STDIN_FILENO) >= 0 && ::dup2(out, STDOUT_FILENO) >= 0 &&
                            (errors < 0 || ::dup2(errors, STDERR_FILENO) >= 0);
  if (is_connected) {
    ::execvp(words[0], words);
  }
  return errno;
}

/// Starts a process. Throws InputError if it does not become the program.
pid_t start_program(const std::vector<char*>& words, int in, int out, int errors,
                    ProgramFate fate) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw InputError(fmt::format("no pipe can be made ({})", std::strerror(errno)));
  }
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) {
    const int error = become_program(words.data(), in, out, errors, fate, parent);
    static_cast<void>(!::write(write_end.get(), &error, sizeof error));
    ::_exit(0);
  }
  if (process < 0) {
    throw InputError(fmt::format("no process can be started ({})", std::strerror(errno)));
  }
  write_end = FileDescriptor();
  // The pipe closes when the process becomes the program.
  int error = 0;
  ssize_t count = 0;
  do {
    count = ::read(read_end.get(), &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  if (count == static_cast<ssize_t>(sizeof error)) {
    exit_code_of(process);
    throw InputError(fmt::format("{}: {}", words[0], std::strerror(error)));
  }
  return process;
}

}  // namespace

CapturedOutput capture_program(std::vector<std::string> command, std::string_view input,
                               ProgramErrors errors, ProgramFate fate) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (std::string& word : command) {
    words.push_back(word.data());
  }
  words.push_back(nullptr);

  const File given = unnamed_file(input);
  const File taken = unnamed_file();
  const File complaints = unnamed_file();
  const pid_t process =
      start_program(words, fileno(given.get()), fileno(taken.get()),
                    errors == ProgramErrors::kKept ? fileno(complaints.get()) : -1, fate);
  const int exit_code = exit_code_of(process);
  return {.exit_code = exit_code,
          .text = content_of(taken.get()),
          .errors = content_of(complaints.get())};
}

}  // namespace spca
