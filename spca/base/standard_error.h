#pragma once

/// Messages and progress on standard error. Failed writes are ignored: a full disk or a closed
/// descriptor must not end a run.

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace spca {

/// Writes the bytes as they are.
void write_standard_error(std::string_view bytes) noexcept;

/// Writes a line. Control characters in it are shown as escapes (printable in text.h).
void say_line(std::string_view line);

/// Formats a line as fmt::format() does, and writes it.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  say_line(fmt::format(format, std::forward<Values>(values)...));
}

/// Opens /dev/null on each of the descriptors 0, 1 and 2 that is closed. Otherwise the next file
/// that is opened would get its number, and messages would be written into that file. Writing to
/// standard output fails as before. main() must call this first.
void open_standard_descriptors() noexcept;

}  // namespace spca
