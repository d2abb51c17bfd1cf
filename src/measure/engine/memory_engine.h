// An engine over an inverted index in memory: the exact one that samplers are
// tested on, and the base of simulations with known truth.
#ifndef TWINSET_SRC_MEASURE_ENGINE_MEMORY_ENGINE_H_
#define TWINSET_SRC_MEASURE_ENGINE_MEMORY_ENGINE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"

namespace twinset {

// One document: its page and its normalised tokens in order.
struct EngineDocument {
  EnginePage page;
  std::vector<std::string> tokens;
};

// Rank: documents with more of the query's terms first, then by `static_rank`
// (higher first), then input order. With AND all have all terms.
class MemoryEngine : public Engine {
 public:
  // Documents with an address that came before are dropped. static_ranks: one
  // per document, or empty (all equal).
  MemoryEngine(std::string name, std::vector<EngineDocument> documents,
               std::vector<double> static_ranks = {});

  EngineInfo Info() const override;
  Result<EngineAnswer> Query(const EngineQuery& query) override;
  Result<EnginePage> Fetch(const std::string& url) override;

  uint64_t documents() const { return pages_.size(); }
  const EnginePage& page(uint64_t i) const { return pages_[i]; }

 private:
  std::string name_;
  std::vector<EnginePage> pages_;
  std::vector<double> ranks_;
  std::unordered_map<std::string, uint32_t> by_url_;
  std::unordered_map<std::string, std::vector<uint32_t>> postings_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_MEMORY_ENGINE_H_
