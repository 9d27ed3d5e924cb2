#pragma once

/// Runs a program without a shell and captures its output.

#include <string>
#include <string_view>
#include <vector>

namespace spca {

/// The destination of the standard error of a program.
enum class ProgramErrors {
  kOurs,  // the standard error of this process
  kKept   // captured, like standard output
};

/// The fate of the program if this process ends first, or the user presses Ctrl-C.
enum class ProgramFate {
  kItsOwn,  // Ctrl-C reaches the program, which may outlive this process
  kOurs     // the program is killed when this process ends; Ctrl-C does not reach it
};

struct CapturedOutput {
  /// The exit code of the program; 128 + the number of the signal that ended it, as in a shell.
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
