#include "bindings/python/data.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bindings/python/json_value.h"
#include "spca/base/error.h"
#include "spca/data/dataset.h"

namespace spca::python {
namespace {

namespace py = pybind11;

calls::DenseView view_of(const py::array& x) {
  SPCA_CHECK(x.ndim() == 2, "an array that is not a matrix");
  const bool is_double = py::isinstance<py::array_t<double>>(x);
  SPCA_CHECK(is_double || py::isinstance<py::array_t<float>>(x), "an array of another type");
  return {.begin = x.data(),
          .number = is_double ? calls::Number::kDouble : calls::Number::kFloat,
          .rows = x.shape(0),
          .columns = x.shape(1),
          .row_stride = x.strides(0),
          .column_stride = x.strides(1)};
}

template <class Whole>
calls::Compressed<Whole> compressed(const py::array_t<double>& values, const py::array& indices,
                                    const py::array& starts, Index n, Index p, bool by_columns) {
  return {.values = {values.data(), values.size()},
          .indices = {static_cast<const Whole*>(indices.data()), indices.size()},
          .starts = {static_cast<const Whole*>(starts.data()), starts.size()},
          .n = n,
          .p = p,
          .by_columns = by_columns};
}

/// Returns an owner that keeps arrays alive. S may be destroyed while the GIL is not held.
std::shared_ptr<const void> owner_of(std::vector<py::object> arrays) {
  return {new std::vector<py::object>(std::move(arrays)), [](const std::vector<py::object>* kept) {
            const py::gil_scoped_acquire gil;
            delete kept;
          }};
}

calls::Preparation preparation(bool centered, const std::string& scale, bool standardized,
                               std::vector<std::string> names, const std::string& what) {
  return {.centered = centered,
          .scale = scale,
          .standardized = standardized,
          .names = std::move(names),
          .what = what};
}

}  // namespace

Data dense_data(const py::array& x, bool centered, const std::string& scale, bool standardized,
                std::vector<std::string> names, const std::string& what) {
  const calls::DenseView view = view_of(x);
  const calls::Preparation how = preparation(centered, scale, standardized, std::move(names), what);
  const py::gil_scoped_release others_may_run;
  return calls::dense_data(view, how);
}

Data sparse_data(const py::array_t<double>& values, const py::array& indices,
                 const py::array& starts, Index n, Index p, bool by_columns, bool centered,
                 const std::string& scale, bool standardized, bool copy,
                 std::vector<std::string> names, const std::string& what) {
  const calls::Preparation how = preparation(centered, scale, standardized, std::move(names), what);
  const bool is_short = py::isinstance<py::array_t<std::int32_t>>(indices) &&
                        py::isinstance<py::array_t<std::int32_t>>(starts);
  if (!is_short) {
    const auto x = compressed<std::int64_t>(values, indices, starts, n, p, by_columns);
    const py::gil_scoped_release others_may_run;
    return calls::sparse_data(x, how);
  }
  const auto x = compressed<std::int32_t>(values, indices, starts, n, p, by_columns);
  auto owner = owner_of({values, indices, starts});
  const py::gil_scoped_release others_may_run;
  return by_columns || copy || standardized ? calls::sparse_data(x, how)
                                            : calls::mapped_rows(x, std::move(owner), how);
}

Data covariance_data(const py::array& s, std::vector<std::string> names, const std::string& what) {
  const calls::DenseView view = view_of(s);
  const calls::Preparation how = preparation(true, "n", false, std::move(names), what);
  const py::gil_scoped_release others_may_run;
  return calls::covariance_data(view, how);
}

py::tuple without_missing(const py::array& x, const std::string& missing,
                          std::vector<std::string> names, const std::string& what) {
  const calls::DenseView view = view_of(x);
  calls::CompleteData found;
  {
    const py::gil_scoped_release others_may_run;
    found = calls::without_missing(view, missing, std::move(names), {}, what);
  }
  py::array_t<double, py::array::f_style> matrix({found.rows, found.columns});
  std::copy(found.values.begin(), found.values.end(), matrix.mutable_data());
  return py::make_tuple(matrix, found.variable_names, found.notes);
}

py::array_t<double> samples(const Data& data) {
  const Covariance& covariance = *data.dataset->covariance;
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
  const Json given = to_json(options, "options");
  const py::gil_scoped_release others_may_run;
  return calls::named_data(name, given, seed, data_folder);
}

}  // namespace spca::python
