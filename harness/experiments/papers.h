#pragma once

#include <string>
#include <vector>

namespace spca {

/// Returns the folder that contains an experiment: "spannogram" for "spannogram/spiked", "" if
/// there is none. Experiments of one paper share a folder.
std::string paper_of(const std::string& experiment);

/// The name for the experiments that are in no folder.
inline constexpr const char* kWithoutPaper = "others";

/// The folder of the experiments that choose and prove instances (harness/instances). They
/// reproduce nothing, so that they belong to no paper.
inline constexpr const char* kInstancesFolder = "instances";

/// Returns the experiments of `paper`, or those of all papers and of none if `paper` is empty; of
/// kWithoutPaper those that are in no folder. Experiments of kInstancesFolder are never returned.
/// Throws InputError that names --paper and lists the papers.
std::vector<std::string> experiments_of(const std::string& paper);

/// Throws InputError that names --paper if `name` is a paper and no experiment or file.
void require_no_paper(const std::string& name);

}  // namespace spca
