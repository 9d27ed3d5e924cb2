/// Solvers with options in brackets, as command lines name them.

#include "harness/experiments/solver_choice.h"

#include <gtest/gtest.h>

#include "spca/base/error.h"

namespace spca::solver_choice_test {
namespace {

using Words = std::vector<std::string>;

/// Returns the labels and the options of the chosen solvers.
std::vector<std::pair<std::string, Json>> chosen(const Words& words) {
  std::vector<std::pair<std::string, Json>> found;
  for (const SolverChoice& solver : chosen_solvers(words, "SOLVER")) {
    EXPECT_EQ(solver.entry->name, solver.name);
    found.emplace_back(solver.label, solver.options);
  }
  return found;
}

std::string error_of(const std::string& word) {
  try {
    chosen_solvers({word}, "SOLVER");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(SolverChoice, OptionsFollowInBracketsAndStandInTheLabel) {
  const auto found =
      chosen({"search", "search[starts=8]", "encoder-refine[starts=batch,greedy,rows=common]"});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], std::pair(std::string("search"), Json::object()));
  EXPECT_EQ(found[1], std::pair(std::string("search starts=8"), Json({{"starts", 8}})));
  EXPECT_EQ(found[2].first, "encoder-refine starts=batch,greedy rows=common");
  EXPECT_EQ(found[2].second, Json({{"starts", {"batch", "greedy"}}, {"rows", "common"}}));
}

TEST(SolverChoice, EachChoiceOfOptionsOccursOnce) {
  const Json starts =
      chosen_solvers({"search"}, "SOLVER")[0].entry->complete_options(Json::object(), "")["starts"];
  EXPECT_EQ(chosen({"search", "sear*", "search[]"}).size(), 1u);
  EXPECT_THROW(chosen({"search", "search[starts=" + starts.dump() + "]"}), InputError);
}

TEST(SolverChoice, ASolverOfAPatternHasToHaveTheOption) {
  EXPECT_EQ(chosen({"sear*[starts=3]"}), chosen({"search[starts=3]"}));
  EXPECT_NE(error_of("*[rows=common]").find("SOLVER: *[rows=common]/rows"), std::string::npos);
}

TEST(SolverChoice, WrongWordsAreRefused) {
  EXPECT_NE(error_of("serch[starts=3]").find("serch"), std::string::npos);
  EXPECT_NE(error_of("search[starts]").find("accepted in brackets: OPTION=VALUE"),
            std::string::npos);
  EXPECT_NE(error_of("search[starts=3,starts=4]").find("each option once"), std::string::npos);
  EXPECT_NE(error_of("search[starts=-3]").find("search[starts=-3]/starts"), std::string::npos);
  EXPECT_NE(error_of("none*[starts=3]").find("which is not a solver"), std::string::npos);
  EXPECT_NE(error_of("search[starts=3").find("search[starts=3"), std::string::npos);
}

TEST(SolverChoice, AListIsSplitOutsideOfBrackets) {
  EXPECT_EQ(solver_words("tpower, search[starts=3,seed=2] ,gpower-*"),
            (Words{"tpower", "search[starts=3,seed=2]", "gpower-*"}));
  EXPECT_EQ(solver_words("a[b=[1,2],c=3],d"), (Words{"a[b=[1,2],c=3]", "d"}));
  EXPECT_EQ(solver_words(""), Words{""});
}

}  // namespace
}  // namespace spca::solver_choice_test
