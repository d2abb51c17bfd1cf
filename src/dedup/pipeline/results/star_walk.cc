#include "pipeline/results/star_walk.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr size_t kFirstBatch = 64, kMostNodes = 1 << 12;
// A batch ends beyond them; and so many pairs are verified together.
constexpr size_t kMostPostings = 1 << 16, kMostEdges = 1 << 15,
                 kMostAsked = 1 << 15;
// Documents without a centre that are compared with each other.
constexpr size_t kGroup = 256;
constexpr uint64_t kTableBytes = 8 << 20, kGroupBytes = 5 << 20;
constexpr char kHotByRank[] = "hot-by-rank.tmp.run";

// The more similar centre counts, of equals the one of better priority.
void Improve(const Edge& edge, std::optional<Edge>* best) {
  if (!*best || edge.score > (*best)->score ||
      (edge.score == (*best)->score && edge.other_rank < (*best)->other_rank)) {
    *best = edge;
  }
}

}  // namespace

// ---- streams ----

Result<StarWalk::HotStream> StarWalk::HotStream::Open(const Run& run,
                                                      uint64_t begin) {
  TWINSET_ASSIGN(auto reader, OpenRun<Hot>(run, kHotByRank));
  TWINSET_TRY(reader.Seek(begin));
  HotStream stream(std::move(reader));
  TWINSET_TRY(stream.Advance());
  stream.taken_ = begin;
  return stream;
}

Status StarWalk::HotStream::Advance() {
  TWINSET_ASSIGN(more_, reader_.Next(&next_));
  return {};
}

Status StarWalk::HotStream::Take(uint64_t rank,
                                 std::vector<PrefixPosting>* postings) {
  while (more_ && next_.rank == rank) {
    postings->push_back(next_.posting);
    ++taken_;
    TWINSET_TRY(Advance());
  }
  return {};
}

Status StarWalk::EdgeStream::Open(ExternalSorter<Edge>* edges) {
  edges_ = edges;
  return Advance();
}

Status StarWalk::EdgeStream::Advance() {
  TWINSET_ASSIGN(more_, edges_->Next(&next_));
  return {};
}

// ---- batches ----

StarWalk::StarWalk(Run* run, PagedArray<uint64_t>* ranks,
                   ExternalSorter<Edge>* edges, StarCover* cover)
    : run_(run),
      ranks_(ranks),
      cover_(cover),
      edges_(edges),
      tables_(run->budget.ReserveUpTo(kTableBytes, 0)),
      centres_(
          *run->parts.overlap,
          std::min(run->Share(8),
                   HotIndex::BytesFor(*run->counts.candidate.hot_postings)),
          &run->budget),
      some_(*run->parts.overlap, kGroupBytes, &run->budget),
      batch_nodes_(kFirstBatch) {}

Status StarWalk::Do(const MembershipSink& sink) {
  TWINSET_TRY(SortHot());
  TWINSET_ASSIGN(hot_, HotStream::Open(*run_, 0));
  TWINSET_TRY(cold_.Open(edges_));
  while (NextRank()) {
    TWINSET_TRY(run_->CheckStop());
    run_->Report("postings", hot_->taken(),
                 *run_->counts.candidate.hot_postings);
    TellCost();
    TWINSET_TRY(Load());
    std::vector<size_t> all(nodes_.size());
    std::iota(all.begin(), all.end(), 0);
    TWINSET_TRY(Ask(centres_, all, kBefore, [&](size_t node, const Edge& edge) {
      Improve(edge, &nodes_[node].best);
      return Status();
    }));
    TWINSET_TRY(DecideOpen());
    TWINSET_TRY(HandOn(sink));
    TWINSET_TRY(KeepCentres());
  }
  return {};
}

// Once it shows that most documents are centres, each of which is compared with
// all before it.
void StarWalk::TellCost() {
  constexpr double kSeenOf = 50;  // so much of what is told has passed
  const PlanOptions& options = run_->plan.options;
  if (is_told_ || !options.on_notice || hot_->taken() == 0) return;
  const double passed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_)
          .count();
  if (passed * kSeenOf < options.notice_seconds) return;
  const double share =
      static_cast<double>(hot_->taken()) /
      static_cast<double>(*run_->counts.candidate.hot_postings);
  const double all = passed / (share * share);
  if (all < options.notice_seconds) return;
  is_told_ = true;
  options.on_notice(
      "cluster: thousands of documents share frequent text and are no pairs, "
      "which takes about " +
      SecondsText(all) +
      "; --max-df N leaves out what more than N documents have, --ignore what "
      "a file has");
}

Status StarWalk::SortHot() {
  ExternalSorter<Hot> sorter(run_->SortOptions("hot-by-rank", 8),
                             &run_->budget);
  TWINSET_TRY(ForEachRecord<PrefixPosting>(
      *run_, "hot.run", [&](const PrefixPosting& posting) -> Status {
        TWINSET_ASSIGN(const uint64_t rank, ranks_->Get(posting.document()));
        return sorter.Add({rank, posting});
      }));
  return WriteRun<Hot>(*run_, kHotByRank, &sorter);
}

std::optional<uint64_t> StarWalk::NextRank() const {
  std::optional<uint64_t> least;
  for (const auto& rank : {cold_.rank(), late_.rank(), hot_->rank()})
    if (rank && (!least || *rank < *least)) least = rank;
  return least;
}

// The next documents that have edges or hot postings. Others are centres that
// nobody has to look for.
Status StarWalk::Load() {
  nodes_.clear();
  postings_.clear();
  inner_.clear();
  first_rank_ = *NextRank();
  while (nodes_.size() < batch_nodes_ && postings_.size() < kMostPostings &&
         inner_.size() < kMostEdges) {
    const auto rank = NextRank();
    if (!rank) break;
    Node node;
    node.rank = *rank;
    node.first_posting = postings_.size();
    node.first_edge = inner_.size();
    TWINSET_TRY(hot_->Take(*rank, &postings_));
    node.postings = postings_.size() - node.first_posting;
    if (node.postings > 0) node.document = postings_.back().document();
    TWINSET_TRY(TakeEdges(&cold_, &node));
    TWINSET_TRY(TakeEdges(&late_, &node));
    node.edges = inner_.size() - node.first_edge;
    nodes_.push_back(node);
  }
  batch_nodes_ = std::min(2 * batch_nodes_, kMostNodes);
  return {};
}

// Among the documents before the batch only centres count.
Status StarWalk::TakeEdges(EdgeStream* stream, Node* node) {
  for (; stream->rank() == node->rank;) {
    const Edge& edge = stream->next();
    node->document = edge.node;
    if (edge.other_rank >= first_rank_) {
      inner_.push_back(edge);
    } else {
      TWINSET_ASSIGN(const bool is_centre, cover_->IsCentre(edge.other_rank));
      if (is_centre) Improve(edge, &node->best);
    }
    TWINSET_TRY(stream->Advance());
  }
  return {};
}

StarWalk::Node* StarWalk::FindNode(uint64_t rank) {
  const auto at = std::lower_bound(
      nodes_.begin(), nodes_.end(), rank,
      [](const Node& node, uint64_t r) { return node.rank < r; });
  return at != nodes_.end() && at->rank == rank ? &*at : nullptr;
}

// What is known of the node and centres of its batch. One that is no node has
// no better neighbour: it is a centre.
void StarWalk::ApplyInner(Node* node) {
  for (size_t i = 0; i < node->edges; ++i) {
    const Edge& edge = inner_[node->first_edge + i];
    const Node* other = FindNode(edge.other_rank);
    if (other == nullptr || other->is_centre) Improve(edge, &node->best);
  }
}

// ---- comparing ----

Status StarWalk::Ask(const HotIndex& index, std::span<const size_t> nodes,
                     Which which, const Found& found) {
  constexpr size_t kTogether = 256;
  if (index.empty()) return {};
  std::vector<Asked> asked;
  std::vector<std::vector<uint64_t>> met(kTogether);
  for (size_t begin = 0; begin < nodes.size(); begin += kTogether) {
    const auto some =
        nodes.subspan(begin, std::min(kTogether, nodes.size() - begin));
    ParallelFor(some.size(), 8, run_->plan.machine.threads,
                [&](size_t i, size_t end) {
                  for (; i < end; ++i) {
                    met[i].clear();
                    index.Find(PostingsOf(nodes_[some[i]]), &met[i]);
                  }
                });
    for (size_t i = 0; i < some.size(); ++i) {
      const Node& node = nodes_[some[i]];
      for (const uint64_t other : met[i]) {
        TWINSET_ASSIGN(const uint64_t other_rank, ranks_->Get(other));
        if (which == kBefore && other_rank >= node.rank) continue;
        asked.push_back({CandidatePair::Of(node.document, other),
                         {node.rank, other_rank, node.document, other},
                         some[i]});
        if (asked.size() == kMostAsked) TWINSET_TRY(Verify(&asked, found));
      }
    }
  }
  return Verify(&asked, found);
}

// Empties `asked`.
Status StarWalk::Verify(std::vector<Asked>* asked, const Found& found) {
  if (asked->empty()) return {};
  std::sort(asked->begin(), asked->end());
  size_t given = 0, back = 0;
  TWINSET_TRY(VerifyPairs(
      run_, 0,
      [&](CandidatePair* pair) -> Result<bool> {
        if (given == asked->size()) return false;
        *pair = (*asked)[given++].pair;
        return true;
      },
      [&](const CandidatePair& pair,
          const Verifier::Verdict& verdict) -> Status {
        Asked& of = (*asked)[back++];
        if (!verdict.accepted) return {};
        const VerifiedPair verified = {pair.a, pair.b, verdict.score,
                                       verdict.shared};
        const SharedFeatures shared = verified.From(of.edge.node);
        if (!shared.LosesAtMost(run_->plan.options.max_loss)) return {};
        of.edge.score = verdict.score;
        of.edge.contained = shared.Contained();
        return found(of.node, of.edge);
      },
      /*only_accepted=*/true));
  asked->clear();
  return {};
}

// ---- deciding ----

// Those without a centre before the batch, some at a time.
Status StarWalk::DecideOpen() {
  for (size_t begin = 0;;) {
    std::vector<size_t> group;
    for (; begin < nodes_.size() && group.size() < kGroup; ++begin)
      if (!nodes_[begin].best) group.push_back(begin);
    if (group.empty()) return {};
    std::vector<Edge> met;
    TWINSET_TRY(CompareGroup(group, &met));
    auto edge = met.cbegin();
    for (const size_t i : group) {
      Node& node = nodes_[i];
      ApplyInner(&node);
      for (; edge != met.cend() && edge->node_rank == node.rank; ++edge)
        if (FindNode(edge->other_rank)->is_centre) Improve(*edge, &node.best);
      node.is_centre = !node.best;
    }
    TWINSET_TRY(CompareOthers(group));
  }
}

// The pairs within the group, in order.
Status StarWalk::CompareGroup(std::span<const size_t> group,
                              std::vector<Edge>* met) {
  some_.Clear();
  for (const size_t i : group) AddTo(&some_, nodes_[i]);
  TWINSET_TRY(Ask(some_, group, kBefore, [&](size_t, const Edge& edge) {
    met->push_back(edge);
    return Status();
  }));
  std::sort(met->begin(), met->end());
  return {};
}

// All other nodes of the batch with the centres of the group.
Status StarWalk::CompareOthers(std::span<const size_t> group) {
  some_.Clear();
  for (const size_t i : group)
    if (nodes_[i].is_centre) AddTo(&some_, nodes_[i]);
  std::vector<size_t> others;
  for (size_t i = group.front(), g = 0; i < nodes_.size(); ++i) {
    if (g < group.size() && group[g] == i) {
      ++g;
    } else {
      others.push_back(i);
    }
  }
  return Ask(some_, others, kBefore, [&](size_t node, const Edge& edge) {
    Improve(edge, &nodes_[node].best);
    return Status();
  });
}

// The members of the batch.
Status StarWalk::HandOn(const MembershipSink& sink) {
  for (Node& node : nodes_) {
    if (node.is_centre) continue;
    ApplyInner(&node);
    TWINSET_TRY(cover_->Add(*node.best, sink));
  }
  return cover_->Finish(sink);
}

// ---- centres ----

// The centres of the batch go into the index.
Status StarWalk::KeepCentres() {
  size_t postings = 0;
  for (const Node& node : nodes_)
    if (node.is_centre) postings += node.postings;
  if (!centres_.HasRoomFor(postings)) {
    TWINSET_TRY(ComeBehind());
    centres_.Clear();
  }
  for (const Node& node : nodes_)
    if (node.is_centre) AddTo(&centres_, node);
  return {};
}

// The edges of all documents behind the batch to the centres of the index.
Status StarWalk::ComeBehind() {
  auto edges = std::make_unique<ExternalSorter<Edge>>(
      run_->SortOptions("late-edges-" + std::to_string(sweeps_++), 12),
      &run_->budget);
  while (late_.rank()) {
    TWINSET_TRY(edges->Add(late_.next()));
    TWINSET_TRY(late_.Advance());
  }
  TWINSET_ASSIGN(HotStream stream, HotStream::Open(*run_, hot_->taken()));
  // The batch has been compared.
  auto batch = std::exchange(nodes_, {});
  auto postings = std::exchange(postings_, {});
  const auto all = [](const Node&) -> Result<bool> { return true; };
  TWINSET_TRY(Sweep(&stream, kBefore, all,
                    [&](const Edge& edge) { return edges->Add(edge); }));
  nodes_ = std::move(batch);
  postings_ = std::move(postings);
  TWINSET_TRY(edges->Finish());
  late_edges_ = std::move(edges);
  return late_.Open(late_edges_.get());
}

// Compares documents of the stream with the centres of the index.
Status StarWalk::Sweep(HotStream* stream, Which which,
                       const std::function<Result<bool>(const Node&)>& wanted,
                       const EdgeSink& sink) {
  while (stream->rank()) {
    TWINSET_TRY(run_->CheckStop());
    nodes_.clear();
    postings_.clear();
    while (stream->rank() && nodes_.size() < kMostNodes &&
           postings_.size() < kMostPostings) {
      Node node;
      node.rank = *stream->rank();
      node.first_posting = postings_.size();
      TWINSET_TRY(stream->Take(node.rank, &postings_));
      node.postings = postings_.size() - node.first_posting;
      node.document = postings_.back().document();
      TWINSET_ASSIGN(const bool is_wanted, wanted(node));
      if (is_wanted) {
        nodes_.push_back(node);
      } else {
        postings_.resize(node.first_posting);
      }
    }
    std::vector<size_t> all(nodes_.size());
    std::iota(all.begin(), all.end(), 0);
    TWINSET_TRY(Ask(centres_, all, which,
                    [&](size_t, const Edge& edge) { return sink(edge); }));
  }
  return {};
}

Status StarWalk::ForEachEdge(
    const std::function<Result<bool>(uint64_t)>& wanted, const EdgeSink& sink) {
  TWINSET_ASSIGN(HotStream filling, HotStream::Open(*run_, 0));
  centres_.Clear();
  std::vector<PrefixPosting> centre;  // those of the next one
  for (;;) {
    while (centre.empty() && filling.rank()) {
      const uint64_t rank = *filling.rank();
      TWINSET_TRY(filling.Take(rank, &centre));
      TWINSET_ASSIGN(const bool is_centre, cover_->IsCentre(rank));
      if (!is_centre) centre.clear();
    }
    if (centre.empty() || !centres_.HasRoomFor(centre.size())) {
      TWINSET_ASSIGN(HotStream stream, HotStream::Open(*run_, 0));
      TWINSET_TRY(Sweep(
          &stream, kAny,
          [&](const Node& node) { return wanted(node.document); }, sink));
      if (centre.empty()) return {};
      centres_.Clear();
    }
    centres_.Add(centre);
    centre.clear();
  }
}

}  // namespace twinset
