#pragma once

/// S from what another language has in memory. This header needs the standard library alone, so
/// that a package which is compiled elsewhere shares no class of Eigen with the library.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace spca {
struct Dataset;
}

namespace spca::calls {

using Index = std::ptrdiff_t;
using Json = nlohmann::ordered_json;

/// Data that were read once and may be solved many times.
struct Data {
  std::shared_ptr<const Dataset> dataset;
  double reading_seconds = 0;  // wall time until S was there
};

/// What is done to X, and how messages call it. Throws InputError as make_covariance does; messages
/// open with `what`.
struct Preparation {
  bool centered = true;
  std::string scale = "n";  // S = X'X / n; "n-1" and "none" are the others
  /// Each column is divided by its own number, which is not zero; empty: by none.
  std::vector<double> divisors = {};
  std::vector<std::string> names = {};  // of the variables; empty if they have none
  std::string what = "x";
};

enum class Number { kDouble, kFloat };

/// Where the numbers of a dense matrix lie. Strides are in bytes, and may be negative.
struct DenseView {
  const void* begin = nullptr;
  Number number = Number::kDouble;
  Index rows = 0, columns = 0;
  Index row_stride = 0, column_stride = 0;
};

/// One of the three arrays of a sparse matrix.
template <class Type>
struct Numbers {
  const Type* begin = nullptr;
  Index count = 0;
};

/// A sparse matrix by its rows (CSR) or columns (CSC). Indices of each ascend and do not repeat,
/// which is checked.
template <class Whole>
struct Compressed {
  Numbers<double> values;
  Numbers<Whole> indices, starts;
  Index n = 0, p = 0;
  bool by_columns = false;
};

/// Returns true if a column with entries from `least` to `largest` is constant but for rounding, as
/// `spca solve --standardize` has it.
bool is_constant(double least, double largest);

/// X dense, n x p. One copy is made, which is centred and scaled in its place.
Data dense_data(const DenseView& x, const Preparation& how);
/// X sparse, n x p. It is never filled. One copy by rows and one by columns are made and kept.
/// Defined for indices of 32 and 64 bits.
template <class Whole>
Data sparse_data(const Compressed<Whole>& x, const Preparation& how);
/// The same for rows that are used where they are: `owner` keeps them, and they must not change.
/// They are copied if they are centred and have large means. There are no divisors.
Data mapped_rows(const Compressed<std::int32_t>& x, std::shared_ptr<const void> owner,
                 const Preparation& how);
/// A dense matrix without missing values, by columns, and what was done about them.
struct CompleteData {
  std::vector<double> values;
  Index rows = 0, columns = 0;
  std::vector<std::string> variable_names,
      sample_names;                // of what is left; empty if none are given
  std::vector<std::string> notes;  // a line for each thing that was done
};
/// Settles NaN as `spca solve --missing` does. Throws InputError that opens with `what`: for NaN if
/// `missing` is "error", for another word than that option takes, and if nothing would be left.
CompleteData without_missing(const DenseView& x, const std::string& missing,
                             std::vector<std::string> variable_names,
                             std::vector<std::string> sample_names, const std::string& what);

/// S itself, p x p. Of `how`, the names and `what` count.
Data covariance_data(const DenseView& s, const Preparation& how);
/// A registered data set. `seed` is as in `spca solve --seed`. Empty `data_folder`: the default
/// one.
Data named_data(const std::string& name, const Json& options, std::uint64_t seed,
                const std::string& data_folder);

/// What there is to know of data, without a class of the library.
struct Shape {
  Index n = 0, p = 0;  // n is 0 if S itself was given
  double total_variance = 0;
  std::vector<std::string> names;
  std::vector<std::string> notes = {};  // what was found out about the data, one line each
};
Shape shape_of(const Data& data);

}  // namespace spca::calls
