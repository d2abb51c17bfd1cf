// The biases of engines: which documents an index takes, and how they are
// written down (docs/methods/engines.md).
#ifndef TWINSET_SRC_MEASURE_ENGINE_ENGINE_BIASES_H_
#define TWINSET_SRC_MEASURE_ENGINE_ENGINE_BIASES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/memory_engine.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/engine.h"

namespace twinset {

// kUsage names the parameter that is out of range.
Status CheckIndexBiases(const IndexBiases& biases);
Status CheckAnswerBiases(const AnswerBiases& biases);

// Objects with all members in fixed order; none for no bias at all.
Json IndexBiasesJson(const IndexBiases& biases);
Json AnswerBiasesJson(const AnswerBiases& biases);
// kUsage for unknown members and values out of range.
Result<AnswerBiases> ParseAnswerBiases(const Json& json);

// Returns true iff a thing is among a share of all things of its kind, by hash:
// the same for the same seed, independent for others.
bool InShare(std::string_view thing, double share, uint64_t seed);

// Returns true iff FIELD is true, or FIELD=VALUE holds, of a page.
bool FieldHolds(const EnginePage& page, std::string_view condition);

// Memory: one entry per host when there is a cap, else nothing.
class IndexFilter {
 public:
  explicit IndexFilter(IndexBiases biases);

  enum Verdict { kTaken, kDropped, kTooDeep, kBeyondShare, kBeyondHostCap };
  // Cuts the tokens of what is taken to the first words.
  Verdict Judge(EngineDocument* document) const;
  // The same of a page that is known by links only.
  Verdict JudgeUnfetched(EngineDocument* document) const;
  // To be told of each document that got into the index.
  void Count(const std::string& url);

 private:
  Verdict JudgeHost(EngineDocument* document) const;

  IndexBiases biases_;
  std::unordered_map<std::string, uint64_t> by_host_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_ENGINE_BIASES_H_
