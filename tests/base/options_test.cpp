#include "spca/base/options_json.h"

#include <gtest/gtest.h>

#include "spca/base/error.h"

namespace spca::options_test {
namespace {

struct SampleOptions {
  bool refit = true;
  Index restarts = 10;
  double penalty = 0.5;
  std::string threshold = "soft";
  std::vector<std::string> starts = {"a"};
  std::vector<double> levels = {0.25};
  void describe(OptionVisitor& visit) {
    visit("refit", refit, "refit on the support");
    visit("restarts", restarts, "random starts", at_least(1));
    visit("penalty", penalty, "share of the longest column",
          Range{.minimum = 0, .maximum = 1, .minimum_excluded = true});
    visit("threshold", threshold, "rule", {"soft", "hard"});
    visit("starts", starts, "starting points", {"a", "b"});
    visit("levels", levels, "one or one for each", between(0, 1));
  }
};

TEST(Options, DefaultsAreWrittenOutAndReadBack) {
  const Json written = options_to_json(SampleOptions{});
  EXPECT_EQ(
      written.dump(),
      R"({"refit":true,"restarts":10,"penalty":0.5,"threshold":"soft","starts":["a"],"levels":[0.25]})");
  EXPECT_EQ(options_to_json(options_from_json<SampleOptions>(written, "")), written);
}

TEST(Options, FieldsThatAreNotNamedKeepTheirDefaults) {
  const auto options = options_from_json<SampleOptions>(Json{{"restarts", 3}}, "");
  EXPECT_EQ(options.restarts, 3);
  EXPECT_EQ(options.penalty, 0.5);
}

TEST(Options, AWordStandsForAListOfOne) {
  EXPECT_EQ(options_from_json<SampleOptions>(Json{{"starts", "b"}}, "").starts,
            std::vector<std::string>{"b"});
}

TEST(Options, ANumberStandsForAListOfOne) {
  const auto levels = [](const char* json) {
    return options_from_json<SampleOptions>(Json::parse(json), "").levels;
  };
  EXPECT_EQ(levels(R"({"levels": 1})"), std::vector<double>{1});
  EXPECT_EQ(levels(R"({"levels": [0.5, 0, 1]})"), (std::vector<double>{0.5, 0, 1}));
}

TEST(Options, OneNumberServesAllComponents) {
  EXPECT_EQ(one_for_each({0.5}, 3, "/penalty"), (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(one_for_each({0.5, 0.25}, 2, "/penalty"), (std::vector<double>{0.5, 0.25}));
  try {
    one_for_each({0.5, 0.25}, 3, "/penalty");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "/penalty: 2 numbers for 3 components; accepted: one for all or 3");
  }
}

TEST(Options, AreDescribedWithTypeRangeAndChoices) {
  const Json description = describe_options(options_type<SampleOptions>());
  ASSERT_EQ(description.size(), 6U);
  EXPECT_EQ(
      description[1].dump(),
      R"({"name":"restarts","type":"integer","default":10,"help":"random starts","minimum":1.0})");
  EXPECT_EQ(description[2]["exclusive_minimum"], 0);
  EXPECT_EQ(description[3]["choices"], Json({"soft", "hard"}));
  EXPECT_EQ(
      description[5].dump(),
      R"({"name":"levels","type":"numbers","default":[0.25],"help":"one or one for each","minimum":0.0,"maximum":1.0})");
}

struct BadOption {
  std::string name;
  std::string json;
  std::string message;
};

class OptionsRefuse : public testing::TestWithParam<BadOption> {};

TEST_P(OptionsRefuse, WithPointerAndAcceptedValues) {
  try {
    options_from_json<SampleOptions>(Json::parse(GetParam().json), "/solvers/0/options");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "/solvers/0/options" + GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Values, OptionsRefuse,
    testing::Values(
        BadOption{
            "UnknownKey", R"({"penalti": 1})",
            R"(/penalti: unknown option (did you mean "penalty"?); accepted: refit, restarts, penalty, threshold, starts, levels)"},
        BadOption{"Fraction", R"({"restarts": 1.5})",
                  "/restarts: found 1.5; accepted: a whole number >= 1"},
        BadOption{"TooSmall", R"({"restarts": 0})", "/restarts: 0 is out of range; accepted: >= 1"},
        BadOption{"BeyondItsRange", R"({"restarts": 18446744073709551615})",
                  "/restarts: found 18446744073709551615; accepted: a whole number >= 1"},
        BadOption{"ExcludedEnd", R"({"penalty": 0})",
                  "/penalty: 0 is out of range; accepted: > 0 and <= 1"},
        BadOption{"NotABoolean", R"({"refit": 1})", "/refit: found 1; accepted: true, false"},
        BadOption{
            "Choice", R"({"threshold": "sof"})",
            R"(/threshold: "sof" is not accepted (did you mean "soft"?); accepted: soft, hard)"},
        BadOption{"ItemOfAList", R"({"starts": ["a", "c"]})",
                  R"(/starts/1: "c" is not accepted (did you mean "a"?); accepted: a, b)"},
        BadOption{"EmptyList", R"({"starts": []})", "/starts: found []; accepted: a list of a, b"},
        BadOption{"NumberOfAList", R"({"levels": [0.5, 2]})",
                  "/levels/1: 2 is out of range; accepted: >= 0 and <= 1"},
        BadOption{"NumberForAList", R"({"levels": 2})",
                  "/levels: 2 is out of range; accepted: >= 0 and <= 1"},
        BadOption{"WordInNumbers", R"({"levels": ["a"]})",
                  R"(/levels/0: found "a"; accepted: a number >= 0 and <= 1)"},
        BadOption{"EmptyNumbers", R"({"levels": []})",
                  "/levels: found []; accepted: a list of numbers >= 0 and <= 1"},
        BadOption{"NotAnObject", "[1]", ": found [1]; accepted: an object of options"}),
    [](const auto& test) { return test.param.name; });

TEST(SetOption, ReadsJsonWordsAndLists) {
  Json options;
  set_option(options, "penalty=0.25");
  set_option(options, "refit=false");
  set_option(options, "threshold=hard");
  set_option(options, "starts=a,b");
  set_option(options, "levels=0.5,1");
  EXPECT_EQ(
      options.dump(),
      R"({"penalty":0.25,"refit":false,"threshold":"hard","starts":["a","b"],"levels":[0.5,1]})");
  EXPECT_THROW(set_option(options, "penalty"), InputError);
  EXPECT_THROW(set_option(options, "=1"), InputError);
}

TEST(DidYouMean, OffersOnlySimilarWords) {
  EXPECT_EQ(did_you_mean("tpowr", {"em", "tpower"}), R"( (did you mean "tpower"?))");
  EXPECT_EQ(did_you_mean("lasso", {"em", "tpower"}), "");
}

TEST(Check, NamesTheConditionAndTheFile) {
  try {
    SPCA_CHECK(1 > 2, "order of the integers");
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("options_test.cpp"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("order of the integers (condition 1 > 2)"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace spca::options_test
