// What is kept of a document with --kinds: all that its pairs are judged by.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_JUDGED_TEXT_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_JUDGED_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

struct JudgedText {
  std::string_view compared;
  // By the other one of --content main and all, where there is one
  // (OtherTextOf).
  std::optional<std::string_view> other;
};

std::string EncodeJudged(const JudgedText& text,
                         const std::vector<uint64_t>& layout);
// The texts stand in `bytes`, the layout becomes `*layout`. kCorrupt for bytes
// that EncodeJudged did not make.
Result<JudgedText> DecodeJudged(std::string_view bytes,
                                std::vector<uint64_t>* layout);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_JUDGED_TEXT_H_
