#include "seeds/seed_choice.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/stop.h"
#include "net/url.h"

namespace twinset {
namespace {

constexpr uint64_t kSeenBytes = 120;  // of an address besides its text
constexpr uint32_t kNoPage = UINT32_MAX;

// Returns true iff a line of seeds.txt can hold it.
bool IsSeedAddress(const std::string& address) {
  return IsHttpUrl(address) && !UrlHost(address).empty() &&
         std::none_of(address.begin(), address.end(), [](char c) {
           return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
         });
}

}  // namespace

SeedChoice::SeedChoice(const SeedsOptions& options,
                       const SeedProposals& proposals,
                       const HostList& blacklist, const HostList& spam,
                       Each each)
    : options_(options),
      proposals_(proposals),
      blacklist_(blacklist),
      spam_(spam),
      each_(std::move(each)) {
  if (proposals.graph != nullptr) {
    index_.emplace(*proposals.graph);
    order_.resize(proposals.ranks.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](uint32_t x, uint32_t y) {
      return proposals.ranks[x] > proposals.ranks[y];
    });
    places_.resize(order_.size());
    for (uint32_t i = 0; i < order_.size(); ++i) places_[order_[i]] = i;
  }
  if (proposals.answers == nullptr) return;
  page_of_address_.assign(proposals.answers->addresses().size(), kNoPage);
  for (uint32_t i = 0; i < proposals.returned.size(); ++i)
    page_of_address_[proposals.returned[i].address] = i;
}

Status SeedChoice::Run(uint64_t memory_bytes, SeedsResult* result) {
  memory_bytes_ = memory_bytes;
  result_ = result;
  bool more = true;
  while (more && result->seeds < options_.size) {
    TWINSET_ASSIGN(more, Take(SeedSource::kGiven));
  }
  // The sources take turns, a seed each.
  more = true;
  while (more) {
    more = false;
    for (const SeedSource source : {SeedSource::kAnswers, SeedSource::kRanks}) {
      if (result->seeds >= options_.size) break;
      TWINSET_ASSIGN(const bool took, Take(source));
      more |= took;
    }
  }
  result->enough = result->seeds >= options_.size;
  result->hosts = hosts_.size();
  return {};
}

Result<bool> SeedChoice::Take(SeedSource source) {
  std::optional<uint32_t> node;
  while (const auto proposal = Next(source, &node)) {
    TWINSET_ASSIGN(const bool is_seed, Look(*proposal, source, node));
    if (is_seed) return true;
  }
  return false;
}

std::optional<std::string> SeedChoice::Next(SeedSource source,
                                            std::optional<uint32_t>* node) {
  size_t& next = next_[static_cast<size_t>(source)];
  node->reset();
  switch (source) {
    case SeedSource::kGiven:
      if (next == proposals_.given.size()) return {};
      return proposals_.given[next++];
    case SeedSource::kAnswers:
      if (next == proposals_.returned.size()) return {};
      return proposals_.answers
          ->addresses()[proposals_.returned[next++].address];
    case SeedSource::kRanks:
      if (next == order_.size()) return {};
      *node = order_[next];
      return proposals_.graph->NameOf(order_[next++]);
  }
  return {};
}

Result<bool> SeedChoice::Look(const std::string& proposal, SeedSource source,
                              std::optional<uint32_t> node) {
  TWINSET_TRY(CheckStop(options_.stop));
  SeedVerdict verdict;
  verdict.address = NormaliseUrl(proposal);
  verdict.source = source;
  verdict.node = node;
  if (!seen_.insert(verdict.address).second) return false;
  bytes_ += kSeenBytes + verdict.address.size();
  if (bytes_ > memory_bytes_)
    return Fail(ErrorCode::kMemory,
                "the addresses looked at need more than " +
                    std::to_string(memory_bytes_ >> 20) + "M",
                {}, "raise --memory, or ask for fewer seeds");
  Know(&verdict);
  verdict.refusal = Judge(&verdict);
  if (verdict.refusal) {
    ++result_->refused[static_cast<size_t>(*verdict.refusal)];
  } else {
    ++result_->seeds;
    ++result_->by_source[static_cast<size_t>(source)];
  }
  TWINSET_TRY(each_(verdict));
  return !verdict.refusal.has_value();
}

void SeedChoice::Know(SeedVerdict* verdict) const {
  if (proposals_.answers != nullptr) {
    const auto address = proposals_.answers->addresses().Find(verdict->address);
    if (address && page_of_address_[*address] != kNoPage)
      verdict->returned = &proposals_.returned[page_of_address_[*address]];
  }
  if (!index_) return;
  if (!verdict->node) verdict->node = index_->Find(verdict->address);
  if (verdict->node) verdict->place = uint64_t{places_[*verdict->node]} + 1;
}

std::optional<SeedRefusal> SeedChoice::Judge(SeedVerdict* verdict) {
  if (!IsSeedAddress(verdict->address)) return SeedRefusal::kNoAddress;
  verdict->entry = blacklist_.Find(verdict->address);
  if (verdict->entry != nullptr) return SeedRefusal::kBlacklist;
  verdict->entry = spam_.Find(verdict->address);
  if (verdict->entry != nullptr) return SeedRefusal::kSpam;
  const std::string host = UrlHost(verdict->address);
  const auto known = hosts_.find(host);
  if (options_.per_host > 0 && known != hosts_.end() &&
      known->second >= options_.per_host)
    return SeedRefusal::kPerHost;
  if (known == hosts_.end()) bytes_ += kSeenBytes + host.size();
  ++hosts_[host];
  return {};
}

}  // namespace twinset
