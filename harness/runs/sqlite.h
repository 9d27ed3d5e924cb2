#pragma once

/// Wraps SQLite for the cache of cells and the history: connections and statements that close
/// themselves, and errors that name the file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace spca {

class SqlDatabase;

/// A prepared SQL statement. The constructor, with(), step() and run() throw InputError with the
/// file and the reason.
class SqlStatement {
 public:
  /// `database` must outlive this object.
  SqlStatement(const SqlDatabase& database, std::string_view sql);
  ~SqlStatement();
  SqlStatement(const SqlStatement&) = delete;
  SqlStatement& operator=(const SqlStatement&) = delete;

  /// Restarts with these values for the parameters ?1, ?2, ...: texts, 64-bit integers, doubles
  /// (NaN becomes NULL) and nullptr (NULL). Texts must live until the last step().
  template <class... Values>
  SqlStatement& with(const Values&... values) {
    reset();
    int parameter = 0;
    (bind(++parameter, values), ...);
    return *this;
  }
  /// Goes to the next row; returns false after the last one. The statement is then reset and holds
  /// no lock.
  bool step();
  /// Steps to the end, ignoring rows.
  void run();
  void reset();

  /// Return a column of the current row, counted from 0. A text stays valid until the next step.
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

/// The mode in which a file is opened.
enum class SqlAccess {
  kExisting,  // must exist; opened read-only if the system does not allow writing
  kMade,      // created if missing
  kImmutable  // without locks, for a folder that this process cannot write
};

/// A connection to one file. Only the process that opened it may use or close it: a forked child
/// must leave by _exit() or exec() without touching it.
class SqlDatabase {
 public:
  /// Opens an empty database in memory.
  SqlDatabase();
  /// Opens a file. Statements wait for up to ten seconds if the file is locked. Throws InputError.
  /// `advice` ends the message for a corrupt file; if empty, the message says how to delete the
  /// file.
  SqlDatabase(std::filesystem::path file, SqlAccess access, std::string advice = {});
  ~SqlDatabase();
  SqlDatabase(const SqlDatabase&) = delete;
  SqlDatabase& operator=(const SqlDatabase&) = delete;

  /// Runs statements without parameters and ignores their rows. Throws InputError.
  void execute(const char* sql);
  /// Returns the first column of the first row, or 0 if there is no row. Throws InputError.
  std::int64_t integer(std::string_view sql) const;
  /// Returns whether a transaction is open. SQLite itself ends one after some errors.
  bool in_transaction() const;
  const std::filesystem::path& file() const { return file_; }
  /// Throws InputError if SQLite's `result` is not SQLITE_OK.
  void check(int result) const;

 private:
  friend class SqlStatement;
  void open(const char* name, int flags);
  std::filesystem::path file_;
  std::string advice_;
  sqlite3* database_ = nullptr;
};

/// Returns the version of SQLite at run time.
std::string sqlite_version();

}  // namespace spca
