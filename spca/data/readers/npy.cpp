#include "spca/data/readers/npy.h"

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/data/content/byte_stream.h"
#include "spca/data/content/file_content.h"
#include "spca/data/readers/npy_array.h"
#include "spca/data/readers/read_rows.h"

namespace spca {

namespace {

void check_shape(const NpyArray& array, const std::string& name) {
  const std::vector<std::int64_t>& shape = array.shape();
  if (array.is_text() || shape.size() != 2 || shape[0] < 1 || shape[1] < 1) {
    throw InputError(
        fmt::format("{}: found {} of shape {}; accepted: numbers in two dimensions, samples and "
                    "variables, each at least 1",
                    name, array.is_text() ? "text" : "an array", array.shape_text()));
  }
}

}  // namespace

RowsOfFile read_array_rows(ByteSource& source, const RowShare& share) {
  NpyArray array(source);
  check_shape(array, source.name());
  const Index n = array.shape()[0];
  const Index p = array.shape()[1];
  RowsOfFile rows;
  rows.samples = n;
  rows.held = share.of(n);
  const Index before = rows.held.first;
  const Index count = rows.held.count();
  const Index behind = n - rows.held.last;
  Matrix& dense = rows.content.dense;
  dense.resize(count, p);
  if (array.is_by_columns()) {
    for (Index j = 0; j < p; ++j) {
      array.skip(before);
      array.read(count, dense.col(j).data());
      array.skip(behind);
    }
  } else {
    array.skip(before * p);
    Vector row(p);
    for (Index i = 0; i < count; ++i) {
      array.read(p, row.data());
      dense.row(i) = row.transpose();
    }
    array.skip(behind * p);
  }
  array.finish();
  if (array.has_large_integers()) {
    rows.content.notes.push_back("integers beyond 2^53 are rounded to 53 bits");
  }
  return rows;
}

RowsOfFile read_npy_rows(const std::filesystem::path& path, const RowShare& share) {
  ByteStream stream(path);
  return read_array_rows(stream, share);
}

FileContent read_npy(const std::filesystem::path& path) { return read_npy_rows(path, {}).content; }

}  // namespace spca
