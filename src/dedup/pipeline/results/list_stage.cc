// The list stage: which verified pairs the results list. Of a cluster of very
// many distinct documents, and with --pairs star of every one, these are the
// pairs with the representative (docs/spec/1.md, Pairs listed). Of all others
// these are every pair, also those at hot elements, which the candidate stage
// left.
#include <algorithm>
#include <optional>

#include "candidate/complete/hot_join.h"
#include "pipeline/run/run.h"

namespace twinset {

namespace {

// One bit per document.
class Marks {
 public:
  static Result<Marks> Create(Run* run, const std::string& name) {
    TWINSET_ASSIGN(auto words, PagedArray<uint64_t>::Create(
                                   run->Path(name), run->documents() / 64 + 1,
                                   run->Share(16), &run->budget));
    return Marks(std::move(words));
  }
  Result<bool> Has(uint64_t document) {
    TWINSET_ASSIGN(const uint64_t word, words_.Get(document / 64));
    return (word >> (document % 64) & 1) != 0;
  }
  Status Set(uint64_t document) {
    TWINSET_ASSIGN(const uint64_t word, words_.Get(document / 64));
    return words_.Set(document / 64, word | uint64_t{1} << (document % 64));
  }

 private:
  explicit Marks(PagedArray<uint64_t> words) : words_(std::move(words)) {}
  PagedArray<uint64_t> words_;
};

class Listing {
 public:
  explicit Listing(Run* run) : run_(run) {}

  Status Do() {
    run_->counts.list.reset();
    if (!run_->plan.lists_by_cluster()) return Finish({});
    TWINSET_TRY(FindLarge());
    if (run_->plan.options.pairs == ListedPairs::kStar) {
      // The rows of clusters are all that is listed.
      run_->counts.list = {.listed = members_};
      return Finish({});
    }
    const bool has_hot = run_->counts.candidate.hot_postings.has_value();
    if (counts_.large_clusters == 0 && !has_hot) return Finish({});
    PairSorter pairs(Unique("listed"), &run_->budget);
    TWINSET_TRY(AddOfSmall(&pairs));
    if (has_hot) TWINSET_TRY(AddHot(&pairs));
    if (counts_.large_clusters > 0) TWINSET_TRY(AddOfLarge(&pairs));
    TWINSET_TRY(WriteRun<VerifiedPair>(
        *run_, "listed.run", &pairs,
        [this](const VerifiedPair&) { ++counts_.listed; }));
    run_->counts.list = counts_;
    return Finish({"listed.run"});
  }

 private:
  using PairSorter = ExternalSorter<VerifiedPair>;

  Status Finish(const std::vector<std::string>& files) {
    return run_->FinishStage("list", files, run_->counts.list);
  }
  ExternalSortOptions Unique(const std::string& name) const {
    ExternalSortOptions options = run_->SortOptions(name, 4);
    options.unique = true;
    return options;
  }

  // ---- large clusters ----

  // A cluster counts where its copies are left out.
  Status FindLarge() {
    TWINSET_ASSIGN(copies_, Marks::Create(run_, "is-copy.tmp"));
    TWINSET_ASSIGN(large_, Marks::Create(run_, "large.tmp"));
    TWINSET_TRY(ForEachRecord<Copy>(*run_, "copies.run", [&](const Copy& copy) {
      return copies_->Set(copy.document);
    }));
    TWINSET_ASSIGN(auto behind, OpenRun<Membership>(*run_, "memberships.run"));
    Membership last, m;
    uint64_t distinct = 0, all = 0;
    const auto end_cluster = [&]() -> Status {
      const bool is_large = distinct > run_->plan.scope.large_cluster;
      if (is_large) {
        ++counts_.large_clusters;
        counts_.large_documents += distinct;
        TWINSET_TRY(large_->Set(last.representative));
      }
      for (; all > 0; --all) {
        TWINSET_TRY(behind.Next(&m));
        if (is_large) TWINSET_TRY(large_->Set(m.document));
      }
      return {};
    };
    TWINSET_TRY(ForEachRecord<Membership>(
        *run_, "memberships.run", [&](const Membership& next) -> Status {
          if (all > 0 && next.representative != last.representative)
            TWINSET_TRY(end_cluster());
          if (all == 0) distinct = 1;  // the representative
          last = next;
          ++all;
          TWINSET_ASSIGN(const bool is_copy, copies_->Has(next.document));
          distinct += !is_copy;
          members_ += !is_copy;
          return {};
        }));
    return all > 0 ? end_cluster() : Status();
  }

  // ---- pairs ----

  Result<bool> IsListed(uint64_t a, uint64_t b) {
    TWINSET_ASSIGN(const bool large_a, large_->Has(a));
    if (large_a) return false;
    TWINSET_ASSIGN(const bool large_b, large_->Has(b));
    return !large_b;
  }

  Status AddOfSmall(PairSorter* pairs) {
    return ForEachRecord<VerifiedPair>(
        *run_, "verified.run", [&](const VerifiedPair& pair) -> Status {
          TWINSET_ASSIGN(const bool listed, IsListed(pair.a, pair.b));
          return listed ? pairs->Add(pair) : Status();
        });
  }

  // Representative and member.
  Status AddOfLarge(PairSorter* pairs) {
    return ForEachRecord<Membership>(
        *run_, "memberships.run", [&](const Membership& m) -> Status {
          TWINSET_ASSIGN(const bool is_large, large_->Has(m.representative));
          TWINSET_ASSIGN(const bool is_copy, copies_->Has(m.document));
          if (!is_large || is_copy) return {};
          return pairs->Add({std::min(m.representative, m.document),
                             std::max(m.representative, m.document), m.score});
        });
  }

  // ---- hot elements ----

  Status AddHot(PairSorter* pairs) {
    constexpr char kRest[] = "hot-rest.tmp.run";
    TWINSET_ASSIGN(auto rest, CreateRun<PrefixPosting>(*run_, kRest));
    TWINSET_TRY(ForEachRecord<PrefixPosting>(
        *run_, "hot.run", [&](const PrefixPosting& posting) -> Status {
          TWINSET_ASSIGN(const bool is_large, large_->Has(posting.document()));
          return is_large ? Status() : rest.Append(posting);
        }));
    TWINSET_TRY(rest.Finish(/*sync=*/false));
    TWINSET_ASSIGN(auto reader, OpenRun<PrefixPosting>(*run_, kRest));
    ExternalSorter<CandidatePair> candidates(Unique("hot-pairs"),
                                             &run_->budget);
    {
      const Reservation block =
          run_->budget.ReserveUpTo(run_->Share(8), 1 << 20);
      TWINSET_TRY(JoinHot(
          *run_->parts.overlap, &reader, block.bytes(), run_->plan.options.stop,
          [&](const CandidatePair& pair) { return candidates.Add(pair); }));
    }
    TWINSET_TRY(candidates.Finish());
    return VerifyPairs(
        run_, candidates.added(),
        [&](CandidatePair* pair) { return candidates.Next(pair); },
        [&](const CandidatePair& pair, const Verifier::Verdict& verdict) {
          return verdict.accepted ? pairs->Add({pair.a, pair.b, verdict.score})
                                  : Status();
        },
        /*only_accepted=*/true);
  }

  Run* const run_;
  std::optional<Marks> copies_, large_;
  uint64_t members_ = 0;  // that are no copies
  ListCounts counts_;
};

}  // namespace

Status ListStage(Run* run) { return Listing(run).Do(); }

}  // namespace twinset
