#pragma once

/// NumPy's .npy format: magic, version, length of the header, header (a Python dictionary), data.

#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/data/content/byte_source.h"
#include "spca/data/content/rows_of_file.h"
#include "spca/data/readers/read_rows.h"

namespace spca {

/// One array, of version 1 to 3: booleans, integers of 1 to 8 bytes or floating point numbers of 2,
/// 4 or 8 bytes, in either byte order; or text of fixed length.
class NpyArray {
 public:
  /// Reads the header. Throws InputError for another type, and for a source that is too short for
  /// the shape. `source` must outlive the array.
  explicit NpyArray(ByteSource& source);

  /// The size of each dimension; none for a single item.
  const std::vector<std::int64_t>& shape() const { return shape_; }
  /// Returns the shape as NumPy writes it: (2, 3), (6,) or ().
  std::string shape_text() const;
  /// The number of items.
  std::int64_t count() const { return count_; }
  bool is_by_columns() const { return is_fortran_; }
  bool is_integer() const { return kind_ == 'i' || kind_ == 'u'; }
  bool is_text() const { return kind_ == 'S' || kind_ == 'U'; }

  /// Reads the next `count` numbers in the order of the file. Integers beyond 2^53 are rounded.
  void read(std::int64_t count, double* out);
  /// Returns true if read() met integers of 2^53 or more.
  bool has_large_integers() const { return has_large_integers_; }
  /// Skips the next `count` items.
  void skip(std::int64_t count);
  /// Reads the only item of an array of text. Only ASCII is converted correctly; most letters above
  /// U+00FF become '?'.
  std::string read_text();
  /// Throws InputError if bytes follow the last item.
  void finish();

 private:
  void read_header();
  void parse_type(std::string_view value);
  void parse_shape(std::string_view value);
  void read_exactly(char* out, std::size_t size, const char* what);
  std::string_view dictionary_value(std::string_view header, std::string_view key) const;
  [[noreturn]] void fail(const std::string& message) const;

  ByteSource& source_;
  char kind_ = 0;               // b, i, u, f, S or U
  std::size_t item_bytes_ = 0;  // of an item
  bool is_swapped_ = false;
  bool is_fortran_ = false;
  bool has_large_integers_ = false;
  std::vector<std::int64_t> shape_;
  std::int64_t count_ = 1;
  std::vector<char> buffer_;
};

/// Reads the rows of `share` from the array of a source (npy.cpp). Throws InputError unless the
/// array has numbers in two dimensions, each at least 1.
RowsOfFile read_array_rows(ByteSource& source, const RowShare& share);

}  // namespace spca
