// The engine that is always there: SQLite with its full-text index, one file an
// engine (docs/formats/engine.md). It finds exactly the documents that
// MemoryEngine finds, and counts them exactly.
#ifndef TWINSET_SRC_MEASURE_ENGINE_SQLITE_ENGINE_H_
#define TWINSET_SRC_MEASURE_ENGINE_SQLITE_ENGINE_H_

#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/engine_builder.h"
#include "twinset/error.h"

namespace twinset {

struct SqliteEngineOptions {
  // What is shown first: "bm25"; "input", the earlier document; "field:NAME",
  // the higher number in a field of the document, those without one last. Ties
  // go by input order.
  std::string rank = "bm25";
};

// kUsage for an unknown rank.
Status CheckSqliteEngineOptions(const SqliteEngineOptions& options);

// Builds `path` as PATH.part, which Finish renames. A file that is there is
// replaced. Memory: about 160 MB.
Result<std::unique_ptr<EngineBuilder>> CreateSqliteEngine(
    const std::string& path, const SqliteEngineOptions& options);

// `name` for reports. kCorrupt: no such file of ours, or damaged; kUnsupported:
// of another version. A query costs a look at every document that matches.
Result<std::unique_ptr<Engine>> OpenSqliteEngine(const std::string& path,
                                                 const std::string& name);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_SQLITE_ENGINE_H_
