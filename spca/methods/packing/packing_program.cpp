#include "spca/methods/packing/packing_program.h"

#include <coin/Clp_C_Interface.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/random.h"

namespace spca {
namespace {

// Of CLP, in the units of the worths, of which the largest is some 1.
constexpr double kTolerance = 1e-9;
// Corners whose mean is the centre, and how far the right sides are moved to get to one.
constexpr int kCorners = 12;
constexpr double kShift = 1e-4;
// Prices are optimal if they add up to the optimum but for this.
constexpr double kSameValue = 1e-12;
// A part that is nearer to 0 or 1 is that.
constexpr double kWholeTolerance = 1e-6;

}  // namespace

struct PackingProgram::Model {
  Model() : clp(Clp_newModel()) {}
  ~Model() { Clp_deleteModel(clp); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  Clp_Simplex* clp;
};

PackingProgram::PackingProgram(Index variables, const std::map<Index, Index>& counts)
    : model_(std::make_unique<Model>()),
      variables_(variables),
      counts_(counts),
      prices_(Vector::Zero(variables)) {
  const int rows = static_cast<int>(variables) + static_cast<int>(counts.size());
  Clp_Simplex* clp = model_->clp;
  Clp_setLogLevel(clp, 0);
  Clp_resize(clp, rows, 0);
  std::fill_n(Clp_rowLower(clp), rows, -std::numeric_limits<double>::max());
  std::fill_n(Clp_rowUpper(clp), rows, 1.0);
  int row = static_cast<int>(variables);
  for (const auto& [k, count] : counts) {
    Clp_rowUpper(clp)[row] = static_cast<double>(count);
    row_of_[k] = row++;
    shares_[k] = 0;
  }
  Clp_setPrimalTolerance(clp, kTolerance);
  Clp_setDualTolerance(clp, kTolerance);
}

PackingProgram::~PackingProgram() = default;

bool PackingProgram::add(const Support& support, double worth) {
  if (!known_.insert(support).second) {
    return false;
  }
  columns_.push_back({.support = support, .worth = worth});
  std::vector<int> rows(support.begin(), support.end());
  rows.push_back(row_of_.at(std::ssize(support)));
  const std::vector<double> ones(rows.size(), 1.0);
  const double lower = 0;
  const double upper = std::numeric_limits<double>::max();
  const double cost = -worth;  // CLP minimises
  const CoinBigIndex starts[] = {0, static_cast<CoinBigIndex>(rows.size())};
  Clp_addColumns(model_->clp, 1, &lower, &upper, &cost, starts, rows.data(), ones.data());
  return true;
}

/// All prices, those of the cardinalities last.
Vector PackingProgram::duals() const {
  const double* duals = Clp_dualRowSolution(model_->clp);
  Vector prices(variables_ + std::ssize(row_of_));
  for (Index i = 0; i < prices.size(); ++i) {
    prices[i] = std::max(0.0, -duals[i]);
  }
  return prices;
}

void PackingProgram::centre_prices() {
  Clp_Simplex* clp = model_->clp;
  double* upper = Clp_rowUpper(clp);
  const Index rows = variables_ + std::ssize(row_of_);
  const Vector right = Eigen::Map<const Vector>(upper, rows);
  const double optimum = value_;
  Vector sum = duals();
  double count = 1;
  Random random(1);
  for (int corner = 0; corner < kCorners; ++corner) {
    for (Index i = 0; i < rows; ++i) {
      upper[i] = right[i] + kShift * (2 * random.uniform() - 1);
    }
    Clp_dual(clp, 0);
    const Vector prices = duals();
    if (Clp_status(clp) == 0 && prices.dot(right) <= optimum + kSameValue) {
      sum += prices;
      ++count;
    }
  }
  std::copy(right.begin(), right.end(), upper);
  Clp_dual(clp, 0);
  sum /= count;
  prices_ = sum.head(variables_);
  for (auto& [k, share] : shares_) {
    share = sum[row_of_.at(k)];
  }
}

void PackingProgram::solve() {
  Clp_Simplex* clp = model_->clp;
  Clp_primal(clp, 0);
  if (Clp_status(clp) != 0) {
    throw NumericalError(
        fmt::format("the linear program of {} supports has no optimum: CLP ended with status {}",
                    columns_.size(), Clp_status(clp)));
  }
  value_ = -Clp_objectiveValue(clp);
  const double* duals = Clp_dualRowSolution(clp);
  for (Index i = 0; i < variables_; ++i) {
    prices_[i] = std::max(0.0, -duals[i]);
  }
  for (auto& [k, share] : shares_) {
    share = std::max(0.0, -duals[row_of_.at(k)]);
  }
  taken_.clear();
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

std::string clp_version() { return Clp_Version(); }

}  // namespace spca
