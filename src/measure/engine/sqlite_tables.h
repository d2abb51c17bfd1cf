// The tables of an engine's file, shared by who writes and who reads it.
#ifndef TWINSET_SRC_MEASURE_ENGINE_SQLITE_TABLES_H_
#define TWINSET_SRC_MEASURE_ENGINE_SQLITE_TABLES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace twinset::sqlite_tables {

inline constexpr int kApplicationId = 0x74776e65;  // "twne"
inline constexpr int kVersion = 1;

inline constexpr char kAbout[] =
    "CREATE TABLE about(rank TEXT NOT NULL, documents INTEGER NOT NULL)";
inline constexpr char kPages[] =
    "CREATE TABLE pages(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, "
    "url TEXT NOT NULL, title TEXT NOT NULL, date TEXT NOT NULL, "
    "language TEXT NOT NULL, fields TEXT NOT NULL, text TEXT NOT NULL)";
inline constexpr char kUrls[] =
    "CREATE TABLE urls(url TEXT PRIMARY KEY, id INTEGER NOT NULL) "
    "WITHOUT ROWID";
inline constexpr char kRanks[] =
    "CREATE TABLE ranks(id INTEGER PRIMARY KEY, value REAL)";
// Places of terms are kept only where the ranking counts them.
inline constexpr char kTermsWithPlaces[] =
    "CREATE VIRTUAL TABLE terms USING fts5(t, content='', "
    "tokenize='twinset_terms')";
inline constexpr char kTerms[] =
    "CREATE VIRTUAL TABLE terms USING fts5(t, content='', detail=none, "
    "columnsize=0, tokenize='twinset_terms')";

// "field:" and its name, or another rank.
inline bool IsFieldRank(const std::string& rank) {
  return rank.starts_with("field:");
}

// A hash of the content of a page, to find damage.
inline int64_t PageHash(std::string_view url, std::string_view title,
                        std::string_view date, std::string_view language,
                        std::string_view fields, std::string_view text) {
  uint64_t hash = 0;
  for (const std::string_view part : {url, title, date, language, fields, text})
    hash = Hash64(part, hash);
  return static_cast<int64_t>(hash);
}

}  // namespace twinset::sqlite_tables

#endif  // TWINSET_SRC_MEASURE_ENGINE_SQLITE_TABLES_H_
