#include "harness/answers/sparsity_notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace spca {
namespace {

/// At least this number of variables for a note on a large cardinality. If there are fewer, more
/// than half of them is not many.
constexpr Index kLeastVariables = 6;

std::string note_on_large_cardinality(const Request& request) {
  const Index p = request.dataset.covariance->variables();
  const std::vector<Index>& asked = request.solve.cardinality;
  if (request.unconstrained || asked.empty() || p < kLeastVariables) {
    return "";
  }
  // A first component with many variables and later ones with few is a choice, not an oversight.
  const Index least = *std::min_element(asked.begin(), asked.end());
  if (2 * least <= p) {
    return "";
  }
  return fmt::format(
      "k = {} is more than half of the {} variables; a path over k shows the "
      "variance that fewer explain",
      least, p);
}

std::string note_on_single_variables(const Request& request,
                                     const std::vector<Component>& components) {
  const bool is_single = !components.empty() && std::all_of(components.begin(), components.end(),
                                                            [](const Component& component) {
                                                              return component.cardinality() == 1;
                                                            });
  if (!is_single || request.dataset.covariance->variables() == 1) {
    return "";
  }
  const std::vector<Index>& asked = request.solve.cardinality;
  const bool is_asked = !request.unconstrained && !asked.empty() &&
                        *std::max_element(asked.begin(), asked.end()) == 1;
  return components.size() == 1
             ? fmt::format("the component is one variable{}",
                           is_asked ? ", the one with the largest variance"
                                    : ", although more were allowed")
             : fmt::format("each component is one variable{}",
                           is_asked ? "; a larger k shows variables that vary together"
                                    : ", although more were allowed");
}

}  // namespace

std::vector<std::string> notes_on_sparsity(const Request& request,
                                           const std::vector<Component>& components) {
  std::vector<std::string> notes;
  for (std::string note :
       {note_on_large_cardinality(request), note_on_single_variables(request, components)}) {
    if (!note.empty()) {
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

}  // namespace spca
