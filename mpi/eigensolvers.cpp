/// Leading eigenpairs of a data set by this project, by SLEPc and by ARPACK, side by side. All
/// three see S as an operator: centring stays implicit, and no p x p matrix is formed. Exit code 1
/// if they disagree, 2 after an error.
///
///   eigensolvers DATASET OPTIONS PAIRS [TOLERANCE]     eigensolvers kos '{}' 4
///
/// TOLERANCE is the stopping tolerance of SLEPc and ARPACK, by default 1e-9. The pairs of this
/// project are exact up to rounding.

#include <arpack/arpack.h>
#include <fmt/format.h>
#include <slepceps.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// The default tolerance: the residual relative to the eigenvalue. Eigenvalues are far more
/// accurate.
constexpr double kTolerance = 1e-9;
constexpr double kAgreement = 1e-10;

struct Found {
  std::string solver;
  Eigenpairs pairs;
  double cpu_seconds = 0;
  std::uint64_t products = 0;
};

template <class Solve>
Found timed(const std::string& solver, const Covariance& s, const Solve& solve) {
  Found found{.solver = solver, .pairs = {}};
  const std::uint64_t before = s.products();
  const std::clock_t begin = std::clock();
  found.pairs = solve();
  found.cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  found.products = s.products() - before;
  return found;
}

PetscErrorCode multiply_shell(Mat shell, Vec in, Vec out) {
  void* context = nullptr;
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  PetscCall(MatShellGetContext(shell, static_cast<void*>(&context)));
  const auto& s = *static_cast<const Covariance*>(context);
  PetscCall(VecGetArrayRead(in, &from));
  PetscCall(VecGetArray(out, &to));
  Vector product;
  s.multiply(Vector(Eigen::Map<const Vector>(from, s.variables())), product);
  Eigen::Map<Vector>(to, s.variables()) = product;
  PetscCall(VecRestoreArray(out, &to));
  PetscCall(VecRestoreArrayRead(in, &from));
  return 0;
}

Eigenpairs by_slepc(const Covariance& s, Index count, double tolerance) {
  const auto p = static_cast<PetscInt>(s.variables());
  Mat shell = nullptr;
  EPS solver = nullptr;
  MatCreateShell(PETSC_COMM_SELF, p, p, p, p, const_cast<Covariance*>(&s), &shell);
  MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)()>(multiply_shell));
  EPSCreate(PETSC_COMM_SELF, &solver);
  EPSSetOperators(solver, shell, nullptr);
  EPSSetProblemType(solver, EPS_HEP);
  EPSSetWhichEigenpairs(solver, EPS_LARGEST_REAL);
  EPSSetDimensions(solver, static_cast<PetscInt>(count), PETSC_DEFAULT, PETSC_DEFAULT);
  EPSSetTolerances(solver, tolerance, PETSC_DEFAULT);
  EPSSetFromOptions(solver);
  EPSSolve(solver);
  PetscInt converged = 0;
  EPSGetConverged(solver, &converged);
  SPCA_CHECK(converged >= count, "SLEPc converges");
  Eigenpairs pairs{.values = Vector(count), .vectors = Matrix(s.variables(), count)};
  Vec vector = nullptr;
  MatCreateVecs(shell, &vector, nullptr);
  for (Index j = 0; j < count; ++j) {
    const PetscScalar* entries = nullptr;
    EPSGetEigenpair(solver, static_cast<PetscInt>(j), &pairs.values[j], nullptr, vector, nullptr);
    VecGetArrayRead(vector, &entries);
    pairs.vectors.col(j) = Eigen::Map<const Vector>(entries, s.variables());
    VecRestoreArrayRead(vector, &entries);
  }
  VecDestroy(&vector);
  EPSDestroy(&solver);
  MatDestroy(&shell);
  return pairs;
}

Eigenpairs by_arpack(const Covariance& s, Index count, double tolerance) {
  const auto p = static_cast<a_int>(s.variables());
  const auto wanted = static_cast<a_int>(count);
  const a_int basis = std::min<a_int>(std::max<a_int>(2 * wanted + 1, 20), p);
  Random random(1);
  Vector start = Vector::NullaryExpr(p, [&random](Index) { return random.uniform() - 0.5; });
  Matrix space(p, basis);
  Vector work(3 * Index{p});
  Vector small(Index{basis} * (basis + 8));
  a_int parameters[11] = {1, 0, 10000, 1, 0, 0, 1};
  a_int pointers[14] = {};
  a_int task = 0;
  a_int info = 1;  // the start is given
  Vector in, out;
  for (;;) {
    dsaupd_c(&task, "I", p, "LA", wanted, tolerance, start.data(), basis, space.data(), p,
             parameters, pointers, work.data(), small.data(), static_cast<a_int>(small.size()),
             &info);
    if (task != 1 && task != -1) {
      break;
    }
    in = work.segment(pointers[0] - 1, p);
    s.multiply(in, out);
    work.segment(pointers[1] - 1, p) = out;
  }
  SPCA_CHECK(info == 0, "ARPACK converges");
  Vector ascending(count);
  Matrix vectors(p, count);
  const std::vector<a_int> select(static_cast<std::size_t>(basis), 1);
  dseupd_c(1, "A", select.data(), ascending.data(), vectors.data(), p, 0, "I", p, "LA", wanted,
           tolerance, start.data(), basis, space.data(), p, parameters, pointers, work.data(),
           small.data(), static_cast<a_int>(small.size()), &info);
  SPCA_CHECK(info == 0, "ARPACK has eigenvectors");
  return {.values = ascending.reverse(), .vectors = vectors.rowwise().reverse()};
}

double largest_residual(const Covariance& s, const Eigenpairs& pairs) {
  Matrix products;
  s.multiply_block(pairs.vectors, products);
  return (products - pairs.vectors * pairs.values.asDiagonal()).colwise().norm().maxCoeff() /
         pairs.values[0];
}

bool agree(const std::vector<Found>& all) {
  const Vector& ours = all.front().pairs.values;
  return std::all_of(all.begin(), all.end(), [&](const Found& found) {
    return ((found.pairs.values - ours).cwiseAbs().maxCoeff() <= kAgreement * ours[0]) &&
           ((found.pairs.vectors.transpose() * found.pairs.vectors -
             Matrix::Identity(ours.size(), ours.size()))
                .cwiseAbs()
                .maxCoeff() < 1e-8);
  });
}

int run(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: eigensolvers DATASET OPTIONS PAIRS [TOLERANCE]\n");
    return 2;
  }
  const DatasetEntry& entry = DatasetRegistry::instance().get(argv[1], "DATASET");
  const Dataset dataset = entry.load(entry.complete_options(Json::parse(argv[2]), "OPTIONS"),
                                     {.data_dir = data_directory(""), .seed = 1});
  const Covariance& s = *dataset.covariance;
  const Index count = std::stol(argv[3]);
  const double tolerance = argc > 4 ? std::stod(argv[4]) : kTolerance;
  std::vector<Found> all;
  all.push_back(timed("spca", s, [&] { return leading_eigenpairs(s, count); }));
  all.push_back(timed("SLEPc", s, [&] { return by_slepc(s, count, tolerance); }));
  all.push_back(timed("ARPACK", s, [&] { return by_arpack(s, count, tolerance); }));
  fmt::print("{} {}: n = {}, p = {}, {} pairs\n", argv[1], argv[2], s.samples(), s.variables(),
             count);
  for (const Found& found : all) {
    fmt::print("{:8} {:5} products, {:8.3f} s of processor time, residual {:.1e}, values {:.12g}\n",
               found.solver, found.products, found.cpu_seconds, largest_residual(s, found.pairs),
               fmt::join(found.pairs.values, " "));
  }
  return agree(all) ? 0 : 1;
}

}  // namespace
}  // namespace spca

int main(int argc, char** argv) {
  PetscInitializeNoArguments();
  SlepcInitializeNoArguments();
  int code = 2;
  try {
    code = spca::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "eigensolvers: {}\n", error.what());
  }
  SlepcFinalize();
  PetscFinalize();
  return code;
}
