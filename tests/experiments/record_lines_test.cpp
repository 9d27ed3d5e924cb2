/// Records read from their lines without parsing all of JSON.

#include <gtest/gtest.h>

#include "harness/records/record.h"
#include "harness/records/record_line.h"
#include "spca/base/error.h"

namespace spca::record_lines_test {
namespace {

TEST(RecordLines, AreScannedAsTheyAreParsed) {
  Record record;
  record.key = std::string(64, 'a');
  record.grid = "g \"quoted\" \\ }{";
  record.dataset = "d\tä";
  record.solver = "s,\"status\":\"x\"";
  record.options = Json{{"status", "no"}, {"list", {1, "]", Json::object()}}};
  record.message = "tab\tand \"quote\"";
  record.status = Status::kTimeLimit;
  record.contended = true;
  record.timing = {{"solve_seconds", {0.25}}};
  record.loadings = {{.support = {1}, .values = Vector::Ones(1)}};
  const std::string line = record_to_line(record);
  const RecordLine scanned = scan_record_line(line);
  EXPECT_EQ(scanned.key, record.key);
  EXPECT_EQ(scanned.grid, record.grid);
  EXPECT_EQ(scanned.dataset, record.dataset);
  EXPECT_EQ(scanned.solver, record.solver);
  EXPECT_EQ(scanned.status, record.status);
  EXPECT_TRUE(scanned.contended && scanned.has_answer);
  EXPECT_EQ(scanned.solve_seconds, 0.25);
  EXPECT_EQ(text_of(raw_field(line, "message")), record.message);
  const Record renamed = record_from_line(relabelled(line, "a", "b\"", "c"));
  EXPECT_EQ(renamed.grid + renamed.dataset + renamed.solver, "ab\"c");
  EXPECT_EQ(relabelled(record_to_line(renamed), record.grid, record.dataset, record.solver), line);
  const Record reused = record_from_line(as_reused(line, "0123", true));
  EXPECT_EQ(reused.origin, "0123");
  EXPECT_TRUE(reused.elsewhere);
  EXPECT_EQ(record_to_line(reused), as_reused(line, "0123", true));
}

TEST(RecordLines, AreRefusedWhereTheyAreNotWhole) {
  const std::string line = record_to_line([] {
    Record record;
    record.key = std::string(64, 'b');
    return record;
  }());
  EXPECT_NO_THROW(scan_record_line(line));
  for (std::size_t size = 0; size < line.size(); ++size) {
    EXPECT_THROW(scan_record_line(line.substr(0, size)), InputError) << size;
    EXPECT_THROW(scan_record_line(line.substr(0, size + 1) + line), InputError) << size;
  }
  EXPECT_THROW(scan_record_line(line + "x"), InputError);
}

}  // namespace
}  // namespace spca::record_lines_test
