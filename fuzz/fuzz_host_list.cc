// Any bytes as a blacklist and an address: ends, counts every line, and what it
// finds is an entry that the address is under.
#include "scratch_file.h"
#include "seeds/host_list.h"
#include "target.h"

TWINSET_FUZZ_TARGET(host_list) {
  using namespace twinset;  // NOLINT: the target's subject
  FuzzInput input(data, size);
  const uint64_t mode = input.Number(1);
  const uint64_t length = input.Number(1) * 2;
  const std::string url(input.Take(length));
  HostList list = mode % 2 == 1 ? HostList(50) : HostList();
  HostListFacts facts;
  std::vector<std::string> problems;
  if (!IsReadAsList(
          list.ReadText(std::string(input.Rest()), &facts, &problems)))
    return 0;
  Require(facts.entries == list.size());
  Require(facts.entries + facts.spared + facts.bad <= facts.lines);
  Require(problems.size() <= facts.bad);
  const HostList::Entry* entry = list.Find(url);
  if (entry == nullptr) return 0;
  Require(!entry->name.empty() && !entry->source.empty());
  // What an entry names is under it.
  Require(list.Find("http://" + entry->name) != nullptr);
  return 0;
}
