#include "harness/history/history_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// The version of the tables below. Every change of the tables increases it.
constexpr std::int64_t kHistoryFormat = 1;
constexpr std::int64_t kApplication = 0x53504853;  // "SPHS", the application id of history files

constexpr const char* kMakeTables = R"(
  CREATE TABLE machines (number INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    experiment TEXT NOT NULL,
    profile TEXT NOT NULL,
    name TEXT NOT NULL,
    revision TEXT NOT NULL,
    date TEXT NOT NULL,
    machine INTEGER NOT NULL REFERENCES machines,
    overrides TEXT NOT NULL);
  CREATE TABLE questions (
    number INTEGER PRIMARY KEY, experiment TEXT NOT NULL, json TEXT NOT NULL UNIQUE);
  CREATE TABLE answers (
    number INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
  CREATE TABLE metrics (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE cells (
    run INTEGER NOT NULL REFERENCES runs,
    place INTEGER NOT NULL,
    question INTEGER NOT NULL REFERENCES questions,
    answer INTEGER NOT NULL REFERENCES answers,
    PRIMARY KEY (run, place)) WITHOUT ROWID;
  CREATE TABLE points (
    question INTEGER NOT NULL REFERENCES questions,
    metric INTEGER NOT NULL REFERENCES metrics,
    run INTEGER NOT NULL REFERENCES runs,
    mean REAL NOT NULL,
    count INTEGER NOT NULL,
    contended INTEGER NOT NULL,
    by_repeat TEXT NOT NULL,
    PRIMARY KEY (question, metric, run)) WITHOUT ROWID;
  PRAGMA application_id = 1397770323;
  PRAGMA user_version = 1)";
static_assert(kApplication == 1397770323);

/// Deletes the questions, answers and machines that only removed runs used.
constexpr const char* kRemoveUnused = R"(
  DELETE FROM questions WHERE number NOT IN (SELECT question FROM cells);
  DELETE FROM answers WHERE number NOT IN (SELECT answer FROM cells);
  DELETE FROM machines WHERE number NOT IN (SELECT machine FROM runs))";

constexpr const char* kAdvice =
    "nothing was changed; accepted: a file that `spca history` made (a copy of an earlier day, or "
    "what `sqlite3 FILE .recover` saves of this one)";

InputError no_history(const fs::path& file) {
  return InputError(fmt::format("{}: is not a history; accepted: a file that `spca history` made",
                                file.string()));
}

/// Creates the tables of a new file, and leaves any other file unchanged. Runs in a transaction,
/// because another process may create them at the same time.
void make_tables(SqlDatabase& database) {
  database.execute("BEGIN IMMEDIATE");
  if (database.integer("PRAGMA user_version") == 0 &&
      database.integer("SELECT count(*) FROM sqlite_schema") == 0) {
    database.execute(kMakeTables);
  }
  database.execute("COMMIT");
}

void require_history(const SqlDatabase& database) {
  const std::int64_t format = database.integer("PRAGMA user_version");
  if (database.integer("PRAGMA application_id") != kApplication || format < 1) {
    throw no_history(database.file());
  }
  if (format > kHistoryFormat) {
    throw InputError(
        fmt::format("{}: has format {}, of a newer version of this program; accepted: formats up "
                    "to {}",
                    database.file().string(), format, kHistoryFormat));
  }
  SqlStatement check(database, "PRAGMA quick_check(1)");
  if (check.step() && check.text(0) != "ok") {
    throw InputError(fmt::format("{}: is damaged; {}", database.file().string(), kAdvice));
  }
}

std::unique_ptr<SqlDatabase> open_history(const fs::path& path, SqlAccess access) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw no_history(path);
  }
  if (access == SqlAccess::kMade) {
    if (path.has_parent_path()) {
      make_directory(path.parent_path());
    }
  } else if (!fs::exists(status)) {
    throw InputError(
        fmt::format("{}: found no history; accepted: a file that `spca history add` "
                    "made (--file FILE, or SPCA_HISTORY)",
                    path.string()));
  }
  auto database = std::make_unique<SqlDatabase>(path, access, kAdvice);
  if (access == SqlAccess::kMade) {
    make_tables(*database);
  }
  require_history(*database);
  return database;
}

/// Returns the number of the row of `table` whose `column` is `text`; inserts the row if it is
/// missing.
std::int64_t number_of(const SqlDatabase& database, const char* table, const char* column,
                       const std::string& text) {
  SqlStatement find(database, fmt::format("SELECT number FROM {} WHERE {} = ?1", table, column));
  if (find.with(text).step()) {
    return find.integer(0);
  }
  SqlStatement(database, fmt::format("INSERT INTO {} ({}) VALUES (?1)", table, column))
      .with(text)
      .run();
  return database.integer("SELECT last_insert_rowid()");
}

/// Runs `change` in a transaction: all of it or nothing, even if the process is killed. Returns the
/// result of `change`.
template <class Change>
auto in_transaction(SqlDatabase& database, const Change& change) {
  database.execute("BEGIN IMMEDIATE");
  try {
    auto result = change();
    database.execute("COMMIT");
    return result;
  } catch (const InputError&) {
    if (database.in_transaction()) {
      database.execute("ROLLBACK");
    }
    throw;
  }
}

/// Adds the cells and points of one run, with the questions, answers and metrics that they name.
class Adder {
 public:
  Adder(const SqlDatabase& database, std::string experiment)
      : database_(database),
        experiment_(std::move(experiment)),
        find_question_(database, "SELECT number FROM questions WHERE json = ?1"),
        add_question_(database, "INSERT INTO questions (experiment, json) VALUES (?1, ?2)"),
        find_answer_(database, "SELECT number FROM answers WHERE digest = ?1"),
        add_answer_(database, "INSERT INTO answers (digest, text) VALUES (?1, ?2)"),
        add_cell_(database, "INSERT INTO cells VALUES (?1, ?2, ?3, ?4)"),
        add_point_(database, "INSERT INTO points VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)") {}

  void add(std::int64_t run, std::int64_t position, const EntryCell& cell) {
    const std::int64_t question = question_number(json_line(cell.question));
    add_cell_.with(run, position, question, answer_number(cell.answer)).run();
    for (const EntryPoint& point : cell.points) {
      add_point_
          .with(question, metric_number(point.metric), run, point.mean,
                static_cast<std::int64_t>(point.count), std::int64_t{point.contended ? 1 : 0},
                point.by_repeat)
          .run();
    }
  }

 private:
  std::int64_t last_number() const { return database_.integer("SELECT last_insert_rowid()"); }

  std::int64_t question_number(const std::string& json) {
    if (find_question_.with(json).step()) {
      const std::int64_t number = find_question_.integer(0);
      find_question_.reset();
      return number;
    }
    add_question_.with(experiment_, json).run();
    return last_number();
  }

  std::int64_t answer_number(const std::string& text) {
    const std::string digest = sha256(text);
    if (find_answer_.with(digest).step()) {
      const std::int64_t number = find_answer_.integer(0);
      find_answer_.reset();
      return number;
    }
    add_answer_.with(digest, text).run();
    return last_number();
  }

  std::int64_t metric_number(const std::string& name) {
    const auto [known, is_new] = metrics_.try_emplace(name);
    if (is_new) {
      known->second = number_of(database_, "metrics", "name", name);
    }
    return known->second;
  }

  const SqlDatabase& database_;
  std::string experiment_;
  SqlStatement find_question_, add_question_, find_answer_, add_answer_, add_cell_, add_point_;
  std::map<std::string, std::int64_t> metrics_;
};

Json json_of(const SqlStatement& row, int column, const fs::path& file) {
  Json json = parse_json(row.text(column));
  if (json.is_discarded()) {
    throw InputError(fmt::format("{}: is damaged; {}", file.string(), kAdvice));
  }
  return json;
}

}  // namespace

fs::path history_path() {
  const char* named = std::getenv("SPCA_HISTORY");
  return named == nullptr || *named == '\0' ? fs::path("results") / "history.sqlite"
                                            : fs::path(named);
}

VariantLabels HistoryQuestion::labels() const {
  if (json.contains("benchmark")) {
    return {.grid = "",
            .dataset = "",
            .solver = json.at("benchmark").get<std::string>(),
            .deflation = "",
            .cardinality = {}};
  }
  return {.grid = json.at("grid").get<std::string>(),
          .dataset = json.at("dataset").get<std::string>(),
          .solver = json.at("solver").get<std::string>(),
          .deflation = json.at("deflation").get<std::string>(),
          .cardinality = json.at("cardinality").get<std::vector<Index>>()};
}

HistoryFile::HistoryFile(const fs::path& path, SqlAccess access)
    : database_(open_history(path, access)) {}

std::optional<std::string> HistoryFile::add(const HistoryEntry& entry) {
  return in_transaction(*database_, [&]() -> std::optional<std::string> {
    SqlStatement same(*database_, "SELECT name FROM runs WHERE digest = ?1");
    if (same.with(entry.digest).step()) {
      return std::string(same.text(0));
    }
    const std::int64_t machine =
        number_of(*database_, "machines", "json", json_line(entry.machine));
    const std::string overrides = json_line(entry.overrides);
    SqlStatement(*database_,
                 "INSERT INTO runs (digest, kind, experiment, profile, name, revision, date, "
                 "machine, overrides) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
        .with(entry.digest, entry.kind, entry.experiment, entry.profile, entry.commit,
              entry.revision, entry.date, machine, overrides)
        .run();
    const std::int64_t run = database_->integer("SELECT last_insert_rowid()");
    Adder adder(*database_, entry.experiment);
    for (std::size_t position = 0; position < entry.cells.size(); ++position) {
      adder.add(run, static_cast<std::int64_t>(position), entry.cells[position]);
    }
    return std::nullopt;
  });
}

std::size_t HistoryFile::remove(const std::string& experiment, const std::string& commit) {
  return in_transaction(*database_, [&] {
    std::size_t removed = 0;
    for (const HistoryRun& run : runs(experiment)) {
      if (run.commit == commit) {
        for (const char* statement :
             {"DELETE FROM points WHERE run = ?1", "DELETE FROM cells WHERE run = ?1",
              "DELETE FROM runs WHERE number = ?1"}) {
          SqlStatement(*database_, statement).with(run.number).run();
        }
        ++removed;
      }
    }
    database_->execute(kRemoveUnused);
    return removed;
  });
}

std::vector<HistoryRun> HistoryFile::runs(const std::string& experiment) const {
  std::vector<HistoryRun> runs;
  SqlStatement rows(*database_,
                    "SELECT runs.number, kind, experiment, profile, name, revision, date, json, "
                    "overrides, digest FROM runs JOIN machines ON machine = machines.number "
                    "WHERE ?1 = '' OR experiment = ?1 ORDER BY date, runs.number");
  rows.with(experiment);
  while (rows.step()) {
    HistoryRun run;
    run.number = rows.integer(0);
    run.kind = rows.text(1);
    run.experiment = rows.text(2);
    run.profile = rows.text(3);
    run.commit = rows.text(4);
    run.revision = rows.text(5);
    run.date = rows.text(6);
    run.machine = json_of(rows, 7, path());
    run.overrides = json_of(rows, 8, path());
    run.digest = rows.text(9);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::map<std::int64_t, HistoryQuestion> HistoryFile::questions(
    const std::string& experiment) const {
  std::map<std::int64_t, HistoryQuestion> questions;
  SqlStatement rows(*database_, "SELECT number, json FROM questions WHERE experiment = ?1");
  rows.with(experiment);
  while (rows.step()) {
    HistoryQuestion question{.number = rows.integer(0), .json = json_of(rows, 1, path())};
    try {
      question.labels();
    } catch (const Json::exception&) {
      throw InputError(fmt::format("{}: is damaged; {}", path().string(), kAdvice));
    }
    questions.emplace(question.number, std::move(question));
  }
  return questions;
}

std::vector<HistoryPoint> HistoryFile::points(const std::string& experiment) const {
  std::vector<HistoryPoint> points;
  SqlStatement rows(*database_,
                    "SELECT question, run, name, mean, count, contended, by_repeat FROM points "
                    "JOIN metrics ON metric = metrics.number "
                    "JOIN questions ON question = questions.number "
                    "WHERE experiment = ?1 ORDER BY question, name, run");
  rows.with(experiment);
  while (rows.step()) {
    points.push_back({.question = rows.integer(0),
                      .run = rows.integer(1),
                      .metric = std::string(rows.text(2)),
                      .mean = rows.number(3),
                      .count = static_cast<std::size_t>(rows.integer(4)),
                      .contended = rows.integer(5) != 0,
                      .by_repeat = std::string(rows.text(6))});
  }
  return points;
}

std::vector<std::pair<std::int64_t, std::string>> HistoryFile::cells(std::int64_t run) const {
  std::vector<std::pair<std::int64_t, std::string>> cells;
  SqlStatement rows(*database_,
                    "SELECT question, text FROM cells JOIN answers ON answer = answers.number "
                    "WHERE run = ?1 ORDER BY place");
  rows.with(run);
  while (rows.step()) {
    cells.emplace_back(rows.integer(0), rows.text(1));
  }
  return cells;
}

}  // namespace spca
