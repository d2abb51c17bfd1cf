// A text as passages are found in it: its tokens as hashes, and where each
// stands.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_PASSAGE_STORE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_PASSAGE_STORE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/read/page_spool.h"
#include "pipeline/run/plan.h"
#include "twinset/error.h"

namespace twinset {

// begin and end count characters (code points) of the clean text.
struct PassageTokens {
  std::vector<uint64_t> hashes;  // under the run's secret
  std::vector<uint32_t> begins, ends;
};

// Appends what is stored of a text: about 10 bytes per token, of which there
// are `tokens`, if that is known: then *bytes grows once. `cuts`: where the
// text stands in the whole one, whose characters are counted; none: it is the
// whole.
void AppendPassages(const Plan& plan, std::string_view text,
                    const std::vector<TextCut>& cuts, uint64_t tokens,
                    std::string* bytes);
// kCorrupt when the bytes are not what AppendPassages wrote.
Result<PassageTokens> DecodePassages(std::string_view bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_PASSAGE_STORE_H_
