#pragma once

#include <string>
#include <vector>

namespace spca {

/// Returns the folder that contains an experiment: "spannogram" for "spannogram/spiked", "" if
/// there is none. Experiments of one paper share a folder.
std::string paper_of(const std::string& experiment);

/// Returns the experiments of `paper`, or all experiments if `paper` is empty. Throws InputError
/// that names --paper and lists the papers.
std::vector<std::string> experiments_of(const std::string& paper);

}  // namespace spca
