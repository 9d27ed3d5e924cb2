#pragma once

#include <string>

#include "harness/experiments/experiment.h"

namespace spca {

/// The place of a table in its paper. Places are ordered by kind (pages, sections, tables, figures,
/// and last no place), then by number.
struct PaperPlace {
  std::string name;  // "Table 1"; "" if there is none
  std::size_t kind = 0, number = 0;
};

/// Returns the first place that `where` names, such as "Table 1" or "section 4.1".
PaperPlace place_in_paper(const std::string& where);

/// Returns the title of the table, preceded by its place unless the title names the place.
std::string title_in_paper(const PublishedTable& table, const PaperPlace& place);

}  // namespace spca
