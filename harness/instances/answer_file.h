#pragma once

/// Reads answers to instances that were found elsewhere: JSON or CSV.
///
///   JSON   one answer, a list of answers, or a file of the library. An answer has "id" and one of
///            "support"    variables of one component, or the common variables of all
///            "supports"   a list of such lists, one for each component
///            "loadings"   a list with an element for each component: {"indices": [...], "values":
///                         [...]}, or the loadings of all p variables; of one component also these
///                         loadings without the list around them
///          and may have "value", which is claimed, and "found_by", the name of its source
///   CSV    a line for each nonzero, with the columns id and variable, and perhaps component,
///          loading, value and found_by; components count from 1, and without their column there
///          is one. Of an answer's lines at least one has its value or its source, if it has any.
///
/// A variable is its index from 0, or its name.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/instances/instance_class.h"
#include "harness/instances/instance_data.h"

namespace spca {

/// One component as it was written.
struct SubmittedComponent {
  std::vector<std::string> variables;  // names, or whole numbers
  std::vector<std::string> places;     // of the variables: "answers.csv:2"; opens messages
  std::vector<double> loadings;        // empty: none were given
  /// The number of loadings in a list of those of all variables, of which the nonzeros are above;
  /// 0: there was no such list.
  std::size_t listed = 0;
  std::string place = {};  // of the list
};

struct SubmittedAnswer {
  std::string id;
  std::string place;  // opens messages: "answers.csv:2" or "answers.json:1:2: /0"
  std::vector<SubmittedComponent> components;  // at least one
  std::string found_by;                        // empty if not given
  double value = kNotMeasured;                 // as claimed; NaN if not given
};

/// An answer with indices for names.
struct ResolvedAnswer {
  BestAnswer answer;  // has loadings if the class needs them
  /// The loadings as they were given; empty if none were.
  std::vector<Component> given_loadings;
};

/// Reads a file that ends in .json or .csv, in any case. Throws InputError with file and line, or
/// the JSON pointer, and what is accepted.
std::vector<SubmittedAnswer> read_answers(const std::filesystem::path& path);

/// Returns the answer with indices for names. Throws InputError whose message begins with the place
/// if a variable is unknown or occurs twice, if a list of the loadings of all variables has another
/// length, if loadings are needed and not given, or if one that is not needed is 0.
ResolvedAnswer resolve_answer(const SubmittedAnswer& given, const InstanceClass& of,
                              const Dataset& dataset);

}  // namespace spca
