// A text as passages are found in it: its tokens as hashes, and where each
// stands.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_PASSAGE_STORE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_PASSAGE_STORE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/read/page_spool.h"
#include "pipeline/run/plan.h"
#include "twinset/error.h"

namespace twinset {

// Where a token stands, in characters (code points) of the clean text.
struct PassagePlace {
  uint32_t begin = 0, end = 0;
  friend bool operator==(const PassagePlace&, const PassagePlace&) = default;
};

// Appends what is stored of a text: about 10 bytes per token, of which there
// are `tokens`, if that is known: then *bytes grows once. `cuts`: where the
// text stands in the whole one, whose characters are counted; none: it is the
// whole.
void AppendPassages(const Plan& plan, std::string_view text,
                    const std::vector<TextCut>& cuts, uint64_t tokens,
                    std::string* bytes);
// Both are kCorrupt when the bytes are not what AppendPassages wrote.
// The hashes of the tokens, under the run's secret.
Result<std::vector<uint64_t>> DecodePassageHashes(std::string_view bytes);
// The places of some tokens, whose numbers ascend.
Result<std::vector<PassagePlace>> DecodePassagePlaces(
    std::string_view bytes, std::span<const uint32_t> tokens);
// Most tokens that so many bytes can hold.
size_t MostPassageTokens(size_t bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_PASSAGE_STORE_H_
