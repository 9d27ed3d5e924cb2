/// No byte of a run changes unseen: checks of lines and of the manifest, and digests of files.

#include "harness/records/run_seal.h"

#include <set>

#include "harness/records/record_line.h"
#include "harness/submissions/run_merge.h"
#include "tests/runner_testing.h"

namespace spca::run_seal_test {
namespace {

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class RunSeal : public Runner {
 protected:
  void SetUp() override {
    Runner::SetUp();
    experiment_ = make_experiment({.solvers = {"test-plain", "test-random"}, .repeats = 6});
    run_experiment(request(experiment_));
  }
  fs::path folder() const { return root_ / "run"; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder() / name, std::ios::binary) << bytes;
  }
  /// The message of a command that reads the run; "" if the command accepts all of it.
  std::string refusal() const {
    try {
      require_intact_run(folder());
      read_records(cells_file());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string printed_by_run(RunSummary& summary) const {
    testing::internal::CaptureStderr();
    summary = run_experiment(request(experiment_));
    return testing::internal::GetCapturedStderr();
  }

  Experiment experiment_;
};

constexpr const char* kFilesOfARun[] = {"cells.jsonl", "manifest.json", "experiment.json",
                                        "identities.jsonl"};

TEST_F(RunSeal, NoChangedByteOfAFinishedRunPasses) {
  ASSERT_EQ(refusal(), "");
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder())) {
    files.insert(entry.path().filename());
  }
  EXPECT_EQ(files, (std::set<std::string>{"cells.jsonl", "manifest.json", "experiment.json",
                                          "identities.jsonl", ".lock"}))
      << "a file that nothing seals";
  Random random(1);
  for (const char* name : kFilesOfARun) {
    const std::string whole = bytes_of(folder() / name);
    for (int flip = 0; flip < 1000; ++flip) {
      std::string flipped = whole;
      const std::size_t at = random.below(whole.size());
      flipped[at] = static_cast<char>(flipped[at] ^ static_cast<char>(1 + random.below(255)));
      write(name, flipped);
      const std::string error = refusal();
      ASSERT_NE(error.find(name), std::string::npos) << name << ", byte " << at << ": " << error;
    }
    write(name, whole);
  }
  EXPECT_EQ(refusal(), "");
}

TEST_F(RunSeal, NoChangedByteOfARecordPassesInARunThatWasKilled) {
  write_manifest(folder(), read_manifest(folder()), Seal::kRunning);
  const std::string whole = bytes_of(cells_file());
  Random random(2);
  for (int flip = 0; flip < 1000; ++flip) {
    std::string flipped = whole;
    // Not the last line feed: without it the last line is torn, and does not count.
    const std::size_t at = random.below(whole.size() - 1);
    flipped[at] = static_cast<char>(flipped[at] ^ static_cast<char>(1 + random.below(255)));
    write("cells.jsonl", flipped);
    ASSERT_NE(refusal().find("cells.jsonl:"), std::string::npos) << at;
  }
}

TEST_F(RunSeal, LinesThatAreCutDoubledOrSwappedDoNotPass) {
  const std::vector<std::string> all = lines();
  const auto file_of = [](const std::vector<std::string>& some) { return join(some, "\n") + "\n"; };
  std::vector<std::vector<std::string>> wrong(4, all);
  wrong[0].pop_back();
  wrong[1].push_back(all[3]);
  std::swap(wrong[2][4], wrong[2][7]);
  wrong[3].erase(wrong[3].begin() + 5);
  for (const std::vector<std::string>& some : wrong) {
    write("cells.jsonl", file_of(some));
    EXPECT_NE(refusal().find("cells.jsonl: is not as its run left it"), std::string::npos);
    // Each record is intact, so the run keeps it, and solves the missing cells.
    RunSummary summary;
    EXPECT_EQ(printed_by_run(summary), "");
    EXPECT_EQ(summary.run, all.size() - std::set(some.begin(), some.end()).size());
    EXPECT_EQ(refusal(), "");
  }
  std::vector<std::string> cut = all;
  cut[2] = cut[2].substr(0, cut[2].size() / 2);
  write("cells.jsonl", file_of(cut));
  EXPECT_NE(refusal().find("cells.jsonl:3: the record has no check"), std::string::npos);
  write("cells.jsonl", file_of(all).substr(0, 1000));
  EXPECT_NE(refusal().find("cells.jsonl: is not as its run left it"), std::string::npos);
}

TEST_F(RunSeal, ARunNamesTheBadLineAndSolvesItsCellAgain) {
  const std::vector<std::string> before = answers();
  std::string bytes = bytes_of(cells_file());
  const std::size_t third = bytes.find('\n', bytes.find('\n') + 1) + 1;
  const std::size_t at = bytes.find("\"explained_variance\":", third) + 21;
  bytes[at] = bytes[at] == '1' ? '2' : '1';
  write("cells.jsonl", bytes);
  EXPECT_EQ(plan_run(request(experiment_)).planned[2].reason,
            "its record was changed, or is of an older version");
  RunSummary summary;
  EXPECT_EQ(
      printed_by_run(summary),
      "spca: " + cells_file().string() +
          ":3: the record does not match its check: it was changed; its cell is left out, and "
          "solved again\n");
  EXPECT_EQ(summary.run, 1U);
  EXPECT_EQ(summary.kept, 11U);
  EXPECT_EQ(answers(), before);
  EXPECT_EQ(refusal(), "");
}

TEST_F(RunSeal, ARunWritesAChangedManifestAnew) {
  std::string bytes = bytes_of(folder() / "manifest.json");
  bytes.replace(bytes.find("\"began\": \"2"), 11, "\"began\": \"3");
  write("manifest.json", bytes);
  EXPECT_NE(refusal().find("manifest.json: does not match its check"), std::string::npos);
  RunSummary summary;
  EXPECT_NE(printed_by_run(summary).find("manifest.json: was changed"), std::string::npos);
  EXPECT_EQ(summary.kept, 12U);
  EXPECT_EQ(refusal(), "");
  // The manifest no longer says of which experiment the run is.
  for (const char* text : {"[]\n", "nonsense", "{\"overrides\": 7}\n"}) {
    write("manifest.json", text);
    EXPECT_NE(error_of(request(experiment_)).find("by a manifest.json that was changed"),
              std::string::npos);
  }
  RunRequest forced = request(experiment_);
  forced.force = true;
  EXPECT_EQ(run_experiment(forced).run, 12U);
  EXPECT_EQ(refusal(), "");
}

TEST_F(RunSeal, ARunWithoutChecksIsReadOnlyIfDamageIsTolerated) {
  // Lines as versions without checks wrote them.
  std::string old;
  for (const std::string& line : lines()) {
    old += line.substr(0, line.rfind(",\"check\":")) + "}\n";
  }
  write("cells.jsonl", old + "nonsense\n");
  Json manifest = read_manifest(folder());
  manifest.erase("files");
  write("manifest.json", manifest.dump(2) + "\n");
  EXPECT_NE(refusal().find("manifest.json: has no check"), std::string::npos);
  testing::internal::CaptureStderr();
  require_intact_run(folder(), Damage::kTolerated);
  EXPECT_EQ(read_records(cells_file(), Damage::kTolerated).size(), 12U);
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_NE(printed.find("manifest.json: has no check"), std::string::npos) << printed;
  EXPECT_NE(printed.find("13 such lines, of which 1 cannot be read"), std::string::npos) << printed;
  EXPECT_EQ(read_manifest(folder(), Damage::kTolerated), manifest);
}

TEST_F(RunSeal, MergingRefusesAChangedRecord) {
  std::string bytes = bytes_of(cells_file());
  bytes[bytes.find("\"seed\":") + 7] ^= 1;
  write("cells.jsonl", bytes);
  try {
    merge_runs({folder()}, root_ / "merged", root_ / "data", nullptr, Damage::kRefused);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cells.jsonl:1: the record does not match its check"),
              std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(fs::exists(root_ / "merged"));
}

TEST_F(RunSeal, OnlyTimingsDifferBetweenTwoRunsOfOneSeed) {
  run_experiment(request(experiment_, "again"));
  ASSERT_EQ(lines().size(), lines("again").size());
  for (std::size_t i = 0; i < lines().size(); ++i) {
    const std::string one = lines()[i];
    const std::string two = lines("again")[i];
    EXPECT_EQ(one.substr(0, one.find(",\"timing\":")), two.substr(0, two.find(",\"timing\":")));
  }
}

}  // namespace
}  // namespace spca::run_seal_test
