// The views of a document beyond the first, stored together in views.blob. The
// first, which is verified, stands alone in features.blob.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_VIEW_STORE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_VIEW_STORE_H_

#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// The length of each view as 8 bytes, then the views, each padded to 8 bytes,
// so that every view is aligned when the whole is.
std::string EncodeViews(const std::vector<std::string>& views);

// The same for views that are made in place: each is appended to *bytes, and
// then ended.
class ViewWriter {
 public:
  ViewWriter(size_t count, std::string* bytes);
  // What was appended since the last call is the next view.
  void End();

 private:
  std::string* const bytes_;
  size_t begin_;  // of the next view
  size_t number_ = 0;
};

// Appends the `count` views in `bytes` to `views`; they point into `bytes`,
// which is 8-byte aligned. kCorrupt when the bytes are not what EncodeViews
// wrote.
Status DecodeViews(std::string_view bytes, size_t count,
                   std::vector<std::string_view>* views);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_VIEW_STORE_H_
