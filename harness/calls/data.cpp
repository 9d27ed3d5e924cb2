#include "harness/calls/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/answers/derived_seed.h"
#include "harness/instances/instance_data.h"
#include "spca/base/error.h"
#include "spca/covariance/column_shifts.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/content/naming.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"
#include "spca/data/files/missing_values.h"
#include "spca/data/files/read_dataset.h"
#include "spca/solving/budget.h"

namespace spca::calls {
namespace {

template <class Type>
void copy_block(const DenseView& view, Index first_row, Index last_row, Index first, Index last,
                Matrix& out) {
  for (Index j = first; j < last; ++j) {
    const char* from =
        static_cast<const char*>(view.begin) + j * view.column_stride + first_row * view.row_stride;
    double* to = out.col(j).data() + first_row;
    for (Index i = first_row; i < last_row; ++i, from += view.row_stride) {
      *to++ = static_cast<double>(*reinterpret_cast<const Type*>(from));
    }
  }
}

template <class Type>
Matrix copied_as(const DenseView& view) {
  Matrix out(view.rows, view.columns);
  // The caller's matrix may be stored by rows, the copy is stored by columns. Copying by blocks
  // keeps the lines of both in the cache.
  constexpr Index kRows = 256, kColumns = 16;
  for (Index i = 0; i < view.rows; i += kRows) {
    for (Index j = 0; j < view.columns; j += kColumns) {
      copy_block<Type>(view, i, std::min(i + kRows, view.rows), j,
                       std::min(j + kColumns, view.columns), out);
    }
  }
  return out;
}

Matrix copied(const DenseView& view) {
  return view.number == Number::kFloat ? copied_as<float>(view) : copied_as<double>(view);
}

/// Checks the arrays, because Eigen checks none of its 32-bit indices.
template <class Whole>
void check_compressed(const Compressed<Whole>& x) {
  constexpr Index kMostIndexed = std::numeric_limits<int>::max();
  const Index outer = x.by_columns ? x.p : x.n, inner = x.by_columns ? x.n : x.p;
  if (outer > kMostIndexed - 1 || inner > kMostIndexed || x.values.count > kMostIndexed) {
    throw InputError(fmt::format(
        "the sparse data have {} x {} entries, {} of them stored; accepted: at most {} each", outer,
        inner, x.values.count, kMostIndexed));
  }
  const bool is_framed = x.starts.count == outer + 1 && x.indices.count == x.values.count &&
                         x.starts.begin[0] == 0 && x.starts.begin[outer] == x.values.count;
  if (!is_framed || !std::is_sorted(x.starts.begin, x.starts.begin + x.starts.count)) {
    throw InputError("the sparse data are malformed: indptr does not ascend from 0 to nnz");
  }
  for (Index i = 0; i < outer; ++i) {
    Index before = -1;
    for (Index entry = x.starts.begin[i]; entry < x.starts.begin[i + 1]; ++entry) {
      const Index index = x.indices.begin[entry];
      if (index <= before || index >= inner) {
        throw InputError(fmt::format(
            "the sparse data are malformed: index {} in place {}; accepted: ascending, 0 to {}",
            index, i, inner - 1));
      }
      before = index;
    }
  }
}

/// Returns a copy with 32-bit indices in the same order.
template <class Whole>
SparseRows by_rows(const Compressed<Whole>& x) {
  SparseRows rows(x.n, x.p);
  rows.resizeNonZeros(x.values.count);
  std::copy_n(x.values.begin, x.values.count, rows.valuePtr());
  std::transform(x.indices.begin, x.indices.begin + x.indices.count, rows.innerIndexPtr(),
                 [](Whole index) { return static_cast<int>(index); });
  std::transform(x.starts.begin, x.starts.begin + x.starts.count, rows.outerIndexPtr(),
                 [](Whole start) { return static_cast<int>(start); });
  return rows;
}

/// Returns the rows of a matrix that is given by columns. The columns are visited in order, so that
/// the indices of each row ascend.
template <class Whole>
SparseRows rows_of_columns(const Compressed<Whole>& x) {
  SparseRows rows(x.n, x.p);
  rows.resizeNonZeros(x.values.count);
  int* const starts = rows.outerIndexPtr();
  std::fill_n(starts, x.n + 1, 0);
  for (Index entry = 0; entry < x.indices.count; ++entry) {
    ++starts[x.indices.begin[entry] + 1];
  }
  for (Index i = 0; i < x.n; ++i) {
    starts[i + 1] += starts[i];
  }
  std::vector<int> next(starts, starts + x.n);
  for (Index j = 0; j < x.p; ++j) {
    for (Index entry = x.starts.begin[j]; entry < x.starts.begin[j + 1]; ++entry) {
      const int position = next[static_cast<std::size_t>(x.indices.begin[entry])]++;
      rows.innerIndexPtr()[position] = static_cast<int>(j);
      rows.valuePtr()[position] = x.values.begin[entry];
    }
  }
  return rows;
}

/// Checks that there is one divisor for each variable, or none.
void check_divisors(const Preparation& how, Index variables) {
  SPCA_CHECK(how.divisors.empty() || std::ssize(how.divisors) == variables,
             "not one divisor for each variable");
}

/// Divides the columns. If they are to be centred, first shifts those with a large mean
/// (column_shifts.h): otherwise the quotients would be rounded at the magnitude of the mean.
void divide(Matrix& x, const Preparation& how) {
  check_divisors(how, x.cols());
  for (std::size_t i = 0; i < how.divisors.size(); ++i) {
    auto column = x.col(static_cast<Index>(i));
    if (how.centered) {
      column.array() -= shift_of_dense(column);
    }
    column /= how.divisors[i];
  }
}

void divide(SparseRows& x, const Preparation& how) {
  check_divisors(how, x.cols());
  if (how.divisors.empty()) {
    return;
  }
  if (how.centered) {
    shift_large_means(x);
  }
  for (Index entry = 0; entry < x.nonZeros(); ++entry) {
    x.valuePtr()[entry] /= how.divisors[static_cast<std::size_t>(x.innerIndexPtr()[entry])];
  }
}

DataForm form_of(const Preparation& how) {
  try {
    return {.centered = how.centered,
            .scale = scale_from_name(how.scale),
            .standardized = how.standardized};
  } catch (const InputError&) {
    throw InputError(
        fmt::format("scale: found \"{}\"; accepted: \"n\", \"n-1\", \"none\"", how.scale));
  }
}

Data made(const Preparation& how, const std::function<std::shared_ptr<const Covariance>()>& make) {
  const Budget clock;
  Dataset dataset;
  try {
    dataset.covariance = make();
    check_variances(*dataset.covariance);
  } catch (const InputError& error) {
    throw InputError(how.what + ": " + error.what());
  }
  dataset.variable_names = how.names;
  if (dataset.covariance->samples() > 0 && how.divisors.empty() && !how.standardized) {
    for (const std::string& note :
         {dominant_variable_note(
              dataset,
              "if it is not a measurement, leave it out, or bring the columns to one scale"),
          dominant_pair_note(dataset, "if units differ, bring the columns to one scale")}) {
      if (!note.empty()) {
        dataset.notes.push_back(fmt::format("{}: {}", how.what, note));
      }
    }
  }
  return {std::make_shared<const Dataset>(std::move(dataset)), clock.elapsed_seconds()};
}

}  // namespace

bool is_constant(double least, double largest) { return spca::is_constant(least, largest); }

Data dense_data(const DenseView& x, const Preparation& how) {
  const DataForm form = form_of(how);
  return made(how, [&] {
    Matrix copy = copied(x);
    divide(copy, how);
    return make_covariance(std::move(copy), form);
  });
}

template <class Whole>
Data sparse_data(const Compressed<Whole>& x, const Preparation& how) {
  const DataForm form = form_of(how);
  return made(how, [&] {
    check_compressed(x);
    SparseRows rows = x.by_columns ? rows_of_columns(x) : by_rows(x);
    divide(rows, how);
    return make_covariance(rows.markAsRValue(), form);  // std::move would copy in Eigen 3.4
  });
}
template Data sparse_data(const Compressed<std::int32_t>& x, const Preparation& how);
template Data sparse_data(const Compressed<std::int64_t>& x, const Preparation& how);

Data mapped_rows(const Compressed<std::int32_t>& x, std::shared_ptr<const void> owner,
                 const Preparation& how) {
  SPCA_CHECK(!x.by_columns && how.divisors.empty(), "only rows are used where they are");
  const DataForm form = form_of(how);
  return made(how, [&] {
    check_compressed(x);
    return make_mapped_covariance(
        {x.n, x.p, x.values.count, x.starts.begin, x.indices.begin, x.values.begin},
        std::move(owner), form);
  });
}

CompleteData without_missing(const DenseView& x, const std::string& missing,
                             std::vector<std::string> variable_names,
                             std::vector<std::string> sample_names, const std::string& what) {
  FileContent content{.dense = copied(x), .variable_names = std::move(variable_names)};
  content.sample_names = std::move(sample_names);
  const Missing how = missing_from_name(missing);
  naming(what, [&] { settle_missing(how, content); });
  const Matrix& kept = content.dense;
  return {.values = {kept.data(), kept.data() + kept.size()},
          .rows = kept.rows(),
          .columns = kept.cols(),
          .variable_names = std::move(content.variable_names),
          .sample_names = std::move(content.sample_names),
          .notes = std::move(content.notes)};
}

Data covariance_data(const DenseView& s, const Preparation& how) {
  return made(how, [&] { return make_explicit_covariance(copied(s)); });
}

Data named_data(const std::string& name, const Json& options, std::uint64_t seed,
                const std::string& data_folder) {
  const DatasetEntry& entry = DatasetRegistry::instance().get(name, "name");
  const Json complete = entry.complete_options(options, "options");
  const Budget clock;
  const DatasetRequest request = {.data_dir = data_directory(data_folder),
                                  .seed = derived_seed(seed, "data")};
  Dataset dataset = entry.load(complete, request);
  return {.dataset = std::make_shared<const Dataset>(std::move(dataset)),
          .reading_seconds = clock.elapsed_seconds(),
          .origin = std::make_shared<const DataOrigin>(origin_of(entry, complete, request))};
}

Shape shape_of(const Data& data) {
  const Covariance& covariance = *data.dataset->covariance;
  return {.n = covariance.samples(),
          .p = covariance.variables(),
          .total_variance = covariance.total_variance(),
          .names = data.dataset->variable_names,
          .notes = data.dataset->notes};
}

}  // namespace spca::calls
