#pragma once

/// Two questions that have the same answer, whatever it is.

#include <optional>
#include <string>
#include <vector>

#include "tests/properties/hunt_case.h"

namespace spca::properties {

/// The other question, and how its answer stands to the first one's.
struct Related {
  Question question;
  double factor = 1;        // its value is so many times the first one's
  bool same_bytes = false;  // it differs in nothing but times
};

/// The names of the relations.
std::vector<std::string> relations();
/// Returns none if the relation has no meaning for the question: S has no samples, for example.
std::optional<Related> related(const Question& question, const std::string& relation,
                               Random& random);

/// Holds two answers against each other. A value is not above the other one's bound; exact values
/// and those of PCA are equal. `rounding` is an absolute bound of that of the first value.
void check_related(const Question& question, const Json& answer, const Related& other,
                   const Json& other_answer, double rounding, std::vector<Contradiction>& wrong);

}  // namespace spca::properties
