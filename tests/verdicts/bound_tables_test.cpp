/// Tests of values beside their bounds, made by hand: the numbers alone decide which value is
/// called optimal.

#include "harness/verdicts/bound_tables.h"

#include <gtest/gtest.h>

#include "spca/covariance/deflation.h"
#include "spca/data/dataset.h"
#include "spca/solving/solver.h"

namespace spca::bound_tables_test {
namespace {

using Texts = std::vector<std::string>;

Variant variant(const std::string& solver, std::vector<Index> cardinality) {
  Variant made;
  made.grid = "g";
  made.dataset = &DatasetRegistry::instance().get("pitprops", "");
  made.dataset_label = "props";
  made.solver = &SolverRegistry::instance().get(solver, "");
  made.solver_label = solver;
  made.components = std::ssize(cardinality);
  made.cardinality = std::move(cardinality);
  made.metrics = {"explained_variance", "upper_bound"};
  return made;
}

Record record(const Variant& of, double value, double bound) {
  Record made;
  made.grid = of.grid;
  made.dataset = of.dataset_label;
  made.solver = of.solver_label;
  made.cardinality = of.cardinality;
  made.components = of.components;
  made.loadings.resize(static_cast<std::size_t>(of.components));
  made.status = Status::kConverged;
  made.message.clear();
  made.metrics["explained_variance"] = {value};
  made.metrics["upper_bound"] = {bound};
  return made;
}

/// The tables of an experiment that declares one of kind "bounds" over all its cells.
std::vector<Table> tables_of(const std::vector<Variant>& variants,
                             const std::vector<Record>& records,
                             std::vector<PublishedCell> published = {}) {
  Experiment experiment;
  experiment.variants = variants;
  experiment.published = std::move(published);
  experiment.bound_tables = {{.title = "T", .where = {}}};
  return bound_tables(experiment, records, compare_with_published(experiment, records));
}

Table table_of(const std::vector<Variant>& variants, const std::vector<Record>& records,
               std::vector<PublishedCell> published = {}) {
  return tables_of(variants, records, std::move(published)).at(0);
}

const Variant& ascent() {
  static const Variant made = variant("bipart-ascent", {2, 2});
  return made;
}
const Variant& proof() {
  static const Variant made = variant("branch-price", {2, 2});
  return made;
}

TEST(BoundTables, CallAHeuristicOptimalByTheBoundOfAnother) {
  Record proven = record(proof(), 5, 5);
  proven.cost.cpu_seconds = 1.25;
  const Table table = table_of({ascent(), proof()}, {record(ascent(), 5, 6), proven});
  EXPECT_EQ(table.title, "T");
  EXPECT_EQ(table.header, (Texts{"dataset", "r", "k", "value", "upper bound", "gap", "CPU s",
                                 "bipart-ascent", "branch-price"}));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0],
            (Texts{"props", "2", "2", "5", "5", "0 %", "1.25", "optimal", "optimal"}));
}

TEST(BoundTables, SayByHowMuchAnAnswerIsBelowTheBest) {
  const Table open =
      table_of({ascent(), proof()}, {record(ascent(), 4.5, 6), record(proof(), 5, 5.5)});
  EXPECT_EQ(open.rows[0],
            (Texts{"props", "2", "2", "5", "5.5", "9.09 %", "none", "10.00 % less", "best"}));
  const Table closed =
      table_of({ascent(), proof()}, {record(ascent(), 4.5, 6), record(proof(), 5, 5)});
  EXPECT_EQ(closed.rows[0][7], "10.00 % less");
  EXPECT_EQ(closed.rows[0][8], "optimal");
  const Table near =
      table_of({ascent(), proof()}, {record(ascent(), 5 - 1e-5, 6), record(proof(), 5, 5)});
  EXPECT_EQ(near.rows[0][7], "0.0002 % less") << "one that is known not to be optimal is not";
  const Table nearer =
      table_of({ascent(), proof()}, {record(ascent(), 5 - 1e-8, 6), record(proof(), 5, 5)});
  EXPECT_EQ(nearer.rows[0][7], "2e-07 % less");
  const Table little =
      table_of({ascent(), proof()}, {record(ascent(), 5 - 1e-4, 6), record(proof(), 5, 6)});
  EXPECT_EQ(little.rows[0][7], "0.002 % less") << "never zero, and never the best";
}

TEST(BoundTables, ClaimNothingWithoutAnAnswerOrABound) {
  const Table half = table_of({ascent(), proof()}, {record(ascent(), 5, kNotMeasured)});
  EXPECT_EQ(half.rows[0],
            (Texts{"props", "2", "2", "5", "none", "none", "none", "best", "no record"}));
  Record failed = record(proof(), 5, 5);
  failed.status = Status::kFailed;
  const Table none = table_of({proof()}, {failed});
  EXPECT_EQ(none.rows[0].back(), "failed");
  EXPECT_EQ(none.rows[0][3], "none");
}

TEST(BoundTables, TakeTheLeastBoundThatHoldsForTheAnswers) {
  Record both = record(proof(), 5, 8);
  both.metrics["upper_bound_disjoint"] = {5};
  EXPECT_EQ(table_of({proof()}, {both}).rows[0].back(), "optimal");
  // Orthogonal components may share variables: a bound on disjoint ones does not hold for them.
  const Variant shared = variant("orthogonal-ascent", {2, 2});
  Record sharing = record(shared, 5, 8);
  sharing.metrics["upper_bound_disjoint"] = {5};
  EXPECT_EQ(table_of({shared}, {sharing}).rows[0].back(), "best");
  sharing.metrics["upper_bound_orthogonal"] = {5};
  EXPECT_EQ(table_of({shared}, {sharing}).rows[0].back(), "optimal");
  // Nor do answers with shared and with disjoint variables compete.
  EXPECT_EQ(table_of({shared, proof()}, {sharing, record(proof(), 4, 4)}).rows.size(), 2U);
}

TEST(BoundTables, HaveAPublishedNumberIfThereIsOne) {
  PublishedCell cell;
  cell.metric = "explained_variance";
  cell.value = 4.9;
  cell.printed = "4.90";
  cell.match.solvers = {"branch-price"};
  const std::vector<Record> records = {record(ascent(), 5, 6), record(proof(), 5, 5)};
  const Table table = table_of({ascent(), proof()}, records, {cell});
  EXPECT_EQ(table.header[3], "published");
  EXPECT_EQ(table.rows[0][3], "4.90");
}

/// Components that overlap without being orthogonal can explain more than any bound.
TEST(BoundTables, LeaveOutWhatNoBoundHolds) {
  Variant deflated = variant("tpower", {2, 2});
  EXPECT_TRUE(tables_of({deflated}, {record(deflated, 7, 6)}).empty());
  deflated.deflation = &DeflationRegistry::instance().get("remove-support", "");
  EXPECT_EQ(tables_of({deflated}, {}).size(), 1U) << "disjoint, if its variables are taken away";
  EXPECT_EQ(tables_of({variant("tpower", {2})}, {}).size(), 1U);
  Variant repeated = proof();
  repeated.repeats = 3;
  EXPECT_TRUE(tables_of({repeated}, {}).empty());
  Record unbound = record(proof(), 7, 6);
  unbound.unconstrained = true;
  EXPECT_TRUE(tables_of({proof()}, {unbound}).empty());
}

}  // namespace
}  // namespace spca::bound_tables_test
