#include "python/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/cli/data_arguments.h"
#include "python/json_value.h"
#include "spca/algebra/mapped_covariance.h"
#include "spca/base/error.h"
#include "spca/data/data_folder.h"
#include "spca/solving/budget.h"

namespace spca::python {
namespace {

namespace py = pybind11;

/// Where an array's numbers lie. Strides are in bytes, and may be negative.
struct View {
  const char* begin = nullptr;
  Index rows = 0, columns = 0;
  Index row_stride = 0, column_stride = 0;
};

template <class Number>
void copy_block(const View& view, Index first_row, Index last_row, Index first, Index last,
                Matrix& out) {
  for (Index j = first; j < last; ++j) {
    const char* from = view.begin + j * view.column_stride + first_row * view.row_stride;
    double* to = out.col(j).data() + first_row;
    for (Index i = first_row; i < last_row; ++i, from += view.row_stride) {
      *to++ = static_cast<double>(*reinterpret_cast<const Number*>(from));
    }
  }
}

template <class Number>
Matrix copied(const View& view) {
  Matrix out(view.rows, view.columns);
  // Rows of NumPy's become columns of ours. Block by block, both stay in the cache.
  constexpr Index kRows = 256, kColumns = 16;
  for (Index i = 0; i < view.rows; i += kRows) {
    for (Index j = 0; j < view.columns; j += kColumns) {
      copy_block<Number>(view, i, std::min(i + kRows, view.rows), j,
                         std::min(j + kColumns, view.columns), out);
    }
  }
  return out;
}

std::function<Matrix()> copier(const py::array& x) {
  SPCA_CHECK(x.ndim() == 2, "an array that is no matrix");
  const View view{.begin = static_cast<const char*>(x.data()),
                  .rows = x.shape(0),
                  .columns = x.shape(1),
                  .row_stride = x.strides(0),
                  .column_stride = x.strides(1)};
  if (py::isinstance<py::array_t<double>>(x)) {
    return [view] { return copied<double>(view); };
  }
  SPCA_CHECK(py::isinstance<py::array_t<float>>(x), "an array of another type");
  return [view] { return copied<float>(view); };
}

/// Makes S without the GIL. Messages open with the argument's name.
Data made(const std::string& what, std::vector<std::string> names,
          const std::function<std::shared_ptr<const Covariance>()>& make) {
  const py::gil_scoped_release others_may_run;
  const Budget clock;
  Data data;
  try {
    data.dataset.covariance = make();
  } catch (const InputError& error) {
    throw InputError(what + ": " + error.what());
  }
  data.dataset.variable_names = std::move(names);
  data.reading_seconds = clock.elapsed_seconds();
  return data;
}

DataForm form_from(bool centered, const std::string& scale) {
  try {
    return {.centered = centered, .scale = scale_from_name(scale)};
  } catch (const InputError&) {
    throw InputError(fmt::format("scale: found \"{}\"; accepted: \"n\", \"n-1\", \"none\"", scale));
  }
}

/// One of the three arrays of a sparse matrix.
template <class Whole>
struct Numbers {
  const Whole* begin;
  Index count;
};

/// A sparse matrix as it came: `outer` rows or columns, each with `inner` places.
template <class Whole>
struct Compressed {
  Numbers<double> values;
  Numbers<Whole> indices, starts;
  Index outer, inner;
};

/// Eigen's indices are of 32 bits, and it looks at none of them.
template <class Whole>
void check_compressed(const Compressed<Whole>& x) {
  constexpr Index kMost = std::numeric_limits<int>::max();
  if (x.outer > kMost - 1 || x.inner > kMost || x.values.count > kMost) {
    throw InputError(fmt::format(
        "the sparse data have {} x {} entries, {} of them stored; accepted: at most {} each",
        x.outer, x.inner, x.values.count, kMost));
  }
  const bool is_framed = x.starts.count == x.outer + 1 && x.indices.count == x.values.count &&
                         x.starts.begin[0] == 0 && x.starts.begin[x.outer] == x.values.count;
  if (!is_framed || !std::is_sorted(x.starts.begin, x.starts.begin + x.starts.count)) {
    throw InputError("the sparse data are malformed: indptr does not ascend from 0 to nnz");
  }
  for (Index i = 0; i < x.outer; ++i) {
    Index before = -1;
    for (Index entry = x.starts.begin[i]; entry < x.starts.begin[i + 1]; ++entry) {
      const Index index = x.indices.begin[entry];
      if (index <= before || index >= x.inner) {
        throw InputError(fmt::format(
            "the sparse data are malformed: index {} in place {}; accepted: ascending, 0 to {}",
            index, i, x.inner - 1));
      }
      before = index;
    }
  }
}

/// A copy with indices of 32 bits, in the same order.
template <class Whole>
SparseRows by_rows(const Compressed<Whole>& x) {
  check_compressed(x);
  SparseRows rows(x.outer, x.inner);
  rows.resizeNonZeros(x.values.count);
  std::copy_n(x.values.begin, x.values.count, rows.valuePtr());
  std::transform(x.indices.begin, x.indices.begin + x.indices.count, rows.innerIndexPtr(),
                 [](Whole index) { return static_cast<int>(index); });
  std::transform(x.starts.begin, x.starts.begin + x.starts.count, rows.outerIndexPtr(),
                 [](Whole start) { return static_cast<int>(start); });
  return rows;
}

/// A copy in the other order. Columns are passed in turn, so that each row's indices ascend.
template <class Whole>
SparseRows rows_of_columns(const Compressed<Whole>& x) {
  check_compressed(x);
  SparseRows rows(x.inner, x.outer);
  rows.resizeNonZeros(x.values.count);
  int* const starts = rows.outerIndexPtr();
  std::fill_n(starts, x.inner + 1, 0);
  for (Index entry = 0; entry < x.indices.count; ++entry) {
    ++starts[x.indices.begin[entry] + 1];
  }
  for (Index i = 0; i < x.inner; ++i) {
    starts[i + 1] += starts[i];
  }
  std::vector<int> next(starts, starts + x.inner);
  for (Index j = 0; j < x.outer; ++j) {
    for (Index entry = x.starts.begin[j]; entry < x.starts.begin[j + 1]; ++entry) {
      const int place = next[static_cast<std::size_t>(x.indices.begin[entry])]++;
      rows.innerIndexPtr()[place] = static_cast<int>(j);
      rows.valuePtr()[place] = x.values.begin[entry];
    }
  }
  return rows;
}

template <class Whole>
Compressed<Whole> compressed(const py::array_t<double>& values, const py::array& indices,
                             const py::array& starts, Index outer, Index inner) {
  return {.values = {values.data(), values.size()},
          .indices = {static_cast<const Whole*>(indices.data()), indices.size()},
          .starts = {static_cast<const Whole*>(starts.data()), starts.size()},
          .outer = outer,
          .inner = inner};
}

template <class Whole>
std::function<SparseRows()> sparse_copier(const Compressed<Whole>& x, bool by_columns) {
  return [x, by_columns] { return by_columns ? rows_of_columns(x) : by_rows(x); };
}

/// Keeps arrays alive. S may be dropped where the GIL is not held.
std::shared_ptr<const void> owner_of(std::vector<py::object> arrays) {
  return {new std::vector<py::object>(std::move(arrays)), [](const std::vector<py::object>* kept) {
            const py::gil_scoped_acquire gil;
            delete kept;
          }};
}

}  // namespace

Data dense_data(const py::array& x, bool centered, const std::string& scale,
                std::vector<std::string> names, const std::string& what) {
  const DataForm form = form_from(centered, scale);
  return made(what, std::move(names),
              [copy = copier(x), form] { return make_covariance(copy(), form); });
}

Data sparse_data(const py::array_t<double>& values, const py::array& indices,
                 const py::array& starts, Index n, Index p, bool by_columns, bool centered,
                 const std::string& scale, bool copy, std::vector<std::string> names,
                 const std::string& what) {
  const DataForm form = form_from(centered, scale);
  const bool is_short = py::isinstance<py::array_t<std::int32_t>>(indices) &&
                        py::isinstance<py::array_t<std::int32_t>>(starts);
  const Index outer = by_columns ? p : n, inner = by_columns ? n : p;
  if (is_short && !by_columns && !copy) {
    const auto x = compressed<std::int32_t>(values, indices, starts, outer, inner);
    const auto owner = owner_of({values, indices, starts});
    return made(what, std::move(names), [&] {
      check_compressed(x);
      return make_mapped_covariance(
          {n, p, x.values.count, x.starts.begin, x.indices.begin, x.values.begin}, owner, form);
    });
  }
  const auto copied =
      is_short ? sparse_copier(compressed<std::int32_t>(values, indices, starts, outer, inner),
                               by_columns)
               : sparse_copier(compressed<std::int64_t>(values, indices, starts, outer, inner),
                               by_columns);
  return made(what, std::move(names), [copied, form] { return make_covariance(copied(), form); });
}

Data covariance_data(const py::array& s, std::vector<std::string> names, const std::string& what) {
  return made(what, std::move(names),
              [copy = copier(s)] { return make_explicit_covariance(copy()); });
}

py::array_t<double> samples(const Data& data) {
  const Covariance& covariance = data.covariance();
  if (!covariance.has_data_form()) {
    throw InputError("samples: there are none, S itself was given; accepted: data");
  }
  const Index n = covariance.samples(), p = covariance.variables();
  py::array_t<double, py::array::f_style> array({n, p});
  double* const out = array.mutable_data();
  const py::gil_scoped_release others_may_run;
  for (Index j = 0; j < p; ++j) {
    const Component variable{.support = {j}, .values = Vector::Ones(1)};
    Eigen::Map<Vector>(out + j * n, n) = covariance.data_product(variable);
  }
  return array;
}

Data named_data(const std::string& name, const py::dict& options, std::uint64_t seed,
                const std::string& data_folder) {
  const DatasetEntry& entry = DatasetRegistry::instance().get(name, "name");
  const Json complete = entry.complete_options(to_json(options, "options"), "options");
  const py::gil_scoped_release others_may_run;
  const Budget clock;
  Data data;
  data.dataset = entry.load(
      complete, {.data_dir = data_directory(data_folder), .seed = cli::derived_seed(seed, "data")});
  data.reading_seconds = clock.elapsed_seconds();
  return data;
}

}  // namespace spca::python
