#pragma once

#include <string>
#include <vector>

namespace spca {

/// The folder in which an experiment stands: "spannogram" of "spannogram/spiked". Experiments of one
/// paper share it. "" if it stands in none.
std::string paper_of(const std::string& experiment);

/// Returns the experiments of that paper, or all if it is empty. Throws InputError that names
/// --paper and the papers.
std::vector<std::string> experiments_of(const std::string& paper);

}  // namespace spca
