#pragma once

/// SQLite as the cache of cells uses it: connections and statements that close themselves, and
/// errors that name the file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace spca {

class SqlDatabase;

/// One prepared SQL statement. All functions throw InputError that names the file and the reason.
class SqlStatement {
 public:
  /// `database` must outlive this.
  SqlStatement(const SqlDatabase& database, std::string_view sql);
  ~SqlStatement();
  SqlStatement(const SqlStatement&) = delete;
  SqlStatement& operator=(const SqlStatement&) = delete;

  /// Starts anew with these values for the parameters ?1, ?2, ...: texts, 64-bit integers,
  /// doubles (NaN becomes NULL) and nullptr (NULL). Texts must live until the last step().
  template <class... Values>
  SqlStatement& with(const Values&... values) {
    reset();
    int parameter = 0;
    (bind(++parameter, values), ...);
    return *this;
  }
  /// Goes to the next row; false after the last one. The statement is then reset: it holds no lock.
  bool step();
  /// Steps to the end.
  void run();
  void reset();

  /// Columns of the current row, counted from 0. A text stays valid until the next step.
  std::string_view text(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;
  bool is_null(int column) const;

 private:
  void bind(int parameter, std::string_view text);
  void bind(int parameter, std::int64_t integer);
  void bind(int parameter, double number);
  void bind(int parameter, std::nullptr_t);

  const SqlDatabase& database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// How a file is opened.
enum class SqlAccess {
  kExisting,  // must be there; is read only if the system allows no more
  kMade,      // is made if it is not there
  kImmutable  // without locks, for a folder that this process cannot write
};

/// A connection to one file. Only the process that opened it may use or close it: a forked child
/// must leave by _exit() or exec() without touching it.
class SqlDatabase {
 public:
  /// An empty database in memory.
  SqlDatabase();
  /// Whoever finds the file locked waits for up to ten seconds. Throws InputError. `advice` ends the
  /// message if the file is corrupt; empty: how to delete it.
  SqlDatabase(std::filesystem::path file, SqlAccess access, std::string advice = {});
  ~SqlDatabase();
  SqlDatabase(const SqlDatabase&) = delete;
  SqlDatabase& operator=(const SqlDatabase&) = delete;

  /// Runs statements that have no parameters and whose rows are not wanted. Throws InputError.
  void execute(const char* sql);
  /// The first column of the first row. Throws InputError.
  std::int64_t integer(std::string_view sql) const;
  /// Whether a transaction is open. SQLite itself ends one after some errors.
  bool in_transaction() const;
  const std::filesystem::path& file() const { return file_; }
  /// Throws InputError for a result of SQLite that is not SQLITE_OK.
  void check(int result) const;

 private:
  friend class SqlStatement;
  void open(const char* name, int flags);
  std::filesystem::path file_;
  std::string advice_;
  sqlite3* database_ = nullptr;
};

/// That of SQLite with which the program runs.
std::string sqlite_version();

}  // namespace spca
