#include "harness/runs/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "spca/base/error.h"

namespace spca {
namespace {

constexpr int kBusyMilliseconds = 10'000;

/// Returns the file as a URI, in which '%', '?' and '#' are escaped.
std::string immutable_uri(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char character : file.string()) {
    if (character == '%' || character == '?' || character == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned>(character));
    } else {
      uri += character;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

SqlStatement::SqlStatement(const SqlDatabase& database, std::string_view sql)
    : database_(database) {
  database_.check(sqlite3_prepare_v3(database_.database_, sql.data(), static_cast<int>(sql.size()),
                                     SQLITE_PREPARE_PERSISTENT, &statement_, nullptr));
}

SqlStatement::~SqlStatement() { sqlite3_finalize(statement_); }

bool SqlStatement::step() {
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) {
    return true;
  }
  if (result == SQLITE_DONE) {
    reset();
    return false;
  }
  database_.check(result);
  return false;
}

void SqlStatement::run() {
  while (step()) {
  }
}

/// Resets the statement. The result of sqlite3_reset is ignored: it repeats the error that step()
/// has thrown.
void SqlStatement::reset() { sqlite3_reset(statement_); }

std::string_view SqlStatement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
}

std::int64_t SqlStatement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double SqlStatement::number(int column) const { return sqlite3_column_double(statement_, column); }

bool SqlStatement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

void SqlStatement::bind(int parameter, std::string_view text) {
  const char* bytes = text.data() == nullptr ? "" : text.data();  // SQLite treats nullptr as NULL
  database_.check(
      sqlite3_bind_text64(statement_, parameter, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void SqlStatement::bind(int parameter, std::int64_t integer) {
  database_.check(sqlite3_bind_int64(statement_, parameter, integer));
}

void SqlStatement::bind(int parameter, double number) {
  database_.check(sqlite3_bind_double(statement_, parameter, number));
}

void SqlStatement::bind(int parameter, std::nullptr_t) {
  database_.check(sqlite3_bind_null(statement_, parameter));
}

SqlDatabase::SqlDatabase() : file_(":memory:") {
  open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

SqlDatabase::SqlDatabase(std::filesystem::path file, SqlAccess access, std::string advice)
    : file_(std::move(file)), advice_(std::move(advice)) {
  if (access == SqlAccess::kImmutable) {
    open(immutable_uri(file_).c_str(), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  } else {
    open(file_.c_str(),
         SQLITE_OPEN_READWRITE | (access == SqlAccess::kMade ? SQLITE_OPEN_CREATE : 0));
  }
}

void SqlDatabase::open(const char* name, int flags) {
  try {
    check(sqlite3_open_v2(name, &database_, flags, nullptr));
    check(sqlite3_busy_timeout(database_, kBusyMilliseconds));
  } catch (const InputError&) {
    sqlite3_close(database_);  // the destructor does not run if the constructor throws
    throw;
  }
}

SqlDatabase::~SqlDatabase() { sqlite3_close(database_); }

void SqlDatabase::check(int result) const {
  if (result == SQLITE_OK) {
    return;
  }
  const int code = result & 0xff;  // without the extended part
  // SQLite quotes a damaged schema as it is, with arbitrary bytes.
  std::string reason = sqlite3_errmsg(database_);
  std::replace_if(
      reason.begin(), reason.end(), [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  std::string message = fmt::format("{}: {}", file_.string(), reason);
  const int system_error = sqlite3_system_errno(database_);
  if (system_error != 0 && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN)) {
    message += fmt::format(" ({})", std::strerror(system_error));
  }
  // The program's statements are fixed, so an error that SQLite finds in them is an error of
  // the file.
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR) {
    message +=
        advice_.empty() ? fmt::format("; `rm '{}'*` deletes it", file_.string()) : "; " + advice_;
  }
  throw InputError(message);
}

void SqlDatabase::execute(const char* sql) {
  check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr));
}

std::int64_t SqlDatabase::integer(std::string_view sql) const {
  SqlStatement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

bool SqlDatabase::in_transaction() const { return sqlite3_get_autocommit(database_) == 0; }

std::string sqlite_version() { return sqlite3_libversion(); }

}  // namespace spca
