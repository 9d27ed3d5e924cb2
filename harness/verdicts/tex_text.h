#pragma once

#include <string>
#include <string_view>

namespace spca {

/// UTF-8 text as LaTeX source that sets it: markup is escaped, mathematical letters go into $...$.
/// A letter that pdfLaTeX cannot set appears as its code point, "U+4E2D". Line ends become blanks.
std::string tex_text(std::string_view text);

}  // namespace spca
