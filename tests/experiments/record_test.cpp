#include "harness/records/record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/records/manifest.h"
#include "harness/records/record_line.h"
#include "spca/base/registry.h"
#include "spca/measure/metrics.h"

namespace spca::record_test {
namespace {

std::vector<double> measure_recorded(const MetricContext&) { return {}; }
SPCA_METRIC("record_test_per_component", measure_recorded,
            (MetricTraits{.unit = "", .formula = "", .per_component = true}));

Record example() {
  Record record;
  record.key = "00ff";
  record.grid = "main";
  record.dataset = "spiked m=50";
  record.solver = "tpower \"quoted\\\" \xc3\xa9";
  record.solver_name = "tpower";
  record.dataset_name = "spiked";
  record.deflation = "projection";
  record.dataset_options = Json{{"samples", 50}};
  record.options = Json{{"starts", 3}, {"tolerance", 1e-7}, {"word", "a"}};
  record.components = 2;
  record.cardinality = {2, 1};
  record.repeat = 4;
  record.seed = 0xfedcba9876543210;
  record.n = 50;
  record.p = 500;
  record.status = Status::kIterationLimit;
  record.message = "several words";
  record.tuned = true;
  record.cardinality_missed = true;
  record.truncated = true;
  record.unconstrained = true;
  record.unoptimised = true;
  record.contended = true;
  record.metrics["share"] = {0.1};
  record.metrics["share_each"] = {1.0 / 3, kNotMeasured};
  record.metrics["unknown"] = {kNotMeasured};
  record.timing["solve_seconds"] = {1.25e-7};
  record.measured_by = "0123456789abcdef";
  record.bound = 2.5;
  record.cost = {.solve_seconds = 1.25e-7, .products = 12, .phases = {{"core", 0.5}}};
  record.loadings = {{.support = {3, 499}, .values = Vector::Constant(2, -std::sqrt(0.5))},
                     {.support = {0}, .values = Vector::Ones(1)}};
  return record;
}

TEST(Record, IsTheSameAfterWritingAndReading) {
  const Record record = example();
  const std::string line = record_to_line(record);
  const Record read = record_from_line(line);
  EXPECT_EQ(record_to_line(read), line);
  EXPECT_EQ(read.solver, record.solver);
  EXPECT_EQ(read.seed, record.seed);
  EXPECT_EQ(read.status, record.status);
  EXPECT_EQ(read.message, record.message);
  EXPECT_EQ(read.options, record.options);
  EXPECT_EQ(read.cardinality, record.cardinality);
  EXPECT_TRUE(read.tuned && read.cardinality_missed && read.truncated && read.unconstrained &&
              read.contended);
  EXPECT_EQ(read.metrics.at("share_each")[0], 1.0 / 3);
  EXPECT_TRUE(std::isnan(read.metrics.at("share_each")[1]));
  EXPECT_EQ(read.timing.at("solve_seconds"), record.timing.at("solve_seconds"));
  EXPECT_EQ(read.measured_by, record.measured_by);
  EXPECT_EQ(read.bound, record.bound);
  EXPECT_EQ(read.cost.solve_seconds, record.cost.solve_seconds);
  EXPECT_TRUE(std::isnan(read.cost.cpu_seconds));
  EXPECT_EQ(read.cost.phases, record.cost.phases);
  ASSERT_EQ(read.loadings.size(), 2U);
  EXPECT_EQ(read.loadings[0].support, record.loadings[0].support);
  EXPECT_EQ(read.loadings[0].values, record.loadings[0].values);
}

TEST(Record, IsOneLineOfJson) {
  const std::string line = record_to_line(example());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(Json::parse(line).is_object());
}

TEST(Record, WritesUnmeasuredValuesAsNull) {
  const Json json = Json::parse(record_to_line(example()));
  EXPECT_TRUE(json["metrics"]["unknown"].is_null());
  EXPECT_TRUE(json["metrics"]["share_each"][1].is_null());
}

TEST(Record, WritesAMetricPerComponentAsAListEvenForOneComponent) {
  Record record = example();
  record.metrics = {{"record_test_per_component", {0.5}}, {"share", {0.5}}};
  const Json json = Json::parse(record_to_line(record));
  EXPECT_TRUE(json["metrics"]["record_test_per_component"].is_array());
  EXPECT_TRUE(json["metrics"]["share"].is_number());
}

TEST(Record, EndsWithWhatMayDifferBetweenTwoRuns) {
  Record record = example();
  Record beside = record;
  beside.contended = !record.contended;
  beside.timing["solve_seconds"] = {3.0};
  beside.cost.cpu_seconds = 2;
  const auto answer = [](const Record& any) { return std::string(stable_part(answer_text(any))); };
  EXPECT_NE(record_to_line(record), record_to_line(beside));
  EXPECT_EQ(answer(record), answer(beside));
}

TEST(Record, ReplacesBytesThatAreNotUtf8) {
  Record record = example();
  record.message = "bad byte \xff in the file";
  EXPECT_EQ(record_from_line(record_to_line(record)).message, "bad byte \xef\xbf\xbd in the file");
}

std::string error_of(const std::string& line) {
  try {
    record_from_line(line);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Record, NamesTheFieldThatIsMissingOrWrong) {
  Json json = Json::parse(record_to_line(example()));
  json["repeat"] = "four";
  EXPECT_EQ(error_of(json.dump()), "a record whose \"repeat\" is of a wrong kind: \"four\"");
  json["repeat"] = 5e23;  // no integer: converting it is undefined
  EXPECT_TRUE(error_of(json.dump()).starts_with("a record whose \"repeat\" is of a wrong kind"));
  json["repeat"] = 0;
  json["cardinality"] = {1.5};
  EXPECT_TRUE(error_of(json.dump()).starts_with("a record whose \"cardinality\" is of a wrong"));
  json["cardinality"] = {1};
  json.erase("repeat");
  EXPECT_EQ(error_of(json.dump()), "a record without \"repeat\"");
  EXPECT_EQ(error_of("[1]"), "a line that is not a JSON object");
}

class RecordsFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(testing::TempDir()) /
            ("spca_record_test_" +
             std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::ofstream(path_).close();
  }
  void TearDown() override { std::filesystem::remove(path_); }
  void append(const std::string& text) { std::ofstream(path_, std::ios::app) << text; }
  static Record with_key(const std::string& key, Status status = Status::kConverged) {
    Record record = example();
    record.key = key;
    record.status = status;
    return record;
  }
  std::filesystem::path path_;
};

TEST_F(RecordsFile, DropsATornLastLine) {
  const std::string line = record_to_line(with_key("b"));
  append(record_to_line(with_key("a")) + "\n" + line.substr(0, line.size() / 2));
  const std::vector<Record> records = read_records(path_);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].key, "a");
}

TEST_F(RecordsFile, NamesFileAndLineOfARecordThatCannotBeRead) {
  append(record_to_line(with_key("a")) + "\nnonsense\n");
  try {
    read_records(path_);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              path_.string() +
                  ":2: the record has no check: it was changed, or an older version wrote "
                  "it; accepted: a run as it was left (`spca run` restores it; for "
                  "one of an older version, `spca merge OLD -o NEW --force` keeps its records); "
                  "--force of table, report, site, check, compare and merge reads the "
                  "rest");
  }
}

TEST_F(RecordsFile, TakesTheLaterOfTwoRecordsOfOneCell) {
  // The key of a cell changes with the sources.
  Record other = with_key("b");
  other.repeat += 1;
  for (const Record& record :
       {with_key("older", Status::kFailed), other, with_key("a", Status::kConverged)}) {
    append(record_to_line(record) + "\n");
  }
  const std::vector<Record> records = read_records(path_);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].key, "a");
  EXPECT_EQ(records[0].status, Status::kConverged);
}

TEST(Manifest, NamesTheBuildAndTheMachine) {
  const Json build = build_information();
  for (const char* name : {"version", "compiler", "flags", "build_type", "sources"}) {
    EXPECT_TRUE(build.contains(name)) << name;
  }
  EXPECT_EQ(build["revision"].get<std::string>().size(), 64U);
  const Json machine = machine_information();
  EXPECT_GE(machine["cores"].get<int>(), 1);
  EXPECT_GT(machine["memory_bytes"].get<double>(), 0);
  EXPECT_FALSE(machine["processor"].get<std::string>().empty());
}

}  // namespace
}  // namespace spca::record_test
