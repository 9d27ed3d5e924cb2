#pragma once

#include <string>
#include <string_view>

namespace spca {

/// Returns UTF-8 text as LaTeX source: markup is escaped, mathematical letters are set in $...$. A
/// letter that pdfLaTeX cannot set appears as its code point, "U+4E2D". Line ends become blanks.
std::string tex_text(std::string_view text);

}  // namespace spca
