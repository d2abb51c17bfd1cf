// SQLite with errors as values.
#ifndef TWINSET_SRC_MEASURE_ENGINE_SQLITE_DB_H_
#define TWINSET_SRC_MEASURE_ENGINE_SQLITE_DB_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "twinset/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace twinset {

class SqliteDb;

// A prepared statement. Lives no longer than its database.
class SqliteStatement {
 public:
  SqliteStatement() = default;
  // Parameters from 1. Texts are not copied: they must live until Reset.
  void Bind(int place, std::string_view text);
  void Bind(int place, int64_t number);
  void Bind(int place, double number);
  // True: a row is there; false: none any more.
  Result<bool> Step();
  // For statements without rows: runs and resets.
  Status Run();
  void Reset();
  // Columns from 0. A text lives until the next Step or Reset.
  std::string_view Text(int column) const;
  int64_t Integer(int column) const;
  double Real(int column) const;
  bool IsNull(int column) const;

 private:
  friend class SqliteDb;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  const SqliteDb* db_ = nullptr;
};

// One connection. Stays where it is while statements of it live; one thread.
class SqliteDb {
 public:
  SqliteDb() = default;  // no connection
  // Makes a new file in place of any other, for one writer who does not need to
  // survive a crash: no journal, nothing synced before the end.
  static Result<SqliteDb> Create(const std::string& path);
  // Any file: only to be read, and its schema is not trusted.
  static Result<SqliteDb> OpenRead(const std::string& path);

  Status Execute(const std::string& sql);
  Result<SqliteStatement> Prepare(const std::string& sql) const;
  // Rows that the last statement changed.
  int64_t Changes() const;
  // The last failure: kCorrupt for damage, kIo for the disk, kMemory, else
  // kInternal.
  Error LastError() const;
  const std::string& path() const { return path_; }
  sqlite3* handle() const { return db_.get(); }

 private:
  struct Closer {
    void operator()(sqlite3* db) const;
  };
  static Result<SqliteDb> Open(const std::string& path, int flags);
  std::unique_ptr<sqlite3, Closer> db_;
  std::string path_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_SQLITE_DB_H_
