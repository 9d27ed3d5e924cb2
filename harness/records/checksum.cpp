#include "harness/records/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include "spca/base/error.h"

namespace spca {
namespace {

constexpr std::string_view kCheckOpening = "\"check\":";
constexpr std::size_t kCheckDigits = 8;

}  // namespace

std::string check_of(std::string_view bytes) {
  return fmt::format("{:08x}",
                     crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string with_check(std::string_view text, const ObjectLayout& layout) {
  SPCA_CHECK(text.ends_with(layout.closing), "an object in its layout");
  text.remove_suffix(layout.closing.size());
  return fmt::format("{}{}{}\"{}\"{}", text, layout.separator, kCheckOpening, check_of(text),
                     layout.closing);
}

std::string_view before_check(std::string_view text, const ObjectLayout& layout) {
  // In a line the member is `,"check":"0a1b2c3d"}`. The text must equal the output of with_check to
  // the last byte: otherwise a damaged member could pass for an object without a check.
  const std::string before = fmt::format("{}{}\"", layout.separator, kCheckOpening);
  const std::string behind = fmt::format("\"{}", layout.closing);
  const std::size_t length = before.size() + kCheckDigits + behind.size();
  if (text.size() >= length) {
    const std::string_view object = text.substr(0, text.size() - length);
    const std::string_view member = text.substr(object.size());
    if (member.starts_with(before) && member.ends_with(behind)) {
      if (member.substr(before.size(), kCheckDigits) != check_of(object)) {
        throw InputError("does not match its check: it was changed");
      }
      return object;
    }
  }
  throw InputError("has no check: it was changed, or an older version wrote it");
}

}  // namespace spca
