#pragma once

/// Runs a program without a shell and keeps what it prints.

#include <string>
#include <string_view>
#include <vector>

namespace spca {

/// What becomes of the standard error of a program.
enum class ProgramErrors {
  kOurs,  // it is that of this process
  kKept   // it is kept as standard output is
};

/// What becomes of the program if this process ends before it, or the user presses Ctrl-C.
enum class ProgramFate {
  kItsOwn,  // Ctrl-C reaches it too, and it lives on
  kOurs     // it ends with this process, whatever ended that, and Ctrl-C does not reach it
};

struct CapturedOutput {
  /// 128 + the number of the signal if one ended the program, as a shell says it.
  int exit_code = 0;
  std::string text;    // standard output
  std::string errors;  // standard error, if it was kept
};

/// Runs `command` to its end with `input` as its standard input. The first word is a path, or a
/// name that is looked up on the PATH. Throws InputError "WORD: the system's reason" if the program
/// cannot be started.
CapturedOutput capture_program(std::vector<std::string> command, std::string_view input,
                               ProgramErrors errors, ProgramFate fate = ProgramFate::kItsOwn);

}  // namespace spca
