/// Programs whose output is read.

#include "spca/io/captured_program.h"

#include <gtest/gtest.h>

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

TEST(CapturedProgram, ManyBytesBothWaysBlockNobody) {
  const std::string given(10'000'000, 'x');
  const CapturedOutput output =
      capture_program({"sh", "-c", "cat; cat /dev/null >&2"}, given, ProgramErrors::kKept);
  EXPECT_EQ(output.text, given);
}

TEST(CapturedProgram, ASignalIsToldAsByAShell) {
  EXPECT_EQ(capture_program({"sh", "-c", "kill -9 $$"}, {}, ProgramErrors::kKept).exit_code, 137);
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
