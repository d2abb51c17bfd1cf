// Which addresses the answers to queries show, and how often
// (docs/methods/seeds.md).
#ifndef TWINSET_SRC_CORPORA_SEEDS_ANSWER_RESULTS_H_
#define TWINSET_SRC_CORPORA_SEEDS_ANSWER_RESULTS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/id_table.h"
#include "twinset/corpora/seeds.h"
#include "twinset/error.h"

namespace twinset {

struct ReturnedAddress {
  uint32_t address = 0;  // its number in AnswerResults::addresses()
  uint32_t queries = 0;  // different questions that returned it
  uint32_t best = 0;     // its best place, from 1
  uint32_t first = 0;    // place of its first question in the order of Ranked
};

// Reads logs of answers and TREC runs. The same question to two logs is two
// questions: several engines that agree speak for an address. In a log,
// questions of other limits are the same. Memory: 24 bytes a result, and the
// addresses.
class AnswerResults {
 public:
  // `top`: results of an answer that count, 0 for all.
  AnswerResults(uint32_t top, uint64_t memory_bytes,
                const std::atomic<bool>* stop)
      : top_(top), memory_bytes_(memory_bytes), stop_(stop) {}

  // A log of answers by its first line, else a TREC run, whose documents are
  // addresses. Counts into `result`. kIo, kCorrupt, kMemory, kUsage for what is
  // neither, kInterrupted.
  Status Read(const std::string& path, SeedsResult* result);

  // After all files: most questions first, then the better best place, then the
  // address that came first. Counts questions with results, and results.
  std::vector<ReturnedAddress> Ranked(SeedsResult* result);
  // In normal form where it is an address, else as it was returned.
  const IdTable& addresses() const { return addresses_; }
  // Questions that returned an address, in the order in which they were asked;
  // at most `most`.
  std::vector<std::string> QuestionsOf(const ReturnedAddress& page,
                                       size_t most) const;
  uint64_t bytes() const;

 private:
  struct Hit {
    uint32_t address = 0, question = 0, place = 0;
    friend auto operator<=>(const Hit&, const Hit&) = default;
  };
  Status ReadLog(const std::string& path, SeedsResult* result);
  Status ReadRun(const std::string& path, SeedsResult* result);
  Status Add(uint32_t question, std::string_view url, size_t place);
  uint32_t Question(const std::string& file, const std::string& text);

  uint32_t top_;
  uint64_t memory_bytes_;
  const std::atomic<bool>* stop_;
  IdTable addresses_, questions_;
  uint64_t text_bytes_ = 0;
  std::vector<Hit> hits_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_SEEDS_ANSWER_RESULTS_H_
