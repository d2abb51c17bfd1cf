#include "engine/sqlite_db.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/file.h"

namespace twinset {

void SqliteStatement::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void SqliteStatement::Bind(int place, std::string_view text) {
  // An empty view may have no address, which SQLite would take as NULL.
  const char* bytes = text.data() == nullptr ? "" : text.data();
  sqlite3_bind_text64(statement_.get(), place, bytes, text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
}

void SqliteStatement::Bind(int place, int64_t number) {
  sqlite3_bind_int64(statement_.get(), place, number);
}

void SqliteStatement::Bind(int place, double number) {
  sqlite3_bind_double(statement_.get(), place, number);
}

Result<bool> SqliteStatement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Error error = db_->LastError();
  sqlite3_reset(statement_.get());
  return tl::unexpected(std::move(error));
}

Status SqliteStatement::Run() {
  TWINSET_TRY(Step());
  Reset();
  return {};
}

void SqliteStatement::Reset() { sqlite3_reset(statement_.get()); }

std::string_view SqliteStatement::Text(int column) const {
  const auto* text = sqlite3_column_text(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (text == nullptr || size <= 0) return {};
  return {reinterpret_cast<const char*>(text), static_cast<size_t>(size)};
}

int64_t SqliteStatement::Integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double SqliteStatement::Real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

bool SqliteStatement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void SqliteDb::Closer::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Result<SqliteDb> SqliteDb::Open(const std::string& path, int flags) {
  // A leading "./" keeps names such as ":memory:" names of files.
  const std::string name = path.starts_with('/') ? path : "./" + path;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  SqliteDb db;
  db.db_.reset(handle);
  db.path_ = path;
  if (handle == nullptr)
    return Fail(ErrorCode::kMemory, "no memory for SQLite", path);
  if (code != SQLITE_OK) return tl::unexpected(db.LastError());
  sqlite3_extended_result_codes(handle, 1);
  return db;
}

Result<SqliteDb> SqliteDb::Create(const std::string& path) {
  if (std::remove(path.c_str()) != 0 && errno != ENOENT)
    return tl::unexpected(IoError("remove", path, errno));
  TWINSET_ASSIGN(SqliteDb db,
                 Open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                SQLITE_OPEN_NOMUTEX));
  TWINSET_TRY(
      db.Execute("PRAGMA page_size=8192; PRAGMA journal_mode=OFF;"
                 "PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
                 "PRAGMA cache_size=-65536; PRAGMA temp_store=FILE"));
  return db;
}

Result<SqliteDb> SqliteDb::OpenRead(const std::string& path) {
  TWINSET_ASSIGN(SqliteDb db,
                 Open(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX));
  sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  TWINSET_TRY(
      db.Execute("PRAGMA cell_size_check=ON; PRAGMA query_only=ON;"
                 "PRAGMA cache_size=-16384"));
  return db;
}

Status SqliteDb::Execute(const std::string& sql) {
  if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK) {
    return tl::unexpected(LastError());
  }
  return {};
}

Result<SqliteStatement> SqliteDb::Prepare(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(db_.get(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT,
                         &statement, nullptr) != SQLITE_OK) {
    return tl::unexpected(LastError());
  }
  SqliteStatement made;
  made.statement_.reset(statement);
  made.db_ = this;
  return made;
}

int64_t SqliteDb::Changes() const { return sqlite3_changes64(db_.get()); }

Error SqliteDb::LastError() const {
  ErrorCode code = ErrorCode::kInternal;
  switch (sqlite3_errcode(db_.get()) & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
      code = ErrorCode::kCorrupt;
      break;
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      code = ErrorCode::kIo;
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      code = ErrorCode::kUnavailable;
      break;
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      code = ErrorCode::kMemory;
      break;
    default:
      break;
  }
  return {code, std::string("SQLite: ") + sqlite3_errmsg(db_.get()), path_, {}};
}

}  // namespace twinset
