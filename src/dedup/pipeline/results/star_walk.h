// Star cover of a run whose candidate stage left hot elements
// (docs/methods/clusters.md, docs/methods/complete.md, Hot elements).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_STAR_WALK_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_STAR_WALK_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "candidate/complete/hot_index.h"
#include "cluster/star_cover.h"
#include "pipeline/run/run.h"
#include "store/external_sort.h"
#include "store/paged_array.h"

namespace twinset {

// Documents in order of priority, in batches. Each is compared with the centres
// that it meets at hot elements; those of a batch that have no centre yet are
// compared with each other. So a cluster of n documents costs n comparisons
// where all its pairs are n^2 / 2. The outcome is that of StarCover over all
// pairs.
//
// Memory: the index takes an eighth of the budget. When it is full, all
// documents to come are compared with it, and it begins anew. Not thread-safe;
// finds and verifies with the threads of the run.
class StarWalk {
 public:
  using EdgeSink = std::function<Status(const Edge&)>;

  // `edges`: finished, as StarCover::Add takes them: pairs that were found
  // otherwise. All must outlive the walk.
  StarWalk(Run* run, PagedArray<uint64_t>* ranks, ExternalSorter<Edge>* edges,
           StarCover* cover);

  // Decides every document.
  Status Do(const MembershipSink& sink);
  // After Do: of the members of which `wanted` says so by document number, the
  // edges to all centres that they meet at hot elements, in no order.
  Status ForEachEdge(const std::function<Result<bool>(uint64_t)>& wanted,
                     const EdgeSink& sink);

 private:
  // A posting of a hot element, by the document's rank.
  struct Hot {
    uint64_t rank = 0;
    PrefixPosting posting;
    std::array<uint64_t, 4> SortWords() const {
      const auto words = posting.SortWords();
      return {rank, words[0], words[1], words[2]};
    }
  };
  // All hot postings, one document after the other in order of rank.
  class HotStream {
   public:
    static Result<HotStream> Open(const Run& run, uint64_t begin);
    std::optional<uint64_t> rank() const {
      return more_ ? std::optional(next_.rank) : std::nullopt;
    }
    // Appends those of the document with this rank, if it is the next.
    Status Take(uint64_t rank, std::vector<PrefixPosting>* postings);
    uint64_t taken() const { return taken_; }

   private:
    explicit HotStream(RunReader<Hot> reader) : reader_(std::move(reader)) {}
    Status Advance();
    RunReader<Hot> reader_;
    Hot next_;
    bool more_ = false;
    uint64_t taken_ = 0;
  };
  class EdgeStream {
   public:
    Status Open(ExternalSorter<Edge>* edges);
    std::optional<uint64_t> rank() const {
      return more_ ? std::optional(next_.node_rank) : std::nullopt;
    }
    const Edge& next() const { return next_; }
    Status Advance();

   private:
    ExternalSorter<Edge>* edges_ = nullptr;
    Edge next_;
    bool more_ = false;
  };
  // A document of the batch.
  struct Node {
    uint64_t rank = 0, document = 0;
    size_t first_posting = 0, postings = 0;  // in postings_
    size_t first_edge = 0, edges = 0;        // in inner_
    std::optional<Edge> best;                // to the most similar centre known
    bool is_centre = false;
  };
  struct Asked {
    CandidatePair pair;
    Edge edge;  // without a score
    size_t node = 0;
    friend bool operator<(const Asked& x, const Asked& y) {
      return x.pair < y.pair;
    }
  };
  using Found = std::function<Status(size_t node, const Edge& edge)>;

  void TellCost();
  Status SortHot();
  std::optional<uint64_t> NextRank() const;
  Status Load();
  Status TakeEdges(EdgeStream* stream, Node* node);
  enum Which { kBefore, kAny };
  // Compares nodes with documents of the index, those that rank before them or
  // any.
  Status Ask(const HotIndex& index, std::span<const size_t> nodes, Which which,
             const Found& found);
  Status Verify(std::vector<Asked>* asked, const Found& found);
  Status DecideOpen();
  Status CompareGroup(std::span<const size_t> group, std::vector<Edge>* met);
  Status CompareOthers(std::span<const size_t> group);
  void ApplyInner(Node* node);
  Status HandOn(const MembershipSink& sink);
  Status KeepCentres();
  Status ComeBehind();
  Status Sweep(HotStream* stream, Which which,
               const std::function<Result<bool>(const Node&)>& wanted,
               const EdgeSink& sink);
  Node* FindNode(uint64_t rank);
  std::span<const PrefixPosting> PostingsOf(const Node& node) const {
    return std::span(postings_).subspan(node.first_posting, node.postings);
  }
  void AddTo(HotIndex* index, const Node& node) const {
    index->Add(PostingsOf(node));
  }

  Run* const run_;
  PagedArray<uint64_t>* const ranks_;
  StarCover* const cover_;
  ExternalSorter<Edge>* const edges_;
  const Reservation tables_;  // of the batch and the index of some of it
  HotIndex centres_, some_;
  const std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
  bool is_told_ = false;    // of the cost
  EdgeStream cold_, late_;  // late_: to centres that left the index
  std::unique_ptr<ExternalSorter<Edge>> late_edges_;
  int sweeps_ = 0;
  std::optional<HotStream> hot_;
  // The batch, in order of rank.
  size_t batch_nodes_ = 0;
  uint64_t first_rank_ = 0;
  std::vector<Node> nodes_;
  std::vector<PrefixPosting> postings_;
  std::vector<Edge> inner_;  // to documents of the batch
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_STAR_WALK_H_
