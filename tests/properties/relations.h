#pragma once

/// Relations between two questions that must have the same answer, which need not be known.

#include <optional>
#include <string>
#include <vector>

#include "tests/properties/hunt_case.h"

namespace spca::properties {

/// The other question, and the relation of its answer to the first answer.
struct Related {
  Question question;
  double factor = 1;        // value of the other answer over the value of the first
  bool same_bytes = false;  // whether the answers must be equal except for times
};

/// Returns the names of the relations.
std::vector<std::string> relations();
/// Returns the question related by `relation`. None if the relation has no meaning for the
/// question: S has no samples, for example.
std::optional<Related> related(const Question& question, const std::string& relation,
                               Random& random);

/// Compares two answers. The value of each must not be above the bound of the other; exact values
/// and the values of PCA must be equal. `rounding` is an absolute bound on the rounding of the
/// first value.
void check_related(const Question& question, const Json& answer, const Related& other,
                   const Json& other_answer, double rounding, std::vector<Contradiction>& wrong);

}  // namespace spca::properties
