#include "engine/sqlite_engine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/sqlite_db.h"
#include "engine/sqlite_tables.h"
#include "engine/sqlite_terms.h"
#include "twinset/json.h"

namespace twinset {

namespace {

namespace tables = sqlite_tables;

constexpr char kRebuild[] = "build it again with 'twinset engine build'";
constexpr size_t kMostTerms = 4096;  // of a query

Error Damaged(const SqliteDb& db, std::string what) {
  return {ErrorCode::kCorrupt, std::move(what), db.path(), kRebuild};
}

Error WithRemedy(Error error) {
  if (error.code == ErrorCode::kCorrupt) error.remedy = kRebuild;
  return error;
}

Result<int64_t> Number(const SqliteDb& db, const std::string& sql) {
  TWINSET_ASSIGN(SqliteStatement statement, db.Prepare(sql));
  TWINSET_ASSIGN(const bool found, statement.Step());
  return found ? statement.Integer(0) : 0;
}

// The file is one of ours and of this version, before anything in it is
// believed.
Status CheckFile(const SqliteDb& db) {
  auto id = Number(db, "PRAGMA application_id");
  if (!id) return tl::unexpected(WithRemedy(id.error()));
  if (*id != tables::kApplicationId)
    return tl::unexpected(Damaged(db, "not an engine of twinset"));
  TWINSET_ASSIGN(const int64_t version, Number(db, "PRAGMA user_version"));
  if (version != tables::kVersion) {
    return Fail(ErrorCode::kUnsupported,
                "an engine of version " + std::to_string(version) +
                    "; this program reads version " +
                    std::to_string(tables::kVersion),
                db.path(), kRebuild);
  }
  return {};
}

// Everything but the tables that a builder makes is refused: a view or trigger
// in their place could do anything.
Status CheckSchema(const SqliteDb& db, const std::string& rank) {
  std::vector<std::string> wanted = {
      tables::kAbout, tables::kPages, tables::kUrls,
      rank == "bm25" ? tables::kTermsWithPlaces : tables::kTerms};
  if (tables::IsFieldRank(rank)) wanted.push_back(tables::kRanks);
  TWINSET_ASSIGN(
      SqliteStatement statement,
      db.Prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND "
                 "name NOT LIKE 'terms\\_%' ESCAPE '\\'"));
  size_t found = 0;
  for (;;) {
    TWINSET_ASSIGN(const bool more, statement.Step());
    if (!more) break;
    if (std::find(wanted.begin(), wanted.end(), statement.Text(0)) ==
        wanted.end()) {
      return tl::unexpected(Damaged(db, "a table is not as it was made"));
    }
    ++found;
  }
  if (found != wanted.size())
    return tl::unexpected(Damaged(db, "a table is missing"));
  return {};
}

// A document that matches, as it is to be ordered.
struct Hit {
  double score = 0;
  int64_t id = 0;
  friend bool operator<(const Hit& x, const Hit& y) {
    return x.score != y.score ? x.score > y.score : x.id < y.id;
  }
};

class SqliteEngine : public Engine {
 public:
  SqliteEngine(SqliteDb db, std::string name)
      : db_(std::move(db)), name_(std::move(name)) {}

  Status Begin() {
    TWINSET_TRY(CheckFile(db_));
    TWINSET_TRY(RegisterTerms(db_));
    TWINSET_TRY(ReadAbout());
    TWINSET_TRY(CheckSchema(db_, rank_));
    const std::string from =
        rank_ == "bm25" ? "SELECT rowid, twinset_bm25(terms) FROM terms"
        : tables::IsFieldRank(rank_)
            ? "SELECT terms.rowid, ranks.value FROM terms LEFT JOIN ranks ON "
              "ranks.id = terms.rowid"
            : "SELECT rowid, 0 FROM terms";
    TWINSET_ASSIGN(match_, db_.Prepare(from + " WHERE terms MATCH ?"));
    TWINSET_ASSIGN(url_, db_.Prepare("SELECT url FROM pages WHERE id = ?"));
    TWINSET_ASSIGN(
        page_,
        db_.Prepare("SELECT pages.url, title, date, language, fields, text, "
                    "hash FROM urls JOIN pages ON pages.id = urls.id WHERE "
                    "urls.url = ?"));
    return {};
  }

  EngineInfo Info() const override {
    EngineInfo info;
    info.name = name_;
    info.type = "sqlite";
    info.documents = documents_;
    return info;
  }

  Result<EngineAnswer> Query(const EngineQuery& query) override {
    auto answer = Ask(query);
    match_.Reset();
    url_.Reset();
    if (!answer) return tl::unexpected(WithRemedy(answer.error()));
    return answer;
  }

  Result<EnginePage> Fetch(const std::string& url) override {
    auto page = Find(url);
    page_.Reset();
    if (!page) return tl::unexpected(WithRemedy(page.error()));
    return page;
  }

 private:
  Status ReadAbout() {
    TWINSET_ASSIGN(SqliteStatement about,
                   db_.Prepare("SELECT rank, documents FROM about"));
    TWINSET_ASSIGN(const bool found, about.Step());
    if (!found) return tl::unexpected(Damaged(db_, "it was not finished"));
    rank_ = about.Text(0);
    documents_ = about.Integer(1);
    if (!CheckSqliteEngineOptions({rank_}) || documents_ < 0)
      return tl::unexpected(Damaged(db_, "its parameters make no sense"));
    return {};
  }

  Result<EngineAnswer> Ask(const EngineQuery& query) {
    if (query.terms.size() > kMostTerms) {
      return Fail(ErrorCode::kUsage, "a query has at most " +
                                         std::to_string(kMostTerms) + " terms");
    }
    EngineAnswer answer;
    const std::string expression =
        MatchExpression(query.terms, query.conjunctive);
    if (expression.empty()) return answer;
    match_.Bind(1, expression);
    // The best `limit` so far as a heap whose top is the worst of them.
    std::vector<Hit> best;
    for (;;) {
      TWINSET_ASSIGN(const bool more, match_.Step());
      if (!more) break;
      ++answer.hits;
      // A field that is no number leaves the page behind all that have one.
      const Hit hit = {match_.IsNull(1) ? -1e300 : match_.Real(1),
                       match_.Integer(0)};
      if (best.size() < query.limit) {
        best.push_back(hit);
        std::push_heap(best.begin(), best.end());
      } else if (!best.empty() && hit < best.front()) {
        std::pop_heap(best.begin(), best.end());
        best.back() = hit;
        std::push_heap(best.begin(), best.end());
      }
    }
    std::sort(best.begin(), best.end());
    for (const Hit& hit : best) {
      url_.Reset();
      url_.Bind(1, hit.id);
      TWINSET_ASSIGN(const bool found, url_.Step());
      if (!found) return tl::unexpected(Damaged(db_, "a page is missing"));
      answer.urls.emplace_back(url_.Text(0));
    }
    return answer;
  }

  Result<EnginePage> Find(const std::string& url) {
    page_.Bind(1, url);
    TWINSET_ASSIGN(const bool found, page_.Step());
    if (!found)
      return Fail(ErrorCode::kNotFound, "no page has this address", url);
    EnginePage page;
    page.url = page_.Text(0);
    page.title = page_.Text(1);
    page.date = page_.Text(2);
    page.language = page_.Text(3);
    page.text = page_.Text(5);
    const std::string_view text = page_.Text(4);
    if (page.url != url ||
        tables::PageHash(page.url, page.title, page.date, page.language, text,
                         page.text) != page_.Integer(6)) {
      return tl::unexpected(Damaged(db_, "a page is damaged: " + url));
    }
    const auto fields = Json::Parse(text);
    if (!fields.is_object())
      return tl::unexpected(Damaged(db_, "a page is damaged: " + url));
    for (const auto& [name, value] : fields.items())
      page.fields.emplace_back(name, value.dump());
    return page;
  }

  SqliteDb db_;
  std::string name_, rank_;
  int64_t documents_ = 0;
  SqliteStatement match_, url_, page_;
};

}  // namespace

Result<std::unique_ptr<Engine>> OpenSqliteEngine(const std::string& path,
                                                 const std::string& name) {
  auto db = SqliteDb::OpenRead(path);
  if (!db) return tl::unexpected(WithRemedy(db.error()));
  auto engine = std::make_unique<SqliteEngine>(*std::move(db), name);
  if (const Status begun = engine->Begin(); !begun)
    return tl::unexpected(WithRemedy(begun.error()));
  return engine;
}

}  // namespace twinset
