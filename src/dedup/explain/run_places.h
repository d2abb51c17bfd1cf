// Where the rows of a finished run stand: its clusters by size and host, the
// rows of a cluster, those of a document, the pairs of a document.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_RUN_PLACES_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_RUN_PLACES_H_

#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/row_file.h"
#include "pipeline/report/report_counts.h"
#include "store/run_file.h"
#include "store/scratch_folder.h"
#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/progress.h"

namespace twinset {

// A cluster as it is listed, once for each host of its documents and once for
// all. The largest come first.
struct ListedCluster {
  uint64_t host = 0;     // of its hash; 0: whatever host
  uint64_t below = 0;    // UINT64_MAX - size
  uint64_t row = 0;      // of the document that stands for it
  uint64_t cluster = 0;  // the hash of its id
  double least = 1;      // similarity of a document to that one
  uint64_t kinds = 0;    // bits of KindBit
  uint64_t size() const { return UINT64_MAX - below; }
  friend auto operator<=>(const ListedCluster&, const ListedCluster&) = default;
};

// The kinds by which clusters are picked: "equal" where all documents of one
// are, "near" where some are not, and what rows say with --kinds. -1: no kind.
int KindBit(std::string_view kind);
std::vector<std::string> KindNames(uint64_t bits);
// The bits of one row.
uint64_t KindsOfRow(std::string_view row);

// The host of an address as a row writes it; empty: it has none.
std::string HostOfWritten(std::string_view written);

// Thread-safe. Its files are work files; those of the run are only read.
class RunPlaces {
 public:
  struct Options {
    std::string folder;
    ResourceOptions resources;
    ProgressSink on_progress;
    const std::atomic<bool>* stop = nullptr;
  };
  // Goes through the lists once. kUnsupported for lists in CSV. Memory: that of
  // the resources.
  static Result<RunPlaces> Find(const Options& options);

  const RowFile& clusters() const { return clusters_; }
  const RowFile& pairs() const { return pairs_; }
  const ReportCounts& counts() const { return counts_; }
  uint64_t largest() const { return largest_; }
  uint64_t kinds() const { return kinds_; }  // of all clusters

  struct Page {
    std::vector<ListedCluster> clusters;
    uint64_t next = 0;  // where the following page begins; 0: there is none
    // How many there are in all; where a kind is asked for, that is not known.
    std::optional<uint64_t> all;
  };
  // Those of one host (empty: of all) of at least `least` documents, of at most
  // `most` unless it is 0, that have the kind, from place `from` of the list
  // on.
  Result<Page> List(const std::string& host, uint64_t least, uint64_t most,
                    int kind, uint64_t from, size_t count) const;
  // The listed form of a cluster; nothing where there is none.
  Result<std::optional<ListedCluster>> ClusterOf(std::string_view id) const;
  // Calls `body` with the rows of a cluster, in their order, from the one of
  // this number on.
  Status ForEachMember(
      std::string_view id, uint64_t from,
      const std::function<bool(const std::string&)>& body) const;
  // The row of `clusters` of a document; nothing where it is in no cluster.
  Result<std::optional<std::string>> RowOf(std::string_view id) const;
  // The same with the pairs that a document is in.
  Status ForEachPair(std::string_view id,
                     const std::function<bool(const std::string&)>& body) const;

 private:
  // A row by what it is found by.
  struct Place {
    uint64_t key = 0, row = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  class Finding;

  explicit RunPlaces(ScratchFolder work) : work_(std::move(work)) {}
  Status ForEachPlace(const char* file, uint64_t key, uint64_t from,
                      const std::function<Result<bool>(uint64_t)>& body) const;

  ScratchFolder work_;
  RowFile clusters_, pairs_;
  ReportCounts counts_;
  uint64_t largest_ = 0, kinds_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_RUN_PLACES_H_
