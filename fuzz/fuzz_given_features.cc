// A field of given features of any bytes is refused with a reason or becomes
// lines, each of which is one token with a weight.
#include <algorithm>
#include <string>

#include "read/rows/given_features.h"
#include "scratch_file.h"
#include "target.h"
#include "text/tokens/features.h"
#include "text/tokens/given_weights.h"

TWINSET_FUZZ_TARGET(given_features) {
  const std::string json(reinterpret_cast<const char*>(data), size);
  std::string text = "left over";
  twinset::GivenFeatures features;
  const std::string why = features.Read(json, &text);
  twinset::Require(why.empty() || text.empty());
  const auto lines =
      static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  static const twinset::FeatureExtractor extractor(
      twinset::TokenRule::kFeatures, *twinset::ParseShingles("word:1"));
  twinset::FeatureScratch scratch;
  twinset::Features found;
  extractor.Sequence(text, &scratch, &found);
  twinset::Require(found.shingles.size() == lines);
  twinset::GivenWeights weights(text);
  for (size_t i = 0; i < lines; ++i) {
    const uint64_t weight = weights.Next();
    twinset::Require(weight >= 1 &&
                     weight <= 65535 * twinset::GivenWeights::kOne);
  }
  return 0;
}
