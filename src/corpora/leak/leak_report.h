// What `leak` writes: rows, table of splits, summary, report
// (docs/methods/leak.md).
#ifndef TWINSET_SRC_CORPORA_LEAK_LEAK_REPORT_H_
#define TWINSET_SRC_CORPORA_LEAK_LEAK_REPORT_H_

#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "leak/leak_examples.h"
#include "report/kept_page.h"
#include "report/line_list.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"

namespace twinset {

// `shown` has the texts of the items that are shown beside their documents; the
// page shows none of them when it is empty.
KeptPage LeakPage(const LeakOptions& options, const LeakResult& result,
                  const LeakShown& shown);
// A line of leaks.jsonl.
std::string LeakLine(const Leak& leak);
// What a result folder holds.
std::vector<std::string> LeakFiles(const LeakOptions& options);

// The lists that grow with the training data, written while these are read:
// documents.jsonl and contaminated.txt.
class LeakLists {
 public:
  static Result<LeakLists> Create(const std::string& folder);
  Status Add(const Leak& row);
  Status AddDocument(const std::string& id);
  Status Commit();

 private:
  LeakLists(OutputFile rows, LineList ids)
      : rows_(std::move(rows)), ids_(std::move(ids)) {}
  OutputFile rows_;
  LineList ids_;
};

// The other files, into options.out; `clean` are ids of items, `match` is the
// folder of the match that found them; summary.json last.
Status WriteLeaks(const LeakOptions& options, const LeakResult& result,
                  const std::vector<std::string>& clean,
                  const std::string& match);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_LEAK_REPORT_H_
