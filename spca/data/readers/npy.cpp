#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/data/readers/byte_stream.h"
#include "spca/data/readers/npy_array.h"
#include "spca/data/readers/readers.h"

namespace spca {

FileContent read_npy(const std::filesystem::path& path) {
  ByteStream stream(path);
  NpyArray array(stream);
  const std::vector<std::int64_t>& shape = array.shape();
  if (array.is_text() || shape.size() != 2 || shape[0] < 1 || shape[1] < 1) {
    throw InputError(
        fmt::format("{}: found {} of shape {}; accepted: numbers in two dimensions, samples and "
                    "variables, each at least 1",
                    stream.name(), array.is_text() ? "text" : "an array", array.shape_text()));
  }
  FileContent content;
  content.dense.resize(shape[0], shape[1]);
  if (array.is_by_columns()) {
    array.read(array.count(), content.dense.data());
  } else {
    Vector row(shape[1]);
    for (Index i = 0; i < shape[0]; ++i) {
      array.read(shape[1], row.data());
      content.dense.row(i) = row.transpose();
    }
  }
  array.finish();
  return content;
}

}  // namespace spca
