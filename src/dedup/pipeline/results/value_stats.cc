#include "pipeline/results/value_stats.h"

#include <array>
#include <string>
#include <tuple>
#include <utility>

#include "net/url.h"
#include "pipeline/pairs/rows_with_ids.h"
#include "pipeline/results/decisions.h"
#include "report/html_report.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

// The most bytes of a value in a summary. The file has it whole.
constexpr size_t kSummaryValueBytes = 256;
constexpr size_t kSummaryValues = 100;

// What was counted of one value of one field.
struct Tally {
  uint64_t field = 0;
  Hash128Value value;
  uint64_t first = 0;  // document that has the value first
  ValueCounts counts;
  bool IsSameValue(const Tally& other) const {
    return field == other.field && value == other.value;
  }
  void Add(const Tally& later) { counts.Add(later.counts); }
};

struct TallyByValue : Tally {
  std::array<uint64_t, 4> SortWords() const {
    return {field, value.high, value.low, first};
  }
};

// Most documents first.
struct TallyBySize : Tally {
  std::array<uint64_t, 3> SortWords() const {
    return {field, ~counts.documents, first};
  }
  std::array<uint64_t, 1> names() const { return {first}; }
};

std::string ValueOf(const Plan& plan, const ScopeField& field,
                    const DocumentInfo& info) {
  switch (field.kind) {
    case ScopeField::kSource:
      return std::string(plan.inputs.files[info.provenance.source].source);
    case ScopeField::kHost:
      return UrlHost(NormaliseUrl(info.provenance.url));
    case ScopeField::kUrl:
      return info.provenance.url;
    default: {
      const size_t place = plan.scope.field_places[field.field];
      return place < info.fields.size() ? info.fields[place] : std::string();
    }
  }
}

// Sums of a few values at a time; those of a value that another one displaces
// go to the sort. Values that come often, or one behind the other, are sorted
// a few times at most.
class Tallies {
 public:
  explicit Tallies(Run* run)
      : table_(kEntries),
        sorter_(run->SortOptions("values", 8), &run->budget) {}

  Status Add(const Tally& tally) {
    Tally& entry = table_[(tally.value.low ^ tally.field) % kEntries];
    if (entry.counts.documents > 0 && entry.IsSameValue(tally)) {
      entry.Add(tally);
      return {};
    }
    TWINSET_TRY(Move(&entry));
    entry = tally;
    return {};
  }

  // Calls `body` with every value once.
  Status ForEachValue(const std::function<Status(const Tally&)>& body) {
    for (Tally& entry : table_) TWINSET_TRY(Move(&entry));
    TWINSET_TRY(sorter_.Finish());
    Tally sum;
    TWINSET_TRY(ForEach<TallyByValue>(
        &sorter_, [&](const TallyByValue& part) -> Status {
          if (sum.counts.documents > 0 && sum.IsSameValue(part)) {
            sum.Add(part);
            return {};
          }
          if (sum.counts.documents > 0) TWINSET_TRY(body(sum));
          sum = part;
          return {};
        }));
    return sum.counts.documents > 0 ? body(sum) : Status();
  }

 private:
  static constexpr size_t kEntries = 4096;

  Status Move(Tally* entry) {
    if (entry->counts.documents == 0) return {};
    TWINSET_TRY(sorter_.Add({*entry}));
    entry->counts.documents = 0;
    return {};
  }

  std::vector<Tally> table_;
  ExternalSorter<TallyByValue> sorter_;
};

class ValueStats {
 public:
  ValueStats(Run* run, std::vector<FieldStats>* counts)
      : run_(run),
        plan_(run->plan),
        hash_(run->plan.features.key),
        counts_(*counts),
        is_match_(run->plan.inputs.first_side > 0) {}

  Status Do() {
    counts_.resize(plan_.scope.stats_by.size());
    ExternalSorter<TallyBySize> sizes(run_->SortOptions("value-sizes", 8),
                                      &run_->budget);
    {
      Tallies tallies(run_);
      TWINSET_TRY(Count(&tallies));
      TWINSET_TRY(tallies.ForEachValue(
          [&](const Tally& tally) { return sizes.Add({tally}); }));
    }
    TWINSET_TRY(sizes.Finish());
    return Write(&sizes);
  }

 private:
  Status Count(Tallies* tallies) {
    TWINSET_ASSIGN(auto decisions, Decisions::Open(*run_));
    return ForEachDocument(
        *run_, [&](uint64_t document, const DocumentInfo& info) -> Status {
          TWINSET_ASSIGN(const Decision decision, decisions.Next());
          if (plan_.inputs.SideOf(info.provenance.source) != 0) return {};
          Tally tally;
          tally.first = document;
          tally.counts = CountsOf(decision, document, info);
          for (; tally.field < plan_.scope.stats_by.size(); ++tally.field) {
            const ScopeField& field = plan_.scope.stats_by[tally.field];
            tally.value =
                hash_.Ordered(ValueOf(plan_, field, info), tally.field);
            TWINSET_TRY(tallies->Add(tally));
          }
          return {};
        });
  }

  static ValueCounts CountsOf(const Decision& decision, uint64_t document,
                              const DocumentInfo& info) {
    const bool is_duplicate =
        decision.clustered && decision.row.representative != document;
    ValueCounts counts;
    counts.documents = 1;
    counts.payload_bytes = info.payload_bytes;
    counts.tokens = info.tokens;
    counts.duplicates = is_duplicate;
    counts.identical = is_duplicate && decision.row.score >= 1;
    counts.dropped = decision.dropped;
    counts.dropped_bytes = decision.dropped ? info.payload_bytes : 0;
    counts.dropped_tokens = decision.dropped ? info.tokens : 0;
    return counts;
  }

  std::string ValueIn(const BlobBatch& documents,
                      const TallyBySize& row) const {
    const auto info = DecodeDocumentInfo(documents.Get(row.first));
    return info ? ValueOf(plan_, plan_.scope.stats_by[row.field], *info) : "";
  }

  Status Write(ExternalSorter<TallyBySize>* sizes) {
    TWINSET_ASSIGN(const auto documents, OpenBlob(*run_, run_->documents_file));
    const std::string found = is_match_ ? "matched" : "duplicates";
    TWINSET_ASSIGN(auto file,
                   RowWriter::Create(
                       plan_.options.out, "stats", plan_.options.output_format,
                       "field,value,documents,payload_bytes," + found +
                           ",identical,kept,dropped,kept_bytes,kept_share,"
                           "tokens,kept_tokens"));
    RowsWithIds<TallyBySize> rows(
        run_, &documents, &file,
        [&](const TallyBySize& row, const BlobBatch& batch, RowText* to) {
          const ValueCounts& n = row.counts;
          to->Text("field", plan_.scope.stats_by[row.field].name)
              .Text("value", ValueIn(batch, row))
              .Integer("documents", n.documents)
              .Integer("payload_bytes", n.payload_bytes)
              .Integer(found, n.duplicates)
              .Integer("identical", n.identical)
              .Integer("kept", n.documents - n.dropped)
              .Integer("dropped", n.dropped)
              .Integer("kept_bytes", n.payload_bytes - n.dropped_bytes)
              .Number("kept_share", n.kept_share())
              .Integer("tokens", n.tokens)
              .Integer("kept_tokens", n.tokens - n.dropped_tokens)
              .EndRow();
        });
    TWINSET_TRY(
        ForEach<TallyBySize>(sizes, [&](const TallyBySize& row) -> Status {
          TWINSET_TRY(Summarise(documents, row));
          return rows.Add(row);
        }));
    TWINSET_TRY(rows.Flush());
    return file.Commit();
  }

  Status Summarise(const BlobReader& documents, const TallyBySize& row) {
    FieldStats& stats = counts_[row.field];
    ++stats.values;
    if (stats.largest.size() == kSummaryValues) {
      stats.others.Add(row.counts);
      return {};
    }
    std::string bytes;
    TWINSET_TRY(documents.ReadOne(row.first, &bytes));
    TWINSET_ASSIGN(const DocumentInfo info, DecodeDocumentInfo(bytes));
    const std::string value =
        ValueOf(plan_, plan_.scope.stats_by[row.field], info);
    stats.largest.push_back({Shortened(value, kSummaryValueBytes), row.counts});
    return {};
  }

  Run* run_;
  const Plan& plan_;
  const EqualityHash hash_;
  std::vector<FieldStats>& counts_;
  const bool is_match_;
};

// As a row of the file, behind what names the value.
void AddCounts(const ValueCounts& counts, const char* found, Json* row) {
  (*row)["documents"] = counts.documents;
  (*row)["payload_bytes"] = counts.payload_bytes;
  (*row)[found] = counts.duplicates;
  (*row)["identical"] = counts.identical;
  (*row)["kept"] = counts.documents - counts.dropped;
  (*row)["dropped"] = counts.dropped;
  (*row)["kept_bytes"] = counts.payload_bytes - counts.dropped_bytes;
  (*row)["kept_share"] = counts.kept_share();
  (*row)["tokens"] = counts.tokens;
  (*row)["kept_tokens"] = counts.tokens - counts.dropped_tokens;
}

}  // namespace

Status WriteValueStats(Run* run, std::vector<FieldStats>* counts) {
  if (run->plan.scope.stats_by.empty()) return {};
  return ValueStats(run, counts).Do();
}

void AddValueStats(const Run& run, const std::vector<FieldStats>& counts,
                   Json* summary) {
  if (counts.empty()) return;
  const char* found = run.plan.inputs.first_side > 0 ? "matched" : "duplicates";
  Json fields = Json::array();
  for (size_t i = 0; i < counts.size(); ++i) {
    const FieldStats& stats = counts[i];
    Json field = {{"field", run.plan.scope.stats_by[i].name},
                  {"values", stats.values}};
    Json rows = Json::array();
    for (const FieldStats::Value& value : stats.largest) {
      Json row = {{"value", value.value}};
      AddCounts(value.counts, found, &row);
      rows.push_back(std::move(row));
    }
    field["largest"] = std::move(rows);
    if (stats.others.documents > 0) {
      Json others = {{"values", stats.values - stats.largest.size()}};
      AddCounts(stats.others, found, &others);
      field["others"] = std::move(others);
    }
    fields.push_back(std::move(field));
  }
  (*summary)["stats_by"] = std::move(fields);
}

}  // namespace twinset
