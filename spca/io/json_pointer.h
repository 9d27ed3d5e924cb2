#pragma once

/// JSON pointers (RFC 6901): "/grids/spiked/repeats".

#include <string>
#include <string_view>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// A key as one step of a JSON pointer: "a/b~c" becomes "a~1b~0c".
std::string pointer_step(std::string_view key);
/// The keys or numbers that a JSON pointer goes through: "/a~1b/0" gives "a/b" and "0". Throws
/// InputError unless the pointer is empty or begins with "/".
std::vector<std::string> pointer_keys(const std::string& pointer);
/// Sets the value at a JSON pointer. All steps but the last must exist; the last may be a new key
/// of an object, or "-" for a new last element of a list. A null value removes the old value (as in
/// RFC 7396). Returns the pointer of the changed value or, if it was removed, of the list or object
/// around it. Throws InputError "pointer: what was found; accepted: ...".
std::string set_at(Json& document, const std::string& pointer, const Json& value);

}  // namespace spca
