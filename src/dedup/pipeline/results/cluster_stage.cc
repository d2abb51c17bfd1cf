// The cluster stage: verified pairs to memberships, by star cover or by
// components.
#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "base/for_each.h"
#include "base/sort_records.h"
#include "cluster/star_cover.h"
#include "cluster/union_find.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/results/star_walk.h"
#include "pipeline/run/class_table.h"
#include "pipeline/run/run.h"

namespace twinset {

namespace {

using Members = ExternalSorter<Membership>;

class Clustering {
 public:
  explicit Clustering(Run* run)
      : run_(run), members_(run->SortOptions("memberships", 6), &run->budget) {}

  Status Do() {
    TWINSET_ASSIGN(auto ranks, LoadRanks(run_, run_->Share(8)));
    TWINSET_ASSIGN(auto classes, ClassTable::Open(*run_, &run_->budget));
    ranks_ = &ranks;
    classes_ = &classes;
    run_->step = "cover";
    if (run_->plan.options.cluster == ClusterRule::kStar) {
      TWINSET_TRY(Star());
    } else {
      TWINSET_TRY(Components());
    }
    run_->step = "rows";
    TWINSET_TRY(WriteRun<Membership>(*run_, "memberships.run", &members_));
    TWINSET_TRY(WriteRows());
    return run_->FinishStage("cluster", {"clusters.run"}, run_->counts.cluster);
  }

 private:
  // The pair seen from one of its documents.
  Result<Edge> EdgeOf(const VerifiedPair& pair, uint64_t node) {
    const uint64_t other = node == pair.a ? pair.b : pair.a;
    TWINSET_ASSIGN(const uint64_t node_rank, ranks_->Get(node));
    TWINSET_ASSIGN(const uint64_t other_rank, ranks_->Get(other));
    return Edge{node_rank, other_rank, node,
                other,     pair.score, pair.From(node).Contained()};
  }

  // Returns true iff --max-loss lets `document` go for the other of the pair.
  bool MayJoin(const VerifiedPair& pair, uint64_t document) const {
    return pair.From(document).LosesAtMost(run_->plan.options.max_loss);
  }

  // ---- star cover ----

  Status Star() {
    TWINSET_ASSIGN(auto cover,
                   StarCover::Create(run_->Path("star.tmp"), run_->documents(),
                                     run_->Share(8), &run_->budget));
    ExternalSorter<Edge> edges(run_->SortOptions("edges", 4), &run_->budget);
    TWINSET_TRY(ForEachRecord<VerifiedPair>(
        *run_, "verified.run", [&](const VerifiedPair& pair) -> Status {
          TWINSET_ASSIGN(const uint64_t a_rank, ranks_->Get(pair.a));
          TWINSET_ASSIGN(const uint64_t b_rank, ranks_->Get(pair.b));
          const uint64_t worse = a_rank < b_rank ? pair.b : pair.a;
          if (!MayJoin(pair, worse)) return {};
          TWINSET_ASSIGN(const Edge edge, EdgeOf(pair, worse));
          return edges.Add(edge);
        }));
    TWINSET_TRY(edges.Finish());
    const MembershipSink sink = [this](const Membership& m) {
      return members_.Add(m);
    };
    std::optional<StarWalk> walk;
    if (run_->counts.candidate.hot_postings) {
      walk.emplace(run_, ranks_, &edges, &cover);
      TWINSET_TRY(walk->Do(sink));
    } else {
      TWINSET_TRY(DecideAll(*run_, &edges, &cover, sink));
    }
    if (classes_->empty()) return {};
    run_->step = "copies";
    TWINSET_TRY(CopiesOfCentres(&cover));
    return CopiesOfMembers(&cover, walk ? &*walk : nullptr);
  }

  // By edges that are all there are.
  static Status DecideAll(const Run& run, ExternalSorter<Edge>* edges,
                          StarCover* cover, const MembershipSink& sink) {
    Meter meter(run, "edges", edges->added());
    TWINSET_TRY(ForEach<Edge>(edges, [&](const Edge& edge) {
      meter.Add();
      return cover->Add(edge, sink);
    }));
    return cover->Finish(sink);
  }

  // A copy of a centre joins it: nothing can be more similar, and what is as
  // similar is the same class.
  Status CopiesOfCentres(StarCover* cover) {
    return ForEachRecord<Copy>(
        *run_, "copies.run", [&](const Copy& copy) -> Status {
          TWINSET_ASSIGN(const uint64_t rank, ranks_->Get(copy.leader));
          TWINSET_ASSIGN(const bool is_centre, cover->IsCentre(rank));
          return is_centre
                     ? members_.Add({copy.leader, copy.document, 1.0, 1.0})
                     : Status();
        });
  }

  // A copy of a member chooses among the same centres, and those that rank
  // between the two.
  Status CopiesOfMembers(StarCover* cover, StarWalk* walk) {
    ExternalSorter<Edge> edges(run_->SortOptions("copy-edges", 4),
                               &run_->budget);
    const auto add = [&](const VerifiedPair& pair, uint64_t node) -> Status {
      TWINSET_ASSIGN(const uint64_t size, classes_->Size(node));
      if (size == 1 || !MayJoin(pair, node)) return {};
      TWINSET_ASSIGN(const Edge edge, EdgeOf(pair, node));
      TWINSET_ASSIGN(const bool node_is_centre,
                     cover->IsCentre(edge.node_rank));
      TWINSET_ASSIGN(const bool other_is_centre,
                     cover->IsCentre(edge.other_rank));
      return !node_is_centre && other_is_centre ? edges.Add(edge) : Status();
    };
    TWINSET_TRY(ForEachRecord<VerifiedPair>(
        *run_, "verified.run", [&](const VerifiedPair& pair) -> Status {
          TWINSET_TRY(add(pair, pair.a));
          return add(pair, pair.b);
        }));
    if (walk != nullptr) TWINSET_TRY(EdgesOfCopied(cover, walk, &edges));
    TWINSET_TRY(edges.Finish());
    std::vector<Edge> centres;
    const auto place = [&]() -> Status {
      if (centres.empty()) return {};
      const uint64_t leader = centres[0].node;
      CopyPlacement placement(std::move(centres));
      centres.clear();
      return classes_->ForEachCopy(leader, [&](const Copy& copy) -> Status {
        const Edge* best = placement.BestBefore(copy.rank);
        if (best == nullptr)
          return Fail(ErrorCode::kInternal, "a copy has no centre before it");
        return members_.Add(
            {best->other, copy.document, best->score, best->contained});
      });
    };
    TWINSET_TRY(ForEach<Edge>(&edges, [&](const Edge& edge) -> Status {
      if (!centres.empty() && centres[0].node != edge.node)
        TWINSET_TRY(place());
      centres.push_back(edge);
      return {};
    }));
    return place();
  }

  // What the walk did not look for: centres that rank behind a member, but
  // before a copy of it.
  Status EdgesOfCopied(StarCover* cover, StarWalk* walk,
                       ExternalSorter<Edge>* edges) {
    return walk->ForEachEdge(
        [&](uint64_t document) -> Result<bool> {
          TWINSET_ASSIGN(const uint64_t size, classes_->Size(document));
          if (size == 1) return false;
          TWINSET_ASSIGN(const uint64_t rank, ranks_->Get(document));
          TWINSET_ASSIGN(const bool is_centre, cover->IsCentre(rank));
          return !is_centre;
        },
        [&](const Edge& edge) { return edges->Add(edge); });
  }

  // ---- components ----

  // A class's first document and the document its component keeps.
  struct Rooted {
    CandidatePair pair;  // sorted for verification
    uint64_t leader = 0;
    std::array<uint64_t, 3> SortWords() const {
      return {pair.a, pair.b, leader};
    }
  };

  Status Components() {
    TWINSET_ASSIGN(auto sets,
                   UnionFind::Create(run_->Path("components.tmp"),
                                     std::max<uint64_t>(1, run_->documents()),
                                     run_->Share(8), &run_->budget));
    TWINSET_TRY(ForEachRecord<VerifiedPair>(
        *run_, "verified.run", [&](const VerifiedPair& pair) -> Status {
          TWINSET_ASSIGN(const uint64_t a, ranks_->Get(pair.a));
          TWINSET_ASSIGN(const uint64_t b, ranks_->Get(pair.b));
          return sets.Union(a, b);
        }));
    TWINSET_TRY(ForEachRecord<Copy>(
        *run_, "copies.run", [&](const Copy& copy) -> Status {
          TWINSET_ASSIGN(const uint64_t rank, ranks_->Get(copy.leader));
          TWINSET_ASSIGN(const uint64_t root, sets.Find(rank));
          return root == rank ? members_.Add({copy.leader, copy.document, 1, 1})
                              : Status();
        }));
    ExternalSorter<Rooted> rooted(run_->SortOptions("rooted", 6),
                                  &run_->budget);
    TWINSET_TRY(CollectRooted(&sets, &rooted));
    return ScoreRooted(&rooted);
  }

  // Every first document of a class that is in a component but not its root.
  Status CollectRooted(UnionFind* sets, ExternalSorter<Rooted>* rooted) {
    const uint64_t count = std::max<uint64_t>(1, run_->documents());
    TWINSET_ASSIGN(auto by_rank, PagedArray<uint64_t>::Create(
                                     run_->Path("by-rank.tmp"), count,
                                     run_->Share(8), &run_->budget));
    for (uint64_t document = 0; document < run_->documents(); ++document) {
      TWINSET_ASSIGN(const uint64_t rank, ranks_->Get(document));
      TWINSET_TRY(by_rank.Set(rank, document));
    }
    for (uint64_t rank = 0; rank < run_->documents(); ++rank) {
      TWINSET_ASSIGN(const uint64_t root, sets->Find(rank));
      if (root == rank) continue;
      TWINSET_ASSIGN(const uint64_t leader, by_rank.Get(rank));
      TWINSET_ASSIGN(const uint64_t representative, by_rank.Get(root));
      TWINSET_TRY(
          rooted->Add({CandidatePair::Of(leader, representative), leader}));
    }
    return rooted->Finish();
  }

  // The exact similarity to the representative, also below the threshold.
  Status ScoreRooted(ExternalSorter<Rooted>* rooted) {
    std::deque<uint64_t>
        leaders;  // of the pairs handed to VerifyPairs and not yet returned
    return VerifyPairs(
        run_, rooted->added(),
        [&](CandidatePair* pair) -> Result<bool> {
          Rooted record;
          TWINSET_ASSIGN(const bool more, rooted->Next(&record));
          if (!more) return false;
          *pair = record.pair;
          leaders.push_back(record.leader);
          return true;
        },
        [&](const CandidatePair& pair,
            const Verifier::Verdict& verdict) -> Status {
          const uint64_t leader = leaders.front();
          leaders.pop_front();
          const uint64_t representative = pair.a == leader ? pair.b : pair.a;
          const VerifiedPair scored = {pair.a, pair.b, verdict.score,
                                       verdict.shared};
          const double contained = scored.From(leader).Contained();
          TWINSET_TRY(
              members_.Add({representative, leader, verdict.score, contained}));
          return classes_->ForEachCopy(leader, [&](const Copy& copy) {
            return members_.Add(
                {representative, copy.document, verdict.score, contained});
          });
        });
  }

  // ---- rows ----

  // clusters.run by document, from memberships.run by cluster: one reader
  // counts a cluster while the other waits at its begin.
  Status WriteRows() {
    TWINSET_ASSIGN(auto ahead, OpenRun<Membership>(*run_, "memberships.run"));
    TWINSET_ASSIGN(auto behind, OpenRun<Membership>(*run_, "memberships.run"));
    ExternalSorter<ClusterRow> rows(run_->SortOptions("cluster-rows", 4),
                                    &run_->budget);
    uint64_t clusters = 0, members = 0;
    Membership m;
    TWINSET_ASSIGN(bool more, ahead.Next(&m));
    while (more) {
      const uint64_t representative = m.representative;
      uint64_t size = 1;
      double min_score = 1;
      while (more && m.representative == representative) {
        ++size;
        min_score = std::min(min_score, m.score);
        TWINSET_ASSIGN(more, ahead.Next(&m));
      }
      ++clusters;
      members += size - 1;
      NoteSize(size, representative);
      TWINSET_TRY(
          rows.Add({representative, representative, size, 1.0, min_score}));
      for (uint64_t i = 1; i < size; ++i) {
        Membership member;
        TWINSET_TRY(behind.Next(&member));
        TWINSET_TRY(rows.Add({member.document, representative, size,
                              member.score, min_score, member.contained}));
      }
    }
    TWINSET_TRY(WriteRun<ClusterRow>(*run_, "clusters.run", &rows));
    ClusterCounts& counts = run_->counts.cluster;
    counts = {clusters, members, {}};
    std::sort(largest_.begin(), largest_.end());
    for (const auto& [size_negated, representative] : largest_) {
      counts.largest.emplace_back(static_cast<uint64_t>(-size_negated),
                                  representative);
    }
    return {};
  }

  // Keeps the ten largest clusters, ties in input order of their
  // representatives.
  void NoteSize(uint64_t size, uint64_t representative) {
    largest_.emplace_back(-static_cast<int64_t>(size), representative);
    std::push_heap(largest_.begin(), largest_.end());
    if (largest_.size() > 10) {
      std::pop_heap(largest_.begin(), largest_.end());
      largest_.pop_back();
    }
  }

  Run* run_;
  Members members_;
  PagedArray<uint64_t>* ranks_ = nullptr;
  ClassTable* classes_ = nullptr;
  std::vector<std::pair<int64_t, uint64_t>>
      largest_;  // a heap; the top is the least of the ten
};

}  // namespace

Status ClusterStage(Run* run) { return Clustering(run).Do(); }

}  // namespace twinset
