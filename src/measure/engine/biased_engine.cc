#include "engine/biased_engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/engine_biases.h"

namespace twinset {

namespace {

// Seeds of the decisions, so that one says nothing about another.
constexpr uint64_t kTimeouts = 1, kSabotage = 2, kDuplicates = 3;

// The smaller of two known limits; 0: unknown.
uint32_t SmallerKnown(uint32_t a, uint32_t b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

class BiasedEngine : public Engine {
 public:
  BiasedEngine(std::unique_ptr<Engine> inner, const AnswerBiases& biases)
      : inner_(std::move(inner)), biases_(biases) {}

  EngineInfo Info() const override {
    EngineInfo info = inner_->Info();
    info.max_results = SmallerKnown(info.max_results, biases_.max_results);
    info.max_terms = SmallerKnown(info.max_terms, biases_.max_terms);
    return info;
  }

  Result<EngineAnswer> Query(const EngineQuery& query) override {
    EngineQuery asked = query;
    if (biases_.max_terms > 0 && asked.terms.size() > biases_.max_terms)
      asked.terms.resize(biases_.max_terms);
    if (biases_.timeouts > 0 && TimesOut(asked))
      return Fail(ErrorCode::kUnavailable, "the engine timed out");
    if (biases_.max_results > 0)
      asked.limit = std::min(asked.limit, biases_.max_results);
    TWINSET_ASSIGN(EngineAnswer answer, inner_->Query(asked));
    if (biases_.sabotage_terms > 0 && asked.conjunctive &&
        asked.terms.size() >= biases_.sabotage_terms) {
      Withhold(&answer);
    }
    if (biases_.duplicates > 0) Repeat(&answer, asked.limit);
    answer.hits = Times(answer.hits, biases_.hit_factor);
    return answer;
  }

  Result<EnginePage> Fetch(const std::string& url) override {
    return inner_->Fetch(url);
  }

 private:
  uint64_t SeedOf(uint64_t decision) const {
    return biases_.seed * 4 + decision;
  }

  // The number of results wanted says nothing about the query.
  bool TimesOut(const EngineQuery& query) const {
    std::string key = query.conjunctive ? "and" : "or";
    for (const std::string& term : query.terms) key += '\0' + term;
    return InShare(key, biases_.timeouts, SeedOf(kTimeouts));
  }

  void Withhold(EngineAnswer* answer) const {
    std::erase_if(answer->urls, [this](const std::string& url) {
      return !InShare(url, biases_.sabotage_share, SeedOf(kSabotage));
    });
    answer->hits = Times(answer->hits, biases_.sabotage_share);
  }

  void Repeat(EngineAnswer* answer, uint32_t limit) const {
    std::vector<std::string> urls;
    for (std::string& url : answer->urls) {
      const bool twice = InShare(url, biases_.duplicates, SeedOf(kDuplicates));
      if (twice) urls.push_back(url);
      urls.push_back(std::move(url));
    }
    if (urls.size() > limit) urls.resize(limit);
    answer->urls = std::move(urls);
  }

  static uint64_t Times(uint64_t count, double factor) {
    if (factor == 1) return count;
    const double product = static_cast<double>(count) * factor;
    return product >= 1e18 ? uint64_t{1000000000000000000}
                           : static_cast<uint64_t>(product);
  }

  std::unique_ptr<Engine> inner_;
  AnswerBiases biases_;
};

}  // namespace

std::unique_ptr<Engine> MakeBiased(std::unique_ptr<Engine> inner,
                                   const AnswerBiases& biases) {
  AnswerBiases none;
  none.seed = biases.seed;
  if (biases == none) return inner;
  return std::make_unique<BiasedEngine>(std::move(inner), biases);
}

}  // namespace twinset
