
#include "tests/properties/question.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "harness/calls/calls.h"
#include "spca/base/json_text.h"
#include "spca/data/files/write_spca.h"
#include "spca/io/temporary_folder.h"
#include "spca/measure/metrics.h"
#include "spca/solving/status.h"

namespace spca::properties {
namespace {

calls::DenseView view_of(const Matrix& matrix) {
  constexpr Index kSize = sizeof(double);
  return {.begin = matrix.data(),
          .rows = matrix.rows(),
          .columns = matrix.cols(),
          .row_stride = kSize,
          .column_stride = kSize * matrix.rows()};
}

template <class Sparse>
calls::Compressed<std::int32_t> compressed(const Sparse& x, bool by_columns) {
  return {.values = {x.valuePtr(), x.nonZeros()},
          .indices = {x.innerIndexPtr(), x.nonZeros()},
          .starts = {x.outerIndexPtr(), x.outerSize() + 1},
          .n = x.rows(),
          .p = x.cols(),
          .by_columns = by_columns};
}

SparseRows rows_of(const Matrix& data) {
  SparseRows rows = data.sparseView();
  rows.makeCompressed();
  return rows;
}

void write_mapped(const Matrix& data, const std::filesystem::path& path) {
  const SparseRows rows = rows_of(data);
  write_spca(path,
             {.n = rows.rows(), .p = rows.cols(), .entries = rows.nonZeros(), .variable_names = {}},
             [&](SpcaRows& out) {
               for (Index i = 0; i < rows.rows(); ++i) {
                 for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) {
                   out.add(static_cast<int>(entry.col()), entry.value());
                 }
                 out.end_row();
               }
             });
}

calls::Data file_data(const HuntedMatrix& matrix) {
  const std::filesystem::path folder = make_temporary_folder();
  const std::filesystem::path path = folder / "x.spca";
  write_mapped(matrix.data, path);
  const calls::Data data = calls::named_data("file",
                                             {{"path", path.string()},
                                              {"center", matrix.centered ? "yes" : "no"},
                                              {"scale", matrix.scale}},
                                             1, "");
  std::filesystem::remove_all(folder);  // the mapping stays valid
  return data;
}

void write_csv(const Matrix& matrix, const std::filesystem::path& path) {
  std::ofstream out(path);
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      out << (j > 0 ? "," : "") << fmt::format("{}", matrix(i, j));
    }
    out << "\n";
  }
}

void write_matrix_market(const Matrix& matrix, const std::filesystem::path& path) {
  const SparseRows rows = rows_of(matrix);
  std::ofstream out(path);
  out << "%%MatrixMarket matrix coordinate real general\n"
      << fmt::format("{} {} {}\n", rows.rows(), rows.cols(), rows.nonZeros());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) {
      out << fmt::format("{} {} {}\n", i + 1, entry.col() + 1, entry.value());
    }
  }
}

}  // namespace

const char* storage_name(Storage storage) {
  constexpr const char* kNames[kStorages] = {"dense", "CSR", "CSC", "mapped rows", ".spca"};
  return kNames[static_cast<int>(storage)];
}

calls::Data data_of(const Question& question) {
  const HuntedMatrix& matrix = question.matrix;
  if (!matrix.is_data()) {
    return calls::covariance_data(view_of(matrix.covariance), {});
  }
  const calls::Preparation how = {.centered = matrix.centered, .scale = matrix.scale};
  switch (question.storage) {
    case Storage::kDense:
      return calls::dense_data(view_of(matrix.data), how);
    case Storage::kSparseRows:
      return calls::sparse_data(compressed(rows_of(matrix.data), false), how);
    case Storage::kSparseColumns: {
      SparseColumns columns = matrix.data.sparseView();
      columns.makeCompressed();
      return calls::sparse_data(compressed(columns, true), how);
    }
    case Storage::kMappedRows: {
      const auto rows = std::make_shared<const SparseRows>(rows_of(matrix.data));
      return calls::mapped_rows(compressed(*rows, false), rows, how);
    }
    case Storage::kFile:
      return file_data(matrix);
  }
  return {};
}

Json answer_of(const Question& question, const calls::Data& data) {
  calls::SolveArguments arguments{.solver = &calls::solver_named(question.solver, "solver"),
                                  .options = question.options,
                                  .cardinality = question.cardinality,
                                  .components = question.components,
                                  .deflation = question.deflation,
                                  .seed = question.seed,
                                  .threads = question.threads,
                                  .seconds = time_limit(question)};
  calls::Solve solve(data, arguments);
  solve.run();
  return solve.judged();
}

double time_limit(const Question& question) { return question.matrix.variables() > 100 ? 3 : 10; }

bool has_answer(const Json& answer) {
  return is_usable(status_from_name(answer["status"])) && !answer["components"].empty();
}

Json without_times(Json answer) {
  for (const char* name : {"reading_seconds", "solve_seconds", "check_seconds", "phases"}) {
    answer.erase(name);
  }
  for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
    if (metric.traits.timing || metric.traits.gate == Gate::kNone) {
      answer["metrics"].erase(name);
    }
  }
  return answer;
}

std::string write_command(const Question& question, const std::filesystem::path& stem) {
  const HuntedMatrix& matrix = question.matrix;
  const bool is_sparse = matrix.is_data() && question.storage != Storage::kDense;
  const std::filesystem::path path = stem.string() + (is_sparse ? ".mtx" : ".csv");
  if (is_sparse) {
    write_matrix_market(matrix.data, path);
  } else {
    write_csv(matrix.is_data() ? matrix.data : matrix.covariance, path);
  }
  std::string words = "spca solve --data " + path.string();
  words += is_sparse ? " --kind data" : " --header no --row-names no";
  if (!matrix.is_data()) {
    words += " --kind covariance";
  } else {
    words += matrix.centered ? " --center" : " --no-center";
    words += " --scale " + matrix.scale;
  }
  words += " --solver " + question.solver;
  if (!question.cardinality.empty()) {
    words += fmt::format(" --cardinality {}", fmt::join(question.cardinality, ","));
  }
  if (question.components > 1) {
    words += fmt::format(" --components {}", question.components);
  }
  if (!question.deflation.empty()) {
    words += " --deflation " + question.deflation;
  }
  for (const auto& [name, value] : question.options.items()) {
    words += fmt::format(" --set {}={}", name,
                         value.is_string() ? value.get<std::string>() : json_line(value));
  }
  words += fmt::format(" --seed {}", question.seed);
  if (question.threads != 1) {
    words += fmt::format(" --threads {}", question.threads);
  }
  if (question.storage == Storage::kFile && matrix.is_data()) {
    return fmt::format("spca convert {0}.mtx {0}.spca && {1}", stem.string(),
                       words.replace(words.find(".mtx"), 4, ".spca"));
  }
  return words;
}

double number_in(const Json& value) {
  return value.is_number() ? value.get<double>() : kNotMeasured;
}

Matrix loadings_of(const Json& answer, Index p) {
  const Json& components = answer["components"];
  Matrix loadings = Matrix::Zero(p, static_cast<Index>(components.size()));
  for (std::size_t j = 0; j < components.size(); ++j) {
    const Json& indices = components[j]["indices"];
    for (std::size_t i = 0; i < indices.size(); ++i) {
      loadings(indices[i].get<Index>(), static_cast<Index>(j)) =
          components[j]["values"][i].get<double>();
    }
  }
  return loadings;
}

}  // namespace spca::properties
