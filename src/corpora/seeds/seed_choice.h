// Which addresses become seeds (docs/methods/seeds.md).
#ifndef TWINSET_SRC_CORPORA_SEEDS_SEED_CHOICE_H_
#define TWINSET_SRC_CORPORA_SEEDS_SEED_CHOICE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "seeds/answer_results.h"
#include "seeds/host_list.h"
#include "twinset/corpora/seeds.h"
#include "twinset/error.h"
#include "web/graph_input.h"

namespace twinset {

// What the sources propose, each best first.
struct SeedProposals {
  std::vector<std::string> given;
  const AnswerResults* answers = nullptr;  // null: none
  std::vector<ReturnedAddress> returned;
  const LoadedGraph* graph = nullptr;  // null: none
  std::vector<double> ranks;           // of its nodes
};

// An address that was looked at, with all that is known of it.
struct SeedVerdict {
  std::string address;  // in normal form where it is an address
  SeedSource source = SeedSource::kGiven;
  std::optional<SeedRefusal> refusal;         // none: a seed
  const HostList::Entry* entry = nullptr;     // of blacklist and spam
  const ReturnedAddress* returned = nullptr;  // null: no answer has it
  std::optional<uint32_t> node;               // none: the graph has it not
  uint64_t place = 0;                         // of the node by rank, from 1
};

// Looks at the proposals in turn, and tells `each` of every address once, until
// there are `size` seeds. Memory: 28 bytes per node, 4 a returned address, and
// the addresses that were looked at.
class SeedChoice {
 public:
  using Each = std::function<Status(const SeedVerdict&)>;
  SeedChoice(const SeedsOptions& options, const SeedProposals& proposals,
             const HostList& blacklist, const HostList& spam, Each each);

  // kMemory when the addresses looked at take more than `memory_bytes`, and
  // the errors of `each`; kInterrupted. Counts seeds, hosts and refusals.
  Status Run(uint64_t memory_bytes, SeedsResult* result);

  // Seeds of each host.
  const std::unordered_map<std::string, uint64_t>& hosts() const {
    return hosts_;
  }

 private:
  // Looks at proposals until one is a seed; false when there are no more.
  Result<bool> Take(SeedSource source);
  // The next proposal of a source, if any, and its node where that is known.
  std::optional<std::string> Next(SeedSource source,
                                  std::optional<uint32_t>* node);
  Result<bool> Look(const std::string& proposal, SeedSource source,
                    std::optional<uint32_t> node);
  std::optional<SeedRefusal> Judge(SeedVerdict* verdict);
  void Know(SeedVerdict* verdict) const;

  const SeedsOptions& options_;
  const SeedProposals& proposals_;
  const HostList& blacklist_;
  const HostList& spam_;
  Each each_;
  uint64_t memory_bytes_ = 0, bytes_ = 0;
  SeedsResult* result_ = nullptr;
  std::optional<NodeIndex> index_;
  std::vector<uint32_t> order_, places_;  // nodes by rank, and the other way
  std::vector<uint32_t> page_of_address_;
  size_t next_[kSeedSources] = {};
  std::unordered_set<std::string> seen_;
  std::unordered_map<std::string, uint64_t> hosts_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_SEEDS_SEED_CHOICE_H_
