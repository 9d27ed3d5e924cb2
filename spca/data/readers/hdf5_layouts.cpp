#include "spca/data/readers/hdf5_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// At most this number of names are listed in an error.
constexpr std::size_t kMostListed = 20;
/// At most this number of members at the top of the file are searched for a single matrix.
constexpr std::size_t kMostAtTop = 10000;

bool has_sets(hid_t file, const std::string& group, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return is_hdf5_set(file, group + "/" + name);
  });
}

std::string matlab_class(hid_t file, const std::string& path) {
  return text_attribute(file, path, "MATLAB_class");
}

bool is_numeric_class(const std::string& name) {
  static constexpr std::array<std::string_view, 11> kNumeric = {
      "double", "single", "int8",  "uint8",  "int16",  "uint16",
      "int32",  "uint32", "int64", "uint64", "logical"};
  return std::find(kNumeric.begin(), kNumeric.end(), name) != kNumeric.end();
}

bool is_loom(hid_t file) {
  return is_hdf5_group(file, "/row_attrs") && is_hdf5_group(file, "/col_attrs") &&
         is_hdf5_set(file, "/matrix");
}

std::optional<Hdf5Kind> kind_of_group(hid_t file, const std::string& path) {
  if (!whole_attribute(file, path, "MATLAB_sparse", 1).empty()) {
    return Hdf5Kind::kMatlabSparse;
  }
  const std::string encoding = text_attribute(file, path, "encoding-type");
  const std::string format = text_attribute(file, path, "h5sparse_format");
  if (encoding == "csr_matrix" || encoding == "csc_matrix" || format == "csr" || format == "csc") {
    return Hdf5Kind::kAnnData;
  }
  if (has_sets(file, path, {"data", "indices", "indptr", "shape", "barcodes"})) {
    return Hdf5Kind::kTenX;
  }
  return std::nullopt;
}

std::optional<Hdf5Kind> kind_of_set(hid_t file, const std::string& path) {
  const std::string matlab = matlab_class(file, path);
  if (sizes_of_numbers(file, path).size() != 2 || (!matlab.empty() && !is_numeric_class(matlab))) {
    return std::nullopt;
  }
  if (!matlab.empty()) {
    return Hdf5Kind::kMatlab;
  }
  const bool is_in_loom = path == "/matrix" || path.starts_with("/layers/");
  return is_in_loom && is_loom(file) ? Hdf5Kind::kLoom : Hdf5Kind::kPlain;
}

/// Returns the kind of the matrix at the path, or nothing if there is no matrix.
std::optional<Hdf5Kind> kind_of(hid_t file, const std::string& path) {
  if (is_hdf5_group(file, path)) {
    return kind_of_group(file, path);
  }
  return is_hdf5_set(file, path) ? kind_of_set(file, path) : std::nullopt;
}

/// Adds the matrices in a group and below, each as its path without the leading /. The depth is
/// limited, because a link may lead back to a group above.
void add_matrices(hid_t file, const std::string& group, int depth,
                  std::vector<std::string>& matrices) {
  for (const std::string& name : members_of(file, group.empty() ? "/" : group, kMostListed)) {
    const std::string path = group + "/" + name;
    if (matrices.size() == kMostListed) {
      return;
    }
    if (name.starts_with('#')) {
      continue;  // internal to MATLAB
    }
    if (kind_of(file, path)) {
      matrices.push_back(path.substr(1));
    } else if (depth > 0 && is_hdf5_group(file, path)) {
      add_matrices(file, path, depth - 1, matrices);
    }
  }
}

/// Returns the text of a message on the paths that are accepted: the matrices of the file, if any.
std::string accepted_paths(hid_t file) {
  constexpr int kDepth = 3;
  std::vector<std::string> matrices;
  add_matrices(file, "", kDepth, matrices);
  return matrices.empty() ? "a file with a matrix of numbers"
                          : fmt::format("FILE:MATRIX, where MATRIX is one of {}", join(matrices));
}

[[noreturn]] void refuse_place(hid_t file, const std::string& path) {
  const std::string matlab = matlab_class(file, path);
  if (is_numeric_class(matlab)) {
    NumberSet(file, path).check_numbers(2, Accepted::kWholeOrFloating);
  }
  if (!matlab.empty()) {
    throw InputError(fmt::format("{} is of MATLAB's class {}; accepted: {}", in_quotes(path),
                                 in_quotes(matlab), accepted_paths(file)));
  }
  if (is_hdf5_group(file, path)) {
    throw InputError(fmt::format(
        "{} is a group with the encoding-type {}; accepted: a group of the encoding csr_matrix or "
        "csc_matrix, as AnnData writes it, one of 10x Genomics, or {}",
        in_quotes(path), in_quotes(text_attribute(file, path, "encoding-type")),
        accepted_paths(file)));
  }
  NumberSet(file, path).check_numbers(2, Accepted::kWholeOrFloating);
  throw InputError(
      fmt::format("{} is not a matrix; accepted: {}", in_quotes(path), accepted_paths(file)));
}

/// Returns true for a MATLAB scalar or vector, which is stored with two dimensions like a matrix.
bool is_vector(hid_t file, const std::string& path, Hdf5Kind kind) {
  const std::vector<hsize_t> sizes =
      kind == Hdf5Kind::kMatlab ? sizes_of_numbers(file, path) : std::vector<hsize_t>();
  return !sizes.empty() && *std::min_element(sizes.begin(), sizes.end()) < 2;
}

}  // namespace

Hdf5Matrix choose_hdf5_matrix(hid_t file, const std::string& wanted) {
  if (!wanted.empty()) {
    const std::string path = wanted.starts_with('/') ? wanted : "/" + wanted;
    if (!is_hdf5_set(file, path) && !is_hdf5_group(file, path)) {
      throw InputError(fmt::format("is not in the file; accepted: {}", accepted_paths(file)));
    }
    const std::optional<Hdf5Kind> kind = kind_of(file, path);
    if (!kind) {
      refuse_place(file, path);
    }
    return {.path = path, .kind = *kind};
  }
  if (is_hdf5_set(file, "/X") || is_hdf5_group(file, "/X")) {
    return choose_hdf5_matrix(file, "/X");
  }
  if (is_loom(file)) {
    return {.path = "/matrix", .kind = Hdf5Kind::kLoom};
  }
  // Data sets of one dimension and MATLAB's vectors are skipped, because labels often accompany the
  // matrix.
  std::vector<Hdf5Matrix> matrices;
  std::vector<std::string> others;
  for (const std::string& name : members_of(file, "/", kMostAtTop)) {
    const std::string path = "/" + name;
    const std::optional<Hdf5Kind> kind = kind_of(file, path);
    if (kind && !is_vector(file, path, *kind)) {
      matrices.push_back({.path = path, .kind = *kind});
    } else if (!kind && is_hdf5_set(file, path)) {
      others.push_back(path);
    }
  }
  if (matrices.size() == 1) {
    return matrices[0];
  }
  if (has_sets(file, "", {"barcode_idx", "count"})) {
    throw InputError(
        "is molecule_info.h5 of 10x Genomics, which lists molecules; accepted: the matrix of the "
        "same run, filtered_feature_bc_matrix.h5");
  }
  const std::string places = accepted_paths(file);
  if (matrices.empty() && others.size() == 1 && places.find("MATRIX") == std::string::npos) {
    refuse_place(file, others[0]);
  }
  throw InputError(
      fmt::format("has no X and {} matrices at its top; accepted: {}", matrices.size(), places));
}

Hdf5Names names_beside(hid_t file, const Hdf5Matrix& matrix) {
  const std::string& path = matrix.path;
  switch (matrix.kind) {
    case Hdf5Kind::kTenX:
      return {.of_variables = {path + "/features/name", path + "/gene_names", path + "/features/id",
                               path + "/genes"},
              .of_samples = {path + "/barcodes"}};
    case Hdf5Kind::kLoom:
      return {.of_variables = {"/row_attrs/Gene", "/row_attrs/Accession"},
              .of_samples = {"/col_attrs/CellID"}};
    case Hdf5Kind::kMatlab:
    case Hdf5Kind::kMatlabSparse:
      return {};
    default: {
      // Returns the path of the names: the attribute _index of AnnData's groups var and obs says
      // which member holds them.
      const auto index_of = [&](const std::string& group) {
        if (is_hdf5_set(file, group)) {
          return std::vector<std::string>{group};  // records, as AnnData wrote them before 0.7
        }
        const std::string index =
            is_hdf5_group(file, group) ? text_attribute(file, group, "_index") : "";
        return std::vector<std::string>{group + "/" + (index.empty() ? "_index" : index)};
      };
      return {.of_variables = index_of(path.starts_with("/raw/") ? "/raw/var" : "/var"),
              .of_samples = index_of("/obs")};
    }
  }
}

}  // namespace spca
