// Writes the lists of change (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_CHANGE_LISTS_H_
#define TWINSET_SRC_CORPORA_CHANGE_CHANGE_LISTS_H_

#include <cstdint>
#include <span>
#include <string>

#include "change/change_examples.h"
#include "change/change_rows.h"
#include "change/redirects.h"
#include "store/blob_file.h"
#include "store/external_sort.h"

namespace twinset {

class ChangeLists {
 public:
  // Into the folder `out`. What is handed over outlives this: addresses by
  // number of capture, dates of snapshots.
  ChangeLists(const std::string& out, const BlobReader& addresses,
              const Redirects& redirects, std::span<const std::string> dates)
      : out_(out),
        addresses_(addresses),
        redirects_(redirects),
        dates_(dates) {}

  // All sorters are finished. `moves`: of pages that are gone or
  // redirected in `rows`. `examples` see every row.
  Status WriteChanges(ExternalSorter<ChangeRow>* rows,
                      ExternalSorter<Move>* moves,
                      ChangeExamples* examples) const;
  Status WriteRecrawl(ExternalSorter<RecrawlRow>* rows) const;
  Status WriteCaptures(ExternalSorter<CaptureRow>* rows) const;

 private:
  Result<std::string> AddressOf(uint64_t number) const;

  const std::string& out_;
  const BlobReader& addresses_;
  const Redirects& redirects_;
  std::span<const std::string> dates_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_CHANGE_LISTS_H_
