#pragma once

/// Writes the identity of a cell as JSON, and derives its key and seeds. The key covers everything
/// that determines an answer: data, options, limits, and the sources that the data set and the
/// solver reach (cmake/revision.cmake). Metrics are not part of it: they can be measured again
/// without a solve.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "harness/experiments/experiment.h"
#include "spca/data/readers/read_file.h"

namespace spca {

/// Returns the part of a variant's identity that needs neither its files nor the limits of its
/// experiment. Only experiment_identity.cpp reads its members.
std::shared_ptr<const VariantIdentity> identify(const Variant& variant);
/// The present state of a data set's files.
struct DataFiles {
  std::string checksum;  // SHA-256 over all files; "" if the data set reads none
  std::set<FileFormat> formats = {};
};
/// Reads all files of the data set, each once. A missing file is part of the checksum too, because
/// the cell changes when the file appears.
DataFiles data_files(const DatasetEntry& dataset, const std::filesystem::path& data_dir);
/// Like data_files above, with the files that the options of a data set name
/// (DatasetTraits::path_options).
DataFiles data_files(const DatasetEntry& dataset, const Json& options,
                     const DatasetRequest& request);
/// Returns everything that determines the answers of a variant's cells, except seed and repeat, as
/// JSON with sorted keys.
Json variant_identity(const Experiment& experiment, const Variant& variant, const DataFiles& files);
/// The version of an identity. It must be increased when the harness changes how it answers a cell:
/// the sources of the harness are not part of an identity, so nothing else would show the
/// change.
inline constexpr int kRecordFormat = 1;
/// Returns 16 digits that identify how the metrics of a variant's records are measured: a digest of
/// the names of the metrics, the penalty that one metric takes, the sources of these metrics and of
/// the solver's laws, and everything that these sources reach. A record with other
/// digits is measured again, not solved again.
std::string metrics_source(const Variant& variant);
/// Returns whether this program has all sources that an identity names in the same version. The
/// source of a peer is not compared: it is known only after the peer's programs were started.
bool matches_current_sources(const Json& identity);
inline constexpr std::size_t kIdentityDigits = 32;
/// Returns the first 32 of the 64 hexadecimal digits of the SHA-256 of `identity`.
std::string identity_digest(const Json& identity);
/// Returns the key of a record: 32 digits of the SHA-256 of digest, seed of the experiment and
/// repeat, followed by the digest itself. Equal keys mean equal answers.
std::string cell_key(std::string_view identity_digest, std::uint64_t seed, Index repeat);
/// Returns the identity_digest with which `key` ends.
std::string_view identity_of_key(std::string_view key);
/// Returns the SHA-256 of this program's own file, or "" if the system does not show the file. In
/// an identity it stands for the source of a plugin outside this project's folders.
const std::string& program_digest();
/// Return seeds that depend on the contents of a cell and not on the revision of the sources, so
/// that a change of code does not change the draws. All solvers of one repeat see the same data.
std::uint64_t data_seed(const Experiment& experiment, const Cell& cell);
std::uint64_t solver_seed(const Experiment& experiment, const Cell& cell);
/// Returns the solver's seed of a cell with this variant_identity, in an experiment with this seed.
std::uint64_t solver_seed(const Json& identity, std::uint64_t seed, Index repeat);

}  // namespace spca
