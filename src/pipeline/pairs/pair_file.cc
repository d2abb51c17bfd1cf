#include "pipeline/pairs/pair_file.h"

#include <algorithm>

#include "pipeline/pairs/rows_with_ids.h"
#include "pipeline/read/template_check.h"

namespace twinset::inline v1 {

Result<TruncatedDocuments> TruncatedDocuments::Load(Run* run) {
  TruncatedDocuments truncated;
  truncated.is_on_ = run->plan.read.keep_truncated;
  if (!truncated.is_on_) return truncated;
  truncated.memory_ =
      run->budget.ReserveUpTo(run->plan.inputs.size() * sizeof(uint64_t), 0);
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

Status WritePairFile(
    Run* run, const BlobReader& ids, const std::string& name,
    const std::function<
        Status(const std::function<Status(const VerifiedPair&)>&)>& each) {
  const PlanOptions& options = run->plan.options;
  const bool estimated = !options.method.verify;
  TWINSET_ASSIGN(const auto truncated, TruncatedDocuments::Load(run));
  const bool checks = TemplateCheck::IsNeeded(*run);
  TWINSET_ASSIGN(
      auto file,
      RowWriter::Create(
          options.out, name, options.output_format,
          std::string("a,b,similarity") + (estimated ? ",estimated" : "") +
              truncated.PairColumns() + (checks ? ",template_differs" : "")));
  struct Row {
    VerifiedPair pair;
    bool differs = false;
    std::array<uint64_t, 2> names() const { return {pair.a, pair.b}; }
  };
  RowsWithIds<Row> rows(
      run, &ids, &file,
      [&](const Row& row, const BlobBatch& batch, RowText* to) {
        const VerifiedPair& p = row.pair;
        to->Text("a", batch.Get(p.a))
            .Text("b", batch.Get(p.b))
            .Number("similarity", p.score);
        if (estimated) to->Bool("estimated", true);
        truncated.AddTo(to, p.a, p.b);
        if (checks) to->Flag("template_differs", row.differs);
        to->EndRow();
      });
  if (checks) {
    TWINSET_ASSIGN(auto check, TemplateCheck::Open(run));
    TWINSET_TRY(each([&](const VerifiedPair& pair) {
      return check->Add(pair.a, pair.b, /*alike=*/true, [&rows, pair](bool d) {
        return rows.Add({pair, d});
      });
    }));
    TWINSET_TRY(check->Flush());
  } else {
    TWINSET_TRY(each([&](const VerifiedPair& pair) {
      return rows.Add({pair, false});
    }));
  }
  TWINSET_TRY(rows.Flush());
  return file.Commit();
}

}  // namespace twinset::inline v1
