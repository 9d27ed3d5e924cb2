#pragma once

#include <string>
#include <vector>

#include "harness/answers/request.h"

namespace spca {

/// Returns notes on a request for more than half of the variables in each component, and on an
/// answer with one variable in each component. Each note is one line. The command line, Python and
/// R all show them.
std::vector<std::string> notes_on_sparsity(const Request& request,
                                           const std::vector<Component>& components);

}  // namespace spca
