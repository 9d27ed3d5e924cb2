#include "spca/io/external_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/io/file_descriptor.h"
#include "spca/io/temporary_folder.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

ProgramTotals totals;

constexpr int kKeptBytes = 4096;  // at most this number of bytes of the end of standard error
constexpr int kReaperSocket = 3;  // the first descriptor after the standard ones
// Number of milliseconds between checks for the end of the program: short against the start of an
// interpreter.
constexpr int kMilliseconds = 5;

/// The answer of the reaper, sent as plain bytes: both ends are the same program.
struct Answer {
  int state;
  double peak_bytes;
  std::uint32_t length;
  std::array<char, kKeptBytes> text;  // the end of standard error
};

/// Reads `size` bytes. Returns false if the other side has closed the socket, or on an error.
bool receive(int socket, void* data, std::size_t size) {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = read(socket, next, size);
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return false;
    }
    const auto read_now = static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    next += read_now;
    size -= read_now;
  }
  return true;
}

/// Returns the environment of the program: that of this process, except for variables that would
/// make an answer depend on the user's settings or on the number of processors.
std::vector<std::string> make_environment(const ProgramCall& call, const fs::path& folder) {
  const std::string threads = std::to_string(call.threads);
  std::map<std::string, std::string> fixed = {{"LC_ALL", "C"},
                                              {"LANG", "C"},
                                              {"TMPDIR", folder.string()},
                                              {"PYTHONHASHSEED", "0"},
                                              {"PYTHONDONTWRITEBYTECODE", "1"}};
  for (const char* name :
       {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
        "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "LOKY_MAX_CPU_COUNT"}) {
    fixed.emplace(name, threads);
  }
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (!fixed.contains(name) && name != "LANGUAGE") {
      environment.push_back(text);
    }
  }
  for (const auto& [name, value] : fixed) {
    environment.push_back(fmt::format("{}={}", name, value));
  }
  return environment;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// The process between this process and the program. It is forked before the program starts, so
/// that it exists whenever the parent is killed, and shares nothing with the parent but a socket:
/// when the parent dies, the kernel closes the other end, and the reaper cleans up.
class Reaper {
 public:
  Reaper(ProgramCall call, fs::path folder) : call_(std::move(call)), folder_(std::move(folder)) {}

  [[noreturn]] void live(int socket) noexcept;

 private:
  void detach(int socket);
  void start();
  [[noreturn]] void become_program(int error_pipe);
  /// Returns when the program has ended, or the parent has closed the socket or died.
  void watch();
  bool has_ended();
  void read_errors();
  void kill_descendants();

  ProgramCall call_;
  fs::path folder_;
  rlimit memory_{};
  pid_t program_ = -1;
  int errors_ = -1;
  std::string tail_;
  Answer answer_{};
};

void Reaper::live(int socket) noexcept {
  detach(socket);
  char word = 0;
  if (receive(kReaperSocket, &word, sizeof word)) {
    start();
    if (program_ > 0) {
      watch();
    }
    // Before the answer: the parent then reads the folder, and no process may still write there.
    kill_descendants();
    read_errors();
    answer_.length = static_cast<std::uint32_t>(tail_.size());
    std::copy(tail_.begin(), tail_.end(), answer_.text.begin());
    try_write_all(kReaperSocket, {reinterpret_cast<const char*>(&answer_), sizeof answer_});
    char none;
    receive(kReaperSocket, &none, 1);  // returns when the parent has read the folder or died
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  // Not exit(): the parent's atexit functions and buffers are in this process too.
  _exit(0);
}

void Reaper::detach(int socket) {
  // Ctrl-C and a closed terminal go to the process group of the parent, which decides how to react;
  // if they ended the reaper, the program would outlive both.
  setpgid(0, 0);
  prctl(PR_SET_NAME, kReaperName);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    std::signal(signal, SIG_IGN);
  }
  // A descendant that loses its parent becomes a child of this process, which can then kill it,
  // even if it has left the program's process group (a daemon does).
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  dup2(socket, kReaperSocket);
  // The parent's pipes and locks must end with the parent.
  close_range(kReaperSocket + 1, ~0U, 0);
  // The cell's memory limit is for the program: the reaper must not fail under it.
  getrlimit(RLIMIT_AS, &memory_);
  rlimit lifted = memory_;
  lifted.rlim_cur = memory_.rlim_max;
  setrlimit(RLIMIT_AS, &lifted);
}

void Reaper::start() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    program_ = fork();
    if (program_ == 0) {
      become_program(ends[1]);
    }
    // Here and in the child, so that the group exists before either of them continues.
    setpgid(program_, program_);
    close(ends[1]);
    errors_ = ends[0];
  }
  if (program_ < 0) {
    tail_ = std::strerror(errno);
    answer_.state = W_EXITCODE(1, 0);
  }
}

void Reaper::become_program(int error_pipe) {
  setpgid(0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) {
    std::signal(signal, SIG_DFL);
  }
  fcntl(error_pipe, F_SETFL, 0);  // a program expects blocking writes
  dup2(error_pipe, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  // The program must not inherit the socket: the parent would not notice the end of the reaper.
  close_range(kReaperSocket, ~0U, CLOSE_RANGE_CLOEXEC);
  std::vector<std::string> environment = make_environment(call_, folder_);
  const std::vector<char*> variables = pointers_to(environment);
  const std::vector<char*> arguments = pointers_to(call_.command);
  // The hard limit is the soft one, so that the program cannot raise it.
  const rlim_t most_memory = std::min<rlim_t>(memory_.rlim_cur, call_.memory_limit);
  const rlimit memory{.rlim_cur = most_memory, .rlim_max = most_memory};
  const rlimit file{.rlim_cur = call_.largest_file, .rlim_max = call_.largest_file};
  const rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_FSIZE, &file);
  setrlimit(RLIMIT_AS, &memory);
  if (call_.without_network && unshare(CLONE_NEWNET) != 0) {
    // Without privileges, a process may do it in a user namespace of its own. Some systems forbid
    // that too: then the program keeps its network.
    static_cast<void>(unshare(CLONE_NEWUSER | CLONE_NEWNET));
  }
  if (chdir(folder_.c_str()) == 0) {
    execve(arguments[0], arguments.data(), variables.data());
  }
  dprintf(STDERR_FILENO, "%s: cannot be started: %s\n", arguments[0], std::strerror(errno));
  _exit(127);  // the code of a shell for a program that cannot be started
}

void Reaper::watch() {
  while (!has_ended()) {
    pollfd news[] = {{.fd = kReaperSocket, .events = POLLIN, .revents = 0},
                     {.fd = errors_, .events = POLLIN, .revents = 0}};
    poll(news, errors_ < 0 ? 1 : 2, kMilliseconds);
    if (news[0].revents != 0) {
      return;  // nothing more is ever sent: the other side is closed
    }
    read_errors();
  }
}

bool Reaper::has_ended() {
  rusage usage{};
  if (wait4(program_, &answer_.state, WNOHANG, &usage) != program_) {
    return false;
  }
  answer_.peak_bytes = 1024 * static_cast<double>(usage.ru_maxrss);  // ru_maxrss is in KiB
  return true;
}

/// Reads the available bytes and keeps the last ones. So a program that prints much neither waits
/// for a reader nor fills a disk.
void Reaper::read_errors() {
  std::array<char, 1 << 16> bytes;
  while (errors_ >= 0) {
    const ssize_t count = read(errors_, bytes.data(), bytes.size());
    if (count == 0) {
      close(errors_);
      errors_ = -1;
    }
    if (count <= 0) {
      return;
    }
    tail_.append(bytes.data(), static_cast<std::size_t>(count));
    if (tail_.size() > kKeptBytes) {
      tail_.erase(0, tail_.size() - kKeptBytes);
    }
    if (static_cast<std::size_t>(count) < bytes.size()) {
      return;
    }
  }
}

/// Kills the process group, then the descendants that have left it. They become children of this
/// process as soon as their parents are dead, so the loop continues, one generation after the
/// other, until no child is left.
void Reaper::kill_descendants() {
  if (program_ <= 0) {
    return;
  }
  kill(-program_, SIGKILL);
  waitpid(program_, nullptr, 0);  // no harm if it has ended already
  for (;;) {
    std::ifstream children(fmt::format("/proc/self/task/{}/children", getpid()));
    for (pid_t child = 0; children >> child;) {
      kill(child, SIGKILL);
    }
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 || !children.is_open()) {
      return;
    }
    constexpr useconds_t kMicroseconds = 1000;
    usleep(kMicroseconds);
  }
}

/// Returns the last line that is not blank, as kept_message() (text.h), without the path of the
/// folder: the path differs from run to run, and a record must not.
std::string last_line(std::string text, const fs::path& folder) {
  text = without(std::move(text), folder.string() + "/");
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
  return kept_message(std::string_view(text).substr(text.find_last_of("\r\n") + 1));
}

}  // namespace

ExternalProgram::ExternalProgram(
    const std::function<ProgramCall(const std::filesystem::path& folder)>& make_call)
    : folder_(make_temporary_folder()) {
  ProgramCall call;
  try {
    call = make_call(folder_);
  } catch (...) {
    fs::remove_all(folder_);
    throw;
  }
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    reaper_ = fork();
  }
  if (reaper_ < 0) {
    const std::string reason = std::strerror(errno);
    close(ends[0]);
    close(ends[1]);
    fs::remove_all(folder_);
    throw InputError(fmt::format("a process cannot be started: {}", reason));
  }
  if (reaper_ == 0) {
    Reaper(std::move(call), folder_).live(ends[1]);
  }
  close(ends[1]);
  socket_ = ends[0];
}

ExternalProgram::~ExternalProgram() {
  close(socket_);
  while (waitpid(reaper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ExternalProgram::start() {
  const char word = 1;
  // MSG_NOSIGNAL: if the reaper was killed, wait_a_little says so; SIGPIPE would end this process.
  ::send(socket_, &word, sizeof word, MSG_NOSIGNAL);
}

std::optional<ProgramEnd> ExternalProgram::wait_a_little() {
  pollfd news{.fd = socket_, .events = POLLIN, .revents = 0};
  if (poll(&news, 1, kMilliseconds) <= 0) {
    return std::nullopt;
  }
  Answer answer{};
  if (!receive(socket_, &answer, sizeof answer)) {
    return ProgramEnd{.state = W_EXITCODE(1, 0),
                      .last_line = "the process that watches over the program was killed"};
  }
  ++totals.ended;
  totals.peak_bytes = std::max(totals.peak_bytes, answer.peak_bytes);
  return ProgramEnd{
      .state = answer.state,
      .last_line = last_line(std::string(answer.text.data(), answer.length), folder_)};
}

ProgramTotals program_totals() { return totals; }

void reset_program_peak() { totals.peak_bytes = 0; }

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const auto is_program = [](const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) {
    return is_program(name) ? std::optional<fs::path>(fs::absolute(name)) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    // An empty or relative entry would depend on the current folder.
    if (folder.starts_with('/') && is_program(fs::path(folder) / name)) {
      return fs::path(folder) / name;
    }
  }
  return std::nullopt;
}

std::string describe_program_end(int state) {
  if (WIFSIGNALED(state)) {
    const char* name = sigabbrev_np(WTERMSIG(state));
    return fmt::format("killed by SIG{}", name == nullptr ? "?" : name);
  }
  return fmt::format("exit code {}", WEXITSTATUS(state));
}

}  // namespace spca
