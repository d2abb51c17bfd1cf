// The documents of files, added to an index or asked of it.
#ifndef TWINSET_INDEX_FILES_H_
#define TWINSET_INDEX_FILES_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/index.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"

namespace twinset {
inline namespace v1 {

struct IndexFilesOptions {
  InputOptions input;
  std::string tag;        // of all documents
  std::string tag_field;  // the field of a row that has its tag; empty: none
  // Documents that are acknowledged together; their rows come when they are.
  uint64_t batch = 1000;
  IndexQuery query;
  IndexAddOptions add;
  // Set, of what is added: gets the rows of JSON that are new, or of a WARC
  // these records, those that are no documents, and revisit records in place of
  // the documents whose payloads are those of kept ones; as they came, in their
  // order, once they are acknowledged. kUnsupported for other formats. Returns
  // false to stop.
  std::function<bool(std::string_view)> on_record;
  ProgressSink on_progress;
  // Set: kInterrupted. What was acknowledged is in the index.
  const std::atomic<bool>* stop = nullptr;
};

struct IndexFilesSummary {
  uint64_t documents = 0;  // that were read, without the rejected
  uint64_t is_new = 0, dropped = 0, repeated = 0;
  uint64_t replaced = 0;  // documents that went for others with their ids
  uint64_t bounded = 0;   // compared with a few of very many alone
  uint64_t rejected = 0;
  std::vector<std::string> warnings;

  // Counts a document that was added, or rejected.
  void Count(const IndexAnswer& answer);
};
Json SummaryJson(const IndexFilesSummary& summary);

// Returns false to stop.
using IndexAnswerSink = std::function<bool(const IndexAnswer&)>;
using IndexFoundSink =
    std::function<bool(const std::string& id, const IndexFound&)>;
using IndexRejectedSink = std::function<void(const RejectedRecord&)>;

// Adds the documents of the inputs, in input order, by CheckAndAdd. A document
// without an id of its own has its arrival number.
Result<IndexFilesSummary> AddFiles(Index* index,
                                   const IndexFilesOptions& options,
                                   const IndexAnswerSink& on_answer,
                                   const IndexRejectedSink& on_rejected);

struct IndexImportSummary {
  uint64_t captures = 0;  // that were read, without the rejected
  uint64_t stored = 0;    // whose digests were not declared under the tag yet
  uint64_t rejected = 0;
  std::vector<std::string> warnings;
};
Json SummaryJson(const IndexImportSummary& summary);

// Declares the captures of the inputs, in input order, by Index::Declare: lists
// in CDX or CDXJ, and the indexes of WACZ files. kUnsupported for others.
Result<IndexImportSummary> ImportFiles(Index* index,
                                       const IndexFilesOptions& options,
                                       const IndexRejectedSink& on_rejected);

// Adds the documents of a saved run (docs/formats/saved-run.md), in its order:
// it holds no texts, so its inputs are read where they were, as it has read
// them. kIo, naming the place, when one is not there, or is not what it was;
// what stands before that is added. The index decides anew, by its own
// parameters.
Result<IndexFilesSummary> AdoptRun(Index* index, const std::string& run,
                                   const IndexFilesOptions& options,
                                   const IndexRejectedSink& on_rejected);

// Returns true iff the folder is an index, sound or not.
bool IsIndex(const std::string& folder);

struct IndexSaveOptions {
  std::string folder = {};  // of the saved run; it must not be there
  bool kept_only = false;   // no documents that were dropped
  ResourceOptions resources = {};
  ProgressSink on_progress = {};
  const std::atomic<bool>* stop = nullptr;
};

// Saves the documents that are there as Dedup with the parameters of the index
// saves a run over them: in the order in which they came, the first kept, their
// names as ids. A match against it finds what Query finds. Needs room for the
// texts in resources.tmp while it works. kUnsupported for an index of bytes.
Result<DedupSummary> SaveAsRun(const Index& index,
                               const IndexSaveOptions& options);

// The options of that run, without its inputs, folders and resources: as
// OptionsOfSavedRun has them. Errors: those of Index::Open.
Result<DedupOptions> OptionsOfIndex(const std::string& folder);

// Match, where options.against may also name indexes, each as it is when it is
// read: the results are those against SaveAsRun of it, and know it by its
// folder. That saved run stands below resources.tmp meanwhile, so the match
// cannot be resumed. Errors: kUsage for `resume`, kCorrupt for an index without
// documents, else those of Index::Open, SaveAsRun and Match.
Result<MatchSummary> MatchIndexes(const MatchOptions& options);

// Asks of each document of the inputs, in input order, by QueryAll. A document
// without an id is called <source>:<number>.
Result<IndexFilesSummary> AskFiles(std::span<const Index* const> indexes,
                                   const IndexFilesOptions& options,
                                   const IndexFoundSink& on_found,
                                   const IndexRejectedSink& on_rejected);

// The one document of a file whose bytes are here, in any form that inputs
// have: a page, a text, a WARC file. `name`: of the file. kUsage where there
// are several or none, with the reason. Memory: what the document takes, at
// most 64 MB.
Result<Document> DocumentOfBytes(std::string bytes, const std::string& name);

// The rows of `twinset index`. `names`: of the indexes, where several were
// asked.
Json RowJson(const IndexAnswer& answer);
// A row of an export.
Json RowJson(const IndexEntry& entry);
// What the match was asked to tell of its differences.
void AddDifferences(const IndexMatch& match, Json* row);
// A check has one row: the kept documents that are similar to it, the most
// similar first.
Json CheckJson(const std::string& id, const IndexFound& found,
               std::span<const std::string> names = {});
// A query has a row for each match.
std::vector<Json> QueryRows(const std::string& id, const IndexFound& found,
                            std::span<const std::string> names = {});

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_INDEX_FILES_H_
