#include "pipeline/pairs/pair_file.h"

#include <algorithm>

#include "pipeline/pairs/pair_findings.h"
#include "pipeline/pairs/result_rows.h"
#include "pipeline/pairs/rows_with_ids.h"

namespace twinset {

Result<TruncatedDocuments> TruncatedDocuments::Load(Run* run) {
  TruncatedDocuments truncated;
  truncated.is_on_ = run->plan.inputs.read.keep_truncated;
  if (!truncated.is_on_) return truncated;
  truncated.memory_ = run->budget.ReserveUpTo(
      run->plan.inputs.files.size() * sizeof(uint64_t), 0);
  TWINSET_TRY(ForEachDocument(
      *run, [&](uint64_t document, const DocumentInfo& info) -> Status {
        if (info.truncated) truncated.documents_.push_back(document);
        return {};
      }));
  return truncated;
}

bool TruncatedDocuments::Has(uint64_t document) const {
  return std::binary_search(documents_.begin(), documents_.end(), document);
}

std::string TruncatedDocuments::PairColumns() const {
  return is_on_ ? ",a_truncated,b_truncated" : "";
}

void TruncatedDocuments::AddTo(RowText* row, uint64_t a, uint64_t b) const {
  if (!is_on_) return;
  row->Bool("a_truncated", Has(a)).Bool("b_truncated", Has(b));
}

Status WritePairFile(Run* run, const BlobReader& ids, const std::string& name,
                     JudgedCounts* counts, bool says_contained,
                     const std::function<Status(const ListedPairSink&)>& each) {
  const PlanOptions& options = run->plan.options;
  const bool estimated = !options.method.verify;
  says_contained = says_contained && !estimated;
  TWINSET_ASSIGN(const auto truncated, TruncatedDocuments::Load(run));
  TWINSET_ASSIGN(PairLook look, PairLook::Open(run, counts));
  TWINSET_ASSIGN(auto file, RowWriter::Create(
                                options.out, name, options.output_format,
                                std::string("a,b,similarity") +
                                    (says_contained ? ",contained" : "") +
                                    (estimated ? ",estimated" : "") +
                                    truncated.PairColumns() + look.Columns()));
  struct Row {
    VerifiedPair pair;
    double contained;
    PairFindings findings;
    std::array<uint64_t, 2> names() const { return {pair.a, pair.b}; }
  };
  RowsWithIds<Row> rows(
      run, &ids, &file,
      [&](const Row& row, const BlobBatch& batch, RowText* to) {
        const VerifiedPair& p = row.pair;
        AddPairMembers(batch.Get(p.a), batch.Get(p.b), p.score, to);
        if (says_contained) to->Number("contained", row.contained);
        if (estimated) to->Bool("estimated", true);
        truncated.AddTo(to, p.a, p.b);
        look.AddTo(to, row.findings);
        to->EndRow();
      });
  TWINSET_TRY(each([&](const VerifiedPair& pair, double contained) {
    return look.Add(pair.a, pair.b, /*alike=*/true,
                    [&rows, pair, contained](const PairFindings& findings) {
                      return rows.Add({pair, contained, findings});
                    });
  }));
  TWINSET_TRY(look.Flush());
  TWINSET_TRY(rows.Flush());
  return file.Commit();
}

}  // namespace twinset
