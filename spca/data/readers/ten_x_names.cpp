#include "spca/data/readers/ten_x_names.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

#include "spca/base/error.h"
#include "spca/data/content/byte_stream.h"

namespace spca {
namespace {

/// Returns the path, plain or with .gz; empty if neither file exists.
std::filesystem::path find_plain_or_gz(const std::filesystem::path& path) {
  std::error_code error;
  for (const char* ending : {"", ".gz"}) {
    std::filesystem::path file = path.string() + ending;
    if (std::filesystem::is_regular_file(file, error)) {
      return file;
    }
  }
  return {};
}

/// Returns field number `wanted`, from 0, of each line, or the last field of a shorter line.
std::vector<std::string> read_column(const std::filesystem::path& path, int wanted) {
  std::vector<std::string> names;
  Lines lines(path);
  for (std::string_view line; lines.next(line);) {
    for (int field = 0; field < wanted && line.find('\t') != std::string_view::npos; ++field) {
      line.remove_prefix(line.find('\t') + 1);
    }
    names.emplace_back(line.substr(0, line.find('\t')));
  }
  while (!names.empty() && names.back().empty()) {
    names.pop_back();
  }
  return names;
}

}  // namespace

TenXFiles ten_x_files(const std::filesystem::path& matrix) {
  const std::string name = matrix.filename().string();
  for (const std::string_view ending : {"matrix.mtx", "matrix.mtx.gz"}) {
    if (name.ends_with(ending)) {
      const std::string before = name.substr(0, name.size() - ending.size());
      const auto beside = [&](const char* what) {
        return find_plain_or_gz(matrix.parent_path() / (before + what));
      };
      const std::filesystem::path features = beside("features.tsv");
      return {.features = features.empty() ? beside("genes.tsv") : features,
              .barcodes = beside("barcodes.tsv")};
    }
  }
  // The Expression Atlas of EBI calls the files of names NAME.mtx_rows and NAME.mtx_cols.
  const std::string path = matrix.string();
  const std::string plain = path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
  if (plain.ends_with(".mtx")) {
    return {.features = find_plain_or_gz(plain + "_rows"),
            .barcodes = find_plain_or_gz(plain + "_cols")};
  }
  return {};
}

std::string feature_types_note(const std::vector<std::string>& types) {
  const std::set<std::string> different(types.begin(), types.end());
  return different.size() < 2 ? ""
                              : fmt::format("has features of {} types: {}", different.size(),
                                            join({different.begin(), different.end()}));
}

bool set_ten_x_names(const std::filesystem::path& matrix, Index rows, Index columns,
                     FileContent& content) {
  const TenXFiles files = ten_x_files(matrix);
  if (files.features.empty() && files.barcodes.empty()) {
    return false;
  }
  if (files.features.empty() || files.barcodes.empty()) {
    content.notes.push_back(
        fmt::format("{} lies beside it, and no {}: its rows are taken as samples, without names",
                    (files.features.empty() ? files.barcodes : files.features).filename().string(),
                    files.features.empty() ? "features.tsv or genes.tsv" : "barcodes.tsv"));
    return false;
  }
  std::vector<std::string> features = read_column(files.features, 1);  // identifier, name, ...
  std::vector<std::string> barcodes = read_column(files.barcodes, 0);
  const bool has_genes_as_rows = rows == std::ssize(features) && columns == std::ssize(barcodes);
  if (!has_genes_as_rows && (columns != std::ssize(features) || rows != std::ssize(barcodes))) {
    throw InputError(fmt::format(
        "{}: has {} rows and {} columns, and beside it lie {} name{} of genes ({}) and {} "
        "barcode{} ({}); accepted: one name for each, or a matrix without them in its "
        "folder",
        matrix.string(), rows, columns, features.size(), features.size() == 1 ? "" : "s",
        files.features.filename().string(), barcodes.size(), barcodes.size() == 1 ? "" : "s",
        files.barcodes.filename().string()));
  }
  content.notes.push_back(fmt::format(
      "is a matrix of {} with {} beside it: read as {} samples (barcodes) and {} "
      "variables (genes), {}",
      files.features.string().find(".mtx_rows") == std::string::npos ? "10x Genomics"
                                                                     : "genes and cells",
      files.features.filename().string(), barcodes.size(), features.size(),
      has_genes_as_rows ? "its rows being the genes" : "its rows being the barcodes"));
  const std::vector<std::string> types = read_column(files.features, 2);
  if (const std::string note = feature_types_note(types); !note.empty() && types != features) {
    content.notes.push_back(note);
  }
  content.variable_names = std::move(features);
  content.sample_names = std::move(barcodes);
  return has_genes_as_rows;
}

}  // namespace spca
