// A text as passages are found in it: its tokens as hashes, and where each
// stands.
#ifndef TWINSET_SRC_PIPELINE_PASSAGE_STORE_H_
#define TWINSET_SRC_PIPELINE_PASSAGE_STORE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/plan.h"
#include "twinset/error.h"

namespace twinset {

// begin and end count characters (code points) of the clean text.
struct PassageTokens {
  std::vector<uint64_t> hashes;  // under the run's secret
  std::vector<uint32_t> begins, ends;
};

// What is stored of a text: 16 bytes a token.
std::string EncodePassages(const Plan& plan, std::string_view text);
// kCorrupt when the bytes are not what EncodePassages wrote.
Result<PassageTokens> DecodePassages(std::string_view bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_PASSAGE_STORE_H_
