// The text of single documents, as commands show it.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_TEXT_STAGE_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_TEXT_STAGE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "read/reader.h"
#include "text/page/clean_text.h"
#include "text/page/language.h"
#include "text/tokens/features.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/options.h"

namespace twinset {

// Thread-safe.
class TextStage {
 public:
  // kUsage for options that make no sense.
  static Result<TextStage> Make(const InputOptions& input,
                                const FeatureOptions& features,
                                const TextDetails& details);

  // Fills `text`, or `rejected` and returns false. `record` is a document.
  bool Show(const Record& record, const std::string& source, DocumentText* text,
            RejectedRecord* rejected) const;

  // The most that Show takes beside the record, and what it leaves in `text`.
  uint64_t Cost(const Document& document) const;

 private:
  TextStage() = default;

  std::unique_ptr<FeatureExtractor> extractor_;
  TextOptions options_;
  TextDetails details_;
  std::vector<std::string> languages_;
  std::vector<PageKind> page_kinds_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_TEXT_STAGE_H_
