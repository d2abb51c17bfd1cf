#include "pipeline/match_stages.h"

#include "base/parallel.h"
#include "documents/side_check.h"
#include "pipeline/pairs/pair_batch.h"
#include "pipeline/pairs/pair_file.h"
#include "pipeline/pairs/rows_with_ids.h"
#include "pipeline/read/passage_store.h"
#include "pipeline/read/view_store.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/results/decisions.h"
#include "pipeline/results/renamed_ids.h"
#include "pipeline/results/revisits.h"
#include "pipeline/results/summary.h"
#include "pipeline/results/value_stats.h"
#include "report/row_writer.h"
#include "verify/passages.h"

namespace twinset {

Status CheckSides(Run* run) {
  constexpr const char* kSides[] = {"A", "B"};
  constexpr const char* kFlags[] = {"--text-field", "--against-text-field"};
  for (size_t side = 0; side < 2; ++side) {
    const ReadOutcome& outcome = run->counts.read.sides[side].outcome;
    Status checked = CheckSide(SideOf(kSides[side], "", outcome));
    if (checked) continue;
    std::string remedy;
    if (outcome.quarantined > 0) {
      TWINSET_TRY(WriteQuarantine(*run));
      remedy = "see " + run->plan.options.out + "/quarantine.jsonl; " +
               kFlags[side] + " names the field of the text";
    }
    return Fail(ErrorCode::kCorrupt,
                "nothing is compared: " + checked.error().message, "", remedy);
  }
  return {};
}

Status BestStage(Run* run) {
  TWINSET_ASSIGN(auto writer, CreateRun<ClusterRow>(*run, "clusters.run"));
  ClusterRow best;
  const auto close = [&]() -> Status {
    return best.size == 0 ? Status() : writer.Append(best);
  };
  // Pairs come by a, then b; a is always of the first collection.
  const double max_loss = run->plan.options.max_loss;
  TWINSET_TRY(ForEachRecord<VerifiedPair>(
      *run, "verified.run", [&](const VerifiedPair& pair) -> Status {
        if (!pair.shared.LosesAtMost(max_loss)) return {};
        if (best.size != 0 && best.document == pair.a) {
          ++best.size;
          if (pair.score > best.score) {
            best.representative = pair.b;
            best.score = best.min_score = pair.score;
            best.contained = pair.shared.Contained();
          }
          return {};
        }
        TWINSET_TRY(close());
        best = {pair.a,     pair.b,     2,
                pair.score, pair.score, pair.shared.Contained()};
        return {};
      }));
  TWINSET_TRY(close());
  TWINSET_TRY(writer.Finish());
  run->counts.best.matched = writer.count();
  return run->FinishStage("best", {"clusters.run"}, run->counts.best);
}

Status MatchResultStage(Run* run) {
  TWINSET_ASSIGN(const auto ids, OpenBlob(*run, "ids.blob"));
  MatchResultCounts& counts = run->counts.match_result;
  if (run->plan.options.kinds) counts.judged.emplace();
  JudgedCounts* judged = counts.judged ? &*counts.judged : nullptr;
  TWINSET_TRY(WritePairFile(run, ids, "pairs", judged, /*says_contained=*/false,
                            [&](const ListedPairSink& write) {
                              return ForEachRecord<VerifiedPair>(
                                  *run, "verified.run",
                                  [&](const VerifiedPair& pair) {
                                    ++counts.pairs;
                                    return write(pair, pair.shared.Contained());
                                  });
                            }));
  TWINSET_TRY(WritePairFile(
      run, ids, "best", nullptr, /*says_contained=*/true,
      [&](const ListedPairSink& write) {
        if (run->plan.options.method.verify) counts.contained.emplace();
        return ForEachRecord<ClusterRow>(
            *run, "clusters.run", [&](const ClusterRow& row) {
              if (counts.contained) counts.contained->Add(row.contained);
              return write({row.document, row.representative, row.score},
                           row.contained);
            });
      }));
  RenamedIds renamed(run);
  TWINSET_TRY(WriteLists(*run, &counts.kept_by_source,
                         &counts.dropped_by_source, &counts.dropped_text,
                         &renamed));
  TWINSET_TRY(WriteValueStats(run, &counts.stats_by));
  TWINSET_TRY(WriteQuarantine(*run));
  TWINSET_TRY(WriteRevisits(run, &counts.revisit));
  TWINSET_TRY(renamed.Finish());
  return run->FinishStage("result", {}, counts);
}

namespace {

// A passage as a row of passages.jsonl, in characters.
struct PassageRow {
  uint64_t a = 0, b = 0;
  uint32_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0, tokens = 0;
  double similarity = 0;
  std::array<uint64_t, 2> names() const { return {a, b}; }
};

constexpr size_t kMatchBatchPairs = 1 << 14;

class PassageWriting {
 public:
  explicit PassageWriting(Run* run) : run_(run), plan_(run->plan) {}

  Status Do() {
    TWINSET_ASSIGN(const auto ids, OpenBlob(*run_, "ids.blob"));
    TWINSET_ASSIGN(const auto views, OpenBlob(*run_, run_->views_file));
    TWINSET_ASSIGN(auto pairs, OpenRun<VerifiedPair>(*run_, "verified.run"));
    TWINSET_ASSIGN(const auto truncated, TruncatedDocuments::Load(run_));
    TWINSET_ASSIGN(
        auto file,
        RowWriter::Create(plan_.options.out, "passages", OutputFormat::kJsonl,
                          "a,b,a_begin,a_end,b_begin,b_end,tokens,similarity" +
                              truncated.PairColumns()));
    RowsWithIds<PassageRow> rows(
        run_, &ids, &file,
        [&](const PassageRow& row, const BlobBatch& names, RowText* to) {
          to->Text("a", names.Get(row.a))
              .Text("b", names.Get(row.b))
              .Integer("a_begin", row.a_begin)
              .Integer("a_end", row.a_end)
              .Integer("b_begin", row.b_begin)
              .Integer("b_end", row.b_end)
              .Integer("tokens", row.tokens)
              .Number("similarity", row.similarity);
          truncated.AddTo(to, row.a, row.b);
          to->EndRow();
        });
    PassageCounts& counts = run_->counts.passages.emplace();
    const auto write = [&](std::span<const VerifiedPair> loaded,
                           const BlobBatch& batch) -> Status {
      std::vector<Result<std::vector<PassageRow>>> found(loaded.size());
      ParallelFor(loaded.size(), 4, plan_.machine.threads,
                  [&](size_t begin, size_t end) {
                    for (size_t i = begin; i < end; ++i)
                      found[i] = Find(loaded[i], batch);
                  });
      for (auto& of_pair : found) {
        if (!of_pair) return tl::unexpected(of_pair.error());
        for (const PassageRow& row : *of_pair) {
          ++counts.count;
          TWINSET_TRY(rows.Add(row));
        }
      }
      return {};
    };
    TWINSET_TRY(ForEachPairBatch<VerifiedPair>(
        run_, views, run_->Share(4), kMatchBatchPairs,
        [&](VerifiedPair* pair) { return pairs.Next(pair); }, write));
    TWINSET_TRY(rows.Flush());
    return file.Commit();
  }

 private:
  Result<std::string_view> Stored(std::string_view of_document) const {
    std::vector<std::string_view> views;
    TWINSET_TRY(
        DecodeViews(of_document, plan_.features.views.size() - 1, &views));
    return views.back();
  }

  Result<std::vector<PassageRow>> Find(const VerifiedPair& pair,
                                       const BlobBatch& batch) const {
    TWINSET_ASSIGN(const std::string_view a, Stored(batch.Get(pair.a)));
    TWINSET_ASSIGN(const std::string_view b, Stored(batch.Get(pair.b)));
    std::vector<Passage> found;
    {
      const Reservation memory =
          run_->budget.Wait(sizeof(uint64_t) * MostPassageTokens(a.size()) +
                            (sizeof(uint64_t) + kPassageIndexBytes) *
                                MostPassageTokens(b.size()));
      TWINSET_ASSIGN(const auto hashes_a, DecodePassageHashes(a));
      TWINSET_ASSIGN(const auto hashes_b, DecodePassageHashes(b));
      found = FindPassages(hashes_a, hashes_b, plan_.features.passages);
    }
    return Rows(pair, a, b, found);
  }

  // The first and the last token of each passage say where it stands.
  static Result<std::vector<PassageRow>> Rows(
      const VerifiedPair& pair, std::string_view a, std::string_view b,
      const std::vector<Passage>& found) {
    std::vector<uint32_t> tokens_a, tokens_b;
    for (const Passage& p : found) {
      tokens_a.insert(tokens_a.end(), {p.a_begin, p.a_end - 1});
      tokens_b.insert(tokens_b.end(), {p.b_begin, p.b_end - 1});
    }
    std::sort(tokens_b.begin(), tokens_b.end());  // those of a ascend
    TWINSET_ASSIGN(const auto places_a, DecodePassagePlaces(a, tokens_a));
    TWINSET_ASSIGN(const auto places_b, DecodePassagePlaces(b, tokens_b));
    const auto in_b = [&](uint32_t token) {
      return places_b[static_cast<size_t>(
          std::lower_bound(tokens_b.begin(), tokens_b.end(), token) -
          tokens_b.begin())];
    };
    std::vector<PassageRow> rows;
    for (size_t i = 0; i < found.size(); ++i) {
      const Passage& p = found[i];
      const uint32_t of_a = p.a_end - p.a_begin, of_b = p.b_end - p.b_begin;
      rows.push_back({pair.a, pair.b, places_a[2 * i].begin,
                      places_a[2 * i + 1].end, in_b(p.b_begin).begin,
                      in_b(p.b_end - 1).end, of_a,
                      static_cast<double>(p.equal) /
                          static_cast<double>(std::max(of_a, of_b))});
    }
    return rows;
  }

  Run* run_;
  const Plan& plan_;
};

}  // namespace

Status PassageStage(Run* run) {
  if (run->plan.features.views.back().form == FeatureForm::kPassages)
    TWINSET_TRY(PassageWriting(run).Do());
  return run->FinishStage("passages", {}, run->counts.passages);
}

}  // namespace twinset
