// The result stage: the files of the result folder but summary.json.
#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "base/file.h"
#include "pipeline/pairs/pair_file.h"
#include "pipeline/pairs/rows_with_ids.h"
#include "pipeline/read/template_check.h"
#include "pipeline/results/class_pairs.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/results/decisions.h"
#include "pipeline/results/report_counts.h"
#include "pipeline/results/revisits.h"
#include "pipeline/run/run.h"
#include "pipeline/run/run_inputs.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

class Results {
 public:
  explicit Results(Run* run) : run_(run), plan_(run->plan) {}

  Status Do() {
    TWINSET_ASSIGN(auto ids, OpenBlob(*run_, "ids.blob"));
    ids_ = &ids;
    TWINSET_TRY(WritePairs());
    TWINSET_TRY(WriteClusters());
    TWINSET_TRY(WriteLists());
    TWINSET_TRY(WriteQuarantine(*run_));
    TWINSET_TRY(WriteRevisits(run_));
    TWINSET_TRY(NameLargestClusters());
    run_->counts["result"]["report"] = counted_.ToJson();
    return run_->journal.FinishStage("result", {},
                                     run_->counts["result"].dump());
  }

 private:
  std::string Out(const std::string& name) const {
    return plan_.options.out + "/" + name;
  }

  // ---- pairs ----

  Status WritePairs() {
    uint64_t count = 0, implied = 0;
    TWINSET_TRY(
        WritePairFile(run_, *ids_, "pairs", [&](const auto& write) -> Status {
          TWINSET_ASSIGN(implied,
                         ForEachResultPair(run_, [&](const VerifiedPair& pair) {
                           ++count;
                           counted_.AddPair(pair.score);
                           return write(pair);
                         }));
          return {};
        }));
    run_->counts["result"]["pairs"] = count;
    run_->counts["result"]["pairs_implied"] = implied;
    return {};
  }

  // ---- clusters and lists ----

  struct NamedRow {
    ClusterRow row;
    uint32_t source = 0;
    uint64_t ordinal = 0;
    std::string url, date;
    bool truncated = false;
    bool template_differs = false;
  };

  Status WriteClusters() {
    const bool components = plan_.options.cluster == "components";
    std::string header =
        "id,cluster,is_representative,similarity,size,source,ordinal,url,date";
    if (components) header += ",min_similarity";
    if (!IsHashed(plan_.form)) header += ",level";
    if (!plan_.options.method.verify) header += ",estimated";
    if (plan_.read.keep_truncated) header += ",truncated";
    const bool checks = TemplateCheck::IsNeeded(*run_);
    if (checks) header += ",template_differs";
    TWINSET_ASSIGN(auto file,
                   RowWriter::Create(plan_.options.out, "clusters",
                                     plan_.options.output_format, header));
    RowsWithIds<NamedRow> rows(
        run_, ids_,
        [](const NamedRow& r) {
          return std::vector<uint64_t>{r.row.document, r.row.representative};
        },
        [&](const NamedRow& r, const BlobBatch& ids) {
          file.Text("id", ids.Get(r.row.document))
              .Text("cluster", ids.Get(r.row.representative))
              .Bool("is_representative", r.row.document == r.row.representative)
              .Number("similarity", r.row.score)
              .Integer("size", r.row.size)
              .Text("source", sources_.Of(plan_.inputs, r.source))
              .Integer("ordinal", r.ordinal)
              .Text("url", r.url)
              .Text("date", r.date);
          if (components) file.Number("min_similarity", r.row.min_score);
          if (!IsHashed(plan_.form))
            file.Text("level", plan_.options.method.level);
          if (!plan_.options.method.verify) file.Bool("estimated", true);
          if (plan_.read.keep_truncated) file.Bool("truncated", r.truncated);
          if (checks) file.Flag("template_differs", r.template_differs);
          return file.EndRow();
        });
    TWINSET_ASSIGN(auto clusters, OpenRun<ClusterRow>(*run_, "clusters.run"));
    std::unique_ptr<TemplateCheck> check;
    if (checks) {
      TWINSET_ASSIGN(check, TemplateCheck::Open(run_));
    }
    const double threshold = PairThreshold(plan_);
    uint64_t mostly_template = 0;
    ClusterRow row;
    TWINSET_ASSIGN(bool more, clusters.Next(&row));
    TWINSET_TRY(ForEachDocument(
        *run_, [&](uint64_t document, const DocumentInfo& info) -> Status {
          if (!more || row.document != document) return {};
          const Provenance& place = info.provenance;
          if (row.representative == document) {
            counted_.AddCluster(row.size);
            mostly_template += info.mostly_template;
          }
          NamedRow named = {row,       place.source, place.ordinal,
                            place.url, place.date,   info.truncated,
                            false};
          if (check) {
            TWINSET_TRY(check->Add(
                std::min(document, row.representative),
                std::max(document, row.representative),
                document != row.representative && row.score >= threshold,
                [&rows, named = std::move(named)](bool differs) mutable {
                  named.template_differs = differs;
                  return rows.Add(named);
                }));
          } else {
            TWINSET_TRY(rows.Add(named));
          }
          TWINSET_ASSIGN(more, clusters.Next(&row));
          return {};
        }));
    if (check) TWINSET_TRY(check->Flush());
    TWINSET_TRY(rows.Flush());
    run_->counts["result"]["mostly_template"] = mostly_template;
    return file.Commit();
  }

  Status WriteLists() {
    TWINSET_ASSIGN(auto keep, OutputFile::Create(Out("keep.txt")));
    TWINSET_ASSIGN(auto drop, OutputFile::Create(Out("drop.txt")));
    TWINSET_ASSIGN(auto empty, OutputFile::Create(Out("empty.txt")));
    TWINSET_ASSIGN(auto decisions, Decisions::Open(*run_));
    TWINSET_ASSIGN(auto ids, OpenBlob(*run_, "ids.blob"));
    std::vector<uint64_t> kept(plan_.inputs.size()),
        dropped(plan_.inputs.size());
    TWINSET_TRY(ForEachDocument(
        *run_, [&](uint64_t, const DocumentInfo& info) -> Status {
          std::string_view id;
          TWINSET_TRY(ids.Next(&id));
          const std::string line = std::string(id) + "\n";
          TWINSET_ASSIGN(const Decision decision, decisions.Next());
          ++(decision.dropped ? dropped : kept)[info.provenance.source];
          TWINSET_TRY((decision.dropped ? drop : keep).Write(line));
          return info.empty ? empty.Write(line) : Status();
        }));
    Json& counts = run_->counts["result"];
    counts["kept_by_source"] = PackCounts(kept);
    counts["dropped_by_source"] = PackCounts(dropped);
    TWINSET_TRY(keep.Commit());
    TWINSET_TRY(drop.Commit());
    return empty.Commit();
  }

  // Largest clusters by document number to ids, with three samples each.
  Status NameLargestClusters() {
    std::vector<Json> named;
    std::vector<std::vector<uint64_t>> samples;
    const Json largest = run_->counts["cluster"]["largest"];
    for (const Json& entry : largest)
      samples.push_back({entry[1].get<uint64_t>()});
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
    Json result = Json::array();
    for (size_t i = 0; i < samples.size(); ++i) {
      Json entry;
      std::string id;
      TWINSET_TRY(ids_->ReadOne(samples[i][0], &id));
      entry["cluster"] = id;
      entry["size"] = largest[i][0];
      for (const uint64_t document : samples[i]) {
        TWINSET_TRY(ids_->ReadOne(document, &id));
        entry["samples"].push_back(id);
      }
      result.push_back(std::move(entry));
    }
    run_->counts["result"]["largest_clusters"] = std::move(result);
    return {};
  }

  Run* run_;
  const Plan& plan_;
  SourceNames sources_;
  BlobReader* ids_ = nullptr;
  ReportCounts counted_;
};

}  // namespace

Status ResultStage(Run* run) { return Results(run).Do(); }

}  // namespace twinset
