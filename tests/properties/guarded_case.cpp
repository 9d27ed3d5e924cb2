#include "tests/properties/guarded_case.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "spca/base/json_text.h"

namespace spca::properties {
namespace {

Json to_json(const CaseOutcome& outcome) {
  Json wrong = Json::array();
  for (const Contradiction& one : outcome.contradictions) {
    wrong.push_back(
        {one.claim, fmt::format("{}", one.found), fmt::format("{}", one.limit), one.detail});
  }
  return {{"ending", outcome.ending}, {"wrong", wrong}, {"note", outcome.note}};
}

CaseOutcome from_json(const Json& json) {
  CaseOutcome outcome{.ending = json["ending"], .note = json["note"]};
  for (const Json& one : json["wrong"]) {
    outcome.contradictions.push_back({.claim = one[0],
                                      .found = std::stod(one[1].get<std::string>()),
                                      .limit = std::stod(one[2].get<std::string>()),
                                      .detail = one[3]});
  }
  return outcome;
}

void write_all(int pipe, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(pipe, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) {
      _exit(1);
    }
    at += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
  }
}

/// A child process, and a pipe for the lines that it writes.
class Child {
 public:
  explicit Child(const std::function<void(int pipe)>& work) {
    int ends[2];
    if (pipe(ends) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe");
    }
    process_ = fork();
    if (process_ < 0) {
      throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (process_ == 0) {
      close(ends[0]);
      work(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    pipe_ = ends[0];
  }
  ~Child() {
    kill(process_, SIGKILL);
    wait();
    close(pipe_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Returns false at the end of the lines, or after kHangSeconds without one.
  bool next_line(std::string& line) {
    for (;;) {
      const std::size_t end = buffer_.find('\n');
      if (end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return true;
      }
      pollfd entry{.fd = pipe_, .events = POLLIN, .revents = 0};
      const int ready = poll(&entry, 1, kHangSeconds * 1000);
      if (ready == 0) {
        hangs_ = true;
        return false;
      }
      if (ready < 0 && errno == EINTR) {
        continue;
      }
      char bytes[65536];
      const ssize_t count = read(pipe_, bytes, sizeof bytes);
      if (count == 0) {
        return false;
      }
      if (count > 0) {
        buffer_.append(bytes, static_cast<std::size_t>(count));
      }
    }
  }

  /// Describes the end of a child process that did not finish its cases.
  std::string ending() {
    if (hangs_) {
      return fmt::format("no answer in {} s", kHangSeconds);
    }
    wait();
    return WIFSIGNALED(status_) ? fmt::format("killed by signal {}", WTERMSIG(status_))
                                : fmt::format("exit code {}", WEXITSTATUS(status_));
  }

 private:
  void wait() {
    while (!waited_ && waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    waited_ = true;
  }

  pid_t process_ = -1;
  int pipe_ = -1;
  int status_ = 0;
  bool waited_ = false, hangs_ = false;
  std::string buffer_;
};

}  // namespace

void run_guarded(const std::function<HuntCase(std::uint64_t number)>& draw, std::uint64_t first,
                 std::uint64_t last,
                 const std::function<bool(std::uint64_t number, const CaseOutcome&)>& on_case) {
  std::uint64_t next = first;
  while (next < last) {
    Child child([&](int pipe) {
      for (std::uint64_t number = next; number < last; ++number) {
        write_all(pipe, json_line(to_json(run_case(draw(number)))) + "\n");
      }
    });
    std::string line;
    while (next < last) {
      const bool is_done = child.next_line(line);
      const CaseOutcome outcome =
          is_done ? from_json(parse_json(line))
                  : CaseOutcome{.ending = "crash",
                                .contradictions = {{.claim = "no case crashes or hangs",
                                                    .detail = child.ending()}}};
      if (!on_case(next++, outcome)) {
        return;
      }
      if (!is_done) {
        break;
      }
    }
  }
}

CaseOutcome run_guarded(const HuntCase& hunted) {
  CaseOutcome found;
  run_guarded([&](std::uint64_t) { return hunted; }, 0, 1,
              [&](std::uint64_t, const CaseOutcome& outcome) {
                found = outcome;
                return true;
              });
  return found;
}

}  // namespace spca::properties
