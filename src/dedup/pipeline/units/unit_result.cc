// The result stage of a run over units.
#include <algorithm>

#include "base/file.h"
#include "pipeline/pairs/rows_with_ids.h"
#include "pipeline/results/decisions.h"
#include "pipeline/results/renamed_ids.h"
#include "pipeline/results/revisits.h"
#include "pipeline/units/unit_lookup.h"
#include "pipeline/units/unit_stages.h"
#include "report/line_list.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

constexpr size_t kMostFrequent = 10;

// Rows before the ids are known: of cuts.jsonl,
struct CutRow {
  UnitPlace place, first;
  SharedSource source;
  uint64_t ordinal = 0;
  uint64_t begin = 0, end = 0, source_begin = 0, source_end = 0, tokens = 0;
  bool truncated = false;
  double similarity = 1;
  std::array<uint64_t, 2> names() const {
    return {place.document, first.document};
  }
};

// and of units.jsonl.
struct UnitRow {
  std::string text;
  RepeatedUnit repeated;
  SharedSource source;
  uint64_t ordinal = 0;
  uint64_t begin = 0, end = 0, tokens = 0;
  bool truncated = false;
  std::array<uint64_t, 1> names() const { return {repeated.first.document}; }
};

class UnitResults {
 public:
  explicit UnitResults(Run* run)
      : run_(run), plan_(run->plan), counts_(run->counts.unit_result) {}

  Status Do() {
    TWINSET_ASSIGN(auto ids, OpenBlob(*run_, "ids.blob"));
    TWINSET_ASSIGN(auto named, OpenBlob(*run_, "ids.blob"));
    TWINSET_ASSIGN(auto features, OpenBlob(*run_, run_->features_file));
    TWINSET_ASSIGN(auto cuts, CutsByPlace::Open(*run_, "cuts.run"));
    TWINSET_ASSIGN(auto repeated, Repeated::Open(*run_, "repeated.run"));
    std::string more = plan_.options.near_units ? ",similarity" : "";
    if (plan_.inputs.read.keep_truncated) more += ",truncated";
    TWINSET_ASSIGN(
        auto units_file,
        RowWriter::Create(
            plan_.options.out, "units", plan_.options.output_format,
            "text,tokens,count,documents,id,source,ordinal,unit,begin,end" +
                more));
    TWINSET_ASSIGN(auto cuts_file,
                   RowWriter::Create(
                       plan_.options.out, "cuts", plan_.options.output_format,
                       "id,source,ordinal,unit,begin,end,source_begin,"
                       "source_end,tokens,first_id,first_unit" +
                           more));
    TWINSET_ASSIGN(auto empty,
                   LineList::Create(plan_.options.out + "/empty.txt"));
    RowsWithIds<UnitRow> unit_rows(
        run_, &named, &units_file,
        [this](const UnitRow& r, const BlobBatch& batch, RowText* to) {
          FormatUnit(r, batch, to);
        });
    RowsWithIds<CutRow> cut_rows(
        run_, &named, &cuts_file,
        [this](const CutRow& r, const BlobBatch& batch, RowText* to) {
          FormatCut(r, batch, to);
        });
    cuts_ = &cuts;
    repeated_ = &repeated;
    unit_rows_ = &unit_rows;
    cut_rows_ = &cut_rows;
    counts_.tokens_by_source.resize(plan_.inputs.files.size());
    counts_.tokens_cut_by_source.resize(plan_.inputs.files.size());
    TWINSET_TRY(ForEachDocument(
        *run_, [&](uint64_t document, const DocumentInfo& info) -> Status {
          std::string_view id, bytes;
          TWINSET_TRY(ids.Next(&id));
          TWINSET_TRY(features.Next(&bytes));
          TWINSET_ASSIGN(const bool has_text,
                         AddDocument(document, info, bytes));
          return has_text ? Status() : empty.Add(id);
        }));
    TWINSET_TRY(unit_rows.Flush());
    TWINSET_TRY(cut_rows.Flush());
    TWINSET_TRY(units_file.Commit());
    TWINSET_TRY(cuts_file.Commit());
    TWINSET_TRY(empty.Commit());
    TWINSET_TRY(WriteQuarantine(*run_));
    TWINSET_TRY(WriteRevisits(run_, &counts_.revisit));
    TWINSET_TRY(WriteRenamedIds(run_));
    return run_->FinishStage("result", {}, counts_);
  }

 private:
  using Repeated = RecordsByPlace<RepeatedUnit, &RepeatedUnit::first>;

  void FormatUnit(const UnitRow& r, const BlobBatch& ids, RowText* to) const {
    to->Text("text", r.text)
        .Integer("tokens", r.tokens)
        .Integer("count", r.repeated.count)
        .Integer("documents", r.repeated.documents)
        .Text("id", ids.Get(r.repeated.first.document))
        .Text("source", *r.source)
        .Integer("ordinal", r.ordinal)
        .Integer("unit", r.repeated.first.unit)
        .Integer("begin", r.begin)
        .Integer("end", r.end);
    if (plan_.options.near_units)
      to->Number("similarity", r.repeated.similarity);
    if (plan_.inputs.read.keep_truncated) to->Bool("truncated", r.truncated);
    to->EndRow();
  }

  void FormatCut(const CutRow& r, const BlobBatch& ids, RowText* to) const {
    to->Text("id", ids.Get(r.place.document))
        .Text("source", *r.source)
        .Integer("ordinal", r.ordinal)
        .Integer("unit", r.place.unit)
        .Integer("begin", r.begin)
        .Integer("end", r.end)
        .Integer("source_begin", r.source_begin)
        .Integer("source_end", r.source_end)
        .Integer("tokens", r.tokens)
        .Text("first_id", ids.Get(r.first.document))
        .Integer("first_unit", r.first.unit);
    if (plan_.options.near_units) to->Number("similarity", r.similarity);
    if (plan_.inputs.read.keep_truncated) to->Bool("truncated", r.truncated);
    to->EndRow();
  }

  // Returns true iff a token of the document is left.
  Result<bool> AddDocument(uint64_t document, const DocumentInfo& info,
                           std::string_view bytes) {
    const UnitKind kind = plan_.options.unit;
    TWINSET_ASSIGN(UnitLookup units, UnitLookup::Open(kind, bytes));
    UnitLookup cut_units = units;
    counts_.units += units.units();
    for (;;) {
      TWINSET_ASSIGN(const RepeatedUnit* repeated, repeated_->Take(document));
      if (repeated == nullptr) break;
      TWINSET_ASSIGN(const StoredUnit unit,
                     units.At(repeated->first.unit, repeated->length));
      TWINSET_TRY(AddRepeated(*repeated, unit, info));
    }
    uint64_t cut = 0, cut_tokens = 0;
    for (;; ++cut) {
      TWINSET_ASSIGN(const UnitCut* found, cuts_->Take(document));
      if (found == nullptr) break;
      TWINSET_ASSIGN(const StoredUnit unit,
                     cut_units.At(found->place.unit, found->length));
      cut_tokens += unit.tokens;
      TWINSET_TRY(cut_rows_->Add(
          {found->place, found->first, SourceOf(info), info.provenance.ordinal,
           unit.begin, unit.end, unit.source_begin, unit.source_end,
           unit.tokens, info.truncated, found->similarity}));
    }
    counts_.documents_cut += cut > 0;
    const bool left = units.tokens() > cut_tokens;
    counts_.left_empty += cut > 0 && !left;
    counts_.tokens_by_source[info.provenance.source] += units.tokens();
    counts_.tokens_cut_by_source[info.provenance.source] += cut_tokens;
    return left;
  }

  const SharedSource& SourceOf(const DocumentInfo& info) {
    return sources_.Of(plan_.inputs.files, info.provenance.source);
  }

  Status AddRepeated(const RepeatedUnit& repeated, const StoredUnit& unit,
                     const DocumentInfo& info) {
    auto& most = counts_.most_frequent;
    const auto rank = std::find_if(
        most.begin(), most.end(),
        [&](const auto& other) { return other.count < repeated.count; });
    if (rank != most.end() || most.size() < kMostFrequent) {
      most.insert(rank, {std::string(unit.excerpt), repeated.count,
                         repeated.documents});
      if (most.size() > kMostFrequent) most.pop_back();
    }
    return unit_rows_->Add({std::string(unit.excerpt), repeated, SourceOf(info),
                            info.provenance.ordinal, unit.begin, unit.end,
                            unit.tokens, info.truncated});
  }

  Run* run_;
  const Plan& plan_;
  CutsByPlace* cuts_ = nullptr;
  Repeated* repeated_ = nullptr;
  RowsWithIds<UnitRow>* unit_rows_ = nullptr;
  RowsWithIds<CutRow>* cut_rows_ = nullptr;
  SharedSources sources_;
  UnitResultCounts& counts_;
};

}  // namespace

Status UnitResultStage(Run* run) { return UnitResults(run).Do(); }

}  // namespace twinset
