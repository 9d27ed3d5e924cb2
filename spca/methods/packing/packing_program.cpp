#include "spca/methods/packing/packing_program.h"

#include <coin/Clp_C_Interface.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/parallel.h"
#include "spca/base/random.h"

namespace spca {
namespace {

// CLP's tolerances, in the units of the worths, of which the largest is about 1.
constexpr double kProgramTolerance = 1e-9;
// The perturbation of the right-hand sides that leads to another vertex.
constexpr double kShift = 1e-4;
// A path visits this number of other vertices, each from the one before. Threads share the paths.
constexpr std::size_t kPath = 6;
// Prices are optimal if their dual objective exceeds the optimum by at most this.
constexpr double kSameSumOfPrices = 1e-12;
// A value of x_I nearer than this to 0 or 1 counts as 0 or 1.
constexpr double kWholeTolerance = 1e-6;

bool holds(const Support& support, Index i) {
  return std::binary_search(support.begin(), support.end(), i);
}

/// The first variable of `one` that `other` does not hold; -1 if there is none.
Index first_outside(const Support& one, const Support& other) {
  const auto position =
      std::find_if(one.begin(), one.end(), [&](Index i) { return !holds(other, i); });
  return position == one.end() ? -1 : *position;
}

/// The first variable of both; -1 if there is none.
Index first_common(const Support& one, const Support& other) {
  const auto position =
      std::find_if(one.begin(), one.end(), [&](Index i) { return holds(other, i); });
  return position == one.end() ? -1 : *position;
}

}  // namespace

double power_of_two_from(double x) { return x > 0 ? std::exp2(std::ceil(std::log2(x))) : 1; }

struct PackingProgram::Model {
  Model() : clp(Clp_newModel()) {
    Clp_setLogLevel(clp, 0);
    Clp_setPrimalTolerance(clp, kProgramTolerance);
    Clp_setDualTolerance(clp, kProgramTolerance);
  }
  /// The same program at the same vertex. Several threads may copy a program at once.
  Model(const Model& other) : Model() {
    Clp_Simplex* from = other.clp;
    const int rows = Clp_numberRows(from);
    const int columns = Clp_numberColumns(from);
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> indices;
    std::vector<double> entries;
    for (int j = 0; j < columns; ++j) {  // without the gaps that added rows may leave
      const CoinBigIndex start = Clp_getVectorStarts(from)[j];
      const int length = Clp_getVectorLengths(from)[j];
      indices.insert(indices.end(), Clp_getIndices(from) + start,
                     Clp_getIndices(from) + start + length);
      entries.insert(entries.end(), Clp_getElements(from) + start,
                     Clp_getElements(from) + start + length);
      starts.push_back(static_cast<CoinBigIndex>(indices.size()));
    }
    Clp_loadProblem(clp, columns, rows, starts.data(), indices.data(), entries.data(),
                    Clp_columnLower(from), Clp_columnUpper(from), Clp_objective(from),
                    Clp_rowLower(from), Clp_rowUpper(from));
    Clp_copyinStatus(clp, Clp_statusArray(from));
  }
  ~Model() { Clp_deleteModel(clp); }
  Model& operator=(const Model&) = delete;

  /// The prices of the rows: CLP's dual solution, with negative prices set to 0.
  Vector duals() const {
    const Eigen::Map<const Vector> duals(Clp_dualRowSolution(clp), Clp_numberRows(clp));
    return (-duals).cwiseMax(0.0);
  }

  /// Solves the program with other right sides.
  void solve_with(const Vector& right) {
    std::copy(right.begin(), right.end(), Clp_rowUpper(clp));
    Clp_dual(clp, 0);
  }

  Clp_Simplex* clp;
};

PackingProgram::PackingProgram(Index variables, const std::map<Index, Index>& counts)
    : model_(std::make_unique<Model>()),
      variables_(variables),
      counts_(counts),
      prices_(Vector::Zero(variables)) {
  const int rows = static_cast<int>(variables) + static_cast<int>(counts.size());
  Clp_Simplex* clp = model_->clp;
  Clp_resize(clp, rows, 0);
  std::fill_n(Clp_rowLower(clp), rows, -std::numeric_limits<double>::max());
  std::fill_n(Clp_rowUpper(clp), rows, 1.0);
  int row = static_cast<int>(variables);
  for (const auto& [k, count] : counts) {
    Clp_rowUpper(clp)[row] = static_cast<double>(count);
    row_of_[k] = row++;
    shares_[k] = 0;
  }
}

PackingProgram::~PackingProgram() = default;

bool PackingProgram::add(const Support& support, double worth) {
  if (!known_.insert(support).second) {
    return false;
  }
  columns_.push_back({.support = support, .worth = worth});
  std::vector<int> rows(support.begin(), support.end());
  rows.push_back(row_of_.at(std::ssize(support)));
  std::vector<double> entries(rows.size(), 1.0);
  for (std::size_t t = 0; t < charges_.size(); ++t) {
    const Index count = charges_[t].row.count(support);
    if (count > 0) {
      rows.push_back(static_cast<int>(variables_ + std::ssize(row_of_) + static_cast<Index>(t)));
      entries.push_back(static_cast<double>(count));
    }
  }
  const double lower = 0;
  const double upper = std::numeric_limits<double>::max();
  const double cost = -worth;  // CLP minimises
  const CoinBigIndex starts[] = {0, static_cast<CoinBigIndex>(rows.size())};
  Clp_addColumns(model_->clp, 1, &lower, &upper, &cost, starts, rows.data(), entries.data());
  return true;
}

bool PackingProgram::add(const SubsetRow& row) {
  const bool is_known = std::any_of(charges_.begin(), charges_.end(),
                                    [&](const SubsetCharge& one) { return one.row == row; });
  if (is_known) {
    return false;
  }
  std::vector<int> columns;
  std::vector<double> entries;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Index count = row.count(columns_[j].support);
    if (count > 0) {
      columns.push_back(static_cast<int>(j));
      entries.push_back(static_cast<double>(count));
    }
  }
  charges_.push_back({.row = row});
  const double lower = -std::numeric_limits<double>::max();
  const auto upper = static_cast<double>(row.right_side());
  const CoinBigIndex starts[] = {0, static_cast<CoinBigIndex>(columns.size())};
  Clp_addRows(model_->clp, 1, &lower, &upper, starts, columns.data(), entries.data());
  return true;
}

void PackingProgram::centre_prices(int corners) {
  if (columns_.empty()) {
    return;
  }
  const Vector unshifted =
      Eigen::Map<const Vector>(Clp_rowUpper(model_->clp), Clp_numberRows(model_->clp));
  Random random(1);
  std::vector<Vector> shifted(static_cast<std::size_t>(corners));
  for (Vector& one : shifted) {
    one = unshifted;
    for (double& bound : one) {
      bound += kShift * (2 * random.uniform() - 1);
    }
  }
  std::vector<Vector> found(shifted.size());
  const std::size_t paths = (shifted.size() + kPath - 1) / kPath;
  parallel_for(paths, allowed_threads(), [&](std::size_t path) {
    Model model(*model_);
    const std::size_t end = std::min(shifted.size(), (path + 1) * kPath);
    for (std::size_t corner = path * kPath; corner < end; ++corner) {
      model.solve_with(shifted[corner]);
      const Vector prices = model.duals();
      if (Clp_status(model.clp) == 0 && prices.dot(unshifted) <= value_ + kSameSumOfPrices) {
        found[corner] = prices;
      }
    }
  });
  Vector sum = model_->duals();
  double count = 1;
  for (const Vector& prices : found) {
    if (prices.size() > 0) {
      sum += prices;
      ++count;
    }
  }
  set_prices(sum / count);
  // From the last of these vertices, so that the next program does not start from the same one.
  model_->solve_with(shifted.back());
  model_->solve_with(unshifted);
}

void PackingProgram::set_prices(const Vector& duals) {
  prices_ = duals.head(variables_);
  for (auto& [k, share] : shares_) {
    share = duals[row_of_.at(k)];
  }
  for (std::size_t t = 0; t < charges_.size(); ++t) {
    charges_[t].charge = duals[variables_ + std::ssize(row_of_) + static_cast<Index>(t)];
  }
}

void PackingProgram::solve() {
  Clp_Simplex* clp = model_->clp;
  taken_.clear();
  if (columns_.empty()) {  // CLP would crash without columns
    return;
  }
  Clp_primal(clp, 0);
  if (Clp_status(clp) != 0) {
    throw NumericalError(
        fmt::format("the linear program of {} supports has no optimum: CLP ended with status {}",
                    columns_.size(), Clp_status(clp)));
  }
  value_ = -Clp_objectiveValue(clp);
  set_prices(model_->duals());
  const double* parts = Clp_primalColumnSolution(clp);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    if (parts[j] > kWholeTolerance) {
      taken_.push_back(
          {.support = columns_[j].support, .worth = columns_[j].worth, .part = parts[j]});
    }
  }
  std::stable_sort(taken_.begin(), taken_.end(),
                   [](const Taken& a, const Taken& b) { return a.part > b.part; });
}

bool PackingProgram::is_integral() const {
  return std::all_of(taken_.begin(), taken_.end(),
                     [](const Taken& taken) { return taken.part > 1 - kWholeTolerance; });
}

PairRules::Pair PackingProgram::divided_pair() const {
  for (const Taken& one : taken_) {
    for (const Taken& other : taken_) {
      const Index common = first_common(one.support, other.support);
      const Index outside = first_outside(one.support, other.support);
      if (common >= 0 && outside >= 0) {
        return std::minmax(common, outside);
      }
    }
  }
  return {-1, -1};
}

double PackingProgram::bound(const std::map<Index, double>& others) const {
  std::map<Index, double> largest;
  for (const auto& [k, count] : counts_) {
    const auto position = others.find(k);
    largest[k] = position == others.end() ? 0 : std::max(0.0, position->second);
  }
  for (const Column& column : columns_) {
    double& most = largest.at(std::ssize(column.support));
    most = std::max(
        most, column.worth - prices_(column.support).sum() - charge_for(charges_, column.support));
  }
  double bound = prices_.sum() + most_charged(charges_);
  for (const auto& [k, count] : counts_) {
    bound += static_cast<double>(count) * largest.at(k);
  }
  return bound;
}

std::string clp_version() { return Clp_Version(); }

}  // namespace spca
