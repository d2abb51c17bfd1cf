// Which documents of a run may be compared, in which order they stand, and by
// what they are counted.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_SCOPE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_SCOPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "documents/priority.h"
#include "pipeline/run/plan_options.h"
#include "twinset/error.h"

namespace twinset {

// A value of a document that --within and --across compare.
struct ScopeField {
  enum Kind { kNone, kSource, kHost, kUrl, kLanguage, kField, kSide };
  Kind kind = kNone;
  std::string name;
  size_t field = 0;  // kField: index into Document::fields
};

struct PlanScope {
  std::vector<std::string> languages;  // canonical ranges; empty: all
  std::vector<PageKind> page_kinds;    // empty: all
  PriorityOrder priority;
  ScopeField within, across;
  ScopeField site;  // kNone: the host, or the folder of files
  std::vector<ScopeField> stats_by;
  int64_t window_seconds = 0;  // 0: no window
  // What all of these read of a document: Document::fields. field_places says
  // where each of them stands in DocumentInfo::fields.
  std::vector<std::string> fields;
  std::vector<size_t> field_places;
  // Elements that more documents have make no pairs in the candidate stage: the
  // cluster and the list stage find those that they need. 0: all make pairs.
  uint64_t hot_limit = 0;
  // If a cluster has more leaders of classes, only pairs with the
  // representative are listed.
  uint64_t large_cluster = kLargeCluster;

  // Returns true iff the language of every text is to be found out.
  bool needs_language() const {
    return !languages.empty() || within.kind == ScopeField::kLanguage ||
           across.kind == ScopeField::kLanguage ||
           site.kind == ScopeField::kLanguage;
  }
  // Returns true iff the scopes cannot tell equal documents apart.
  bool joins_equals() const {
    return across.kind == ScopeField::kNone && window_seconds == 0;
  }
};

// kUsage for a scope, a window, a language or a field that is none.
Result<PlanScope> MakeScope(const PlanOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_SCOPE_H_
