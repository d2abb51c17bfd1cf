// Runs over documents of a program with all that runs over files have: result
// files, saved runs, written corpora, kinds, lists of fields and of shingles to
// ignore, units of text and passages.
//
//   twinset::DedupOptions options;
//   options.out = "result";
//   options.save = "saved";  // then twinset::Recut decides it again
//   auto done = twinset::DedupIntoFiles(*twinset::FromTexts(texts), options);
//
// Such a run reads its documents more than once, so it first writes them into a
// work file below ResourceOptions::tmp: about as many bytes as they have, one
// document in memory at a time. The file is removed when the run returns, so
// the run cannot be resumed, and what asks for its inputs afterwards (explain)
// does not find them. Runs that give values (twinset/collection.h) need no such
// file.
#ifndef TWINSET_SOURCE_RUNS_H_
#define TWINSET_SOURCE_RUNS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// The same bytes as Dedup of a file of these documents. Documents are known by
// their ids, or by their numbers from 0 where they have none. kUsage for
// options with inputs and with `resume`; otherwise the errors of Dedup, of the
// source and of WriteDocuments. options.input says which documents are used,
// and by which names the parts of rows in the files of options.ignore are
// found; format and preset are not read.
Result<DedupSummary> DedupIntoFiles(Source& source,
                                    const DedupOptions& options);
Result<CutSummary> CutIntoFiles(Source& source, const CutOptions& options);
// options.against is empty, or with one source says what it is matched against.
Result<MatchSummary> MatchIntoFiles(Source& a, Source& b,
                                    const MatchOptions& options);
Result<MatchSummary> MatchIntoFiles(Source& a, const MatchOptions& options);

// What was written, and how a run reads it.
struct DocumentRows {
  uint64_t documents = 0;
  InputOptions input;  // of the file alone
};
struct WriteDocumentsOptions {
  // Fields that will be asked for by name. Others are written too, unless they
  // are called as id, text, url or date are in the row.
  std::vector<std::string> fields;
  // What id, text, url and date, and the text of pages, are called in a row:
  // as id_field and the like say ("html" where html_field is empty), with
  // "document_" before it where one of `fields` has that name.
  RecordOptions names;
  ProgressSink on_progress;
  const std::atomic<bool>* stop = nullptr;
};
// Writes the documents of a source as rows of JSON, in order and with nothing
// left out but media types and bytes that are no UTF-8, which become U+FFFD as
// in a run. Pages are decoded. kUnsupported for a source that has both texts
// and pages, as no run reads both from one file of rows, and for documents of
// other kinds.
Result<DocumentRows> WriteDocuments(Source& source, const std::string& path,
                                    const WriteDocumentsOptions& options = {});

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SOURCE_RUNS_H_
