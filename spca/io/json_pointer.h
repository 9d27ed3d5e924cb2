#pragma once

/// JSON pointers (RFC 6901): "/grids/spiked/repeats".

#include <string>
#include <string_view>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// One step of a JSON pointer: "a/b~c" becomes "a~1b~0c".
std::string pointer_step(std::string_view key);
/// The keys (or numbers) that a JSON pointer goes through, unescaped: "/a~1b/0" is "a/b" and "0".
/// Throws InputError unless it is empty or begins with "/".
std::vector<std::string> pointer_keys(const std::string& pointer);
/// Sets the value at a JSON pointer, which must exist but for its last step: that may be a new key
/// of an object, or "-" behind the last element of a list. null takes the value away, as in RFC
/// 7396. Returns the pointer of what was changed: of the value, or of the list or object around it
/// where one was taken away. Throws InputError "pointer: what was found; accepted: ...".
std::string set_at(Json& document, const std::string& pointer, const Json& value);

/// Text for a message: control characters as JSON escapes them, so that a line stays one.
std::string printable(std::string_view text);

}  // namespace spca
