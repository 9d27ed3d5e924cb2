/// Tests of records that are read from their lines without parsing the whole JSON.

#include <gtest/gtest.h>

#include "harness/records/record.h"
#include "harness/records/record_line.h"
#include "spca/base/error.h"

namespace spca::record_lines_test {
namespace {

/// Returns a record whose strings look like fields.
Record tricky() {
  Record record;
  record.key = std::string(64, 'a');
  record.grid = "g \"quoted\" \\ }{";
  record.dataset = "d\tä";
  record.solver = "s,\"status\":\"x\"";
  record.options = Json{{"status", "no"}, {"list", {1, "]", Json::object()}}};
  record.message = "back\\slash and \"quote\"";
  record.status = Status::kTimeLimit;
  record.contended = true;
  record.deflation = "projection";
  record.cardinality = {5, 2};
  record.repeat = 17;
  record.measured_by = "abc";
  record.cost.solve_seconds = 0.25;
  record.loadings = {{.support = {1}, .values = Vector::Ones(1)}};
  return record;
}

TEST(RecordLines, AreScannedAsTheyAreParsed) {
  const Record record = tricky();
  const std::string line = record_to_line(record);
  const RecordLine scanned = scan_record_line(line);
  EXPECT_EQ(scanned.key, record.key);
  EXPECT_EQ(scanned.cell, static_cast<const CellIdentity&>(record));
  EXPECT_EQ(scanned.status, record.status);
  EXPECT_TRUE(scanned.contended && scanned.has_loadings);
  EXPECT_EQ(scanned.solve_seconds, 0.25);
  EXPECT_EQ(scanned.measured_by, "abc");
  EXPECT_EQ(text_of(raw_field(line, "message")), record.message);
}

TEST(RecordLines, AreAnAnswerInAnEnvelope) {
  const Record record = tricky();
  const std::string line = record_to_line(record);
  EXPECT_EQ(answer_of_line(line), answer_text(record));
  Envelope envelope = read_envelope(line);
  EXPECT_EQ(envelope.key, record.key);
  EXPECT_TRUE(envelope.contended);
  EXPECT_EQ(compose_line(envelope, answer_of_line(line)), line);
  envelope.grid = "a";
  envelope.dataset = "b\"";
  envelope.solver = "c";
  envelope.origin = "0123";
  envelope.elsewhere = true;
  const std::string kept = compose_line(envelope, answer_text(record));
  const Record reused = record_from_line(kept);
  EXPECT_EQ(reused.grid + reused.dataset + reused.solver, "ab\"c");
  EXPECT_EQ(reused.origin, "0123");
  EXPECT_TRUE(reused.elsewhere && reused.contended);
  EXPECT_EQ(record_to_line(reused), kept);
  EXPECT_EQ(answer_of_line(kept), answer_of_line(line));
}

TEST(RecordLines, OfOlderVersionsAreRecognised) {
  const std::string old = R"({"key":"a","grid":"g","status":"failed","contended":false})";
  EXPECT_THROW(read_envelope(old), InputError);
  EXPECT_THROW(answer_of_line(old), InputError);
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
