/// Tests of files of Google Benchmark: which are read, and which are refused.

#include "harness/history/benchmark_import.h"

#include "harness/history/dates.h"
#include "tests/temporary_files.h"

namespace spca::benchmark_import_test {
namespace {

const EntryWords kWords = {.commit = "c", .date = "", .machine = ""};

std::string file_with(const std::string& benchmarks) {
  return R"({"context": {"date": "2026-11-23T09:15:00+01:00", "host_name": "h", "num_cpus": 2,
  "executable": "./bench/products_bench", "mhz_per_cpu": 2450, "caches": [],
  "library_build_type": "release"},
  "benchmarks": [)" +
         benchmarks + "]}";
}

std::string result(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "run_name": ")" + name + "\", " + more + "}";
}

HistoryEntry read(const std::string& text, const EntryWords& words = kWords) {
  return entry_of_benchmark(text, "b.json", words);
}

std::string refusal(const std::string& text, const EntryWords& words = kWords) {
  std::string message = error_of([&] { read(text, words); });
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

const EntryPoint& point(const EntryCell& cell, const std::string& metric) {
  for (const EntryPoint& one : cell.points) {
    if (one.metric == metric) {
      return one;
    }
  }
  throw std::out_of_range(metric);
}

const std::string kTwice =
    result("dense/64", R"("run_type": "iteration", "repetitions": 2, "repetition_index": 0,
      "iterations": 9, "real_time": 10, "cpu_time": 8, "time_unit": "us", "flops": 100)") +
    "," + result("dense/64", R"("run_type": "iteration", "repetitions": 2, "repetition_index": 1,
      "iterations": 9, "real_time": 40, "cpu_time": 8, "time_unit": "us", "flops": 100)");

TEST(BenchmarkImport, RepetitionsAreRepeatsInSecondsAndCountersKeepTheirNames) {
  const HistoryEntry entry = read(file_with(
      kTwice + "," +
      result("dense/64", R"("run_type": "aggregate", "aggregate_name": "mean", "real_time": 25,
        "cpu_time": 8, "time_unit": "us")")));
  EXPECT_EQ(entry.kind, "benchmark");
  EXPECT_EQ(entry.experiment, "products_bench");
  EXPECT_EQ(entry.date, "2026-11-23T08:15:00Z");
  EXPECT_FALSE(entry.machine.contains("mhz_per_cpu"));
  ASSERT_EQ(entry.cells.size(), 1U);
  EXPECT_NEAR(point(entry.cells[0], "real_seconds").mean, 20e-6, 1e-12);  // the geometric mean
  EXPECT_EQ(point(entry.cells[0], "real_seconds").count, 2U);
  EXPECT_NEAR(point(entry.cells[0], "flops").mean, 100, 1e-9);
  EXPECT_EQ(entry.cells[0].points.size(), 3U);
}

TEST(BenchmarkImport, OfAggregatesAloneTheMedianCounts) {
  const auto aggregate = [](const std::string& name, double time) {
    return result("a", R"("run_type": "aggregate", "aggregate_name": ")" + name +
                           R"(", "real_time": )" + std::to_string(time) +
                           R"(, "cpu_time": 1, "time_unit": "s")");
  };
  const HistoryEntry entry = read(file_with(aggregate("mean", 3) + "," + aggregate("median", 2) +
                                            "," + aggregate("stddev", 1)));
  EXPECT_NEAR(point(entry.cells.at(0), "real_seconds").mean, 2, 1e-12);
}

TEST(BenchmarkImport, NamesWhatReportsAnError) {
  const HistoryEntry entry = read(
      file_with(kTwice + "," + result("broken", R"("run_type": "iteration", "error_occurred": true,
        "error_message": "no", "real_time": 0, "cpu_time": 0, "time_unit": "ns")")));
  EXPECT_EQ(entry.cells.size(), 1U);
  ASSERT_EQ(entry.left_out.size(), 1U);
  EXPECT_NE(entry.left_out[0].find("broken"), std::string::npos);
}

TEST(BenchmarkImport, AMachineMayBeGivenAName) {
  EXPECT_EQ(read(file_with(kTwice), {.commit = "c", .date = "2026-01-02", .machine = "ci"}).machine,
            Json({{"name", "ci"}}));
}

TEST(BenchmarkImport, RefusesInOneLineWithThePlace) {
  const std::string whole = file_with(kTwice);
  for (std::size_t length = 0; length < whole.size(); length += 37) {
    EXPECT_TRUE(refusal(whole.substr(0, length)).starts_with("b.json:"));
  }
  EXPECT_NE(refusal("[]").find("--benchmark_format=json"), std::string::npos);
  EXPECT_NE(refusal(file_with("")).find("/benchmarks"), std::string::npos);
  const auto one = [](const std::string& time) {
    return file_with(
        result("a", R"("run_type": "iteration", "cpu_time": 1, "real_time": )" + time));
  };
  for (const char* time : {"NaN", "-1", "\"1\"", "null", "1e999", "Infinity"}) {
    EXPECT_TRUE(refusal(one(time)).starts_with("b.json:")) << time;
  }
  const std::string twice = refusal(file_with(kTwice + "," + kTwice));
  EXPECT_NE(twice.find("/benchmarks/2"), std::string::npos) << twice;
  EXPECT_NE(refusal(file_with(kTwice), {}).find("--commit"), std::string::npos);
  EXPECT_NE(
      refusal(file_with(kTwice), {.commit = "a b", .date = "", .machine = ""}).find("--commit"),
      std::string::npos);
  EXPECT_NE(
      refusal(file_with(kTwice), {.commit = "c", .date = "today", .machine = ""}).find("--date"),
      std::string::npos);
}

TEST(Dates, AreMomentsInUtc) {
  EXPECT_EQ(utc_moment("2026-11-23", "d"), "2026-11-23T00:00:00Z");
  EXPECT_EQ(utc_moment("2026-11-23T00:30:00+0100", "d"), "2026-11-22T23:30:00Z");
  EXPECT_EQ(utc_moment("2028-02-29T12:00:00-05:30", "d"), "2028-02-29T17:30:00Z");
  for (const char* wrong : {"", "2026", "2026-02-29", "2026-13-01", "2026-11-23T25:00:00Z",
                            "2026-11-23T10:00:00", "2026-11-23 ", "23.11.2026"}) {
    EXPECT_TRUE(error_of([&] { utc_moment(wrong, "--since"); }).starts_with("--since: found"))
        << wrong;
  }
}

}  // namespace
}  // namespace spca::benchmark_import_test
