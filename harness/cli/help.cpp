#include "harness/cli/help.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "harness/cli/declared_arguments.h"
#include "spca/base/text.h"

namespace spca::cli {
namespace {

constexpr std::size_t kWidest = 100;
/// At least this many columns are used, however narrow the terminal is.
constexpr std::size_t kFewestColumns = 40;
/// At most this number of columns before the descriptions.
constexpr std::size_t kNameColumns = 30;
/// Number of blanks before a name.
constexpr std::size_t kIndent = 2;
/// At least this number of blanks between a name and its description.
constexpr std::size_t kGap = 2;
/// Number of blanks before a description if the names leave too little of the width.
constexpr std::size_t kNarrowIndent = 6;

struct Section {
  std::string title;
  std::vector<HelpRow> rows;
};

/// Returns "-j, --jobs N", or "RUN..." for a positional.
std::string shown_name(const DeclaredArgument& argument) {
  if (argument.is_positional) {
    return argument.names.front() + (argument.is_repeatable ? "..." : "");
  }
  const std::string names = join(argument.names);
  const bool is_attached = argument.value.empty() || argument.value.starts_with("[=");
  return names + (is_attached ? "" : " ") + argument.value;
}

std::string shown_help(const DeclaredArgument& argument) {
  if (argument.is_positional) {
    return argument.help;
  }
  return argument.help + (argument.is_required ? " Required." : "") +
         (argument.is_repeatable ? " May be given more than once." : "");
}

std::vector<Section> argument_sections(const CLI::App& app) {
  Section positionals{.title = "Positionals", .rows = {}};
  Section options{.title = "Options", .rows = {}};
  for (const CLI::Option* option : app.get_options()) {
    const DeclaredArgument argument = declared_argument(*option);
    (argument.is_positional ? positionals : options)
        .rows.push_back({shown_name(argument), shown_help(argument)});
  }
  return {positionals, options};
}

/// Returns a section for each group, in the order in which the groups first occur.
std::vector<Section> command_sections(const CLI::App& app) {
  std::vector<Section> sections;
  for (const CLI::App* command : app.get_subcommands({})) {
    const auto same = std::find_if(sections.begin(), sections.end(), [&](const Section& section) {
      return section.title == command->get_group();
    });
    Section& section =
        same != sections.end() ? *same : sections.emplace_back(Section{command->get_group(), {}});
    section.rows.push_back({command->get_name(), command->get_description()});
  }
  return sections;
}

std::string usage(const CLI::App& app, const std::string& name) {
  std::string text = fmt::format("Usage: {} [OPTIONS]", name);
  for (const CLI::Option* option : app.get_options()) {
    const DeclaredArgument argument = declared_argument(*option);
    if (argument.is_positional) {
      text += argument.is_required ? " " + shown_name(argument) : " [" + shown_name(argument) + "]";
    }
  }
  return text + (app.get_subcommands({}).empty() ? "" : " SUBCOMMAND");
}

/// Returns the column at which all descriptions of a page begin.
std::size_t description_column(const std::vector<Section>& sections) {
  std::size_t column = 0;
  for (const Section& section : sections) {
    for (const HelpRow& row : section.rows) {
      column = std::max(column, kIndent + row.name.size() + kGap);
    }
  }
  return std::min(column, kNameColumns);
}

std::string page(const CLI::App& app, const std::string& name, std::size_t width) {
  std::vector<Section> sections = command_sections(app);
  for (Section& section : argument_sections(app)) {
    sections.push_back(std::move(section));
  }
  const std::size_t column = description_column(sections);
  std::string text = wrapped(app.get_description(), 0, width) + "\n" +
                     wrapped(usage(app, name), kNarrowIndent, width) + "\n";
  for (const Section& section : sections) {
    if (!section.rows.empty()) {
      text += fmt::format("\n{}:\n{}", section.title, help_rows(section.rows, column, width));
    }
  }
  return text + "\n" + app.get_footer() + "\n";
}

}  // namespace

std::size_t terminal_width() {
  winsize size{};
  return isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ? 0
                                                                                    : size.ws_col;
}

std::size_t help_width() {
  const std::size_t columns = terminal_width();
  return columns == 0 ? kWidest : std::clamp(columns, kFewestColumns, kWidest);
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = 0;
  for (const std::string_view word : split_blanks(text)) {
    if (column > 0 && column + 1 + word.size() > width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > 0) {
      lines += " ";
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

std::string help_rows(const std::vector<HelpRow>& rows, std::size_t column, std::size_t width) {
  const bool is_narrow = column + kNameColumns > width;
  const std::size_t begin = is_narrow ? kNarrowIndent : column;
  std::string text;
  for (const HelpRow& row : rows) {
    const std::size_t name_end = kIndent + row.name.size() + kGap;
    text += std::string(kIndent, ' ') + row.name;
    text += name_end > begin ? "\n" + std::string(begin, ' ')
                             : std::string(begin - name_end + kGap, ' ');
    for (const char letter : wrapped(row.help, 0, width - begin)) {
      text += letter == '\n' ? "\n" + std::string(begin, ' ') : std::string(1, letter);
    }
    text += "\n";
  }
  return text;
}

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<CLI::FormatterLambda>(
      [](const CLI::App* app, std::string name, CLI::AppFormatMode) {
        return page(*app, name, help_width());
      });
}

}  // namespace spca::cli
