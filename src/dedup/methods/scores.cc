// Scores of a pair that a method has beside the estimates of its sketches.
#include <algorithm>
#include <map>
#include <span>

#include "methods/method_rows.h"
#include "methods/steps.h"
#include "sketch/learnt/spex.h"

namespace twinset {

namespace {

// The 64-bit members of a sketch that is a set, ascending.
std::vector<uint64_t> Members(SketchView sketch) {
  std::vector<uint64_t> members;
  for (size_t i = 0; i + 1 < sketch.size(); i += 2)
    members.push_back(sketch[i] | uint64_t{sketch[i + 1]} << 32);
  return members;
}

// The different chunks of `length` tokens of a text; all of a shorter one.
uint64_t CountChunks(std::span<const uint64_t> tokens, size_t length) {
  length = std::min(length, tokens.size());
  std::vector<uint64_t> chunks;
  for (size_t i = 0; i + length <= tokens.size(); ++i)
    chunks.push_back(SpexChunk(&tokens[i], length));
  std::sort(chunks.begin(), chunks.end());
  return static_cast<uint64_t>(std::unique(chunks.begin(), chunks.end()) -
                               chunks.begin());
}

double PartOf(double part, uint64_t whole) {
  return whole == 0 ? 0 : part / static_cast<double>(whole);
}

}  // namespace

Result<std::vector<PairScore>> ContainmentEstimates(const ScoredPair& pair) {
  const SketchAgreement agreement =
      CompareSketches(pair.parts.sketchers[0]->layout(), pair.a[0], pair.b[0]);
  std::vector<PairScore> scores;
  const auto add = [&](std::string name, std::string whose, uint64_t kept) {
    if (kept == 0) return;
    const double share = PartOf(static_cast<double>(agreement.equal), kept);
    scores.push_back({std::move(name), share, ShareStandardError(share, kept),
                      "containment " + whose + ", estimated by " +
                          std::to_string(kept) + " kept shingles"});
  };
  add("containment_ab", "of X in Y", agreement.of_a);
  add("containment_ba", "of Y in X", agreement.of_b);
  return scores;
}

Result<std::vector<PairScore>> CoDerivativeScores(const ScoredPair& pair) {
  TWINSET_ASSIGN(const std::string bytes, RowModel(*pair.model));
  TWINSET_ASSIGN(const SpexModel model, SpexModel::Decode(bytes));
  const auto length = static_cast<size_t>(model.length());
  const uint64_t of_a =
      CountChunks(AsHashes(pair.FirstView(pair.views_a)), length);
  const uint64_t of_b =
      CountChunks(AsHashes(pair.FirstView(pair.views_b)), length);
  const std::vector<uint64_t> a = Members(pair.a[0]), b = Members(pair.b[0]);
  std::vector<uint64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::back_inserter(common));
  // In how many documents of the corpus each common chunk is.
  std::map<uint64_t, uint64_t> documents;
  for (const uint64_t chunk : common) documents[chunk] = 0;
  Sketch sketch;
  TWINSET_TRY(pair.for_each_views([&](DocumentViews views) -> Status {
    pair.parts.sketchers[0]->Compute(pair.FirstView(views), &sketch);
    for (const uint64_t chunk : Members(sketch)) {
      const auto found = documents.find(chunk);
      if (found != documents.end()) ++found->second;
    }
    return {};
  }));
  double rare = 0;
  for (const auto& [chunk, count] : documents)
    rare += 1.0 / static_cast<double>(std::max<uint64_t>(1, count));
  const auto shared = static_cast<double>(common.size());
  return std::vector<PairScore>{
      {"s1", shared, {}, "chunks that both have"},
      {"s2",
       PartOf(shared, std::min(of_a, of_b)),
       {},
       "of the chunks of the shorter one"},
      {"s3", PartOf(2 * shared, of_a + of_b), {}, "of the mean of both"},
      {"s4",
       PartOf(2 * rare, of_a + of_b),
       {},
       "the same, each chunk divided by the documents that have it"}};
}

}  // namespace twinset
