// Reads snapshots into the sorters of a join.
#ifndef TWINSET_SRC_CORPORA_CHANGE_CHANGE_READING_H_
#define TWINSET_SRC_CORPORA_CHANGE_CHANGE_READING_H_

#include <memory>
#include <string>

#include "base/file.h"
#include "change/page_history.h"
#include "change/redirects.h"
#include "sketch/sketcher.h"
#include "store/blob_file.h"
#include "store/external_sort.h"
#include "text/tokens/features.h"
#include "twinset/corpora/change.h"
#include "twinset/inspect.h"

namespace twinset {

class ChangeReading {
 public:
  // What is handed over outlives the reading. `addresses` gets the address of
  // each capture, by its number, `texts` its shingles under a secret, and
  // `marks` its public ones, `shown` the beginning of its text. `shown` and
  // `quarantine` may be null.
  struct Sinks {
    ExternalSorter<PageCapture>* captures = nullptr;
    ExternalSorter<Fragment>* shingles = nullptr;
    ExternalSorter<Fragment>* links = nullptr;
    BlobWriter* addresses = nullptr;
    BlobWriter* texts = nullptr;
    BlobWriter* marks = nullptr;
    BlobWriter* shown = nullptr;
    Redirects* redirects = nullptr;
    OutputFile* quarantine = nullptr;
  };
  static Result<ChangeReading> Make(const ChangeOptions& options, Sinks sinks);

  // Reads snapshot number `snapshot`, behind those before it. `*newest` becomes
  // the latest date of its records, kNoDate without any.
  Status Read(uint32_t snapshot, int64_t* newest, ChangeResult* result);

 private:
  ChangeReading(const ChangeOptions& options, Sinks sinks)
      : options_(options), sinks_(sinks) {}
  Status Reject(const RejectedRecord& record, uint32_t snapshot,
                int64_t* newest, ChangeResult* result);
  Status Take(const DocumentText& text, uint32_t snapshot, int64_t* newest);
  Status TakeRevisit(const RejectedRecord& record, uint32_t snapshot,
                     int64_t* newest, ChangeResult* result);
  // A capture of the address, with the next number.
  PageCapture Begin(const std::string& url, const std::string& id,
                    const std::string& date, uint32_t snapshot,
                    int64_t* newest);

  const ChangeOptions& options_;
  Sinks sinks_;
  std::unique_ptr<FeatureExtractor> extractor_;
  std::unique_ptr<Sketcher> simhash_, super_shingles_;
  FeatureScratch scratch_;
  Features features_, open_;  // under the secret, and public
  Sketch sketch_;
  uint64_t count_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_CHANGE_READING_H_
