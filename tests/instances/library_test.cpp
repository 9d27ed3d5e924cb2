/// Tests the files of the library, and the comparison of answers with them.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/instances/answer_file.h"
#include "harness/instances/instance_data.h"
#include "harness/instances/library_comparison.h"
#include "harness/instances/library_file.h"
#include "spca/base/error.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/temporary_files.h"

namespace spca::library_test {
namespace {

namespace fs = std::filesystem;

class Library : public TemporaryFiles {
 protected:
  /// Returns a file of one instance: pit props with k = 5, whose optimum is 3.40615, with the given
  /// proved bound.
  Json document(double bound) const {
    const Json best = {{"value", 3.4061550999},
                       {"supports", {{0, 1, 6, 8, 9}}},
                       {"found_by", {{"solver", "a hand"}, {"version", ""}, {"options", nullptr}}}};
    const Json proof = {{"value", bound},           {"by", "branch-bound"},
                        {"version", "0.1.0"},       {"options", Json::object()},
                        {"seconds", 0.1},           {"limit", 10},
                        {"certificate", "checked"}, {"machine", ""}};
    return {{"schema", 1},
            {"class", "one-component"},
            {"edition", "2026"},
            {"data",
             {{"pitprops",
               {{"dataset", "pitprops"},
                {"options", Json::object()},
                {"draw", nullptr},
                {"checksum", ""},
                {"n", 0},
                {"p", 13},
                {"trace", 13.0}}}}},
            {"instances",
             {{{"id", "pitprops-k5"},
               {"data", "pitprops"},
               {"r", 1},
               {"k", 5},
               {"best", best},
               {"bound", proof},
               {"status", "proved"},
               {"gap", 0}}}}};
  }

  void write_library(const Json& json) const { write("one-component.json", json.dump(2)); }

  /// Expects that reading `json` fails with a message that has all `words`.
  void expect_refused(const Json& json, const std::vector<std::string>& words) const {
    write_library(json);
    try {
      read_library_file(folder_ / "one-component.json");
      ADD_FAILURE() << "accepted: " << json.dump();
    } catch (const InputError& error) {
      for (const std::string& word : words) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
      }
    }
  }
};

TEST_F(Library, AFileIsReadAndWrittenWithoutLoss) {
  write_library(document(3.41));
  const LibraryFile file = read_library_file(folder_ / "one-component.json");
  write_library_file(folder_ / "again.json", file);
  const LibraryFile again = read_library_file(folder_ / "again.json");
  EXPECT_EQ(library_json(again), library_json(file));
  EXPECT_EQ(again.instances.at(0).best.value, 3.4061550999);
  EXPECT_EQ(again.instances.at(0).bound.limit, 10);
}

TEST_F(Library, AWrongFileIsRefusedWithPlaceAndAcceptedValues) {
  const auto changed = [&](const char* pointer, const Json& value) {
    Json json = document(3.41);
    json[Json::json_pointer(pointer)] = value;
    return json;
  };
  expect_refused(changed("/class", "pairs"), {"one-component.json:", "/class", "disjoint"});
  expect_refused(changed("/schema", 2), {"/schema", "version 1"});
  expect_refused(changed("/instances/0/id", "pitprops-k6"), {"/instances/0/id", "pitprops-k5"});
  expect_refused(changed("/instances/0/data", "wood"), {"/instances/0/data", "label"});
  expect_refused(changed("/instances/0/k", 14), {"/instances/0/k", "13"});
  expect_refused(changed("/instances/0/best/supports/0", {0, 1, 6, 8, 13}), {"0 ... 12"});
  expect_refused(changed("/instances/0/best/supports/0", {1, 0}), {"ascend"});
  expect_refused(changed("/instances/0/best/supports/0", {0, 1, 2, 3, 4, 5}),
                 {"/instances/0/best/supports", "k = 5"});
  expect_refused(changed("/instances/0/best/loadings", Json::array()), {"no loadings"});
  expect_refused(changed("/data/pitprops/draw", "12x"), {"/data/pitprops/draw", "2^64"});
  expect_refused(changed("/instances/0/bound/certificate", "trust me"), {"checked", "recomputed"});
}

/// Compares the best answer on `support`, as a solver would hand it in, with the library.
LibraryComparison comparison(const InstanceLibrary& library, const Support& support, Index k,
                             const std::string& checksum = "", double bound = kNotMeasured) {
  const DatasetEntry& entry = DatasetRegistry::instance().get("pitprops", "test");
  const Dataset dataset = entry.load(entry.complete_options(Json::object(), ""), {.data_dir = ""});
  const std::vector<Component> components = {
      best_on_support(*dataset.covariance, support).component};
  return compare_with_library(library,
                              DataOrigin{.dataset = "pitprops",
                                         .options = entry.complete_options(Json::object(), ""),
                                         .checksum = [&] { return checksum; }},
                              {.solver = "mine",
                               .covariance = *dataset.covariance,
                               .components = components,
                               .k = k,
                               .bound = bound});
}

TEST_F(Library, AnAnswerAboveABoundIsAContradictionThatNamesBoth) {
  write_library(document(3.0));
  const InstanceLibrary library(folder_);
  const LibraryComparison above = comparison(library, {0, 1, 6, 8, 9}, 5);
  for (const char* word : {"3.406", "mine", " 3 ", "pitprops-k5", "branch-bound"}) {
    EXPECT_NE(above.contradiction.find(word), std::string::npos) << above.contradiction;
  }
  EXPECT_FALSE(above.standing.has_value());
  // Fewer nonzeros are an answer to the instance, too.
  write_library(document(2.0));
  EXPECT_NE(comparison(InstanceLibrary(folder_), {0, 1, 6, 8}, 4).contradiction, "");
  EXPECT_EQ(comparison(InstanceLibrary(folder_), {0, 1, 2, 3, 6, 8}, 6).contradiction, "")
      << "six nonzeros are not an answer";
}

TEST_F(Library, ABoundBelowTheBestKnownAnswerIsAContradiction) {
  write_library(document(3.5));
  const InstanceLibrary library(folder_);
  const Support worse = {0, 1, 2, 3, 4};
  const LibraryComparison low = comparison(library, worse, 5, "", 3.2);
  for (const char* word : {"3.40", "3.2", "the bound of mine", "pitprops-k5"}) {
    EXPECT_NE(low.contradiction.find(word), std::string::npos) << low.contradiction;
  }
  EXPECT_FALSE(low.standing.has_value());
  EXPECT_EQ(comparison(library, worse, 5, "", 3.5).contradiction, "");
  EXPECT_EQ(comparison(library, worse, 4, "", 3.2).contradiction, "")
      << "a bound on four variables";
  EXPECT_EQ(comparison(library, worse, 0, "", 3.2).contradiction, "") << "the bound of a penalty";
}

TEST_F(Library, AnAnswerToAnInstanceHasAStanding) {
  write_library(document(3.407));
  const InstanceLibrary library(folder_);
  const LibraryComparison reached = comparison(library, {0, 1, 6, 8, 9}, 5);
  ASSERT_TRUE(reached.standing.has_value());
  EXPECT_EQ(reached.standing->id, "pitprops-k5");
  const LibraryComparison worse = comparison(library, {0, 1, 2, 3, 4}, 5);
  ASSERT_TRUE(worse.standing.has_value());
  EXPECT_FALSE(worse.standing->is_reached());
  EXPECT_NE(standing_text(*worse.standing).find(" % below"), std::string::npos);
  EXPECT_FALSE(comparison(library, {0, 1, 6, 8, 9}, 6).standing.has_value()) << "another k";
  EXPECT_FALSE(comparison(library, {0, 1, 6, 8, 9}, 5, "other bytes").standing.has_value());
}

TEST_F(Library, AFolderWithoutFilesHasNoInstances) {
  const InstanceLibrary library(folder_ / "missing");
  EXPECT_TRUE(library.instances({}).empty());
  EXPECT_EQ(comparison(library, {0, 1}, 2).contradiction, "");
}

/// Broken files of answers are refused with the place of the error.
TEST_F(Library, AnswersAreReadFromJsonAndCsv) {
  write("a.json", R"([{"id": "pitprops-k5", "support": [0, "length", 6]}])");
  const std::vector<SubmittedAnswer> json = read_answers(folder_ / "a.json");
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0].components.at(0).variables.at(1), "length");
  write("a.csv", "id,component,variable,loading\nx,1,3,0.6\nx,2,length,1\ny,1,0,1\n");
  const std::vector<SubmittedAnswer> csv = read_answers(folder_ / "a.csv");
  ASSERT_EQ(csv.size(), 2U);
  EXPECT_EQ(csv[0].components.size(), 2U);
  EXPECT_EQ(csv[0].components[0].loadings.at(0), 0.6);
  const auto refused = [&](const char* name, const std::string& text,
                           const std::vector<std::string>& words) {
    write(name, text);
    try {
      read_answers(folder_ / name);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
      for (const std::string& word : words) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
      }
    }
  };
  refused("b.json", R"([{"id": "x"}])", {"b.json:1:2: /0", "support"});
  refused("b.json", R"([{"id": "x", "loadings": [{"indices": [1], "values": [1, 2]}]}])",
          {"/0/loadings/0/values", "1 numbers"});
  refused("b.json", R"([{"support": [1]}])", {"/0", "id"});
  refused("b.csv", "component,variable\n1,1\n", {"b.csv:1", "column id", "header"});
  refused("b.csv", "id,component,variable\nx,one,1\n", {"b.csv:2", "\"one\""});
  refused("b.csv", "id,component,variable\nx,3,1\n", {"b.csv:2", "in order"});
  refused("b.csv", "id,component,variable,loading\nx,1,1,nan\n", {"b.csv:2", "finite"});
  refused("b.csv", "id,component,variable\n", {"b.csv", "no answers"});
  refused("b.txt", "", {"b.txt", ".csv"});
}

}  // namespace
}  // namespace spca::library_test
