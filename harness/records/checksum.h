#pragma once

/// Computes the check that the files of a run contain: CRC-32 (ISO 3309, as zlib computes it) in
/// eight lower-case hexadecimal digits. It detects every change of up to 32 consecutive bits, and
/// any other change with a probability of 1 - 2^-32. It does not protect against an editor that
/// updates the check too.

#include <string>
#include <string_view>

namespace spca {

/// Returns the check of these bytes.
std::string check_of(std::string_view bytes);

/// The layout of a JSON object: the text between two members, and the end of the object.
struct ObjectLayout {
  std::string_view separator;
  std::string_view closing;
};
inline constexpr ObjectLayout kLineLayout = {",", "}"};  // a line of cells.jsonl
inline constexpr ObjectLayout kFileLayout = {",\n  ",
                                             "\n}\n"};  // indented by two, like manifest.json

/// Appends to the object in `text` a member "check" over all bytes before that member.
std::string with_check(std::string_view text, const ObjectLayout& layout);

/// Returns the text before the member that with_check added: the object without its end. Throws
/// InputError with the reason if there is no such member or the check does not match.
std::string_view before_check(std::string_view text, const ObjectLayout& layout);

}  // namespace spca
