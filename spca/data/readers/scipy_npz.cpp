/// The format of scipy.sparse.save_npz: a zip file with the arrays of a sparse matrix as .npy.

#include "spca/data/readers/scipy_npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/compressed_arrays.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/naming.h"
#include "spca/data/content/zip_archive.h"
#include "spca/data/readers/npy_array.h"
#include "spca/data/readers/read_rows.h"

namespace spca {
namespace {

class ScipyMembers {
 public:
  /// The range of all numbers of an array.
  static constexpr EntryRange kAll = {.first = 0, .last = std::numeric_limits<std::int64_t>::max()};

  explicit ScipyMembers(const std::filesystem::path& path) : archive_(path) {}

  std::string word(const char* member) const {
    const std::unique_ptr<ByteSource> source = open(member);
    return NpyArray(*source).read_text();
  }

  std::vector<double> numbers(const char* member, EntryRange range = kAll) const {
    const std::unique_ptr<ByteSource> source = open(member);
    NpyArray array(*source);
    return read(*source, array, range);
  }

  /// Returns the number of items of a member.
  std::int64_t length(const char* member) const {
    const std::unique_ptr<ByteSource> source = open(member);
    return NpyArray(*source).count();
  }

  /// Returns integers, limited to +-9e15: a double holds these exactly, and no index is as large.
  std::vector<std::int64_t> whole_numbers(const char* member, EntryRange range = kAll) const {
    const std::unique_ptr<ByteSource> source = open(member);
    NpyArray array(*source);
    if (!array.is_integer()) {
      throw InputError(
          fmt::format("{}: found no integers; accepted: an array of them, as "
                      "scipy.sparse.save_npz writes it",
                      source->name()));
    }
    constexpr double kLargestShape = 9e15;  // below 2^53
    std::vector<std::int64_t> result;
    for (const double number : read(*source, array, range)) {
      result.push_back(
          static_cast<std::int64_t>(std::clamp(number, -kLargestShape, kLargestShape)));
    }
    return result;
  }

  const std::string& name() const { return archive_.name(); }

 private:
  std::unique_ptr<ByteSource> open(const char* member) const {
    const ZipMember* found = archive_.find(fmt::format("{}.npy", member));
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const ZipMember& one : archive_.members()) {
        names.push_back(one.name);
      }
      throw InputError(
          fmt::format("{}: has no member {}.npy, only {}; accepted: a sparse matrix as "
                      "scipy.sparse.save_npz writes it",
                      name(), member, names.empty() ? "none" : in_quotes(join(names))));
    }
    return archive_.open(*found);
  }

  static std::vector<double> read(const ByteSource& source, NpyArray& array, EntryRange range) {
    if (array.is_text() || array.shape().size() != 1) {
      throw InputError(fmt::format("{}: found {} of shape {}; accepted: numbers in one dimension",
                                   source.name(), array.is_text() ? "text" : "numbers",
                                   array.shape_text()));
    }
    const std::int64_t last = std::min(range.last, array.count());
    const std::int64_t first = std::min(range.first, last);
    std::vector<double> result(static_cast<std::size_t>(last - first));
    array.skip(first);
    array.read(last - first, result.data());
    array.skip(array.count() - last);
    array.finish();
    return result;
  }

  ZipArchive archive_;
};

std::string sparse_format(const ScipyMembers& members) {
  const std::string format = members.word("format");
  if (format != "csr" && format != "csc" && format != "coo") {
    throw InputError(fmt::format("{}: found the sparse format {}; accepted: csr, csc, coo",
                                 members.name(), in_quotes(format)));
  }
  return format;
}

std::vector<std::int64_t> sparse_shape(const ScipyMembers& members) {
  const std::vector<std::int64_t> shape = members.whole_numbers("shape");
  if (shape.size() != 2) {
    throw InputError(fmt::format("{}: found {} dimensions; accepted: two, samples and variables",
                                 members.name(), shape.size()));
  }
  return shape;
}

}  // namespace

std::optional<RowsOfFile> read_scipy_npz_rows(const std::filesystem::path& path,
                                              const RowShare& share) {
  const ScipyMembers members(path);
  if (sparse_format(members) != "csr" || share.is_all()) {
    return std::nullopt;
  }
  const std::vector<std::int64_t> shape = sparse_shape(members);
  return naming(members.name(), [&] {
    const std::int64_t entries = members.length("data");
    check_sparse_shape(shape[0], shape[1], entries);
    CompressedArrays arrays{.by_rows = true,
                            .n = shape[0],
                            .p = shape[1],
                            .starts = members.whole_numbers("indptr"),
                            .indices = {},
                            .values = {}};
    RowsOfFile rows;
    rows.samples = shape[0];
    rows.held = share.of(shape[0]);
    const EntryRange range = entries_of_rows(arrays.starts, arrays.n, entries, rows.held);
    arrays.indices = members.whole_numbers("indices", range);
    arrays.values = members.numbers("data", range);
    rows.content.sparse = sparse_rows_of(std::move(arrays), rows.held);
    return rows;
  });
}

FileContent read_scipy_npz(const std::filesystem::path& path) {
  const ScipyMembers members(path);
  const std::string format = sparse_format(members);
  const std::vector<std::int64_t> shape = sparse_shape(members);
  std::vector<double> values = members.numbers("data");
  FileContent content;
  if (format == "coo") {
    const std::vector<std::int64_t> rows = members.whole_numbers("row");
    const std::vector<std::int64_t> columns = members.whole_numbers("col");
    content.sparse = naming(
        members.name(), [&] { return sparse_rows_of(shape[0], shape[1], rows, columns, values); });
    return content;
  }
  CompressedArrays arrays{.by_rows = format == "csr",
                          .n = shape[0],
                          .p = shape[1],
                          .starts = members.whole_numbers("indptr"),
                          .indices = members.whole_numbers("indices"),
                          .values = std::move(values)};
  content.sparse = naming(members.name(), [&] { return sparse_rows_of(std::move(arrays)); });
  return content;
}

}  // namespace spca
