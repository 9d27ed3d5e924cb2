#pragma once

/// The check that the files of a run carry: CRC-32 (ISO 3309, as zlib computes it) in eight
/// lower-case hexadecimal digits. It finds every change of up to 32 bits in a row, and any other
/// with a probability of 1 - 2^-32. It is no defence against who changes the check too.

#include <string>
#include <string_view>

namespace spca {

/// The check of these bytes.
std::string check_of(std::string_view bytes);

/// How the members of a JSON object are written: what stands between two of them, and how the object
/// ends.
struct ObjectLayout {
  std::string_view separator;
  std::string_view closing;
};
inline constexpr ObjectLayout kLineLayout = {",", "}"};  // a line of cells.jsonl
inline constexpr ObjectLayout kFileLayout = {",\n  ",
                                             "\n}\n"};  // indented by two, as manifest.json

/// The object in `text` with a last member "check" over all bytes before that member.
std::string with_check(std::string_view text, const ObjectLayout& layout);

/// What stands before the member that with_check added: the object without its end. Throws
/// InputError that says what is wrong: there is no such member, or it does not match.
std::string_view before_check(std::string_view text, const ObjectLayout& layout);

}  // namespace spca
