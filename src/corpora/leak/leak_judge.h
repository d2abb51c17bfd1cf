// Which training documents have which items: what the match has found, and what
// a rule of others makes of it.
#ifndef TWINSET_SRC_CORPORA_LEAK_LEAK_JUDGE_H_
#define TWINSET_SRC_CORPORA_LEAK_LEAK_JUDGE_H_

#include <cstddef>
#include <string>

#include "leak/leak_examples.h"
#include "leak/test_items.h"
#include "leak/training_pass.h"
#include "leak/wanted_documents.h"
#include "pipeline/run/run.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"

namespace twinset {

// Reads the lists of the match, and the training data where that does not do:
// for names with numbers, and for a rule of others, whose findings the run
// keeps. Not thread-safe.
class LeakJudge {
 public:
  // All outlive this.
  LeakJudge(const LeakOptions& options, Run* run, TestItems* items,
            LeakMemory* memory)
      : options_(options), run_(run), items_(*items), memory_(*memory) {}

  // `match`: its folder. Fills `documents`, what LeakItem::leak has of an item
  // in the document that has most of it but its kind, which is kEmbedded, and
  // its text; and where its excerpt begins.
  Status Judge(const std::string& match, WantedDocuments* documents,
               LeakExamples* examples);
  // The items, as the rule looks for them in single documents. After Judge.
  Result<ItemSearch*> Search();

 private:
  Status ReadBest(const std::string& match);
  Status ReadPairs(const std::string& match);
  Status ReadPassages(const std::string& match, LeakExamples* examples);
  Status ReadNumberedIds();
  Status JudgeByRule();
  Status IgnoreFrequent(ItemSearch* search);
  void Hold(size_t item, double similarity, Wanted* document);
  void IsBest(size_t item, const std::string& document, double similarity);

  const LeakOptions& options_;
  Run* run_;
  TestItems& items_;
  LeakMemory& memory_;
  WantedDocuments* documents_ = nullptr;
  bool is_counted_ = false;  // which shingles many documents have
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_LEAK_JUDGE_H_
