#pragma once

/// Forms S from arrays in the memory of another language. This header needs only the standard
/// library and the forward declarations of nlohmann/json, so that a package that is compiled
/// elsewhere shares no Eigen class with the library.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace spca {
struct DataOrigin;
struct Dataset;
}  // namespace spca

namespace spca::calls {

using Index = std::ptrdiff_t;
using Json = nlohmann::ordered_json;

/// Data that are read once and may be solved many times.
struct Data {
  std::shared_ptr<const Dataset> dataset;
  double reading_seconds = 0;  // wall time of reading the data and forming S
  /// The origin of a registered data set, which may have instances; null for arrays.
  std::shared_ptr<const DataOrigin> origin = nullptr;
};

/// The preparation of X and its name in messages. The functions below throw InputError as
/// make_covariance does; messages begin with `what`, or with "scale" if that is an unknown word.
struct Preparation {
  bool centered = true;
  std::string scale = "n";    // S = X'X / n; other values: "n-1" and "none"
  bool standardized = false;  // DataForm::standardized
  /// One nonzero divisor for each column, or empty for none.
  std::vector<double> divisors = {};
  std::vector<std::string> names = {};  // names of the variables; empty if there are none
  std::string what = "x";
};

enum class Number { kDouble, kFloat };

/// The memory of a dense matrix. Strides are in bytes and may be negative.
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

/// A sparse matrix by its rows (CSR) or columns (CSC). The indices within each row or column must
/// ascend strictly, which is checked.
template <class Whole>
struct Compressed {
  Numbers<double> values;
  Numbers<Whole> indices, starts;
  Index n = 0, p = 0;
  bool by_columns = false;
};

/// Returns true if a column with entries from `least` to `largest` is constant up to rounding, by
/// the rule of `spca solve --standardize`.
bool is_constant(double least, double largest);

/// Takes a dense X, n x p. Makes one copy, which is centred and scaled in place.
Data dense_data(const DenseView& x, const Preparation& how);
/// Takes a sparse X, n x p, and never makes it dense. Makes and keeps one copy by rows and one by
/// columns. Defined for indices of 32 and 64 bits.
template <class Whole>
Data sparse_data(const Compressed<Whole>& x, const Preparation& how);
/// Like sparse_data, but uses the rows where they lie: `owner` keeps the arrays alive, and nothing
/// may change them. The rows are copied if they are to be centred and have large means. Divisors
/// are not accepted.
Data mapped_rows(const Compressed<std::int32_t>& x, std::shared_ptr<const void> owner,
                 const Preparation& how);
/// A dense matrix by columns without missing values, with notes on how missing values were treated.
struct CompleteData {
  std::vector<double> values;
  Index rows = 0, columns = 0;
  std::vector<std::string> variable_names,
      sample_names;                // names of the samples that remain; empty if none are given
  std::vector<std::string> notes;  // one line for each change
};
/// Handles NaN by the rule of `spca solve --missing`. Throws InputError whose message begins with
/// `what` if there is a NaN and `missing` is "error", or if nothing would remain. For an unknown
/// word in `missing` the message begins with "missing".
CompleteData without_missing(const DenseView& x, const std::string& missing,
                             std::vector<std::string> variable_names,
                             std::vector<std::string> sample_names, const std::string& what);

/// Takes S itself, p x p. Only `names` and `what` of `how` are used.
Data covariance_data(const DenseView& s, const Preparation& how);
/// Loads a registered data set. `seed` has the meaning of `spca solve --seed`. An empty
/// `data_folder` means the default folder.
Data named_data(const std::string& name, const Json& options, std::uint64_t seed,
                const std::string& data_folder);

/// The size and notes of data, without a class of the library.
struct Shape {
  Index n = 0, p = 0;  // n is 0 if S itself was given
  double total_variance = 0;
  std::vector<std::string> names;
  std::vector<std::string> notes = {};  // notes on the data, one line each
};
Shape shape_of(const Data& data);

}  // namespace spca::calls
