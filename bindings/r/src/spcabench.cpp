/// The C++ functions that the functions in R/ call. Their arguments are already checked and
/// converted; the results of the library are returned as R objects.

#include <Rcpp.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/calls/calls.h"
#include "harness/calls/interruption.h"
#include "json_value.h"

namespace spcabench {
namespace {

using namespace spca::calls;  // NOLINT: this file is a layer above spca::calls

using DataPointer = Rcpp::XPtr<Data>;

/// Returns a message of class spcabench_refusal, which checked() in R/arguments.R turns into an
/// error without a call: Rcpp's own errors name the C function.
SEXP refusal(const std::string& message) {
  Rcpp::CharacterVector text = Rcpp::CharacterVector::create(Rcpp::String(message, CE_UTF8));
  text.attr("class") = "spcabench_refusal";
  return text;
}

SEXP answered(const std::function<SEXP()>& work) {
  try {
    return work();
  } catch (const Rcpp::internal::InterruptedException&) {
    throw;
  } catch (const Rcpp::LongjumpException&) {
    throw;
  } catch (const std::exception& error) {
    return refusal(error.what());
  }
}

/// Runs long work that does not call R. Ctrl-C ends the work; R then handles the interrupt.
void run_interruptibly(const std::function<void()>& work) {
  const Watched watched = run_watched(work);
  if (watched.interrupted) {
    // R's handler, which is restored, keeps the signal until R checks for it.
    std::raise(SIGINT);
    Rcpp::checkUserInterrupt();
  }
  if (watched.thrown) {
    std::rethrow_exception(watched.thrown);
  }
}

std::vector<std::string> words_of(SEXP value) {
  std::vector<std::string> words;
  for (R_xlen_t i = 0; i < Rf_xlength(value); ++i) {
    words.emplace_back(Rf_translateCharUTF8(STRING_ELT(value, i)));
  }
  return words;
}

std::vector<Index> whole_numbers(SEXP value) {
  const Rcpp::NumericVector numbers(value);
  return {numbers.begin(), numbers.end()};
}

Preparation preparation(const Rcpp::List& how) {
  return {.centered = Rcpp::as<bool>(how["center"]),
          .scale = Rcpp::as<std::string>(how["divisor"]),
          .divisors = Rcpp::as<std::vector<double>>(how["scale"]),
          .names = words_of(how["names"]),
          .what = "x"};
}

DataPointer kept(const Data& data) { return DataPointer(new Data(data), true); }

const Data& data_of(SEXP pointer) { return *DataPointer(pointer); }

/// Returns the seed in a list of arguments.
std::uint64_t seed_of(const Rcpp::List& arguments) {
  return static_cast<std::uint64_t>(Rcpp::as<double>(arguments["seed"]));
}

std::vector<const spca::SolverEntry*> solvers_of(const Rcpp::List& arguments) {
  std::vector<const spca::SolverEntry*> solvers;
  for (const std::string& name : words_of(arguments["solver"])) {
    solvers.push_back(&solver_named(name, "solver"));
  }
  return solvers;
}

/// Returns the options as an object; an empty R list has no names and would become an array.
Json options_of(const Rcpp::List& arguments) {
  const SEXP options = arguments["options"];
  return Rf_xlength(options) == 0 ? Json::object() : to_json(options, "options");
}

/// Returns the nonzero loadings of each column of a p x r matrix.
Loadings loadings_of(SEXP matrix) {
  const Rcpp::NumericMatrix columns(matrix);
  Loadings loadings;
  for (int j = 0; j < columns.ncol(); ++j) {
    auto& [indices, values] = loadings.emplace_back();
    for (int i = 0; i < columns.nrow(); ++i) {
      if (columns(i, j) != 0) {
        indices.push_back(i);
        values.push_back(columns(i, j));
      }
    }
  }
  return loadings;
}

DenseView view_of(const Rcpp::NumericMatrix& matrix) {
  return {matrix.begin(), Number::kDouble, matrix.nrow(),
          matrix.ncol(),  sizeof(double),  static_cast<Index>(sizeof(double)) * matrix.nrow()};
}

SEXP dense_data(SEXP x, SEXP is_covariance, SEXP how) {
  return answered([&]() -> SEXP {
    const Rcpp::NumericMatrix matrix(x);
    const DenseView view = view_of(matrix);
    const Preparation prepared = preparation(how);
    return kept(Rcpp::as<bool>(is_covariance) ? covariance_data(view, prepared)
                                              : spca::calls::dense_data(view, prepared));
  });
}

/// Returns x without missing values, with its dimnames, and the attribute `notes`.
SEXP without_missing(SEXP x, SEXP missing, SEXP row_names, SEXP column_names) {
  return answered([&]() -> SEXP {
    const Rcpp::NumericMatrix matrix(x);
    const DenseView view = view_of(matrix);
    const spca::calls::CompleteData found = spca::calls::without_missing(
        view, Rcpp::as<std::string>(missing), words_of(column_names), words_of(row_names), "x");
    Rcpp::NumericMatrix complete(static_cast<int>(found.rows), static_cast<int>(found.columns));
    std::copy(found.values.begin(), found.values.end(), complete.begin());
    const auto names = [](const std::vector<std::string>& words) -> SEXP {
      return words.empty() ? R_NilValue : static_cast<SEXP>(Rcpp::wrap(words));
    };
    complete.attr("dimnames") =
        Rcpp::List::create(names(found.sample_names), names(found.variable_names));
    complete.attr("notes") = found.notes;
    return complete;
  });
}

/// Returns the data of a dgCMatrix, from its slots x, i and p and its numbers of rows and columns.
SEXP sparse_data(SEXP values, SEXP rows, SEXP starts, SEXP shape, SEXP how) {
  return answered([&]() -> SEXP {
    const Rcpp::IntegerVector size(shape);
    return kept(
        spca::calls::sparse_data(Compressed<std::int32_t>{{REAL(values), Rf_xlength(values)},
                                                          {INTEGER(rows), Rf_xlength(rows)},
                                                          {INTEGER(starts), Rf_xlength(starts)},
                                                          size[0],
                                                          size[1],
                                                          true},
                                 preparation(how)));
  });
}

/// Returns the deviations of the columns: the root of the sum of (x_ij - m_j)^2 / (n - 1) over the
/// n rows. If `means` are the means of the columns up to rounding, m_j is the exact mean. If
/// `means` are 0, so is m_j. The deviation is 0 for a centred column that is constant up to
/// rounding, and NA for a column with an entry that is not finite. Column j of the values begins at
/// starts_j, as in a dgCMatrix, or at j n if `starts` is null.
SEXP column_deviations(SEXP values, SEXP starts, SEXP rows, SEXP means) {
  return answered([&]() -> SEXP {
    const Rcpp::NumericVector middle(means);
    const double* const x = REAL(values);
    const R_xlen_t n = Rf_asInteger(rows);
    Rcpp::NumericVector deviations(middle.size());
    for (R_xlen_t j = 0; j < middle.size(); ++j) {
      const R_xlen_t first = Rf_isNull(starts) ? j * n : INTEGER(starts)[j];
      const R_xlen_t end = Rf_isNull(starts) ? first + n : INTEGER(starts)[j + 1];
      const auto zeros = static_cast<double>(n - (end - first));
      double least = zeros > 0 || first == end ? 0 : x[first];
      double largest = least;
      bool is_finite = true;
      for (R_xlen_t i = first; i < end; ++i) {
        is_finite = is_finite && std::isfinite(x[i]);
        least = std::min(least, x[i]);
        largest = std::max(largest, x[i]);
      }
      const double mean = middle[j];
      // The largest distance from the mean: in this unit no square overflows, and the largest is 1.
      const double unit = std::max(std::abs(least - mean), std::abs(largest - mean));
      if (!is_finite) {
        deviations[j] = NA_REAL;
      }
      if (!is_finite || unit == 0 || (mean != 0 && is_constant(least, largest))) {
        continue;
      }
      double sum = zeros * (mean / unit) * (mean / unit);
      double rest = mean != 0 ? -zeros * (mean / unit) : 0;
      for (R_xlen_t i = first; i < end; ++i) {
        const double distance = (x[i] - mean) / unit;
        sum += distance * distance;
        rest += mean != 0 ? distance : 0;
      }
      sum -= rest * rest / static_cast<double>(n);
      deviations[j] = unit * std::sqrt(sum / static_cast<double>(n - 1));
    }
    return deviations;
  });
}

SEXP named_data(SEXP name, SEXP seed) {
  return answered([&]() -> SEXP {
    return kept(spca::calls::named_data(Rcpp::as<std::string>(name), Json::object(),
                                        static_cast<std::uint64_t>(Rcpp::as<double>(seed)), ""));
  });
}

SEXP shape(SEXP data) {
  return answered([&]() -> SEXP {
    const Shape found = shape_of(data_of(data));
    return Rcpp::List::create(Rcpp::Named("n") = static_cast<double>(found.n),
                              Rcpp::Named("p") = static_cast<double>(found.p),
                              Rcpp::Named("total_variance") = found.total_variance,
                              Rcpp::Named("names") = found.names,
                              Rcpp::Named("notes") = found.notes);
  });
}

SEXP solve(SEXP data, SEXP given) {
  return answered([&] {
    const Rcpp::List arguments(given);
    SolveArguments asked;
    asked.solver = solvers_of(arguments).front();
    asked.options = options_of(arguments);
    asked.cardinality = whole_numbers(arguments["k"]);
    if (!Rf_isNull(arguments["ncomp"])) {
      asked.components = static_cast<Index>(Rcpp::as<double>(arguments["ncomp"]));
    }
    asked.deflation = Rcpp::as<std::string>(arguments["deflation"]);
    asked.seed = seed_of(arguments);
    asked.threads = Rcpp::as<int>(arguments["threads"]);
    asked.seconds = Rcpp::as<double>(arguments["seconds"]);
    asked.bound = Rcpp::as<bool>(arguments["bound"]);
    asked.cardinality_name = "k";
    asked.components_name = "ncomp";
    asked.suggest_name = "spca_suggest";
    Solve call(data_of(data), asked);
    Json json;
    run_interruptibly([&] {
      call.run();
      json = call.judged();
    });
    return to_r(json);
  });
}

SEXP path(SEXP data, SEXP given) {
  return answered([&] {
    const Rcpp::List arguments(given);
    PathArguments asked;
    asked.solvers = solvers_of(arguments);
    asked.options = options_of(arguments);
    asked.cardinalities = whole_numbers(arguments["k"]);
    asked.resamples = static_cast<Index>(Rcpp::as<double>(arguments["resamples"]));
    asked.folds = static_cast<Index>(Rcpp::as<double>(arguments["folds"]));
    asked.seed = seed_of(arguments);
    asked.seconds = Rcpp::as<double>(arguments["seconds"]);
    Json json;
    run_interruptibly([&] { json = spca::calls::path(data_of(data), asked); });
    return to_r(json);
  });
}

SEXP suggest(SEXP data, SEXP given) {
  return answered([&] {
    const Rcpp::List arguments(given);
    SuggestArguments asked;
    asked.most = static_cast<Index>(Rcpp::as<double>(arguments["most"]));
    if (!Rf_isNull(arguments["permutations"])) {
      asked.permutations = static_cast<Index>(Rcpp::as<double>(arguments["permutations"]));
    }
    asked.folds = static_cast<Index>(Rcpp::as<double>(arguments["folds"]));
    asked.cardinalities = whole_numbers(arguments["k"]);
    asked.deflation = Rcpp::as<std::string>(arguments["deflation"]);
    asked.seed = seed_of(arguments);
    asked.seconds = Rcpp::as<double>(arguments["seconds"]);
    Json json;
    run_interruptibly([&] { json = spca::calls::suggest(data_of(data), asked); });
    return to_r(json);
  });
}

SEXP certify(SEXP data, SEXP matrix, SEXP given) {
  return answered([&] {
    const Rcpp::List arguments(given);
    const Loadings loadings = loadings_of(matrix);
    const CertifyArguments asked = {seed_of(arguments), Rcpp::as<int>(arguments["threads"]),
                                    Rcpp::as<double>(arguments["seconds"]),
                                    whole_numbers(arguments["k"])};
    Json json;
    run_interruptibly([&] { json = spca::calls::certify(data_of(data), loadings, asked); });
    return to_r(json);
  });
}

SEXP projected(SEXP data, SEXP matrix) {
  return answered(
      [&] { return Rcpp::wrap(projected_variances(data_of(data), loadings_of(matrix))); });
}

SEXP compared_solvers(SEXP ncomp) {
  return answered([&] {
    return Rcpp::wrap(spca::calls::compared_solvers(static_cast<Index>(Rcpp::as<double>(ncomp))));
  });
}

SEXP list_of(SEXP what) {
  return answered([&] { return to_r(spca::calls::list_of(Rcpp::as<std::string>(what))); });
}

SEXP describe(SEXP kind, SEXP name) {
  return answered([&] {
    return to_r(
        spca::calls::describe(Rcpp::as<std::string>(kind), Rcpp::as<std::string>(name), "name"));
  });
}

}  // namespace
}  // namespace spcabench

// Exceptions must not pass through R's stack: each entry catches the exceptions of its function.
#define SPCABENCH_ENTRY(name, parameters, arguments) \
  extern "C" SEXP spcabench_##name parameters {      \
    BEGIN_RCPP                                       \
    return spcabench::name arguments;                \
    END_RCPP                                         \
  }

SPCABENCH_ENTRY(dense_data, (SEXP x, SEXP is_covariance, SEXP how), (x, is_covariance, how))
SPCABENCH_ENTRY(sparse_data, (SEXP values, SEXP rows, SEXP starts, SEXP shape, SEXP how),
                (values, rows, starts, shape, how))
SPCABENCH_ENTRY(column_deviations, (SEXP values, SEXP starts, SEXP rows, SEXP means),
                (values, starts, rows, means))
SPCABENCH_ENTRY(without_missing, (SEXP x, SEXP missing, SEXP row_names, SEXP column_names),
                (x, missing, row_names, column_names))
SPCABENCH_ENTRY(named_data, (SEXP name, SEXP seed), (name, seed))
SPCABENCH_ENTRY(shape, (SEXP data), (data))
SPCABENCH_ENTRY(solve, (SEXP data, SEXP arguments), (data, arguments))
SPCABENCH_ENTRY(path, (SEXP data, SEXP arguments), (data, arguments))
SPCABENCH_ENTRY(suggest, (SEXP data, SEXP arguments), (data, arguments))
SPCABENCH_ENTRY(certify, (SEXP data, SEXP matrix, SEXP arguments), (data, matrix, arguments))
SPCABENCH_ENTRY(projected, (SEXP data, SEXP matrix), (data, matrix))
SPCABENCH_ENTRY(compared_solvers, (SEXP ncomp), (ncomp))
SPCABENCH_ENTRY(list_of, (SEXP what), (what))
SPCABENCH_ENTRY(describe, (SEXP kind, SEXP name), (kind, name))

extern "C" void R_init_spcabench(DllInfo* library) {
  spca::calls::add_installed_folder(SPCA_INSTALLED_FOLDER);
  static const R_CallMethodDef kEntries[] = {
      {"dense_data", reinterpret_cast<DL_FUNC>(spcabench_dense_data), 3},
      {"sparse_data", reinterpret_cast<DL_FUNC>(spcabench_sparse_data), 5},
      {"column_deviations", reinterpret_cast<DL_FUNC>(spcabench_column_deviations), 4},
      {"without_missing", reinterpret_cast<DL_FUNC>(spcabench_without_missing), 4},
      {"named_data", reinterpret_cast<DL_FUNC>(spcabench_named_data), 2},
      {"shape", reinterpret_cast<DL_FUNC>(spcabench_shape), 1},
      {"solve", reinterpret_cast<DL_FUNC>(spcabench_solve), 2},
      {"path", reinterpret_cast<DL_FUNC>(spcabench_path), 2},
      {"suggest", reinterpret_cast<DL_FUNC>(spcabench_suggest), 2},
      {"certify", reinterpret_cast<DL_FUNC>(spcabench_certify), 3},
      {"projected", reinterpret_cast<DL_FUNC>(spcabench_projected), 2},
      {"compared_solvers", reinterpret_cast<DL_FUNC>(spcabench_compared_solvers), 1},
      {"list_of", reinterpret_cast<DL_FUNC>(spcabench_list_of), 1},
      {"describe", reinterpret_cast<DL_FUNC>(spcabench_describe), 2},
      {nullptr, nullptr, 0}};
  R_registerRoutines(library, nullptr, kEntries, nullptr, nullptr);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
