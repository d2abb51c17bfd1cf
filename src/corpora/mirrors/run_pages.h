// Addresses of a finished run of dedup, and which of its documents are
// duplicates.
#ifndef TWINSET_SRC_CORPORA_MIRRORS_RUN_PAGES_H_
#define TWINSET_SRC_CORPORA_MIRRORS_RUN_PAGES_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "documents/id_numbering.h"
#include "mirrors/mirror_index.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {

// summary.json of the run. kUsage when the folder holds no finished run with
// clusters, kCorrupt.
Result<Json> ReadRunSummary(const std::string& run);

// What similarity means in the run. kCorrupt for none that is known.
Result<Measure> MeasureOfRun(const Json& summary);

// `given`, with the inputs that the run had unless it names others.
InputOptions RunInputs(const InputOptions& given, const Json& summary);

// Takes at most half of the memory; kMemory for more.
class RunPages {
 public:
  explicit RunPages(uint64_t memory_bytes, ProgressSink on_progress = {})
      : most_bytes_(memory_bytes / 2), on_progress_(std::move(on_progress)) {}

  // kCorrupt: a row names no document or no cluster.
  Status ReadClusters(const std::string& run);
  // The documents that are in no cluster, after ReadClusters. Where inputs
  // cannot be read these are not known, and a warning says so. kMemory,
  // kInterrupted.
  Status ReadInputs(const InputOptions& input, const std::atomic<bool>* stop,
                    std::vector<std::string>* warnings);

  // kCorrupt: none of the documents has an address or an id that is a path, so
  // that nothing can be parallel.
  Status CheckPlaces(const std::string& run) const;

  uint64_t clusters() const { return clusters_; }
  // What was read of the inputs, all as one side.
  const SideRead& inputs() const { return inputs_; }
  // Names those of the inputs that hold no document, where another one does.
  const std::vector<std::string>& empty_inputs() const { return empty_inputs_; }
  // An id of the clusters and one of the inputs, where these have documents and
  // none of them is in a cluster: they are of another run.
  std::optional<std::pair<std::string, std::string>> strange() const {
    if (clustered_.empty() || inputs_.used == 0 || any_known_) return {};
    return std::pair(*clustered_.begin(), first_id_);
  }
  uint64_t size() const { return pages_.size(); }
  std::vector<MirrorPage> Take() { return std::move(pages_); }

 private:
  Status Add(std::string id, std::string url, std::string_view source);
  Status ReadAlone(const InputOptions& input, const std::atomic<bool>* stop);

  uint64_t most_bytes_, bytes_ = 0, clusters_ = 0;
  uint64_t placed_ = 0;  // pages with an address or a path
  ProgressSink on_progress_;
  std::vector<MirrorPage> pages_;
  std::unordered_set<std::string> clustered_;  // ids
  IdNumbering names_;
  SideRead inputs_{"inputs", ""};
  std::vector<std::string> empty_inputs_;
  bool any_known_ = false;  // a document of the inputs is in a cluster
  std::string first_id_;    // of the inputs
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_MIRRORS_RUN_PAGES_H_
