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
/// reproduce nothing, so they belong to no paper.
inline constexpr const char* kInstancesFolder = "instances";

/// Returns the experiments in the folder `paper`, those in no folder if `paper` is kWithoutPaper,
/// or all if it is empty. Experiments of kInstancesFolder are never returned. Throws InputError
/// that names --paper and lists the papers if `paper` is not empty and has no experiment.
std::vector<std::string> experiments_of(const std::string& paper);

/// Throws InputError that names --paper if `name` is a paper and neither an experiment nor a file.
void require_no_paper(const std::string& name);

}  // namespace spca
