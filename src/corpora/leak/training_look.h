// The look at all training data once it is known which documents have which
// items.
#ifndef TWINSET_SRC_CORPORA_LEAK_TRAINING_LOOK_H_
#define TWINSET_SRC_CORPORA_LEAK_TRAINING_LOOK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "documents/side_check.h"
#include "leak/leak_examples.h"
#include "leak/leak_report.h"
#include "leak/leak_write.h"
#include "leak/short_items.h"
#include "leak/test_items.h"
#include "leak/training_pass.h"
#include "leak/wanted_documents.h"
#include "pipeline/run/run.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"

namespace twinset {

// Finds the kinds and texts of what leaks, short items anywhere, what is
// listed, and what becomes of each document that is written. Whatever it finds
// is a row of the pass, and only rows change anything: a resumed run comes to
// the same. Not thread-safe.
class TrainingLook {
 public:
  // What it reads and fills; all outlive it.
  struct Parts {
    const LeakOptions& options;
    Run* run;
    TestItems* items;
    WantedDocuments* documents;
    LeakExamples* examples;
    LeakMemory* memory;
    LeakLists* lists;      // may be null
    LeakWriting* writing;  // may be null
    LeakResult* result;
  };
  explicit TrainingLook(const Parts& parts);

  Status Do();
  // The name of the training data, or how many inputs have documents.
  std::string training_name() const;

 private:
  // As records come.
  Status See(const DocumentText& text, uint64_t source);
  Status SeeWanted(const DocumentText& text, uint64_t source);
  Status SeeShort(const DocumentText& text);
  Status FoundShort(const DocumentText& text, const ShortPlace& place);
  Status Reject(const RejectedRecord& record, uint64_t source);
  Status Settle(uint64_t source);
  // As rows come.
  Status Take(const Json& row);
  template <typename Row>
  Status Read(const Json& json, Row* row) const;
  Status TakeWanted(const Json& row);
  Status TakeExcerpt(const Json& row);
  Status TakeExample(const Json& row);
  Status TakeShort(const Json& row);
  Status TakeMore(const Json& row);
  Status TakeLeftOut(const Json& row);
  Status TakeCounts(const Json& row);
  bool DropsEmpty() const;
  Status List(const LeakItem& item, const std::string& document, LeakKind kind,
              double similarity);

  Parts parts_;
  TestItems& items_;
  TrainingPass pass_;
  std::optional<SideCounter> sides_;  // set from Do on
  WantedDocuments::Pass named_;
  // The last document of a wanted id that a row told of; null: it is not
  // wanted.
  const Wanted* document_ = nullptr;
  uint64_t inputs_ = 0;  // with documents
  std::string input_;    // the last of them
  // What was counted since Settle: of the source, and beyond what is listed of
  // a short item.
  SideRead counted_;
  uint64_t kept_ = 0;
  std::map<uint64_t, uint64_t> more_;
  uint64_t number_ = 0;         // of the document, for seen_
  std::vector<uint64_t> seen_;  // the last document of a short item
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_TRAINING_LOOK_H_
