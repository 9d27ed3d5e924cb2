#include "spca/methods/pairs/division_gains.h"

#include <gtest/gtest.h>

namespace spca::division_gains_test {
namespace {

CountDivision at(Index variable, double part, Index at_most = 0) {
  return {.variable = variable, .at_most = at_most, .part = part};
}

TEST(DivisionGains, WithoutGainsTheCountFarthestFromAWholeNumberIsDivided) {
  const DivisionGains gains(4, 2);
  const std::vector<CountDivision> divisions = {at(0, 0.1), at(2, 0.6), at(3, 0.8)};
  EXPECT_EQ(gains.choose(divisions, Vector::Ones(3)).variable, 2);
  EXPECT_EQ(gains.choose(divisions, Vector(Vector{{1, 1, 9}})).variable, 3);
  EXPECT_EQ(gains.choose(divisions, Vector::Zero(3)).variable, 2);
  EXPECT_EQ(gains.choose({}, Vector()).variable, -1);
}

TEST(DivisionGains, ADivisionThatLoweredBothBoundsIsChosenAgain) {
  DivisionGains gains(3, 2);
  for (const Index variable : {0, 1}) {
    gains.add(at(variable, 0.5), true, variable == 1 ? 8 : 1);
    gains.add(at(variable, 0.5), false, variable == 1 ? 8 : 1);
  }
  const std::vector<CountDivision> divisions = {at(0, 0.5), at(1, 0.2), at(2, 0.2)};
  EXPECT_EQ(gains.choose(divisions, Vector::Ones(3)).variable, 1);
  // One large gain alone leaves the bound of the other part.
  DivisionGains one_sided(2, 2);
  one_sided.add(at(0, 0.5), true, 10);
  one_sided.add(at(0, 0.5), false, 0);
  one_sided.add(at(1, 0.5), true, 2);
  one_sided.add(at(1, 0.5), false, 2);
  EXPECT_EQ(one_sided.choose({at(0, 0.5), at(1, 0.5)}, Vector::Ones(2)).variable, 1);
}

TEST(DivisionGains, AreThoseOfACountThatMovesByOne) {
  DivisionGains gains(2, 1);
  gains.add(at(0, 0.2), true, 1);   // 5 for a move by 1
  gains.add(at(0, 0.2), false, 4);  // 5
  gains.add(at(1, 0.5), true, 2);   // 4
  gains.add(at(1, 0.5), false, 2);  // 4
  EXPECT_EQ(gains.choose({at(0, 0.5), at(1, 0.5)}, Vector::Ones(2)).variable, 0);
}

TEST(CountLimits, ADivisionIsAtTheWholeCountBelow) {
  PairConditions conditions = PairConditions::shared({2, 2, 2}, 5);
  conditions.most[4] = 1;
  const Vector counts{{0, 0.4, 1.7, 2.995, 1}};
  const std::vector<CountDivision> divisions = divisions_of_parts(conditions, counts);
  ASSERT_EQ(divisions.size(), 2U);
  EXPECT_EQ(divisions[0].variable, 1);
  EXPECT_EQ(divisions[0].at_most, 0);
  EXPECT_DOUBLE_EQ(divisions[0].part, 0.4);
  EXPECT_EQ(divisions[1].variable, 2);
  EXPECT_EQ(divisions[1].at_most, 1);
  EXPECT_DOUBLE_EQ(divisions[1].part, 0.7);
  conditions.least[2] = conditions.most[2] = 2;
  EXPECT_EQ(divisions_of_parts(conditions, counts).size(), 1U);
  // A common support has a variable r times or never.
  const std::vector<CountDivision> common =
      divisions_of_parts(PairConditions::common(3, 3, 5), counts);
  ASSERT_EQ(common.size(), 3U);
  EXPECT_DOUBLE_EQ(common[1].part, 1.7 / 3);
}

}  // namespace
}  // namespace spca::division_gains_test
