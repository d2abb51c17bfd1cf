#include <cstdio>
#include <optional>
#include <utility>

#include "base/file.h"
#include "engine/sqlite_db.h"
#include "engine/sqlite_engine.h"
#include "engine/sqlite_tables.h"
#include "engine/sqlite_terms.h"
#include "twinset/json.h"

namespace twinset {

namespace {

namespace tables = sqlite_tables;
constexpr int kBatch = 20000;  // documents a transaction
// Bytes of terms that FTS5 collects before it writes them.
constexpr int kHashBytes = 48 << 20;

std::string FieldsText(const EnginePage& page) {
  Json fields = Json::object();
  for (const auto& [name, text] : page.fields) {
    Json value = Json::Parse(text);
    fields[name] = value.is_discarded() ? Json(text) : std::move(value);
  }
  return fields.dump();
}

// The number in a field: itself, or what a text spells.
std::optional<double> RankOf(const EnginePage& page, std::string_view field) {
  for (const auto& [name, text] : page.fields) {
    if (name != field) continue;
    Json value = Json::Parse(text);
    if (value.is_string()) {
      value = Json::Parse(value.get<std::string>());
    }
    if (value.is_number()) return value.get<double>();
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  }
  return std::nullopt;
}

class SqliteBuilder : public EngineBuilder {
 public:
  SqliteBuilder(std::string path, SqliteEngineOptions options, SqliteDb db)
      : path_(std::move(path)),
        options_(std::move(options)),
        db_(std::move(db)) {}
  ~SqliteBuilder() override {
    if (!finished_) (void)std::remove(db_.path().c_str());
  }

  Status Begin() {
    using namespace tables;
    TWINSET_TRY(RegisterTerms(db_));
    const bool places = options_.rank == "bm25";
    for (const char* table : {kAbout, kPages, kUrls})
      TWINSET_TRY(db_.Execute(table));
    TWINSET_TRY(db_.Execute(places ? kTermsWithPlaces : kTerms));
    TWINSET_TRY(
        db_.Execute("INSERT INTO terms(terms, rank) VALUES('hashsize', " +
                    std::to_string(kHashBytes) + ")"));
    TWINSET_ASSIGN(add_url_,
                   db_.Prepare("INSERT OR IGNORE INTO urls VALUES(?, ?)"));
    TWINSET_ASSIGN(
        add_page_,
        db_.Prepare("INSERT INTO pages VALUES(?, ?, ?, ?, ?, ?, ?, ?)"));
    TWINSET_ASSIGN(add_terms_,
                   db_.Prepare("INSERT INTO terms(rowid, t) VALUES(?, ?)"));
    if (IsFieldRank(options_.rank)) {
      TWINSET_TRY(db_.Execute(kRanks));
      TWINSET_ASSIGN(add_rank_, db_.Prepare("INSERT INTO ranks VALUES(?, ?)"));
    }
    return db_.Execute("BEGIN");
  }

  Result<bool> Add(const EngineDocument& document) override {
    const EnginePage& page = document.page;
    const int64_t id = documents_ + 1;
    add_url_.Bind(1, page.url);
    add_url_.Bind(2, id);
    TWINSET_TRY(add_url_.Run());
    if (db_.Changes() == 0) return false;
    documents_ = id;
    TWINSET_TRY(AddPage(page, id));
    const std::string terms = TermText(document.tokens);
    add_terms_.Bind(1, id);
    add_terms_.Bind(2, terms);
    TWINSET_TRY(add_terms_.Run());
    if (tables::IsFieldRank(options_.rank)) {
      if (const auto rank = RankOf(page, options_.rank.substr(6))) {
        add_rank_.Bind(1, id);
        add_rank_.Bind(2, *rank);
        TWINSET_TRY(add_rank_.Run());
      }
    }
    if (id % kBatch == 0) TWINSET_TRY(db_.Execute("COMMIT; BEGIN"));
    return true;
  }

  Status Finish() override {
    TWINSET_ASSIGN(auto about, db_.Prepare("INSERT INTO about VALUES(?, ?)"));
    about.Bind(1, options_.rank);
    about.Bind(2, documents_);
    TWINSET_TRY(about.Run());
    // One segment: the same bytes whatever the batches were, and fast to ask.
    TWINSET_TRY(db_.Execute(
        "INSERT INTO terms(terms) VALUES('optimize'); COMMIT;"
        "PRAGMA application_id=" +
        std::to_string(tables::kApplicationId) +
        "; PRAGMA user_version=" + std::to_string(tables::kVersion)));
    const std::string part = db_.path();
    for (SqliteStatement* statement :
         {&about, &add_url_, &add_page_, &add_terms_, &add_rank_}) {
      *statement = SqliteStatement();
    }
    db_ = SqliteDb();
    finished_ = true;
    TWINSET_ASSIGN(File file, File::OpenReadWrite(part));
    TWINSET_TRY(file.Sync());
    TWINSET_TRY(file.Close());
    if (std::rename(part.c_str(), path_.c_str()) != 0)
      return tl::unexpected(IoError("rename", part, errno));
    return {};
  }

 private:
  Status AddPage(const EnginePage& page, int64_t id) {
    const std::string fields = FieldsText(page);
    add_page_.Bind(1, id);
    add_page_.Bind(2, tables::PageHash(page.url, page.title, page.date,
                                       page.language, fields, page.text));
    add_page_.Bind(3, page.url);
    add_page_.Bind(4, page.title);
    add_page_.Bind(5, page.date);
    add_page_.Bind(6, page.language);
    add_page_.Bind(7, fields);
    add_page_.Bind(8, page.text);
    return add_page_.Run();
  }

  std::string path_;
  SqliteEngineOptions options_;
  SqliteDb db_;
  SqliteStatement add_url_, add_page_, add_terms_, add_rank_;
  int64_t documents_ = 0;
  bool finished_ = false;
};

}  // namespace

Status CheckSqliteEngineOptions(const SqliteEngineOptions& options) {
  const std::string& rank = options.rank;
  if (rank == "bm25" || rank == "input" ||
      (tables::IsFieldRank(rank) && rank.size() > 6)) {
    return {};
  }
  return Fail(ErrorCode::kUsage, "no ranking is called '" + rank + "'", {},
              "use bm25, input or field:NAME");
}

Result<std::unique_ptr<EngineBuilder>> CreateSqliteEngine(
    const std::string& path, const SqliteEngineOptions& options) {
  TWINSET_TRY(CheckSqliteEngineOptions(options));
  TWINSET_ASSIGN(SqliteDb db, SqliteDb::Create(path + ".part"));
  auto builder = std::make_unique<SqliteBuilder>(path, options, std::move(db));
  TWINSET_TRY(builder->Begin());
  return builder;
}

}  // namespace twinset
