#pragma once

/// Solvers with options, as a command line names them: "tpower", "gpower-*",
/// "encoder-refine[rows=common]".

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/solving/solver.h"

namespace spca {

/// A solver and the options that differ from its defaults.
struct SolverChoice {
  std::string name;   // as an experiment names it: registered, "peers/NAME" or the file of a peer
  std::string label;  // "tpower", "tpower starts=8"; of a peer's file its stem
  const SolverEntry* entry = nullptr;
  Json options;  // an object; empty without options
};

/// Returns the solvers that the words name, each once for each choice of options. A word is a
/// registered name, "peers/NAME", the file NAME.json of a peer, or a pattern of the first two;
/// options may follow in brackets: "[starts=8,seed=3]". Each solver of a pattern has to have them.
/// Throws InputError whose message begins with `where` if a word names no solver, if an option is
/// not one of the solver's, or if a word with options adds no solver.
std::vector<SolverChoice> chosen_solvers(const std::vector<std::string>& words,
                                         const std::string& where);

/// Splits a list of such words at its commas, but not at those within brackets.
std::vector<std::string> solver_words(const std::string& list);

/// Returns the word with an absolute path if it names the file of a peer, so that it means the same
/// in any working folder.
std::string with_absolute_path(const std::string& word);

/// Returns the entry of the solver in a grid of an experiment.
Json solver_entry(const SolverChoice& solver);

}  // namespace spca
