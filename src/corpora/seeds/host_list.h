// Hosts and parts of hosts that a crawl is to leave alone
// (docs/methods/seeds.md).
#ifndef TWINSET_SRC_CORPORA_SEEDS_HOST_LIST_H_
#define TWINSET_SRC_CORPORA_SEEDS_HOST_LIST_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "documents/text_lines.h"
#include "twinset/corpora/seeds.h"
#include "twinset/error.h"

namespace twinset {

// An entry is a host, which stands for all addresses of it and of the hosts
// below it, or a host with a path, which stands for the addresses of this host
// that begin with it and end there or go on behind '/', '?' or '&'. Scheme,
// port and fragment do not count.
class HostList {
 public:
  struct Entry {
    std::string name;    // "a.example" or "a.example/path"
    std::string source;  // "FILE:LINE" of the first line that has it
  };

  // With percentiles, lines "PERCENTILE ENTRY" count when the number is below
  // `below` (the format of the Waterloo spam rankings); without, they are bad.
  HostList() = default;
  explicit HostList(double below) : has_percentiles_(true), below_(below) {}

  // Bad lines are counted, and the first of them added to `problems`. Reading
  // ends where bytes() is above `most_bytes`. kIo.
  Status Read(const std::string& path, uint64_t most_bytes,
              HostListFacts* facts, std::vector<std::string>* problems);
  // The same over bytes in memory, for tests and fuzzing.
  Status ReadText(std::string bytes, HostListFacts* facts,
                  std::vector<std::string>* problems);

  // The entry that an address is under, or null: of a host and those above it
  // the longest, of paths the shortest. Time: linear in the address.
  const Entry* Find(std::string_view url) const;
  size_t size() const { return entries_.size(); }
  uint64_t bytes() const { return bytes_; }

 private:
  void TakeLine(const std::string& source, const TextLine& line,
                HostListFacts* facts, std::vector<std::string>* problems);
  const Entry* FindPath(const std::string& place) const;

  bool has_percentiles_ = false;
  double below_ = 0;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t> hosts_;  // place in entries_
  // Entries with a path, by PlaceHash: a hash that grows with the text.
  std::unordered_multimap<uint64_t, size_t> paths_;
  uint64_t bytes_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_SEEDS_HOST_LIST_H_
