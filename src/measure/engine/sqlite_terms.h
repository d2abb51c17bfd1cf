// What FTS5, the full-text index of SQLite, is taught: terms that are exactly
// ours, and a ranking that is the same on every machine
// (docs/methods/engines.md).
#ifndef TWINSET_SRC_MEASURE_ENGINE_SQLITE_TERMS_H_
#define TWINSET_SRC_MEASURE_ENGINE_SQLITE_TERMS_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/sqlite_db.h"
#include "twinset/error.h"

namespace twinset {

// Adds to a connection the tokenizer "twinset_terms", which splits at spaces
// and does nothing else, and the ranking function twinset_bm25(TABLE): Okapi
// BM25 with k1 = 1.2 and b = 0.75, higher is better.
Status RegisterTerms(const SqliteDb& db);

// A term as the index holds it: itself, or a hash of it when it is empty, has
// bytes that the index splits at or is longer than 255 bytes. Terms that differ
// have keys that differ, but for collisions of a hash of 128 bits.
std::string TermKey(std::string_view term);

// What is indexed of a document.
std::string TermText(const std::vector<std::string>& terms);

// The expression of FTS5 that finds documents with all (or any) of the terms,
// repeats left out; empty without terms.
std::string MatchExpression(const std::vector<std::string>& terms,
                            bool conjunctive);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_SQLITE_TERMS_H_
