#pragma once

/// The figures that an experiment declares. The reader is internal to experiment*.cpp.

#include <map>
#include <string>
#include <vector>

#include "harness/experiments/experiment_match.h"

namespace spca {

/// A figure that plotting/ draws from the records.
struct FigureSpec {
  std::string kind;  // stem of a file in plotting/figures/, with - for _
  std::string name;  // stem of the file that is written
  std::string title;
  Json options;  // complete: every option of the kind
  CellMatch where;
};

/// Reads a figure. The options of a kind of figure are named by the line `OPTIONS = {...}` of its
/// file in plotting/figures/. A default word is the name of a metric, a default number is a whole
/// number >= 1, and a list holds the accepted words, the default first.
FigureSpec read_figure(const JsonNode& node);
/// Returns the object OPTIONS of each kind of figure.
const std::map<std::string, Json>& figure_kinds();
/// Returns the keys of every figure, apart from the options of its kind.
const std::vector<std::string>& figure_keys();

}  // namespace spca
