// Reads two lists of addresses into the sorters of a join.
#ifndef TWINSET_SRC_CORPORA_URLS_URL_READING_H_
#define TWINSET_SRC_CORPORA_URLS_URL_READING_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/lists/number_set.h"
#include "base/memory_budget.h"
#include "read/reader.h"
#include "store/external_sort.h"
#include "twinset/corpora/urls.h"
#include "twinset/error.h"
#include "urls/address_pairs.h"
#include "urls/url_forms.h"

namespace twinset {

// Ids that were judged, from qrels (topic, iteration, id, grade) and prels
// (topic, id, grade, and two more).
class JudgedIds {
 public:
  JudgedIds(uint64_t most_bytes, MemoryBudget* budget)
      : ids_(most_bytes, budget) {}
  // kCorrupt when no line is a judgement.
  Status Read(const std::string& path);
  void Finish() { ids_.Finish(); }
  bool Has(std::string_view id) const;
  uint64_t distinct() const { return ids_.size(); }
  uint64_t bad() const { return bad_; }
  // The first one, for messages.
  const std::string& first() const { return first_; }
  const std::vector<SideRead>& sides() const { return sides_; }

 private:
  NumberSet ids_;
  uint64_t bad_ = 0;
  std::string first_;
  std::vector<SideRead> sides_;
};

class UrlReading {
 public:
  // What is handed over outlives the reading; `judged`, `bad` and `pairs` may
  // be null.
  struct Sinks {
    ExternalSorter<UrlLine>* lines = nullptr;
    ExternalSorter<HostName>* hosts = nullptr;
    OutputFile* bad = nullptr;  // rows of bad.jsonl
    const JudgedIds* judged = nullptr;
    AddressPairs* pairs = nullptr;
    ProgressSink on_progress;
  };
  UrlReading(const UrlSpeller& speller, ReadOptions read, int threads,
             Sinks sinks)
      : speller_(speller),
        read_(std::move(read)),
        threads_(threads),
        sinks_(std::move(sinks)) {}

  // kCorrupt when no line is an address.
  Status Read(const std::string& path, const InputList& files, bool is_b,
              UrlSide* side, std::vector<SideRead>* sides);
  // An id of either list, for messages.
  const std::string& first_id() const { return first_id_; }

 private:
  struct Batch;
  void Spell(Batch* batch) const;
  Status Take(const Batch& batch, bool is_b, UrlSide* side);
  Status TellBad(const Batch& batch, bool is_b, UrlSide* side);

  const UrlSpeller& speller_;
  ReadOptions read_;
  int threads_;
  Sinks sinks_;
  // Hosts that were handed on last, by the lowest bits of their hashes.
  std::vector<uint64_t> told_ = std::vector<uint64_t>(1 << 13);
  std::map<std::string, uint64_t> bad_;
  std::string first_id_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_URLS_URL_READING_H_
