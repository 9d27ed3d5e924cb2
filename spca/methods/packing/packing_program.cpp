#include "spca/methods/packing/packing_program.h"

#include <coin/Clp_C_Interface.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/random.h"

namespace spca {
namespace {

// CLP's tolerances, in the units of the worths, of which the largest is about 1.
constexpr double kProgramTolerance = 1e-9;
// The perturbation of the right-hand sides that leads to another vertex.
constexpr double kShift = 1e-4;
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
  Clp_setPrimalTolerance(clp, kProgramTolerance);
  Clp_setDualTolerance(clp, kProgramTolerance);
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

/// The prices of the variables, of the cardinalities and of the added rows: CLP's dual solution,
/// with negative prices set to 0.
Vector PackingProgram::duals() const {
  const double* duals = Clp_dualRowSolution(model_->clp);
  Vector prices(variables_ + std::ssize(row_of_) + std::ssize(charges_));
  for (Index i = 0; i < prices.size(); ++i) {
    prices[i] = std::max(0.0, -duals[i]);
  }
  return prices;
}

void PackingProgram::centre_prices(int corners) {
  Clp_Simplex* clp = model_->clp;
  double* upper = Clp_rowUpper(clp);
  const Index rows = duals().size();
  const Vector right = Eigen::Map<const Vector>(upper, rows);
  const double optimum = value_;
  Vector sum = duals();
  double count = 1;
  Random random(1);
  for (int corner = 0; corner < corners; ++corner) {
    for (Index i = 0; i < rows; ++i) {
      upper[i] = right[i] + kShift * (2 * random.uniform() - 1);
    }
    Clp_dual(clp, 0);
    const Vector prices = duals();
    if (Clp_status(clp) == 0 && prices.dot(right) <= optimum + kSameSumOfPrices) {
      sum += prices;
      ++count;
    }
  }
  std::copy(right.begin(), right.end(), upper);
  Clp_dual(clp, 0);
  set_prices(sum / count);
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
  set_prices(duals());
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
