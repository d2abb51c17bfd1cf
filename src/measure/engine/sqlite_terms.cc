#include "engine/sqlite_terms.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/math/pinned_math.h"

namespace twinset {

namespace {

constexpr size_t kLongestTerm = 255;
constexpr double kK1 = 1.2, kB = 0.75;
// The idf of a term that half of the documents have, or more.
constexpr double kLeastIdf = 1e-6;

int MakeTokenizer(void*, const char**, int, Fts5Tokenizer** made) {
  // It has no state; any address that is not null will do.
  static char state;
  *made = reinterpret_cast<Fts5Tokenizer*>(&state);
  return SQLITE_OK;
}

void DeleteTokenizer(Fts5Tokenizer*) {}

int SplitAtSpaces(Fts5Tokenizer*, void* context, int, const char* text,
                  int size,
                  int (*on_token)(void*, int, const char*, int, int, int)) {
  int begin = 0;
  for (int i = 0; i <= size; ++i) {
    if (i < size && text[i] != ' ') continue;
    if (i > begin) {
      const int code = on_token(context, 0, text + begin, i - begin, begin, i);
      if (code != SQLITE_OK) return code;
    }
    begin = i + 1;
  }
  return SQLITE_OK;
}

// What is the same for all documents of a query.
struct Bm25Query {
  double mean_length = 1;
  std::vector<double> idf;   // of each term
  std::vector<int> matches;  // of each term in the current document
};

int CountRow(const Fts5ExtensionApi*, Fts5Context*, void* rows) {
  ++*static_cast<int64_t*>(rows);
  return SQLITE_OK;
}

int PrepareBm25(const Fts5ExtensionApi* api, Fts5Context* context,
                Bm25Query** prepared) {
  *prepared = static_cast<Bm25Query*>(api->xGetAuxdata(context, 0));
  if (*prepared != nullptr) return SQLITE_OK;
  auto query = std::make_unique<Bm25Query>();
  sqlite3_int64 documents = 0, tokens = 0;
  int code = api->xRowCount(context, &documents);
  if (code == SQLITE_OK) code = api->xColumnTotalSize(context, 0, &tokens);
  if (code != SQLITE_OK) return code;
  const auto total = static_cast<double>(std::max<sqlite3_int64>(documents, 1));
  query->mean_length = std::max(static_cast<double>(tokens) / total, 1.0);
  const int terms = api->xPhraseCount(context);
  for (int i = 0; i < terms; ++i) {
    int64_t rows = 0;
    code = api->xQueryPhrase(context, i, &rows, CountRow);
    if (code != SQLITE_OK) return code;
    const auto with = static_cast<double>(rows);
    const double odds = (total - with + 0.5) / (with + 0.5);
    query->idf.push_back(odds > 1 ? std::max(PinnedLog(odds), kLeastIdf)
                                  : kLeastIdf);
  }
  query->matches.resize(static_cast<size_t>(std::max(terms, 0)));
  *prepared = query.release();
  return api->xSetAuxdata(context, *prepared, [](void* data) {
    delete static_cast<Bm25Query*>(data);
  });
}

int ScoreBm25(const Fts5ExtensionApi* api, Fts5Context* context,
              double* score) {
  Bm25Query* query = nullptr;
  int instances = 0, length = 0;
  int code = PrepareBm25(api, context, &query);
  if (code == SQLITE_OK) code = api->xInstCount(context, &instances);
  if (code == SQLITE_OK) code = api->xColumnSize(context, 0, &length);
  if (code != SQLITE_OK) return code;
  std::fill(query->matches.begin(), query->matches.end(), 0);
  for (int i = 0; i < instances; ++i) {
    int phrase = 0, column = 0, offset = 0;
    code = api->xInst(context, i, &phrase, &column, &offset);
    if (code != SQLITE_OK) return code;
    if (phrase >= 0 && static_cast<size_t>(phrase) < query->matches.size())
      ++query->matches[static_cast<size_t>(phrase)];
  }
  const double norm = 1 - kB + kB * length / query->mean_length;
  *score = 0;
  for (size_t i = 0; i < query->matches.size(); ++i) {
    const double frequency = query->matches[i];
    *score += query->idf[i] * frequency * (kK1 + 1) / (frequency + kK1 * norm);
  }
  return SQLITE_OK;
}

void Bm25(const Fts5ExtensionApi* api, Fts5Context* context,
          sqlite3_context* result, int, sqlite3_value**) {
  double score = 0;
  const int code = ScoreBm25(api, context, &score);
  if (code == SQLITE_OK) {
    sqlite3_result_double(result, score);
  } else {
    sqlite3_result_error_code(result, code);
  }
}

Result<fts5_api*> FindFts5(const SqliteDb& db) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(db.handle(), "SELECT fts5(?1)", -1, &statement,
                                nullptr);
  if (code == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr",
                         nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  if (api == nullptr) {
    return Fail(ErrorCode::kUnsupported,
                "the installed SQLite has no full-text index (FTS5)", {},
                "install an SQLite that was compiled with FTS5");
  }
  return api;
}

}  // namespace

Status RegisterTerms(const SqliteDb& db) {
  TWINSET_ASSIGN(fts5_api * api, FindFts5(db));
  fts5_tokenizer tokenizer = {MakeTokenizer, DeleteTokenizer, SplitAtSpaces};
  if (api->xCreateTokenizer(api, "twinset_terms", nullptr, &tokenizer,
                            nullptr) != SQLITE_OK ||
      api->xCreateFunction(api, "twinset_bm25", nullptr, Bm25, nullptr) !=
          SQLITE_OK) {
    return tl::unexpected(db.LastError());
  }
  return {};
}

std::string TermKey(std::string_view term) {
  const bool plain = !term.empty() && term.size() <= kLongestTerm &&
                     std::all_of(term.begin(), term.end(), [](char c) {
                       return static_cast<unsigned char>(c) > ' ';
                     });
  if (plain) return std::string(term);
  const Hash128Value hash = Hash128(term);
  return "\x01" + ToHex(hash.high) + ToHex(hash.low);
}

std::string TermText(const std::vector<std::string>& terms) {
  std::string text;
  for (const std::string& term : terms) {
    if (!text.empty()) text += ' ';
    text += TermKey(term);
  }
  return text;
}

std::string MatchExpression(const std::vector<std::string>& terms,
                            bool conjunctive) {
  const std::set<std::string> distinct(terms.begin(), terms.end());
  std::string expression;
  for (const std::string& term : distinct) {
    if (!expression.empty()) expression += conjunctive ? " AND " : " OR ";
    expression += '"';
    for (const char c : TermKey(term)) {
      if (c == '"') expression += '"';
      expression += c;
    }
    expression += '"';
  }
  return expression;
}

}  // namespace twinset
