// The result stage: the files of the result folder but summary.json.
#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "pipeline/pairs/pair_file.h"
#include "pipeline/pairs/pair_findings.h"
#include "pipeline/pairs/result_rows.h"
#include "pipeline/pairs/rows_with_ids.h"
#include "pipeline/results/class_pairs.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/results/decisions.h"
#include "pipeline/results/renamed_ids.h"
#include "pipeline/results/revisits.h"
#include "pipeline/results/value_stats.h"
#include "pipeline/run/run.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

class Results {
 public:
  explicit Results(Run* run)
      : run_(run), plan_(run->plan), counts_(run->counts.result) {}

  Status Do() {
    TWINSET_ASSIGN(auto ids, OpenBlob(*run_, "ids.blob"));
    ids_ = &ids;
    RenamedIds renamed(run_);
    TWINSET_TRY(WriteRows(&renamed));
    TWINSET_TRY(WriteValueStats(run_, &counts_.stats_by));
    TWINSET_TRY(WriteQuarantine(*run_));
    TWINSET_TRY(WriteRevisits(run_, &counts_.revisit));
    TWINSET_TRY(renamed.Finish());
    TWINSET_TRY(NameLargestClusters());
    return run_->FinishStage("result", {}, counts_);
  }

 private:
  // The three files take about as long as each other, so each is written beside
  // the others; but pairs and clusters share the memory in which they look at
  // texts, so those that do come one after the other.
  Status WriteRows(RenamedIds* renamed) {
    const bool apart = !PairLook::ReadsTexts(*run_);
    run_->step = apart ? "rows" : "pairs";
    return RunBeside(plan_.machine.threads,
                     {[&]() -> Status {
                        TWINSET_TRY(WritePairs());
                        return apart ? Status() : WriteClusters();
                      },
                      [&] { return apart ? WriteClusters() : Status(); },
                      [&] { return DecideDocuments(renamed); }});
  }

  Status DecideDocuments(RenamedIds* renamed) {
    return WriteLists(*run_, &counts_.kept_by_source,
                      &counts_.dropped_by_source, &counts_.dropped_text,
                      renamed);
  }

  // ---- pairs ----

  Status WritePairs() {
    if (plan_.options.kinds) counts_.judged.emplace();
    JudgedCounts* judged = counts_.judged ? &*counts_.judged : nullptr;
    return WritePairFile(
        run_, *ids_, "pairs", judged, /*says_contained=*/false,
        [&](const ListedPairSink& write) -> Status {
          TWINSET_ASSIGN(counts_.pairs_implied,
                         ForEachResultPair(run_, [&](const VerifiedPair& pair) {
                           ++counts_.pairs;
                           return write(pair, pair.shared.Contained());
                         }));
          return {};
        });
  }

  // ---- clusters and lists ----

  struct NamedRow {
    ClusterRow row;
    SharedSource source;
    uint64_t ordinal = 0;
    std::string url, date;
    bool truncated = false;
    PairFindings findings;
    std::array<uint64_t, 2> names() const {
      return {row.document, row.representative};
    }
  };

  // Columns of clusters that depend on the options.
  struct ClusterColumns {
    bool contained, min_similarity, level, estimated, truncated;
  };
  ClusterColumns ColumnsOfClusters() const {
    return {plan_.options.method.verify,
            plan_.options.cluster == ClusterRule::kComponents,
            !IsHashed(plan_.features.form), !plan_.options.method.verify,
            plan_.inputs.read.keep_truncated};
  }

  static std::string ClusterHeader(const ClusterColumns& columns) {
    std::string header = "id,cluster,is_representative,similarity";
    if (columns.contained) header += ",contained";
    header += ",size,source,ordinal,url,date";
    if (columns.min_similarity) header += ",min_similarity";
    if (columns.level) header += ",level";
    if (columns.estimated) header += ",estimated";
    if (columns.truncated) header += ",truncated";
    return header;
  }

  void AddClusterRow(const ClusterColumns& columns, const PairLook& look,
                     const NamedRow& r, const BlobBatch& ids,
                     RowText* to) const {
    MemberRow row = {ids.Get(r.row.document),
                     ids.Get(r.row.representative),
                     r.row.document == r.row.representative,
                     r.row.score,
                     std::nullopt,
                     r.row.size,
                     *r.source,
                     r.ordinal,
                     r.url,
                     r.date};
    if (columns.contained) row.contained = r.row.contained;
    AddClusterMembers(row, to);
    if (columns.min_similarity) to->Number("min_similarity", r.row.min_score);
    if (columns.level)
      to->Text("level", ChoiceName(plan_.options.method.level));
    if (columns.estimated) to->Bool("estimated", true);
    if (columns.truncated) to->Bool("truncated", r.truncated);
    look.AddTo(to, r.findings);
    to->EndRow();
  }

  Status WriteClusters() {
    if (plan_.options.method.verify) counts_.contained.emplace();
    const ClusterColumns columns = ColumnsOfClusters();
    TWINSET_ASSIGN(PairLook look, PairLook::Open(run_));
    TWINSET_ASSIGN(auto file,
                   RowWriter::Create(plan_.options.out, "clusters",
                                     plan_.options.output_format,
                                     ClusterHeader(columns) + look.Columns()));
    RowsWithIds<NamedRow> rows(
        run_, ids_, &file,
        [&](const NamedRow& row, const BlobBatch& ids, RowText* to) {
          AddClusterRow(columns, look, row, ids, to);
        });
    TWINSET_ASSIGN(auto clusters, OpenRun<ClusterRow>(*run_, "clusters.run"));
    const double threshold = PairThreshold(plan_);
    ClusterRow row;
    TWINSET_ASSIGN(bool more, clusters.Next(&row));
    // Only documents of clusters are looked at.
    TWINSET_ASSIGN(auto documents, OpenBlob(*run_, run_->documents_file));
    Meter meter(*run_, "documents", documents.count());
    DocumentInfo info;
    for (uint64_t document = 0; more && document < documents.count();
         ++document) {
      meter.Add();
      if (row.document != document) {
        TWINSET_TRY(documents.Skip());
        continue;
      }
      std::string_view bytes;
      TWINSET_TRY(documents.Next(&bytes));
      TWINSET_TRY(DecodeDocumentInfo(bytes, &info));
      const Provenance& place = info.provenance;
      if (row.representative == document)
        counts_.mostly_template += info.mostly_template;
      else if (counts_.contained)
        counts_.contained->Add(row.contained);
      NamedRow named = {row,
                        sources_.Of(plan_.inputs.files, place.source),
                        place.ordinal,
                        place.url,
                        place.date,
                        info.truncated,
                        {}};
      TWINSET_TRY(
          look.Add(row.representative, document,
                   document != row.representative && row.score >= threshold,
                   [&rows, named](const PairFindings& findings) mutable {
                     named.findings = findings;
                     return rows.Add(named);
                   }));
      TWINSET_ASSIGN(more, clusters.Next(&row));
    }
    TWINSET_TRY(look.Flush());
    TWINSET_TRY(rows.Flush());
    return file.Commit();
  }

  // Largest clusters by document number to ids, with three samples each.
  Status NameLargestClusters() {
    std::vector<std::vector<uint64_t>> samples;
    const auto& largest = run_->counts.cluster.largest;
    for (const auto& [size, representative] : largest)
      samples.push_back({representative});
    TWINSET_TRY(ForEachRecord<ClusterRow>(
        *run_, "clusters.run", [&](const ClusterRow& row) -> Status {
          for (size_t i = 0; i < samples.size(); ++i) {
            if (samples[i][0] == row.representative &&
                row.document != row.representative && samples[i].size() < 3) {
              samples[i].push_back(row.document);
            }
          }
          return {};
        }));
    for (size_t i = 0; i < samples.size(); ++i) {
      ResultCounts::Cluster& cluster = counts_.largest_clusters.emplace_back();
      cluster.size = largest[i].first;
      for (const uint64_t document : samples[i])
        TWINSET_TRY(ids_->ReadOne(document, &cluster.samples.emplace_back()));
      cluster.cluster = cluster.samples.front();
    }
    return {};
  }

  Run* run_;
  const Plan& plan_;
  SharedSources sources_;
  BlobReader* ids_ = nullptr;
  ResultCounts& counts_;
};

}  // namespace

Status ResultStage(Run* run) { return Results(run).Do(); }

}  // namespace twinset
