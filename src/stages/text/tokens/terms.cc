#include "text/tokens/terms.h"

#include <vector>

#include "kernels/kernels.h"
#include "text/tokens/features_shingles.h"
#include "text/tokens/tokens.h"

namespace twinset {

void ForEachTerm(std::string_view clean, TokenRule rule,
                 FeatureScratch* scratch,
                 const std::function<void(std::string_view, uint64_t)>& sink,
                 const TokenFilter* filter) {
  static const ShingleKeys keys =
      features_internal::MakeKeys({ShingleKind::kWord, 1, 0, 0});
  TokenStream stream(clean, rule, scratch, kTokenWindowBytes, nullptr, filter);
  TokenWindow window;
  std::vector<uint64_t>& hashes = scratch->token_hashes;
  std::vector<uint64_t> shingles;
  while (stream.Next(&window)) {
    if (hashes.size() < window.count) hashes.resize(window.count);
    shingles.resize(window.count);
    kernels::HashTokens(window.text, window.begins, window.ends, window.count,
                        hashes.data());
    kernels::ShingleHashes(hashes.data(), window.count, 1, keys.weights.data(),
                           keys.salt, shingles.data());
    for (size_t i = 0; i < window.count; ++i) {
      sink({window.text + window.begins[i], window.ends[i] - window.begins[i]},
           shingles[i]);
    }
  }
}

}  // namespace twinset
