// Which documents are alike only because their template was left out
// (docs/methods/template.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_TEMPLATE_CHECK_H_
#define TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_TEMPLATE_CHECK_H_

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/read/ignored_shingles.h"
#include "pipeline/run/run.h"
#include "store/blob_file.h"
#include "store/paged_array.h"

namespace twinset {

// Looks again at pairs of documents with their whole texts, in batches that fit
// the budget. Only those of whom different blocks were left out are looked at.
class TemplateCheck {
 public:
  // Returns true iff rows of this run say what the check finds.
  static bool IsNeeded(const Run& run);
  static Result<std::unique_ptr<TemplateCheck>> Open(Run* run);

  // The next pair, in any order. `done` is called with whether the two differ
  // with their template, for one pair after the other; now or in a later call.
  // `alike`: false for pairs below the threshold, which are not looked at.
  Status Add(uint64_t a, uint64_t b, bool alike,
             std::function<Status(bool)> done);
  // Calls what is left.
  Status Flush();

 private:
  struct Pair {
    uint64_t a = 0, b = 0;
    bool looks = false;
    std::function<Status(bool)> done;
  };
  TemplateCheck(Run* run, PagedArray<uint64_t> removed, IgnoredSet ignored,
                std::unique_ptr<BlobReader> pages,
                std::unique_ptr<BlobReader> features);
  Result<bool> Request(uint64_t document);
  Status MakeFeatures();

  Run* run_;
  PagedArray<uint64_t> removed_;  // DocumentInfo::removed
  IgnoredSet ignored_;
  // Readers for documents from which something was removed, and for others.
  std::unique_ptr<BlobReader> pages_, features_;
  BlobBatch page_batch_, feature_batch_;
  Reservation memory_;  // of whole_ and pairs_
  std::vector<Pair> pairs_;
  std::vector<uint64_t> wanted_;  // documents whose whole features are made
  std::unordered_map<uint64_t, std::string> whole_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_TEMPLATE_CHECK_H_
