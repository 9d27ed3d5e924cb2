#pragma once

/// Lays out the help of the program and of its subcommands.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class FormatterBase;
}

namespace spca::cli {

/// A name with its description: an option, a subcommand, an exit code.
struct HelpRow {
  std::string name;
  std::string help;
};

/// Returns the number of columns of a line of help: 100, or the width of the terminal if that is
/// less, but at least 40.
std::size_t help_width();

/// Returns the number of columns of the terminal; 0 if standard output is not a terminal.
std::size_t terminal_width();

/// Returns `text` in lines of at most `width` columns, broken at blanks. Lines after the first
/// begin with `indent` blanks. A longer word keeps a line of its own.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width);

/// Returns the rows as lines: names indented by two blanks, descriptions from `column` on, or from
/// column 6 if `width` is small. After a longer name the description begins on a new line.
std::string help_rows(const std::vector<HelpRow>& rows, std::size_t column, std::size_t width);

/// Returns the formatter for the help of a CLI::App and of its subcommands.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace spca::cli
