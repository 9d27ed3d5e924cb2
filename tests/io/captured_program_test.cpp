/// Tests of programs whose output is read.

#include "spca/io/captured_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "spca/base/error.h"

namespace spca::captured_program_test {
namespace {

TEST(CapturedProgram, KeepsBothStreamsApart) {
  const CapturedOutput output = capture_program(
      {"sh", "-c", "cat; echo said; echo complained >&2; exit 7"}, "given\n", ProgramErrors::kKept);
  EXPECT_EQ(output.exit_code, 7);
  EXPECT_EQ(output.text, "given\nsaid\n");
  EXPECT_EQ(output.errors, "complained\n");
}

TEST(CapturedProgram, NoShellReadsTheWords) {
  const CapturedOutput output =
      capture_program({"printf", "%s|", "a b", "$HOME", "it's"}, {}, ProgramErrors::kKept);
  EXPECT_EQ(output.text, "a b|$HOME|it's|");
}

TEST(CapturedProgram, ManyBytesBothWaysBlockNeitherProgram) {
  const std::string given(10'000'000, 'x');
  const CapturedOutput output =
      capture_program({"sh", "-c", "cat; cat /dev/null >&2"}, given, ProgramErrors::kKept);
  EXPECT_EQ(output.text, given);
}

TEST(CapturedProgram, ASignalIsReportedAsByAShell) {
  EXPECT_EQ(capture_program({"sh", "-c", "kill -9 $$"}, {}, ProgramErrors::kKept).exit_code, 137);
}

TEST(CapturedProgram, OneOfOursLeavesCtrlCToUs) {
  std::signal(SIGINT, SIG_DFL);  // a program that a shell starts in the background ignores it
  const std::vector<std::string> interrupted = {"sh", "-c", "kill -INT $$; echo lives"};
  EXPECT_EQ(capture_program(interrupted, {}, ProgramErrors::kKept, ProgramFate::kOurs).text,
            "lives\n");
  EXPECT_EQ(capture_program(interrupted, {}, ProgramErrors::kKept).exit_code, 130);
}

TEST(CapturedProgram, OneOfOursEndsWithUs) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t ours = fork();
  if (ours == 0) {
    close(ends[0]);
    // The program holds the pipe open as long as it lives.
    const std::string told = fmt::format("echo x >&{}; exec tail -f /dev/null", ends[1]);
    capture_program({"sh", "-c", "exec 2>/dev/null; " + told}, {}, ProgramErrors::kKept,
                    ProgramFate::kOurs);
    _exit(1);
  }
  close(ends[1]);
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);  // the program runs
  kill(ours, SIGKILL);
  waitpid(ours, nullptr, 0);
  while (read(ends[0], &byte, 1) == 1) {
  }
  // No process holds the other end any more.
  close(ends[0]);
}

TEST(CapturedProgram, AMissingProgramIsNamed) {
  try {
    capture_program({"no-such-program"}, {}, ProgramErrors::kKept);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no-such-program: No such file or directory");
  }
}

}  // namespace
}  // namespace spca::captured_program_test
