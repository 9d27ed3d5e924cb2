#pragma once

/// The linear program of disjoint supports. A column is a support I of k variables that is worth
/// w_I; x_I is how much of it is taken:
///
///   maximise  sum_I w_I x_I
///   s.t.      sum over the I that hold i of x_I <= 1      for every variable i    price mu_i >= 0
///             sum over the I of k variables of x_I <= c_k  for every cardinality k  price h_k >= 0
///             x >= 0
///
/// and any rows of subset_row.h, which whole x_I obey.
///
/// Source  set packing by columns: M. Desrochers, J. Desrosiers, M. Solomon, Operations Research
///         40:342, 1992; solved by CLP (J. Forrest et al., COIN-OR)

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pricing/subset_row.h"
#include "spca/methods/relaxations/support_pricing.h"

namespace spca {

/// Returns the least power of two that is not below x, so that division by it is exact; 1 if x is
/// not positive.
double power_of_two_from(double x);

class PackingProgram {
 public:
  /// `counts`: the number of supports of k variables that are wanted, for every k.
  PackingProgram(Index variables, const std::map<Index, Index>& counts);
  ~PackingProgram();
  PackingProgram(const PackingProgram&) = delete;
  PackingProgram& operator=(const PackingProgram&) = delete;

  /// Adds a column, ascending, whose number of variables is one of the cardinalities. Returns false
  /// if the program has it already.
  bool add(const Support& support, double worth);
  /// Adds a row. Returns false if the program has it already.
  bool add(const SubsetRow& row);
  /// Solves the program, starting from the previous optimum. Throws NumericalError if CLP finds no
  /// optimum. Without columns it does nothing.
  void solve();
  /// Moves the prices near the centre of the optimal face: to the mean of the present vertex and of
  /// at most `corners` other optimal ones. At a vertex many supports are worth exactly their price,
  /// which makes it hard to prove that none is worth more.
  void centre_prices(int corners);

  double value() const { return value_; }
  const Vector& prices() const { return prices_; }       // mu, one a variable
  double share(Index k) const { return shares_.at(k); }  // h_k
  /// The added rows, with their prices.
  const std::vector<SubsetCharge>& charges() const { return charges_; }
  Index size() const { return std::ssize(columns_); }

  struct Taken {
    Support support;
    double worth = 0;
    double part = 0;  // x_I > 0
  };
  /// The columns with x_I > 0, the largest part first.
  const std::vector<Taken>& taken() const { return taken_; }
  /// Returns true if all x_I are 0 or 1, up to rounding.
  bool is_integral() const;
  /// Two variables that the program takes together in one support but not in another; (-1, -1) if
  /// there are none: then no two supports that it takes in part share a variable.
  PairRules::Pair divided_pair() const;
  /// An upper bound on the value if any supports may be added whose worth beyond the prices is at
  /// most their entry in `others`, by cardinality. It follows from the prices alone, without trust
  /// in CLP.
  double bound(const std::map<Index, double>& others) const;

 private:
  struct Model;  // the model of CLP
  void set_prices(const Vector& duals);
  struct Column {
    Support support;
    double worth = 0;
  };
  std::unique_ptr<Model> model_;
  Index variables_;
  std::map<Index, Index> counts_;
  std::map<Index, int> row_of_;  // the row of each cardinality
  std::vector<Column> columns_;
  std::set<Support> known_;
  double value_ = 0;
  Vector prices_;
  std::map<Index, double> shares_;
  std::vector<SubsetCharge> charges_;
  std::vector<Taken> taken_;
};

/// The version of CLP with which the program runs.
std::string clp_version();

}  // namespace spca
